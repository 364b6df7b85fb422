"""The refusal of files that do not fit into memory."""

from __future__ import annotations

from crevasse.files.errors import BadInput
from crevasse.memory import shortage


def require_memory(needed: int, limit: int | None, what: str) -> None:
    """Refuse `what` when it needs more than `limit` bytes (None: what is available now)."""
    short = shortage(needed, limit, what)
    if short is not None:
        raise BadInput(short)
