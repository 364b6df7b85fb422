"""Where a command writes a result."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from crevasse.files.identity import Identity
from crevasse.files.mesh_files import MESH_FORMATS
from crevasse.files.outputs import Wanted
from crevasse.files.result_folder import claimed, claimed_file


def names_a_mesh(path: Path) -> bool:
    """Whether a path names a single mesh file rather than a folder of results."""
    return path.suffix.lower().removeprefix(".") in MESH_FORMATS and not path.is_dir()


@dataclass(frozen=True)
class Place:
    """The place of a result, its files and its inputs.

    Attributes
    ----------
    folder : for the result's files, or the path of a single mesh
    wanted : which files
    inputs : files that are read, which no output may replace
    identity : what the result depends on (`files.identity.identify`); None if unknown
    overwrite : whether an earlier result may be replaced
    patience : seconds to wait for another process that writes into the folder
    single : whether the mesh (or the solid) alone is written, and `folder` is its path
    """

    folder: Path
    wanted: Wanted
    inputs: tuple[Path, ...] = ()
    identity: Identity | None = None
    overwrite: bool = False
    patience: float = 0.0
    single: bool = False

    def claimed(self, drawings: Iterable[str] = ()) -> AbstractContextManager[None]:
        """Lock the place and refuse existing files before any work; `drawings` are further kinds of picture."""
        if self.single:
            names = self.wanted.single_names(self.folder.name)
            return claimed_file(self.folder, names, self.overwrite, self.inputs, self.patience)
        names = [*self.wanted.names().values(), *(f"{kind}.png" for kind in drawings)]
        return claimed(self.folder, names, self.overwrite, self.inputs, self.patience)
