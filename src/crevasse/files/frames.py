"""Frames: which way the axes of a file's vectors point, and how to turn them into OpenGL's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Frame:
    """Right, up and towards the viewer in terms of a file's vectors.

    Attributes
    ----------
    order : which component of the file's vector points along right, up, towards the viewer
    signs : and whether it is negated

    >>> Frame.parse("directx").apply(np.array([0.1, 0.2, 0.97]))
    array([ 0.1 , -0.2 ,  0.97])
    """

    order: tuple[int, int, int] = (0, 1, 2)
    signs: tuple[int, int, int] = (1, 1, 1)

    @classmethod
    def parse(cls, text: str) -> Frame:
        """A frame by its name, or spelled out: "-x,y,z" is right = -x, up = y, viewer = z."""
        if text.lower() in NAMED:
            return NAMED[text.lower()]
        match = re.fullmatch(r"\s*([+-]?)([xyz])\s*,?\s*([+-]?)([xyz])\s*,?\s*([+-]?)([xyz])\s*", text.lower())
        if match is None or len({match[2], match[4], match[6]}) != 3:
            raise ValueError(
                f"{text!r} is not a frame; give {', '.join(NAMED)}, auto, or three signed axes such as -x,y,z"
            )
        order = tuple("xyz".index(match[k]) for k in (2, 4, 6))
        signs = tuple(-1 if match[k] == "-" else 1 for k in (1, 3, 5))
        return cls(order, signs)  # type: ignore[arg-type]

    @property
    def name(self) -> str:
        """The frame's name, or its spelled out form; `parse` understands both."""
        for name, frame in NAMED.items():
            if frame == self:
                return name
        return ",".join("-" * (s < 0) + "xyz"[k] for k, s in zip(self.order, self.signs, strict=True))

    def apply(self, vectors: Array) -> Array:
        """Vectors (..., 3) of this frame in OpenGL's."""
        turned = np.empty(vectors.shape)
        for k, (axis, sign) in enumerate(zip(self.order, self.signs, strict=True)):
            np.multiply(vectors[..., axis], float(sign), out=turned[..., k])
        return turned


NAMED = {
    "opengl": Frame(),
    "directx": Frame(signs=(1, -1, 1)),
    "opencv": Frame(signs=(1, -1, -1)),
}
"""OpenGL: y up, z to the viewer; DirectX: y down; OpenCV: y down, z away from the viewer."""


def is_conventional(frame: Frame) -> bool:
    """Whether x is the first component and points right, as every common exporter has it."""
    return frame.order == (0, 1, 2) and frame.signs[0] > 0


def opposite(frame: Frame) -> Frame:
    """The frame that turns bumps into dents: x and y negated."""
    x, y, z = frame.signs
    return Frame(frame.order, (-x, -y, z))


def names_of(frames: Iterable[Frame]) -> str:
    """Names of frames, as a choice."""
    return " or ".join(frame.name for frame in frames)
