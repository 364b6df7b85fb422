"""Many maps: one bad one stops none, and a batch killed at any moment loses none and does none twice."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import write_folder

from crevasse.cli.main import cli
from crevasse.cli.workers import run_tasks
from crevasse.files.manifest import append_manifest, read_manifest

COUNT = 5


@pytest.fixture
def here(here):
    for number in range(COUNT):
        write_folder(here / "maps" / f"map{number}", 24 + number)
    return here


def batch(*words, code=0):
    result = CliRunner().invoke(cli, ["batch", "-o", "out", "--method", "poisson", *words])
    assert result.exit_code == code, result.stderr
    return result


def lines():
    return [json.loads(line) for line in Path("out/manifest.jsonl").read_text().splitlines()]


def test_a_bad_map_is_reported_and_does_not_stop_the_others(here):
    Path("maps/map2/normal_map.png").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    done = batch("maps", "missing.png", "-j", "2", "--json", code=5)
    report = json.loads(done.stdout)
    assert (report["done"], report["failed"]) == (COUNT - 1, 2)
    failed = {entry["input"]: entry["error"] for entry in lines() if entry["state"] == "failed"}
    assert set(failed) == {"maps/map2", "missing.png"}
    assert failed["missing.png"] == "missing.png does not exist"
    assert "is damaged" in failed["maps/map2"]
    assert f"2 of {COUNT + 1} maps failed" in done.stderr
    assert "missing.png  missing.png does not exist" in done.stderr
    for entry in lines():
        assert {"input", "state", "seconds", "error"} <= set(entry)
        assert (Path("out") / entry["output"] / "depth.npy").exists() == (entry["state"] == "done")


def test_results_are_those_of_integrate(here):
    batch("maps/map1", "-j", "1")
    single = CliRunner().invoke(cli, ["integrate", "maps/map1", "-o", "single", "--method", "poisson"])
    assert single.exit_code == 0
    np.testing.assert_array_equal(np.load("out/map1/depth.npy"), np.load("single/depth.npy"))


def test_patterns_lists_and_equal_names(here):
    write_folder(here / "more" / "map1", 20)
    Path("list.txt").write_text("maps/map0\n\nmore/map1\n")
    batch("maps/map[12]", "--list", "list.txt", "-j", "2")
    assert {entry["input"]: entry["output"] for entry in lines()} == {
        "maps/map1": "map1",
        "maps/map2": "map2",
        "maps/map0": "map0",
        "more/map1": "map1-2",
    }
    assert np.load("out/map1-2/depth.npy").shape == (20, 20)


def test_no_input_no_match_and_a_manifest_in_the_way(here):
    assert "no inputs" in batch(code=2).stderr
    assert "no file fits the pattern 'nothing*'" in batch("nothing*", code=3).stderr
    batch("maps/map0")
    assert "already holds manifest.jsonl; pass --resume" in batch("maps/map0", code=2).stderr
    batch("maps/map0", "--overwrite")
    assert len(lines()) == 1


def test_results_do_not_land_in_the_input_folders(here):
    before = sorted(os.listdir("maps/map0"))
    CliRunner().invoke(cli, ["batch", "maps/map0", "-o", "maps", "--method", "poisson"])
    assert sorted(os.listdir("maps/map0")) == before
    assert Path("maps/map0-result/depth.npy").exists()


def states():
    return {entry["input"]: entry["state"] for entry in read_manifest(Path("out"))}


def test_resume_does_what_is_left_and_retries_the_same_files_on_request_only(here):
    Path("maps/map3/normal_map.png").write_bytes(b"no picture")
    batch("maps/map0", "maps/map3", code=5)
    stamp = Path("out/map0/depth.npy").stat().st_mtime_ns
    again = batch("maps/map0", "maps/map3", "maps/map4", "--resume", code=5)
    assert "--retry-failed" in again.stderr and "made again" not in again.stderr
    assert Path("out/map0/depth.npy").stat().st_mtime_ns == stamp
    assert states() == {"maps/map0": "done", "maps/map3": "failed", "maps/map4": "done"}
    written = Path("out/manifest.jsonl").read_bytes()
    batch("maps/map0", "maps/map3", "maps/map4", "--resume", code=5)
    assert Path("out/manifest.jsonl").read_bytes() == written
    batch("maps/map0", "maps/map3", "maps/map4", "--resume", "--retry-failed", code=5)
    assert Path("out/manifest.jsonl").read_bytes() != written


@pytest.mark.parametrize("missing", [False, True])
def test_a_failed_map_whose_files_were_repaired_is_tried_again(here, missing):
    file = Path("maps/map3/normal_map.png")
    good = file.read_bytes()
    if missing:
        file.unlink()
    else:
        file.write_bytes(b"no picture")
    batch("maps/map0", "maps/map3", code=5)
    file.write_bytes(good)
    said = batch("maps/map0", "maps/map3", "--resume").stderr
    assert "maps/map3: made again, since it failed, and" in said
    assert states() == {"maps/map0": "done", "maps/map3": "done"}


def test_a_map_with_a_truncated_line_is_integrated_again(here):
    batch("maps/map0", "maps/map1", "-j", "1")
    whole = Path("out/manifest.jsonl").read_bytes()
    Path("out/manifest.jsonl").write_bytes(whole[:-20])
    batch("maps/map0", "maps/map1", "--resume")
    assert sorted(entry["input"] for entry in lines()) == ["maps/map0", "maps/map1"]


def wait_for(condition):
    """Wait until a condition holds; a test that waits for ever is ended from outside."""
    while not condition():
        time.sleep(0.01)


def start(*words):
    program = [sys.executable, "-c", "from crevasse.cli.main import main; main()"]
    return subprocess.Popen([*program, "batch", "maps", "-o", "out", "-j", "2", *words], stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("finished", [0, 2])
def test_killed_at_any_moment_and_resumed_every_map_is_done_once(here, finished):
    running = start("--method", "bilateral")
    if finished:
        wait_for(lambda: len(read_manifest(Path("out"))) >= finished)
    else:
        wait_for(lambda: any(Path("out").glob("map*")))
    running.kill()
    running.wait()
    before = {
        entry["input"]: (Path("out") / entry["output"] / "depth.npy").stat() for entry in read_manifest(Path("out"))
    }
    assert start("--method", "bilateral", "--resume").wait() == 0
    entries = lines()
    assert sorted(entry["input"] for entry in entries) == [f"maps/map{number}" for number in range(COUNT)]
    assert {entry["state"] for entry in entries} == {"done"}
    for entry in entries:
        path = Path("out") / entry["output"] / "depth.npy"
        assert np.load(path).shape == (24 + int(entry["input"][-1]),) * 2
        if entry["input"] in before:
            assert path.stat().st_mtime_ns == before[entry["input"]].st_mtime_ns
    assert not list(Path("out").glob("**/.*.part*"))


def test_workers_do_not_outlive_a_killed_parent(here):
    code = (
        "import sys, time, os\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from test_batch import sleeper\n"
        "from crevasse.cli.workers import run_tasks\n"
        "if __name__ == '__main__':\n"
        "    list(run_tasks(sleeper, ['pid'], 1))\n"
    )
    Path("program.py").write_text(code)
    parent = subprocess.Popen([sys.executable, "program.py", str(Path(__file__).parent)])
    wait_for(lambda: Path("pid").exists() and Path("pid").read_text().endswith("\n"))
    worker = int(Path("pid").read_text())
    parent.kill()
    parent.wait()
    wait_for(lambda: not alive(worker))


def sleeper(name):
    """A task that says who does it and does not end."""
    Path(name).write_text(f"{os.getpid()}\n")
    time.sleep(3600)


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def square_or_die(number):
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 4:
        raise ValueError("four is refused")
    return number * number


@pytest.mark.parametrize("count", [1, 2])
def test_a_dying_worker_fails_only_its_own_task(count):
    ends = sorted(run_tasks(square_or_die, [1, 2, 3, 4, 5], count))
    assert [end.result for end in ends] == [1, 4, None, None, 25]
    assert [end.error for end in ends if end.error is None] == [None] * 3
    assert "the worker process died (SIGKILL)" in ends[2].error
    assert ends[3].error == "four is refused"


def test_the_manifest_survives_a_cut_line(tmp_path):
    append_manifest(tmp_path, {"input": "a", "state": "done"})
    with open(tmp_path / "manifest.jsonl", "ab") as stream:
        stream.write(b'{"input": "b", "sta')
    assert [entry["input"] for entry in read_manifest(tmp_path)] == ["a"]
