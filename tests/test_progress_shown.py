"""What people see of the progress: one total over all phases, a time left, lines in logs."""

import io
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from crevasse import scenes
from crevasse.cli.main import cli
from crevasse.progress import PhaseClock, show_progress

PLAN = {"reading": 10.0, "integrating": 60.0, "writing": 30.0}


def test_progress_has_one_total_that_never_goes_back_and_always_a_time_left():
    clock = PhaseClock(PLAN)
    steps = [
        ("reading", 0.0, 0.0),
        ("integrating", 0.0, 10.0),
        ("integrating", 0.5, 40.0),
        ("integrating", 0.4, 45.0),
        ("writing depth.npy", 0.0, 70.0),
        ("writing mesh.ply", 0.5, 85.0),
        ("writing mesh.ply", 1.0, 100.0),
    ]
    seen = [clock.update(*step) for step in steps]
    assert [share for share, _ in seen] == pytest.approx([0.0, 0.1, 0.4, 0.4, 0.7, 0.85, 1.0])
    assert [left for _, left in seen] == [
        "estimating the time left",
        "about 90 s left",
        "about 60 s left",
        "about 69 s left",
        "about 30 s left",
        "about 15 s left",
        "about 1 s left",
    ]


def test_a_phase_that_is_slower_than_planned_shows_in_the_time_left_at_once():
    clock = PhaseClock(PLAN)
    clock.update("integrating", 0.0, 0.0)
    clock.update("writing", 0.0, 7.0)
    share, left = clock.update("writing", 0.1, 27.0)
    assert (share, left) == (pytest.approx(0.73), "about 3 min left")


def test_a_phase_that_was_not_planned_keeps_the_total():
    clock = PhaseClock()
    clock.update("integrating", 0.6, 3.0)
    assert clock.update("measuring", 0.5, 4.0)[0] == pytest.approx(0.6)


def test_a_log_gets_a_line_now_and_then(monkeypatch):
    log, now = io.StringIO(), [0.0]
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr("crevasse.progress.time.perf_counter", lambda: now[0])
    with show_progress("coin", plan=PLAN) as report_progress:
        for second in range(25):
            now[0] = float(second)
            report_progress("integrating", second / 50)
    assert log.getvalue().splitlines() == [
        "coin: integrating, 22%, about 54 s left",
        "coin: integrating, 34%, about 48 s left",
    ]
    log.truncate(0)
    with show_progress("coin", quiet=True) as report_progress:
        now[0] = 1e3
        report_progress("integrating", 0.5)
    assert log.getvalue() == ""


def test_a_run_reports_reading_integrating_and_writing_with_one_total(monkeypatch, tmp_path):
    scene = scenes.disc(48)
    np.save(tmp_path / "map.npy", scene.normals)
    shares = []
    update = PhaseClock.update

    def record(self, phase, share, now):
        found = update(self, phase, share, now)
        shares.append((phase.split()[0], found[0]))
        return found

    monkeypatch.setattr(PhaseClock, "update", record)
    words = ["integrate", str(tmp_path / "map.npy"), "-o", str(tmp_path / "out"), "--decimate", "50%"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    assert list(dict.fromkeys(phase for phase, _ in shares)) == ["reading", "integrating", "writing"]
    assert [share for _, share in shares] == sorted(share for _, share in shares)
    assert shares[-1][1] > 0.9
