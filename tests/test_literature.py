"""What the methods of the literature have in common: exact planes, least squares without jumps, symmetries."""

from dataclasses import fields, replace

import numpy as np
import pytest
from helpers import assert_same_surface, integrate_scene
from symmetries import SAMPLES, mirrored, plane, random_mask, transposed, upside_down

import crevasse
from crevasse import scenes
from crevasse.cameras import Orthographic, Perspective
from crevasse.lattice import label_regions
from crevasse.methods import METHODS, reweighted
from crevasse.methods.network import EXACT
from crevasse.methods.registry import LITERATURE, make

NAMES = [cls.name for cls in LITERATURE]
TIGHT = {
    "fourier": {"tilt": True},
    "multi-scale": {"sweeps": 4000},
    "regularised": {"strength": 0},
    **{name: {"tolerance": 1e-10} for name in ("m-estimator", "em", "total-variation", "anisotropic-diffusion")},
    **{name: {"tolerance": 1e-10} for name in ("log-estimator", "ratio-estimator", "mumford-shah")},
}
"""Settings with which planes come out exactly."""
MASKED = [cls.name for cls in LITERATURE if "mask" in cls.accepts]
LEAST_SQUARES = {
    "multi-scale": {"sweeps": 4000},
    "residual-cuts": {},
    "curl-cuts": {"threshold": 0.5},
    "alpha-surface": {"alpha": float("inf")},
    "m-estimator": {"k": 10.0},
    "regularised": {"strength": 0.0},
    "em": {"share": 1 - 1e-6, "range": 1e6},
    "total-variation": {"smoothing": 1.0},
    "log-estimator": {"gamma": 1e4},
    "ratio-estimator": {"gamma": 1e4},
    "anisotropic-diffusion": {"mu": 1e5, "nu": 1e5},
    "mumford-shah": {"mu": 1e-9},
}
"""Settings with which a method is least squares on surfaces without jumps."""
OTHERS = {
    "fourier": {"derivative": "difference", "tilt": True},
    "dct": {"grazing": 0.999},
    "residual-cuts": {"threshold": 0.1, "iterations": 1, "stillness": 10.0, "tolerance": 1e-2},
    "curl-cuts": {"threshold": 1.0, "tolerance": 1e-2},
    "alpha-surface": {"alpha": 0.1, "iterations": 2, "tolerance": 1e-2},
    "m-estimator": {"estimator": "cauchy", "k": 1.0, "iterations": 3, "stillness": 1.0, "tolerance": 1e-2},
    "regularised": {"strength": 0.1, "iterations": 1, "stillness": 10.0, "tolerance": 1e-2},
    "diffusion": {"scale": 2.0, "floor": 0.5, "tolerance": 1e-2},
    "spanning-tree": {"steepness": 1.0},
    "em": {"range": 1.0, "share": 0.2, "floor": 1.0, "iterations": 2, "stillness": 1.0, "tolerance": 1e-2},
    "multi-scale": {"sweeps": 2, "most_sweeps": 20},
    "discrete-geometry": {"weighted": True, "grazing": 0.5, "tolerance": 1e-2},
    "total-variation": {"smoothing": 1.0, "iterations": 3, "stillness": 1.0, "tolerance": 1e-2},
    "log-estimator": {"gamma": 0.1, "iterations": 3, "stillness": 1.0, "tolerance": 1e-2},
    "ratio-estimator": {"gamma": 0.1, "iterations": 3, "stillness": 1.0, "tolerance": 1e-2},
    "anisotropic-diffusion": {"mu": 2.0, "nu": 1.0, "iterations": 3, "stillness": 1.0, "tolerance": 1e-2},
    "mumford-shah": {"mu": 1.0, "epsilon": 1.0, "iterations": 3, "stillness": 1.0, "tolerance": 1e-2},
}
"""Another value for each setting."""
BASE = {"residual-cuts": {"iterations": 9}, "regularised": {"strength": 1.0}}
"""What the settings are compared with, where it is not the default."""
RELIEF = scenes.add_noise(scenes.relief(40), 0.01)
DEMO = scenes.add_noise(scenes.demo(64), 0.02)


# Not by Fourier in perspective: a plane's logarithm has slopes that vary, and no period.
CENTRAL = [name for name in NAMES if name != "fourier"]


@pytest.mark.parametrize(
    ("name", "camera"),
    [(name, Orthographic()) for name in NAMES] + [(name, Perspective(60.0, 60.0, 6.0, 5.0)) for name in CENTRAL],
    ids=[f"parallel-{name}" for name in NAMES] + [f"central-{name}" for name in CENTRAL],
)
def test_planes_are_exact(name, camera):
    shape = (11, 13)
    normals, truth = plane(camera, shape, 0.7, -0.4)
    mask = random_mask(shape, 3) if name in MASKED else np.ones(shape, bool)
    depth = crevasse.integrate(normals, mask, camera, make(name, TIGHT.get(name, {}))).depth
    assert_same_surface(depth, np.where(mask, truth, np.nan), camera, 1e-5)


@pytest.mark.parametrize("name", LEAST_SQUARES)
@pytest.mark.parametrize("scene", [scenes.smooth(32), scenes.holes(32)], ids=lambda scene: scene.name)
def test_without_jumps_it_is_least_squares(name, scene):
    cls = METHODS[name]
    depth = integrate_scene(scene, cls(**LEAST_SQUARES[name])).depth
    plain = integrate_scene(scene, crevasse.Poisson()).depth
    assert_same_surface(depth, plain, scene.camera, 1e-4)


# Trees choose among pairs of equal cost by their order, and coarse scales begin at the first row and column.
@pytest.mark.parametrize("name", sorted(set(MASKED) - {"spanning-tree", "curl-cuts", "multi-scale"}))
@pytest.mark.parametrize("turn", [mirrored, upside_down, transposed])
def test_it_commutes_with_flips(name, turn, monkeypatch):
    # Solves that stop early know the order of the pixels.
    monkeypatch.setattr(reweighted, "LATER", EXACT)
    scene = SAMPLES["perspective"]
    method = make(name, {"tolerance": 1e-10})
    if hasattr(method, "iterations"):
        method = replace(method, iterations=min(method.iterations, 8))
    turned = integrate_scene(turn(scene), method).depth
    straight = turn(replace(scene, depth=integrate_scene(scene, method).depth)).depth
    assert_same_surface(turned, straight, turn(scene).camera, 1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_a_jump_leaves_a_finite_surface_and_whole_islands(name):
    scene = scenes.stairs(32)
    result = integrate_scene(scene, name)
    assert np.isfinite(result.depth).all()
    assert result.islands.min() == 1
    assert (result.history["energy"] >= 0).all()


@pytest.mark.parametrize("name", ["fourier", "dct"])
def test_a_method_for_rectangles_refuses_a_mask_and_names_the_cure(name):
    mask = np.ones((6, 7), bool)
    mask[2, 3] = False
    with pytest.raises(ValueError, match="full rectangle; crop the map, or use a method that takes masks"):
        crevasse.integrate(np.full((6, 7, 3), [0.0, 0.0, 1.0]), mask, method=name)


@pytest.mark.parametrize(("name", "setting"), [(name, setting) for name in OTHERS for setting in OTHERS[name]])
def test_every_setting_matters(name, setting):
    scene = DEMO if name in MASKED else RELIEF
    method = make(name, BASE.get(name, {}))
    plain = integrate_scene(scene, method).depth
    changed = integrate_scene(scene, replace(method, **{setting: OTHERS[name][setting]})).depth
    assert np.nanmax(np.abs(changed - plain)) > 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_no_setting_is_left_out(name):
    assert {field.name for field in fields(METHODS[name])} == set(OTHERS[name])


@pytest.mark.parametrize("name", MASKED)
def test_regions_do_not_touch_each_other(name):
    scene = scenes.regions(32)
    both = integrate_scene(scene, name)
    assert both.regions > 1
    for label in range(1, both.regions + 1):
        alone = label_regions(scene.mask)[0] == label
        depth = crevasse.integrate(scene.normals, alone, scene.camera, name).depth
        assert_same_surface(depth, np.where(alone, both.depth, np.nan), scene.camera, 0.02)


def ramp(angle, grow, size=40):
    """A plane of slope `grow` that meets a level one along a straight line of this angle: it jumps as it rises."""
    v, u = np.mgrid[:size, :size] - (size - 1) / 2
    cosine, sine = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    beyond = u * cosine + v * sine > 0.01
    slopes = np.where(beyond, -grow * sine, 0.0), np.where(beyond, grow * cosine, 0.0)
    normals = np.stack([-slopes[0], slopes[1], np.ones((size, size))], axis=-1)
    height = np.where(beyond, grow * (v * cosine - u * sine), 0.0)
    return normals / np.linalg.norm(normals, axis=-1, keepdims=True), height


def error_of(normals, height, method):
    errors = -crevasse.integrate(normals, method=method).depth - height
    return np.abs(errors - np.median(errors)).mean()


@pytest.mark.parametrize("angle", [0, 27, 60])
def test_anisotropic_diffusion_sharpens_slanted_jumps_as_straight_ones(angle):
    normals, height = ramp(angle, 0.3)
    assert error_of(normals, height, METHODS["anisotropic-diffusion"]()) < 0.6 * error_of(
        normals, height, crevasse.Poisson()
    )


@pytest.mark.parametrize("shape", [(64, 64), (37, 45)])
def test_planes_stay_exact_from_scale_to_scale(shape):
    v, u = np.indices(shape)
    normals = np.broadcast_to(np.array([0.3, -0.2, 1.0]) / np.sqrt(1.13), (*shape, 3))
    method = METHODS["multi-scale"](sweeps=1)
    assert error_of(normals, -0.3 * u - 0.2 * v, method) < 1e-6


def test_coarse_scales_see_the_whole_rise_of_steep_pixels():
    u = np.indices((64, 64))[1]
    steep = np.where(u % 2 == 0, 8.0, 0.0)
    normals = np.stack([-steep, 0 * steep, 1 + 0 * steep], axis=-1) / np.sqrt(1 + steep**2)[..., None]
    depth = crevasse.integrate(normals, method=METHODS["multi-scale"](sweeps=1, most_sweeps=1)).depth
    assert abs(np.abs(depth[:, -8:] - depth[:, :8]).mean() / (4 * 56) - 1) < 0.2
