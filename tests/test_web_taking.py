"""What a page takes away: files in its unit, parts moved, an archive, and its session after a reload."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from page_client import request
from web_tools import Client, Running, running, wait_until

from crevasse.files.depth_files import write_image
from crevasse.files.wanted import Wanted
from crevasse.scenes import SCENES
from crevasse.web.limits import Limits

RUN: dict[str, Any] = {"method": "graduated", "settings": {"iterations": 12, "starts": 1}, "strokes": []}
STROKES = [
    {"tool": "force", "radius": 1, "points": [[4, 30], [60, 30]]},
    {"tool": "exclude", "radius": 4, "points": [[50, 50], [54, 52]]},
]


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(Limits(linger_seconds=1)) as one:
        yield one


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with Client(server) as one:
        yield one


def drop(client: Client, folder: Path, camera: dict[str, Any], name: str = "islands") -> None:
    """Open a scene as a file in the folder."""
    scene = SCENES[name](64)
    write_image(folder / "map.png", np.rint((scene.normals + 1) / 2 * 65535).astype(np.uint16), {})
    client.upload("map.png", (folder / "map.png").read_bytes())
    client.open(options={"camera": camera, "frame": "opengl", "encoding": "auto"})


def array(client: Client) -> Any:
    return np.load(io.BytesIO(client.download("depth-npy", "graduated")))


SCALES = [
    ({"kind": "orthographic"}, {"pixel_size": 0.25}),
    ({"kind": "focal_mm", "millimetres": 50, "sensor_width": 36}, {"distance": 400}),
    ({"kind": "field_of_view", "degrees": 40}, {"ruler": [10, 12, 50, 40, 30]}),
]


@pytest.mark.parametrize(("camera", "scale"), SCALES)
def test_the_command_gives_the_same_millimetres(
    client: Client, tmp_path: Path, camera: dict[str, Any], scale: dict[str, Any]
) -> None:
    drop(client, tmp_path, camera)
    client.send("run", **RUN, scale=scale)
    header, _ = client.until("finished")
    assert header["measure"]["unit"] == "mm"
    depth = array(client)
    client.send("snippet", result="graduated")
    words = shlex.split(client.until("snippet")[0]["command"])
    command = [str(Path(sys.executable).with_name("crevasse")), *words[1:], "-o", "out", "--json"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    np.testing.assert_allclose(np.load(tmp_path / "out" / "depth.npy"), depth, rtol=1e-12)
    assert json.loads(done.stdout)["unit"] == "mm"


def test_another_scale_measures_what_is_there_again(client: Client, tmp_path: Path) -> None:
    drop(client, tmp_path, {"kind": "orthographic"})
    client.send("run", **RUN)
    assert client.until("finished")[0]["measure"] == {"factor": 1.0, "unit": "px"}
    plain = array(client)
    client.send("scale", scale={"pixel_size": 0.5})
    told, _ = client.until("scaled")
    assert told["measures"]["graduated"] == {"factor": 0.5, "unit": "mm"} and told["problem"] is None
    np.testing.assert_allclose(array(client), plain * 0.5)
    client.send("scale", scale={"distance": 300})
    told, _ = client.until("scaled")
    assert "does not fix the scale" in told["problem"] and told["measures"]["graduated"]["unit"] == "px"
    client.send("scale", scale={"pixel_size": 0.5, "distance": 300})
    assert "several ways" in client.until("refused")[0]["message"]


def test_strokes_and_units_are_in_the_command(client: Client, tmp_path: Path) -> None:
    drop(client, tmp_path, {"kind": "orthographic"})
    client.send("run", **{**RUN, "strokes": STROKES}, scale={"pixel_size": 0.1})
    client.until("finished")
    (tmp_path / "hints.json").write_bytes(client.download("painted-strokes", "graduated"))
    depth = array(client)
    client.send("snippet", result="graduated")
    snippet, _ = client.until("snippet")
    assert "hints.json" in snippet["files"]
    command = [str(Path(sys.executable).with_name("crevasse")), *shlex.split(snippet["command"])[1:], "-o", "out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "depth.npy"), depth)


def test_everything_is_what_the_command_can_write(client: Client, tmp_path: Path) -> None:
    drop(client, tmp_path, {"kind": "orthographic"})
    client.send("run", **{**RUN, "strokes": STROKES}, scale={"pixel_size": 0.1})
    client.until("finished")
    with zipfile.ZipFile(io.BytesIO(client.download("everything-zip", "graduated"))) as archive:
        names = {name.removeprefix("map/") for name in archive.namelist()}
        depth = np.load(io.BytesIO(archive.read("map/depth.npy")))
        report = json.loads(archive.read("map/result.json"))
    formats = ("npy", "tif", "exr", "png16")
    wanted = Wanted(
        depth=formats, height=formats[1:], mesh=("ply", "glb", "obj", "stl"),
        solid=True, points=True, arrays=True, pictures=True, animate=True, html=True,
    )  # fmt: skip
    assert set(wanted.names().values()) <= names
    assert {"hints.json", "reproduce.py", "reproduce.sh"} <= names
    np.testing.assert_array_equal(depth, array(client))
    assert report["unit"] == "mm"


SINGLE = {
    "mesh-glb": b"glTF", "mesh-ply": b"ply", "depth-exr": b"\x76\x2f\x31\x01", "height-png16": b"\x89PNG",
    "height-tif": b"II", "points-ply": b"ply", "page-html": b"<!doctype html", "animation-webp": b"RIFF",
    "picture-depth": b"\x89PNG",
}  # fmt: skip


def test_single_files_are_what_their_names_say(client: Client, tmp_path: Path) -> None:
    client.open(example="islands")
    client.send("run", **RUN)
    client.until("finished")
    for what, magic in SINGLE.items():
        assert client.download(what, "graduated").lower().startswith(magic.lower()), what
    assert len(client.download("solid-stl", "graduated")) > 84 + 50 * 2 * 128 * 128
    for what in ("mesh-xyz", "solid-ply", "all", "everything-tar"):
        status, body, _ = request(client.port, "GET", f"/session/{client.token}/download/{what}?result=graduated")
        assert status == 400 and b"there is no download" in body


def test_a_mesh_keeps_as_many_triangles_as_asked_for(client: Client) -> None:
    client.open(example="islands")
    client.send("run", **RUN)
    client.until("finished")
    path = f"/session/{client.token}/download/mesh-stl?result=graduated"
    faces = [
        int.from_bytes(request(client.port, "GET", f"{path}&keep={keep}")[1][80:84], "little") for keep in (100, 10)
    ]
    # Borders keep theirs.
    assert 0.02 * faces[0] < faces[1] < 0.4 * faces[0]
    assert request(client.port, "GET", f"{path}&keep=0")[0] == 400
    assert request(client.port, "GET", f"{path}&mesh=blob")[0] == 400


def test_a_part_is_moved_and_the_script_moves_it_too(client: Client, tmp_path: Path) -> None:
    client.open(example="islands")
    client.send("run", **RUN)
    header, arrays = client.until("finished")
    part = header["parts"][0]
    labels = arrays["islands"]
    assert labels[part["row"], part["column"]] == part["label"] and (labels == part["label"]).sum() == part["pixels"]
    before = array(client)
    for pixels in (4.0, 7.0):
        client.send("move", result="graduated", label=part["label"], pixels=pixels)
        header, _ = client.until("finished")
    assert header["parts"][0]["moved"] == 7.0
    after = array(client)
    inside = labels == part["label"]
    np.testing.assert_allclose((after - before)[inside], 7.0)
    np.testing.assert_array_equal(after[~inside], before[~inside])
    client.send("snippet", result="graduated")
    snippet, _ = client.until("snippet")
    assert snippet["command"] is None and snippet["why"]
    script = snippet["python"] + '\nimport numpy\nnumpy.save("again.npy", depth)\n'
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    np.testing.assert_allclose(np.load(tmp_path / "again.npy"), after, rtol=1e-12)
    client.send("move", result="graduated", label=999, pixels=1)
    assert "islands 1 to" in client.until("refused")[0]["message"]


def test_a_page_that_is_back_finds_its_session(server: Running, tmp_path: Path) -> None:
    with Client(server, resume="") as first:
        drop(first, tmp_path, {"kind": "orthographic"})
        first.send("run", **RUN)
        surface = first.until("finished")[1]["heights"]
        token = first.token
        assert not first.hello["resumed"]
    with Client(server, resume=token) as again:
        assert again.hello["resumed"] and again.token == token
        assert again.until("map")[0]["name"] == "map.png"
        _, arrays = again.until("finished")
        np.testing.assert_array_equal(arrays["heights"], surface)
        status, body, _ = request(again.port, "GET", f"/session/{token}/files?role=normal_map")
        assert status == 200 and body == (tmp_path / "map.png").read_bytes()
        again.open(options={"camera": {"kind": "focal", "pixels": 90}, "frame": "opengl"})
        folder = server.server.sessions[token].folder
    wait_until(lambda: token not in server.server.sessions, "the session has ended")
    wait_until(lambda: not folder.exists(), "its files are removed")
    with Client(server, resume=token) as late:
        assert not late.hello["resumed"] and late.token != token


def test_a_run_goes_on_while_its_page_reloads(server: Running) -> None:
    with Client(server, resume="") as first:
        first.open(example="islands")
        first.send("run", **{**RUN, "settings": {"iterations": 100_000}})
        at = first.until("progress")[0]["iteration"]
        token = first.token
    with Client(server, resume=token) as again:
        assert again.until("progress")[0]["iteration"] > at
        again.send("stop")
        assert again.until("finished")[0]["status"].startswith("Stopped")


def test_who_is_here_goes_before_who_may_come_back() -> None:
    with running(Limits(sessions=1, linger_seconds=600)) as server:
        with Client(server, resume="") as first:
            token = first.token
        wait_until(lambda: not server.server.sessions[token].link.is_open, "the page is gone")
        with Client(server) as second:
            assert second.hello["kind"] == "hello"
            assert token not in server.server.sessions
            with Client(server) as third:
                assert third.hello["kind"] == "full"


def test_a_session_with_a_page_is_not_taken_over(server: Running) -> None:
    with Client(server, resume="") as first, Client(server, resume=first.token) as second:
        assert second.token != first.token and not second.hello["resumed"]
        first.open(example="islands")


def test_rough_depth_and_points_count_and_are_in_the_command(client: Client, tmp_path: Path) -> None:
    scene = SCENES["islands"](64)
    drop(client, tmp_path, {"kind": "orthographic"})
    client.send("run", **RUN)
    client.until("finished")
    free = array(client)
    np.save(tmp_path / "my_prior.npy", scene.depth)
    points = [(row, column, scene.depth[row, column]) for row, column in ((8, 8), (30, 34), (50, 20))]
    text = "\n".join(f"{row},{column},{depth}" for row, column, depth in points)
    (tmp_path / "measured.csv").write_text(f"row,column,depth\n{text}\n")
    for name, role in (("my_prior.npy", "depth_prior"), ("measured.csv", "points")):
        assert client.upload(name, (tmp_path / name).read_bytes())[1]["role"] == role
    client.open(options={"camera": {"kind": "orthographic"}, "frame": "opengl", "encoding": "auto"})
    client.send("run", **RUN)
    client.until("finished")
    depth = array(client)
    assert np.abs(depth - scene.depth).mean() < 0.5 * np.abs(free - scene.depth).mean(), "they fix the distance"
    client.send("snippet", result="graduated")
    snippet, _ = client.until("snippet")
    command = [str(Path(sys.executable).with_name("crevasse")), *shlex.split(snippet["command"])[1:], "-o", "out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    np.testing.assert_array_equal(np.load(tmp_path / "out" / "depth.npy"), depth)
    script = snippet["python"] + '\nimport numpy\nnumpy.save("again.npy", depth)\n'
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    np.testing.assert_array_equal(np.load(tmp_path / "again.npy"), depth)
