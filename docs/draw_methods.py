"""Draw what every method makes of one map, for the page on thirty years: python docs/draw_methods.py."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import crevasse
from crevasse import pictures, scenes
from crevasse.methods import METHODS
from crevasse.methods.registry import make
from crevasse.metrics import footprint, made
from crevasse.pictures import canvas
from crevasse.pictures.colours import HEAT
from crevasse.pictures.drawable import Given, heights_of
from crevasse.pictures.errors import error_limit, error_ticks, errors_of
from crevasse.pictures.oblique import fit_box
from crevasse.pictures.panels import Bar, Panel, grid
from crevasse.scenes import Scene

IMAGES = Path(__file__).parent / "images" / "methods"
SIZE = 200
"""Side of a panel in pixels."""
MAP = 144
"""Side of the map in pixels, before its middle is cut out."""

QUICKER = {"auxiliary": {"iterations": 200}}
"""Settings that change nothing to be seen and save most of the time."""


def middle(scene: Scene) -> Scene:
    """The largest rectangle around the centre that lies in the mask: some methods take no mask."""
    height, width = scene.mask.shape
    areas = {}
    for rows in range(4, height // 2):
        columns = next(c for c in range(width // 2, -1, -1) if scene.mask[_window(scene, rows, c)].all())
        areas[rows, columns] = rows * columns
    window = _window(scene, *max(areas, key=lambda sides: areas[sides]))
    camera = scene.camera.cropped(window[0].start, window[1].start)
    return replace(
        scene, normals=scene.normals[window], mask=scene.mask[window], depth=scene.depth[window], camera=camera
    )


def _window(scene: Scene, rows: int, columns: int) -> tuple[slice, slice]:
    row, column = scene.mask.shape[0] // 2, scene.mask.shape[1] // 2
    return slice(row - rows, row + rows), slice(column - columns, column + columns)


def main() -> None:
    scene = middle(scenes.demo(MAP))
    methods = {name: make(name, QUICKER.get(name)) for name in METHODS}
    results = {
        name: crevasse.integrate(scene.normals, scene.mask, scene.camera, method) for name, method in methods.items()
    }
    truth = Given(scene.depth, scene.camera)
    box = fit_box(*heights_of(truth, 2 * SIZE, cropped=True))
    most = error_limit([errors_of(result, scene.depth) for result in results.values()])
    IMAGES.mkdir(exist_ok=True)
    for name, result in results.items():
        side = pictures.oblique(result, size=SIZE, box=box)
        error = canvas.fit(pictures.error(result, scene.depth, most, bar=False), SIZE)
        pixels = made(result.depth, scene.depth, scene.camera) / footprint(scene.depth, scene.camera)
        save(name, grid([[Panel(result.method.title, side)], [Panel(f"error {pixels:.2f} px", error)]]))
    side = pictures.oblique(truth, size=SIZE, box=box)
    ticks = error_ticks(most / footprint(scene.depth, scene.camera))
    bar = Panel("", canvas.blank(error.shape[0], 1), Bar(HEAT, ticks, "error, px"))
    save("truth", grid([[Panel("truth", side)], [bar]]))
    save("map", grid([[Panel("normal map", canvas.fit(pictures.normals(scene.normals, scene.mask), SIZE))]]))


def save(name: str, picture: pictures.Picture) -> None:
    """Write a picture as a PNG file."""
    (IMAGES / f"{name}.png").write_bytes(pictures.to_png(np.asarray(picture)))


if __name__ == "__main__":
    main()
