"""What the experiments under benchmarks measure with: meshes' normals, holes, charts."""

from pathlib import Path
from xml.etree import ElementTree

import cached_runs
import cases
import chart
import holes
import literature
import noise
import numpy as np
import overview
import pose
import published
import pytest
import roofline
import shading
import sigma
import spanning
from cases import Case
from scipy import ndimage

import crevasse
from crevasse import scenes


@pytest.fixture(scope="module")
def quadratic():
    return scenes.quadratic(48)


def test_normals_of_a_plane_are_those_of_the_map_on_every_mesh():
    scene = scenes.tilted(32)
    result = crevasse.integrate(scene.normals, scene.mask, scene.camera, crevasse.Poisson())
    case = Case("built-in/tilted", scene, 1.0)
    for normals in (
        shading.vertex_normals(result.depth, scene.camera),
        shading.quadrilateral_normals(result.corners, scene.camera),
    ):
        assert np.nanmax(shading.angles(normals, case)) < 1e-3


def test_quadrilaterals_have_the_normals_of_the_map_but_one_vertex_per_pixel_does_not():
    case = Case("built-in/demo", scenes.demo(64), 1.0)
    rows = {row["mesh"]: row["mean_degrees"] for row in shading.rows_of(case)}
    assert rows["graduated, quadrilaterals"] < 0.01
    assert rows["truth, a vertex a pixel"] > 1.0


def test_holes_are_cut_where_they_are_said_to_be(quadratic):
    few, one = holes.small_holes(quadratic), holes.large_hole(quadratic)
    assert ndimage.label(~one.mask & quadratic.mask)[1] == 1
    assert ndimage.label(~few.mask & quadratic.mask)[1] > 2
    assert not (few.mask & ~quadratic.mask).any()


def test_chart_places_points_by_their_logarithms(tmp_path):
    chart.draw(tmp_path / "chart.svg", {"error": [(1, 1), (10, 10), (100, 100)]}, "x", "y & z", {"level": 10})
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    texts = {node.text for node in root.iter() if node.text and node.text.strip()}
    assert {"error", "level", "x", "y & z"} <= texts
    (route,) = (node.get("d") for node in root.iter() if (node.get("d") or "").count("L") == 2)
    (x0, y0), (x1, y1), (x2, y2) = ([float(n) for n in part.split()] for part in route[1:].split("L"))
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y1 - y0 == pytest.approx(y2 - y1, abs=0.2)
    assert y0 > y2


def test_a_run_is_kept_for_the_same_map_and_settings_only(tmp_path, monkeypatch, quadratic):
    monkeypatch.setattr(cached_runs, "FOLDER", tmp_path)
    done = []

    def run():
        done.append(1)
        return {"made": 0.5}

    method = crevasse.Poisson()
    for _ in range(2):
        assert cached_runs.cached("errors", quadratic, method, run) == {"made": 0.5}
    assert len(done) == 1
    cached_runs.cached("errors", quadratic, crevasse.AuxiliaryEdges(), run)
    cached_runs.cached("errors", holes.large_hole(quadratic), method, run)
    cached_runs.cached("convergence", quadratic, method, run)
    assert len(done) == 4


def test_kept_runs_depend_on_every_module_of_the_methods():
    """Else a run would be taken for that of other code."""
    package = Path(crevasse.__file__).parent
    parts = {path.relative_to(package) for path in cached_runs.modules() if path.is_relative_to(package)}
    assert {path.relative_to(package) for path in package.glob("methods/**/*.py")} <= parts
    assert {
        Path("cameras/perspective.py"),
        Path("methods/poisson.py"),
        Path("methods/graduated/stages/start.py"),
    } <= parts
    assert not [path for path in parts if path.parts[0] in ("cli", "web", "files")]


def test_a_stopwatch_counts_nested_calls_once(monkeypatch):
    seconds = iter(range(100))
    monkeypatch.setattr("roofline.time.perf_counter", lambda: float(next(seconds)))
    watch = roofline.Stopwatch()
    inner = watch.timed("inner", lambda: None)
    outer = watch.timed("outer", lambda: [inner(), inner()])
    outer()  # asks the clock at 0 and 5, the inner calls at 1 and 2, and at 3 and 4
    assert watch.spent == {"inner": 2.0, "outer": 3.0}


def test_the_width_of_spanning_pixels_is_that_of_the_cells_of_the_depth():
    steep, width = spanning.measure_width(scenes.from_depth(scenes.demo(192), cells=2))
    assert steep > 16 and width == pytest.approx(0.5, rel=0.06)
    assert spanning.measure_width(scenes.smooth(48)) == (0, None)


def test_a_run_that_is_stopped_keeps_nothing_and_ends_with_a_sentence(tmp_path, monkeypatch, quadratic, capsys):
    monkeypatch.setattr(cached_runs, "FOLDER", tmp_path / "build" / "runs")

    def stopped():
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        cached_runs.start(lambda: cached_runs.cached("errors", quadratic, crevasse.Poisson(), stopped))
    assert end.value.code == 130
    assert "goes on from there" in capsys.readouterr().err
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize("experiment", [literature, noise, pose, published])
def test_without_the_data_an_experiment_says_so_and_leaves_its_record(experiment, monkeypatch, capsys):
    monkeypatch.setenv("CREVASSE_DATA", "")
    monkeypatch.setattr(experiment, "write_record", lambda *_, **__: pytest.fail("a record was written"))
    with pytest.raises(SystemExit) as end:
        experiment.main()
    assert end.value.code == 0
    assert "skipped, the last record stays" in capsys.readouterr().err


def test_the_summary_of_a_noise_level_names_the_maps_where_the_default_is_not_better():
    rows = [
        {"case": name, "level": level, "graduated": found, "bilateral": 1.0}
        for level in noise.LEVELS
        for name, found in (("a", 0.5), ("b", 2.0), ("c", 0.7))
    ]
    first = noise.summarise(rows)[0]
    assert (first["maps"], first["better_on"], first["not_on"]) == (3, 2, "b")
    assert first["median_ratio"] == 0.7


def test_a_reading_missing_for_some_objects_has_no_mean():
    rows = [{"reading": "all", "object": thing, "made": 1.0} for thing in published.OBJECTS]
    rows.append({"reading": "one", "object": "cow", "made": 0.12})
    whole, part = published.summarise(rows)
    assert (whole["mean"], part["mean"]) == (1.0, None)
    assert part["typical_factor"] == pytest.approx(2.0)


def test_a_method_that_does_not_take_all_maps_of_a_group_has_no_mean_there():
    rows = [
        {"group": "scenes", "object": thing, "method": name, "made": made, "processor_seconds": 1.0}
        for thing, name, made in (("comb", "poisson", 1.0), ("comb", "dct", 2.0), ("cow", "poisson", 3.0))
    ]
    expected = {"method": "poisson", "group": "scenes", "made": 2.0, "processor_seconds": 2.0}
    assert literature.summarise(rows) == [expected]


def test_a_narrow_chart_still_has_marks_to_read_it_by():
    assert len(chart._ticks(1.4, 4.2)) > 2
    assert chart._ticks(0.9, 1400.0)[:4] == [1, 2, 5, 10]


def test_gaps_of_the_overview_are_filled_from_the_record_of_all_methods_and_said(monkeypatch):
    cases = [Case(name, None, 1.0) for name in ("diligent/bear", "scenes2/boot")]
    monkeypatch.setattr(overview, "groups", lambda: {overview.TRUE: cases[:1], overview.UNSEEN: cases[1:]})
    found = {"group": "scenes2", "object": "boot", "method": "auxiliary", "made": 3.0}
    others = [found | {"method": "poisson"}, found | {"group": "diligent", "object": "bear"}]
    record = {"created": "2026-11-19T06:53", "commit": "abc", "rows": [found, *others]}
    monkeypatch.setattr(overview, "read_record", lambda name: record)
    own = [{"case": "diligent/bear", "method": "auxiliary edges", "made": 1.0}]
    filled = overview.complete(own)
    assert [(row["case"], row["made"]) for row in filled["rows"]] == [("diligent/bear", 1.0), ("scenes2/boot", 3.0)]
    assert "estimated normals and unseen scenes" in filled["also"] and "2026-11-19, commit abc" in filled["also"]
    assert [(row["maps"], row["mean"]) for row in filled["summary"]] == [(overview.TRUE, 1.0), (overview.UNSEEN, 3.0)]
    assert overview.complete(filled["rows"]) == filled


def test_sparsification_is_0_for_the_best_order_and_grows_with_disorder():
    random = np.random.default_rng(0)
    errors = np.abs(random.standard_normal(2000))
    best, shuffled, worst = (
        sigma.sparsification(errors, doubt) for doubt in (3 * errors, random.permutation(errors), -errors)
    )
    assert best == 0
    assert 0.3 < shuffled < worst


def test_halves_of_the_maps_keep_an_object_together():
    """Normals of one object from several sources belong to the half of that object."""
    if cases.data_folder() is None:
        pytest.skip("CREVASSE_DATA names no data")
    halves = {}
    for case, tuned in sigma.cases():
        if case.name.startswith(("diligent", "real")):
            halves.setdefault(case.name.rpartition("/")[2], set()).add(tuned)
    assert len(halves) == 9 and all(len(found) == 1 for found in halves.values())
