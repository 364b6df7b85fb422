"""Further starts are tried only where they could find another surface."""

import numpy as np
import pytest

from crevasse import integrate
from crevasse.methods import Graduated
from crevasse.methods.graduated import STARTS
from crevasse.scenes import SCENES


@pytest.mark.parametrize(
    ("name", "size", "starts"),
    [
        ("smooth", 96, {0}),
        ("regions", 96, {0}),
        ("comb", 128, {0, 1}),
        ("disc", 128, {0, 1, 2}),
    ],
)
def test_starts_end_where_nothing_else_is_to_be_found(name: str, size: int, starts: set[int]) -> None:
    scene = SCENES[name](size)
    assert set(integrate(scene.normals, scene.mask, scene.camera).history["start"]) == starts


@pytest.mark.parametrize("name", ["smooth", "regions", "holes", "comb"])
def test_the_starts_left_out_would_have_found_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = SCENES[name](128)
    found = integrate(scene.normals, scene.mask, scene.camera).surface.heights
    for k, start in enumerate(STARTS):
        monkeypatch.setattr("crevasse.methods.graduated.STARTS", (start,))
        alone = integrate(scene.normals, scene.mask, scene.camera, Graduated(starts=1)).surface.heights
        apart = np.abs(alone - found)[scene.mask]
        assert np.mean(apart > 0.25) < 0.005, k
