"""Maps with spanning pixels: normals computed from depth, and rows of steps between two planes."""

from functools import cache

import numpy as np
from helpers import problem_with

from crevasse.scenes import SCENES, from_depth

COMPUTED = {
    "central differences": lambda: from_depth(SCENES["demo"](128), central=True),
    "forward differences": lambda: from_depth(SCENES["demo"](128)),
    "two cells": lambda: from_depth(SCENES["demo"](256), cells=2),
    "three cells": lambda: from_depth(SCENES["demo"](384), cells=3),
}
"""One scene, its normals computed from depth in several ways."""
WIDTH = 12
"""Columns of the maps with rows of steps."""
STEP = 5
"""Column of their spanning pixels."""


@cache
def computed(name):
    return COMPUTED[name]()


def truth_of(scene, problem):
    """The true heights on the mask's bounding box."""
    rows, columns = (np.flatnonzero(scene.mask.any(axis=axis)) for axis in (1, 0))
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    return np.where(problem.mask, scene.camera.to_heights(scene.depth[window]), 0.0)


def rows_of_steps(jump, cells, before=0.2, after=-0.1, rows=20, spread=0.5):
    """Jumps of many heights between two planes, each with a pixel that spans it: the problem and the heights."""
    columns = np.arange(WIDTH)
    jumps = (jump * np.linspace(1 - spread, 1 + spread, rows))[:, None]
    heights = np.where(columns <= STEP, before * columns, before * STEP + jumps + after * (columns - STEP))
    slopes = np.where(columns <= STEP, before, after) + np.where(columns == STEP, jumps * cells, 0.0)
    return problem_with(slopes, np.zeros(slopes.shape), np.ones(slopes.shape, bool)), heights


def with_steep_column(problem, steep):
    """The problem with other slopes in the column of its spanning pixels."""
    right = problem.domain.steepness[0].astype(float)
    right[:, STEP] = steep
    return problem_with(right, np.zeros(right.shape), problem.mask)


def two_steep_columns(first, second):
    """Rows with two steep pixels, from column STEP on."""
    slopes = np.zeros((len(first), WIDTH))
    slopes[:, STEP], slopes[:, STEP + 1] = first, second
    return problem_with(slopes, np.zeros(slopes.shape), np.ones(slopes.shape, bool))
