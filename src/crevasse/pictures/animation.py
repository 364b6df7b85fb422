"""An animation of a run: the surface opening along its jumps, drawn when the run is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import GROUND, SIGNED
from crevasse.pictures.drawable import Mask, Picture, step_to_fit, window_of
from crevasse.pictures.maps import PALE, SMALLEST_JUMP, Values, draw_jumps, nearer_side
from crevasse.pictures.oblique import FINE, TURN, Box, fit_box, relit, view

EVERY_ONE_UNTIL = 8
GROWTH = 1.12
"""A frame is shown if its iteration is later than the last one shown by this factor; at first every one is."""
FRAME, LAST_FRAME = 0.16, 2.4
"""Seconds per frame."""
FOOT = 64


class Drawable(Protocol):
    """Heights in pixel units with the slopes they came from."""

    @property
    def heights(self) -> Array: ...
    @property
    def mask(self) -> Mask: ...
    @property
    def steepness(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...


class Running(Protocol):
    """The state of a run: a `State`."""

    @property
    def iteration(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def energy(self) -> float: ...
    @property
    def surface(self) -> Drawable: ...


AnyState = TypeVar("AnyState", bound=Running)


@dataclass(frozen=True, eq=False)
class Shot:
    """A small copy of a run at one iteration."""

    iteration: int
    total: int
    energy: float
    heights: NDArray[np.float32] = field(repr=False)


@dataclass
class Film:
    """Takes small copies of a run's states while it runs, and draws them afterwards.

    Taking costs a copy of the heights at a few dozen iterations; all drawing waits for `frames`.

    Examples
    --------
    >>> import numpy as np, crevasse
    >>> film = crevasse.pictures.Film()
    >>> for state in film.watch(crevasse.iterate(np.zeros((30, 40, 3)) + [0.6, 0.0, 0.8])):
    ...     pass
    >>> film.shots[-1].iteration == state.iteration
    True
    """

    size: int = 360
    shots: list[Shot] = field(default_factory=list, repr=False)
    _ground: Drawable | None = field(default=None, repr=False)

    def watch(self, states: Iterable[AnyState]) -> Iterator[AnyState]:
        """Pass the states of `iterate` on, keeping what the animation needs."""
        last = None
        try:
            for state in states:
                last = state
                if self.wants(state):
                    self.take(state)
                yield state
        finally:
            if last is not None:
                self.take(last)

    def wants(self, state: Running) -> bool:
        """Whether a state becomes a frame; frames get sparser as the run goes on."""
        shown = self.shots[-1].iteration if self.shots else 0
        return state.start == 0 and (state.iteration <= EVERY_ONE_UNTIL or state.iteration >= GROWTH * shown)

    def take(self, state: Running) -> None:
        """Keep a small copy of a state, replacing one of the same iteration."""
        surface = state.surface
        self._ground = self._ground or surface
        window, step = self._reduction()
        small = (surface.heights[window][::step, ::step] / step).astype(np.float32)
        if self.shots and self.shots[-1].iteration == state.iteration:
            self.shots.pop()
        self.shots.append(Shot(state.iteration, state.total, state.energy, small))

    def frames(self) -> list[Picture]:
        """The frames: the surface from the side, its jumps, iteration and energy."""
        if self._ground is None:
            raise ValueError("the film is empty; pass the states of iterate() through watch() first")
        mask, slopes, step = self._small()
        heights = [np.where(mask, shot.heights, np.nan) for shot in self.shots]
        ends = [fit_box(each, mask) for each in (heights[0], heights[-1])]
        box = Box(max(b.height for b in ends), max(b.width for b in ends))
        jumps = [residual_jumps(each, slopes, mask) * step for each in heights]
        largest = max(float(np.percentile(np.abs(jumps[-1]), 99.9)), 2.0)
        pictures = []
        for shot, each, jump in zip(self.shots, heights, jumps, strict=True):
            surface = view(each, mask, relit(each, mask), TURN, self.size, box)
            lines = canvas.fit(draw_jumps(jump, mask, SMALLEST_JUMP * step, largest), self.size)
            pictures.append(self._write_foot(_beside(surface, lines), shot, surface.shape[1]))
        return pictures

    def seconds(self) -> list[float]:
        """How long each frame stays."""
        return [FRAME] * (len(self.shots) - 1) + [LAST_FRAME]

    def encode(self, kind: str = "webp") -> bytes:
        """The animation as the bytes of a WebP or GIF file."""
        return canvas.to_animation(self.frames(), self.seconds(), kind)

    def _reduction(self) -> tuple[tuple[slice, slice], int]:
        assert self._ground is not None
        window = window_of(self._ground.mask, max(self._ground.mask.shape))
        return window, step_to_fit(self._ground.mask[window].shape, FINE * self.size)

    def _small(self) -> tuple[Mask, tuple[Array, Array], int]:
        assert self._ground is not None
        window, step = self._reduction()
        right, down = (np.asarray(slope[window][::step, ::step], float) for slope in self._ground.steepness)
        return self._ground.mask[window][::step, ::step], (right, down), step

    def _write_foot(self, picture: Picture, shot: Shot, left: int) -> Picture:
        top = picture.shape[0] - FOOT
        picture = canvas.write_text(picture, f"iteration {shot.iteration} of {shot.total}", top + 12, 12, 15)
        picture = canvas.write_text(picture, f"energy {shot.energy:.4g}", top + 34, 12, 15)
        curve = energy_curve(
            [s.energy for s in self.shots], self.shots.index(shot), FOOT - 20, picture.shape[1] - left - 24
        )
        canvas.paste(picture, curve, top + 10, left + 12)
        return picture


def _beside(surface: Picture, lines: Picture) -> Picture:
    """Two pictures side by side, with room for the foot below them."""
    height = max(surface.shape[0], lines.shape[0])
    picture = canvas.blank(height + FOOT, surface.shape[1] + lines.shape[1])
    picture[:, surface.shape[1] :] = GROUND
    canvas.paste(picture, surface, (height - surface.shape[0]) // 2, 0)
    canvas.paste(picture, lines, (height - lines.shape[0]) // 2, surface.shape[1])
    return picture


def residual_jumps(heights: Array, slopes: tuple[Array, Array], mask: Mask) -> Values:
    """The strongest signed jump at each pixel: height differences minus those of the slopes, in pixels."""
    right = np.diff(heights, axis=1) - (slopes[0][:, 1:] + slopes[0][:, :-1]) / 2
    down = np.diff(heights, axis=0) - (slopes[1][1:] + slopes[1][:-1]) / 2
    right = np.where(mask[:, 1:] & mask[:, :-1], right, 0.0)
    down = np.where(mask[1:] & mask[:-1], down, 0.0)
    return nearer_side(right, down)


def energy_curve(energies: list[float], now: int, height: int, width: int) -> Picture:
    """The energy over the frames as a line on a dark ground, with a mark at the frame shown."""
    picture = canvas.blank(height, width, GROUND)
    values = np.log(np.maximum(energies, 1e-12))
    places = np.linspace(3, width - 4, len(values))
    at = np.interp(np.arange(width), places, values)
    low, high = at.min(), max(at.max(), at.min() + 1e-6)
    rows = np.rint((high - at) / (high - low) * (height - 9) + 4).astype(int)
    before = np.concatenate([rows[:1], rows[:-1]])
    line = np.arange(height)[:, None]
    picture[(line >= np.minimum(rows, before) - 1) & (line <= np.maximum(rows, before))] = PALE // 2
    column = round(places[now])
    picture[rows[column] - 3 : rows[column] + 4, column - 3 : column + 4] = SIGNED[-40]
    return picture
