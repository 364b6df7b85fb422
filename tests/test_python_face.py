"""What a notebook needs: names and matrices as arguments, a bar, short reprs, other libraries' meshes."""

import sys

import numpy as np
import pytest
import trimesh
from helpers import integrate_scene
from maps import ball

import crevasse
from crevasse import scenes
from crevasse.methods import METHODS

NORMALS, MASK = ball(32)


@pytest.mark.parametrize("name", ["graduated", "auxiliary", "poisson", "bilateral"])
def test_the_name_of_a_method_selects_its_defaults(name):
    normals, mask = ball(16)
    result = crevasse.integrate(normals, mask, method=name)
    assert result.method.name == name
    assert result.method == type(result.method)()


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=f"method is 'fast'; give one of {', '.join(METHODS)}"):
        crevasse.integrate(NORMALS, MASK, method="fast")


@pytest.mark.parametrize("form", [list, np.array])
def test_a_matrix_is_a_camera(form):
    matrix = [[60.0, 0.0, 15.5], [0.0, 60.0, 15.5], [0.0, 0.0, 1.0]]
    result = crevasse.integrate(NORMALS, MASK, form(matrix), "poisson")
    assert result.camera == crevasse.Perspective(60, 60, 15.5, 15.5)


def test_a_transposed_matrix_is_reported():
    matrix = np.array([[60.0, 0.0, 15.5], [0.0, 60.0, 15.5], [0.0, 0.0, 1.0]])
    with pytest.raises(ValueError, match=r"K looks transposed .* pass K\.T"):
        crevasse.integrate(NORMALS, MASK, matrix.T)


class Terminal:
    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return True


@pytest.mark.parametrize("progress", [True, False])
def test_a_progress_bar_is_shown_on_request(monkeypatch, progress):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    crevasse.integrate(NORMALS, MASK, method="bilateral", progress=progress)
    assert ("Bilateral: integrating" in terminal.text) == progress


def test_reprs_fit_a_line():
    result = crevasse.integrate(NORMALS, MASK, method="poisson")
    assert repr(result) == f"Integration(32 x 32, {MASK.sum()} pixels, Poisson, converged, depth in px)"
    for thing in (result, result.mesh(), result.jumps, crevasse.integrate(NORMALS, MASK).mesh("quads")):
        assert len(repr(thing)) < 118 and "array" not in repr(thing)


def test_a_mesh_becomes_trimesh_s():
    mesh = crevasse.integrate(NORMALS, MASK, method="poisson").mesh()
    other = mesh.to_trimesh()
    assert isinstance(other, trimesh.Trimesh)
    np.testing.assert_array_equal(other.vertices, mesh.vertices)
    np.testing.assert_array_equal(other.faces, mesh.faces)
    np.testing.assert_allclose(other.vertex_normals, mesh.normals, atol=1e-9)
    np.testing.assert_array_equal(other.visual.uv, mesh.texture)


def test_a_mesh_becomes_open3d_s():
    pytest.importorskip("open3d")
    mesh = crevasse.integrate(NORMALS, MASK, method="poisson").mesh()
    other = mesh.to_open3d()
    np.testing.assert_array_equal(np.asarray(other.vertices), mesh.vertices)
    np.testing.assert_array_equal(np.asarray(other.triangles), mesh.faces)


@pytest.mark.parametrize("name", ["stairs", "islands", "demo"])
def test_poisson_has_neither_jumps_nor_islands(name):
    result = integrate_scene(scenes.SCENES[name](64), "poisson")
    assert result.island_count == 0
    assert result.islands.max() == result.regions
    assert not result.cuts.right.any() and not result.cuts.down.any()


def test_counts_of_islands_agree():
    result = integrate_scene(scenes.SCENES["islands"](128))
    assert result.island_count == 1
    assert any("1 part (" in warning for warning in result.warnings)
    assert result.summary()["regions, islands"] == "1, 1"
    assert result.mesh().components == result.regions + result.island_count


def test_jumps_surround_every_island():
    result = integrate_scene(scenes.SCENES["islands"](128))
    labels = result.islands
    across = (labels[:, 1:] != labels[:, :-1]) & (labels[:, 1:] > 0) & (labels[:, :-1] > 0)
    assert across.any() and result.cuts.right[across].all()
