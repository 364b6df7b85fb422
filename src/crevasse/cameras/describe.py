"""Restore cameras from their descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crevasse.cameras.orthographic import Orthographic
from crevasse.cameras.perspective import Perspective
from crevasse.cameras.protocol import Camera

MODELS: dict[str, type[Orthographic] | type[Perspective]] = {
    camera.model: camera for camera in (Orthographic, Perspective)
}
"""The camera classes by the name of their model."""


def from_dict(description: Mapping[str, Any]) -> Camera:
    """Camera from a description by `Camera.to_dict`.

    >>> from_dict({"model": "orthographic", "pixel_size": 0.5})
    Orthographic(pixel_size=0.5)
    """
    parameters = dict(description)
    model = parameters.pop("model", None)
    if model not in MODELS:
        raise ValueError(f"model is {model!r:.80}; give one of {', '.join(MODELS)}")
    return MODELS[model](**parameters)
