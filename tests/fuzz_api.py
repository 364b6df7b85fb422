"""Random arrays, masks, cameras and methods through `integrate`: run by test_fuzz.py and benchmarks/fuzz.py.

Each case depends on its seed and number only: python tests/fuzz_api.py SEED COUNT [FIRST].
"""

from __future__ import annotations

import faulthandler
import random
import sys
import traceback
import warnings
from dataclasses import fields
from typing import Any

import numpy as np

import crevasse
from crevasse import Orthographic, Perspective
from crevasse.methods import METHODS
from crevasse.result import Status

SIDES = (1, 1, 2, 3, 5, 8, 16, 23)
ODD: tuple[Any, ...] = (
    *(0, -1, 1, 3, 100, 2**31, 2**63, 10**30, 10**400, True, None, "x", "1", [1], 1 + 1j),
    *(0.5, 1e-300, 1e300, float("nan"), float("inf"), np.float32(3), np.int8(3), np.complex64(1)),
)
QUICK = {"iterations": 6, "starts": 1}
"""Settings that keep a case short, where a method has them."""
REFUSALS = (ValueError, MemoryError)

Generator = np.random.Generator


def make_normals(choose: random.Random, numbers: Generator, shape: tuple[int, int]) -> Any:
    """A bent surface, damaged in one of many ways."""
    v, u = np.mgrid[: shape[0], : shape[1]] / max(*shape, 1) - 0.5
    normals: Any = np.stack([u, -v, np.sqrt(np.clip(1 - u * u - v * v, 0, 1))], axis=-1)
    damage = choose.randrange(16)
    if damage == 0:
        normals = numbers.normal(size=normals.shape)
        normals[..., 2] = np.abs(normals[..., 2])
    elif damage == 1:
        normals = normals * choose.choice([1e300, 1e-300, 5e-324, 1e160])
    elif damage == 2:
        normals[numbers.random(shape) < choose.choice([0.05, 0.5, 1])] = choose.choice([np.nan, np.inf, 0])
    elif damage == 3:
        normals[..., 2] = choose.choice([0, 1e-9, 1e-3, -1e-9, 1e-320])
    elif damage == 4:
        normals = np.where(numbers.random((*shape, 1)) < 0.9, normals, -normals)
    elif damage == 5:
        normals[..., :2] += (np.indices(shape).sum(0) % 2)[..., None] * choose.choice([1, 10, 100])
    elif damage == 6:
        normals = choose.choice(
            [normals[..., :2], normals[..., 0], normals.tolist(), normals.T, normals[:0], None, "x"]
        )
    elif damage == 7:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            normals = normals.astype(choose.choice(["f4", "f2", ">f8", "i1", "O", "c16", "U5", "?"]))
    return normals


def make_mask(choose: random.Random, numbers: Generator, shape: tuple[int, int]) -> Any:
    kind = choose.randrange(12)
    if kind < 5:
        return None
    if kind < 8:
        return numbers.random(shape) < choose.choice([0.1, 0.5, 0.9])
    if kind == 8:
        return np.indices(shape).sum(0) % 2 == 0
    if kind == 9:
        return choose.choice([np.zeros(shape), np.full(shape, np.nan), np.ones(shape, int), np.ones(shape, "U1")])
    if kind == 10:
        return choose.choice([np.ones((2, 2), bool), 5, "mask", [[True]], np.ones((*shape, 1), bool)])
    return np.ones(shape, bool)


def make_camera(choose: random.Random, shape: tuple[int, int]) -> Any:
    kind = choose.randrange(10)
    if kind < 4:
        return None
    if kind < 6:
        focals = (1e-3, 1.0, 10.0, 30.0, 1e3, 1e9, 1e12)
        return Perspective(choose.choice(focals), choose.choice(focals), shape[1] / 2, shape[0] / 2)
    if kind == 6:
        return Perspective(*(choose.choice(ODD) for _ in range(4)))
    if kind == 7:
        return Orthographic(choose.choice(ODD))
    if kind == 8:
        return Perspective.from_matrix(
            [[choose.choice([1, 9, 1e308]), 0, 3], [0, 9, 3], [0, 0, choose.choice([1, 2])]]
        )
    return choose.choice([np.eye(3), 5, "camera", Orthographic, Perspective(20.0, 20.0, 3.0, 3.0)])


def make_method(choose: random.Random) -> Any:
    cls = choose.choice(list(METHODS.values()))
    names = [field.name for field in fields(cls) if field.init]
    settings: dict[str, Any] = {name: value for name, value in QUICK.items() if name in names}
    if choose.random() < 0.2:
        settings[choose.choice(names)] = choose.choice(ODD[:-1])
    if choose.random() < 0.02:
        return choose.choice([cls, "graduated", 5])
    return cls(**settings)


def make_hints(choose: random.Random, numbers: Generator, shape: tuple[int, int]) -> Any:
    if choose.random() < 0.9:
        return None
    return choose.choice([numbers.integers(-1, 4, shape), numbers.integers(-9, 9, shape), numbers.random(shape), 5])


def make_weights(choose: random.Random, numbers: Generator, shape: tuple[int, int]) -> Any:
    if choose.random() < 0.85:
        return None
    good = numbers.random(shape) * choose.choice([1, 1, 1e-300, 1e300])
    holes = np.where(numbers.random(shape) < 0.3, 0.0, good)
    return choose.choice([good, good, holes, -good, good[:1], np.full(shape, np.nan), np.zeros(shape), "x", 5])


def run_case(seed: int, number: int) -> str:
    """What became of a case: done, not finite (and said so), or refused; anything else is raised."""
    choose, numbers = random.Random(f"{seed}/{number}"), np.random.default_rng([seed, number])
    shape = choose.choice(SIDES), choose.choice(SIDES)
    normals = make_normals(choose, numbers, shape)
    before = np.array(normals, copy=True) if isinstance(normals, np.ndarray) else None
    try:
        mask, camera, method = make_mask(choose, numbers, shape), make_camera(choose, shape), make_method(choose)
        hints, weights = make_hints(choose, numbers, shape), make_weights(choose, numbers, shape)
        limit = choose.choice([None] * 40 + [10, 10**30, "x", -1, 0.5])
        given = {"hints": hints, "weights": weights, "threads": 1, "max_memory": limit}
        result = crevasse.integrate(normals, mask, camera, method, **given)
    except REFUSALS as refusal:
        own = "crevasse" in traceback.extract_tb(refusal.__traceback__)[-1].filename
        assert own and str(refusal), f"a library's own refusal: {refusal!r}"
        return "refused"
    if before is not None:
        assert before.dtype.kind in "OUc" or np.array_equal(before, normals, equal_nan=True), "the input was changed"
    assert result.depth.shape == shape and np.isnan(result.depth[~result.mask]).all()
    if result.status is Status.NOT_FINITE:
        return "not finite"
    assert np.isfinite(result.depth[result.mask]).all(), f"{result.status.name}, but not finite: {method} {camera}"
    corners = result.corners[result.mask.repeat(2, 0).repeat(2, 1)]
    assert np.isfinite(corners).all(), f"{result.status.name}, but corners are not finite: {method} {camera}"
    assert np.isfinite(result.mesh().vertices).all()
    return "done"


def main(seed: int, count: int, first: int = 0) -> None:
    faulthandler.enable()
    warnings.simplefilter("error")
    ends = {"done": 0, "not finite": 0, "refused": 0}
    failed = 0
    for number in range(first, first + count):
        try:
            ends[run_case(seed, number)] += 1
        except Exception as error:
            failed += 1
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = f"{type(error).__name__}: {error}"[:300]
            print(f"seed {seed}, case {number}: {text} ({place.filename}:{place.lineno})", file=sys.stderr)
    print(f"{count} cases, {ends['done']} done, {ends['not finite']} not finite, {ends['refused']} refused")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
