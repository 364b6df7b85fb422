"""How much a page may ask of the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """What the server allows.

    Attributes
    ----------
    upload_bytes : largest file that is taken
    pixels : largest map (rows times columns) that is decoded
    memory_bytes : address space of one worker process
    sessions : pages that may be connected at a time
    runs : runs that may compute at a time; further ones wait for their turn
    message_bytes : largest message that a page may send
    disk_bytes : uploads of all sessions together, and the largest file that a worker writes
    connections : clients that may be connected at a time, with or without a session
    exports : downloads of one session that may be in progress at a time
    linger_seconds : how long a session waits for its page to come back, as after a reload
    """

    upload_bytes: int = 512 * 2**20
    pixels: int = 2**25
    memory_bytes: int = 12 * 2**30
    sessions: int = 32
    runs: int = max(3, os.cpu_count() or 1)
    message_bytes: int = 4 * 2**20
    disk_bytes: int = 4 * 2**30
    connections: int = 256
    exports: int = 3
    linger_seconds: int = 30

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ValueError(f"{field.name} is {value!r}; it must be at least 1")
