"""Random arrays, masks, cameras and methods through `integrate`: run by test_fuzz.py and benchmarks/fuzz.py.

Each case depends on its seed and number only: python tests/fuzz_api.py SEED COUNT [FIRST].
"""

from __future__ import annotations

import faulthandler
import random
import sys
import traceback
import warnings
from contextlib import suppress
from dataclasses import fields
from typing import Any

import numpy as np

import crevasse
from crevasse import Orthographic, Perspective, pictures
from crevasse.methods import METHODS
from crevasse.status import Status

SIDES = (1, 1, 2, 3, 5, 8, 16, 23)
ODD: tuple[Any, ...] = (
    *(0, -1, 1, 3, 100, 2**31, 2**63, 10**30, 10**400, True, None, "x", "1", [1], 1 + 1j),
    *(0.5, 1e-300, 1e300, float("nan"), float("inf"), np.float32(3), np.int8(3), np.complex64(1)),
)
SETTINGS = (0, 1e-12, 1e-3, 0.1, 0.5, 1, 2, 3, 10, 100, 1e6, 1e12)
"""Values of settings, of which each setting allows some."""
LARGEST_COUNT = 100
"""Sweeps and iterations beyond would only take their time."""
FOCALS = (1e-9, 1e-3, 1.0, 10.0, 30.0, 1e3, 1e9)
QUICK = {"iterations": 6, "starts": 1}
"""Settings that keep a case short, where a method has them."""
SHARE_QUICK = 0.9
SHARE_DEFAULT = 0.15
"""Of the cases, those with the default method, which has most stages."""
ARGUMENTS = ("normals", "mask", "camera", "method", "hints", "weights", "max_memory", "kind", "factor")
"""What can be odd; one argument at a time, so that the others are not hidden behind its refusal."""
SHARE_ODD = 0.3
SHARE_DRAWN = 0.1
"""Of the results, those that are drawn."""
REFUSALS = (ValueError, MemoryError)

Generator = np.random.Generator
Shape = tuple[int, int]


class Draw:
    """Arguments of one case, hard but legal ones, of which one may be odd."""

    def __init__(self, seed: int, number: int) -> None:
        self.choose, self.numbers = random.Random(f"{seed}/{number}"), np.random.default_rng([seed, number])
        self.shape = self.choose.choice(SIDES), self.choose.choice(SIDES)
        self.odd = self.choose.choice(ARGUMENTS) if self.choose.random() < SHARE_ODD else None

    def normals(self, camera: Any) -> Any:
        """A bent surface that a camera sees, damaged in one of many ways."""
        v, u = np.mgrid[: self.shape[0], : self.shape[1]] / max(self.shape) - 0.5
        sees = isinstance(camera, Perspective) and self.choose.random() < 0.9
        steepness = self.choose.choice([0.01, 0.3, 2])
        normals: Any = (camera if sees else Orthographic()).normals(u * steepness, v * steepness)
        if self.odd == "normals":
            return self.odd_normals(normals)
        damage = self.choose.randrange(8)
        if damage == 0:
            normals = self.numbers.normal(size=normals.shape)
            normals[..., 2] = np.abs(normals[..., 2])
        elif damage == 1:
            normals = normals * self.choose.choice([1e300, 1e-300, 5e-324, 1e160])
        elif damage == 2:
            lost = self.numbers.random(self.shape) < self.choose.choice([0.05, 0.5])
            normals[lost] = self.choose.choice([np.nan, np.inf, 0])
        elif damage == 3:
            normals[..., 2] = self.choose.choice([1e-9, 1e-3, 1e-320])
        elif damage == 4:
            normals[..., :2] += (np.indices(self.shape).sum(0) % 2)[..., None] * self.choose.choice([1, 10, 100])
        elif damage == 5:
            grazing = self.numbers.random(self.shape) < 0.1
            normals[grazing] = (np.sin(1.5706), 0.0, np.cos(1.5706))
        return normals

    def odd_normals(self, normals: Any) -> Any:
        """Other shapes and types, and surfaces that face away."""
        kind = self.choose.randrange(3)
        if kind == 0:
            return np.where(self.numbers.random((*self.shape, 1)) < self.choose.choice([0, 0.9]), normals, -normals)
        if kind == 1:
            part = self.choose.choice([normals[..., :2], normals[..., 0], normals.T, normals[:0]])
            return self.choose.choice([part, normals.tolist(), None, "x", normals * np.nan])
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return normals.astype(self.choose.choice(["f4", "f2", ">f8", "i1", "O", "c16", "U5", "?"]))

    def mask(self) -> Any:
        full = np.ones(self.shape, bool)
        if self.odd == "mask":
            typed = [np.zeros(self.shape), np.full(self.shape, np.nan), full.astype(int), full.astype("U1")]
            return self.choose.choice([*typed, np.ones((2, 2), bool), 5, "mask", [[True]], full[..., None]])
        checkered = np.indices(self.shape).sum(0) % 2 == 0
        random_mask = self.numbers.random(self.shape) < self.choose.choice([0.1, 0.5, 0.9])
        random_mask.flat[self.choose.randrange(full.size)] = True
        return self.choose.choice([None, None, full, random_mask, random_mask, checkered])

    def camera(self) -> Any:
        if self.odd == "camera":
            return self.odd_camera()
        height, width = self.shape
        focal = self.choose.choice(FOCALS)
        centre = self.choose.choice([(width / 2, height / 2), (0.0, 0.0), (-3.0, 1e3)])
        oblong = self.choose.choice([1.0, 1.0, 10.0, 1e-5])
        other = min(max(focal * oblong, FOCALS[0]), FOCALS[-1])
        lenses = [None, Orthographic(self.choose.choice([1e-12, 0.1, 1e12])), np.diag([focal, focal, 1.0])]
        if other / focal == oblong:
            lenses += [Perspective(focal, other, *centre)] * 3
        return self.choose.choice(lenses)

    def odd_camera(self) -> Any:
        kind = self.choose.randrange(4)
        if kind == 0:
            return Perspective(*(self.choose.choice([20.0, 20.0, *ODD]) for _ in range(4)))
        if kind == 1:
            return Orthographic(self.choose.choice(ODD))
        corners = self.choose.choice([1, 9, 1e308]), self.choose.choice([0, 1, 2, 1e-310])
        if kind == 2:
            return Perspective.from_matrix([[corners[0], 0, 3], [0, 9, 3], [0, 0, corners[1]]])
        return self.choose.choice([np.eye(3), 5, "camera", Orthographic, Perspective(20.0, 20.0, 3.0, 3.0)])

    def method(self) -> Any:
        cls = self.choose.choice(list(METHODS.values()))
        if self.choose.random() < SHARE_DEFAULT:
            cls = crevasse.Graduated
        names = [field.name for field in fields(cls) if field.init]
        quick = self.choose.random() < SHARE_QUICK
        settings: dict[str, Any] = {name: value for name, value in QUICK.items() if quick and name in names}
        if self.odd == "method":
            settings[self.choose.choice(names)] = self.choose.choice(ODD[:-1])
            return self.choose.choice([cls, "graduated", 5]) if self.choose.random() < 0.1 else cls(**settings)
        if self.choose.random() < 0.4:
            name, value = self.choose.choice(fields(cls)), self.choose.choice(SETTINGS)
            with suppress(ValueError):
                if name.init and (name.type != "int" or value <= LARGEST_COUNT):
                    return cls(**{**settings, name.name: value})
        return cls(**settings)

    def hints(self, used: bool) -> Any:
        legal = self.numbers.integers(-1, 4, self.shape)
        if self.odd == "hints":
            wild = self.numbers.integers(-9, 9, self.shape)
            return self.choose.choice([wild, self.numbers.random(self.shape), legal[:1], 5])
        return legal if used and self.choose.random() < 0.2 else None

    def weights(self, used: bool) -> Any:
        good = self.numbers.random(self.shape) * self.choose.choice([1, 1, 1e-300, 1e300])
        if self.odd == "weights":
            return self.choose.choice([-good, good[:1], good * np.nan, good * 0, "x", 5])
        holes = np.where(self.numbers.random(self.shape) < 0.3, 0.0, good)
        return self.choose.choice([good, holes]) if used and self.choose.random() < 0.2 else None

    def max_memory(self) -> Any:
        return self.choose.choice([10, 10**30, "x", -1, 0.5]) if self.odd == "max_memory" else None

    def kind(self) -> Any:
        return self.choose.choice(["", 5, None] if self.odd == "kind" else ["welded", "quads", "pixel"])

    def factor(self) -> Any:
        return self.choose.choice(ODD if self.odd == "factor" else [0.1, 1.0, 25.4])


def integrate(draw: Draw, normals: Any, camera: Any) -> crevasse.Integration:
    """A result of `integrate`, or of `iterate` that is stopped on the way."""
    mask, method = draw.mask(), draw.method()
    used = getattr(method, "accepts", ())
    given = {
        "hints": draw.hints("hints" in used),
        "weights": draw.weights("weights" in used),
        "threads": 1,
        "max_memory": draw.max_memory(),
    }
    if draw.choose.random() < 0.8:
        return crevasse.integrate(normals, mask, camera, method, **given)
    last = draw.choose.randrange(1, 5)
    for state in crevasse.iterate(normals, mask, camera, method, **given):
        if state.iteration >= last:
            break
    return state.result()


def check_result(result: crevasse.Integration, shape: Shape) -> None:
    """Numbers are finite where the status does not say otherwise."""
    assert result.depth.shape == shape and np.isnan(result.depth[~result.mask]).all()
    if result.status is Status.NOT_FINITE:
        return
    told = f"{result.status.name}, but not finite: {result.method} {result.camera}"
    assert np.isfinite(result.depth[result.mask]).all(), f"depth: {told}"
    assert np.isfinite(result.corners[result.mask.repeat(2, 0).repeat(2, 1)]).all(), f"corners: {told}"


def draw_pictures(result: crevasse.Integration, normals: Any) -> None:
    """Draw what a run and a comparison write."""
    pictures.normals(np.asarray(normals, float))
    for draw in (pictures.preview, pictures.depth, pictures.jumps, pictures.islands):
        draw(result)
    pictures.oblique(result, size=32)
    pictures.error(result, 2 * result.depth)


def run_case(seed: int, number: int) -> str:
    """What became of a case: done, not finite (and said so), or refused; anything else is raised."""
    draw = Draw(seed, number)
    try:
        camera = draw.camera()
        normals = draw.normals(camera)
        before = np.array(normals, copy=True) if isinstance(normals, np.ndarray) else None
        result = integrate(draw, normals, camera)
        check_result(result, draw.shape)
        finite = result.status is not Status.NOT_FINITE
        if finite:
            torn, trim = draw.choose.choice([True, False]), draw.choose.choice([None, 3.0, 100.0])
            assert np.isfinite(result.scaled(draw.factor()).mesh(draw.kind(), torn, trim).vertices).all()
            if draw.choose.random() < SHARE_DRAWN:
                draw_pictures(result, normals)
    except REFUSALS as refusal:
        own = "crevasse" in traceback.extract_tb(refusal.__traceback__)[-1].filename
        assert own and str(refusal), f"a library's own refusal: {refusal!r}"
        return "refused"
    if before is not None:
        assert before.dtype.kind in "OUc" or np.array_equal(before, normals, equal_nan=True), "the input was changed"
    return "done" if finite else "not finite"


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
