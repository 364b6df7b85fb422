"""Pictures of a surface and its jumps; each is an (H, W, 3) array of bytes."""

from crevasse.pictures.animation import Film
from crevasse.pictures.canvas import to_animation, to_png
from crevasse.pictures.doubt import sigma
from crevasse.pictures.drawable import Given, Picture
from crevasse.pictures.errors import error
from crevasse.pictures.figures import figure
from crevasse.pictures.maps import depth, islands, jumps, normals
from crevasse.pictures.oblique import oblique
from crevasse.pictures.page import page
from crevasse.pictures.relief import preview
from crevasse.pictures.sheet import sheet

__all__ = [
    "Film",
    "Given",
    "Picture",
    "depth",
    "error",
    "figure",
    "islands",
    "jumps",
    "normals",
    "oblique",
    "page",
    "preview",
    "sheet",
    "sigma",
    "to_animation",
    "to_png",
]
