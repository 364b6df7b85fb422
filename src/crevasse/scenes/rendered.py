"""Scenes of solids seen by a perspective camera, with exact normals and depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from crevasse.cameras import Array, Perspective
from crevasse.scenes.scene import Mask, Scene


class Hit(NamedTuple):
    """Where rays meet a solid: the depth (infinite where they miss) and the outward normal."""

    depth: Array
    normal: Array


class Solid(Protocol):
    """A solid that rays from an eye can meet; directions are scaled so that ray parameters are depths."""

    def meet(self, eye: Array, direction: Array) -> Hit: ...


@dataclass(frozen=True)
class Plate:
    """The ground: a round plate of this radius at height 0."""

    radius: float

    def meet(self, eye: Array, direction: Array) -> Hit:
        depth = -eye[2] / direction[..., 2]
        point = eye + depth[..., None] * direction
        on = (depth > 0) & (point[..., 0] ** 2 + point[..., 1] ** 2 < self.radius**2)
        return Hit(np.where(on, depth, np.inf), np.broadcast_to([0.0, 0.0, 1.0], direction.shape))


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid whose axes are turned about the vertical."""

    centre: tuple[float, float, float]
    radii: tuple[float, float, float]
    degrees: float = 0.0

    def meet(self, eye: Array, direction: Array) -> Hit:
        turn = _about_vertical(self.degrees) / np.array(self.radii)
        start, way = (eye - np.array(self.centre)) @ turn, direction @ turn
        a, b = np.square(way).sum(axis=-1), way @ start
        root = b * b - a * (start @ start - 1)
        with np.errstate(invalid="ignore"):
            depth = np.where(root > 0, (-b - np.sqrt(root)) / a, np.inf)
        safe = np.where(np.isfinite(depth), depth, 0.0)
        return Hit(depth, _unit((start + safe[..., None] * way) @ turn.T))


@dataclass(frozen=True)
class Torus:
    """A ring; `degrees` turns its axis about the vertical, `lean` tips it towards the vertical."""

    centre: tuple[float, float, float]
    radius: float
    thickness: float
    degrees: float = 0.0
    lean: float = 0.0

    def meet(self, eye: Array, direction: Array) -> Hit:
        turn = _about_vertical(self.degrees) @ _about_first(self.lean)
        start, way = (eye - np.array(self.centre)) @ turn, direction @ turn
        length = np.sqrt(np.square(way).sum(axis=-1))
        ray = way / length[..., None]
        reach = self.radius + self.thickness
        middle = -(ray @ start)
        miss = start @ start - middle**2
        near = np.flatnonzero(miss.ravel() < reach**2)
        flat = ray.reshape(-1, 3)[near]
        travelled, hit = self._march(start, flat, middle.ravel()[near] - reach)
        depth = np.full(miss.size, np.inf)
        depth[near[hit]] = travelled[hit]
        normal = np.zeros((miss.size, 3))
        normal[near] = self._gradient(start + travelled[:, None] * flat) @ turn.T
        return Hit(depth.reshape(miss.shape) / length, normal.reshape(direction.shape))

    def _march(self, start: Array, ray: Array, travelled: Array) -> tuple[Array, Mask]:
        """Advance each ray by its distance to the ring until it hits or passes it (sphere tracing)."""
        end = travelled + 2 * (self.radius + self.thickness)
        distance = np.full(len(ray), np.inf)
        for _ in range(400):
            moving = np.flatnonzero((np.abs(distance) > 1e-13) & (travelled < end))
            if not moving.size:
                break
            distance[moving] = self._distance(start + travelled[moving, None] * ray[moving])
            travelled[moving] += distance[moving]
        return travelled, distance < 1e-7

    def _distance(self, point: Array) -> Array:
        return np.hypot(np.hypot(point[:, 0], point[:, 2]) - self.radius, point[:, 1]) - self.thickness

    def _gradient(self, point: Array) -> Array:
        around = np.hypot(point[:, 0], point[:, 2])
        out = (around - self.radius) / around
        return _unit(np.stack([point[:, 0] * out, point[:, 1], point[:, 2] * out], axis=-1))


def render(
    name: str, solids: list[Solid], eye: Array, target: Array, camera: Perspective, size: int, text: str
) -> Scene:
    """Render solids with a camera at `eye` that looks at `target`; the z axis of the world points up."""
    rows, columns = np.mgrid[:size, :size]
    forward = _unit(target - eye)
    right = _unit(np.cross(forward, [0.0, 0.0, 1.0]))
    axes = np.stack([right, np.cross(forward, right), forward])
    direction = camera.points(rows, columns, 1.0) @ axes
    depth = np.full((size, size), np.inf)
    normals = np.zeros((size, size, 3))
    for solid in solids:
        hit = solid.meet(eye, direction)
        nearer = hit.depth < depth
        depth[nearer], normals[nearer] = hit.depth[nearer], hit.normal[nearer]
    mask = np.isfinite(depth)
    seen = (normals @ axes.T) * [1.0, -1.0, -1.0]
    return Scene(name, np.where(mask[..., None], seen, 0.0), mask, camera, np.where(mask, depth, np.nan), text)


def demo(size: int = 384) -> Scene:
    """Rings and pebbles half sunk into a plate: each jump shrinks to nothing where its solid meets the plate."""
    solids: list[Solid] = [
        Plate(10.0),
        Torus((-1.8, 3.6, -0.8), 5.8, 0.95, 4.0, 12.0),
        Torus((4.7, -1.9, -0.3), 3.6, 0.75, -38.0, -8.0),
        Torus((-5.2, -2.2, 0.2), 2.4, 0.6, 62.0, 6.0),
        Ellipsoid((-1.9, 0.4, 0.5), (2.4, 1.7, 2.0), 25.0),
        Ellipsoid((-0.6, -5.6, 0.1), (3.0, 1.4, 1.1), -15.0),
        Ellipsoid((7.5, 3.2, 0.3), (1.5, 2.0, 1.9), 40.0),
        Ellipsoid((1.0, -2.9, 0.3), (1.05, 0.95, 3.3), 0.0),
        Ellipsoid((4.6, -6.0, 0.0), (1.3, 1.9, 0.9), 20.0),
    ]
    camera = Perspective.from_field_of_view(31.0, (size, size))
    eye, target = np.array([0.0, -26.0, 27.0]), np.array([0.0, -1.4, -0.1])
    return render("demo", solids, eye, target, camera, size, "Rings and pebbles half sunk into a round plate.")


def _about_vertical(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _about_first(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True)))
