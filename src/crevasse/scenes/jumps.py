"""Scenes with jumps whose size the normals determine: every part can be reached along a continuous path."""

from __future__ import annotations

import numpy as np

from crevasse.scenes.scene import Complex, Scene, orthographic_scene, unit_square


def stairs(size: int = 256, steps: int = 6) -> Scene:
    """Six treads of alternating tilt; the jumps between them shrink to nothing towards a ramp at the left."""
    fall = 84 / 256

    def surface(u: Complex, v: Complex) -> Complex:
        tread = np.floor(v.real * steps)
        centre = (tread + 0.5) / steps
        tilt = np.where(tread % 2 == 0, -0.03, 0.1)
        flat = -fall * centre + tilt * (v - centre)
        return _blend(-fall * v, flat, _ramp(u, 24 / 256, 88 / 256))

    return orthographic_scene("stairs", surface, size, "Six treads; the jumps between them shrink to 0 at a ramp.")


def disc(size: int = 256, with_ramp: bool = True) -> Scene:
    """A planar disc over a tilted plane, joined to it by one ramp."""
    x, y, radius, half = 0.45, 0.5, 0.24, 0.066
    start = x + np.sqrt(radius**2 - half**2)

    def surface(u: Complex, v: Complex) -> Complex:
        ground = 0.1 * u - 0.06 * v
        lid = -0.05 * (u - x) + 0.08 * (v - y) - 0.087
        inside = (u.real - x) ** 2 + (v.real - y) ** 2 < radius**2
        bridge = (u.real >= start) & (np.abs(v.real - y) < half) & with_ramp
        slope = _blend(lid, ground, _ramp(u, start, start + 0.27))
        return np.where(bridge, slope, np.where(inside, lid, ground))

    if with_ramp:
        return orthographic_scene("disc", surface, size, "A disc over a plane, joined to it by one ramp.")
    return orthographic_scene("islands", surface, size, "A disc over a plane; nothing tells how far it is above.")


def islands(size: int = 128) -> Scene:
    """A disc over a plane without any ramp: an island, whose offset the normals do not determine."""
    return disc(size, with_ramp=False)


def comb(size: int = 256, teeth: int = 8) -> Scene:
    """A plate cut into teeth that bend away from the gaps; the jumps grow from 0 at the root."""

    def surface(u: Complex, v: Complex) -> Complex:
        rise = _smoothstep((0.72 - v) / 0.72)
        phase = u * teeth - np.floor(u.real * teeth)
        across = 4 * phase - 1
        gap = 0.08 * rise + 0.03 * v
        tooth = -0.06 * rise - 0.03 * v * (1 - rise) + 0.09 / teeth * rise * across * across
        plate = -0.03 * v
        body = np.where(phase.real < 0.5, tooth, _blend(plate, gap, rise))
        return 0.12 * u + np.where(v.real < 0.72, body, plate)

    name = "comb" if teeth == 8 else f"comb-{teeth}"
    return orthographic_scene(name, surface, size, f"{teeth} teeth and gaps; the jumps grow from 0 at the root.")


def spiral(size: int = 256, windings: float = 2.5) -> Scene:
    """A road that winds up a tower: neighbouring windings are connected only along the road."""
    first = 0.75
    width = 0.49 / (first + windings + 1)

    def place(u: Complex, v: Complex) -> tuple[Complex, Complex]:
        """Turns made along the road, and the way across it from -1 to 1."""
        x, y = u - 0.5, v - 0.5
        turn = _angle(x, y) / (2 * np.pi)
        out = np.sqrt(x * x + y * y) / width - turn
        winding = np.floor(out.real)
        return winding + turn, 2 * (out - winding) - 1

    def surface(u: Complex, v: Complex) -> Complex:
        turns, across = place(u, v)
        return 0.055 * turns + 0.12 * width * across * across

    turns = place(*(np.asarray(x, np.complex128) for x in unit_square(size)))[0].real
    mask = (turns > first) & (turns < first + windings)
    return orthographic_scene("spiral", surface, size, "A road winding up a tower, a jump between windings.", mask)


def shingles(size: int = 256, rows: int = 6) -> Scene:
    """Staggered tiles that bulge over the row below them; between tiles the roof is flat."""

    def surface(u: Complex, v: Complex) -> Complex:
        place = v * rows
        row = np.floor(place.real)
        tile = u * rows * 0.75 + 0.5 * (row % 2)
        across = _ramp(tile - np.floor(tile.real), 0.2, 0.8)
        lift = np.sin(np.pi * across) ** 2
        return np.asarray(0.05 * v - 0.45 / rows * (place - row) * lift)

    return orthographic_scene("shingles", surface, size, "Rows of staggered tiles whose frontal edges overlap.")


def relief(size: int = 256, petals: int = 7) -> Scene:
    """A rosette of petals that overlap by a few pixels, with ripples finer than a tenth of the petals."""

    def surface(u: Complex, v: Complex) -> Complex:
        x, y = u - 0.5, v - 0.5
        square = x * x + y * y
        reach = square / 0.2
        window = np.where(reach.real < 1, reach * (1 - reach) ** 2, 0.0)
        turn = petals * _angle(x, y) / (2 * np.pi) + 5.0 * square
        petal = turn - np.floor(turn.real)
        ripples = 0.0012 * np.sin(70 * x + 40 * y * y) * np.cos(55 * y) + 0.004 * np.sin(9 * x + 3 * y)
        return -0.25 * window * (petal - 0.3 * petal * petal) - 0.04 * window + ripples

    return orthographic_scene("relief", surface, size, "A bas-relief rosette: shallow overlaps and fine ripples.")


def _ramp(x: Complex, start: float, end: float) -> Complex:
    """0 before the start, 1 after the end, linear between."""
    t = (x - start) / (end - start)
    return np.asarray(np.where(t.real < 0, 0.0, np.where(t.real > 1, 1.0, t)))


def _smoothstep(x: Complex) -> Complex:
    t = _ramp(x, 0.0, 1.0)
    return t * t * (3 - 2 * t)


def _blend(first: Complex, second: Complex, share: Complex) -> Complex:
    return first + (second - first) * share


def _angle(x: Complex, y: Complex) -> Complex:
    """The angle of (x, y) in (-pi, pi]; its derivative comes along in the imaginary part, 0 at the origin."""
    square = np.maximum(x.real**2 + y.real**2, np.finfo(float).tiny)
    return np.asarray(np.arctan2(y.real, x.real) + 1j * (x.real * y.imag - y.real * x.imag) / square)
