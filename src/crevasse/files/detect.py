"""Which frame a map is in: what the evidence says, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.evidence import Curl, Silhouette, flips, measure_curl, measure_facing, trace_silhouette
from crevasse.files.frames import Frame
from crevasse.validate import bounding_window

Array = NDArray[np.float64]

FACING = 0.9
"""Share of normals that face the viewer from which the map is taken to be in the camera's frame."""
HIDDEN = 0.05
"""Share of normals that may face away in one reading more than in another before it is impossible."""
FILLED = 0.9
"""Share of the image from which a map without a camera may be an interior seen by a wide lens."""
LARGEST_CURL = 0.3
"""Curl, as a share of all derivatives, above which no frame counts as curl-free."""
CURL_RATIO, CURL_VOTES, CURL_TILES = 0.55, 0.85, 12
"""A frame beats another when its curl is this much smaller, in this share of at least so many tiles."""
SIGN_RATIO, SIGN_VOTES = 0.3, 0.9
"""The same for a frame against its opposite, which only perspective tells apart."""
SMOOTH = 0.05
"""Share of a map that must bend smoothly: less is what noise gives by chance."""
GRAZING, GRAZING_SHARE, GRAZING_PIXELS = 0.4, 0.3, 40
"""Edge pixels seen at less than this cosine are silhouette; fewer than this share or number say nothing."""
OUTWARD, OTHERS = 0.6, 0.35
"""Mean cosine between normals and the outward direction that the right frame has, and that no other may have."""
BACK, BACK_SHARE, TILT = -0.08, 0.02, 0.13
"""A silhouette of which this share is seen from behind, more on one side than on the other, is tilted."""


@dataclass(frozen=True)
class Detection:
    """What was found out about a map's frame.

    Attributes
    ----------
    detected : a frame's name, "world", or "undecided"
    sure : whether the evidence leaves no other frame
    evidence : sentences
    fits : the frames that the evidence leaves, where it leaves several
    """

    detected: str
    sure: bool
    evidence: tuple[str, ...]
    fits: tuple[str, ...] = ()


def detect_frame(
    vectors: Array, mask: NDArray[np.bool_], camera: Orthographic | Perspective, bits: int = 16
) -> Detection:
    """Find the frame of a file's unit vectors (H, W, 3), by physics alone.

    The right frame is the one whose gradient field is closest to curl-free and whose silhouette faces outwards.
    """
    seen = measure_facing(vectors, mask, camera, [*flips(1), *flips(-1)])
    share = float(seen.max())
    if share < FACING:
        return _both_ways(1 - share, isinstance(camera, Perspective) or float(mask.mean()) < FILLED)
    sign = 1 if seen[:8].max() >= seen[8:].max() else -1
    frames, seen = flips(sign), seen[:8] if sign > 0 else seen[8:]
    evidence = [
        f"{share:.0%} of the normals face the viewer when z points {'towards' if sign > 0 else 'away from'} them."
    ]
    rows, columns = bounding_window(mask)
    window, inside = vectors[rows, columns], mask[rows, columns]
    curls = measure_curl(window, inside, camera.cropped(rows.start, columns.start), frames)
    left, sentences = _judge_curl(curls, frames, bits)
    evidence += sentences
    outward, tilted, sentence = _judge_silhouette(trace_silhouette(vectors, mask, camera), frames)
    evidence.append(sentence)
    visible = [frame for frame, each in zip(frames, seen, strict=True) if each > share - HIDDEN]
    if len(visible) < len(frames):
        evidence.append(f"Along the camera's rays, only {_names(visible)} leaves the surface facing the viewer.")
    both = [frame for frame in left if frame in outward and frame in visible]
    if not both:
        evidence.append("The two contradict each other: the axes may be mixed in a way that no flip mends.")
        return Detection("undecided", False, tuple(evidence))
    if tilted:
        return Detection("undecided", False, tuple(evidence))
    if len(both) == 1 and set(left) <= {both[0], opposite(both[0])}:
        return Detection(both[0].name, True, tuple(evidence))
    usual = [frame for frame in both if is_conventional(frame)]
    if len(usual) == 1 and len(both) < len(frames):
        others = [frame for frame in both if frame != usual[0]]
        evidence.append(f"{_names(others)} would fit as well, but nobody writes maps like that.")
        return Detection(usual[0].name, True, tuple(evidence))
    names = tuple(frame.name for frame in both)
    return Detection("undecided", False, tuple(evidence), names if len(both) < len(frames) else ())


def _both_ways(share: float, rays_known: bool) -> Detection:
    """Normals on both sides: not in the camera's frame, or not normals, or seen by a wide lens that was not given."""
    sentence = f"{share:.0%} of the normals face away from the viewer, however the axes are flipped."
    if not rays_known:
        why = "The normals are in another frame than the camera's, or a wide-angle lens saw them: give the camera."
    elif share > 0.2:
        return Detection("world", True, (sentence, "No camera sees that: these are world-space normals."))
    else:
        why = "The normals may be in another frame than the camera's."
    return Detection("undecided", False, (sentence, why))


def is_conventional(frame: Frame) -> bool:
    """Whether x is the first component and points right, as every common exporter has it."""
    return frame.order == (0, 1, 2) and frame.signs[0] > 0


def _judge_curl(curls: list[Curl], frames: list[Frame], bits: int) -> tuple[list[Frame], list[str]]:
    """The frames that the curl leaves, and sentences on it."""
    floor = 6.0 / (1 << min(bits, 16))
    left, said = list(frames), ""
    for curl in curls:
        blocks = curl.rise > floor
        if np.count_nonzero(blocks) < CURL_TILES or curl.smooth < SMOOTH:
            continue
        tiles, rise = curl.tiles[:, blocks], curl.rise[blocks]
        shares = tiles.sum(axis=1) / rise.sum()
        best = int(np.argmin(shares))
        if shares[best] > LARGEST_CURL:
            continue
        kept = [k for k in range(len(frames)) if not _beats(tiles, best, k, opposite(frames[best]) == frames[k])]
        left = [frame for k, frame in enumerate(frames) if k in kept and frame in left]
        if not said:
            others = [shares[k] for k in range(len(frames)) if k not in kept]
            said = (
                f"Read as {_names(frames[k] for k in kept)}, the gradient field is curl-free up to {shares[best]:.1%}"
                + (
                    f"; the other ways leave {min(others):.0%} or more."
                    if others
                    else "; so it is in every other way."
                )
            )
    return left, [said or "The surface bends too little, or too roughly, for its curl to tell the frames apart."]


def _beats(tiles: Array, best: int, other: int, is_opposite: bool) -> bool:
    """Whether the curl of one frame is smaller than another's beyond doubt."""
    if best == other:
        return False
    ratio, votes = (SIGN_RATIO, SIGN_VOTES) if is_opposite else (CURL_RATIO, CURL_VOTES)
    smaller = tiles[best].sum() < ratio * tiles[other].sum()
    return bool(smaller and np.mean(tiles[best] < tiles[other]) > votes)


def _judge_silhouette(edge: Silhouette, frames: list[Frame]) -> tuple[list[Frame], bool, str]:
    """The frames whose silhouette faces outwards, whether the normals are tilted, and a sentence on it."""
    cosines = np.array([edge.cosines(frame) for frame in frames])
    grazing = np.abs(cosines) < GRAZING
    count = int(grazing.sum(axis=1).max(initial=0))
    if count < GRAZING_PIXELS or count < GRAZING_SHARE * len(edge.normals):
        return list(frames), False, "The mask's edge is not a silhouette, so it does not say which way is out."
    scores = np.array(
        [_outwardness(edge, frame, seen).sum() / count for frame, seen in zip(frames, grazing, strict=True)]
    )
    best = int(np.argmax(scores))
    if scores[best] < OUTWARD:
        return list(frames), False, "The normals along the silhouette face no common way."
    kept = [frame for frame, score in zip(frames, scores, strict=True) if score > OTHERS]
    behind = float(np.mean(cosines[best] < BACK))
    if behind > BACK_SHARE and _tilt(edge, cosines[best]) > TILT:
        text = f"{behind:.0%} of the silhouette would be seen from behind, on one side: normals of a tilted frame."
        return kept, True, text
    return kept, False, f"Read as {_names(kept)}, the silhouette faces outwards (mean cosine {scores[best]:.2f})."


def _tilt(edge: Silhouette, cosines: Array) -> float:
    """How much the cosines along the silhouette grow towards one side of the image."""
    near = np.abs(cosines) < 1.5 * GRAZING
    sides = np.column_stack([edge.outward[near], np.ones(np.count_nonzero(near))])
    slope = np.linalg.lstsq(sides, cosines[near], rcond=None)[0]
    return float(np.hypot(slope[0], slope[1]))


def _outwardness(edge: Silhouette, frame: Frame, grazing: NDArray[np.bool_]) -> Array:
    """Cosines between the image directions of the normals and of the way out."""
    across = frame.apply(edge.normals[grazing])[:, :2]
    lengths = np.sqrt(np.square(across).sum(axis=-1))
    dots: Array = (across * edge.outward[grazing]).sum(axis=-1) / np.where(lengths > 0, lengths, 1.0)
    return dots


def opposite(frame: Frame) -> Frame:
    """The frame that turns bumps into dents: x and y negated."""
    x, y, z = frame.signs
    return Frame(frame.order, (-x, -y, z))


def _names(frames: object) -> str:
    return " or ".join(frame.name for frame in frames)  # type: ignore[attr-defined]
