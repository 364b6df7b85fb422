"""Text, colour bars and encodings on pictures; the one file that knows Pillow.

Pillow draws the text. Colour bars are put together here, since matplotlib is needed for figures only and is optional.
"""

from __future__ import annotations

import functools
import io
import math
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from crevasse.pictures.colours import INK, PAPER
from crevasse.pictures.drawable import Picture


def write_text(
    picture: Picture, text: str, row: int, column: int, size: int = 13, colour: ArrayLike = INK, anchor: str = "la"
) -> Picture:
    """The picture with text; `anchor` is Pillow's: l/m/r, then a (top), m (middle), d (bottom)."""
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    ink = tuple(int(c) for c in np.asarray(colour))
    ImageDraw.Draw(image).text((column, row), text, fill=ink, font=_font(size), anchor=anchor)
    return np.array(image)


def text_width(text: str, size: int = 13) -> int:
    """Width in pixels that a text takes."""
    length: float = _font(size).getlength(text)
    return math.ceil(length)


@functools.cache
def _font(size: int) -> Any:
    """Pillow's own font, cached because Pillow would read it for each text."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def blank(height: int, width: int, colour: ArrayLike = PAPER) -> Picture:
    """Picture of one colour."""
    return np.broadcast_to(np.asarray(colour, np.uint8), (height, width, 3)).copy()


def paste(picture: Picture, part: Picture, row: int, column: int) -> None:
    """Put a part into a picture, in place."""
    picture[row : row + part.shape[0], column : column + part.shape[1]] = part


def resize(picture: Picture, height: int, width: int) -> Picture:
    """Resize a picture: average when it shrinks, repeat pixels when it grows."""
    from PIL import Image

    grows = height >= picture.shape[0]
    way = Image.Resampling.NEAREST if grows else Image.Resampling.LANCZOS
    return np.array(Image.fromarray(picture).resize((width, height), way))


def fit(picture: Picture, limit: int) -> Picture:
    """Shrink a picture until no side is longer than `limit`, or enlarge it by a whole factor where that fits."""
    longest = max(picture.shape[:2])
    if longest <= limit:
        factor = limit // longest
        return picture.repeat(factor, axis=0).repeat(factor, axis=1)
    height, width = (max(1, round(side * limit / longest)) for side in picture.shape[:2])
    return resize(picture, height, width)


def add_bar(
    picture: Picture,
    table: Picture,
    ticks: Sequence[tuple[float, str]],
    title: str,
    ground: ArrayLike = PAPER,
    ink: ArrayLike = INK,
) -> Picture:
    """The picture with a colour bar on its right.

    Parameters
    ----------
    table : (N, 3) colours from the bottom of the bar to its top
    ticks : places from 0 (bottom) to 1 (top) and what to write there
    """
    size = int(np.clip(picture.shape[0] // 24, 11, 30))
    height = max(picture.shape[0], 9 * size)
    margin, thick = size // 2 + 2, size
    texts = max([text_width(text, size) for _, text in ticks] + [text_width(title, size) - thick - 6])
    whole = blank(height, picture.shape[1] + 2 * margin + thick + 6 + texts, ground)
    paste(whole, picture, 0, 0)
    top, bottom, left = margin + 2 * size, height - margin - size // 2, picture.shape[1] + margin
    places = np.linspace(len(table) - 1, 0, bottom - top).round().astype(int)
    whole[top:bottom, left : left + thick] = table[places][:, None]
    whole = write_text(whole, title, margin, left, size, ink)
    for place, text in ticks:
        row = round(bottom - 1 - place * (bottom - top - 1))
        whole[row, left + thick : left + thick + 3] = ink
        whole = write_text(whole, text, row, left + thick + 6, size, ink, "lm")
    return whole


def round_ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers between two limits, about `count` of them."""
    if not high > low:
        return [low]
    rough = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def number(value: float) -> str:
    """Format a number for a tick."""
    return f"{0.0 if abs(value) < 1e-12 else value:.5g}"


def to_png(picture: Picture) -> bytes:
    """The picture as a PNG file's bytes."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG", optimize=picture.size < 1_000_000)
    return buffer.getvalue()


def to_data_address(picture: Picture) -> str:
    """The picture as a data URL."""
    return "data:image/png;base64," + b64encode(to_png(picture)).decode()


def to_animation(frames: Sequence[Picture], seconds: Sequence[float], kind: str = "webp") -> bytes:
    """Frames as the bytes of an animated WebP or GIF that loops.

    Parameters
    ----------
    seconds : how long each frame stays
    """
    from PIL import Image

    if kind not in ("webp", "gif"):
        raise ValueError(f"kind is {kind!r}; it must be 'webp' or 'gif'")
    buffer = io.BytesIO()
    images = [Image.fromarray(frame) for frame in frames]
    durations = [round(1000 * s) for s in seconds]
    first, rest = images[0], images[1:]
    if kind == "webp":
        first.save(
            buffer, "WEBP", save_all=True, append_images=rest, duration=durations, loop=0, quality=82, method=2
        )
    else:
        first.save(buffer, "GIF", save_all=True, append_images=rest, duration=durations, loop=0)
    return buffer.getvalue()
