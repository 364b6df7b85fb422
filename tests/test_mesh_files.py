"""Mesh files arrive in other tools as they should: upright, facing the viewer, in scale, with their texture."""

import json
import os
import struct
import subprocess
import sys

import numpy as np
import pymeshlab
import pytest
import trimesh
from maps import ball, encode

import crevasse
from crevasse import files
from crevasse.files import BadInput
from crevasse.files.axes import AXES, Axes
from crevasse.files.depth_files import write_image
from crevasse.files.mesh_files import Style, write_mesh
from crevasse.files.photo import read_photo
from crevasse.files.wanted import Wanted
from crevasse.mesh import solid_mesh

KINDS = ("ply", "obj", "stl", "glb")


def wedge():
    """A map with a near block at its upper right, orthographic, .5 mm per pixel: nothing in it is symmetric."""
    rows, columns = np.indices((24, 32))
    bump = np.exp(-((rows - 6.0) ** 2 + (columns - 24.0) ** 2) / 20)
    right, down = np.gradient(-8 * bump, axis=1), np.gradient(-8 * bump, axis=0)
    normals = np.stack([right, -down, np.ones_like(right)], axis=-1)
    return crevasse.integrate(normals, None, crevasse.Orthographic(0.5), crevasse.Poisson()).scaled(1.0, "mm")


@pytest.fixture(scope="module")
def result():
    return wedge()


def load(path, importer):
    """Vertices and face normals as an importer sees them."""
    if importer == "trimesh":
        mesh = trimesh.load(path, process=False, force="mesh")
        return np.asarray(mesh.vertices), np.asarray(mesh.face_normals)
    meshes = pymeshlab.MeshSet()
    meshes.load_new_mesh(str(path))
    mesh = meshes.current_mesh()
    matrix = np.asarray(mesh.transform_matrix())
    normals = mesh.face_normal_matrix() @ matrix[:3, :3].T
    vertices = mesh.vertex_matrix() @ matrix[:3, :3].T + matrix[:3, 3]
    return vertices, normals / np.linalg.norm(normals, axis=1, keepdims=True)


BLENDER = """
import sys, bpy, numpy as np
path = sys.argv[1]
bpy.ops.wm.read_factory_settings(use_empty=True)
wm, scene = bpy.ops.wm, bpy.ops.import_scene
readers = {"ply": wm.ply_import, "obj": wm.obj_import, "stl": wm.stl_import, "glb": scene.gltf}
readers[path[-3:]](filepath=path)
item = next(item for item in bpy.context.scene.objects if item.type == "MESH")
turn = np.array(item.matrix_world)
vertices = np.array([vertex.co for vertex in item.data.vertices]) @ turn[:3, :3].T + turn[:3, 3]
normals = np.array([face.normal for face in item.data.polygons]) @ turn[:3, :3].T
np.savez(path + ".npz", vertices=vertices, normals=normals)
"""


@pytest.fixture(scope="module")
def blender():
    """The Python that has Blender as a module: the one named by BLENDER_PYTHON, or this one."""
    python = os.environ.get("BLENDER_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import bpy"], capture_output=True).returncode:
        pytest.skip("no Python with bpy; name one in BLENDER_PYTHON")
    return python


def load_blender(path, python):
    """Vertices and face normals in Blender's scene, where z is up and the front view looks along y."""
    subprocess.run([python, "-c", BLENDER, str(path)], check=True, capture_output=True)
    with np.load(f"{path}.npz") as found:
        return found["vertices"], found["normals"]


def blender_s_rule(path):
    """The same by what Blender's importers are known to do: they turn OBJ and glTF from y up, PLY and STL not."""
    vertices, normals = load(path, "trimesh")
    if path.suffix in (".obj", ".glb"):
        return tuple(each[:, [0, 2, 1]] * [1, -1, 1] for each in (vertices, normals))
    return vertices, normals


def require_upright(vertices, normals, right, up, towards):
    """The bump is at the upper right, as in the map, and every face faces the viewer; axes are (index, sign)."""
    seen = np.stack([vertices[:, axis] * sign for axis, sign in (right, up, towards)], axis=-1)
    share = (seen[np.argmax(seen[:, 2])] - seen.min(axis=0)) / np.ptp(seen, axis=0)
    assert share[0] == pytest.approx(24.5 / 32, abs=0.05), "the bump is to the right"
    assert share[1] == pytest.approx(1 - 6.5 / 24, abs=0.05), "and above"
    assert (normals[:, towards[0]] * towards[1] > 0).all(), "every face faces the viewer"


FRONT = ((0, 1), (2, 1), (1, -1))
"""Right, up and towards the viewer in Blender's front view."""


@pytest.mark.parametrize("kind", KINDS)
def test_for_blender_files_stand_upright_in_its_front_view(tmp_path, result, kind):
    files.save(result, tmp_path / "out", wanted=Wanted(mesh=(kind,), axes="blender"))
    require_upright(*blender_s_rule(tmp_path / "out" / f"mesh.{kind}"), *FRONT)


@pytest.mark.parametrize("kind", KINDS)
def test_blender_itself_shows_them_upright(tmp_path, result, kind, blender):
    files.save(result, tmp_path / "out", wanted=Wanted(mesh=(kind,), axes="blender"))
    path = tmp_path / "out" / f"mesh.{kind}"
    vertices, normals = load_blender(path, blender)
    require_upright(vertices, normals, *FRONT)
    extent = np.ptp(vertices, axis=0) * (1000.0 if kind == "glb" else 1.0)
    np.testing.assert_allclose(extent[[0, 2]], [16.0, 12.0], rtol=1e-4)
    told = blender_s_rule(path)[0]
    np.testing.assert_allclose(vertices.min(axis=0), told.min(axis=0), atol=1e-5 * np.abs(told).max())
    np.testing.assert_allclose(vertices.max(axis=0), told.max(axis=0), atol=1e-5 * np.abs(told).max())


@pytest.mark.parametrize("kind", KINDS)
def test_in_blender_default_ply_and_stl_files_lie_down_and_others_stand(tmp_path, result, kind, blender):
    write_mesh(tmp_path / f"mesh.{kind}", result.mesh_blocks())
    lying = ((0, 1), (1, 1), (2, 1))
    require_upright(*load_blender(tmp_path / f"mesh.{kind}", blender), *(lying if kind in ("ply", "stl") else FRONT))


def test_the_summary_says_where_a_file_stands_upright():
    assert Wanted(mesh=("ply",)).upright.startswith("upright in MeshLab (Blender: pass --axes blender")
    assert Wanted(mesh=("glb", "stl"), axes="blender").upright.startswith("upright in Blender")
    assert Wanted(mesh=("glb", "obj")).upright is None
    assert Wanted(mesh=("ply",), axes="y,x,z").upright is None


@pytest.mark.parametrize("importer", ["trimesh", "pymeshlab"])
@pytest.mark.parametrize("kind", KINDS)
def test_meshes_arrive_upright_facing_the_viewer_and_in_scale(tmp_path, result, kind, importer):
    path = tmp_path / f"mesh.{kind}"
    write_mesh(path, result.mesh_blocks(), Style(unit=result.unit))
    vertices, normals = load(path, importer)
    # pymeshlab's and Blender's views look along -z with y up; glTF counts metres.
    metre = 1000.0 if kind == "glb" and importer != "pymeshlab" else 1.0
    extent = np.ptp(vertices, axis=0) * metre
    if importer == "pymeshlab" and kind == "glb" and extent[0] < 1:
        extent *= 1000
    np.testing.assert_allclose(extent[:2], [16.0, 12.0], rtol=1e-4)
    np.testing.assert_allclose(extent[2], np.ptp(result.mesh().vertices[:, 2]), rtol=1e-3)
    nearest = vertices[np.argmax(vertices[:, 2])]
    share = (nearest - vertices.min(axis=0)) / np.ptp(vertices, axis=0)
    assert share[0] == pytest.approx(24.5 / 32, abs=0.05), "the bump is to the right"
    assert share[1] == pytest.approx(1 - 6.5 / 24, abs=0.05), "and above"
    assert (normals[:, 2] > 0).all(), "every face faces the viewer"


@pytest.mark.parametrize("name", [*AXES, "y,x,z", "-x,-y,-z"])
def test_other_axes_keep_faces_towards_the_viewer(tmp_path, result, name):
    axes = Axes.parse(name)
    write_mesh(tmp_path / "mesh.stl", result.mesh_blocks(), Style(axes))
    mesh = trimesh.load(tmp_path / "mesh.stl", process=False)
    viewer = axes.apply(np.array([0.0, 0.0, -1.0]))
    assert (mesh.face_normals @ viewer > 0).all()
    with open(tmp_path / "mesh.stl", "rb") as stream:
        assert axes.describe() in stream.read(80).decode()


def test_in_blender_s_axes_z_is_up_and_the_viewer_is_in_front(result):
    turned = AXES["blender"].apply(result.mesh().vertices)
    nearest = turned[np.argmin(turned[:, 1])]
    share = (nearest - turned.min(axis=0)) / np.ptp(turned, axis=0)
    assert share[0] > 0.7 and share[2] > 0.7
    assert AXES["blender"].describe() == "x right, z up, -y towards the viewer"


def test_an_stl_file_of_enormous_lengths_has_unit_normals(tmp_path, result):
    write_mesh(tmp_path / "mesh.stl", result.scaled(1e18).mesh_blocks())
    table = np.fromfile(tmp_path / "mesh.stl", [("normal", "<f4", 3), ("corners", "<f4", 9), ("_", "<u2")], offset=84)
    np.testing.assert_allclose(np.linalg.norm(table["normal"], axis=1), 1.0, rtol=1e-5)


def test_a_file_names_its_unit(tmp_path, result):
    for kind in ("ply", "obj", "stl", "glb"):
        path = tmp_path / f"mesh.{kind}"
        write_mesh(path, result.mesh_blocks(), Style(unit="mm"))
        assert b"mm" in path.read_bytes()[:1500]
        write_mesh(path, result.mesh_blocks())
        assert b"not known" in path.read_bytes()[:1500]


@pytest.fixture
def photo(tmp_path):
    """A photograph of twice the map's size: left red, right green, its lower half darker."""
    colours = np.zeros((48, 64, 3), np.uint8)
    colours[:, :32, 0] = colours[:, 32:, 1] = 200
    colours[24:] //= 2
    path = tmp_path / "photo.png"
    write_image(path, colours, {})
    return read_photo(path, (24, 32))


def test_a_photograph_becomes_vertex_colours_in_ply(tmp_path, result, photo):
    write_mesh(tmp_path / "mesh.ply", result.mesh_blocks(), Style(photo=photo))
    mesh = trimesh.load(tmp_path / "mesh.ply", process=False)
    colours, vertices = mesh.visual.vertex_colors, mesh.vertices
    left, up = vertices[:, 0] < 7, vertices[:, 1] > -5
    np.testing.assert_array_equal(np.unique(colours[left & up][:, :3], axis=0), [[200, 0, 0]])
    np.testing.assert_array_equal(
        np.unique(colours[(vertices[:, 0] > 9) & (vertices[:, 1] < -7)][:, :3], axis=0), [[0, 100, 0]]
    )


@pytest.mark.parametrize("kind", ["glb", "obj"])
def test_a_photograph_becomes_a_texture_elsewhere(tmp_path, result, photo, kind):
    write_mesh(tmp_path / f"mesh.{kind}", result.mesh_blocks(), Style(photo=photo))
    mesh = trimesh.load(tmp_path / f"mesh.{kind}", process=False, force="mesh")
    material = mesh.visual.material
    image = np.asarray((material.baseColorTexture if kind == "glb" else material.image).convert("RGB"))
    np.testing.assert_array_equal(image, photo.colours)
    # The upper right of the surface shows the upper right of the picture.
    at = np.argmax(mesh.vertices[:, 0] + mesh.vertices[:, 1])
    assert mesh.visual.uv[at] == pytest.approx([1, 1])


def test_glb_is_whole_and_aligned(tmp_path, result, photo):
    write_mesh(tmp_path / "mesh.glb", result.mesh_blocks(), Style(photo=photo, unit="mm"))
    data = (tmp_path / "mesh.glb").read_bytes()
    magic, version, length, json_length = struct.unpack("<4sIII", data[:16])
    assert (magic, version, length) == (b"glTF", 2, len(data))
    document = json.loads(data[20 : 20 + json_length])
    assert json_length % 4 == 0
    assert all(view["byteOffset"] % 4 == 0 for view in document["bufferViews"])
    position = document["accessors"][0]
    turned = AXES["opengl"].apply(result.mesh().vertices)
    np.testing.assert_allclose(position["max"], turned.max(axis=0), rtol=1e-6)
    assert document["asset"]["extras"]["unit"] == "mm"
    assert document["nodes"][0]["scale"] == [0.001] * 3


def test_a_photograph_of_another_view_is_refused(tmp_path):
    write_image(tmp_path / "photo.png", np.zeros((40, 40, 3), np.uint8), {})
    with pytest.raises(BadInput, match="40 x 40 pixels but the map has 32 x 24"):
        read_photo(tmp_path / "photo.png", (24, 32))


def test_a_solid_is_printable(tmp_path):
    normals, mask = ball(48)
    write_image(tmp_path / "map.png", encode(normals, 16), {})
    result = crevasse.integrate(normals, mask, crevasse.Orthographic(0.02)).scaled(1.0, "mm")
    write_mesh(tmp_path / "coin.stl", solid_mesh(result.corners, result.mask, result.camera), Style(unit="mm"))
    solid = trimesh.load(tmp_path / "coin.stl")
    assert solid.is_watertight and solid.is_winding_consistent and solid.volume > 0
    assert solid.area_faces.min() > 0, "slicers trip over faces without area"
    assert solid.body_count == 1
    meshes = pymeshlab.MeshSet()
    meshes.add_mesh(pymeshlab.Mesh(solid.vertices, solid.faces.astype(np.int32)))
    found = meshes.get_topological_measures()
    assert found["boundary_edges"] == found["non_two_manifold_edges"] == found["non_two_manifold_vertices"] == 0
    # It stands on its base, with the relief upwards.
    bottom = np.isclose(solid.vertices[:, 2], solid.bounds[0, 2])
    assert bottom.mean() == pytest.approx(0.5, abs=0.01)
