"""What the pages say is there: the code they show runs, the names and files they give exist."""

import doctest
import importlib
import re
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from embed import BLOCK, embed
from maps import write_folder

import crevasse
from crevasse import scenes
from crevasse.cli.main import COMMANDS
from crevasse.files.depth_files import write_picture

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_six_lines_of_the_readme_run(tmp_path, monkeypatch):
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)[1]
    scene = scenes.smooth(48)
    write_picture(tmp_path / "bust.png", ((scene.normals + 1) * 127.5 + 0.5).astype(np.uint8))
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)
    assert len([line for line in code.splitlines() if line.strip()]) <= 6
    assert crevasse.metrics.made(names["depth"], scene.depth, scene.camera) < 0.1
    assert (tmp_path / "bust.ply").stat().st_size > 1000


def test_the_python_of_get_started_reads_the_map_of_the_demo(tmp_path, monkeypatch):
    (tmp_path / "demo").mkdir()
    write_picture(tmp_path / "demo" / "normal_map.png", demo_map(48))
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(python_blocks("start.md")[0], names)
    assert names["camera"].fx == pytest.approx(scenes.demo(48).camera.fx, rel=0.01)
    assert (tmp_path / "first-from-python" / "depth.npy").exists()


def demo_map(side):
    """The 8-bit picture that `crevasse demo` writes."""
    scene = scenes.demo(side)
    colours = ((scene.normals + 1) * 127.5 + 0.5).astype(np.uint8)
    return np.where(scene.mask[..., None], colours, 0).astype(np.uint8)


def python_blocks(page):
    """Code blocks of a page that a reader may paste, without the copies of files that have tests of their own."""
    return re.findall(r"```python\n(.*?)```", BLOCK.sub("", (ROOT / "docs" / page).read_text("utf-8")), re.DOTALL)


def write_render(path, normals):
    """A multilayer EXR file such as a renderer's normal pass."""
    import OpenImageIO as oiio

    spec = oiio.ImageSpec(normals.shape[1], normals.shape[0], 3, "float")
    spec.channelnames = ("Normal.X", "Normal.Y", "Normal.Z")
    file = oiio.ImageOutput.create(str(path))
    assert file.open(str(path), spec)
    assert file.write_image(normals.astype(np.float32))
    file.close()


@pytest.mark.parametrize("page", ["method.md", "recipes.md"])
def test_code_copied_into_a_page_is_that_of_the_file(page):
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert len(BLOCK.findall(text)) == 6 == text.count("<!-- end -->"), "run python docs/embed.py"
    assert embed(text) == text, "run python docs/embed.py"


def test_every_page_shows_only_code_that_is_tried():
    pages = {page.name for page in (ROOT / "docs").glob("*.md") if python_blocks(page.name)}
    assert pages <= {"recipes.md", "comparing.md", "sigma.md", "start.md"}
    assert len(python_blocks("recipes.md")) == 2
    assert len(python_blocks("comparing.md")) == len(python_blocks("start.md")) == 1


def test_the_page_on_comparing_runs(tmp_path, monkeypatch):
    for name in ("bear", "cat"):
        write_folder(tmp_path / "data" / "diligent" / name, side=24, truth=True)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(python_blocks("comparing.md")[0], names)
    assert "bear & cat" in (tmp_path / "table.tex").read_text() and names["picture"].shape[2] == 3


def test_the_page_on_sigma_runs():
    names = {}
    exec(python_blocks("sigma.md")[0], names)
    result = names["result"]
    assert "intervals" in result.reliability
    assert (names["low"] <= result.depth)[result.mask].all() and (names["high"] >= result.depth)[result.mask].all()


def test_the_recipe_for_blender_runs(tmp_path, monkeypatch):
    scene = scenes.demo(48)
    write_render(tmp_path / "render.exr", scene.normals)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(python_blocks("recipes.md")[0], names)
    assert np.isfinite(names["result"].depth).sum() == scene.mask.sum()


def test_the_recipe_for_people_puts_each_island_at_its_rough_depth():
    scene = scenes.islands(64)
    camera = crevasse.Orthographic()
    scene = replace(scene, depth=scene.depth + 100)
    names = {"crevasse": crevasse, "scene": scene, "camera": camera}
    exec(python_blocks("recipes.md")[1], names)
    assert np.abs(names["depth"] - scene.depth)[scene.mask].mean() < 0.1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def names_in(page):
    """Dotted names in code marks that claim to be part of the package."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    rooms = {path.stem for path in (ROOT / "src" / "crevasse").iterdir()} | {"crevasse"}
    found = re.findall(r"`([A-Za-z_]+(?:\.[A-Za-z_]+)+)(?:\(\))?`", text)
    return [name for name in found if name.split(".")[0] in rooms | set(crevasse.__all__) and not is_file(name)]


def is_file(name):
    return name.rsplit(".", 1)[1] in ("py", "md", "html", "png", "json", "tif", "npy", "ply", "glb", "webp", "txt")


def resolve(name):
    """The thing of this name; `result.` stands for an Integration."""
    if name.startswith("result."):
        known = {field.name for field in fields(crevasse.Integration)} | set(dir(crevasse.Integration))
        assert name.split(".")[1] in known
        return
    parts = name.removeprefix("crevasse.").split(".")
    if hasattr(crevasse, parts[0]):
        value = getattr(crevasse, parts[0])
    else:
        value = importlib.import_module(f"crevasse.{parts[0]}")
    for part in parts[1:]:
        try:
            value = getattr(value, part)
        except AttributeError:
            value = importlib.import_module(f"{value.__name__}.{part}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_of_the_package_exist(page):
    for name in names_in(page):
        resolve(name)


def test_the_page_on_the_method_names_the_functions():
    assert len(names_in(ROOT / "docs" / "method.md")) > 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page):
    import click

    from crevasse.cli.main import cli

    for line in re.findall(r"crevasse ([a-z]+[^`\n]*)", page.read_text("utf-8")):
        name, *words = line.split()
        options = [word.split("=")[0] for word in words if word.startswith("--")]
        if not options:
            continue
        assert name in COMMANDS
        command = cli.get_command(click.Context(cli), name)
        known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
        assert set(options) <= known


def test_pictures_are_small():
    for path in (ROOT / "docs" / "images").iterdir():
        assert path.stat().st_size < 500_000


def modules_with_examples():
    """Modules of the package whose docstrings show code."""
    folder = ROOT / "src" / "crevasse"
    found = [path for path in sorted(folder.rglob("*.py")) if ">>> " in path.read_text("utf-8")]
    return [".".join(["crevasse", *path.relative_to(folder).with_suffix("").parts]) for path in found]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_run(name):
    module = importlib.import_module(name.removesuffix(".__init__"))
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


def blocks_of(page):
    """Paragraphs, tables and lists of a page."""
    return [block.strip() for block in page.read_text("utf-8").split("\n\n") if block.strip()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_has_a_caption_and_a_text_in_its_place(page):
    blocks = [*blocks_of(page), ""]
    for block, following in pairwise(blocks):
        if "](images/" in block or "](docs/images/" in block:
            assert "![](" not in block
            assert following.startswith("*") and following.endswith("*"), block


@pytest.mark.parametrize("page", PAGES[2:], ids=lambda page: page.name)
def test_every_page_begins_with_a_sentence_on_its_purpose(page):
    title, first, *_ = blocks_of(page)
    assert title.startswith("# ") and re.match(r"(This page|crevasse turns) ", first)


def test_the_pictures_of_the_methods_can_be_drawn(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    draw_methods = importlib.import_module("draw_methods")
    monkeypatch.setattr(draw_methods, "IMAGES", tmp_path)
    monkeypatch.setattr(draw_methods, "MAP", 32)
    monkeypatch.setattr(draw_methods, "METHODS", ("poisson", "dct"))
    draw_methods.main()
    assert {path.stem for path in tmp_path.iterdir()} == {"poisson", "dct", "truth", "map"}
