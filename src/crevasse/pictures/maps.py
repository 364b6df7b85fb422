"""Maps of a result in colour: normals, depth, jumps, islands, error."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import GROUND, PALETTE, PAPER, SEQUENTIAL, SIGNED, colour, scale_to
from crevasse.pictures.drawable import (
    LIMIT,
    Drawable,
    DrawableResult,
    Mask,
    Picture,
    footprint,
    heights_of,
    step_to_fit,
    unit_of,
)
from crevasse.pictures.relief import paint

Values = NDArray[np.floating]

SMALLEST_JUMP = 0.25
"""Jump in pixels below which an auxiliary edge is drawn as closed."""
LARGEST = 3e38
"""Depth units beyond which a jump is drawn as this one: single precision holds no more."""
PALE = np.array([200, 204, 210], np.uint8)


def normals(vectors: ArrayLike, mask: ArrayLike | None = None, limit: int = LIMIT) -> Picture:
    """A normal map in its usual colours, (n + 1) / 2 in the OpenGL frame, on paper."""
    step = step_to_fit(np.shape(vectors), limit)
    unit = np.asarray(vectors, float)[::step, ::step]
    inside = np.isfinite(unit).all(axis=-1) & unit.any(axis=-1)
    if mask is not None:
        inside &= np.asarray(mask, bool)[::step, ::step]
    unit = np.where(inside[..., None], unit, 1.0)
    unit = unit / np.abs(unit).max(axis=-1, keepdims=True)  # squares of very long or short vectors have no number
    unit = unit / np.sqrt(np.square(unit).sum(axis=-1, keepdims=True))
    return np.where(inside[..., None], ((unit + 1) * 127.5 + 0.5).astype(np.uint8), PAPER)


def depth(
    drawable: Drawable,
    limits: tuple[float, float] | None = None,
    unit: str | None = None,
    bar: bool = True,
    limit: int = LIMIT,
) -> Picture:
    """The depth in a perceptual colour map, near is light, with a colour bar in its unit.

    Parameters
    ----------
    limits : depths of the two ends of the colour map; None is the range of the values without their outermost
        half percent. Give the same to pictures that are compared.
    unit : unit beside the bar; None takes it from the camera
    bar : whether to draw the colour bar
    """
    step = step_to_fit(drawable.mask.shape, limit)
    values = np.where(drawable.mask, drawable.depth, np.nan)[::step, ::step]
    low, high = limits or depth_limits(drawable)
    picture = colour(1 - scale_to(values, (low, high)), SEQUENTIAL)
    if not bar:
        return picture
    ticks = [(1 - float(scale_to(np.array(t), (low, high))), canvas.number(t)) for t in _ticks(low, high)]
    return canvas.add_bar(picture, SEQUENTIAL, ticks, f"depth, {unit_of(drawable, unit)}")


def depth_limits(drawable: Drawable) -> tuple[float, float]:
    """The range of the depths without their outermost half percent."""
    low, high = np.percentile(drawable.depth[drawable.mask], [0.5, 99.5])
    return float(low), float(high)


def jumps(
    drawable: DrawableResult,
    largest: float | None = None,
    unit: str | None = None,
    bar: bool = True,
    limit: int = LIMIT,
) -> Picture:
    """The jumps on a dark ground: orange where depth grows to the right or downwards, blue where it falls.

    Parameters
    ----------
    largest : jump at the ends of the (logarithmic) colour scale, in depth units; None is the largest there is
    """
    smallest = SMALLEST_JUMP * footprint(drawable)
    step = step_to_fit(drawable.mask.shape, limit)
    signed = _reduce(strongest_jumps(drawable.jumps), step)
    most = max(largest or float(np.abs(signed).max(initial=0.0)), 4 * smallest)
    picture = draw_jumps(signed, drawable.mask[::step, ::step], smallest, most)
    if not bar:
        return picture
    ticks = [
        (0.5 + 0.5 * float(_logarithmic(np.array(t), smallest, most)), canvas.number(t))
        for t in _decades(smallest, most)
    ]
    return canvas.add_bar(picture, SIGNED, ticks, f"jump, {unit_of(drawable, unit)}", GROUND, PALE)


def draw_jumps(signed: Values, mask: Mask, smallest: float, largest: float) -> Picture:
    """Lines on a dark ground for a map of signed jumps, wide enough to be seen in a thumbnail."""
    # Beyond single precision lies even the smallest drawn jump of an enormous surface.
    lines = thicken(signed, 2 + max(mask.shape) // 640).astype(float)
    ground = np.where(mask[..., None], np.array([38, 42, 50], np.uint8), GROUND)
    tinted = colour(0.5 + 0.5 * _logarithmic(lines, smallest, largest), SIGNED)
    return np.where((np.abs(lines) >= smallest)[..., None], tinted, ground)


def strongest_jumps(jumps: tuple[Array, Array]) -> Values:
    """The strongest signed jump at each pixel, (H, W), 0 where there is none."""
    right, down = jumps
    upper, lower, left, beside = (
        np.nan_to_num(np.clip(part, -LARGEST, LARGEST).astype(np.float32), copy=False)
        for part in (right[0::2], right[1::2], down[:, 0::2], down[:, 1::2])
    )
    return nearer_side(_stronger(upper, lower), _stronger(left, beside))


def nearer_side(right: Values, down: Values) -> Values:
    """Jumps between pixels, right (H, W-1) and down (H-1, W), drawn on the nearer of their two pixels.

    So lines lie on the contour of what is in front.
    """
    best = np.zeros((right.shape[0], down.shape[1]), right.dtype)
    for jump, first, second in (
        (right, np.s_[:, :-1], np.s_[:, 1:]),
        (down, np.s_[:-1], np.s_[1:]),
    ):
        best[first] = _stronger(best[first], np.maximum(jump, 0.0))
        best[second] = _stronger(best[second], np.minimum(jump, 0.0))
    return best


def _stronger(first: Values, second: Values) -> Values:
    return np.where(np.abs(second) > np.abs(first), second, first)


def _reduce(signed: Values, step: int) -> Values:
    """A smaller map that keeps the strongest jump of each block, so that thin lines survive."""
    if step == 1:
        return signed
    height, width = (-(-side // step) for side in signed.shape)
    padded = np.zeros((height * step, width * step))
    padded[: signed.shape[0], : signed.shape[1]] = signed
    blocks = padded.reshape(height, step, width, step).swapaxes(1, 2).reshape(height, width, -1)
    strongest = np.abs(blocks).argmax(axis=-1)[..., None]
    return np.take_along_axis(blocks, strongest, axis=-1)[..., 0]


def thicken(signed: Values, width: int) -> Values:
    """Lines of at least `width` pixels, each with its strongest jump."""
    if width < 2:
        return signed
    high, low = (_spread(signed, width, pick) for pick in (np.maximum, np.minimum))
    return _stronger(high, low)


def _spread(signed: Values, width: int, pick: np.ufunc) -> Values:
    """Minimum or maximum over the `width` x `width` pixels around each."""
    for _ in range(2):
        padded = np.pad(signed, ((width // 2, (width - 1) // 2), (0, 0)), mode="edge")
        parts = [padded[k : k + len(signed)] for k in range(width)]
        signed = np.ascontiguousarray(functools.reduce(pick, parts).T)
    return signed


def _logarithmic(signed: Values, smallest: float, most: float) -> Values:
    """Signed values from -1 to 1, the smallest jump that is drawn at a third of the way."""
    size = (np.log(np.maximum(np.abs(signed), smallest)) - np.log(smallest)) / (np.log(most) - np.log(smallest))
    return np.where(signed == 0, 0.0, np.sign(signed) * (1 / 3 + 2 / 3 * np.minimum(size, 1.0)))


def _decades(smallest: float, most: float) -> list[float]:
    powers = [10.0**p for p in range(int(np.ceil(np.log10(smallest))), int(np.floor(np.log10(most))) + 1)]
    sizes = powers[-3:] or [most]
    return [-s for s in reversed(sizes)] + [0.0] + sizes


def islands(drawable: DrawableResult, limit: int = LIMIT) -> Picture:
    """The islands over the relief: the largest in clay, each other in a colour."""
    heights, mask = heights_of(drawable, limit)
    step = step_to_fit(drawable.mask.shape, limit)
    labels = drawable.islands[::step, ::step]
    relief = paint(heights, mask)
    tint = PALETTE[(labels - 2) % len(PALETTE)].astype(float) / 255
    bright = relief.mean(axis=-1, keepdims=True)
    tinted = np.clip(tint * (70 + bright), 0, 255).astype(np.uint8)
    return np.where((labels > 1)[..., None], tinted, relief)


def _ticks(low: float, high: float) -> list[float]:
    return canvas.round_ticks(low, high, 5)
