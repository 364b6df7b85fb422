"""Checks of a map that was read: its frame, its encoding, and what to tell the user about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from crevasse.files.decode import from_srgb
from crevasse.files.detect import Detection, detect_frame
from crevasse.files.frames import Frame
from crevasse.files.normal_map import NormalMap

UNIT_TOLERANCE = 0.1
SAMPLE = 200_000
"""As many pixels are enough to judge by."""
SRGB_RATIO = 0.3
"""The sRGB curve is blamed when undoing it leaves this share of the deviation from unit length, or less."""


def detect(found: NormalMap) -> Detection:
    """What the data say about the frame of a map, whatever frame it was read in."""
    return detect_frame(found.decoded.vectors, found.mask, found.camera, found.bits)


def settle_frame(found: NormalMap, requested: str | None) -> tuple[NormalMap, Detection]:
    """The map in the requested frame, with warnings about it; only "auto" lets the data choose.

    Parameters
    ----------
    requested : None is OpenGL, checked; "auto" is what the data show, where they are sure
    """
    detection = detect(found)
    if requested != "auto":
        return add_warnings(found, frame_warnings(detection, found.frame)), detection
    if not detection.sure or detection.detected == "world":
        text = "The data do not tell the frame for sure; the map was read as opengl."
        return add_warnings(found, [text, *frame_warnings(detection, "opengl")]), detection
    frame = Frame.parse(detection.detected)
    turned = replace(found, normals=frame.apply(found.decoded.vectors) * found.mask[..., None], frame=frame.name)
    if frame.name == "opengl":
        return turned, detection
    text = f"The data show the frame {frame.name}, and the map was read so; pass --frame {frame.name} to fix it."
    return add_warnings(turned, [text]), detection


def frame_warnings(detection: Detection, used: str) -> list[str]:
    """What to tell someone who reads a map in the frame `used`."""
    if detection.detected == "world":
        return ["These look like world-space normals; no --frame mends that: export camera-space normals."]
    if detection.sure and detection.detected != used:
        return [
            f"The map looks like {detection.detected}, but was read as {used}: pass --frame {detection.detected} "
            "(crevasse info shows why)."
        ]
    if detection.fits and used not in detection.fits and not detection.sure:
        options = " or ".join(f"--frame {name}" for name in detection.fits)
        return [f"Read as {used}, the map is no possible surface; try {options} (crevasse info shows why)."]
    return []


def add_warnings(found: NormalMap, sentences: list[str]) -> NormalMap:
    """The map with more to tell."""
    return replace(found, warnings=(*found.warnings, *sentences))


def encoding_warnings(found: NormalMap) -> list[str]:
    """What is odd about the numbers in the file."""
    if found.pixels.values.dtype.kind not in "iu":
        return []
    warnings = []
    off = np.abs(found.decoded.lengths[found.mask] - 1)
    typical = float(np.median(off))
    if typical > 0.03 and found.pixels.values.shape[2] == 3 and not found.srgb:
        inside = found.pixels.values[found.mask]
        undone = from_srgb(inside[:: len(inside) // SAMPLE + 1])
        lengths = np.sqrt(np.square(undone).sum(axis=-1))
        if float(np.median(np.abs(lengths - 1))) < SRGB_RATIO * typical:
            return ["The colours went through the sRGB curve, which bends normals: pass --srgb to undo it."]
    share = float(np.mean(off > UNIT_TOLERANCE))
    if share > 0.05:
        warnings.append(
            f"{share:.0%} of the normals are not of unit length: the map was resized, compressed or painted on."
        )
    return warnings + _depth_warnings(found)


def _depth_warnings(found: NormalMap) -> list[str]:
    """Whether 16 bits hold what 8 would."""
    values = found.pixels.values
    if found.bits != 16 or values.dtype.itemsize != 2:
        return []
    inside = values[found.mask]
    if not ((inside % 257 == 0).all() or (inside & 255 == 0).all()) or len(np.unique(inside)) < 2:
        return []
    return ["The 16-bit file holds 8-bit values: export it again with 16 bits if you can."]
