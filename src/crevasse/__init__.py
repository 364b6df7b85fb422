"""Integrate a surface normal map into depth and a mesh, and keep the depth discontinuities."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crevasse import cameras, files, mesh, metrics, pictures, quality, scenes, uncertainty
    from crevasse.cameras import Orthographic, Perspective
    from crevasse.comparison import Comparison, compare
    from crevasse.files import NormalMap, read_folder, read_normals
    from crevasse.integration import integrate, iterate
    from crevasse.knowledge import Prior
    from crevasse.mesh import Mesh
    from crevasse.methods import AuxiliaryEdges, Bilateral, Graduated, Poisson
    from crevasse.result import Integration
    from crevasse.state import State
    from crevasse.status import Status
    from crevasse.surface import Jumps

__version__ = "0.1.0"

# Loaded on first use, so that `import crevasse` and `crevasse --help` stay fast.
_HOMES = {
    "AuxiliaryEdges": "crevasse.methods",
    "Bilateral": "crevasse.methods",
    "Comparison": "crevasse.comparison",
    "Graduated": "crevasse.methods",
    "Integration": "crevasse.result",
    "Jumps": "crevasse.surface",
    "Mesh": "crevasse.mesh",
    "NormalMap": "crevasse.files",
    "Orthographic": "crevasse.cameras",
    "Perspective": "crevasse.cameras",
    "Poisson": "crevasse.methods",
    "Prior": "crevasse.knowledge",
    "State": "crevasse.state",
    "Status": "crevasse.status",
    "compare": "crevasse.comparison",
    "integrate": "crevasse.integration",
    "iterate": "crevasse.integration",
    "read_folder": "crevasse.files",
    "read_normals": "crevasse.files",
}
_MODULES = ("cameras", "files", "mesh", "metrics", "pictures", "quality", "scenes", "uncertainty")

__all__ = [
    "AuxiliaryEdges",
    "Bilateral",
    "Comparison",
    "Graduated",
    "Integration",
    "Jumps",
    "Mesh",
    "NormalMap",
    "Orthographic",
    "Perspective",
    "Poisson",
    "Prior",
    "State",
    "Status",
    "cameras",
    "compare",
    "files",
    "integrate",
    "iterate",
    "mesh",
    "metrics",
    "pictures",
    "quality",
    "read_folder",
    "read_normals",
    "scenes",
    "uncertainty",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _MODULES:
        value = import_module(f"crevasse.{name}")
    else:
        raise AttributeError(f"module 'crevasse' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
