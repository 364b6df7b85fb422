"""Write the index page of a batch: every map with its picture, status and warnings."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from crevasse.files.manifest import INDEX, Entry
from crevasse.files.names import plain_text, safe_name
from crevasse.files.write import write_bytes

COLUMNS = ("", "map", "state", "status", "warnings", "pixels", "islands", "seconds")
NUMERIC = ("pixels", "islands", "seconds")

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .4em .8em; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }}
th button {{ font: inherit; font-weight: 600; color: #0b57d0; cursor: pointer; }}
th button {{ border: 0; background: none; padding: 0; white-space: nowrap; }}
th[aria-sort] button::after {{ content: " \\25B2" / ""; }}
th[aria-sort="descending"] button::after {{ content: " \\25BC" / ""; }}
td ul {{ margin: 0; padding-left: 1.1em; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
td img {{ width: 160px; display: block; }}
tr.failed td {{ background: #fdecea; }}
tr.warned td {{ background: #fff8e1; }}
</style>
<h1>{title}</h1>
<p>{summary}. A click on a column's title sorts by it.</p>
<table>
<thead><tr>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
<script>
document.querySelectorAll("th button").forEach((button, index) => {{
  let direction = 1;
  button.addEventListener("click", () => {{
    const body = document.querySelector("tbody");
    const value = (row) => row.cells[index + 1].dataset.value;
    const compare = (a, b) => isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
    [...body.rows].sort((a, b) => direction * compare(value(a), value(b))).forEach((row) => body.append(row));
    document.querySelectorAll("th").forEach((head) => head.removeAttribute("aria-sort"));
    button.parentElement.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    direction = -direction;
  }});
}});
</script>
</html>
"""


def write_index(folder: Path, entries: list[Entry]) -> Path:
    """Write the index page of a batch's folder; pictures are those of the results."""
    path = folder / INDEX
    write_bytes(path, index_page(folder.resolve().name, entries).encode())
    return path


def index_page(title: str, entries: list[Entry]) -> str:
    """The page as HTML; a click on a column's title sorts by it."""
    heads = "".join(f"<th><button>{name}</button></th>" if name else "<th></th>" for name in COLUMNS)
    failed = sum(entry["state"] == "failed" for entry in entries)
    warned = sum(bool(entry.get("warnings")) for entry in entries)
    summary = f"{len(entries) - failed} done ({warned} with warnings), {failed} failed"
    rows = "\n".join(_row(entry) for entry in entries)
    return _PAGE.format(title=_text(title), summary=summary, heads=heads, rows=rows)


def _row(entry: Entry) -> str:
    folder = quote(safe_name(str(entry.get("output") or "")))
    done = entry["state"] == "done"
    picture = f'<a href="{folder}/preview.png"><img loading="lazy" alt="" src="{folder}/preview.png"></a>'
    kind = "warned" if done and entry.get("warnings") else entry["state"]
    cells = [f"<td>{picture if done else ''}</td>"]
    for name in COLUMNS[1:]:
        value = _value(entry, name)
        style = ' class="number"' if name in NUMERIC else ""
        shown = f'<a href="{folder}/">{_text(value)}</a>' if name == "map" and done else _shown(entry, name)
        cells.append(f'<td{style} data-value="{_text(value)}">{shown}</td>')
    return f'<tr class="{kind}">{"".join(cells)}</tr>'


def _shown(entry: Entry, name: str) -> str:
    """What a cell shows: a list of warnings, numbers with their thousands apart."""
    value = entry.get(name)
    if name == "warnings" and value:
        return "<ul>" + "".join(f"<li>{_text(str(sentence))}</li>" for sentence in value) + "</ul>"
    if name in NUMERIC and isinstance(value, int):
        return f"{value:,}"
    return _text(_value(entry, name))


def _value(entry: Entry, name: str) -> str:
    """What a column is sorted by."""
    if name == "map":
        return str(entry["input"])
    if name == "status":
        return str(entry.get("status") or entry.get("error") or "")
    if name == "warnings":
        return " ".join(str(sentence) for sentence in entry.get("warnings") or [])
    value: Any = entry.get(name)
    return "" if value is None else str(value)


def _text(value: str) -> str:
    return escape(plain_text(value))
