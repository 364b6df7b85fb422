"""The one place where tests of the twins reach the native kernels of the default method."""

import numpy as np
import pytest

from crevasse import native
from crevasse.methods.evidence import consider
from crevasse.twins.graduated.grid import split
from crevasse.twins.graduated.iteration import Weighting

COMING = hasattr(native, "GraduatedEngine")

needs_bindings = pytest.mark.skipif(not COMING, reason="this native build has no binding for the routine alone")

TARGET, TWIST, VARIANCE, CREASE, AHEAD, BEHIND = range(6)


def make(case, threads=1):
    """An engine that holds the heights of a random map."""
    engine = native.Graduated(*_given(case), case.curvature, threads)
    engine.write(case.heights)
    return engine


def set_slopes(engine, case):
    """Give an engine the slopes of another map with the same mask."""
    engine.retarget(*_given(case))


def set_evidence(engine, evidence):
    consider(engine, evidence)


def add_spanning(engine, spanning):
    engine.build_walls(*spanning)


def iterate(engine, weighting, scale=0.0, solver_iterations=200, tolerance=1e-6):
    """One outer iteration: the energy before it, and the sum of all changes of the heights."""
    code = {Weighting.SETTLED: -1.0, Weighting.REDESCENDING: 0.0}.get(weighting, scale)
    energy, change, _ = engine.step(code, weighting is Weighting.FLAT, solver_iterations, tolerance, True)
    return energy, change


def pair_constants(engine, shape, which):
    """One of the pairs' constants, (2, H, W)."""
    return _fill(shape, np.float32, lambda right, down: engine.constants(which, right, down))


def exists(engine, shape):
    return pair_constants(engine, shape, VARIANCE) > 0


def weights(engine, shape):
    return _fill(shape, np.float32, engine.weights)


def cuts(engine, shape):
    return _fill(shape, np.uint8, engine.cuts).astype(bool)


def energies(engine, labels):
    out = np.zeros(int(labels.max()) + 1)
    engine.energies(labels, out)
    return out


def heights(engine, shape):
    out = np.empty(shape)
    engine.read(out)
    return out


def move_parts(engine, parts, rules):
    return engine.dock(parts, rules.gain, rules.distance, rules.candidates, rules.moves)


def islands(engine, shape, rules):
    """Labels of the islands, and their number."""
    out = np.zeros(shape, np.int32)
    count = engine.islands(rules.slip, rules.doubt, rules.bridge, rules.size, out)
    return out, count


def parts(engine, shape, limit):
    """The part of each pixel, and their number."""
    out = np.zeros(shape, np.int32)
    count = engine.parts(limit, out)
    return out, count


def min_cut(nodes, edges, forward, backward, source, sink, limit):
    """Nodes with the source; None if the cut costs more than the limit."""
    side = np.zeros(nodes, np.uint8)
    found = native.min_cut(nodes, edges.astype(np.int32), forward, backward, source, sink, limit, side)
    return side.astype(bool) if found else None


def _given(case):
    several = case.labels.max() > 1
    slopes = case.slopes
    mask = case.mask.view(np.uint8)
    return (
        slopes.across,
        slopes.along,
        slopes.cosine,
        mask,
        case.labels if several else None,
        case.noise,
        case.hints,
    )


def _fill(shape, kind, write):
    """What the kernel says of all pairs, (2, H, W)."""
    out = np.zeros((2, *shape), kind)
    right, down = (np.ascontiguousarray(part) for part in split(out))
    write(right, down)
    out[0, :, :-1], out[1, :-1] = right, down
    return out
