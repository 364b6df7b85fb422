"""How a run went: its status, a record per iteration, and the noise that it found."""

from __future__ import annotations

import math
from enum import Enum
from typing import NamedTuple

import numpy as np

HISTORY = np.dtype(
    [
        ("start", np.int32),
        ("iteration", np.int32),
        ("energy", np.float64),
        ("change", np.float64),
        ("strength", np.float64),
        ("solver_iterations", np.int32),
        ("seconds", np.float64),
    ]
)
"""A record per iteration: which start, its number, energy before the step, mean absolute change of height in
pixels, strength (or scale) of the jump term, iterations of the linear solver, seconds since the run began."""


class Status(Enum):
    """How a run ended; the value is a sentence for people."""

    CONVERGED = "Converged: another iteration would not change the surface."
    SCHEDULE_DONE = "Done: all planned iterations were run."
    ITERATION_LIMIT = "Stopped at the limit of iterations while the surface still moved."
    STOPPED = "Stopped on request; this is the surface as it was then."
    NOT_FINITE = "Failed: numbers overflowed, there is no surface; check the focal lengths, or use another method."

    def __str__(self) -> str:
        return self.value

    @property
    def usable(self) -> bool:
        """Whether the run ended as the method intended."""
        return self in (Status.CONVERGED, Status.SCHEDULE_DONE)


class Noise(NamedTuple):
    """How the normals of a map err: standard deviations of their slopes, in radians."""

    white: float
    """What is independent between pixels."""
    smooth: float
    """What neighbouring pixels have in common, as far as the curl shows it; 0 if it shows nothing."""

    def __str__(self) -> str:
        """Word the errors in degrees."""
        degrees = [math.degrees(part) for part in self]
        pixels = f"{degrees[0]:.1g} degrees from pixel to pixel"
        if not self.smooth:
            return f"{pixels}, no smooth error found"
        return f"{pixels}; they err smoothly, by {degrees[1]:.1g} degrees or more"
