"""Write the files of a comparison into its folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import crevasse
from crevasse.cli.console import plain_data
from crevasse.comparison import Comparison
from crevasse.comparison.maps import free_title
from crevasse.files.depth_files import write_picture
from crevasse.files.figure_files import write_figure
from crevasse.files.names import safe_name
from crevasse.files.result_folder import REPORT, staged
from crevasse.files.write import write_bytes, write_json

TABLES = {"text": "table.txt", "csv": "table.csv", "latex": "table.tex", "json": "table.json"}


def output_names(titles: Iterable[str], forms: Iterable[str]) -> dict[str, str]:
    """Kinds and names of the files: tables, a sheet for each map, the report."""
    names, taken = dict(TABLES), list(TABLES.values())
    several = list(titles)
    for title in several:
        stem = free_title("sheet" if len(several) == 1 else f"sheet-{safe_name(title)}", taken)
        taken.append(stem)
        names |= {_sheet_kind(title, form): f"{stem}.{form}" for form in forms}
    return names | {"report": REPORT}


def _sheet_kind(title: str, form: str) -> str:
    return f"sheet of {title}, {form}"


def write_comparison(
    folder: Path, table: Comparison, names: dict[str, str], forms: Iterable[str], about: dict[str, Any]
) -> list[Path]:
    """Write all files, which replace an earlier comparison when they are complete; returns their paths."""
    with staged(folder) as staging:
        texts = {"text": table.to_text() + "\n", "csv": table.to_csv(), "latex": table.to_latex() + "\n"}
        for kind, text in texts.items():
            write_bytes(staging / names[kind], text.encode())
        write_json(staging / names["json"], plain_data(table.to_dict()))
        for title in table.panels:
            for form in forms:
                _write_sheet(staging / names[_sheet_kind(title, form)], table, title, form)
        written = {kind: name for kind, name in names.items() if name == REPORT or (staging / name).exists()}
        report = {"comparison": True, "version": crevasse.__version__, **about, "outputs": written}
        write_json(staging / REPORT, plain_data(report))
    return [folder / name for name in written.values()]


def _write_sheet(path: Path, table: Comparison, title: str, form: str) -> None:
    if form == "png":
        write_picture(path, table.sheet(title))
    else:
        write_figure(path, table.figure(title))
