"""Tables for papers: tabulars in the style of booktabs, the best of each column in bold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crevasse.comparison.means import common_unit, mean_of
from crevasse.comparison.scores import Row
from crevasse.files.names import plain_text

Value = float | None
EMPTY = "--"

SPECIAL = {
    "\\": r"\textbackslash{}",
    **{character: rf"\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\textasciigrave{}",
    "°": r"$^\circ$",
    # LaTeX takes a bracket or a star after the end of a row for an option of the line break.
    **{character: f"{{{character}}}" for character in "[]*"},
}
"""How LaTeX writes special characters; two hyphens would become a dash."""


@dataclass(frozen=True)
class Column:
    """A column of numbers, a number per method.

    Attributes
    ----------
    best : "least", "most", or "" where none is better than another
    """

    head: str
    values: tuple[Value, ...]
    digits: int = 3
    best: str = "least"

    def cells(self) -> list[str]:
        """The numbers as text, the best of several in bold."""
        texts = [EMPTY if value is None else short(value, self.digits) for value in self.values]
        known = [value for value in self.values if value is not None]
        if not self.best or len(known) < 2:
            return texts
        # Values that print alike are equally good.
        top = short(min(known) if self.best == "least" else max(known), self.digits)
        return [rf"\textbf{{{text}}}" if text == top else text for text in texts]


def short(value: float, digits: int = 3) -> str:
    """A number with `digits` significant digits, without an exponent."""
    text = f"{value:.{digits}g}"
    return f"{value:.{digits + 3}f}".rstrip("0").rstrip(".") if "e-" in text else f"{float(text):.10g}"


def escape(text: str) -> str:
    r"""Any text as LaTeX shows it.

    >>> escape("50 % #1 & 2") == r"50 \% \#1 \& 2"
    True
    """
    escaped = "".join(SPECIAL.get(character, character) for character in plain_text(text))
    return escaped.replace("--", "-{}-").replace("--", "-{}-")


def tabular(caption: str, methods: Sequence[str], columns: Sequence[Column]) -> str:
    """A tabular with a row per method, after a comment that says what it holds."""
    cells = zip(*(column.cells() for column in columns), strict=True)
    rows = [" & ".join([escape(name), *line]) + r" \\" for name, line in zip(methods, cells, strict=True)]
    return "\n".join(
        [
            f"% {plain_text(caption)} (needs \\usepackage{{booktabs}})",
            rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
            r"\toprule",
            " & ".join(["method", *(escape(column.head) for column in columns)]) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


MEASURES = (
    ("made", "error", "least"),
    ("made_px", "error, px", "least"),
    ("made_aligned", "aligned", "least"),
    ("rmse", "RMSE", "least"),
    ("jump_precision", "precision", "most"),
    ("jump_recall", "recall", "most"),
    ("difference_px", "difference, px", ""),
    ("normal_angle", "angle, degrees", "least"),
    ("jump_share", "jumps, %", ""),
    ("seconds", "seconds", ""),
    ("iterations", "iterations", ""),
)
"""Columns of the table of one map: column, head, which value is best."""
WITHOUT_TRUTH = ("difference_px", "normal_angle", "jump_share")
"""Measures that are left out where the truth is known."""


def to_latex(rows: Sequence[Row], methods: Sequence[str]) -> str:
    """The table of one map by measure, of several by map: errors where the truth is known, else angles."""
    objects = list(dict.fromkeys(row["object"] for row in rows))
    values = {(row["object"], row["method"]): row for row in rows}
    if len(objects) <= 1:
        return _one_map(objects, values, methods)
    unit = common_unit(rows)
    key = "made_px" if unit is None else "made"
    known = [title for title in objects if any(row["object"] == title and row[key] is not None for row in rows)]
    others = [title for title in objects if title not in known]
    parts = []
    if known:
        parts.append(_maps(f"mean absolute depth error, {unit or 'px'}", known, values, methods, key))
    if others:
        parts.append(_maps("angle to the given normals, degrees", others, values, methods, "normal_angle"))
    return "\n\n".join(parts)


def _one_map(objects: Sequence[str], values: dict[tuple[str, str], Row], methods: Sequence[str]) -> str:
    title = objects[0] if objects else ""
    lines = [values.get((title, name), {}) for name in methods]
    unit = next((row["unit"] for row in lines if row.get("unit")), None)
    columns = []
    for column, head, best in MEASURES:
        if (unit is not None) == (column in WITHOUT_TRUTH) and column not in ("seconds", "iterations"):
            continue
        if column == "made_px" and unit == "px":
            continue
        numbers = tuple(percent(column, row.get(column)) for row in lines)
        columns.append(Column(f"{head}, {unit}" if column == "made" else head, numbers, best=best))
    return tabular(title, methods, columns)


def _maps(
    caption: str, objects: Sequence[str], values: dict[tuple[str, str], Row], methods: Sequence[str], key: str
) -> str:
    columns = [Column(title, tuple(values.get((title, name), {}).get(key) for name in methods)) for title in objects]
    rows = [row for row in values.values() if row["object"] in objects]
    means = tuple(mean_of(rows, name, key) for name in methods)
    return tabular(caption, methods, [*columns, Column("mean", means)])


def percent(column: str, value: Value) -> Value:
    """Shares as percentages."""
    return None if value is None else 100 * value if column == "jump_share" else value
