"""A mesh on the quadrilaterals is shaded as the input normals say."""

import numpy as np
import pytest
from helpers import integrate_scene

import crevasse
from crevasse import scenes
from crevasse.cameras import GRAZING
from crevasse.mesh import to_camera_frame


def face_angles(scene, result):
    """Degrees between each triangle's normal and its pixel's input normal; grazing pixels are left out."""
    mesh = result.mesh("quads")
    facing = scene.camera.slopes(scene.normals, scene.mask).cosine[scene.mask] > GRAZING
    wanted = to_camera_frame(scene.normals[scene.mask])[facing]
    angles = []
    for triangle in (mesh.quads[:, [0, 1, 2]], mesh.quads[:, [0, 2, 3]]):
        a, b, c = (mesh.vertices[triangle[:, k]] for k in range(3))
        normal = np.cross(b - a, c - a)[facing]
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        angles.append(np.degrees(2 * np.arcsin(np.minimum(np.linalg.norm(normal - wanted, axis=1) / 2, 1))))
    return np.concatenate(angles)


@pytest.mark.parametrize("scene", [scenes.comb(64), scenes.holes(64), scenes.demo(96)], ids=lambda scene: scene.name)
def test_graduated_faces_have_exactly_the_input_normals(scene):
    assert face_angles(scene, integrate_scene(scene)).max() < 0.01


@pytest.mark.parametrize("name", ["smooth", "holes"])
def test_auxiliary_faces_follow_the_input_normals(name):
    scene = scenes.SCENES[name](64)
    angles = face_angles(scene, integrate_scene(scene, crevasse.AuxiliaryEdges(iterations=40)))
    assert np.median(angles) < 0.5


def test_faces_wind_towards_the_viewer():
    scene = scenes.demo(96)
    result = integrate_scene(scene, crevasse.Poisson())
    for mesh in (result.mesh(kind) for kind in ("welded", "quads", "pixel")):
        a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
        away = np.einsum("ij,ij->i", np.cross(b - a, c - a), a)
        assert (away < 0).mean() > 0.97


def test_torn_meshes_are_open_at_jumps_only():
    scene = scenes.comb(64)
    result = integrate_scene(scene)
    torn, bridged = result.mesh("quads"), result.mesh("quads", torn=False)
    assert len(torn.quads) == result.pixels
    assert len(torn.vertices) == len(bridged.vertices) == 4 * result.pixels
    # Pixels, bridges between neighbours right and down, and the places where four pixels meet.
    assert len(bridged.quads) == 64 * 64 + 2 * 64 * 63 + 63 * 63
    per_pixel = result.mesh("pixel")
    edges = np.concatenate([per_pixel.quads[:, [k, (k + 1) % 4]] for k in range(4)])
    lengths = np.abs(np.diff(per_pixel.vertices[edges][..., 2], axis=1))
    assert lengths.max() < 3 < np.abs(np.diff(result.depth, axis=1)).max()


def test_texture_coordinates_span_the_image():
    mesh = integrate_scene(scenes.planes(8), crevasse.Poisson()).mesh()
    assert mesh.texture.min() == 0 and mesh.texture.max() == 1
    top_left = mesh.texture[np.lexsort(mesh.vertices.T[:2][::-1])[0]]
    np.testing.assert_allclose(top_left, [0, 1])
