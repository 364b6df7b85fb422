"""Temporary folders that bear the number of their server, so that a later one can clear up after a crash."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path


def folder_prefix() -> str:
    """How the name of this server's folder begins."""
    return f"crevasse-serve-{os.getpid()}-"


def remove_leftovers() -> None:
    """Remove folders of servers of this user that no longer run."""
    for folder in Path(tempfile.gettempdir()).glob("crevasse-serve-*"):
        number = re.match(r"crevasse-serve-(\d+)-", folder.name)
        if number and not folder.is_symlink() and _is_ours(folder) and not _runs(int(number[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
