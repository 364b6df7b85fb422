"""Write the tables of the README and the documentation from the records in benchmarks/results.

    python benchmarks/tables.py            write them
    python benchmarks/tables.py --check    say which are out of date, and fail if any is

A record is a JSON file {"name", "created", "commit", "machine": {...}, "versions": {...}, "rows": [{...}, ...]}. A
table stands between two marks in a Markdown file; the first says what it shows:

    <!-- table accuracy: rows=method columns=object value=made digits=2 mean=yes -->
    <!-- end -->

With `columns`, a cell is the `value` of the record's row that has this row and column; without it, the fields that
`show` lists are the columns. `only=FIELD:VALUE` keeps the rows with this value; `from=FIELD` takes another list of
the record than its rows; `%` in a field of `show` stands for a comma and a space. One method has one name in all
tables, whatever its rows are called: `TITLES`.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
MARKED = re.compile(r"<!-- table ([\w-]+): ?(.*?) -->\n.*?<!-- end -->", re.DOTALL)
NOTHING = "*No record yet: the benchmark writes it.*"
OURS, SPANNING_OFF = "crevasse", "crevasse, spanning off"
TITLES = {
    "graduated": OURS,
    "graduated without spanning pixels": SPANNING_OFF,
    "crevasse, no spanning pixels": SPANNING_OFF,
    "graduated, unaware": f"{OURS}, smooth errors ignored",
    "graduated, a vertex a pixel": f"{OURS}, one vertex per pixel",
    "graduated, quadrilaterals": f"{OURS}, quadrilaterals",
    "truth, a vertex a pixel": "truth, one vertex per pixel",
    "BiNI, a vertex a pixel": "BiNI, one vertex per pixel",
    "auxiliary edges, a vertex a pixel": "auxiliary edges, one vertex per pixel",
    "two cells a pixel": "two cells per pixel",
    "poisson": "Poisson",
    "bilateral": "BiNI",
    "auxiliary": "auxiliary edges",
    "default": OURS,
    "without spanning pixels": SPANNING_OFF,
    "the default, 600 iterations": "our default reading, 600 iterations",
    "the default, 1300 iterations": "our default reading, 1300 iterations",
    "the default, 5000 iterations": "our default reading, 5000 iterations",
}
"""What tables call methods and variants that records name otherwise."""
HEADS = TITLES | {"ns_a_pixel": "ns per pixel", "default": "method"}
"""The same for columns."""


def pages(root: Path = ROOT) -> list[Path]:
    """The files that may hold tables."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def fill(text: str, results: Path = RESULTS) -> str:
    """A page with its tables made anew."""

    def table(match: re.Match[str]) -> str:
        name, wish = match[1], dict(part.split("=", 1) for part in match[2].split())
        first = match[0].partition("\n")[0]
        path = results / f"{name}.json"
        body = render(json.loads(path.read_text()), wish) if path.exists() else NOTHING
        return f"{first}\n{body}\n<!-- end -->"

    return MARKED.sub(table, text)


def render(record: dict[str, Any], wish: dict[str, str]) -> str:
    """A record as a Markdown table, with a line that says where and when it was made."""
    rows = record[wish.get("from", "rows")]
    if "only" in wish:
        field, _, value = wish["only"].partition(":")
        rows = [row for row in rows if str(row.get(field)) == value]
    shown = [field.replace("%", ", ") for field in wish.get("show", "").split(",")]
    lines = pivot(rows, wish) if "columns" in wish else listing(rows, shown, wish)
    head, *body = lines
    text = [head, ["---", *("---:" for _ in head[1:])], *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in text) + "\n\n" + origin(record)


def pivot(rows: list[dict[str, Any]], wish: dict[str, str]) -> list[list[str]]:
    """Rows by columns of one value, with their mean if it is wanted."""
    names, columns = (list(dict.fromkeys(str(row[wish[key]]) for row in rows)) for key in ("rows", "columns"))
    cells = {(str(row[wish["rows"]]), str(row[wish["columns"]])): row[wish["value"]] for row in rows}
    lines = [["", *(TITLES.get(name, name) for name in columns), *(["mean"] if "mean" in wish else [])]]
    for name in names:
        values = [cells.get((name, column)) for column in columns]
        if "mean" in wish:
            known = [value for value in values if value is not None]
            values.append(sum(known) / len(known) if len(known) == len(columns) else None)
        lines.append([TITLES.get(name, name), *(cell(value, wish) for value in values)])
    return lines


def listing(rows: list[dict[str, Any]], fields: list[str], wish: dict[str, str]) -> list[list[str]]:
    """The rows as they are, a column for each field."""
    heads = [HEADS.get(field, field).replace("_", " ") for field in fields]
    return [heads, *([cell(row.get(field), wish) for field in fields] for row in rows)]


def cell(value: Any, wish: dict[str, str]) -> str:
    """A value as text: numbers with the digits that are wanted."""
    if isinstance(value, float):
        return f"{value:.{int(wish.get('digits', '3'))}f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else TITLES.get(str(value), str(value))


def origin(record: dict[str, Any]) -> str:
    """Where the numbers come from."""
    machine = record.get("machine", {})
    told = machine if isinstance(machine, str) else ", ".join(f"{value}" for value in machine.values())
    where = f" on {told}" if told else ""
    also = f"; {record['also']}" if record.get("also") else ""
    made = f"{str(record['created'])[:10]}, commit {str(record['commit'])[:7]}"
    return f"*Record `{record['name']}`, {made}{where}{also}.*"


def main() -> int:
    stale = []
    for page in pages():
        before = page.read_text("utf-8")
        after = fill(before)
        if after != before:
            stale.append(page.relative_to(ROOT))
            if "--check" not in sys.argv:
                page.write_text(after, "utf-8")
    for page in stale:
        print(f"{page}: tables {'are out of date' if '--check' in sys.argv else 'written'}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    raise SystemExit(main())
