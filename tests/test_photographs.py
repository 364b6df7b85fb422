"""Photographs of scenes, and the normals that photometric stereo makes of them."""

from dataclasses import fields

import numpy as np
import pytest

from crevasse.scenes import (
    Studio,
    add_noise,
    blur_normals,
    demo,
    estimate_normals,
    estimated,
    photograph,
    smooth,
    turn_normals,
)

PLAIN = Studio(lights=12, spread=20.0, shadows=False, bounce=0.0, gloss=0.0, bits=16)


def degrees(scene, other):
    cosine = (scene.normals * other.normals).sum(axis=-1)[scene.mask]
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def test_matt_surfaces_without_shadows_give_their_normals():
    scene = smooth(48)
    assert np.median(degrees(scene, estimated(scene, PLAIN))) < 0.3


def test_shadows_and_gloss_make_errors_that_neighbours_share():
    scene = demo(128)
    made = estimated(scene, Studio(lights=20, gloss=0.5, bits=8))
    assert np.median(degrees(scene, made)) > 3.0
    error = np.where(scene.mask[..., None], made.normals - scene.normals, 0.0)
    apart = np.diff(error, axis=1)[scene.mask[:, 1:] & scene.mask[:, :-1]]
    assert np.median(np.linalg.norm(apart, axis=-1)) < 0.4 * np.median(np.linalg.norm(error[scene.mask], axis=-1))


def test_cast_shadows_only_take_light_away():
    scene = demo(64)
    lit = photograph(scene, Studio(lights=8, spread=60.0, bounce=0.0, shadows=False)).images
    shaded = photograph(scene, Studio(lights=8, spread=60.0, bounce=0.0)).images
    # Both are exposed alike, up to a common factor.
    assert 0.005 < ((shaded < 0.02) & (lit > 0.1)).mean() < 0.3


def test_trimming_leaves_out_highlights():
    scene = smooth(48)
    photographs = photograph(scene, Studio(lights=40, gloss=1.0, shine=60.0, bounce=0.0))
    whole, trimmed = (estimate_normals(photographs, scene.mask, trim) for trim in ((0, 0), (0, 0.3)))
    errors = [np.linalg.norm(normals - scene.normals, axis=-1)[scene.mask].mean() for normals in (whole, trimmed)]
    assert errors[1] < 0.8 * errors[0]


def test_the_same_seed_gives_the_same_photographs():
    scene, studio = demo(32), Studio(lights=6)
    first, again, other = (photograph(scene, studio, seed).images for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert first.min() >= 0 and first.max() <= 1
    assert not first[:, ~scene.mask].any()


def test_bad_studios_name_the_cure():
    with pytest.raises(ValueError, match="from 4"):
        Studio(lights=3)
    with pytest.raises(ValueError, match=r"from 0\.001"):
        Studio(spread=90)
    with pytest.raises(ValueError, match="2 to 32"):
        Studio(bits=1)
    with pytest.raises(ValueError, match="three photographs"):
        estimate_normals(photograph(smooth(16), Studio(lights=4)), smooth(16).mask, (0.5, 0.3))


def test_turns_have_the_stated_size_and_vary_smoothly():
    scene = smooth(128)
    turned = turn_normals(scene, 8.0, 30.0)
    assert 4.0 < np.sqrt(np.mean(degrees(scene, turned) ** 2)) < 9.0
    assert np.abs(np.diff(turned.normals - scene.normals, axis=0)).max() < 0.03


def test_blurring_keeps_unit_normals_and_on_request_edges():
    scene = demo(64)
    plain, kept = blur_normals(scene, 1.5), blur_normals(scene, 1.5, similar=10.0)
    for blurred in (plain, kept):
        np.testing.assert_allclose(np.linalg.norm(blurred.normals, axis=-1), scene.mask, atol=1e-12)
    assert degrees(scene, kept).mean() < 0.5 * degrees(scene, plain).mean()


ODD = (float("nan"), float("inf"), -1.0, 10**400, None, "x", [1])


@pytest.mark.parametrize("name", [field.name for field in fields(Studio)])
def test_an_impossible_studio_is_refused_by_name(name):
    for value in ODD:
        with pytest.raises(ValueError, match=f"^{name} is "):
            Studio(**{name: value})


@pytest.mark.parametrize("value", ODD)
def test_degradations_by_invalid_numbers_are_refused_by_name(value):
    scene = smooth(16)
    for name, degrade in (
        ("sigma", lambda: add_noise(scene, value)),
        ("sigma", lambda: blur_normals(scene, value)),
        ("similar", lambda: blur_normals(scene, 1.0, value if value is not None else -1.0)),
        ("length", lambda: turn_normals(scene, 5.0, value)),
    ):
        with pytest.raises(ValueError, match=f"^{name} is "):
            degrade()


def test_a_window_without_extent_blurs_nothing():
    scene = smooth(16)
    assert np.allclose(blur_normals(scene, 0.0).normals, scene.normals)


@pytest.mark.parametrize("value", [1e308, 1e-308])
def test_degradations_by_absurd_numbers_are_refused_by_name(value):
    scene = smooth(16)
    for name, degrade in (
        ("sigma", lambda: add_noise(scene, value)),
        ("sigma", lambda: blur_normals(scene, value)),
        ("similar", lambda: blur_normals(scene, 1.0, value)),
        ("length", lambda: turn_normals(scene, 5.0, value)),
        ("studio", lambda: photograph(scene, value)),
    ):
        with pytest.raises(ValueError, match=f"^{name} is "):
            degrade()


def test_a_blur_wider_than_the_map_averages_all_of_it():
    scene = smooth(9)
    wide = blur_normals(scene, 200.0).normals[scene.mask]
    assert np.ptp(scene.normals[scene.mask], axis=0).max() > 0.1 > 1e-2 > np.ptp(wide, axis=0).max()
