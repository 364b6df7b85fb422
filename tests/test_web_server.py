"""The page's server: what a session can do."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from web_tools import LONG_RUN, Client, Running, running, wait_until

import crevasse
from crevasse.files.depth_files import write_image
from crevasse.scenes import SCENES

SHORT_RUN = {"method": "graduated", "settings": {"iterations": 8, "starts": 1}, "strokes": []}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with Client(server) as one:
        yield one


def png(scene: crevasse.scenes.Scene, folder: Path) -> bytes:
    """A scene's normals as a 16-bit PNG, with alpha for the mask."""
    colours = np.rint((scene.normals + 1) / 2 * 65535) * scene.mask[..., None]
    write_image(folder / "made.png", np.dstack([colours, scene.mask * 65535]).astype(np.uint16), {})
    return (folder / "made.png").read_bytes()


def test_an_example_opens_and_runs_as_the_library_does(client: Client) -> None:
    header, arrays = client.open(example="islands")
    assert header["size"] == [128, 128]
    assert arrays["picture"].shape == (128, 128, 4)
    client.send("run", method="graduated", settings={}, strokes=[])
    first, surface = client.until("surface")
    assert first["result"] == "poisson" and not first["coarse"]
    live, _ = client.until("progress")
    assert live["total"] > live["iteration"] >= 1
    header, arrays = client.until("finished")
    assert header["usable"]
    scene = SCENES["islands"]()
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera)
    assert header["error"] == crevasse.metrics.made(result.depth, scene.depth, scene.camera)
    np.testing.assert_allclose(arrays["heights"] + header["level"], result.surface.heights, atol=1e-4)
    assert np.abs(arrays["heights"] - surface["heights"]).max() > 0.1, "the surface has moved away from Poisson's"


def test_uploads_are_recognised_and_the_truth_is_compared(client: Client, tmp_path: Path) -> None:
    scene = SCENES["disc"](96)
    assert client.upload("bear_normals.png", png(scene, tmp_path)) == (
        200,
        {"role": "normal_map", "name": "bear_normals.png"},
    )
    truth = io.BytesIO()
    np.savez(truth, depth_gt=scene.depth)
    assert client.upload("depth_gt.npz", truth.getvalue())[1]["role"] == "depth_gt"
    header, arrays = client.open()
    assert header["name"] == "bear_normals.png"
    assert header["bit_depth"] == 16
    assert header["camera"]["kind"] == "orthographic"
    known = arrays["truth"] > -1e29
    relative = arrays["truth"][known] - scene.depth[known]
    assert np.ptp(relative) < 1e-3, "the truth is drawn up to one offset"


def test_camera_and_frame_can_be_changed(client: Client, tmp_path: Path) -> None:
    client.upload("map.png", png(SCENES["smooth"](64), tmp_path))
    matrix = b"100 0 31.5\n0 100 31.5\n0 0 1\n"
    assert client.upload("K.txt", matrix)[1]["role"] == "camera"
    assert client.open()[0]["camera"]["fx"] == 100
    options = {"camera": {"kind": "field_of_view", "degrees": 60}, "frame": "directx"}
    header, arrays = client.open(options=options)
    assert header["camera"]["fy"] == pytest.approx(32 / np.tan(np.pi / 6))
    assert header["used_frame"] == "directx"
    _, plain = client.open(options={"frame": "opengl"}, without=["camera"])
    down = plain["normals"][..., 1] / 32767
    assert client.open()[0]["camera"]["kind"] == "orthographic", "the camera was removed"
    flipped = arrays["picture"][..., 1].astype(int) + plain["picture"][..., 1]
    assert np.abs(down).max() > 0.1 and np.abs(flipped[plain["picture"][..., 3] > 0] - 255).max() <= 1


def test_pause_step_resume_and_stop(client: Client) -> None:
    client.open(example="islands")
    client.send("run", **LONG_RUN)
    client.until("progress")
    client.send("pause")
    client.until("paused")
    client.send("step")
    first = client.until("progress")[0]["iteration"]
    client.until("paused")
    client.send("step")
    header, arrays = client.until("progress")
    assert header["iteration"] == first + 1
    assert "heights" in arrays
    client.until("paused")
    client.send("resume")
    assert client.until("progress")[0]["iteration"] > first + 1
    client.send("stop")
    header, _ = client.until("finished")
    assert "Stopped on request" in header["status"]
    assert client.download("depth-npy", "graduated")


def test_the_current_task_is_interrupted_and_the_map_stays_open(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crevasse.web.run_control.SECONDS", 3600.0)
    monkeypatch.setattr("crevasse.web.run_control.SECONDS_BEHIND", 3600.0)
    client.open(example="islands")
    pid = client.worker_pid()
    client.send("run", **LONG_RUN)
    client.until("progress")
    client.send("cancel")
    client.until("cancelled")
    client.send("run", method="poisson", settings={}, strokes=[])
    assert client.until("finished")[0]["usable"], "the worker did not go on for an hour"
    assert client.worker_pid() == pid


def test_messages_do_not_pile_up_before_a_page_that_is_slow(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crevasse.web.run_control.SECONDS", 0.0)
    monkeypatch.setattr("crevasse.web.run_control.SECONDS_BEHIND", 3600.0)
    client.open(example="islands")
    client.send("run", **LONG_RUN)
    while client.next()[0]["kind"] != "progress":
        pass
    # The worker computes on for an hour, and the page has not drawn: nothing can come but the answer.
    client.send("cancel")
    assert client.next()[0]["kind"] == "cancelled", "nothing more came before the surface was drawn"


def test_another_map_can_be_opened_while_the_first_one_is_being_opened() -> None:
    with running() as fresh, Client(fresh) as client:
        client.send("open", example="disc")
        header, _ = client.open(example="islands")
        while header["name"] != "islands":
            header, _ = client.until("map")
        client.send("run", method="poisson", settings={}, strokes=[])
        assert client.until("finished")[1]["heights"].shape == (128, 128)


def test_a_file_that_cannot_be_opened_leaves_the_open_map(client: Client) -> None:
    client.open(example="islands")
    client.upload("map.png", b"no picture")
    client.send("open")
    client.until("refused")
    client.send("run", method="poisson", settings={}, strokes=[])
    assert client.until("finished")[1]["heights"].shape == (128, 128)


def test_every_pixel_of_a_result_comes_when_asked_for(client: Client) -> None:
    client.open(example="demo", side=100)
    client.send("run", **SHORT_RUN)
    sampled = client.until("finished")[1]
    client.send("detail", result="graduated", normals=True)
    header, arrays = client.until("detail")
    depth = np.load(io.BytesIO(client.download("depth-npy", "graduated")))
    assert header["step"] == 1 and sampled["heights"].size < arrays["heights"].size / 4
    top, left, rows, columns = header["window"]
    inside = np.isfinite(depth)
    window = inside[top : top + rows, left : left + columns]
    assert window.sum() == inside.sum()
    np.testing.assert_array_equal(arrays["links"] & 1, window)
    np.testing.assert_array_equal(arrays["heights"] > -1e29, window)
    assert arrays["normals"].shape == (rows, columns, 2)
    client.send("detail", result="truth", normals=False)
    truth = client.until("detail")[1]
    assert "normals" not in truth
    assert np.median(np.abs(truth["heights"] - arrays["heights"])[window]) < 20, "they lie on each other"


def test_a_detail_of_what_is_gone_is_passed_over(client: Client) -> None:
    client.open(example="islands")
    client.send("detail", result="graduated", normals=True)
    client.send("run", **SHORT_RUN)
    assert client.until("finished")[0]["result"] == "graduated"


def test_a_new_run_replaces_the_old_one(client: Client) -> None:
    client.open(example="islands")
    client.send("run", **LONG_RUN)
    client.until("progress")
    client.send("run", **SHORT_RUN)
    assert client.until("finished")[0]["usable"]


def test_settings_change_the_result(client: Client) -> None:
    client.open(example="islands")
    heights = []
    for soft in (0.2, 5.0):
        client.send("run", method="auxiliary", settings={"soft": soft, "iterations": 8}, strokes=[])
        heights.append(client.until("finished")[1]["heights"])
    assert np.abs(heights[0] - heights[1]).max() > 1e-3


def test_painting_excludes_pixels(client: Client) -> None:
    client.open(example="disc")
    strokes = [{"tool": "exclude", "radius": 10, "points": [[128, 128]]}]
    client.send("run", method="poisson", settings={}, strokes=strokes)
    _, arrays = client.until("finished")
    assert arrays["heights"][128, 128] < -1e29
    assert arrays["heights"][128, 150] > -1e29


def test_painting_forces_and_forbids_jumps(client: Client) -> None:
    client.open(example="islands")
    inner = [[64 + 14 * np.sin(t), 64 + 14 * np.cos(t)] for t in np.linspace(0, 2 * np.pi, 40)]
    painted = {
        "nothing": [],
        "force": [{"tool": "force", "radius": 1.5, "points": inner}],
        "forbid": [{"tool": "forbid", "radius": 200, "points": [[64, 64]]}],
    }
    found = {}
    for name, strokes in painted.items():
        client.send("run", method="graduated", settings={"starts": 1, "iterations": 30}, strokes=strokes)
        found[name] = client.until("finished")
    assert found["force"][0]["islands"] == found["nothing"][0]["islands"] + 1
    assert np.abs(found["forbid"][1]["heights"] - found["nothing"][1]["heights"]).max() > 0.5


def test_only_the_default_method_accepts_hints(client: Client) -> None:
    client.open(example="islands")
    strokes = [{"tool": "force", "radius": 3, "points": [[10, 10], [30, 30]]}]
    client.send("run", method="bilateral", settings={}, strokes=strokes)
    assert "Graduated" in client.until("refused")[0]["message"]


def test_the_frame_is_recognised(client: Client, tmp_path: Path) -> None:
    scene = SCENES["demo"](160)
    flipped = dataclasses.replace(scene, normals=scene.normals * [1, -1, 1])
    client.upload("map.png", png(flipped, tmp_path))
    header, arrays = client.open(options={"camera": {"kind": "field_of_view", "degrees": 31}})
    assert header["frame"]["detected"] == header["used_frame"] == "directx"
    assert any("directx" in text for text in header["warnings"])
    assert not any("--" in text for text in header["warnings"]), "the page does not speak of options"
    green = arrays["picture"][..., 1][scene.mask] / 127.5 - 1
    assert np.abs(green - scene.normals[..., 1][scene.mask]).max() < 0.02


def test_large_maps_are_drawn_small(client: Client) -> None:
    header, arrays = client.open(example="disc", side=100)
    assert header["step"] == 3
    assert arrays["picture"].shape[:2] == (86, 86)
    client.send("run", **SHORT_RUN)
    coarse, small = client.until("surface")
    whole, exact = client.until("surface")
    assert coarse["coarse"] and not whole["coarse"]
    inside = small["heights"] > -1e29
    assert np.corrcoef(small["heights"][inside], exact["heights"][inside])[0, 1] > 0.9, "the first glance is right"
    assert client.until("finished")[1]["heights"].shape == (86, 86)
    depth = np.load(io.BytesIO(client.download("depth-npy", "graduated")))
    assert depth.shape == (256, 256), "what is downloaded has all pixels"


@pytest.fixture(scope="module")
def finished(server: Running) -> Iterator[Client]:
    """A session with a finished run."""
    with Client(server) as one:
        one.open(example="islands")
        one.send("run", **SHORT_RUN)
        one.until("finished")
        yield one


@pytest.mark.parametrize("form", ["ply", "glb", "obj", "stl"])
def test_meshes_open_again(finished: Client, form: str) -> None:
    import trimesh

    data = io.BytesIO(finished.download(f"mesh-{form}", "graduated"))
    mesh = trimesh.load(data, file_type=form, process=False, force="mesh")
    pixels = np.count_nonzero(SCENES["islands"]().mask)
    assert 1.9 * pixels < len(mesh.faces) <= 2 * pixels, "two triangles per pixel that was not trimmed"


@pytest.mark.parametrize("what", ["depth-tif", "depth-exr", "depth-png16", "picture-preview", "picture-jumps"])
def test_other_files_are_made(finished: Client, what: str) -> None:
    data = finished.download(what, "graduated")
    signatures = {"tif": b"II*\0", "exr": b"v/1\x01"}
    assert data.startswith(signatures.get(what[6:], b"\x89PNG"))


def run_python(snippet: str, folder: Path) -> np.ndarray:
    script = snippet + '\nimport numpy\nnumpy.save("again.npy", depth)\n'
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True)
    return np.load(folder / "again.npy")


@pytest.mark.parametrize(("stop", "painted"), [(False, False), (True, True)])
def test_the_python_snippet_reproduces_the_result_exactly(
    client: Client, tmp_path: Path, stop: bool, painted: bool
) -> None:
    picture = png(SCENES["disc"](64), tmp_path)
    (tmp_path / "my map.png").write_bytes(picture)
    client.upload("my%20map.png", picture)
    client.open(options={"camera": {"kind": "field_of_view", "degrees": 33.4}, "frame": "opengl"})
    strokes = [{"tool": "exclude", "radius": 6, "points": [[20, 20], [40, 44]]}] if painted else []
    iterations = 100_000 if stop else 12
    client.send("run", method="graduated", settings={"iterations": iterations, "scale": 7.5}, strokes=strokes)
    if stop:
        client.until("progress")
        client.send("stop")
    client.until("finished")
    depth = np.load(io.BytesIO(client.download("depth-npy", "graduated")))
    if painted:
        (tmp_path / "hints.json").write_bytes(client.download("painted-strokes", "graduated"))
    client.send("snippet", result="graduated")
    snippet, _ = client.until("snippet")
    np.testing.assert_array_equal(run_python(snippet["python"], tmp_path), depth)
    assert (snippet["command"] is None) == stop


def test_the_command_of_the_page_reproduces_the_result_exactly(client: Client, tmp_path: Path) -> None:
    import shlex

    picture = png(SCENES["disc"](64), tmp_path)
    (tmp_path / "map.png").write_bytes(picture)
    client.upload("map.png", picture)
    client.open(options={"camera": {"kind": "focal", "pixels": 123.4}, "frame": "opengl"})
    client.send("run", method="auxiliary", settings={"iterations": 9, "two_pass": False}, strokes=[])
    client.until("finished")
    depth = np.load(io.BytesIO(client.download("depth-npy", "auxiliary")))
    client.send("snippet", result="auxiliary")
    words = shlex.split(client.until("snippet")[0]["command"])
    command = [str(Path(sys.executable).with_name("crevasse")), *words[1:], "-o", "out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "depth.npy"), depth)


def test_examples_have_a_snippet_too(finished: Client, tmp_path: Path) -> None:
    depth = np.load(io.BytesIO(finished.download("depth-npy", "graduated")))
    finished.send("snippet", result="graduated")
    np.testing.assert_array_equal(run_python(finished.until("snippet")[0]["python"], tmp_path), depth)


def test_a_result_is_shown(tmp_path: Path) -> None:
    scene = SCENES["stairs"](64)
    np.save(tmp_path / "depth.npy", scene.depth)
    with running(preloaded=tmp_path) as server, Client(server) as client:
        assert client.hello["preloaded"] == tmp_path.name
        header, arrays = client.open(preloaded=True)
        assert header["view_only"]
        relative = arrays["truth"] - scene.depth
        assert np.ptp(relative) < 1e-3
        client.send("run", **SHORT_RUN)
        assert "look at" in client.until("refused")[0]["message"]


def test_impossible_requests_are_explained(client: Client) -> None:
    for kind, fields in (
        ("magic", {}),
        ("run", SHORT_RUN),
        ("snippet", {"result": "graduated"}),
        ("open", {"example": "nothing"}),
    ):
        client.send(kind, **fields)
        assert client.until("refused")[0]["message"]
    client.open(example="islands")
    client.send("run", method="graduated", settings={"iterations": -1}, strokes=[])
    assert "iterations is -1" in client.until("refused")[0]["message"]
    client.send("run", **SHORT_RUN)
    assert client.until("finished")[0]["usable"], "the session goes on"


def test_nonsense_does_not_end_the_session(client: Client) -> None:
    for text in ("", "[]", "{", "1"):
        client.socket.send(text)
        assert client.until("refused")
    client.open(example="islands")


def test_the_death_of_a_worker_is_reported_to_the_page(client: Client) -> None:
    import os
    import signal

    client.open(example="disc")
    client.send("run", **LONG_RUN)
    client.until("progress")
    os.kill(client.worker_pid(), signal.SIGKILL)
    assert "memory" in client.until("lost")[0]["message"]
    client.open(example="disc")
    wait_until(lambda: client.server.server.queue.free >= 1, "the turn is given back")
