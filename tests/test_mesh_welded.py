"""The welded mesh is one surface: shared corners, open at jumps only, manifold, without slivers."""

import numpy as np
import pymeshlab
import pytest
import trimesh
from helpers import data_folder, integrate_scene
from maps import ball
from matplotlib.tri import LinearTriInterpolator, Triangulation

import crevasse
from crevasse import scenes
from crevasse.files.mesh_files import write_mesh
from crevasse.lattice import label_islands, pairs
from crevasse.mesh import TRIM
from crevasse.mesh.decimate import _image_coordinates, decimate
from crevasse.mesh.diagonals import slimness
from crevasse.mesh.mesh import to_camera_frame
from crevasse.mesh.slits import lone_pairs
from crevasse.mesh.trim import SPECK
from crevasse.mesh.weld import weld
from crevasse.mesh.welded import join_pairs
from crevasse.result import Integration
from crevasse.status import Status
from crevasse.surface import Cuts, Surface

SCENES = ("comb", "demo", "islands", "holes", "spiral", "relief")


@pytest.fixture(scope="module", params=SCENES)
def result(request):
    return integrate_scene(scenes.SCENES[request.param](96))


def flat(mask, cuts=None, slopes=(0.0, 0.0), camera=None):
    """A result with this mask, cuts and constant slopes."""
    mask = np.asarray(mask, bool)
    rows, columns = np.indices(mask.shape)
    heights = slopes[0] * columns + slopes[1] * rows
    steepness = tuple(np.full(mask.shape, slope, np.float32) for slope in slopes)
    cuts = Cuts(*cuts) if cuts is not None else Cuts(*(np.zeros_like(pair) for pair in pairs(mask)))
    viewer = camera or crevasse.Orthographic()
    surface = Surface(heights * mask, mask, steepness, viewer)
    history = np.empty(0, crevasse.status.HISTORY)
    islands = label_islands(mask, cuts)
    return Integration(surface, islands, 1, cuts, Status.CONVERGED, history, (), viewer, crevasse.Poisson())


def measures(mesh):
    meshes = pymeshlab.MeshSet()
    meshes.add_mesh(pymeshlab.Mesh(mesh.vertices, np.asarray(mesh.faces, np.int32)))
    return meshes.get_topological_measures()


def boundary_length(mesh):
    """Edges that belong to one face only."""
    return trimesh.grouping.group_rows(mesh.to_trimesh().edges_sorted, require_count=1).size


def test_it_is_manifold_and_wound_consistently_as_others_judge(result):
    mesh = result.mesh()
    found = measures(mesh)
    assert found["non_two_manifold_edges"] == found["non_two_manifold_vertices"] == 0
    assert mesh.to_trimesh().is_winding_consistent
    normals = mesh.to_trimesh().face_normals
    centres = mesh.to_trimesh().triangles_center if result.camera.curvature else np.array([[0.0, 0.0, 1.0]])
    assert ((normals * centres).sum(axis=1) < 0).all(), "every face faces the viewer"


def test_the_parts_of_a_mesh_are_those_that_jumps_separate(result):
    mesh = result.mesh(trim=None)
    assert mesh.components == label_islands(result.mask, result.cuts).max()
    assert measures(mesh)["connected_components_number"] == mesh.components
    trimmed = result.mesh_blocks()
    assert trimmed.components == trimmed.to_mesh().components
    assert trimmed.components <= result.regions + result.island_count + 2


def test_it_is_open_exactly_at_jumps_and_at_the_mask():
    cut = np.zeros((8, 9), bool)
    cut[2:6, 4] = True
    mask = np.ones((8, 10), bool)
    mesh = flat(mask, (cut, np.zeros((7, 10), bool))).mesh()
    # A slit that begins and ends inside the surface has two sides of four edges.
    assert boundary_length(mesh) == 2 * (8 + 10) + 2 * 4
    assert len(mesh.vertices) == 9 * 11 + 3
    assert mesh.components == 1
    bridged = flat(mask, (cut, np.zeros((7, 10), bool))).mesh(torn=False)
    assert boundary_length(bridged) == 2 * (8 + 10)


def test_a_jump_along_one_edge_inside_the_surface_is_open():
    cut = np.zeros((8, 9), bool)
    cut[3, 4] = True
    mask = np.ones((8, 10), bool)
    result = flat(mask, (cut, np.zeros((7, 10), bool)))
    result.surface.heights[3, 4] = 2.0
    mesh = result.mesh()
    # Both ends are shared; each side has two vertices between them, at the depth of its own pixel.
    assert boundary_length(mesh) == 2 * (8 + 10) + 2 * 3
    assert len(mesh.vertices) == 9 * 11 + 2 * (2 + 1)
    on_edge = mesh.vertices[(mesh.vertices[:, 0] == 4.5) & (np.abs(mesh.vertices[:, 1] - 3.0) < 0.4)]
    assert sorted(on_edge[:, 2].tolist()) == [0.0, 0.0, 2.0, 2.0]
    np.testing.assert_allclose(mesh.texture[:, 0] * 10 - 0.5, mesh.vertices[:, 0], atol=1e-12)
    assert slimness(mesh.vertices[mesh.faces]).max() < TRIM


@pytest.mark.parametrize("jump", [1.0, 5.0, 12.0, 40.0])
@pytest.mark.parametrize("slope", [0.0, 3.0, 6.0])
def test_a_jump_along_one_edge_leaves_no_slivers_however_high_it_is(jump, slope):
    cut = np.zeros((12, 13), bool)
    cut[5, 6] = True
    result = flat(np.ones((12, 14), bool), (cut, np.zeros((11, 14), bool)), (0.0, slope))
    result.surface.heights[5, 6] += jump
    mesh = result.mesh()
    found = measures(mesh)
    assert slimness(mesh.vertices[mesh.faces]).max() <= TRIM
    assert found["non_two_manifold_edges"] == found["non_two_manifold_vertices"] == 0
    assert mesh.components == 1
    # The slit stays open, as a slit or as the place of the pixels beside it.
    assert boundary_length(mesh) >= 2 * (12 + 14) + 4
    assert mesh.trimmed <= 9, "at most the pixels around it"
    written = np.concatenate(list(result.mesh_blocks().polygon_blocks()))
    np.testing.assert_allclose(written, mesh.vertices[mesh.quads])


def test_a_jump_along_one_edge_at_the_border_needs_no_more_vertices():
    at_border = np.zeros((8, 9), bool)
    at_border[0, 4] = True
    opened = flat(np.ones((8, 10), bool), (at_border, np.zeros((7, 10), bool))).mesh()
    assert boundary_length(opened) == 2 * (8 + 10) + 2
    assert len(opened.quads) == 8 * 10


@pytest.mark.parametrize("seed", range(6))
def test_any_mask_and_any_cuts_give_a_manifold(seed):
    random = np.random.default_rng(seed)
    mask = random.random((17, 23)) < 0.8
    cuts = [random.random(pair.shape) < 0.3 for pair in pairs(mask)]
    mesh = weld(flat(mask, cuts).surface, tuple(cuts)).to_mesh()
    found = measures(mesh)
    assert found["non_two_manifold_edges"] == found["non_two_manifold_vertices"] == 0
    assert mesh.components == label_islands(mask, tuple(cuts)).max()
    assert measures(mesh)["connected_components_number"] == mesh.components
    assert mesh.to_trimesh().is_winding_consistent
    # Open exactly at the mask and at all cuts; a lone edge has three edges on each side.
    links = join_pairs(mask, tuple(cuts))
    lone = sum(int(pair.sum()) for pair in lone_pairs(weld(flat(mask, cuts).surface, tuple(cuts))))
    assert lone > 0
    assert boundary_length(mesh) == 4 * mask.sum() - 2 * sum(int(pair.sum()) for pair in links) + 4 * lone


def test_files_of_all_kinds_hold_the_same_open_surface(tmp_path):
    random = np.random.default_rng(3)
    mask = np.ones((12, 15), bool)
    cuts = [random.random(pair.shape) < 0.1 for pair in pairs(mask)]
    result = flat(mask, cuts, (0.3, -0.2), crevasse.Perspective(30.0, 30.0, 7.0, 6.0))
    area = result.mesh().to_trimesh().area
    for kind in ("ply", "obj", "stl", "glb"):
        write_mesh(tmp_path / f"mesh.{kind}", result.mesh_blocks())
        read = trimesh.load(tmp_path / f"mesh.{kind}", process=False, force="mesh")
        assert len(read.faces) == len(result.mesh().faces) > 2 * mask.size
        assert read.area == pytest.approx(area, rel=1e-5)


def test_blocks_of_any_size_give_the_same_mesh(result, monkeypatch):
    whole = result.mesh()
    monkeypatch.setattr("crevasse.mesh.welded.BLOCK", 1)
    rows = result.mesh()
    np.testing.assert_array_equal(rows.quads, whole.quads)
    np.testing.assert_allclose(rows.vertices, whole.vertices, rtol=1e-12)
    np.testing.assert_allclose(rows.normals, whole.normals, atol=1e-12)


@pytest.mark.parametrize("camera", [crevasse.Orthographic(0.5), crevasse.Perspective(80.0, 80.0, 15.5, 11.5)])
def test_on_a_plane_the_corners_lie_on_it(camera):
    plane = np.full((24, 32, 3), [0.3, -0.2, 0.93])
    mesh = crevasse.integrate(plane, None, camera, crevasse.Poisson()).mesh()
    assert len(mesh.vertices) == 25 * 33
    normal = to_camera_frame(np.array([0.3, -0.2, 0.93]))
    along = mesh.vertices @ normal
    assert np.ptp(along) < 1e-5 * np.abs(mesh.vertices).max()
    np.testing.assert_allclose(
        mesh.normals, np.broadcast_to(normal / np.linalg.norm(normal), mesh.normals.shape), atol=1e-5
    )


def test_vertex_normals_reproduce_the_shading_of_the_input():
    normals, mask = ball(64)
    rows, columns = np.indices(mask.shape)
    bumps = normals + 0.15 * np.stack([np.sin(columns / 2), np.cos(rows / 2), 0 * rows], axis=-1)
    result = crevasse.integrate(bumps * mask[..., None], mask)
    blocks = result.mesh_blocks()
    mesh = blocks.to_mesh()
    seen = mesh.normals[mesh.quads].mean(axis=1)
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    wanted = to_camera_frame(result.normals[blocks.mask])
    angles = np.degrees(np.arccos(np.clip((seen * wanted).sum(axis=1), -1, 1)))
    assert angles.mean() < 0.6, "a plain mean over the pixels around each vertex blurs by 1.3 degrees"


def test_silhouettes_leave_no_slivers_and_the_mesh_says_how_many_pixels_went():
    rows, columns = (np.indices((96, 96)) - 47.5) / 46.0
    mask = np.hypot(rows, columns) < 1
    height = np.sqrt(np.maximum(1 - rows**2 - columns**2, 1e-6))
    result = crevasse.integrate(np.stack([columns, -rows, height], axis=-1), mask)
    whole, mesh = result.mesh(trim=None), result.mesh()
    assert slimness(whole.vertices[whole.faces]).max() > 2 * TRIM
    assert slimness(mesh.vertices[mesh.faces]).max() <= TRIM
    assert 0 < mesh.trimmed == result.pixels - np.count_nonzero(result.mesh_blocks().mask) < 0.1 * result.pixels
    assert f"{mesh.trimmed:,} pixels trimmed" in repr(mesh)
    assert result.mesh(trim=3.0).trimmed > mesh.trimmed


def test_a_steep_surface_is_no_silhouette_where_the_image_ends():
    result = flat(np.ones((40, 40), bool), slopes=(12.0, 0.0))
    assert result.mesh().trimmed == 0


def test_small_regions_of_the_mask_stay_and_specks_go():
    mask = np.zeros((30, 30), bool)
    mask[2:4, 2:4] = True
    mask[8:28, 8:28] = True
    right = np.zeros((30, 29), bool)
    down = np.zeros((29, 30), bool)
    right[10:12, 9] = right[10:12, 11] = True
    down[9, 10:12] = down[11, 10:12] = True
    mesh = flat(mask, (right, down)).mesh()
    assert mesh.components == 2
    assert mesh.trimmed == 4


def dumbbell(necks):
    """Two flat squares and, between them, bands of 3 rows and this many steep columns."""
    mask = np.zeros((40, 20 + necks + 20), bool)
    mask[4:36, 2:20] = mask[4:36, -20:-2] = True
    mask[10:13, 20:-20] = mask[28:31, 20:-20] = True
    slope = np.zeros(mask.shape, np.float32)
    slope[:, 20:-20] = 12.0
    surface = Surface(np.cumsum(slope, axis=1) * mask, mask, (slope, 0 * slope), crevasse.Orthographic())
    cuts = tuple(np.zeros_like(pair) for pair in pairs(mask))
    return surface, cuts


@pytest.mark.parametrize("necks", [2, 7, 30])
def test_trimming_splits_no_part(necks):
    surface, cuts = dumbbell(necks)
    whole, trimmed = weld(surface, cuts), weld(surface, cuts, TRIM)
    assert whole.components == trimmed.components == 1
    assert trimmed.trimmed > 0
    # The shortest way is one pixel wide, and one of the two bands is enough.
    assert np.count_nonzero(trimmed.mask[:, 20:-20]) == necks
    cuts[0][:, 20] = True
    apart = weld(surface, cuts, TRIM)
    assert apart.components == 2
    assert not apart.mask[:, 22:-21].any(), "nothing leads across a jump"


@pytest.mark.parametrize("seed", range(4))
def test_any_surface_keeps_its_parts_when_trimmed(seed):
    random = np.random.default_rng(seed)
    mask = random.random((40, 50)) < 0.9
    slopes = tuple((20 * random.random((40, 50)) ** 2).astype(np.float32) for _ in range(2))
    cuts = tuple(random.random(pair.shape) < 0.2 for pair in pairs(mask))
    surface = Surface(5 * random.random((40, 50)), mask, slopes, crevasse.Orthographic())
    whole, trimmed = weld(surface, cuts), weld(surface, cuts, TRIM)
    parts = label_islands(whole.mask, tuple(~links for links in whole.links))
    pieces = label_islands(trimmed.mask, tuple(~links for links in trimmed.links))
    assert trimmed.trimmed > 0
    for part in range(1, parts.max() + 1):
        sizes = np.bincount(pieces[parts == part])[1:]
        assert np.count_nonzero(sizes) <= 1


def test_quads_and_pixels_are_other_kinds_and_nonsense_is_refused():
    result = flat(np.ones((6, 7), bool))
    assert len(result.mesh("quads").vertices) == 4 * 42
    assert len(result.mesh("pixel").vertices) == 42
    assert result.mesh("quads").components == 42
    with pytest.raises(ValueError, match="kind is 'soup'; give one of welded, quads, pixel"):
        result.mesh("soup")


def test_decimation_keeps_borders_and_the_surface():
    normals, mask = ball(192)
    result = crevasse.integrate(normals, mask)
    mesh = result.mesh(trim=3.0)
    fewer = decimate(mesh, 0.1)
    assert len(fewer.faces) <= 0.102 * len(mesh.faces)
    assert boundary_length(fewer) == boundary_length(mesh)
    picked = mesh.vertices[:: len(mesh.vertices) // 400]
    distances = trimesh.proximity.closest_point_naive(fewer.to_trimesh(), picked)[1]
    assert distances.max() < 0.1
    # The image coordinates are those of the new places, not of the nearest old ones.
    np.testing.assert_allclose(fewer.texture[:, 0] * 192 - 0.5, fewer.vertices[:, 0], atol=1e-5)
    assert measures(fewer)["non_two_manifold_edges"] == 0


def test_decimation_keeps_a_strongly_bent_surface_within_a_tenth_of_a_pixel():
    rows, columns = np.indices((128, 128))
    bumps = np.stack([0.5 * np.sin(columns / 6), 0.4 * np.cos(rows / 8), np.ones((128, 128))], axis=-1)
    mesh = crevasse.integrate(bumps).mesh()
    fewer = decimate(mesh, 0.1)
    assert len(fewer.faces) <= 0.102 * len(mesh.faces)
    # The surface is a height field, so vertical distances bound those to the surface.
    triangles = Triangulation(*fewer.vertices[:, :2].T, fewer.faces)
    heights = LinearTriInterpolator(triangles, fewer.vertices[:, 2])(*mesh.vertices[:, :2].T)
    errors = np.abs((heights - mesh.vertices[:, 2]) * mesh.normals[:, 2])
    assert errors.max() < 0.1, "0.107 in a single pass"


def test_a_target_that_slow_growth_does_not_reach_is_reached():
    rows, columns = np.indices((96, 96))
    rough = np.stack([np.sin(columns * 1.7), np.cos(rows * 1.3), np.ones((96, 96))], axis=-1)
    mesh = crevasse.integrate(rough, method="poisson").mesh(trim=None)
    assert len(decimate(mesh, 0.05).faces) <= 0.06 * len(mesh.faces)


def test_links_are_pairs_inside_the_mask_that_are_not_cut():
    mask = np.array([[1, 1, 0], [1, 1, 1]], bool)
    cuts = np.array([[1, 0], [0, 0]], bool), np.zeros((1, 3), bool)
    right, down = join_pairs(mask, cuts)
    np.testing.assert_array_equal(right, [[0, 0], [1, 1]])
    np.testing.assert_array_equal(down, [[1, 1, 0]])


@pytest.mark.data
@pytest.mark.parametrize("name", ["scenes/beast", "scenes/cheburashka", "diligent/bear", "diligent/harvest"])
def test_objects_become_a_few_parts(name):
    found = crevasse.read_folder(data_folder(name))
    result = crevasse.integrate(found.normals, found.mask, found.camera)
    mesh = result.mesh()
    assert mesh.components <= min(20, result.regions + result.island_count + 6)
    # Only necks that hold parts together have slimmer faces.
    assert np.mean(slimness(mesh.vertices[mesh.faces]) > TRIM) < 2e-4
    parts = label_islands(result.mask, result.cuts)
    assert mesh.components == np.count_nonzero(np.bincount(parts.ravel())[1:] >= SPECK)
    found = measures(mesh)
    assert found["non_two_manifold_edges"] == found["non_two_manifold_vertices"] == 0


def test_a_vertex_that_decimation_puts_into_the_camera_keeps_image_coordinates():
    mesh = flat(np.ones((8, 9), bool), None, (0.3, 0.2), crevasse.Perspective(20.0, 20.0, 4.0, 3.5)).mesh()
    moved = mesh.vertices.copy()
    moved[5] = 0.0
    np.testing.assert_allclose(_image_coordinates(mesh, moved, np.arange(len(moved))), mesh.texture, atol=1e-6)


def test_pixels_of_the_largest_size_make_a_mesh():
    normals = np.zeros((4, 5, 3)) + np.array([0.6, 0.0, 0.8])
    result = crevasse.integrate(normals, camera=crevasse.Orthographic(1e18), method="poisson")
    mesh = result.mesh()
    assert np.isfinite(mesh.vertices).all() and mesh.face_count == 20
