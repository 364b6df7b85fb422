"""The one place where tests of the twins reach the native kernels of the default method."""

import math

import numpy as np

from crevasse import native
from crevasse.methods.graduated.engine import CONSTANTS
from crevasse.methods.graduated.rules import UNBOUNDED

TARGET, TWIST, VARIANCE = "targets", "twists", "variances"
CREASE, AHEAD, BEHIND = "creases", "doubts_ahead", "doubts_behind"


def make(case, offsets=None):
    """An engine that holds the heights of a random map.

    offsets : (2, 2, H, W) array, heights of the planes' corners; by default, those of the map's camera
    """
    corners = None if offsets is None else np.ascontiguousarray(offsets.reshape(4, *case.mask.shape))
    engine = native.GraduatedEngine(
        **_given(case), offsets=corners, curvature=case.curvature, constants=CONSTANTS, threads=1
    )
    engine.write(heights=case.heights)
    return engine


def set_slopes(engine, case):
    """Give an engine the slopes of another map with the same mask."""
    engine.set_slopes(**_given(case), offsets=None)


def set_evidence(engine, evidence):
    engine.set_evidence(**evidence._replace(angle=math.radians(evidence.angle))._asdict())


def add_spanning(engine, spanning):
    engine.add_spanning(**spanning._asdict(), offsets=None)


def iterate(engine, weighting, scale=0.0, solver_iterations=200, tolerance=1e-6, bounds=UNBOUNDED):
    """One outer iteration: the energy before it, and the sum of all changes of the heights."""
    kind = getattr(native.Weighting, weighting.name)
    solver = {"solver_iterations": solver_iterations, "tolerance": tolerance, "rebuild": True}
    energy, change, _ = engine.iterate(weighting=kind, scale=scale, **solver, **bounds._asdict())
    return energy, change


def pair_constants(engine, shape, which):
    """One of the pairs' constants, (2, H, W)."""
    return _fill(shape, np.float32, getattr(engine, which))


def exists(engine, shape):
    return pair_constants(engine, shape, VARIANCE) > 0


def weights(engine, shape):
    return _fill(shape, np.float32, engine.weights)


def cuts(engine, shape):
    """Pairs that the surface cuts, without those that hints separate."""
    return _fill(shape, np.uint8, engine.cuts).astype(bool) & exists(engine, shape)


def energies(engine, labels):
    out = np.zeros(int(labels.max()) + 1)
    engine.energies(labels=labels, out=out)
    return out


def heights(engine, shape):
    out = np.empty(shape)
    engine.read(out=out)
    return out


def move_parts(engine, parts, rules):
    return engine.move_parts(parts=parts, **rules._asdict())


def islands(engine, shape, rules):
    """Labels of the islands, and their number."""
    out = np.zeros(shape, np.int32)
    count = engine.islands(**rules._asdict(), out=out)
    return out, count


def parts(engine, shape, limit):
    """The part of each pixel, and their number."""
    out = np.zeros(shape, np.int32)
    count = engine.parts(limit=limit, out=out)
    return out, count


def min_cut(nodes, edges, forward, backward, source, sink, limit):
    """Nodes with the source; None if the cut costs more than the limit."""
    side = np.zeros(nodes, np.uint8)
    found = native.min_cut(
        nodes=nodes,
        edges=edges.astype(np.int32),
        forward=forward,
        backward=backward,
        source=source,
        sink=sink,
        limit=limit,
        side=side,
    )
    return side.astype(bool) if found else None


def _given(case):
    labels = case.labels if case.labels.max() > 1 else None
    mask = case.mask.view(np.uint8)
    return {**case.slopes._asdict(), "mask": mask, "labels": labels, "noise": case.noise, "hints": case.hints}


def _fill(shape, kind, write):
    """What the kernel says of all pairs, (2, H, W)."""
    out = np.zeros((2, *shape), kind)
    write(right=out[0], down=out[1])
    return out
