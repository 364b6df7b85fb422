"""The compiled kernels, in the build that fits this processor."""

from contextlib import suppress

try:
    from crevasse.native import _baseline as kernels

    if kernels.has_avx2():
        with suppress(ImportError):
            from crevasse.native import _avx2 as kernels

    Auxiliary = kernels.Auxiliary
    EngineConstants = kernels.EngineConstants
    GraduatedEngine = kernels.GraduatedEngine
    Solver = kernels.Solver
    Weighting = kernels.Weighting
    label = kernels.label
    min_cut = kernels.min_cut
except (ImportError, AttributeError) as error:
    raise ImportError(
        "the compiled part of crevasse is missing or older than the rest; install it again: "
        f"pip install --force-reinstall crevasse, or in a checkout pip install -e . ({error})"
    ) from None

__all__ = ["Auxiliary", "EngineConstants", "GraduatedEngine", "Solver", "Weighting", "label", "min_cut"]
