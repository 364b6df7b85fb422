"""Check the frame, encoding and camera of a map, and warn about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Perspective
from crevasse.files.decode import from_srgb
from crevasse.files.detect import Detection, detect_frame
from crevasse.files.frames import Frame, is_conventional
from crevasse.files.normal_map import NormalMap
from crevasse.notices import Notice, Setting

UNIT_TOLERANCE = 0.1
FOCAL_RANGE = (0.2, 50.0)
"""Plausible focal lengths, relative to the longer side of the map: fields of view from 136 down to 1 degree."""
LARGEST_ANISOTROPY = 2.0
"""Ratio of fx and fy above which one of them is wrong."""
SAMPLE = 200_000
"""Number of pixels sampled for the decision."""
SRGB_RATIO = 0.3
"""The sRGB curve is reported if undoing it leaves at most this share of the deviation from unit length."""


def detect(found: NormalMap) -> Detection:
    """Evidence on the frame of a map, independent of the frame it was read in."""
    detection = detect_frame(found.decoded.vectors, found.mask, found.camera, found.bits)
    if detection.detected == "world" and camera_warnings(found):
        doubt = "They are world-space normals, or the camera's rays are wrong: check the camera first."
        return Detection("undecided", False, (detection.evidence[0], doubt))
    return detection


def settle_frame(found: NormalMap, requested: str) -> tuple[NormalMap, Detection]:
    """The map in the requested frame with warnings, and the evidence on its frame.

    Parameters
    ----------
    requested : a frame; or "auto", which is the frame that the data show where they are sure, else OpenGL
    """
    detection = detect(found)
    if requested != "auto":
        return add_warnings(found, frame_warnings(detection, found.frame)), detection
    if not detection.sure or detection.detected == "world":
        warnings = frame_warnings(detection, found.frame)
        return add_warnings(
            found, warnings or [f"The frame cannot be determined from the data; the map was read as {found.frame}."]
        ), detection
    frame = Frame.parse(detection.detected)
    if frame.name == found.frame:
        return found, detection
    normals = frame.apply(found.decoded.vectors)
    normals[~found.mask] = 0.0
    turned = replace(found, normals=normals, frame=frame.name)
    shown = f"The data indicate the frame {frame.name}, which was used."
    notice = Notice(shown, Setting("frame", "opengl"), do="{} if that is wrong")
    return add_warnings(turned, [notice]), detection


def frame_warnings(detection: Detection, used: str) -> list[str]:
    """Warnings for a map that is read in the frame `used`."""
    if detection.detected == "world":
        return [
            Notice(
                "These look like world-space normals, which no choice of frame can fix.",
                cure="export camera-space normals",
            )
        ]
    if detection.sure and detection.detected != used:
        return [
            Notice(
                f"The map looks like {detection.detected}, but was read as {used}.",
                Setting("frame", detection.detected),
            )
        ]
    if detection.fits and used not in detection.fits and not detection.sure:
        # Curl alone does not justify a frame that no common exporter writes: jumps have curl, too.
        fitting = [Setting("frame", name) for name in detection.fits if is_conventional(Frame.parse(name))]
        if fitting:
            return [Notice(f"Read as {used}, the map is not the normal map of any surface.", *fitting)]
        found = f"Read as {used}, the slopes have much curl: the surface has many jumps, or the frame is wrong."
        return [Notice(found, cure="check the frame if the relief looks wrong")]
    return []


def add_warnings(found: NormalMap, sentences: list[str]) -> NormalMap:
    """The map with more warnings."""
    return replace(found, warnings=(*found.warnings, *sentences))


def encoding_warnings(found: NormalMap) -> list[str]:
    """Warnings about the numbers in the file."""
    if found.pixels.values.dtype.kind not in "iu":
        return []
    warnings = []
    places = np.flatnonzero(found.mask)
    places = places[:: len(places) // SAMPLE + 1]
    off = np.abs(found.decoded.lengths.ravel()[places] - 1)
    typical = float(np.median(off))
    if typical > 0.03 and found.pixels.values.shape[2] == 3 and not found.srgb:
        undone = from_srgb(found.pixels.values.reshape(-1, 3)[places])
        lengths = np.sqrt(np.square(undone).sum(axis=-1))
        if float(np.median(np.abs(lengths - 1))) < SRGB_RATIO * typical:
            return [
                Notice(
                    "The colours were sRGB-encoded, which distorts normals.",
                    Setting("srgb", True),
                    do="{} to undo it",
                    cure="export the map without it",
                )
            ]
    share = float(np.mean(off > UNIT_TOLERANCE))
    if share > 0.05:
        warnings.append(
            f"{share:.0%} of the normals are not of unit length: the map was resized, compressed or painted on."
        )
    return warnings + _depth_warnings(found, places)


def camera_warnings(found: NormalMap) -> list[str]:
    """Warnings about an implausible camera."""
    camera = found.camera
    if not isinstance(camera, Perspective):
        return []
    height, width = found.shape
    warnings = []
    share = camera.fx / max(height, width)
    if not FOCAL_RANGE[0] <= share <= FOCAL_RANGE[1]:
        warnings.append(
            f"The focal length of {camera.fx:g} pixels is implausible for {width} x {height} pixels: K may be for "
            "another size, in mm, or normalised."
        )
    if not 1 / LARGEST_ANISOTROPY < camera.fx / camera.fy < LARGEST_ANISOTROPY:
        warnings.append(f"fx = {camera.fx:g} and fy = {camera.fy:g} differ implausibly: check K.")
    if not (-width / 2 < camera.cx < 1.5 * width and -height / 2 < camera.cy < 1.5 * height):
        warnings.append(
            f"The principal point ({camera.cx:g}, {camera.cy:g}) lies far outside the map of {width} x {height} "
            "pixels: K may be for another image or a crop."
        )
    elif _looks_swapped(camera.cx, camera.cy, height, width):
        warnings.append(
            f"The principal point ({camera.cx:g}, {camera.cy:g}) would be the middle if rows and columns were "
            "swapped: check that K is (cx, cy), column first."
        )
    return warnings


def _looks_swapped(cx: float, cy: float, height: int, width: int) -> bool:
    """Whether (cx, cy) is the middle of the transposed map but not of the map itself."""
    if abs(height - width) < 0.1 * max(height, width):
        return False
    off = abs(cx - height / 2) + abs(cy - width / 2)
    return off < 0.02 * max(height, width)


def _depth_warnings(found: NormalMap, places: NDArray[np.intp]) -> list[str]:
    """Whether a 16-bit file holds only 8-bit values."""
    values = found.pixels.values
    if found.bits != 16 or values.dtype.itemsize != 2:
        return []
    # A few pixels clear most maps; the rest are read only if all of these hold 8-bit values.
    if not _holds_bytes(values.reshape(-1, values.shape[2])[places]):
        return []
    inside = values[found.mask]
    if not _holds_bytes(inside) or len(np.unique(inside)) < 2:
        return []
    return ["The 16-bit file holds 8-bit values: export it again with 16 bits if you can."]


def _holds_bytes(values: NDArray[np.uint16]) -> bool:
    return bool((values % 257 == 0).all() or (values & 255 == 0).all())
