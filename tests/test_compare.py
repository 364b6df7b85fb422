"""Comparisons: their rows are what each method gives alone, their means are over like units, refusals are rows."""

import csv
import io
import math

import numpy as np
import pytest
from odd_methods import Broken, Whole

import crevasse
from crevasse import metrics, scenes
from crevasse.comparison.latex import Column, escape, tabular
from crevasse.comparison.views import MIRRORED, mirror
from crevasse.files.scene_maps import scene_map
from crevasse.pictures import colours
from crevasse.pictures.sheet import sheet_panels

QUICK = ("poisson", "bilateral")


@pytest.fixture(scope="module")
def table():
    return crevasse.compare([scenes.stairs(40), scenes.islands(48), scenes.demo(48)], QUICK)


def test_a_row_of_the_table_equals_a_run_of_its_method_alone(table):
    for scene in (scenes.stairs(40), scenes.islands(48), scenes.demo(48)):
        for name in QUICK:
            (row,) = (row for row in table.rows if (row["object"], row["method"]) == (scene.name, name))
            result = crevasse.integrate(scene.normals, scene.mask, scene.camera, name)
            against = (result.depth, scene.depth, scene.camera)
            assert row["made"] == metrics.made(*against)
            assert row["rmse"] == metrics.rmse(*against)
            assert row["made_aligned"] == metrics.made_aligned(*against, result.islands)
            assert row["made_px"] == row["made"] / metrics.footprint(scene.depth, scene.camera)
            assert row["jump_share"] == metrics.jump_share(result.mask, result.cuts)
            assert (row["iterations"], row["status"]) == (result.iterations, str(result.status))
            assert (row["state"], row["pixels"]) == ("done", result.pixels)


def test_means_are_over_like_units_and_the_same_maps(table):
    units = {row["object"]: row["unit"] for row in table.rows}
    assert len(set(units.values())) == 2
    assert table.means["poisson"]["made"] is None
    pixels = [row["made_px"] for row in table.rows if row["method"] == "poisson"]
    assert table.means["poisson"]["made_px"] == pytest.approx(np.mean(pixels))
    alike = table.only([row for row in table.rows if row["unit"] == "px"])
    own = [row["made"] for row in alike.rows if row["method"] == "poisson"]
    assert table.mean_errors["mean_unit"] == "px"
    assert alike.means["poisson"]["made"] == pytest.approx(np.mean(own))
    # A method that lacks a map has no mean: it would not be over the same maps as the others'.
    short = table.only(table.rows[1:])
    assert short.means["poisson"]["made_px"] is None
    assert short.means["bilateral"]["made_px"] == table.means["bilateral"]["made_px"]


def test_a_refusal_or_a_failure_is_a_row_that_says_why():
    methods = ["poisson", Whole(), Broken(), "bilateral"]
    table = crevasse.compare([scenes.demo(40), scenes.stairs(40)], methods)
    states = {(row["object"], row["method"]): row["state"] for row in table.rows}
    assert [states["demo", name] for name in table.methods] == ["done", "refused", "failed", "done"]
    assert [states["stairs", name] for name in table.methods] == ["done", "done", "failed", "done"]
    refused, failed = table.rows[1], table.rows[2]
    assert "full rectangle" in refused["status"] and refused["made"] is None
    assert failed["status"] == "Failed: ZeroDivisionError: no such luck"
    assert "full rectangle" in str(table)
    assert table.means["whole"]["made_px"] is None
    assert table.to_latex().count("--") >= 4


def test_methods_are_chosen_by_name_object_and_title():
    stairs = scenes.stairs(24)

    def titles(methods):
        return crevasse.compare(stairs, methods, sheets=False).methods

    assert titles("poisson,bilateral") == QUICK
    assert titles("poisson,bilateral,poisson") == QUICK
    assert titles(crevasse.Poisson()) == ("poisson",)
    assert titles({"ours": "poisson"}) == ("ours",)
    assert titles(["bilateral", crevasse.Bilateral(k=4)]) == ("bilateral", "bilateral k=4")
    with pytest.raises(ValueError, match="did you mean poisson"):
        titles("poison")
    with pytest.raises(ValueError, match="twice"):
        titles(["poisson", crevasse.Poisson()])
    with pytest.raises(ValueError, match="methods is empty"):
        titles([])
    with pytest.raises(ValueError, match="reference is 'magic'"):
        crevasse.compare(stairs, "poisson", reference="magic")
    with pytest.raises(ValueError, match="views is 5"):
        crevasse.compare(stairs, "poisson", views=5)
    with pytest.raises(ValueError, match="maps is empty"):
        crevasse.compare([], "poisson")


def test_maps_of_any_kind_have_names_of_their_own(tmp_path):
    scene = scenes.stairs(24)
    np.save(tmp_path / "stairs.npy", scene.normals)
    maps = [scene, scene.normals, str(tmp_path / "stairs.npy"), crevasse.read_normals(tmp_path / "stairs.npy")]
    table = crevasse.compare(maps, "poisson", sheets=False)
    assert table.objects == ("stairs", "map", "stairs-2", "stairs-3")
    assert len({round(row["normal_angle"], 6) for row in table.rows}) == 1
    assert crevasse.compare({"a": scene, "b": scene}, "poisson", sheets=False).objects == ("a", "b")
    with pytest.raises(ValueError, match="maps is 3"):
        crevasse.compare(3, "poisson")


def test_without_truth_methods_differ_from_the_reference():
    normals = scenes.islands(48).normals
    table = crevasse.compare(normals, ["poisson", "bilateral", Broken()], reference="bilateral")
    first, second, _ = table.rows
    assert first["made"] is None and second["difference_px"] == 0
    found = {name: crevasse.integrate(normals, method=name) for name in QUICK}
    expected = metrics.made(found["poisson"].depth, found["bilateral"].depth, crevasse.Orthographic())
    assert first["difference_px"] == pytest.approx(expected) and expected > 0
    # A reference without a result gives way to one that has one.
    again = crevasse.compare(normals, [Broken(), *QUICK], reference="broken")
    assert [row["difference_px"] for row in again.rows][:2] == [None, 0.0]


def test_the_angle_to_the_normals_is_that_of_a_tilted_surface():
    camera = crevasse.Orthographic()
    columns = np.broadcast_to(np.arange(30.0), (20, 30))
    flat = np.tile([0.0, 0.0, 1.0], (20, 30, 1))
    cuts = (np.zeros((20, 29), bool), np.zeros((19, 30), bool))
    tilted = np.tan(np.radians(4)) * columns
    assert metrics.normal_angle(tilted, flat, camera, cuts) == pytest.approx(4)
    right = np.tile([math.sin(math.radians(4)), 0.0, math.cos(math.radians(4))], (20, 30, 1))
    assert metrics.normal_angle(tilted, right, camera, cuts) == pytest.approx(0, abs=1e-5)
    cuts[0][:] = True
    assert math.isnan(metrics.normal_angle(tilted, flat, camera, cuts))
    assert metrics.jump_share(np.ones((20, 30), bool), cuts) == pytest.approx(20 * 29 / (20 * 29 + 19 * 30))


@pytest.mark.parametrize("make", [scenes.demo, scenes.islands])
def test_mirror_images_of_a_map_have_mirror_images_as_surfaces(make):
    found = scene_map(make(40))
    plain = crevasse.integrate(found.normals, found.mask, found.camera, "poisson").depth
    for rows, columns in MIRRORED:
        view = mirror(found, rows, columns)
        depth = crevasse.integrate(view.normals, view.mask, view.camera, "poisson").depth
        back = depth[:: -1 if rows else 1, :: -1 if columns else 1]
        np.testing.assert_allclose(metrics.align(back, plain, found.camera), plain, rtol=1e-5, atol=1e-4)
        assert metrics.made(depth, view.depth, view.camera) == pytest.approx(
            metrics.made(plain, found.depth, found.camera), rel=1e-4
        )


def test_views_report_each_error_their_mean_and_their_spread():
    one, four = (crevasse.compare(scenes.islands(40), QUICK, views=n, sheets=False).rows[1] for n in (1, 4))
    assert one["views"] is None and len(four["views"]) == 4
    assert four["views"][0] == one["made"]
    assert four["made"] == pytest.approx(np.mean(four["views"]))
    assert four["spread"] == max(four["views"]) / min(four["views"])
    assert four["pixels"] == one["pixels"]


def test_csv_holds_every_row_whatever_the_names():
    nasty = 'a,"b"\nc;=1+1'
    table = crevasse.compare({nasty: scenes.stairs(24)}, {"=x,\n": "poisson"}, sheets=False)
    (row,) = csv.DictReader(io.StringIO(table.to_csv()))
    assert row["object"] == nasty.replace("\n", "\\n")
    assert float(row["made"]) == table.rows[0]["made"]


def test_latex_escapes_and_marks_the_best():
    assert escape(r"a_b & c\d {e}^2 ~ 50% $x #1") == (
        r"a\_b \& c\textbackslash{}d \{e\}\textasciicircum{}2 \textasciitilde{} 50\% \$x \#1"
    )
    text = tabular("50%\n\\end{x}", ["a_1", "b"], [Column("x_y", (1.0, 2.0)), Column("p", (0.5, None), best="most")])
    lines = text.splitlines()
    assert lines[0].startswith("% ") and not any(line.startswith("\\end{x}") for line in lines)
    assert lines[3] == r"method & x\_y & p \\"
    assert lines[5] == r"a\_1 & \textbf{1} & 0.5 \\"
    assert lines[6] == r"b & 2 & -- \\"
    alike = Column("x", (1.0001, 1.0002, 3.0)).cells()
    assert alike == [r"\textbf{1}", r"\textbf{1}", "3"]


def read_latex(text):
    """What LaTeX shows for escaped text; fails on anything that is still a command or a special character."""
    shown = {r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", "''": '"'}
    shown |= {r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|", r"\textasciigrave{}": "`"}
    shown |= {"{[}": "[", "{]}": "]", "{*}": "*", "-{}": "-"} | {"\\" + sign: sign for sign in "&%$#_{}"}
    read = ""
    while text:
        token = next((token for token in shown if text.startswith(token)), text[0])
        assert token in shown or token not in '\\{}&%$#_~^<>|"`[]*', (token, text)
        assert not text.startswith("--"), "a dash"
        read, text = read + shown.get(token, token), text[len(token) :]
    return read


@pytest.mark.parametrize("seed", range(20))
def test_any_printable_text_is_read_by_latex_as_it_is(seed):
    letters = np.random.default_rng(seed).integers(32, 127, 200)
    text = "".join(map(chr, letters)) + "----" + "a_b 50% {x}\\[2em] * [1] \\\\ ~^"
    assert read_latex(escape(text)) == text


@pytest.mark.parametrize("name", ["[2em]", "*", "*[x]", "a--b"])
def test_no_latex_row_begins_with_an_option_of_the_row_above(name):
    text = tabular("x", ["first", name], [Column("x", (1.0, 2.0))])
    assert text.splitlines()[6][0] not in "[*" and "--" not in text.splitlines()[6]


def test_errors_in_pixels_stand_in_one_column_only():
    pixels = crevasse.compare(scenes.stairs(24), QUICK, sheets=False)
    assert pixels.to_latex().splitlines()[3].count("error") == 1
    assert " px " not in str(pixels).splitlines()[1]
    scene = scenes.demo(32)
    units = crevasse.compare(scene, QUICK, sheets=False)
    assert (units.unit != "px") == (units.to_latex().splitlines()[3].count("error") == 2)
    assert " px " in str(units).splitlines()[1]


def test_a_method_that_finds_no_jumps_has_no_precision():
    torn, smooth = (
        crevasse.compare(make(32), ["poisson", "spanning-tree"], sheets=False).rows
        for make in (scenes.stairs, scenes.smooth)
    )
    assert torn[0]["jump_precision"] is None and torn[0]["jump_recall"] == 0
    assert torn[1]["jump_precision"] == 1
    assert smooth[0]["jump_precision"] == 1, "there was nothing to tear"


def test_every_latex_row_has_as_many_cells(table):
    for part in (table, table.only(table.rows[:2])):
        lines = [line for line in part.to_latex().splitlines() if line.endswith(r"\\")]
        assert len({line.count("&") for line in lines}) == 1
        assert len(lines) == 1 + len(QUICK)


def test_the_same_error_has_the_same_colour_in_all_panels():
    scene = scenes.stairs(40)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera, "poisson")
    shown = {}
    for k in range(20):
        depth = scene.depth.copy()
        depth[5:15, 5:15] += 2.0
        depth[5:15, 20:30] += 0.25 * k
        shown[f"method {k}"] = _Shown(depth, result)
    panels = sheet_panels(shown, scene.depth, size=80)
    assert len(panels) == 8 and max(map(len, panels)) <= 6
    below = [panel for row in panels[1::2] for panel in row if panel.title.startswith("mean error")]
    assert len(below) == 20
    marks = {tuple(panel.picture[20, 20]) for panel in below}
    assert len(marks) == 1
    others = [int(panel.picture[20, 50].astype(int).sum()) for panel in below]
    assert others == sorted(others) and others[0] < others[-1]
    bars = [panel for row in panels for panel in row if panel.bar is not None]
    assert len(bars) == 1 and bars[0].bar.title == "error, px"
    assert below[0].picture[20, 50].tolist() == colours.HEAT[0].tolist()


class _Shown:
    def __init__(self, depth, result):
        self.depth, self.mask, self.normals, self.camera = depth, result.mask, result.normals, result.camera


def test_a_surface_that_flies_off_does_not_make_specks_of_the_others():
    scene = scenes.islands(48)
    good = crevasse.integrate(scene.normals, scene.mask, scene.camera, "poisson")
    wild = _Shown(good.depth * np.where(np.arange(48) < 24, 1.0, 3000.0), good)
    ink = [
        (sheet_panels(shown, scene.depth, size=100)[0][1].picture != colours.PAPER).any(axis=-1).mean()
        for shown in ({"good": good}, {"good": good, "wild": wild})
    ]
    assert ink[1] > 0.2 * ink[0]


def test_a_sheet_is_drawn_for_each_map_and_as_vectors(table, tmp_path):
    assert tuple(table.panels) == table.objects
    assert table.sheet("demo").shape[2] == 3
    with pytest.raises(ValueError, match="no sheet of 'x'"):
        table.sheet("x")
    table.figure("demo").savefig(tmp_path / "sheet.svg")
    assert "bilateral" in (tmp_path / "sheet.svg").read_text()
