"""Normal maps in, depth and meshes out."""

from crevasse.files.camera_files import CameraChoice, read_camera
from crevasse.files.depth_files import write_depth
from crevasse.files.errors import AlreadyThere, BadInput, BadOutput
from crevasse.files.frames import Frame
from crevasse.files.mesh_files import write_mesh
from crevasse.files.normal_map import NormalMap, has_truth, read_folder, read_mask, read_normals

__all__ = [
    "AlreadyThere",
    "BadInput",
    "BadOutput",
    "CameraChoice",
    "Frame",
    "NormalMap",
    "has_truth",
    "read_camera",
    "read_folder",
    "read_mask",
    "read_normals",
    "write_depth",
    "write_mesh",
]
