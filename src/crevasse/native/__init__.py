"""The compiled kernels, in the build that fits this processor."""

from crevasse.native import _baseline

if _baseline.has_avx2():
    try:
        from crevasse.native import _avx2 as kernels
    except ImportError:
        kernels = _baseline
else:
    kernels = _baseline

Auxiliary = kernels.Auxiliary
Graduated = kernels.Graduated
Solver = kernels.Solver

__all__ = ["Auxiliary", "Graduated", "Solver"]
