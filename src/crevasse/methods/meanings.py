"""What the settings of a method mean, as its docstring says it: written once, shown by every face."""

from __future__ import annotations

import re
from typing import Any


def setting_meanings(method: type[Any]) -> dict[str, str]:
    """The lines `name : meaning` of the Attributes section of a method's docstring, continued lines joined."""
    meanings: dict[str, str] = {}
    names: list[str] = []
    for line in (method.__doc__ or "").partition("Attributes")[2].splitlines():
        match = re.match(r"\s{4}(\w[\w, ]*?) : (.*)", line)
        if match:
            names = [name.strip() for name in match[1].split(",")]
            meanings |= {name: match[2].strip() for name in names}
        elif names and line.startswith(" " * 8):
            meanings |= {name: f"{meanings[name]} {line.strip()}" for name in names}
        elif not line.strip():
            names = []
    return meanings
