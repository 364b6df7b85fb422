"""Reduce the number of triangles by quadric error; borders stay as they are."""

from __future__ import annotations

import math

import numpy as np

from crevasse.cameras import Array
from crevasse.mesh.mesh import Index, Mesh

GROWTH, FASTER = 4.1, 7.0
"""Growth of fast-simplification's error limit in squared edge lengths. Slow growth spreads the error more evenly, but
may end before the target; 7 is its own default."""
STEP = 0.5
"""Smallest share of the triangles that one pass leaves: the errors of each pass start anew, and several passes spread
them more evenly than one. In one pass to 10 %, a bent surface is off by up to 0.11 px, by halving by 0.09."""
ENOUGH = 1.02
"""Triangles, as a multiple of those wanted, with which the target counts as reached."""


def decimate(mesh: Mesh, target: float) -> Mesh:
    """The mesh with about as many triangles as wanted; its borders, and with them the jumps, stay as they are.

    Parameters
    ----------
    target : number of triangles, or a share of them if below 1

    Notes
    -----
    Needs fast-simplification: `pip install 'crevasse[mesh]'`.
    """
    try:
        import fast_simplification
    except ImportError:
        raise ImportError("decimating needs fast-simplification: pip install 'crevasse[mesh]'") from None
    if target <= 0:
        raise ValueError(f"target is {target!r}; give a number of triangles, or a share between 0 and 1")
    count = int(target * len(mesh.faces)) if target < 1 else int(target)
    if count >= len(mesh.faces):
        return mesh
    centre = mesh.vertices.mean(axis=0)
    sides = mesh.vertices[mesh.faces[:, 1]] - mesh.vertices[mesh.faces[:, 0]]
    size = float(np.sqrt(np.median(np.square(sides).sum(axis=-1)))) or 1.0
    vertices, faces = (mesh.vertices - centre) / size, np.asarray(mesh.faces, np.int32)
    for wanted, growth in _passes(len(faces), max(count, 1)):
        if len(faces) > ENOUGH * wanted:
            vertices, faces = fast_simplification.simplify(
                vertices, faces, target_count=wanted, agg=growth, preserve_border=True
            )
    vertices = vertices * size + centre
    nearest = _nearest(mesh, vertices)
    return Mesh(
        vertices,
        np.asarray(faces, np.int32),
        np.empty((0, 4), np.int32),
        mesh.normals[nearest],
        _image_coordinates(mesh, vertices, nearest),
        mesh.trimmed,
    )


def _passes(triangles: int, count: int) -> list[tuple[int, float]]:
    """Triangles after each pass, and the growth of its error limit; the last only matters if the target is missed."""
    number = max(math.ceil(math.log(count / triangles) / math.log(STEP)), 1)
    steps = [round(triangles * (count / triangles) ** (k / number)) for k in range(1, number)]
    return [*((step, GROWTH) for step in steps), (count, GROWTH), (count, FASTER)]


def _image_coordinates(mesh: Mesh, vertices: Array, nearest: Index) -> Array:
    """Image coordinates of the new vertices, exact for both cameras."""
    for spread in (False, True):
        known = _rays(mesh.vertices, spread)
        fit = np.linalg.lstsq(known, mesh.texture, rcond=None)[0]
        if np.abs(known @ fit - mesh.texture).max() < 1e-6:
            found = np.asarray(_rays(vertices, spread) @ fit)
            return np.where(np.isfinite(found), found, mesh.texture[nearest])
    return mesh.texture[nearest]


def _rays(points: Array, spread: bool) -> Array:
    """Positions of points across the rays, (N, 3) with ones; divided by the depth if the rays diverge."""
    with np.errstate(divide="ignore", invalid="ignore"):
        across = points[:, :2] / points[:, 2:] if spread else points[:, :2]
    return np.column_stack([across, np.ones(len(points))])


def _nearest(mesh: Mesh, vertices: Array) -> Index:
    """The closest old vertex to each new one."""
    from scipy.spatial import cKDTree

    found: Index = cKDTree(mesh.vertices).query(vertices)[1]
    return found
