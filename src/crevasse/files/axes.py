"""Axes of written meshes."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Axes:
    """The file's x, y and z in terms of the camera frame (x right, y down, z forward).

    Attributes
    ----------
    order : which component of the camera frame each axis of the file is
    signs : and whether it is negated

    >>> Axes.parse("opengl").apply(np.array([1.0, 2.0, 3.0]))
    array([ 1., -2., -3.])
    """

    order: tuple[int, int, int] = (0, 1, 2)
    signs: tuple[int, int, int] = (1, 1, 1)

    @classmethod
    def parse(cls, text: str) -> Axes:
        """Axes by name, or spelled out: "x,-y,-z" has y up and z towards the viewer."""
        if text.lower() in AXES:
            return AXES[text.lower()]
        words = re.fullmatch(r"\s*([+-]?)([xyz])\s*,\s*([+-]?)([xyz])\s*,\s*([+-]?)([xyz])\s*", text.lower())
        if words is None or len({words[2], words[4], words[6]}) != 3:
            raise ValueError(
                f"{text!r} names no axes; give {', '.join(AXES)}, or three signed axes of the camera frame (x right, "
                "y down, z forward) such as x,-y,-z"
            )
        order = tuple("xyz".index(words[k]) for k in (2, 4, 6))
        signs = tuple(-1 if words[k] == "-" else 1 for k in (1, 3, 5))
        return cls(order, signs)  # type: ignore[arg-type]

    @property
    def mirrored(self) -> bool:
        """Whether the axes mirror the mesh, so that the winding of faces must be reversed."""
        matrix = np.zeros((3, 3))
        matrix[range(3), self.order] = self.signs
        return float(np.linalg.det(matrix)) < 0

    def apply(self, vectors: Array) -> Array:
        """Vectors (..., 3) of the camera frame, in the axes of the file."""
        turned: Array = vectors[..., list(self.order)] * np.array(self.signs, float)
        return turned

    def describe(self) -> str:
        """Which axes of the file point right, up and to the viewer, for its comment."""
        names = {}
        for axis, (component, sign) in enumerate(zip(self.order, self.signs, strict=True)):
            names[component] = (sign, "xyz"[axis])
        right, down, forward = (names[k] for k in range(3))
        flip = {1: "-", -1: ""}
        plain = {1: "", -1: "-"}
        return (
            f"{plain[right[0]]}{right[1]} right, {flip[down[0]]}{down[1]} up, "
            f"{flip[forward[0]]}{forward[1]} towards the viewer"
        )


AXES = {
    "opengl": Axes(signs=(1, -1, -1)),
    "meshlab": Axes(signs=(1, -1, -1)),
    "opencv": Axes(),
    "blender": Axes((0, 2, 1), (1, 1, -1)),
}
"""opengl, meshlab: y up, z towards the viewer; opencv: y down, z forward; blender: z up, seen from the front (-y)."""


def axes_of_file(name: str, suffix: str) -> Axes:
    """Axes of a file of one kind: Blender turns OBJ files upright itself, and takes PLY and STL files as they are."""
    turned = name.lower() == "blender" and suffix.lower() == ".obj"
    return AXES["opengl"] if turned else Axes.parse(name)


def upright_in(name: str) -> str | None:
    """Which programs show PLY and STL files with these axes upright and from the front; None for other axes."""
    found = Axes.parse(name)
    if found == AXES["opengl"]:
        return "upright in MeshLab (Blender: pass --axes blender, or use GLB or OBJ)"
    if found == AXES["blender"]:
        return "upright in Blender (MeshLab: leave out --axes)"
    return None
