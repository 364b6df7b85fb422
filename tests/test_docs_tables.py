"""Tables are made from records, and those in the pages are the newest."""

import importlib.util
import json
from pathlib import Path
from statistics import fmean

import pytest

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("tables", ROOT / "benchmarks" / "tables.py")
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)

RECORD = {
    "name": "small",
    "created": "2025-01-02T03:04:05",
    "commit": "0123456789",
    "machine": {"cpu": "two cores"},
    "rows": [
        {"object": "bear", "method": "ours", "made": 0.25, "pixels": 41512},
        {"object": "cat", "method": "ours", "made": 0.75, "pixels": 45200},
        {"object": "bear", "method": "poisson", "made": 1.5, "pixels": 41512},
    ],
}
PIVOT = "<!-- table small: rows=method columns=object value=made digits=2 mean=yes -->\nold\n<!-- end -->"


@pytest.fixture
def results(tmp_path):
    (tmp_path / "small.json").write_text(json.dumps(RECORD))
    return tmp_path


def test_a_table_shows_each_value_where_it_belongs(results):
    lines = tables.fill(f"before\n{PIVOT}\nafter", results).splitlines()
    assert lines[0] == "before"
    assert lines[-1] == "after"
    assert lines[2:6] == [
        "|  | bear | cat | mean |",
        "| --- | ---: | ---: | ---: |",
        "| ours | 0.25 | 0.75 | 0.50 |",
        "| Poisson | 1.50 |  |  |",
    ]


def test_a_table_names_the_record_of_its_numbers(results):
    assert "*Record `small`, 2025-01-02, commit 0123456 on two cores.*" in tables.fill(PIVOT, results)


def test_filling_again_changes_nothing(results):
    once = tables.fill(PIVOT, results)
    assert tables.fill(once, results) == once
    assert "old" not in once


def test_a_listing_has_the_wanted_fields_of_the_wanted_rows(results):
    text = "<!-- table small: show=object,pixels only=method:poisson -->\n<!-- end -->"
    lines = tables.fill(text, results).splitlines()
    assert lines[1:4] == ["| object | pixels |", "| --- | ---: |", "| bear | 41,512 |"]


def test_a_table_may_show_another_list_of_the_record(tmp_path):
    record = {**RECORD, "summary": [{"object": "all", "made": 0.5}]}
    (tmp_path / "small.json").write_text(json.dumps(record))
    text = "<!-- table small: from=summary show=object,made digits=1 -->\n<!-- end -->"
    assert tables.fill(text, tmp_path).splitlines()[3] == "| all | 0.5 |"


def test_a_method_has_the_same_name_in_all_tables(tmp_path):
    rows = [{"object": "bear", "method": name, "made": 0.5} for name in ("graduated", "default")]
    (tmp_path / "small.json").write_text(json.dumps({**RECORD, "rows": rows}))
    listed = "<!-- table small: show=object,method -->\n<!-- end -->"
    turned = "<!-- table small: rows=object columns=method value=made digits=1 -->\n<!-- end -->"
    assert tables.fill(listed, tmp_path).splitlines()[3:5] == ["| bear | crevasse |", "| bear | crevasse |"]
    assert tables.fill(turned, tmp_path).splitlines()[1] == "|  | crevasse | crevasse |"


def test_without_a_record_the_page_says_so(tmp_path):
    assert tables.NOTHING in tables.fill(PIVOT, tmp_path)


@pytest.mark.parametrize("page", tables.pages(), ids=lambda page: page.name)
def test_the_tables_of_the_pages_are_made_from_the_newest_records(page):
    text = page.read_text("utf-8")
    assert tables.fill(text) == text, "run: python benchmarks/tables.py"


def test_the_readme_is_short_and_has_a_record_for_each_table():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 120
    assert tables.NOTHING not in text


def test_the_readme_counts_the_unseen_scenes_as_the_record_does():
    rows = json.loads((tables.RESULTS / "overview.json").read_text())["rows"]
    errors = {(row["method"], row["case"]): row["made"] for row in rows if row["case"].startswith("scenes2/")}
    methods, scenes = ({key[at] for key in errors} for at in (0, 1))
    peers = {method for method in methods if not method.startswith("crevasse")}
    won = [case for case in scenes if errors["crevasse", case] < min(errors[peer, case] for peer in peers)]
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert f"closest on {len(won)} of {len(scenes)}" in text
    *others, worst = sorted(errors["auxiliary edges", case] for case in scenes)
    assert f"{worst:,.0f} px); their mean over the other {len(others)} is {fmean(others):.2f} px" in text


def test_the_readme_states_the_newest_mean_on_estimated_normals():
    sources = json.loads((tables.RESULTS / "real.json").read_text())["summary"]
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert f"their mean is {fmean(row['graduated'] for row in sources):.2f} mm (record `real`)" in text


def test_a_record_names_the_other_record_that_fills_its_gaps():
    record = {"name": "one", "created": "2026-11-19", "commit": "abc", "also": "record `two`, 2026-11-18"}
    assert tables.origin(record) == "*Record `one`, 2026-11-19, commit abc; record `two`, 2026-11-18.*"
    assert tables.origin(record | {"also": ""}) == "*Record `one`, 2026-11-19, commit abc.*"
