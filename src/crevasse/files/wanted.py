"""Choose the files of a result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath

from crevasse.files.axes import upright_in
from crevasse.files.depth_files import DEPTH_FILES
from crevasse.files.height_files import HEIGHT_FILES
from crevasse.files.result_folder import REPORT
from crevasse.mesh import TRIM

ASSESSING = 300
"""Bytes per pixel that estimating sigma takes: another run, and the systems that are probed."""
SIGMA_FORMATS = ("tif", "exr")
"""Formats of depth that hold infinity, which sigma is on islands."""
QUALITY = "report.html"


@dataclass(frozen=True)
class Wanted:
    """Which files to write.

    Attributes
    ----------
    depth : formats of the depth map besides NPY
    height : formats of height maps
    mesh : formats of the mesh
    kind : "welded", "quads" or "pixel", or "none" for no mesh
    torn : whether the mesh stays open at jumps
    trim : length over width from which faces at borders are left out of a welded mesh; None keeps all
    decimate : triangles of the mesh, or their share if below 1; None keeps all
    axes : where the axes of PLY, OBJ and STL files point
    photo : a photograph to lay over the mesh
    solid : whether to write a closed solid for 3D printing
    points : whether to write a point cloud
    arrays : whether to write corners, jumps and islands as NPY and the islands as a picture
    pictures : whether to write the depth in colours besides the preview and the jumps
    animate : whether to write an animation of the run
    html : whether to write a page of one file that shows the result
    sigma : whether to write the standard deviation of depth, as NPY, TIFF or EXR like the depth, and as a picture
    normal_error : degrees by which the normals err smoothly, for sigma; None as `uncertainty.estimate` takes it
    report : whether to write a quality report
    """

    depth: tuple[str, ...] = ("tif",)
    height: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ("ply",)
    kind: str = "welded"
    torn: bool = True
    trim: float | None = TRIM
    decimate: float | None = None
    axes: str = "opengl"
    photo: Path | None = None
    solid: bool = False
    points: bool = False
    arrays: bool = False
    pictures: bool = False
    animate: bool = False
    html: bool = False
    sigma: bool = False
    normal_error: float | None = None
    report: bool = False

    @property
    def assessed(self) -> bool:
        """Whether anything needs sigma."""
        return self.sigma or self.report

    @property
    def heavy(self) -> int:
        """Bytes per pixel needed for files that cannot be written in blocks."""
        decimated = 450 if self.decimate is not None and self.kind != "none" else 0
        whole = 150 if self.kind == "pixel" or (self.kind == "quads" and not self.torn) or self.points else 0
        return max(
            decimated, whole, 350 if self.solid else 0, 70 if self.arrays else 0, ASSESSING if self.assessed else 0
        )

    @property
    def upright(self) -> str | None:
        """Where the mesh files stand upright, if there is something to say about them."""
        places = [self.upright_file(f".{kind}") for kind in self.mesh]
        return next((text for text in places if text is not None), None)

    def upright_file(self, suffix: str) -> str | None:
        """Where a mesh file of this kind stands upright; GLB and OBJ do so everywhere."""
        return upright_in(self.axes) if suffix.lower() in (".ply", ".stl") else None

    def names(self) -> dict[str, str]:
        """Kinds and file names, in the order in which they are written."""
        names = {"depth": "depth.npy"}
        names |= {f"depth_{kind}": DEPTH_FILES[kind] for kind in self.depth if kind != "npy"}
        names |= {f"height_{kind}": HEIGHT_FILES[kind] for kind in self.height}
        for number, kind in enumerate(self.mesh if self.kind != "none" else ()):
            names[f"mesh_{kind}" if number else "mesh"] = f"mesh.{kind}"
            if kind == "obj":
                names |= self._beside("mesh")
        names |= {"solid": "solid.stl"} if self.solid else {}
        names |= {"points": "points.ply"} if self.points else {}
        names |= self._sigma_names() if self.sigma else {}
        names |= {"jumps": "jumps.png", "preview": "preview.png"}
        if self.arrays:
            names |= {
                "corners": "corners.npy",
                "jumps_right": "jumps_right.npy",
                "jumps_down": "jumps_down.npy",
                "islands": "islands.npy",
                "islands_picture": "islands.png",
            }
        names |= {"depth_picture": "depth_colours.png"} if self.pictures else {}
        names |= {"animation": "animation.webp"} if self.animate else {}
        names |= {"page": "page.html"} if self.html else {}
        names |= {"quality": QUALITY} if self.report else {}
        return names | {"report": REPORT}

    def _sigma_names(self) -> dict[str, str]:
        """Kinds and names of the files of sigma: the float formats of the depth, and a picture."""
        kinds = [kind for kind in self.depth if kind in SIGMA_FORMATS]
        return {
            "sigma": "sigma.npy",
            **{f"sigma_{kind}": f"sigma.{kind}" for kind in kinds},
            "sigma_picture": "sigma.png",
        }

    def single_names(self, name: str) -> list[str]:
        """Names of the files of a single mesh: an OBJ file has its material and photograph beside it."""
        path = PurePath(name)
        return [name, *(self._beside(path.stem).values() if path.suffix.lower() == ".obj" else ())]

    def _beside(self, stem: str) -> dict[str, str]:
        """Kinds and names of the files an OBJ file refers to; one of the two photographs is written."""
        if self.photo is None:
            return {}
        return {"material": f"{stem}.mtl", **{f"photo_{kind}": f"{stem}-photo.{kind}" for kind in ("jpg", "png")}}
