"""Check the options that say how large things are."""

from __future__ import annotations

from typing import Any

from crevasse.notices import Notice, Setting


def check_scale(settings: dict[str, Any]) -> None:
    """Refuse a scale that is given twice, and a ruler of no length."""
    given = [name for name in ("pixel_size", "distance", "ruler") if settings.get(name) is not None]
    if len(given) > 1:
        raise ValueError(Notice("the scale is given in several ways", *map(Setting, given), do="{}, not both"))
    ruler = settings.get("ruler")
    if ruler is not None and not ruler[4] > 0:
        raise ValueError(f"the length of the ruler is {ruler[4]:g} mm; give a positive one")
