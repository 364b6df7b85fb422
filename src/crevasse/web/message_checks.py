"""What a page may send: the fields of its messages and their types."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < 1e15 if isinstance(value, int) else math.isfinite(value)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(entry, str | int | float | bool) for entry in value.values())


def _is_list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(check(entry) for entry in value)


def _is_options(value: Any) -> bool:
    words = ("frame", "encoding")
    if not isinstance(value, dict) or not all(isinstance(value.get(name, ""), str) for name in words):
        return False
    camera = value.get("camera") or {}
    numbers = ("pixel_size", "degrees", "pixels", "millimetres", "sensor_width")
    return _is_table(camera) and all(_is_number(camera[name]) for name in numbers if name in camera)


def _is_stroke(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("tool"), str)
        and _is_number(value.get("radius", 0))
        and _is_list_of(lambda point: isinstance(point, list) and all(map(_is_number, point)))(value.get("points"))
    )


def _is_scale(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    ruler = value.get("ruler")
    return all(value.get(name) is None or _is_number(value[name]) for name in ("pixel_size", "distance")) and (
        ruler is None or (_is_list_of(_is_number)(ruler) and len(ruler) == 5)
    )


FIELDS: Mapping[str, tuple[Check, str]] = {
    "kind": (_is_text, "a text"),
    "side": (_is_number, "a number"),
    "example": (_is_text, "a text"),
    "preloaded": (lambda value: isinstance(value, bool), "true or false"),
    "without": (_is_list_of(_is_text), "a list of roles"),
    "options": (_is_options, "a frame, a camera and an encoding"),
    "scale": (_is_scale, "a pixel size, a distance or a ruler"),
    "method": (_is_text, "a text"),
    "settings": (_is_table, "numbers and switches by name"),
    "strokes": (_is_list_of(_is_stroke), "a list of strokes"),
    "result": (_is_text, "a text"),
    "normals": (lambda value: isinstance(value, bool), "true or false"),
    "label": (_is_number, "a number"),
    "pixels": (_is_number, "a number"),
}
"""By field, what it must hold; null stands for a field that is left out."""


def check_message(message: Mapping[str, Any]) -> None:
    """Refuse a message with a field of the wrong type; what is not a field of any message is passed over."""
    for name, (check, meaning) in FIELDS.items():
        value = message.get(name)
        if value is not None and not check(value):
            raise ValueError(f"{name} is {value!r:.40}; it must be {meaning}")
