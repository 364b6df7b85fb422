"""Choose the methods to compare, given as names, objects or both, with titles and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from crevasse.arguments import check_method
from crevasse.files.names import plain_text
from crevasse.methods import METHODS, Method
from crevasse.methods.registry import make

Methods = str | Method | Iterable[str | Method] | Mapping[str, str | Method]

ALL = "all"


def choose_methods(methods: Methods) -> dict[str, Method]:
    """The methods by their titles: given ones, or their names.

    >>> list(choose_methods("poisson, bilateral"))
    ['poisson', 'bilateral']
    """
    if isinstance(methods, Mapping):
        chosen = {plain_text(str(title)): _object(method) for title, method in methods.items()}
    else:
        chosen = {}
        for method in map(_object, _listed(methods)):
            title = _free_title(method, chosen)
            chosen[title] = method
    if not chosen:
        raise ValueError(f"methods is empty; give {ALL!r}, or some of {', '.join(METHODS)}")
    return chosen


def _listed(methods: Any) -> list[str | Method]:
    """The methods one by one."""
    if isinstance(methods, str):
        names = [name.strip() for name in methods.split(",") if name.strip()]
        return list(dict.fromkeys(found for name in names for found in (METHODS if name == ALL else [name])))
    return list(methods) if isinstance(methods, Iterable) else [methods]


def _object(method: str | Method) -> Method:
    made: Method = make(method) if isinstance(method, str) else check_method(method)
    return made


def _free_title(method: Method, taken: Mapping[str, Method]) -> str:
    """The method's name; for a second method of that name, with the settings in which it differs."""
    name = str(getattr(method, "name", type(method).__name__))
    if name not in taken:
        return name
    title = " ".join([name, *_changes(method)])
    if title in taken:
        raise ValueError(f"{title} is given twice; give each method once, or titles: {{title: method}}")
    return title


def _changes(method: Any) -> list[str]:
    """The settings that differ from their defaults."""
    plain = [(field, getattr(method, field.name)) for field in fields(method)]
    return [f"{field.name}={value}" for field, value in plain if value != field.default]
