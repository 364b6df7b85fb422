"""The parts of the page's server by themselves."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

pytest.importorskip("starlette")

from crevasse import Orthographic, Perspective, integrate
from crevasse.files.depth_files import write_image
from crevasse.files.strokes import paint, read_strokes
from crevasse.memory import reading_bytes, shortage
from crevasse.methods import METHODS
from crevasse.methods.registry import make
from crevasse.pictures.sampling import Sampling
from crevasse.pictures.viewed import octahedral
from crevasse.scenes import SCENES
from crevasse.web import framing, messages
from crevasse.web.describe import describe_methods
from crevasse.web.guard import allowed_hosts, refusal
from crevasse.web.limits import Limits
from crevasse.web.message_checks import FIELDS
from crevasse.web.opening import open_files
from crevasse.web.preview import map_arrays, slopes_of_depth
from crevasse.web.run_control import RunControl, RunState
from crevasse.web.run_queue import RunQueue
from crevasse.web.upload_folder import UploadFolder, file_name, guess_role

SOURCES = Path(__file__).parent.parent / "web"
STATIC = Path(__file__).parent.parent / "src" / "crevasse" / "web" / "static"


def test_frames_come_back_as_they_were() -> None:
    arrays = {
        "bytes": np.arange(7, dtype=np.uint8),
        "heights": np.arange(6, dtype=np.float32).reshape(2, 3),
        "empty": np.zeros((0, 4), np.int32),
    }
    header, back = framing.unpack(framing.pack({"kind": "map", "name": "é"}, arrays))
    assert header["name"] == "é"
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        np.testing.assert_array_equal(back[name], array)


def test_frames_hold_no_wide_types() -> None:
    with pytest.raises(ValueError, match="float64"):
        framing.pack({"kind": "map"}, {"depth": np.zeros(3)})


def test_slopes_of_depth_do_not_cross_a_jump() -> None:
    heights = np.tile(np.arange(10.0), (4, 1))
    heights[:, 5:] += 100.0
    right, down = slopes_of_depth(heights)
    np.testing.assert_allclose(right, 1.0)
    np.testing.assert_allclose(down, 0.0)


def test_strokes_paint_what_lies_under_them() -> None:
    message = [
        {"tool": "exclude", "radius": 1.5, "points": [[5, 5]]},
        {"tool": "force", "radius": 0.5, "points": [[10, 2], [10, 17]]},
        {"tool": "forbid", "radius": 0.5, "points": [[2, 10], [17, 10]]},
    ]
    painting = paint(read_strokes(message), (20, 20))
    assert painting.excluded.sum() == 9
    assert painting.excluded[4:7, 4:7].all()
    assert (painting.hints[2:18, 10] == -1).all(), "the later stroke lies over the earlier one"
    assert (painting.hints[[9, 10], 4] == [3, 2]).all(), "the two sides of the line"


@pytest.mark.parametrize(("start", "end"), [((20, -5), (20, 45)), ((-5, 3), (45, 30)), ((45, 37.3), (-5, 2.1))])
def test_a_forced_cut_separates_a_plane_along_the_line(start: tuple[float, float], end: tuple[float, float]) -> None:
    stroke = {"tool": "force", "radius": 5, "points": np.linspace(start, end, 60).tolist()}
    painting = paint(read_strokes([stroke]), (40, 40))
    plane = np.tile([0.3, 0.2, 0.9], (40, 40, 1))
    result = integrate(plane, hints=painting.hints)
    assert result.islands.max() == 2
    rows, columns = np.indices((40, 40))
    (top, left), (bottom, right) = start, end
    side = (rows - top) * (right - left) - (columns - left) * (bottom - top) >= 0
    assert len(np.unique(result.islands[side])) == len(np.unique(result.islands[~side])) == 1


def test_a_cut_that_separates_nothing_changes_no_plane() -> None:
    stroke = {"tool": "force", "radius": 5, "points": [[10, 10], [20, 30], [30, 10]]}
    hints = paint(read_strokes([stroke]), (40, 40)).hints
    plane = np.tile([0.3, 0.2, 0.9], (40, 40, 1))
    np.testing.assert_allclose(integrate(plane, hints=hints).depth, integrate(plane).depth, atol=1e-4)


def test_forbidding_everywhere_leaves_no_cut() -> None:
    scene = SCENES["stairs"](48)
    stroke = {"tool": "forbid", "radius": 100, "points": [[24, 24]]}
    hints = paint(read_strokes([stroke]), (48, 48)).hints
    free = integrate(scene.normals, scene.mask, scene.camera)
    held = integrate(scene.normals, scene.mask, scene.camera, hints=hints)
    assert free.cuts.right.any() or free.cuts.down.any()
    assert not held.cuts.right.any() and not held.cuts.down.any()


def test_strokes_outside_the_map_do_nothing() -> None:
    strokes = read_strokes([{"tool": "exclude", "radius": 3, "points": [[-50, -50], [-40, -50]]}])
    assert not paint(strokes, (20, 20)).excluded.any()


@pytest.mark.parametrize(
    "bad",
    [
        "text",
        [{"tool": "erase", "radius": 1, "points": [[0, 0]]}],
        [{"tool": "force", "radius": 0, "points": [[0, 0]]}],
        [{"tool": "force", "radius": 1, "points": []}],
        [{"tool": "force", "radius": 1, "points": [[0, float("nan")]]}],
        [{"tool": "force", "radius": 1, "points": [[0, 0, 0]]}],
    ],
)
def test_wrong_strokes_are_refused(bad: object) -> None:
    with pytest.raises(ValueError):
        read_strokes(bad)


def test_hosts_and_origins() -> None:
    hosts = allowed_hosts(8000, ["box.local"])
    good = [(b"host", b"127.0.0.1:8000"), (b"origin", b"http://127.0.0.1:8000")]
    assert refusal(good, hosts) is None
    assert refusal([(b"Host", b"LOCALHOST:8000")], hosts) is None
    assert refusal([(b"host", b"box.local:8000")], hosts) is None
    for headers in (
        [],
        [(b"host", b"evil.example:8000")],
        [(b"host", b"127.0.0.1:9000")],
        [(b"host", b"127.0.0.1:8000"), (b"host", b"evil.example")],
        [(b"host", b"127.0.0.1:8000"), (b"origin", b"http://evil.example")],
        [(b"host", b"127.0.0.1:8000"), (b"origin", b"null")],
        [(b"host", b"127.0.0.1:8000"), (b"origin", b"http://localhost:8000")],
        [(b"host", b"127.0.0.1:8000"), (b"sec-fetch-site", b"cross-site"), (b"sec-fetch-mode", b"no-cors")],
    ):
        assert refusal(headers, hosts) is not None, headers


def test_upload_names_leave_nothing_but_a_plain_suffix() -> None:
    assert file_name("normal_map", "../../etc/passwd") == "normal_map"
    assert file_name("normal_map", "a/b.PNG") == "normal_map.png"
    assert file_name("mask", "mask.p/ng") == "mask"
    assert file_name("camera", "K.txt") == "K.txt"
    assert guess_role("normal_gt.png") == "normal_map"
    assert guess_role("depth_gt.npz") == "depth_gt"
    assert guess_role("cameras.txt") == "camera"


def test_every_setting_of_every_method_has_a_form_and_a_meaning() -> None:
    described = {method.name: asdict(method) for method in describe_methods()}
    assert set(described) == set(METHODS)
    assert {"soft", "hard", "iterations"} <= {entry["name"] for entry in described["auxiliary"]["settings"]}
    for method in described.values():
        for setting in method["settings"]:
            assert setting["about"], (method["name"], setting["name"])


def test_settings_of_the_page_reach_the_method() -> None:
    assert make("auxiliary", {"soft": 0.3}).soft == 0.3
    assert make("graduated", {"iterations": 20.0}).iterations == 20
    for name, settings in (
        ("magic", {}),
        ("graduated", {"magic": 1}),
        ("graduated", {"iterations": 2.5}),
        ("graduated", {"iterations": "20"}),
        ("auxiliary", {"two_pass": 1}),
        ("auxiliary", {"soft": True}),
    ):
        with pytest.raises(ValueError):
            make(name, settings)


def test_runs_are_served_in_order_and_slots_given_back() -> None:
    async def scenario() -> list[str]:
        queue, log = RunQueue(1), []
        gate = asyncio.Event()

        async def work(name: str) -> None:
            async def notice(place: int) -> None:
                log.append(f"{name} waits at {place}")

            async with queue.slot(notice):
                log.append(f"{name} runs")
                await gate.wait()

        tasks = [asyncio.ensure_future(work(name)) for name in "abc"]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(tasks[1], return_exceptions=True)
        gate.set()
        await asyncio.gather(tasks[0], tasks[2])
        assert queue.free == 1
        return log

    assert asyncio.run(scenario()) == ["a runs", "b waits at 1", "c waits at 2", "c runs"]


def test_the_shipped_page_is_built_from_these_sources() -> None:
    digest = hashlib.sha256()
    files = ["index.html", "package-lock.json", *(f"src/{path.name}" for path in (SOURCES / "src").iterdir())]
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + (SOURCES / name).read_bytes() + b"\0")
    for record in (STATIC / "sources.sha256", STATIC.parent.parent / "pictures" / "assets" / "viewer.sha256"):
        assert record.read_text().strip() == digest.hexdigest(), "run `npm run build` in web/"


def test_the_page_never_writes_html() -> None:
    for path in (SOURCES / "src").glob("*.ts"):
        text = path.read_text()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
            assert word not in text, f"{path.name} uses {word}"


def test_the_lock_file_names_no_hosts() -> None:
    assert "://" not in (SOURCES / "package-lock.json").read_text()


def test_the_map_is_a_picture_and_its_normals() -> None:
    rng = np.random.default_rng(2)
    normals = rng.normal(size=(60, 63, 3)) * [0.3, 0.3, 0.1] + [0, 0, 1]
    mask = rng.random((60, 63)) < 0.9
    sampling = Sampling.within((60, 63), 21)
    arrays = map_arrays(3.0 * normals, mask, sampling)
    inside = sampling.of(mask)
    np.testing.assert_array_equal(arrays["picture"][..., 3] > 0, inside)
    unit = sampling.of(normals / np.linalg.norm(normals, axis=-1, keepdims=True))
    np.testing.assert_allclose(arrays["picture"][inside][:, :3] / 127.5 - 1, unit[inside], atol=0.005)
    np.testing.assert_array_equal(arrays["normals"], octahedral(unit * inside[..., None]))


def test_preview_camera_is_the_camera() -> None:
    from crevasse.web.preview import camera_header

    assert asdict(camera_header(Orthographic(0.5))) == {"kind": "orthographic", "pixel_size": 0.5}
    assert asdict(camera_header(Perspective(1, 2, 3, 4)))["fy"] == 2


def test_the_types_of_the_page_are_made_from_the_messages() -> None:
    done = subprocess.run([sys.executable, str(SOURCES / "messages.py"), "--check"])
    assert done.returncode == 0, "run `python web/messages.py`"


def test_every_field_of_a_request_is_checked() -> None:
    requests = get_args(messages.PageRequest)
    named = {name for request in requests for name in messages.fields_of(request)}
    assert named == set(FIELDS)


@pytest.mark.parametrize("names", [("transforms.json", "K.txt"), ("K.txt", "transforms.json")])
def test_a_newer_camera_replaces_an_older_one_of_another_format(tmp_path: Path, names: tuple[str, str]) -> None:
    uploads = UploadFolder(tmp_path / "input")
    for name in names:
        uploads.place(name, "camera").write_text(name)
    assert [path.read_text() for path in uploads.folder.iterdir()] == [names[1]]
    assert list(uploads.names.values()) == [names[1]]


def test_a_paused_run_waits_for_a_step_and_a_stopped_one_stays_stopped() -> None:
    async def scenario() -> None:
        control = RunControl()
        assert control.next_request() | {"seconds": 0} == {
            "kind": "advance",
            "seconds": 0,
            "single": False,
            "picture": True,
        }
        await control.pause()
        waiting = asyncio.ensure_future(control.wait_for_work())
        await asyncio.sleep(0)
        assert not waiting.done()
        await control.step()
        await waiting
        assert control.next_request()["single"]
        assert not control.has_work
        await control.stop()
        await control.resume()
        assert control.state is RunState.STOPPING
        assert control.next_request() == {"kind": "keep"}

    asyncio.run(scenario())


def test_the_largest_map_of_the_page_fits_its_own_limit_of_memory(tmp_path: Path, monkeypatch: Any) -> None:
    """A map of 8 bits that has as many pixels as the page takes, and one more."""
    pixels = Limits().pixels
    limit = reading_bytes((1, pixels))
    assert shortage(reading_bytes((4096, pixels // 4096), 3), limit, "8 bits") is None
    assert shortage(reading_bytes((4096, pixels // 4096), 8), limit, "16 bits with alpha") is None
    write_image(tmp_path / "normal_map.png", np.full((40, 50, 3), 200, np.uint8), {})
    names = {"normal_map.png": "mine.png"}
    assert open_files(tmp_path, names, {}, pixels=2000).mask.size == 2000
    with pytest.raises(ValueError, match="at most 1999"):
        open_files(tmp_path, names, {}, pixels=1999)
