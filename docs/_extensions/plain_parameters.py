"""Docstrings whose parameters are `name : meaning`, without a type, as numpy's sections expect them."""

import re

SECTIONS = ("Parameters", "Attributes")
PARAMETER = re.compile(r"(\*{0,2}[A-Za-z_][\w, ]*) : (.+)")


def split_meanings(app, what, name, item, options, lines):
    """Put the meaning on a line of its own, where numpy's style has it; the type is in the signature."""
    split, inside = [], False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if re.fullmatch(r"-{3,}", following):
            inside = line in SECTIONS
        match = PARAMETER.fullmatch(line) if inside else None
        split += [match[1], f"    {match[2]}"] if match else [line]
    lines[:] = split


def escape_bars(app, what, name, item, options, lines):
    """Keep absolute values such as |r|, which reStructuredText would take for substitutions."""
    lines[:] = [
        line if line.lstrip().startswith((">>>", "...")) or "``" in line else bar_in_text(line) for line in lines
    ]


def bar_in_text(line):
    """The line with each bar outside of `code marks` escaped."""
    parts = line.split("`")
    return "`".join(part if number % 2 else part.replace("|", r"\|") for number, part in enumerate(parts))


def setup(app):
    # Before napoleon, whose priority is the default 500.
    app.connect("autodoc-process-docstring", split_meanings, priority=400)
    app.connect("autodoc-process-docstring", escape_bars, priority=390)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
