"""Projection onto integrable slopes in Fourier space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from crevasse.cameras import Array
from crevasse.methods.network import once
from crevasse.methods.problem import Outcome, Problem, Run
from crevasse.methods.settings import check_settings
from crevasse.status import Status

DERIVATIVES = ("spectral", "difference")


@dataclass(frozen=True)
class Fourier:
    """Projection onto integrable slopes in Fourier space (Frankot, Chellappa, PAMI 1988): a periodic rectangle.

    The heights whose slopes are nearest to p (along the columns) and q (along the rows), in the least-squares
    sense, among all periodic ones: Z = -i (w_x P + w_y Q) / (w_x^2 + w_y^2), where P, Q and Z are Fourier
    transforms and w_x, w_y the frequencies. The mean height, Z(0), is free. Opposite borders are neighbours: a map
    whose borders do not fit together is bent until they do.

    Use it for textures that repeat. It takes full rectangles without a mask, in one step.

    Attributes
    ----------
    derivative : "spectral", the derivative of the interpolating wave; or "difference", steps between
        neighbours, whose squared frequencies are 2 - 2 cos w
    tilt : add the plane of the mean slopes, which no periodic surface has
    """

    derivative: str = "spectral"
    tilt: bool = False

    name: ClassVar[str] = "fourier"
    title: ClassVar[str] = "Frankot-Chellappa"
    about: ClassVar[str] = "Fourier projection: a periodic rectangle, no jumps."
    accepts: ClassVar[frozenset[str]] = frozenset()
    tears: ClassVar[bool] = False
    bytes_per_pixel: ClassVar[int] = 150

    def __post_init__(self) -> None:
        check_settings(self)
        if self.derivative not in DERIVATIVES:
            raise ValueError(f"derivative is {self.derivative!r}; give one of {', '.join(DERIVATIVES)}")

    def run(self, problem: Problem) -> Run:
        right, down = problem.slopes.steepness()
        means = float(right.mean()), float(down.mean())
        heights = project(right, down, self.derivative)
        if self.tilt:
            rows, columns = np.indices(problem.mask.shape)
            heights += means[0] * columns + means[1] * rows
            heights -= heights.mean()
        left = np.roll(heights, -1, axis=1) - heights - right, np.roll(heights, -1, axis=0) - heights - down
        energy = float(np.square(left[0]).sum() + np.square(left[1]).sum())
        return once(heights, problem, energy, 1, Outcome(heights, Status.CONVERGED))


def project(right: Array, down: Array, derivative: str) -> Array:
    """Periodic heights of mean 0 whose slopes are nearest to these, (H, W) each."""
    from scipy.fft import irfft2, rfft2

    height, width = right.shape
    if derivative == "difference":
        # Steps to the next neighbour, the last pixel's to the first.
        right, down = (right + np.roll(right, -1, axis=1)) / 2, (down + np.roll(down, -1, axis=0)) / 2
    rows = _frequencies(np.fft.fftfreq(height), derivative)[:, None]
    columns = _frequencies(np.fft.rfftfreq(width), derivative)
    square = np.abs(rows) ** 2 + np.abs(columns) ** 2
    side = np.conj(columns) * rfft2(right) + np.conj(rows) * rfft2(down)
    found: Array = irfft2(np.divide(side, square, out=np.zeros_like(side), where=square > 1e-12), s=right.shape)
    return found


def _frequencies(cycles: NDArray[np.floating[Any]], derivative: str) -> NDArray[np.complex128]:
    """The factor by which differentiation multiplies a wave: i w, or e^(i w) - 1; `cycles` per pixel."""
    waves = 2j * np.pi * cycles
    if derivative == "difference":
        return np.asarray(np.exp(waves) - 1)
    # At the highest frequency of an even number of samples the interpolating wave is level at the samples.
    return np.asarray(np.where(np.abs(cycles) == 0.5, 0, waves))
