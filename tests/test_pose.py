"""The motion between a true depth and a normal map of the same solid is found."""

import numpy as np
import pose
import pytest
from scipy.spatial.transform import Rotation

from crevasse.cameras import Perspective
from crevasse.metrics import made
from crevasse.scenes import Scene
from crevasse.scenes.rendered import Ellipsoid

SIZE = 128
SOLID = Ellipsoid((5.0, -8.0, 1500.0), (90.0, 65.0, 50.0), 35.0)
CAMERA = Perspective.from_field_of_view(8.0, (SIZE, SIZE))


def two_poses(turn):
    """The depth of an ellipsoid with the normals that it has when turned about its middle, and its depth then."""
    direction = CAMERA.points(*np.indices((SIZE, SIZE)), 1.0)
    still = SOLID.meet(np.zeros(3), direction).depth
    seen = np.isfinite(still)
    middle = np.median(direction[seen] * still[seen][:, None], axis=0)
    matrix = Rotation.from_rotvec(turn).as_matrix()
    after = SOLID.meet(middle - middle @ matrix, direction @ matrix)
    mask = seen & np.isfinite(after.depth)
    normals = np.where(mask[..., None], after.normal @ matrix.T * [1.0, -1.0, -1.0], 0.0)
    return Scene("two poses", normals, mask, CAMERA, np.where(mask, still, np.nan), ""), after.depth


@pytest.mark.parametrize("turn", [(0, 0, 0), (6e-3, 0, 0), (0, 12e-3, 0), (0, 0, 6e-3), (-7e-3, 12e-3, 1e-3)])
def test_a_known_rotation_is_recovered_within_a_fifth_of_a_milliradian(turn):
    scene, _ = two_poses(turn)
    found = pose.fit_motion(scene, pose.smooth_pixels(scene))
    assert np.abs(found[:3] - turn).max() < 2e-4


def test_the_moved_truth_is_the_surface_of_the_normals():
    scene, after = two_poses((-7e-3, 12e-3, 1e-3))
    moved = pose.moved(scene, pose.fit_motion(scene, pose.smooth_pixels(scene)))
    assert made(scene.depth, after, CAMERA) > 0.5
    assert made(moved, after, CAMERA) < 0.02


def test_a_groove_that_only_the_truth_has_does_not_count():
    scene, _ = two_poses((6e-3, 0, 0))
    groove = slice(SIZE // 2, SIZE // 2 + 3)
    scene.depth[:, groove] += 5.0
    pixels = pose.smooth_pixels(scene)
    assert not pixels[:, groove].any()
    assert np.abs(pose.fit_motion(scene, pixels)[:3] - (6e-3, 0, 0)).max() < 2e-4
