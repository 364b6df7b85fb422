"""A result's folder holds one whole result, whatever happens to its writers."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import numpy as np
import pytest
from command import run
from maps import ball

import crevasse
from crevasse.files import result_folder
from crevasse.files.errors import AlreadyThere, BadOutput, Busy
from crevasse.files.identity import differences, identify_scene
from crevasse.files.locks import locked
from crevasse.files.names import plain_text, safe_name
from crevasse.files.outputs import Wanted, write_outputs
from crevasse.files.result_folder import COMPLETE, LOCK, claimed, finish, staged


@pytest.fixture
def here(here):
    np.save("map.npy", ball(24)[0])
    return here


def content(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_existing_results_are_kept_unless_overwriting_is_asked_for(tmp_path):
    (tmp_path / "depth.npy").touch()
    refusal = pytest.raises(
        AlreadyThere, match=r"already holds depth\.npy; choose another place, or pass overwrite=True"
    )
    with refusal, claimed(tmp_path, ["depth.npy", "result.json"], overwrite=False):
        pass
    with claimed(tmp_path, ["depth.npy", "result.json"], overwrite=True):
        pass
    assert os.listdir(tmp_path) == ["depth.npy"]


def hold(path, ready, end):
    with locked(path, "held"):
        ready.set()
        end.wait()


def test_one_writer_per_folder_and_a_killed_one_holds_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    ready, end = context.Event(), context.Event()
    other = context.Process(target=hold, args=(tmp_path / LOCK, ready, end))
    other.start()
    try:
        assert ready.wait(timeout=600), "the other process has not begun"
        with pytest.raises(Busy, match="is being written by another process"), claimed(tmp_path, [], True):
            pass
    finally:
        other.kill()
        other.join()
    assert (tmp_path / LOCK).exists(), "what a killed process leaves behind"
    with claimed(tmp_path, [], True):
        pass
    assert os.listdir(tmp_path) == []


def test_a_shared_lock_excludes_only_exclusive_ones(tmp_path):
    path = tmp_path / "lock"
    with locked(path, "", shared=True):
        with locked(path, "", shared=True), pytest.raises(Busy), locked(path, ""):
            pass
        with pytest.raises(Busy), locked(path, ""):
            pass
    with locked(path, ""), pytest.raises(Busy), locked(path, "", shared=True):
        pass
    assert not path.exists()


def test_the_old_result_stays_until_the_new_one_is_complete(here):
    run("integrate", "map.npy", "-o", "out", "--mesh-format", "glb")
    before = content("out")
    np.save("bad.npy", np.zeros((24, 24, 3)))
    run("integrate", "bad.npy", "-o", "out", "--overwrite", code=3)
    assert content("out") == before
    result = crevasse.integrate(ball(24)[0], method=crevasse.Poisson())
    with pytest.raises(BadOutput), staged(Path("out")) as staging:
        (staging / "depth.npy").write_bytes(b"half")
        raise BadOutput("the disk is full")
    assert content("out") == before
    write_outputs(Path("out"), result, Wanted(), {"name": "x"})
    report = json.loads(Path("out/result.json").read_text())
    assert sorted(os.listdir("out")) == sorted(report["outputs"].values()), "nothing of the old result is left"


@pytest.mark.parametrize("moves", range(4))
def test_a_complete_result_whose_writer_was_killed_is_moved_into_place(tmp_path, monkeypatch, moves):
    (tmp_path / "result.json").write_text('{"outputs": {"mesh": "mesh.glb", "report": "result.json"}}')
    (tmp_path / "mesh.glb").touch()
    replace, left = os.replace, [moves + 1]

    def killed(*paths):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        replace(*paths)

    monkeypatch.setattr(result_folder.os, "replace", killed)
    new = {name: f"{name} is new" for name in ("depth.npy", "mesh.ply", "result.json")}
    try:
        with staged(tmp_path) as staging:
            for name, text in new.items():
                (staging / name).write_text(text)
    except KeyboardInterrupt:
        assert not (tmp_path / "result.json").exists(), "a mixture must not look complete"
    monkeypatch.undo()
    finish(tmp_path)
    finish(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == new


def test_an_empty_place_of_a_complete_result_harms_nothing(tmp_path):
    """The moment between the last file and the removal of the folder that it came from."""
    (tmp_path / COMPLETE).mkdir()
    (tmp_path / "result.json").write_text('{"outputs": {"depth": "depth.npy", "report": "result.json"}}')
    (tmp_path / "depth.npy").touch()
    finish(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["depth.npy", "result.json"]


def test_an_output_never_replaces_an_input(here):
    Path("out").mkdir()
    os.link("map.npy", "out/depth.npy")
    before = Path("map.npy").read_bytes()
    said = run("integrate", "out/depth.npy", "-o", "out", "--overwrite", code=2).stderr
    assert "is an input of this run" in said
    said = run("integrate", "map.npy", "-o", "out", "--overwrite", code=2).stderr
    assert "is an input of this run" in said
    assert Path("out/depth.npy").read_bytes() == before


def test_forged_reports_remove_nothing_elsewhere(tmp_path):
    (tmp_path / "precious").touch()
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "result.json").write_text('{"outputs": {"a": "../precious", "b": 3, "c": "..", "d": "/etc/passwd"}}')
    with staged(folder) as staging:
        (staging / "result.json").write_text("{}")
    assert (tmp_path / "precious").exists()


def test_a_result_records_what_it_was_made_from(here):
    run("integrate", "map.npy", "-o", "a", "--method", "poisson", "--pixel-size", "2")
    run("integrate", "map.npy", "-o", "b", "--method", "poisson", "--pixel-size", "2")
    run("integrate", "map.npy", "-o", "c", "--method", "poisson", "--pixel-size", "3")
    identities = [json.loads(Path(folder, "result.json").read_text())["identity"] for folder in "abc"]
    assert identities[0]["version"] == crevasse.__version__
    assert identities[0]["inputs"]["normal map"].startswith("sha256:")
    assert differences(identities[0], identities[1]) == []
    assert differences(identities[0], identities[2]) == ["pixel_size was 2.0 and is 3.0"]
    assert differences(None, identities[0])


def test_results_of_scenes_have_an_identity_too(here):
    made = identify_scene("demo", crevasse.Graduated(), Wanted())
    assert made["inputs"] == {"scene": "demo"} and made["version"] == crevasse.__version__
    assert differences(made, identify_scene("demo", crevasse.Graduated(), Wanted())) == []
    assert differences(made, identify_scene("demo", crevasse.Poisson(), Wanted()))


@pytest.mark.parametrize(
    "text", ["", ".", "..", "...", " ", "a/b", "a\\b", "CON", "aux.png", "x" * 500, "é" * 300, "a\n"]
)
def test_names_of_results_are_plain(text):
    name = safe_name(text)
    assert name not in ("", ".", "..") and not set(name) & set('/\\:*?"<>|\n')
    assert len(name.encode()) <= 200 and name == name.strip(" .")
    assert name.partition(".")[0].upper() not in ("CON", "AUX")
    assert safe_name(name) == name


def test_plain_text_steers_no_terminal():
    assert plain_text("a\x1b[2J\udcff\u202eb") == "a\\x1b[2J\\udcff\\u202eb"
    assert plain_text("ünï ☃ 💥") == "ünï ☃ 💥"


def test_the_default_folder_stays_here(here):
    Path("sub").mkdir()
    os.chdir("sub")
    Path("...npy").write_bytes(Path("../map.npy").read_bytes())
    run("integrate", "...npy", "--method", "poisson")
    assert Path("map/depth.npy").exists()
