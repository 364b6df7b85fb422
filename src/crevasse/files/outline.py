"""Which frames the outline of a map allows: a silhouette faces outwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crevasse.files.frames import Frame, is_conventional, names_of
from crevasse.files.silhouettes import Silhouette

Array = NDArray[np.float64]

GRAZING, GRAZING_SHARE, GRAZING_PIXELS = 0.4, 0.3, 40
"""Edge pixels seen at less than this cosine are silhouette; fewer than this share or number say nothing."""
OUTWARD, OTHERS = 0.6, 0.35
"""Mean cosine between normals and the outward direction that the right frame has, and that no other may have."""
BACK, BACK_SHARE, TILT = -0.08, 0.02, 0.13
"""A silhouette of which this share is seen from behind, more on one side than on the other, is tilted."""
SLOPING, SLOPING_SHARE, SLOPING_PIXELS = 0.75, 0.6, 100
"""The same for an edge that slopes outwards without grazing. Photometric stereo smooths silhouettes: at this cosine
the right frame of 18 such maps has a mean of .72 or more, no other one more than .31."""


def judge_outline(edge: Silhouette, frames: list[Frame]) -> tuple[list[Frame], bool, str]:
    """The frames whose silhouette faces outwards, whether the normals are tilted, and a sentence on it."""
    cosines = np.array([edge.cosines(frame) for frame in frames])
    grazing = np.abs(cosines) < GRAZING
    count = int(grazing.sum(axis=1).max(initial=0))
    if count < GRAZING_PIXELS or count < GRAZING_SHARE * len(edge.normals):
        return _judge_slope(edge, frames, cosines)
    scores = _scores(edge, frames, grazing, count)
    best = int(np.argmax(scores))
    if scores[best] < OUTWARD:
        return list(frames), False, "The normals along the silhouette do not face outwards in any frame."
    kept = [frame for frame, score in zip(frames, scores, strict=True) if score > OTHERS]
    behind = float(np.mean(cosines[best] < BACK))
    if behind > BACK_SHARE and _tilt(edge, cosines[best]) > TILT:
        text = f"{behind:.0%} of the silhouette would be seen from behind, on one side: normals of a tilted frame."
        return kept, True, text
    return kept, False, f"Read as {names_of(kept)}, the silhouette faces outwards (mean cosine {scores[best]:.2f})."


def _judge_slope(edge: Silhouette, frames: list[Frame], cosines: Array) -> tuple[list[Frame], bool, str]:
    """The same for an edge that slopes outwards without grazing, as noisy or smoothed silhouettes do.

    A bowl slopes inwards all around, so only a conventional frame is believed.
    """
    nothing = "The mask's edge is not a silhouette, so it does not say which way is out."
    sloping = np.abs(cosines) < SLOPING
    count = int(sloping.sum(axis=1).max(initial=0))
    if count < SLOPING_PIXELS or count < SLOPING_SHARE * len(edge.normals):
        return list(frames), False, nothing
    scores = _scores(edge, frames, sloping, count)
    best = frames[int(np.argmax(scores))]
    kept = [frame for frame, score in zip(frames, scores, strict=True) if score > OTHERS]
    if scores.max() < OUTWARD or kept != [best] or not is_conventional(best):
        return list(frames), False, nothing
    return kept, False, f"Read as {best.name}, the mask's edge slopes outwards (mean cosine {scores.max():.2f})."


def _scores(edge: Silhouette, frames: list[Frame], used: NDArray[np.bool_], count: int) -> Array:
    """Mean cosines between normals and the outward direction, over the pixels (8, N) that each frame uses."""
    return np.array([_outwardness(edge, frame, seen).sum() / count for frame, seen in zip(frames, used, strict=True)])


def _tilt(edge: Silhouette, cosines: Array) -> float:
    """How much the cosines along the silhouette grow towards one side of the image."""
    near = np.abs(cosines) < 1.5 * GRAZING
    sides = np.column_stack([edge.outward[near], np.ones(np.count_nonzero(near))])
    slope = np.linalg.lstsq(sides, cosines[near], rcond=None)[0]
    return float(np.hypot(slope[0], slope[1]))


def _outwardness(edge: Silhouette, frame: Frame, grazing: NDArray[np.bool_]) -> Array:
    """Cosines between the image directions of the normals and the outward direction."""
    across = frame.apply(edge.normals[grazing])[:, :2]
    lengths = np.sqrt(np.square(across).sum(axis=-1))
    dots: Array = (across * edge.outward[grazing]).sum(axis=-1) / np.where(lengths > 0, lengths, 1.0)
    return dots
