"""A batch claims only what is its own, shares its folder with no other, and keeps its results inside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from maps import ball

from crevasse.cli.main import cli
from crevasse.files.batch_page import index_page
from crevasse.files.manifest import append_manifest, read_manifest

POISSON = ("--method", "poisson", "-j", "1")


@pytest.fixture
def here(here):
    for folder, side in (("a", 20), ("b", 24)):
        Path(folder).mkdir()
        np.save(f"{folder}/foo.npy", ball(side)[0])
    return here


def batch(*words, code=0):
    done = CliRunner().invoke(cli, ["batch", "-o", "out", *POISSON, *words])
    assert done.exit_code == code, done.stderr
    return done


def lines():
    return [json.loads(line) for line in Path("out/manifest.jsonl").read_text().splitlines()]


def side(folder):
    return np.load(f"out/{folder}/depth.npy").shape[0]


def test_another_map_s_result_is_not_claimed(here):
    batch("a/foo.npy")
    batch("b/foo.npy", "--resume")
    assert {entry["input"]: side(entry["output"]) for entry in lines()} == {"a/foo.npy": 20, "b/foo.npy": 24}
    Path("out/manifest.jsonl").unlink()
    batch("b/foo.npy", "--resume")
    assert (side("foo"), side(lines()[0]["output"])) == (20, 24), "the other map's result is still there"


def test_a_changed_input_is_integrated_again_and_the_reason_is_printed(here):
    batch("a/foo.npy", "b/foo.npy")
    kept = Path("out/foo-2/depth.npy").stat().st_mtime_ns
    np.save("a/foo.npy", ball(28)[0])
    said = batch("a/foo.npy", "b/foo.npy", "--resume").stderr
    assert "a/foo.npy: made again, since the content of normal map changed" in said
    assert side("foo") == 28
    assert Path("out/foo-2/depth.npy").stat().st_mtime_ns == kept
    assert len(read_manifest(Path("out"))) == 2


def test_a_missing_or_foreign_result_is_made_again(here):
    batch("a/foo.npy")
    Path("out/foo/mesh.ply").unlink()
    assert "mesh.ply is gone" in batch("a/foo.npy", "--resume").stderr
    report = json.loads(Path("out/foo/result.json").read_text())
    Path("out/foo/result.json").write_text(json.dumps({**report, "identity": None}))
    assert "its inputs and settings are not recorded" in batch("a/foo.npy", "--resume").stderr
    newer = {**report["identity"], "version": "99"}
    Path("out/foo/result.json").write_text(json.dumps({**report, "identity": newer}))
    assert "version was 99" in batch("a/foo.npy", "--resume").stderr
    assert "made again" not in batch("a/foo.npy", "--resume").stderr


def test_other_settings_are_refused_and_shown(here):
    batch("a/foo.npy")
    before = Path("out/foo/result.json").read_bytes()
    said = batch("a/foo.npy", "--resume", "--pixel-size", "2", code=2).stderr
    assert "pixel_size was absent and is 2.0" in said and "--overwrite" in said
    assert Path("out/foo/result.json").read_bytes() == before
    batch("a/foo.npy", "--overwrite", "--pixel-size", "2")
    assert json.loads(Path("out/foo/result.json").read_text())["camera"]["pixel_size"] == 2


def test_overwriting_keeps_the_old_result_until_the_new_one_is_there(here):
    batch("a/foo.npy")
    before = Path("out/foo/result.json").read_bytes()
    Path("a/foo.npy").write_bytes(b"no map")
    batch("a/foo.npy", "--overwrite", code=5)
    assert Path("out/foo/result.json").read_bytes() == before
    assert side("foo") == 20


@pytest.mark.parametrize("name", ["...npy", "....npy", "CON.npy", " .npy", "manifest.jsonl.npy", "index.html.npy"])
def test_no_result_leaves_its_folder(here, name):
    Path(name).write_bytes(Path("a/foo.npy").read_bytes())
    before = set(os.listdir("."))
    batch(name)
    assert set(os.listdir(".")) == before | {"out"}
    assert np.load(Path("out", lines()[0]["output"], "depth.npy")).shape == (20, 20)


def test_forged_lines_of_the_manifest_lead_nowhere(here):
    batch("a/foo.npy")
    for line in ('{"input": "b/foo.npy", "state": "done", "output": "../b"}', '{"input": "x"}', "[" * 100_000):
        with open("out/manifest.jsonl", "a") as stream:
            stream.write(line + "\n")
    batch("a/foo.npy", "b/foo.npy", "--resume")
    assert os.listdir("b") == ["foo.npy"]


def test_names_keep_their_folders(here):
    batch("a/foo.npy", "b/foo.npy", "--name", "{parent}-{stem}")
    assert sorted(entry["output"] for entry in lines()) == ["a-foo", "b-foo"]
    assert "{stem}, {parent}, {name}" in batch("a/foo.npy", "--name", "{0.__class__}", code=2).stderr
    assert "--name" in batch("a/foo.npy", "--name", "same", code=2).stderr


def test_names_that_differ_in_case_only_get_folders_of_their_own(here):
    Path("b/FOO.npy").write_bytes(Path("b/foo.npy").read_bytes())
    batch("a/foo.npy", "b/FOO.npy")
    assert sorted(entry["output"] for entry in lines()) == ["FOO-2", "foo"]


def test_parts_make_the_whole(here):
    sources = []
    for number in range(7):
        np.save(f"m{number}.npy", ball(16 + number)[0])
        sources.append(f"m{number}.npy")
    for part in (3, 1, 2):
        batch(*sources, "--shard", f"{part}/3")
    assert sorted(entry["input"] for entry in lines()) == sources
    assert {entry["input"]: side(entry["output"]) for entry in lines()} == {f"m{k}.npy": 16 + k for k in range(7)}
    assert "begun with other settings" in batch(*sources, "--shard", "1/3", "--pixel-size", "3", code=2).stderr
    for wrong in ("0/3", "4/3", "1", "a/b"):
        batch(*sources, "--shard", wrong, code=2)


def start(*words):
    program = [sys.executable, "-c", "from crevasse.cli.main import main; main()", "batch", "-o", "out", *POISSON]
    return subprocess.Popen([*program, *words], stderr=subprocess.PIPE, text=True)


def test_two_batches_in_one_folder_process_each_map_once(here):
    sources = []
    for number in range(6):
        np.save(f"m{number}.npy", ball(48)[0])
        sources.append(f"m{number}.npy")
    both = [start(*sources, "--resume") for _ in range(2)]
    said = [process.communicate()[1] for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes in ([0, 4], [0, 0]), said
    assert codes == [0, 0] or any("another batch is writing into out" in text for text in said)
    assert sorted(entry["input"] for entry in lines()) == sources


def test_warnings_and_status_are_shown(here):
    mask = np.zeros((20, 20), np.uint8)
    mask[2:18, 2:18] = 1
    normals = ball(20)[0]
    normals[9, 9] = np.nan
    Path("maps/holed").mkdir(parents=True)
    np.save("maps/holed/normal_map.npy", normals)
    np.save("maps/holed/mask.npy", mask)
    done = batch("maps/holed", "--html")
    (entry,) = lines()
    assert entry["status"].endswith(".") and entry["pixels"] > 0
    assert any("hold no normal" in sentence for sentence in entry["warnings"])
    assert "1 done (1 with warnings)" in done.stdout
    rows = [line for line in done.stderr.splitlines() if any(each in line for each in entry["warnings"])]
    assert len(rows) == len(entry["warnings"])
    assert entry["status"] not in done.stderr
    page = Path("out/index.html").read_text()
    assert 'src="holed/preview.png"' in page and "hold no normal" in page and entry["status"] in page


def test_the_index_lists_warnings_and_sets_thousands_apart():
    entry = {"input": "a", "state": "done", "warnings": ["First.", "Second."], "pixels": 1234567, "seconds": 1.5}
    page = index_page("maps", [entry])
    assert "<li>First.</li><li>Second.</li>" in page
    assert '<td class="number" data-value="1234567">1,234,567</td>' in page


def test_the_index_holds_nothing_but_text_of_the_entries():
    entry = {"input": "<script>alert(1)</script>", "state": "done", "output": '"><b>', "warnings": ["<i>\x1b"]}
    page = index_page("a & b", [entry, {"input": "x", "state": "failed", "error": "why & <how>"}])
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    assert "<script>" not in body and "<b>" not in body and "<i>" not in body and "\x1b" not in page
    assert "why &amp; &lt;how&gt;" in body
    assert "<title>a &amp; b</title>" in page


def test_a_line_after_half_a_line_is_whole(tmp_path):
    append_manifest(tmp_path, {"input": "a", "state": "done"})
    with open(tmp_path / "manifest.jsonl", "ab") as stream:
        stream.write(b'{"input": "b", "sta')
    append_manifest(tmp_path, {"input": "c", "state": "done"})
    assert [entry["input"] for entry in read_manifest(tmp_path)] == ["a", "c"]
