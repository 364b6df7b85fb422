"""Remove temporary folders of servers that are no longer running."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from crevasse.files.processes import is_running


def folder_prefix() -> str:
    """Prefix of the names of this server's folders, which contains its process id."""
    return f"crevasse-serve-{os.getpid()}-"


def remove_stale_folders() -> None:
    """Remove folders of servers of this user that no longer run."""
    for folder in Path(tempfile.gettempdir()).glob("crevasse-serve-*"):
        number = re.match(r"crevasse-serve-(\d+)-", folder.name)
        if number and not folder.is_symlink() and _is_ours(folder) and not is_running(int(number[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
