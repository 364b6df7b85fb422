"""Problems and domains are frozen: no method changes what it is given."""

from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from helpers import drain, problem_of, problem_with

import crevasse
from crevasse.scenes import SCENES, add_noise, from_depth

METHODS = {
    "graduated": crevasse.Graduated(),
    "auxiliary": crevasse.AuxiliaryEdges(iterations=5),
    "poisson": crevasse.Poisson(),
    "bilateral": crevasse.Bilateral(iterations=5),
}
MAPS = {
    "jumps": lambda: SCENES["demo"](64),
    "noise": lambda: add_noise(SCENES["demo"](64), 0.03),
    "regions": lambda: SCENES["regions"](64),
    "spanning pixels": lambda: from_depth(SCENES["demo"](128), central=True),
}


def values_of(problem):
    """Every attribute of a problem and of its domain, by name, with arrays apart."""
    domain = problem.domain
    values = {name: getattr(domain, name) for name in ("mask", "hints", "planes", "regions", "pixels", "labels")}
    values |= problem.slopes._asdict() | {"threads": problem.threads}
    values |= {f"steepness {axis}": image for axis, image in enumerate(domain.steepness)}
    return values | {f"pairs {axis}": image for axis, image in enumerate(domain.pairs)}


def copied(values):
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in values.items()}


@pytest.mark.parametrize("scene", MAPS)
@pytest.mark.parametrize("method", METHODS)
def test_a_run_changes_nothing_of_its_problem(method, scene):
    problem = problem_of(MAPS[scene]())
    if method == "graduated":
        hints = np.zeros(problem.mask.shape, np.int8)
        hints[10, 5:30], hints[11, 5:30] = 2, 3
        problem = replace(problem, domain=replace(problem.domain, hints=hints))
    parts = {each.name: getattr(problem, each.name) for each in fields(problem)}
    before = copied(values_of(problem))
    drain(METHODS[method].run(problem))
    assert all(getattr(problem, name) is part for name, part in parts.items())
    for name, value in values_of(problem).items():
        assert np.array_equal(value, before[name]), name


@pytest.mark.parametrize("large", [False, True])
def test_a_run_accepts_read_only_arrays(large, monkeypatch):
    if large:
        monkeypatch.setattr("crevasse.methods.graduated.views.pyramid.LARGE", 1 << 10)
    problem = problem_of(add_noise(SCENES["demo"](64), 0.03))
    for value in values_of(problem).values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    _, outcome = drain(crevasse.Graduated().run(problem))
    assert np.isfinite(outcome.heights).all()


def test_problems_and_domains_cannot_be_changed():
    flat = np.zeros((4, 5))
    problem = problem_with(flat, flat, np.ones((4, 5), bool))
    for frozen in (problem, problem.domain):
        for each in fields(frozen):
            with pytest.raises(FrozenInstanceError):
                setattr(frozen, each.name, None)


def test_two_runs_on_one_problem_find_the_same():
    problem = problem_of(add_noise(SCENES["disc"](64), 0.03))
    one, two = (drain(crevasse.Graduated().run(problem))[1] for _ in range(2))
    assert np.array_equal(one.heights, two.heights)
    assert np.array_equal(one.islands, two.islands)
