"""The animation: which iterations it shows, and that taking it leaves the run alone."""

import io
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import crevasse
from crevasse import pictures, scenes
from crevasse.pictures.animation import energy_curve, residual_jumps

SHAPE = (24, 32)


def opening_run(iterations):
    """A run that lifts the right half of a plane by a pixel every iteration."""
    mask = np.ones(SHAPE, bool)
    flat = np.zeros(SHAPE, np.float32)
    right = np.arange(SHAPE[1]) >= 16
    for i in range(1, iterations + 1):
        surface = SimpleNamespace(heights=-float(i) * right + np.zeros(SHAPE), mask=mask, steepness=(flat, flat))
        yield SimpleNamespace(iteration=i, total=iterations, start=0, energy=100.0 / i, surface=surface)


@pytest.fixture(scope="module")
def film():
    film = pictures.Film(size=48)
    for _ in film.watch(opening_run(200)):
        pass
    return film


def test_early_iterations_are_all_shown_and_late_ones_less_and_less(film):
    shown = [shot.iteration for shot in film.shots]
    assert shown[:8] == list(range(1, 9))
    assert shown[-1] == 200
    assert len(shown) < 45
    assert max(b / a for a, b in pairwise(shown[7:])) < 1.3


def test_of_later_starts_only_the_end_is_shown():
    states = list(opening_run(90))
    for state in states[30:]:
        state.start = 1
    film = pictures.Film()
    list(film.watch(states))
    shown = [shot.iteration for shot in film.shots]
    assert shown[-1] == 90
    assert all(iteration <= 30 for iteration in shown[:-1])


def test_watching_passes_every_state_on():
    states = list(opening_run(30))
    assert list(pictures.Film().watch(states)) == states


def test_a_run_that_is_stopped_ends_with_the_state_it_was_stopped_at():
    film = pictures.Film()
    run = film.watch(opening_run(200))
    for state in run:
        if state.iteration == 37:
            break
    run.close()
    assert film.shots[-1].iteration == 37
    assert film.shots[-1].heights.min() == -37


def test_frames_show_the_surface_opening(film):
    frames = film.frames()
    assert len({frame.shape for frame in frames}) == 1
    lines = [np.abs(frame[..., 0].astype(int) - frame[..., 2])[:, -32:].max() for frame in (frames[0], frames[-1])]
    assert (frames[0] != frames[-1]).any()
    assert lines[-1] > 60


@pytest.mark.parametrize("kind", ["webp", "gif"])
def test_the_file_has_every_frame_and_rests_on_the_last(film, kind):
    from PIL import Image

    image = Image.open(io.BytesIO(film.encode(kind)))
    assert image.n_frames == len(film.shots)
    durations = []
    for i in range(image.n_frames):
        image.seek(i)
        image.load()
        durations.append(image.info["duration"])
    assert durations[-1] > 5 * max(durations[:-1])


def test_an_unknown_kind_is_refused(film):
    with pytest.raises(ValueError, match="'avi'"):
        film.encode("avi")


def test_an_empty_film_is_refused():
    with pytest.raises(ValueError, match="the film is empty"):
        pictures.Film().frames()


def test_jumps_are_what_the_slopes_do_not_explain():
    columns = np.arange(10.0) * 0.5 + np.zeros((6, 1))
    slopes = (np.full((6, 10), 0.5), np.zeros((6, 10)))
    mask = np.ones((6, 10), bool)
    assert np.abs(residual_jumps(columns, slopes, mask)).max() < 1e-12
    columns[:, 5:] += 3
    jumps = residual_jumps(columns, slopes, mask)
    assert (jumps[:, 4] == 3).all()
    assert np.count_nonzero(jumps) == 6


def test_the_mark_moves_along_the_energy_curve():
    energies = [100.0 / i for i in range(1, 61)]
    early, late = (energy_curve(energies, now, 40, 200).astype(int) for now in (0, 59))
    marked = [np.flatnonzero((curve[..., 0] - curve[..., 2] > 60).any(axis=0)) for curve in (early, late)]
    assert marked[0].max() < 10
    assert marked[1].min() > 190


def test_a_real_run_can_be_filmed():
    scene = scenes.disc(48)
    film = pictures.Film(size=48)
    for state in film.watch(crevasse.iterate(scene.normals, scene.mask, scene.camera)):
        last = state
    window = film.shots[-1].heights
    assert film.shots[-1].iteration == last.iteration
    assert np.ptp(window) == pytest.approx(np.ptp(last.surface.heights), rel=1e-5)
