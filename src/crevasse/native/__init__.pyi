import numpy as np
from numpy.typing import NDArray

_Double = NDArray[np.float64]
_Single = NDArray[np.float32]
_Byte = NDArray[np.uint8]

def label(mask: _Byte, right: _Byte | None, down: _Byte | None, out: NDArray[np.int32]) -> int: ...

class Solver:
    def __init__(self, right: _Double, down: _Double, threads: int) -> None: ...
    def load(self, right: _Double, down: _Double) -> None: ...
    def solve(self, side: _Double, values: _Double, tolerance: float, limit: int) -> tuple[int, float]: ...

class Graduated:
    def __init__(
        self,
        across: _Double,
        along: _Double,
        cosine: _Double,
        mask: _Byte,
        labels: NDArray[np.int32] | None,
        noise: _Double,
        hints: NDArray[np.int8] | None,
        curvature: float,
        threads: int,
    ) -> None: ...
    def begin(
        self, angle: float, along: float, grazing: int, against: float, level: float, valley: float, keep: bool
    ) -> None: ...
    def retarget(
        self,
        across: _Double,
        along: _Double,
        cosine: _Double,
        mask: _Byte,
        labels: NDArray[np.int32] | None,
        noise: _Double,
        hints: NDArray[np.int8] | None,
    ) -> None: ...
    def build_walls(
        self, pixels: NDArray[np.int64], sources: NDArray[np.int64], pairs: NDArray[np.int64], steps: _Double
    ) -> None: ...
    def step(
        self, scale: float, flat: bool, limit: int, tolerance: float, rebuild: bool
    ) -> tuple[float, float, int]: ...
    def energies(self, labels: NDArray[np.int32] | None, out: _Double) -> None: ...
    def cuts(self, right: _Byte, down: _Byte) -> None: ...
    def constants(self, which: int, right: _Single, down: _Single) -> None: ...
    def weights(self, right: _Single, down: _Single) -> None: ...
    def dock(self, parts: int, gain: float, distance: float, candidates: int, moves: int) -> bool: ...
    def islands(self, slip: float, doubt: float, bridge: float, size: int, out: NDArray[np.int32]) -> int: ...
    def read(self, out: _Double) -> None: ...
    def write(self, heights: _Double) -> None: ...
    def release(self) -> None: ...

class Auxiliary:
    def __init__(
        self,
        mask: _Byte,
        stiffness: _Double,
        offsets: _Double,
        tangency_right: _Double,
        tangency_down: _Double,
        threads: int,
    ) -> None: ...
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
