"""Fix the gauge of a surface: level it region by region, or leave it where known heights put it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Array
from crevasse.methods.graduated.engine import Engine
from crevasse.methods.graduated.terms.prior import KnownHeights
from crevasse.methods.problem import Domain
from crevasse.methods.regions import Flags, count_pixels, level_regions
from crevasse.notices import Notice, Setting


class Gauge(NamedTuple):
    """Heights whose gauge is fixed."""

    heights: Array
    metric: bool
    """Whether depths are known, not only up to an offset or a scale."""
    warnings: tuple[str, ...] = ()


def known_heights(engine: Engine) -> KnownHeights | None:
    """The term of known heights, if there is one."""
    return next((term for term in engine.terms if isinstance(term, KnownHeights)), None)


def fix_gauge(engine: Engine, heights: Array) -> Gauge:
    """The heights in their gauge; what is known decides, where anything is."""
    term, domain = known_heights(engine), engine.domain
    if term is None:
        return Gauge(level_regions(heights, domain), False)
    held = term.held
    free = (count_pixels(domain.mask, domain) > 0) & ~held
    free[0] = False
    warnings = _describe(term, int(free.sum()))
    if not held.any():
        return Gauge(level_regions(heights, domain), False, warnings)
    level, metric = _level(term, heights, held, domain)
    moved = np.where(domain.mask, heights - level, 0.0)
    if free.any():
        # Nothing places these regions: they are put where the others are on average.
        inside = held[domain.labels]
        moved = np.where(inside, moved, level_regions(heights, domain) + moved[inside].mean())
        moved = np.where(domain.mask, moved, 0.0)
    return Gauge(moved, metric and not free.any(), warnings)


def _level(term: KnownHeights, heights: Array, held: Flags, domain: Domain) -> tuple[float, bool]:
    """What is subtracted from all heights, and whether depths are known then."""
    if term.absolute:
        return 0.0, True
    if term.distances is not None and domain.planes.curvature:
        ratio = float(np.median(term.distances.ratios(heights)))
        depth = np.array([1.0, ratio])
        one, other = term.distances.camera.to_heights(depth)
        return float(one - other), True
    return float(heights[held[domain.labels]].mean()), False


def _describe(term: KnownHeights, free: int) -> tuple[str, ...]:
    found = []
    if term.scale is not None and not term.scale.told:
        found.append(
            "the scale of the prior cannot be told from this map: its error varies as slowly as the relief, or has"
            " nothing in common with it; islands were placed by the best guess."
            if term.scale.scale > 0
            else "the prior does not follow the relief of the normals; it was not used. Check its sign and what is"
            " unknown of it."
        )
    if free:
        found.append(
            Notice(
                f"nothing known covers {free} of the separate regions; {'their' if free > 1 else 'its'} distance is a"
                " guess.",
                Setting("points"),
                do="{} on each of them",
            )
        )
    return tuple(found)
