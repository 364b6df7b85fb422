"""Draw the pictures of the documentation from the built-in scenes: python docs/draw.py."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import crevasse
from crevasse import pictures, scenes
from crevasse.cameras import Array
from crevasse.pictures import canvas
from crevasse.pictures.colours import HEAT, INK, PAPER, colour, scale_to
from crevasse.pictures.drawable import Picture, window_of
from crevasse.pictures.errors import error_ticks
from crevasse.pictures.oblique import relit

IMAGES = Path(__file__).parent / "images"
METHODS = {"Poisson": crevasse.Poisson(), "BiNI": crevasse.Bilateral(), "crevasse": crevasse.Graduated()}
GAP = np.array([240, 120, 30], np.uint8)
"""Colour of depth discontinuities in the picture of the README."""
PANEL = 300
"""Side of its panels; at 4 panels the picture is 1200 px wide and is shown at 800."""
SHARP = 2
"""It is drawn this many times larger and then shrunk."""
TURN = (58.0, 20.0)
"""Degrees to the left of the camera's own view, and above it."""
ZOOM = 1.05
LEAST_WALL = 2.0
"""Depth difference of neighbouring pixels, in pixels, from which a wall is drawn."""
TEXT = 24
"""Height of the letters: 16 px when the picture is shown at 800."""


def save(name: str, picture: Picture) -> None:
    """Write a picture as a PNG file."""
    (IMAGES / name).write_bytes(pictures.to_png(picture))


def draw_coil() -> Picture:
    """The README's picture: one normal map, three surfaces from the side, their errors on one scale."""
    scene = scenes.spiral(256)
    results = integrate_all(scene)
    errors = {name: pictures.errors.errors_of(result, scene.depth) for name, result in results.items()}
    top = max(float(np.nanmax(error)) for error in errors.values())
    above = [("input: a normal map", crop(pictures.normals(scene.normals, scene.mask), scene.mask, PANEL - 40))]
    above += [(name, draw_side(result.depth, result.mask)) for name, result in results.items()]
    below = [("depth error in pixels", draw_scale(top))]
    for error in errors.values():
        picture = colour(scale_to(error, (0.0, top)), HEAT)
        below.append((f"mean error {np.nanmean(error):.1g} px", crop(picture, scene.mask, PANEL - 80)))
    return stack([above, below])


def crop(picture: Picture, mask: NDArray[np.bool_], side: int) -> Picture:
    """The part of a picture inside the mask, `side` pixels high."""
    part = picture[window_of(mask)]
    return canvas.resize(part, side, round(side * part.shape[1] / part.shape[0]))


def draw_scale(top: float) -> Picture:
    """A horizontal colour bar from 0 to `top`."""
    bar = canvas.blank(90, PANEL)
    bar[10:40, 30:-30] = HEAT[np.linspace(0, len(HEAT) - 1, PANEL - 60).round().astype(int)]
    for place, text in error_ticks(top):
        column = 30 + round(place * (PANEL - 61))
        bar[40:47, column] = INK
        bar = canvas.write_text(bar, text, 52, column, TEXT, anchor="ma")
    return bar


def draw_side(depth: Array, mask: NDArray[np.bool_]) -> Picture:
    """A surface from the side, its depth discontinuities as walls of another colour."""
    side = SHARP * PANEL
    rows, columns = np.nonzero(mask)
    parts = [(columns, rows, depth[mask], relit(depth, mask)[mask]), *walls(depth)]
    x, y, z = (np.concatenate([part[i] for part in parts]).astype(float) for i in range(3))
    colours = np.concatenate([part[3] for part in parts])
    across, down, away = turned(x - columns.mean(), y - rows.mean(), z - np.median(depth[mask]))
    scale = ZOOM * side / max(mask.shape)
    inner = np.arange(np.ceil(scale) + 1) - np.ceil(scale) // 2
    dot = np.stack(np.meshgrid(inner, inner), axis=-1).reshape(1, -1, 2)
    place = np.rint(np.stack([down, across], axis=-1)[:, None] * scale + side / 2 + dot).astype(int)
    far_first = np.argsort(-away)
    picture = canvas.blank(side, side)
    at = place[far_first].reshape(-1, 2).clip(0, side - 1)
    picture[at[:, 0], at[:, 1]] = np.repeat(colours[far_first], dot.shape[1], axis=0)
    return canvas.resize(picture, PANEL, PANEL)


def walls(depth: Array) -> Iterator[tuple[Array, Array, Array, Picture]]:
    """Points on straight lines across the depth discontinuities."""
    for axis in (0, 1):
        first = np.argwhere(np.abs(np.diff(depth, axis=axis)) > LEAST_WALL)
        second = first + np.eye(2, dtype=int)[axis]
        for share in np.linspace(0.0, 1.0, 60):
            row, column = ((1 - share) * first + share * second).T
            level = (1 - share) * depth[tuple(first.T)] + share * depth[tuple(second.T)]
            yield column, row, level, np.broadcast_to(GAP, (len(first), 3))


def turned(x: Array, y: Array, z: Array) -> tuple[Array, Array, Array]:
    """Points as a view from the side sees them: right, down, away."""
    yaw, pitch = np.radians(TURN)
    x, z = x * np.cos(yaw) + z * np.sin(yaw), z * np.cos(yaw) - x * np.sin(yaw)
    y, z = y * np.cos(pitch) - z * np.sin(pitch), z * np.cos(pitch) + y * np.sin(pitch)
    return x, y, z


def stack(rows: list[list[tuple[str, Picture]]]) -> Picture:
    """Rows of titled panels on paper."""
    whole = canvas.blank(sum(max(p.shape[0] for _, p in row) + 44 for row in rows) + 8, 4 * PANEL, PAPER)
    top = 0
    for row in rows:
        height = max(picture.shape[0] for _, picture in row)
        for number, (title, picture) in enumerate(row):
            left = number * PANEL + (PANEL - picture.shape[1]) // 2
            canvas.paste(whole, picture, top + 44 + (height - picture.shape[0]) // 2, left)
            whole = canvas.write_text(whole, title, top + 10, number * PANEL + PANEL // 2, TEXT, anchor="ma")
        top += height + 44
    return whole


def integrate_all(scene: scenes.Scene) -> dict[str, crevasse.Integration]:
    return {
        name: crevasse.integrate(scene.normals, scene.mask, scene.camera, method) for name, method in METHODS.items()
    }


def draw_estimated() -> Picture:
    """Normals that photometric stereo estimates, and the errors of what three methods make of them."""
    rows = [estimated_panels(make(208), seed) for make, seed in ((scenes.demo, 10), (scenes.shingles, 11))]
    return stack(rows)


def estimated_panels(scene: scenes.Scene, seed: int) -> list[tuple[str, Picture]]:
    """Estimated normals of a scene, and the errors of three surfaces on one scale."""
    estimated = scenes.estimated(scene, trim=(0.25, 0.15), seed=seed)
    pixel = scene.camera.footprint(float(np.nanmedian(scene.depth)))
    errors = {
        name: pictures.maps.errors_of(result, scene.depth) / pixel
        for name, result in integrate_all(estimated).items()
    }
    top = max(float(np.nanquantile(error, 0.98)) for error in errors.values())
    cosine = np.clip((scene.normals * estimated.normals).sum(axis=-1), -1, 1)
    degrees = np.degrees(np.arccos(cosine))[scene.mask].mean()
    found = crop(pictures.normals(estimated.normals, scene.mask), scene.mask, PANEL - 80)
    return [
        (f"normals, {degrees:.0f}° off", found),
        *(
            (f"{name}: {np.nanmean(error):.2g} px", draw_error(error, top, scene.mask))
            for name, error in errors.items()
        ),
    ]


def draw_error(error: Array, top: float, mask: NDArray[np.bool_]) -> Picture:
    """A map of errors from 0 to `top`."""
    return crop(colour(scale_to(error, (0.0, top)), HEAT), mask, PANEL - 80)


def draw_demo() -> None:
    """The pictures that `crevasse integrate` writes, of the scene of `crevasse demo`."""
    scene = scenes.demo()
    film = pictures.Film(size=300)
    for state in film.watch(crevasse.iterate(scene.normals, scene.mask, scene.camera)):
        last = state
    result = last.result()
    save("preview.png", pictures.preview(result))
    save("depth.png", pictures.depth(result))
    save("jumps.png", pictures.jumps(result))
    (IMAGES / "animation.webp").write_bytes(film.encode())


def main() -> None:
    save("coil.png", draw_coil())
    save("estimated.png", draw_estimated())
    draw_demo()


if __name__ == "__main__":
    main()
