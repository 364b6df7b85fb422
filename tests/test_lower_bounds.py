"""The lower bound of every dependency is written down, and the same in both places."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = ("mat73", "mesh", "plot", "web", "test")


def numbers(text):
    """A version as numbers without trailing zeros: 13.7 and 13.7.0 are the same."""
    parts = [int(part) for part in text.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def test_the_lowest_versions_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [
        *project["dependencies"],
        *(entry for extra in EXTRAS for entry in project["optional-dependencies"][extra]),
    ]
    others = [entry for entry in named if not entry.startswith("crevasse[")]
    bounds = dict(re.fullmatch(r"([\w-]+)>=([\d.]+)", entry).groups() for entry in others)
    lines = [line for line in (ROOT / "constraints" / "lowest.txt").read_text().splitlines() if line[:1] != "#"]
    pins = dict(line.split("==") for line in lines)
    assert {name: numbers(version) for name, version in bounds.items()} == {
        name: numbers(version) for name, version in pins.items()
    }


def test_the_build_of_the_page_is_locked():
    assert '"integrity": "sha512-' in (ROOT / "web" / "package-lock.json").read_text()
