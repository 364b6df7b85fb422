from enum import Enum

import numpy as np
from numpy.typing import NDArray

_Double = NDArray[np.float64]
_Single = NDArray[np.float32]
_Byte = NDArray[np.uint8]
_Labels = NDArray[np.int32]
_Indices = NDArray[np.int64]

def label(mask: _Byte, right: _Byte | None, down: _Byte | None, out: _Labels) -> int:
    """Connected components of a mask: labels from 1, 0 outside; returns their number."""

def min_cut(
    nodes: int, edges: _Labels, forward: _Double, backward: _Double, source: int, sink: int, limit: float, side: _Byte
) -> bool:
    """Minimum cut between two nodes; `side` becomes 1 where a node stays with the source.

    Capacities of up to 1e-6 count as 0. False, and `side` unchanged: the cut costs more than `limit`.
    """

class Solver:
    """Weighted 5-point Laplacians: weights right (H, W-1) and down (H-1, W), and what pulls single points, (H, W)."""

    def __init__(self, right: _Double, down: _Double, threads: int, pins: _Double | None = None) -> None: ...
    @property
    def threads(self) -> int:
        """Number of threads that could be started."""
    def load(self, right: _Double, down: _Double) -> None: ...
    def solve(self, rhs: _Double, values: _Double, tolerance: float, limit: int) -> tuple[int, float]:
        """Improve `values`; returns the iterations and the relative residual."""

class Weighting(Enum):
    """How an iteration weighs pairs by their jumps."""

    FLAT = ...
    """Annealed, as if nothing jumped yet: the first iteration of a cold start."""
    ANNEALED = ...
    """Graduated non-convexity: tolerates jumps of the current scale."""
    REDESCENDING = ...
    """Geman-McClure: the final stage."""
    SETTLED = ...
    """Geman-McClure, flat within the noise."""
    FROZEN = ...
    """Those of the last iteration, softened by `scale`, a further standard deviation of each gap."""

class EngineConstants:
    """Constants that Python and the engine both need.

    grazing : smallest cosine that slopes are computed with
    noisy : noise from which cosines are smoothed
    window : pixels to each side over which they are smoothed
    noise_floor : least noise that variances are computed with
    outlier : standard deviations from which a jump is an outlier
    most_rise : largest rise within a pixel, relative to the depth
    """

    def __init__(
        self, grazing: float, noisy: float, window: int, noise_floor: float, outlier: float, most_rise: float
    ) -> None: ...
    @property
    def grazing(self) -> float: ...
    @property
    def noisy(self) -> float: ...
    @property
    def window(self) -> int: ...
    @property
    def noise_floor(self) -> float: ...
    @property
    def outlier(self) -> float: ...
    @property
    def most_rise(self) -> float: ...

class GraduatedEngine:
    """The graduated method's state: heights, slopes and pairs of a map.

    Arrays of pairs are (H, W) each, for the pair of a pixel with its right and with its lower neighbour; the last
    column and row are 0.

    offsets : (4, H, W) heights of the upper left, upper right, lower left and lower right corner of each pixel's
        plane over its centre, as a camera gives them. None: by the closed form of `curvature` (1 / focal length,
        0 for parallel rays)
    """

    def __init__(
        self,
        across: _Double,
        along: _Double,
        cosine: _Double,
        mask: _Byte,
        labels: _Labels | None,
        noise: _Double,
        hints: NDArray[np.int8] | None,
        offsets: _Double | None,
        curvature: float,
        constants: EngineConstants,
        threads: int,
    ) -> None: ...
    @property
    def threads(self) -> int:
        """Number of threads that could be started."""
    def set_evidence(
        self, angle: float, along: float, grazing: int, against: float, level: float, valley: float
    ) -> None:
        """Judge jumps by this evidence from now on; does nothing where it has not changed."""
    def set_slopes(
        self,
        across: _Double,
        along: _Double,
        cosine: _Double,
        mask: _Byte,
        labels: _Labels | None,
        noise: _Double,
        hints: NDArray[np.int8] | None,
        offsets: _Double | None,
    ) -> None:
        """Replace the slopes that the surface follows; evidence keeps those that the engine began with.

        Removes the steps of spanning pixels. Evidence has to be set again.
        """
    def slopes(self, right: _Single, down: _Single) -> None:
        """Slopes that evidence is made of."""
    def add_spanning(
        self, pixels: _Indices, sources: _Indices, pairs: _Indices, steps: _Double, offsets: _Double | None
    ) -> None:
        """Give pixels the planes of others, and pairs known steps; evidence has to be set again.

        A pair is twice the row-major index of its first pixel, plus 1 if it goes down. offsets : (4, H, W) heights of
        the corners of the planes that pixels have then; None for the closed form.
        """
    def iterate(
        self,
        weighting: Weighting,
        scale: float,
        solver_iterations: int,
        tolerance: float,
        rebuild: bool,
        low: float,
        high: float,
    ) -> tuple[float, float, int]:
        """One outer iteration: energy before it, sum of the changes, solver iterations.

        scale : jump in pixels that annealed weights tolerate
        rebuild : whether the solver computes its coarse levels anew
        low, high : heights that no pixel may leave
        """
    def energies(self, labels: _Labels | None, out: _Double) -> None:
        """Add the robust energy of each region, from 1, to `out`."""
    def cuts(self, right: _Byte, down: _Byte) -> None:
        """1 where a jump is an outlier, known, or forced by hints, else 0."""
    def targets(self, right: _Single, down: _Single) -> None:
        """Difference of the heights by the planes of both pixels."""
    def twists(self, right: _Single, down: _Single) -> None:
        """Half of the difference between the jumps at the two common corners."""
    def variances(self, right: _Single, down: _Single) -> None:
        """Variance of the target; < 0 where there is no pair."""
    def creases(self, right: _Single, down: _Single) -> None:
        """Evidence of a crease, at least 1; < 0 where hints hold a pair."""
    def doubts_ahead(self, right: _Single, down: _Single) -> None:
        """Evidence (K) of a jump whose first pixel is in front."""
    def doubts_behind(self, right: _Single, down: _Single) -> None:
        """Evidence (K) of a jump whose second pixel is in front."""
    def weights(self, right: _Single, down: _Single) -> None:
        """Weights of the last iteration."""
    def move_parts(
        self,
        parts: int,
        gain: float,
        distance: float,
        candidates: int,
        moves: int,
        given: tuple[_Indices, _Indices, _Single, _Single, _Single] | None = None,
    ) -> bool:
        """Move whole parts to where the energy is lower; true if any moved.

        given : contacts besides those of neighbours: first and second pixels (-1: the ground, which never moves), how
            far the second is behind the first, tolerances and evidence
        """
    def set_pins(self, pins: _Double | None, known: _Double | None) -> None:
        """Pull pixels to known heights from the next iteration on, by pin (height - known)^2; None: no longer."""
    def parts(self, limit: int, out: _Labels) -> int:
        """The parts that `move_parts` moves: labels from 0, -1 outside; returns their number."""
    def islands(self, slip: float, doubt: float, bridge: float, size: int, out: _Labels) -> int:
        """Parts whose position the energy does not determine: labels from 1, largest first; returns their number."""
    def read(self, out: _Double) -> None: ...
    def write(self, heights: _Double) -> None: ...
    def clear(self) -> None:
        """Set all heights to 0."""
    def release(self) -> None:
        """Free all memory but that of the heights, which can still be read."""

class Auxiliary:
    """The published method's state: heights of four corners per pixel."""

    def __init__(
        self,
        mask: _Byte,
        stiffness: _Double,
        offsets: _Double,
        tangency_right: _Double,
        tangency_down: _Double,
        threads: int,
    ) -> None: ...
    @property
    def threads(self) -> int:
        """Number of threads that could be started."""
    def step(
        self,
        weight_scale: float,
        filter_scale: float,
        sharpness: float,
        reweighting: bool,
        filtering: bool,
        mirrored: bool,
        relative: bool,
        first: bool,
        phase: int,
        strength: float,
        tolerance: float,
        limit: int,
    ) -> tuple[float, float, int]: ...
    def read(self, out: _Double) -> None: ...
    def write(self, corners: _Double) -> None: ...
