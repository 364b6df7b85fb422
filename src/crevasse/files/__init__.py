"""Normal maps in, depth and meshes out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crevasse.files.camera_files import CameraChoice, read_camera
    from crevasse.files.companions import read_mask
    from crevasse.files.depth_files import write_depth
    from crevasse.files.errors import AlreadyThere, BadInput, BadOutput
    from crevasse.files.frames import Frame
    from crevasse.files.hint_files import read_hints
    from crevasse.files.map_folder import has_truth
    from crevasse.files.mesh_files import write_mesh
    from crevasse.files.normal_map import NormalMap, ReadOptions
    from crevasse.files.opening import open_map, read_folder, read_normals
    from crevasse.files.outputs import save

# Loaded on first use, so that errors can be reported even where the compiled part is missing.
_HOMES = {
    "AlreadyThere": "errors",
    "BadInput": "errors",
    "BadOutput": "errors",
    "CameraChoice": "camera_files",
    "Frame": "frames",
    "NormalMap": "normal_map",
    "ReadOptions": "normal_map",
    "has_truth": "map_folder",
    "open_map": "opening",
    "read_camera": "camera_files",
    "read_folder": "opening",
    "read_hints": "hint_files",
    "read_mask": "companions",
    "read_normals": "opening",
    "save": "outputs",
    "write_depth": "depth_files",
    "write_mesh": "mesh_files",
}

__all__ = [
    "AlreadyThere",
    "BadInput",
    "BadOutput",
    "CameraChoice",
    "Frame",
    "NormalMap",
    "ReadOptions",
    "has_truth",
    "open_map",
    "read_camera",
    "read_folder",
    "read_hints",
    "read_mask",
    "read_normals",
    "save",
    "write_depth",
    "write_mesh",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'crevasse.files' has no attribute {name!r}")
    return getattr(import_module(f"crevasse.files.{_HOMES[name]}"), name)
