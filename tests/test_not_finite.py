"""A surface that is not finite is told by its status, and is an error at every door."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball

import crevasse
from crevasse import scenes
from crevasse.cli.main import cli
from crevasse.files import read_normals
from crevasse.methods import METHODS
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.status import Status
from crevasse.web.worker_state import WorkerState


@dataclass(frozen=True)
class Overflowing:
    """A method that ends with one height of this value."""

    value: float = math.inf
    name: ClassVar[str] = "poisson"
    bytes_per_pixel: ClassVar[int] = 1

    def run(self, problem: Problem) -> Run:
        heights = np.where(problem.mask, 1.0, 0.0)
        row, column = np.argwhere(problem.mask)[len(np.argwhere(problem.mask)) // 2]
        heights[row, column] = self.value
        yield Step(0, 1, 1, 0.0, 0.0, 1.0, 1, lambda: heights)
        return Outcome(heights, Status.CONVERGED)


@pytest.fixture
def overflowing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("crevasse.methods.poisson.Poisson.run", Overflowing().run)
    yield


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1e300, -1e300])
def test_the_status_says_that_there_is_no_surface(value: float) -> None:
    normals, _ = ball(24)
    camera = crevasse.Perspective(30.0, 30.0, 11.5, 11.5)
    result = crevasse.integrate(normals, camera=camera, method=Overflowing(value))
    assert result.status is Status.NOT_FINITE and not result.status.usable
    with pytest.raises(ValueError, match="no surface"):
        result.mesh()
    states = list(crevasse.iterate(normals, camera=camera, method=Overflowing(value)))
    assert {state.result().status for state in states} == {Status.NOT_FINITE}


def test_depth_that_no_mesh_can_hold_is_not_finite() -> None:
    camera, normals = crevasse.Perspective(30.0, 30.0, 11.5, 11.5), ball(24)[0]
    deep, deepest = (30.0 * math.log(10.0) * power for power in (150, 290))
    for value, status in ((deep, Status.CONVERGED), (deepest, Status.NOT_FINITE)):
        result = crevasse.integrate(normals, camera=camera, method=Overflowing(value))
        assert result.status is status
        if result.status.usable:
            assert np.isfinite(result.mesh("pixel").vertices).all()


def test_large_heights_of_parallel_rays_are_finite() -> None:
    result = crevasse.integrate(ball(24)[0], method=Overflowing(1e100))
    assert result.status is Status.CONVERGED
    assert np.isfinite(result.depth[result.mask]).all()


def test_the_command_line_writes_nothing(tmp_path: Path, overflowing: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("map.npy", ball(24)[0])
    done = CliRunner().invoke(cli, ["integrate", "map.npy", "-o", "out", "--method", "poisson"])
    assert done.exit_code == 4 and "no surface" in done.stderr
    assert not Path("out").exists()


def test_the_page_is_refused(tmp_path: Path, overflowing: None) -> None:
    state = WorkerState(pixels=10_000)
    state.answer({"kind": "open", "example": "islands", "side": 64})
    with pytest.raises(ValueError, match="no surface"):
        state.answer({"kind": "plain", "strokes": []})
    state.answer({"kind": "start", "method": "poisson", "settings": {}, "strokes": []})
    with pytest.raises(ValueError, match="no surface"):
        state.answer({"kind": "keep"})
    assert state.surfaces is not None and not state.surfaces.runs


@pytest.mark.parametrize("value", [10**400, -(10**400), 1 + 1j, np.complex128(1), "1", None, True, math.nan])
def test_cameras_with_parameters_that_are_not_numbers_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="finite number"):
        crevasse.Perspective(value, 1.0, 0.0, 0.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite number"):
        crevasse.Orthographic(value)  # type: ignore[arg-type]


def test_settings_may_be_numbers_of_numpy() -> None:
    normals, _ = ball(16)
    for cls in (crevasse.AuxiliaryEdges, crevasse.Bilateral, crevasse.Graduated):
        plain = crevasse.integrate(normals, method=cls(iterations=3))
        for three in (np.float32(3), np.int8(3), 3.0):
            other = crevasse.integrate(normals, method=cls(iterations=three))  # type: ignore[arg-type]
            np.testing.assert_array_equal(other.depth, plain.depth)
            assert isinstance(other.method.iterations, int)


def test_focal_lengths_that_differ_absurdly_are_refused() -> None:
    with pytest.raises(ValueError, match="oblong"):
        crevasse.Perspective(1e308, 9.0, 3.0, 3.0)


ABSURD = [
    ((30.0, 30.0, 1e300, 3.0), "cx is 1e[+]300 and fx is 30"),
    ((30.0, 30.0, 3.0, -1e100), "cy is -1e[+]100 and fy is 30"),
    ((1e300, 1e300, 3.0, 3.0), "fx is 1e[+]300; a focal length in pixels"),
    ((1e-300, 1e-300, 3.0, 3.0), "fx is 1e-300; a focal length in pixels"),
]
absurd = pytest.mark.parametrize(("numbers", "says"), ABSURD)


@absurd
def test_impossible_cameras_are_refused(numbers: tuple[float, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        crevasse.Perspective(*numbers)
    fx, fy, cx, cy = numbers
    with pytest.raises(ValueError, match=says):
        crevasse.integrate(ball(16)[0], camera=[[fx, 0, cx], [0, fy, cy], [0, 0, 1]])


@absurd
@pytest.mark.parametrize("command", ["integrate", "info"])
def test_files_of_impossible_cameras_are_refused(
    tmp_path: Path, numbers: tuple[float, ...], says: str, command: str
) -> None:
    np.save(tmp_path / "map.npy", ball(16)[0])
    fx, fy, cx, cy = numbers
    (tmp_path / "K.txt").write_text(f"{fx} 0 {cx}\n0 {fy} {cy}\n0 0 1\n")
    done = CliRunner().invoke(cli, [command, str(tmp_path / "map.npy"), "--camera", str(tmp_path / "K.txt")])
    assert done.exit_code == 3
    assert re.search(says, " ".join(done.stderr.split()))


def test_the_extreme_cameras_that_are_allowed_end_with_a_true_status() -> None:
    normals = scenes.smooth(16).normals
    for numbers in ((1e9, 1e9, 8.0, 8.0), (10.0, 10.0, 1e7, 3.0), (10.0, 10.0, 3.0, -1e7), (1e9, 1e9, 1e15, 3.0)):
        camera = crevasse.Perspective(*numbers)
        tilted = normals * [-np.sign(camera.cx) if abs(camera.cx) > 1e6 else 1.0, np.sign(camera.cy), 1.0]
        for method in METHODS.values():
            try:
                result = crevasse.integrate(tilted, camera=camera, method=method())
            except ValueError as refusal:
                assert "faces away" in str(refusal)
            else:
                finite = bool(np.isfinite(result.depth[result.mask]).all())
                assert finite != (result.status is Status.NOT_FINITE)


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_impossible_pixel_sizes_are_refused(size: float) -> None:
    with pytest.raises(ValueError, match="pixel_size is 1e"):
        crevasse.Orthographic(size)


@pytest.mark.parametrize("k22", [1e-310, 0.5])
def test_a_matrix_whose_scale_overflows_is_refused(k22: float) -> None:
    with pytest.raises(ValueError, match="fx is inf"):
        crevasse.Perspective.from_matrix([[1e308, 0, 3], [0, 1e308, 3], [0, 0, k22]])


@pytest.mark.parametrize("value", ["x", "4G", 1.5, -1, 0, True, [1], math.nan])
def test_invalid_memory_limits_are_refused(tmp_path: Path, value: object) -> None:
    np.save(tmp_path / "map.npy", ball(24)[0])
    for call in (
        lambda: crevasse.integrate(ball(24)[0], max_memory=value),  # type: ignore[arg-type]
        lambda: read_normals(tmp_path / "map.npy", max_memory=value),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="max_memory is"):
            call()


@pytest.mark.parametrize("size", [1e-155, 1e-160, 1e-162, 1e-170, 1e-310])
@pytest.mark.parametrize("name", METHODS)
def test_slopes_whose_squares_are_no_longer_numbers_are_a_plane(name, size):
    normals = np.tile([size, -0.3 * size, 1.0], (13, 17, 1))
    result = crevasse.integrate(normals, method=name)
    assert np.ptp(result.depth) < 1e-100
