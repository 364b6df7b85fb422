"""Whether the process that left a file behind is still running."""

from __future__ import annotations

import os
from pathlib import Path


def is_running(process: int) -> bool:
    """Whether a process runs; True where that cannot be found out."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    # A zombie keeps its process number until its parent collects it, but no longer writes.
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state != "Z"
