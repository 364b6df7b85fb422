"""crevasse compare: what it prints, what it writes, and that nothing it is given breaks it."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from odd_methods import Broken, Interrupted, Whole

import crevasse
from crevasse import scenes
from crevasse.cli import chosen_methods
from crevasse.cli.main import cli
from crevasse.comparison.scores import EVALUATED
from crevasse.files.depth_files import write_image
from crevasse.files.locks import locked
from crevasse.files.result_folder import LOCK
from crevasse.methods import registry

FILES = {"table.txt", "table.csv", "table.tex", "table.json", "sheet.png", "result.json"}


def write_scene(folder, name, side=40, truth=True):
    """A scene in the field's layout."""
    scene = scenes.SCENES[name](side)
    folder.mkdir(parents=True)
    colours = np.rint((scene.normals + 1) * 32767.5).astype(np.uint16)
    write_image(folder / "normal_map.png", colours, {})
    write_image(folder / "mask.png", (scene.mask[..., None] * 255).astype(np.uint8), {})
    if truth:
        np.savez(folder / "depth_gt.npz", depth_gt=scene.depth)
    if scene.camera.curvature:
        np.savetxt(folder / "K.txt", scene.camera.matrix)


@pytest.fixture
def here(here, monkeypatch):
    write_scene(here / "maps" / "stairs", "stairs")
    write_scene(here / "maps" / "islands", "islands", truth=False)
    for method in (Whole, Broken, Interrupted):
        monkeypatch.setitem(registry.METHODS, method.name, method)
    return here


def run(*words, code=0, methods="poisson,bilateral"):
    done = CliRunner().invoke(cli, [*map(str, words), *(["--methods", methods] if methods else [])])
    assert done.exit_code == code, done.stderr
    return done


def test_one_map_leaves_its_tables_and_its_sheet(here):
    done = run("compare", "maps/stairs")
    folder = here / "stairs-comparison"
    assert set(os.listdir(folder)) == FILES
    assert done.stdout.startswith((folder / "table.txt").read_text().rstrip())
    lines = (folder / "table.csv").read_text().splitlines()
    assert [row["method"] for row in csv.DictReader(lines)] == ["poisson", "bilateral"]
    assert r"\toprule" in (folder / "table.tex").read_text()
    assert {str(folder.relative_to(here) / name) for name in FILES} <= set(done.stdout.split())
    assert "stairs poisson: " in done.stderr
    report = json.loads((folder / "result.json").read_text())
    assert report["methods"]["bilateral"]["k"] == 2.0 and not report["interrupted"]
    assert "--overwrite" in run("compare", "maps/stairs", code=2).stderr
    run("compare", "maps/stairs", "--overwrite", "--sheet", "none")
    assert set(os.listdir(folder)) == FILES - {"sheet.png"}


def test_json_is_one_document_of_the_contract(here):
    done = run("compare", "maps", "--json", "-o", "out")
    report = json.loads(done.stdout)
    assert done.stderr.count("poisson") == 0
    assert set(report) == {
        *("objects", "mean", "mean_unit", "mean_px", "means", "reference", "failed", "interrupted"),
    }
    assert set(report["objects"]) == {"stairs", "islands"}
    entry = report["objects"]["stairs"]["bilateral"]
    assert set(EVALUATED) <= set(entry) and isinstance(entry["made"], float)
    assert report["objects"]["islands"]["poisson"]["made"] is None
    assert report["objects"]["islands"]["poisson"]["difference_px"] == 0
    assert report["mean"]["poisson"] == report["objects"]["stairs"]["poisson"]["made"]
    assert report == json.loads((here / "out" / "table.json").read_text())
    assert {"sheet-stairs.png", "sheet-islands.png"} <= set(os.listdir("out"))


def test_evaluate_prints_the_same_numbers(here):
    compared = json.loads(run("compare", "maps/stairs", "--json").stdout)["objects"]["stairs"]
    evaluated = json.loads(run("evaluate", "maps", "--json").stdout)["objects"]["stairs"]
    for name, entry in evaluated.items():
        assert tuple(entry) == EVALUATED
        assert {**entry, "seconds": 0} == {key: compared[name][key] if key != "seconds" else 0 for key in EVALUATED}


def test_evaluate_views_are_beside_their_mean(here):
    report = json.loads(run("evaluate", "maps", "--json", "--views", "4").stdout)
    entry = report["objects"]["stairs"]["poisson"]
    assert len(entry["views"]) == 4
    assert entry["made"] == pytest.approx(np.mean(entry["views"]))
    assert "views" not in json.loads(run("evaluate", "maps", "--json").stdout)["objects"]["stairs"]["poisson"]
    run("evaluate", "maps", "--views", "5", code=2)


def test_a_refusal_or_crash_of_one_method_does_not_stop_the_others(here):
    done = run("compare", "maps/islands", "--json", methods="whole,poisson")
    entries = json.loads(done.stdout)["objects"]["islands"]
    assert entries["poisson"]["state"] == "done"
    write_scene(here / "holes", "holes")
    report = json.loads(run("compare", "holes", "--json", methods="whole,poisson").stdout)
    assert report["objects"]["holes"]["whole"]["state"] == "refused"
    assert "full rectangle" in report["objects"]["holes"]["whole"]["status"]
    told = run("compare", "holes", "-o", "b", methods="poisson,broken", code=5)
    assert "broken on holes" in told.stderr and "broken" in told.stdout
    assert "no method gave a result" in run("compare", "holes", "-o", "c", methods="whole", code=4).stderr
    done = run("evaluate", "holes", "--json", methods="poisson,whole", code=5)
    assert list(json.loads(done.stdout)["objects"]["holes"]) == ["poisson"]


def test_an_interrupted_comparison_leaves_a_valid_table(here):
    done = run("compare", "maps", "--json", "-o", "out", methods="poisson,interrupted,bilateral", code=130)
    report = json.loads(done.stdout)
    assert report["interrupted"]
    assert {name: list(entry) for name, entry in report["objects"].items()} == {"islands": ["poisson"]}
    assert report == json.loads(Path("out/table.json").read_text())
    assert Path("out/sheet-islands.png").stat().st_size > 1000
    run("compare", "maps", "-o", "nothing", methods="interrupted", code=130)
    assert not Path("nothing").exists()


def test_an_interrupted_comparison_does_not_replace_a_whole_one(here):
    run("compare", "maps", "-o", "out")
    before = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    again = ["compare", "maps", "-o", "out", "--overwrite"]
    done = run(*again, methods="poisson,interrupted", code=130)
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == before
    assert "out keeps the earlier comparison" in done.stderr and "poisson" in done.stdout
    assert json.loads(run(*again, "--json", methods="poisson,interrupted", code=130).stdout)["interrupted"]


def test_two_comparisons_do_not_share_a_folder(here):
    Path("out").mkdir()
    with locked(Path("out") / LOCK, ""):
        assert "another process" in run("compare", "maps/stairs", "-o", "out", code=4).stderr
    assert os.listdir("out") == []
    main = [sys.executable, "-c", "from crevasse.cli.main import main; main()"]
    words = [*main, "compare", "maps/stairs", "-o", "both", "--methods", "poisson"]
    runs = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
    codes = [run.wait() for run in runs]
    assert 0 in codes and set(codes) <= {0, 2, 4}
    assert set(os.listdir("both")) == FILES


def test_hostile_names_stay_in_the_folder_and_off_the_terminal(here):
    names = ["..\x1b[2J", "a_b%&#$", "A_b%&#$", "con", "x\ny"]
    for name in names:
        write_scene(here / "odd" / name, "stairs", side=16)
    done = run("compare", "odd", "-o", "out", methods="poisson")
    assert "\x1b" not in done.stdout + done.stderr
    written = sorted(os.listdir("out"))
    assert len([name for name in written if name.startswith("sheet-")]) == len(names)
    assert len({name.casefold() for name in written}) == len(written)
    assert sorted(os.listdir(here)) == ["maps", "odd", "out"]
    objects = json.loads(Path("out/table.json").read_text())["objects"]
    assert len(objects) == len(names)
    assert r"a\_b\%\&\#\$" in Path("out/table.tex").read_text()


def test_a_map_that_cannot_be_read_is_reported(here):
    (here / "maps" / "torn").mkdir()
    (here / "maps" / "torn" / "normal_map.png").write_bytes(b"no picture")
    done = run("compare", "maps", "--json", "-o", "out", code=5)
    report = json.loads(done.stdout)
    assert set(report["failed"]) == {"torn"} and set(report["objects"]) == {"stairs", "islands"}
    run("compare", "maps/torn", code=3)
    run("compare", "nowhere.png", code=3)
    np.save("nan.npy", np.full((8, 8, 3), np.nan))
    run("compare", "nan.npy", code=3)
    assert sorted(os.listdir(here)) == ["maps", "nan.npy", "out"], "no empty folders are left"


def test_errors_about_invalid_arguments_name_the_cure(here):
    told = run("compare", "maps/stairs", methods="bilatral", code=2).stderr
    assert "did you mean bilateral?" in told
    assert "no method is named" in run("compare", "maps/stairs", methods=",", code=2).stderr
    for words, reason in (
        (("--set", "bilateral.k"), "not a setting such as bilateral.k=4"),
        (("--set", "bilateral.q=1"), "it has k, "),
        (("--set", "bilateral.k=x"), "not a valid"),
        (("--set", "bilateral.k=-1"), "it must be a number from 0"),
        (("--set", "graduated.starts=2"), "not among the methods"),
        (("--reference", "magic"), "give one of poisson, bilateral"),
    ):
        assert reason in run("compare", "maps/stairs", *words, code=2).stderr
    told = run("compare", "maps/stairs", "-o", "maps/stairs/normal_map.png", code=4).stderr
    assert "is a file" in told


def test_a_setting_reaches_its_method(here):
    write_scene(here / "demo", "demo")
    plain, other = (
        json.loads(run("compare", "demo", "--json", "-o", name, *words).stdout)["objects"]["demo"]
        for name, words in (("a", ()), ("b", ("--set", "bilateral.iterations=1")))
    )
    assert plain["poisson"]["made"] == other["poisson"]["made"]
    assert other["bilateral"]["iterations"] == 1 < plain["bilateral"]["iterations"]


def test_all_means_every_method_that_is_registered(monkeypatch):
    monkeypatch.setitem(registry.METHODS, Whole.name, Whole)
    assert chosen_methods.MethodNames().convert("all", None, None) == list(registry.METHODS)
    assert crevasse.compare(scenes.stairs(16), "all", sheets=False).methods == tuple(registry.METHODS)


def test_results_never_land_in_the_input(here, monkeypatch):
    monkeypatch.chdir(here / "maps" / "stairs")
    before = set(os.listdir("."))
    assert "name another one with -o" in run("compare", ".", code=2).stderr
    os.rename("mask.png", "sheet.png")
    told = run("compare", ".", "-o", ".", "--mask", "sheet.png", "--overwrite", code=2).stderr
    assert "is an input of this run" in told
    assert set(os.listdir(".")) == before - {"mask.png"} | {"sheet.png"}
