"""The uploads of a session: one file for each role, under the names by which the readers know them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROLES = ("normal_map", "mask", "camera", "depth_gt", "depth_prior", "points", "weights")


def guess_role(name: str) -> str:
    """Role of a dropped file, told by its name.

    >>> guess_role("K.txt"), guess_role("bear_mask.png"), guess_role("depth_gt.npz"), guess_role("bear.png")
    ('camera', 'mask', 'depth_gt', 'normal_map')
    >>> guess_role("depth_prior.npy"), guess_role("points.csv"), guess_role("weights.png")
    ('depth_prior', 'points', 'weights')
    """
    stem, _, suffix = name.lower().rpartition(".")
    if suffix in ("txt", "json", "csv"):
        return "points" if suffix == "csv" else "camera"
    if "mask" in stem:
        return "mask"
    words = re.split(r"[^a-z]+", stem)
    if {"prior", "weights", "confidence"} & set(words):
        return "depth_prior" if "prior" in words else "weights"
    return "depth_gt" if {"depth", "truth", "gt"} & set(words) and "normal" not in stem else "normal_map"


def file_name(role: str, name: str) -> str:
    """Name under which an upload is stored: by the convention of the readers, with the suffix of the user's file."""
    if role == "camera":
        return "K.txt" if name.lower().endswith(".txt") else "camera.json"
    suffix = re.search(r"\.([A-Za-z0-9]{1,8})$", name)
    return f"{role}.{suffix[1].lower()}" if suffix else role


def role_of(file: str) -> str:
    """Role of a stored file.

    >>> role_of("K.txt"), role_of("camera.json"), role_of("mask.png")
    ('camera', 'camera', 'mask')
    """
    return "camera" if file == "K.txt" else file.partition(".")[0]


@dataclass(eq=False)
class UploadFolder:
    """The uploaded files of a session.

    Attributes
    ----------
    names : by stored file, the name that the user knows it by
    sizes : bytes of the files that are there or on their way
    """

    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def place(self, name: str, role: str) -> Path:
        """Where an upload goes; an earlier one of the same role makes room."""
        self.folder.mkdir(exist_ok=True)
        self.remove_roles([role])
        file = file_name(role, name)
        self.names[file] = name
        return self.folder / file

    def find(self, role: str) -> Path | None:
        """The stored file of a role, if there is one."""
        return next((self.folder / file for file in self.names if role_of(file) == role), None)

    def remove_roles(self, roles: Iterable[str]) -> None:
        """Remove the files of some roles."""
        unwanted = set(roles)
        for file in [file for file in self.names if role_of(file) in unwanted]:
            self.remove(file)

    def remove(self, file: str) -> None:
        """Remove a stored file."""
        self.names.pop(file, None)
        self.sizes.pop(file, None)
        (self.folder / file).unlink(missing_ok=True)
