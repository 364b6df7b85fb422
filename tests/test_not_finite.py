"""A surface that is not finite is told by its status, and is an error at every door."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball

import crevasse
from crevasse.cli.main import cli
from crevasse.files import read_normals
from crevasse.methods.problem import Outcome, Problem, Run, Step
from crevasse.result import Status
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


def test_large_heights_of_parallel_rays_are_finite() -> None:
    result = crevasse.integrate(ball(24)[0], method=Overflowing(1e100))
    assert result.status is Status.CONVERGED
    assert np.isfinite(result.depth[result.mask]).all()


def test_the_command_line_writes_nothing(tmp_path: Path, overflowing: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("map.npy", ball(24)[0])
    done = CliRunner().invoke(cli, ["integrate", "map.npy", "-o", "out", "--method", "poisson"])
    assert done.exit_code == 4 and "no surface" in done.stderr
    assert not list(Path("out").iterdir())


def test_the_page_is_refused(tmp_path: Path, overflowing: None) -> None:
    state = WorkerState(pixels=10_000)
    state.answer({"kind": "open", "example": "islands", "side": 64})
    with pytest.raises(ValueError, match="no surface"):
        state.answer({"kind": "plain", "strokes": []})
    state.answer({"kind": "start", "method": "poisson", "settings": {}, "strokes": []})
    with pytest.raises(ValueError, match="no surface"):
        state.answer({"kind": "keep"})
    assert not state.finished


@pytest.mark.parametrize("value", [10**400, -(10**400), 1 + 1j, np.complex128(1), "1", None, True, math.nan])
def test_cameras_of_no_numbers_are_refused(value: object) -> None:
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


@pytest.mark.parametrize("value", ["x", "4G", 1.5, -1, 0, True, [1], math.nan])
def test_limits_of_memory_that_are_none_are_refused(tmp_path: Path, value: object) -> None:
    np.save(tmp_path / "map.npy", ball(24)[0])
    for call in (
        lambda: crevasse.integrate(ball(24)[0], max_memory=value),  # type: ignore[arg-type]
        lambda: read_normals(tmp_path / "map.npy", max_memory=value),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="max_memory is"):
            call()
