"""Normals that err smoothly: recognised by their curl, and trusted less where jumps are sought."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers import integrate_scene, pixel_error, problem_of

from crevasse.integration import measure_noise
from crevasse.methods.graduated import method, smooth_error
from crevasse.methods.graduated.image_blocks import has_blocks
from crevasse.methods.graduated.noise import estimate_noise
from crevasse.methods.graduated.smooth_error import model_errors
from crevasse.methods.graduated.stages import widen_errors
from crevasse.scenes import (
    SCENES,
    add_noise,
    blur_normals,
    comb,
    compress_normals,
    demo,
    disc,
    holes,
    quantise,
    regions,
    shingles,
    smooth,
    spiral,
    stairs,
    turn_normals,
)


def errors_of(scene):
    problem = problem_of(scene)
    return model_errors(problem, estimate_noise(problem))


@pytest.mark.parametrize("name", SCENES)
def test_exact_normals_have_no_smooth_error(name):
    assert not errors_of(SCENES[name](128)).is_smooth


@pytest.mark.parametrize(
    "worsen", [quantise, lambda scene: add_noise(scene, 0.05), lambda scene: blur_normals(scene, 2.0)]
)
@pytest.mark.parametrize("make", [smooth, demo])
def test_noise_and_blur_are_not_a_smooth_error(make, worsen):
    assert not errors_of(worsen(make(192))).is_smooth


@pytest.mark.parametrize("half_chroma", [False, True])
@pytest.mark.parametrize("quality", [60, 75, 90])
@pytest.mark.parametrize("make", [smooth, demo, spiral, shingles, regions])
def test_blocks_of_jpeg_images_are_not_a_smooth_error(make, quality, half_chroma):
    assert not errors_of(compress_normals(make(192), quality, half_chroma)).is_smooth


@pytest.mark.parametrize("make", [smooth, demo])
def test_blocks_are_seen_wherever_they_begin(make):
    scene = compress_normals(make(192), 90, half_chroma=True)
    for shift in (1, 3, 6):
        rest = replace(scene, normals=scene.normals[shift:, shift:], mask=scene.mask[shift:, shift:])
        assert has_blocks(problem_of(rest))


@pytest.mark.parametrize("make", [smooth, demo])
@pytest.mark.parametrize("worsen", [lambda scene: scene, quantise, lambda scene: turn_normals(scene, 8.0, 30.0)])
def test_other_errors_are_not_taken_for_blocks(make, worsen):
    assert not has_blocks(problem_of(worsen(make(192))))


def test_jumps_at_every_eighth_pixel_are_no_blocks():
    scene = add_noise(comb(192, teeth=12), 0.02)
    assert not has_blocks(problem_of(scene))
    assert not has_blocks(problem_of(turn_normals(stairs(192), 8.0, 30.0)))


@pytest.mark.parametrize("make", [demo, comb])
def test_noise_between_many_jumps_is_not_a_smooth_error(make):
    assert not any(errors_of(add_noise(make(size), 0.02)).is_smooth for size in (128, 192))


def test_blurred_contours_close_together_are_not_a_smooth_error():
    assert not errors_of(blur_normals(shingles(128), 2.0)).is_smooth


def test_the_estimate_grows_with_the_error():
    sizes = [errors_of(turn_normals(smooth(160), degrees, 30.0)).smooth[1] for degrees in (4.0, 8.0, 12.0)]
    assert 0 < sizes[0] < sizes[1] < sizes[2]


def test_noise_is_independent_unless_neighbours_share_it():
    assert errors_of(turn_normals(add_noise(smooth(160), 0.03), 8.0, 30.0)).independent[1]
    assert not errors_of(turn_normals(blur_normals(add_noise(smooth(160), 0.1), 1.0), 8.0, 30.0)).independent[1]


def test_maps_smaller_than_a_square_have_no_estimate():
    assert not errors_of(turn_normals(smooth(16), 10.0, 5.0)).is_smooth


@pytest.mark.parametrize("make", [smooth, holes])
def test_smooth_errors_cause_no_false_jumps(make):
    result = integrate_scene(turn_normals(make(192), 10.0, 30.0))
    right, down = result.cuts
    assert right.sum() + down.sum() < 0.001 * 2 * result.mask.sum()


def count_cuts(result):
    return sum(int(cuts.sum()) for cuts in result.cuts)


@pytest.mark.parametrize("make", [smooth, holes, regions, disc])
def test_smooth_errors_are_worth_knowing(make, monkeypatch):
    scene = turn_normals(make(160), 10.0, 20.0)
    known = integrate_scene(scene)
    monkeypatch.setattr(smooth_error, "DOUBTED", 9.0)
    monkeypatch.setattr(smooth_error, "CERTAIN", 10.0)
    unknown = integrate_scene(scene)
    assert pixel_error(scene, known) < 0.75 * pixel_error(scene, unknown)
    assert count_cuts(known) < 0.5 * count_cuts(unknown)


@pytest.mark.parametrize("make", [smooth, holes])
def test_errors_that_were_assumed_too_small_are_widened(make, monkeypatch):
    scene = turn_normals(make(160), 10.0, 20.0)
    monkeypatch.setattr(smooth_error, "FACTOR", 0.5)
    widened = integrate_scene(scene)
    monkeypatch.setattr(widen_errors, "ROUNDS", 0)
    assert count_cuts(widened) < 0.5 * count_cuts(integrate_scene(scene))


def test_errors_are_widened_only_where_a_surface_is_torn(monkeypatch):
    """Two regions side by side: only the torn one is found anew."""
    torn, sound = turn_normals(smooth(160), 10.0, 20.0), turn_normals(smooth(160), 3.0, 40.0)
    gap = np.zeros((160, 1))
    scene = replace(
        torn,
        normals=np.concatenate([torn.normals, gap[..., None] * np.ones(3), sound.normals], axis=1),
        mask=np.concatenate([torn.mask, gap > 0, sound.mask], axis=1),
        depth=np.concatenate([torn.depth, gap * np.nan, sound.depth], axis=1),
    )
    monkeypatch.setattr(smooth_error, "FACTOR", 0.5)
    widened = integrate_scene(scene).depth
    monkeypatch.setattr(widen_errors, "ROUNDS", 0)
    left = integrate_scene(scene).depth
    assert not np.array_equal(widened[:, :160], left[:, :160], equal_nan=True)
    assert np.array_equal(widened[:, 161:], left[:, 161:], equal_nan=True)


def test_the_result_says_what_was_found():
    told = integrate_scene(turn_normals(smooth(96), 8.0, 30.0)).warnings
    assert any("err smoothly" in line for line in told)
    assert not any("err smoothly" in line for line in integrate_scene(smooth(96)).warnings)


def told_degrees(result):
    """The measured and the assumed degrees of the warning of smooth errors."""
    line = next(line for line in result.warnings if "err smoothly" in line)
    return [float(text) for text in re.findall(r"([\d.]+) degrees", line)]


def test_the_warning_states_the_measured_error_and_the_one_assumed():
    result = integrate_scene(turn_normals(smooth(96), 8.0, 30.0))
    measured, assumed = told_degrees(result)
    assert f"err smoothly, by {measured:g} degrees" in str(result.noise)
    assert assumed == float(f"{2 * np.degrees(result.noise.smooth):.1g}")


def test_the_warning_counts_wider_errors_as_assumed_not_as_measured(monkeypatch):
    monkeypatch.setattr(smooth_error, "FACTOR", 0.5)
    result = integrate_scene(turn_normals(smooth(160), 10.0, 20.0))
    measured, assumed = told_degrees(result)
    degrees = np.degrees(result.noise.smooth)
    assert f"err smoothly, by {measured:g} degrees" in str(result.noise)
    assert assumed in [float(f"{0.5 * 2**rounds * degrees:.1g}") for rounds in range(1, widen_errors.ROUNDS + 1)]


def test_results_and_measurements_agree_on_errors():
    for scene in (smooth(96), add_noise(smooth(96), 0.03), turn_normals(smooth(96), 8.0, 30.0)):
        noise = measure_noise(scene.normals, scene.mask, scene.camera)
        assert noise == integrate_scene(scene).noise
    assert noise.smooth > 0 and "err smoothly" in str(noise)


def test_white_noise_is_measured_in_radians():
    found = [
        measure_noise(scene.normals, scene.mask, scene.camera)
        for scene in (add_noise(smooth(128), sigma) for sigma in (0.01, 0.03))
    ]
    # The noise is on slopes: on slopes of half a pixel or so, angles vary a little less.
    assert 0.7 * 0.01 < found[0].white < 0.01
    assert found[1].white == pytest.approx(3 * found[0].white, rel=0.05)
    assert not any(noise.smooth for noise in found)


def test_the_result_does_not_depend_on_threads():
    scene = turn_normals(disc(96), 8.0, 30.0)
    one, two = (integrate_scene(scene, threads=threads).depth for threads in (1, 2))
    assert np.array_equal(one, two, equal_nan=True)


def test_smooth_errors_of_large_maps_are_known_too(monkeypatch):
    monkeypatch.setattr("crevasse.methods.graduated.views.pyramid.LARGE", 5000)
    assert method.is_large(160 * 160)
    result = integrate_scene(turn_normals(smooth(160), 8.0, 30.0))
    assert any("err smoothly" in line for line in result.warnings)
