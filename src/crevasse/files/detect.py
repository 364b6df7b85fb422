"""Which frame a map is in: what the evidence says, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Orthographic, Perspective
from crevasse.files.evidence import Curl, flips, measure_curl, measure_facing
from crevasse.files.frames import NAMED, Frame, is_conventional, names_of, opposite
from crevasse.files.outline import judge_outline
from crevasse.files.silhouettes import trace_silhouette
from crevasse.validate import bounding_window

Array = NDArray[np.float64]

FACING = 0.9
"""Share of normals that face the viewer from which the map is taken to be in the camera's frame."""
HIDDEN = 0.05
"""A frame is ruled out if the share of normals that face away is larger than in another frame by more than this."""
FILLED = 0.9
"""Share of the image from which a map without a camera may be an interior seen by a wide lens."""
LARGEST_CURL = 0.3
"""Curl, as a share of all derivatives, above which no frame counts as curl-free."""
CURL_RATIO, CURL_VOTES, CURL_TILES = 0.55, 0.85, 12
"""A frame beats another when its curl is this much smaller, in this share of at least so many tiles."""
SIGN_RATIO, SIGN_VOTES = 0.3, 0.9
"""The same for a frame against its opposite, which only perspective tells apart."""
FLIPS = len(flips(1))
"""Frames that are compared: the ways to flip and swap x and y."""
SMOOTH = 0.05
"""Share of a map that must bend smoothly: less is what noise gives by chance."""


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
    vectors: Array,
    mask: NDArray[np.bool_],
    camera: Orthographic | Perspective,
    bits: int = 16,
    may_swap: bool = True,
) -> Detection:
    """Find the frame of a file's unit vectors (H, W, 3), by physics alone.

    The right frame is the one whose gradient field is closest to curl-free and whose silhouette faces outwards.

    Parameters
    ----------
    may_swap : whether the first and the last component may have changed places
    """
    seen = measure_facing(vectors, mask, camera, [*flips(1), *flips(-1)])
    share = float(seen.max())
    if share < FACING:
        swapped = _red_for_blue(vectors, mask, camera, bits) if may_swap else None
        return swapped or _both_ways(1 - share, isinstance(camera, Perspective) or float(mask.mean()) < FILLED)
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
    outward, tilted, sentence = judge_outline(trace_silhouette(vectors, mask, camera), frames)
    evidence.append(sentence)
    visible = [frame for frame, each in zip(frames, seen, strict=True) if each > share - HIDDEN]
    if len(visible) < len(frames):
        evidence.append(f"Along the camera's rays, only {names_of(visible)} leaves the surface facing the viewer.")
    both = [frame for frame in left if frame in outward and frame in visible]
    if not both:
        evidence.append("The two contradict each other: no flip or swap of the axes makes the map consistent.")
    if not both or tilted:
        return Detection("undecided", False, tuple(evidence))
    return _choose(both, left, outward, evidence)


def _choose(both: list[Frame], curl_free: list[Frame], outward: list[Frame], evidence: list[str]) -> Detection:
    """The frame that is left, or the conventional one of several.

    Parameters
    ----------
    both : the frames that all evidence leaves, at least one
    curl_free, outward : those that the curl leaves, and those that the silhouette leaves
    """
    # Jumps have curl, too: it alone does not show that x and y are swapped, which no common exporter does.
    certain = both[0].order == (0, 1, 2) or not any(is_conventional(each) for each in outward)
    if certain and len(both) == 1 and set(curl_free) <= {both[0], opposite(both[0])}:
        return Detection(both[0].name, True, tuple(evidence))
    usual = [frame for frame in both if is_conventional(frame)]
    if len(usual) == 1 and len(both) < FLIPS:
        others = [frame for frame in both if frame != usual[0]]
        last = f"{names_of(others)} would fit as well, but hardly any exporter writes such maps."
        return Detection(usual[0].name, True, (*evidence, last))
    names = tuple(frame.name for frame in both)
    return Detection("undecided", False, tuple(evidence), names if len(both) < FLIPS else ())


def _red_for_blue(
    vectors: Array, mask: NDArray[np.bool_], camera: Orthographic | Perspective, bits: int
) -> Detection | None:
    """Detection with the first and last components exchanged; None where that does not explain the map."""
    found = detect_frame(vectors[..., ::-1], mask, camera, bits, may_swap=False)
    if not found.sure or found.detected not in NAMED:
        return None
    inner = NAMED[found.detected]
    a, b, c = (2 - component for component in inner.order)
    sentence = "Red and blue are exchanged, as by a program that writes BGR; put back, they show a surface."
    return Detection(Frame((a, b, c), inner.signs).name, True, (sentence, *found.evidence))


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
        before, left = left, [frame for k, frame in enumerate(frames) if k in kept and frame in left]
        # The sentence is of the scale that decides most.
        if not said or len(left) < len(before):
            others = [shares[k] for k in range(len(frames)) if k not in kept]
            said = (
                f"Read as {names_of(frames[k] for k in kept)}, the gradient field is curl-free up to "
                f"{_percent(shares[best])}"
                + (
                    f"; the other ways leave {_percent(min(others))} or more."
                    if others
                    else "; read in any other way, it is so too."
                )
            )
    return left, [said or "The surface bends too little, or too roughly, for its curl to tell the frames apart."]


def _beats(tiles: Array, best: int, other: int, is_opposite: bool) -> bool:
    """Whether the curl of one frame is clearly smaller than another's."""
    if best == other:
        return False
    ratio, votes = (SIGN_RATIO, SIGN_VOTES) if is_opposite else (CURL_RATIO, CURL_VOTES)
    smaller = tiles[best].sum() < ratio * tiles[other].sum()
    return bool(smaller and np.mean(tiles[best] < tiles[other]) > votes)


def _percent(share: float) -> str:
    """A share in two digits, also where it is small.

    >>> _percent(1.4142), _percent(0.0432), _percent(2e-5), _percent(0.0)
    ('141%', '4.3%', '0.002%', '0%')
    """
    return f"{share:.0%}" if share >= 0.1 else f"{100 * share:.2g}%"
