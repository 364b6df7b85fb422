"""The pictures of a result, its animation and its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from crevasse.files.depth_files import write_picture
from crevasse.files.steps import Step, plain
from crevasse.files.wanted import Wanted
from crevasse.files.write import write_bytes
from crevasse.result import Integration

if TYPE_CHECKING:
    from crevasse.pictures import Film

Draw = Callable[[Integration], NDArray[np.uint8]]


def picture_steps(folder: Path, result: Integration, wanted: Wanted) -> Iterator[Step]:
    """A step per picture of the result itself."""
    from crevasse import pictures

    yield Step("jumps.png", plain(draw_file, folder / "jumps.png", pictures.jumps, result))
    yield Step("preview.png", plain(draw_file, folder / "preview.png", pictures.preview, result))
    if wanted.pictures:
        yield Step("depth_colours.png", plain(draw_file, folder / "depth_colours.png", pictures.depth, result))
    if wanted.arrays:
        yield Step("islands.png", plain(draw_file, folder / "islands.png", pictures.islands, result))


def draw_file(path: Path, draw: Callable[[Integration], NDArray[np.uint8]], result: Integration) -> None:
    """Draw a picture of the result into a file."""
    write_picture(path, draw(result))


def show_steps(
    folder: Path, result: Integration, film: Film | None, title: str | None, truth: NDArray[np.float64] | None
) -> Iterator[Step]:
    """The animation of the run if there is a film, and the page if it has a title."""
    animation = film.encode() if film is not None else None
    if animation is not None:
        yield Step("animation.webp", plain(write_bytes, folder / "animation.webp", animation))
    if title is not None:
        yield Step("page.html", plain(_write_page, folder / "page.html", result, title, truth, animation))


def _write_page(
    path: Path, result: Integration, title: str, truth: NDArray[np.float64] | None, animation: bytes | None
) -> None:
    from crevasse import pictures

    write_bytes(path, pictures.page(result, title, truth, animation=animation).encode())
