"""Columns of text."""

from __future__ import annotations

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: bool = False) -> str:
    """Columns of text: the first to the left, the others to the right (or all to the left).

    >>> print(table(["a", "b"], [["x", "1.5"]]))
    a    b
    x  1.5
    """
    lines = [list(heads), *(list(row) for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if left or not k else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
