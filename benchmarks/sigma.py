"""How well sigma holds: coverage of 90 % intervals, and ranking of errors, on maps it was and was not tuned on.

Every second map of each source was used to choose the constants of `crevasse.uncertainty` (`tuned`); the others were
not. Each map of photometric stereo belongs to the half of its object.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from cached_runs import cached, start
from cases import Case, built_in, estimated, measured, unseen
from record import write_record
from scipy.ndimage import distance_transform_edt
from trials import log

import crevasse
from crevasse import Graduated
from crevasse.cameras import Array
from crevasse.result import Integration
from crevasse.scenes import add_noise
from crevasse.uncertainty import Uncertainty, estimate
from crevasse.uncertainty.gauge import depth_per_height, gauge_owners, offset_free

NINETY = 1.6449
"""Standard deviations of an interval that holds 90 % of normal errors."""
NOISE = 0.02
"""Noise of the slopes of the built-in scenes, which are measured without and with it."""
STEPS = 100
"""Points of a sparsification curve."""


def cases() -> Iterator[tuple[Case, bool]]:
    """All maps, and whether they were used to choose constants."""
    noisy = (
        Case(f"built-in-noisy/{case.name.split('/')[1]}", add_noise(case.scene, NOISE), 1.0) for case in built_in()
    )
    places: dict[str, int] = {}
    for case in chain(measured(), unseen(), estimated(), built_in(), noisy):
        source = case.name.rpartition("/")[0]
        places[source] = places.get(source, -1) + 1
        yield case, places[source] % 2 == 0


class Compared(NamedTuple):
    """Pixels whose depth and sigma are known, (N,) each, in pixels."""

    errors: Array
    sigma: Array
    distance: Array
    """To the nearest cut, negated: large values are doubtful."""


def compare(result: Integration, truth: Array, found: Uncertainty) -> Compared:
    """Errors and sigma of the pixels that have a sigma, within the gauge of their region."""
    owners = np.where(np.isfinite(truth) & (truth > 0), gauge_owners(result), 0).astype(np.int32)
    known = owners > 0
    heights = result.camera.to_heights(np.where(known, truth, 1.0))
    errors = np.abs(offset_free(result.surface.heights - heights, owners))
    cut = np.zeros(known.shape, bool)
    right, down = result.cuts
    cut[:, 1:] |= right
    cut[:, :-1] |= right
    cut[1:] |= down
    cut[:-1] |= down
    distance = distance_transform_edt(~cut) if cut.any() else np.zeros(cut.shape)
    return Compared(errors[known], (found.sigma / depth_per_height(result))[known], -distance[known])


def sparsification(errors: Array, doubt: Array) -> float:
    """Area between the sparsification curves of a doubt and of the errors themselves, over the mean error.

    The curve is the mean error of what is left after the most doubtful pixels are removed.
    """
    left = np.linspace(0, len(errors) - 1, STEPS).astype(int)

    def curve(order: Array) -> Array:
        means = np.cumsum(errors[order][::-1])[::-1] / np.arange(len(errors), 0, -1)
        return np.asarray(means[left])

    best, ours = (curve(np.argsort(-values, kind="stable")) for values in (errors, doubt))
    return float((ours - best).mean() / max(errors.mean(), 1e-12))


def measure(case: Case, tuned: bool) -> dict[str, Any] | None:
    """A row of the record; None where no pixel has both a truth and a sigma."""
    scene = case.scene
    began = time.process_time()
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera)
    run = time.process_time() - began
    began = time.process_time()
    found = estimate(result)
    cost = (time.process_time() - began) / run
    errors, sigma, distance = compare(result, scene.depth, found)
    if not len(errors):
        return None
    source, _, thing = case.name.rpartition("/")
    row = {
        "source": source,
        "object": thing,
        "tuned": tuned,
        "held": float((errors <= NINETY * sigma).mean()),
        "error": float(errors.mean()),
        "median_sigma": float(np.median(sigma)),
        "unplaced": float(np.isinf(found.sigma).sum() / result.pixels),
        "sparsification": sparsification(errors, sigma),
        "sparsification_of_distance": sparsification(errors, distance),
        "cost": cost,
        "smooth": found.normal_error > 0,
        "doubtful": found.rating.doubtful,
    }
    log(f"{case.name:36s}" + " ".join(f"{row[name]:8.3f}" for name in ("held", "error", "median_sigma", "cost")))
    return row


def summarise(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Shares of maps within the limits, and medians, by source and half."""
    groups = {
        "exact normals": lambda row: not row["source"].startswith(("real", "built-in-noisy")),
        "noisy normals": lambda row: row["source"] == "built-in-noisy",
        "estimated normals": lambda row: row["source"].startswith("real"),
        "all": lambda row: True,
    }
    return [
        {"maps": name, "half": half, **summary([row for row in rows if belongs(row) and row["tuned"] == tuned])}
        for name, belongs in groups.items()
        for half, tuned in (("tuned", True), ("others", False))
    ]


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    held = np.array([row["held"] for row in rows])
    return {
        "count": len(rows),
        "80_to_97": float(((held >= 0.80) & (held <= 0.97)).mean()),
        "85_to_95": float(((held >= 0.85) & (held <= 0.95)).mean()),
        "below_80": float((held < 0.80).mean()),
        "sparsification": float(np.median([row["sparsification"] for row in rows])),
        "of_distance": float(np.median([row["sparsification_of_distance"] for row in rows])),
        "cost": float(np.median([row["cost"] for row in rows])),
        "highest_cost": max(row["cost"] for row in rows),
    }


def main() -> None:
    found = (cached("sigma", case.scene, Graduated(), partial(measure, case, tuned)) for case, tuned in cases())
    rows = [row for row in found if row is not None]
    write_record("sigma", rows, summary=summarise(rows))


if __name__ == "__main__":
    start(main)
