"""Pose the problem of a result again, from what the result keeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crevasse.cameras import Camera
from crevasse.methods.problem import Problem, pose
from crevasse.result import Integration
from crevasse.validate import check_input


class Posed(NamedTuple):
    """The problem of a result, on the bounding box of its mask."""

    problem: Problem
    window: tuple[slice, slice]
    camera: Camera
    """Of the window."""


def pose_again(result: Integration, threads: int = 1) -> Posed:
    """The problem that a result solves."""
    valid = check_input(result.normals, result.mask, result.camera)
    window = valid.window
    inside = np.ascontiguousarray(valid.mask[window])
    hints = None if result.hints is None else np.ascontiguousarray(result.hints[window])
    camera = result.camera.cropped(window[0].start, window[1].start)
    return Posed(pose(valid.slopes, inside, camera.planes, threads, hints), window, camera)
