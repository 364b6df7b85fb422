"""Give surfaces a unit of length by what the user knows: the size of a pixel, a distance, or a known length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crevasse.cameras import Orthographic
from crevasse.notices import Notice, Setting
from crevasse.result import Integration
from crevasse.web.notice_messages import Measure


@dataclass(frozen=True)
class Scale:
    """How large things are, in millimetres; at most one of the three is known.

    Attributes
    ----------
    pixel_size : side of a pixel on the surface, for parallel rays
    distance : from the camera to the middle of the object, for a perspective camera
    ruler : row, column, row, column of two pixels, and their distance in space
    """

    pixel_size: float | None = None
    distance: float | None = None
    ruler: tuple[float, ...] | None = None

    @classmethod
    def read(cls, message: dict[str, Any] | None) -> Scale:
        """The scale that a page sends."""
        given = {name: value for name, value in (message or {}).items() if value is not None}
        if len(given) > 1:
            raise ValueError("the scale is given in several ways; keep one of them")
        ruler = given.get("ruler")
        return cls(given.get("pixel_size"), given.get("distance"), None if ruler is None else tuple(ruler))

    def apply(self, result: Integration) -> Integration:
        """The result in millimetres; as it is where no scale is known."""
        if self.pixel_size is not None:
            if not isinstance(result.camera, Orthographic):
                found = "a pixel size belongs to an orthographic camera"
                raise ValueError(Notice(found, Setting("distance"), cure="measure a length"))
            return result.scaled(self.pixel_size / result.camera.pixel_size, "mm")
        if self.distance is not None:
            return result.at_distance(self.distance)
        return result if self.ruler is None else result.measured(self.ruler)

    def measure(self, result: Integration) -> Measure:
        """What the page multiplies depths of the unscaled result by, and their unit then."""
        scaled = self.apply(result)
        return Measure(factor=scaled.footprint / result.footprint, unit=scaled.unit_name)
