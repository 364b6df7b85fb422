"""Draw the pictures of the documentation anew, from the built-in scenes: python docs/draw.py."""

from pathlib import Path

import crevasse
from crevasse import pictures, scenes

IMAGES = Path(__file__).parent / "images"


def save(name: str, picture: pictures.Picture) -> None:
    """Write a picture as a PNG file."""
    (IMAGES / name).write_bytes(pictures.to_png(picture))


def main() -> None:
    scene = scenes.demo()
    methods = {"Poisson": crevasse.Poisson(), "BiNI": crevasse.Bilateral(), "crevasse": crevasse.Graduated()}
    results = {
        title: crevasse.integrate(scene.normals, scene.mask, scene.camera, method)
        for title, method in methods.items()
    }
    save("sheet.png", pictures.sheet(results, scene.depth, size=220))
    film = pictures.Film(size=300)
    for state in film.watch(crevasse.iterate(scene.normals, scene.mask, scene.camera)):
        last = state
    result = last.result()
    save("preview.png", pictures.preview(result))
    save("depth.png", pictures.depth(result))
    save("jumps.png", pictures.jumps(result))
    save("oblique.png", pictures.oblique(result, size=288))
    (IMAGES / "animation.webp").write_bytes(film.encode())


if __name__ == "__main__":
    main()
