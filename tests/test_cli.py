"""The commands: what they print where, their options, and how little they load."""

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from click.shell_completion import BashComplete
from command import run
from maps import ball, encode, write_folder

import crevasse
from crevasse.cli.console import colours, show_json
from crevasse.cli.integrate import command as METHOD_COMMAND
from crevasse.cli.main import COMMANDS, cli
from crevasse.cli.method_options import all_settings
from crevasse.files.depth_files import write_image
from crevasse.methods import METHODS
from crevasse.methods.settings import setting_meanings
from crevasse.progress import follow, show_progress


@pytest.fixture
def here(here):
    normals, _ = ball(64)
    write_image(Path("good.png"), encode(normals, 16), {})
    return here


def test_integrating_does_not_load_scipy(here):
    script = (
        "import sys\n"
        "from crevasse.cli.main import cli\n"
        "cli.main(['integrate', 'good.png', '-o', 'out'], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "scipy" not in done.stderr.split(), "its imports take longer than a small map"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise")
def test_a_closed_pipe_ends_the_output_quietly(here):
    command = [sys.executable, "-c", "from crevasse.cli.main import main; main()"]
    with subprocess.Popen([*command, "info", "good.png"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        done.stdout.close()
        assert done.stderr.read() == b""
    assert done.returncode == 141


OLD_KERNELS = (
    "import sys, types\n"
    "old = types.ModuleType('crevasse.native._baseline')\n"
    "old.has_avx2 = lambda: False\n"
    "sys.modules[old.__name__] = old\n"
)


def test_kernels_of_another_version_are_reported():
    script = OLD_KERNELS + "import crevasse\ncrevasse.integrate"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "ImportError: the compiled part of crevasse is missing or older than the rest" in done.stderr


def test_the_command_reports_kernels_of_another_version_in_one_sentence(here):
    script = OLD_KERNELS + "from crevasse.cli.main import cli\ncli(['integrate', 'good.png'])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 4
    assert done.stderr.startswith(
        "Error: the compiled part of crevasse is missing or older than the rest; install it"
    )
    assert "should not happen" not in done.stderr


def test_help_imports_almost_nothing():
    script = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from crevasse.cli.main import cli\n"
        "try:\n    cli(['--help'])\n"
        "except SystemExit:\n    pass\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    loaded = done.stderr.split()
    assert not {
        "numpy",
        "scipy",
        "OpenImageIO",
        "rich",
        "trimesh",
        "PIL",
        "crevasse.files",
        "crevasse.methods",
    } & set(loaded)
    assert len(loaded) < 150
    for name in COMMANDS:
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("view", "serve")])
def test_every_command_has_help_with_an_example_and_json(name):
    text = run(name, "--help").stdout
    assert f"crevasse {name}" in text.partition("Options:")[0].partition("Example")[2]
    assert "--json" in text


def test_integrate_writes_what_the_contract_says(here):
    report = json.loads(run("integrate", "good.png", "--json", "--iterations", 4).stdout)
    assert set(report) == {
        "status",
        "seconds",
        "iterations",
        "pixels",
        "regions",
        "islands",
        "cuts",
        "outputs",
        "warnings",
        "unit",
        "metric",
        "noise",
        "camera_assumed",
        "mesh",
        "displacement",
    }
    for name in ("depth.npy", "depth.tif", "mesh.ply", "jumps.png", "preview.png"):
        assert Path("good", name).exists()
        assert str(Path("good", name)) in report["outputs"].values()
    assert all(Path(path).exists() for path in report["outputs"].values())
    depth = np.load("good/depth.npy")
    assert np.isfinite(depth).sum() == report["pixels"] == ball(64)[1].sum()


def test_integrate_says_where_its_files_are_on_stdout_and_its_warnings_on_stderr(here):
    normals, _ = ball(64)
    write_image(Path("flipped.png"), encode(normals * [1, -1, 1], 16), {})
    done = run("integrate", "flipped.png", "--method", "poisson")
    assert "flipped/depth.npy" in done.stdout.splitlines()
    assert "Warning: The data indicate the frame directx, which was used: pass --frame opengl" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    report = json.loads(run("integrate", "flipped.png", "--method", "poisson", "--overwrite", "--json").stdout)
    assert "which was used" in report["warnings"][0]


def test_frame_auto_gives_the_surface_of_the_right_frame(here):
    normals, _ = ball(64)
    write_image(Path("flipped.png"), encode(normals * [1, -1, 1], 16), {})
    run("integrate", "good.png", "--method", "poisson")
    run("integrate", "flipped.png", "--method", "poisson", "--frame", "auto")
    np.testing.assert_allclose(np.load("flipped/depth.npy"), np.load("good/depth.npy"), atol=2e-2)


def test_pixel_size_scales_the_depth(here):
    run("integrate", "good.png", "--method", "poisson", "-o", "one")
    run("integrate", "good.png", "--method", "poisson", "-o", "half", "--pixel-size", "0.5")
    np.testing.assert_allclose(np.load("half/depth.npy"), 0.5 * np.load("one/depth.npy"), atol=1e-9)


@pytest.mark.parametrize("kind", ["glb", "obj", "stl"])
def test_other_meshes_on_request(here, kind):
    run("integrate", "good.png", "--method", "poisson", "--mesh-format", kind, "--depth-format", "exr", "--solid")
    assert Path("good", f"mesh.{kind}").stat().st_size > 1000
    assert Path("good", "depth.exr").exists()
    assert Path("good", "solid.stl").exists()
    assert not Path("good", "mesh.ply").exists()


def test_every_setting_of_every_method_is_an_option_with_its_meaning(here):
    for name, method in METHODS.items():
        text = " ".join(run("integrate", "--help-method", name).stdout.split())
        meanings = setting_meanings(method)
        assert {field.name for field in fields(method)} == set(meanings)
        for setting, meaning in meanings.items():
            assert f"--{setting.replace('_', '-')}" in text
            assert " ".join(meaning.split()) in text
    names = [name for option in METHOD_COMMAND.params for name in option.opts]
    assert len(names) == len(set(names))


def test_all_methods_are_listed_on_request(here):
    text = run("integrate", "--help-method", "all").stdout
    assert [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "] == list(
        METHODS
    )
    assert all(" ".join(cls.about.split()) in " ".join(text.split()) for cls in METHODS.values())


def test_settings_reach_the_method(here):
    run("integrate", "good.png", "--method", "poisson", "--tolerance", "0.01")
    report = json.loads(Path("good/result.json").read_text())
    assert report["method"] == "poisson"
    assert report["settings"]["tolerance"] == 0.01


@pytest.mark.parametrize(("old", "new", "value"), [("walls", "spanning", False), ("calm", "skip-below", 0.25)])
def test_the_old_name_of_a_setting_still_works_with_a_warning(here, old, new, value):
    given = str(value).lower()
    told = run("integrate", "good.png", f"--{old}", given, "--iterations", "1", "--starts", "1").stderr
    assert told.count(f"Warning: --{old} is now called --{new}") == 1
    settings = json.loads(Path("good/result.json").read_text())["settings"]
    assert settings[new.replace("-", "_")] == value
    assert old not in settings
    assert f"--{old}" not in run("integrate", "--help-all").stdout
    both = run("integrate", "good.png", f"--{old}", given, f"--{new}", given, code=2).stderr
    assert f"--{old} is the old name of --{new}; give one of them" in both


def test_info_reports_frame_camera_bits_pixels_and_regions(here):
    report = json.loads(run("info", "good.png", "--json", "--fov", "30").stdout)
    assert report["frame"]["detected"] == "opengl"
    assert report["frame"]["sure"] is True
    assert all(sentence.endswith(".") for sentence in report["frame"]["evidence"])
    assert report["camera"]["model"] == "perspective"
    assert report["size"] == [64, 64]
    assert report["bit_depth"] == 16
    assert report["pixels"] == ball(64)[1].sum()
    assert report["regions"] == 1
    assert report["warnings"] == []
    text = run("info", "good.png").stdout
    assert "The frame is opengl:" in text
    assert "crevasse integrate would read it as opengl" in text


def test_info_says_undecided_when_it_is(here):
    np.save("flat.npy", np.tile([0.0, 0.6, 0.8], (20, 30, 1)))
    report = json.loads(run("info", "flat.npy", "--json").stdout)
    assert report["frame"]["detected"] == "undecided"
    assert report["frame"]["sure"] is False


def test_evaluate_prints_the_contract_s_document(here):
    write_folder(here / "data" / "one", 24, truth=True)
    write_folder(here / "data" / "two", 32, truth=True)
    write_folder(here / "data" / "without-truth", 24)
    report = json.loads(run("evaluate", "data", "--methods", "poisson,bilateral", "--json").stdout)
    assert set(report) == {"objects", "mean", "mean_px", "mean_unit"}
    assert set(report["objects"]) == {"one", "two"}
    entry = report["objects"]["one"]["poisson"]
    assert {"made", "made_px", "made_aligned", "seconds", "pixels", "iterations", "status"} <= set(entry)
    mean = np.mean([report["objects"][name]["poisson"]["made"] for name in ("one", "two")])
    np.testing.assert_allclose(report["mean"]["poisson"], mean)
    text = run("evaluate", "data", "--methods", "poisson").stdout
    assert text.splitlines()[0] == "Mean absolute depth errors, px."
    assert text.splitlines()[1].split()[:2] == ["object", "poisson"]
    assert text.splitlines()[-1].split()[:2] == ["mean", f"{mean:.4g}"]


def test_evaluate_continues_after_a_bad_map(here):
    write_folder(here / "data" / "good", 24, truth=True)
    write_folder(here / "data" / "bad", 24, truth=True)
    (here / "data" / "bad" / "normal_map.png").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    done = run("evaluate", "data", "--methods", "poisson", "--json", code=5)
    assert set(json.loads(done.stdout)["objects"]) == {"good"}
    assert "1 of 2 maps failed" in done.stderr
    run("evaluate", "nowhere", code=3)
    run("evaluate", "data", "--methods", "magic", code=2)


def test_json_has_no_nan(capsys):
    show_json({"a": [float("nan"), 1.5, float("inf")]})
    assert json.loads(capsys.readouterr().out) == {"a": [None, 1.5, None]}


class Terminal:
    """A stream that says it is a terminal and keeps what it is given."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass


def test_progress_names_its_phase_and_the_time_left_on_a_terminal_only(monkeypatch):
    import crevasse

    normals, mask = ball(24)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with show_progress("thing") as report_progress:
        state = follow(crevasse.iterate(normals, mask, method=crevasse.Bilateral()), report_progress)
        report_progress("writing mesh.ply", 0.5)
    assert state.result().pixels == mask.sum()
    assert "thing: integrating" in terminal.text
    assert "thing: writing mesh.ply" in terminal.text
    assert "left" in terminal.text
    terminal.text = ""
    terminal.isatty = lambda: False
    with show_progress("thing") as report_progress:
        follow(crevasse.iterate(normals, mask, method=crevasse.Poisson()), report_progress)
    assert terminal.text == ""


def test_no_color_is_honoured(monkeypatch):
    terminal = Terminal()
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colours(terminal)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours(terminal)


def test_shell_completion_knows_commands_methods_and_frames():
    complete = BashComplete(cli, {}, "crevasse", "_CREVASSE_COMPLETE")

    def words(*line):
        return {item.value for item in complete.get_completions(list(line[:-1]), line[-1])}

    assert set(COMMANDS) == words("")
    assert set(METHODS) <= words("integrate", "--method", "")
    assert words("integrate", "--frame", "d") == {"directx"}
    assert "--pixel-size" in words("info", "--pix")


@pytest.mark.parametrize("command", [name for name in COMMANDS])
def test_help_fits_one_screen(command):
    lines = run(command, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert max(len(line) for line in lines) <= 80


def test_help_shows_groups_and_the_rest_is_on_request():
    text = run("integrate", "--help").stdout
    for title in ("Input:", "Scale:", "Output:", "Run:", "Help:"):
        assert title in text
    whole = run("integrate", "--help-all").stdout
    shown = {word for word in whole.split() if word.startswith("--")}
    for option in METHOD_COMMAND.params:
        if option.opts[0].startswith("--") and option.name not in all_settings() and not option.hidden:
            assert any(name in word for word in shown for name in option.opts), option.name


def test_the_demo_ends_with_the_one_file_to_open(here):
    lines = run("demo", "-o", "demo").stdout.splitlines()
    assert lines[-1] == "Open this one in a browser: demo/page.html"
    assert Path("demo/page.html").exists()
    scene = crevasse.scenes.demo()
    found = crevasse.read_normals("demo/normal_map.png")
    assert np.array_equal(found.mask, scene.mask)
    assert np.abs(found.normals - scene.normals).max() < 0.02


@pytest.mark.parametrize("kind", ["welded", "quads", "pixel", "none"])
def test_each_kind_of_mesh_has_its_vertices_and_faces(here, kind):
    report = json.loads(run("integrate", "good.png", "--method", "poisson", "--mesh", kind, "--json").stdout)
    assert Path("good/mesh.ply").exists() == (kind != "none")
    if kind == "none":
        assert "mesh" not in report
        return
    pixels = report["pixels"]
    assert report["mesh"]["components"] == {"welded": 1, "quads": pixels, "pixel": 1}[kind]
    assert report["mesh"]["faces"] == {"welded": pixels - report["mesh"]["trimmed"], "quads": pixels}.get(
        kind, report["mesh"]["faces"]
    )


@pytest.mark.parametrize(("text", "most"), [("10%", 0.11), ("500", None)])
def test_decimation_on_request(here, text, most):
    whole = json.loads(run("integrate", "good.png", "--method", "poisson", "--json").stdout)["mesh"]["faces"]
    words = ("integrate", "good.png", "--method", "poisson", "--decimate", text, "--json", "--overwrite")
    report = json.loads(run(*words).stdout)
    assert report["mesh"]["faces"] <= (2 * whole * most if most else 510)
    assert report["mesh"]["components"] == 1


@pytest.mark.parametrize("text", ["0", "-5", "120%", "many", "0%"])
def test_nonsense_is_refused_as_a_number_of_triangles(here, text):
    told = run("integrate", "good.png", f"--decimate={text}", code=2).stderr
    assert "neither a number of triangles nor a share" in told


def test_a_texture_reaches_the_files(here):
    write_image(Path("photo.png"), np.full((64, 64, 3), [10, 200, 30], np.uint8), {})
    run("integrate", "good.png", "--method", "poisson", "--texture", "photo.png", "--mesh-format", "obj")
    assert "map_Kd mesh-photo.png" in Path("good/mesh.mtl").read_text()
    assert Path("good/mesh-photo.png").read_bytes() == Path("photo.png").read_bytes()
