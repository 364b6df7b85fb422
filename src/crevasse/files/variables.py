"""Choose the array of a file that holds the map, and refuse one that does not fit into memory."""

from __future__ import annotations

from math import prod
from pathlib import Path

from crevasse.files.errors import BadInput
from crevasse.files.memory import require_memory
from crevasse.memory import reading_bytes
from crevasse.notices import Notice, Setting

_PREFERRED = {
    "normals": ("normals", "normal", "normal_map", "normal_gt", "n", "slopes", "gradient"),
    "mask": ("mask", "object_mask", "masks"),
    "weights": ("weights", "weight", "confidence"),
    "depth": ("depth_gt", "depth"),
    "hints": ("hints",),
    "photo": ("photo", "image"),
    "prior": ("depth_prior", "prior", "depth"),
}

COLOURED = ("normals", "photo")
"""What has channels."""

Shapes = dict[str, tuple[int, ...]]


def choose_variable(shapes: Shapes, role: str, layer: str | None, path: Path) -> str:
    """The variable that holds the map: by `layer`, by its name, or the only one with a fitting shape."""
    if layer is not None:
        if layer not in shapes:
            raise BadInput(f"{path} has no variable {layer!r}; it has: {', '.join(shapes) or 'none'}")
        return layer
    fitting = [name for name, shape in shapes.items() if _fits(shape, role)]
    for wanted in _PREFERRED[role]:
        for name in fitting:
            if name.lower() == wanted:
                return name
    if len(fitting) != 1:
        known = ", ".join(f"{name} {shape}" for name, shape in shapes.items()) or "nothing"
        kind = "(H, W, 3)" if role in COLOURED else "(H, W)"
        found = f"{path} has {len(fitting)} arrays of shape {kind} ({known})"
        raise BadInput(Notice(found, Setting("layer"), do="{} to choose one"))
    return fitting[0]


def _fits(shape: tuple[int, ...], role: str) -> bool:
    if role in COLOURED:
        return len(shape) == 3 and (shape[-1] in (2, 3) or shape[0] in (2, 3))
    return len(shape) in (2, 3)


def require_array_memory(shape: tuple[int, ...], item: int, limit: int | None, path: Path) -> None:
    """Refuse an array that would not fit into memory."""
    sides = [*shape, 1, 1][:2]
    samples = prod(shape) * item // max(prod(sides), 1)
    require_memory(reading_bytes((sides[0], sides[1]), max(samples, 1)), limit, f"{path} {tuple(shape)}")
