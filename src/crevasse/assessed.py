"""What further runs tell of a result: how sure it is, and a report on its quality."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from crevasse.cameras import Array

if TYPE_CHECKING:
    from crevasse.quality import Report
    from crevasse.result import Integration
    from crevasse.uncertainty import Uncertainty

NORMAL_ERRORS = (0.0, 60.0)
"""Degrees by which normals may be said to err smoothly: 60 is what random ones err by."""


class Assessed:
    """The part of `Integration` that runs the method again; computed when first asked for."""

    @property
    def _result(self) -> Integration:
        return cast("Integration", self)

    def assess(self, normal_error: float | None = None, progress: bool = False) -> Uncertainty:
        """How sure the result is. Runs the method once more on a mirror image: about as long as two more runs.

        Parameters
        ----------
        normal_error : degrees by which the normals err smoothly; None assumes 5 where the map shows such an error,
            else none
        progress : whether to show a bar, on a terminal or in a notebook

        Examples
        --------
        >>> import numpy as np, crevasse
        >>> result = crevasse.integrate(np.zeros((20, 30, 3)) + [0.6, 0.0, 0.8])
        >>> result.assess(normal_error=1.0).sigma.shape
        (20, 30)
        """
        import crevasse

        return crevasse.uncertainty.assess(self._result, normal_error, progress)

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """How sure the result is, computed when first asked for; `assess` takes arguments."""
        return self.assess()

    @property
    def sigma(self) -> Array:
        """(H, W) standard deviation of depth within its region's gauge, in depth units.

        Infinite on islands, whose distance nothing determines; NaN outside. Computed when first asked for, in about
        the time of two more runs.
        """
        return self.uncertainty.sigma

    @property
    def reliability(self) -> str:
        """How sure the result is, in words; computed when first asked for."""
        return self.uncertainty.words

    def report(self, normal_error: float | None = None, progress: bool = False) -> Report:
        """A report on the quality of the result: what to trust, and what to do about it; arguments as `assess`.

        `to_html()` is a page, `to_dict()` the same as data; a notebook shows the page.
        """
        import crevasse

        asked = normal_error is not None or progress
        return crevasse.quality.report(self._result, self.assess(normal_error, progress) if asked else None)
