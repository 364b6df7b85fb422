"""Store uploads while they arrive, within limits of size, time and space."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from starlette.requests import ClientDisconnect, Request

from crevasse.files.pixels import describe
from crevasse.web.limits import Limits
from crevasse.web.session import Session

SECONDS = 30.0
"""Time that any upload may take; a large one gets more by its size."""
SLOWEST_RATE = 64 * 2**10
"""Bytes per second of the slowest upload that is accepted."""


class UploadRefused(Exception):
    """A refused upload: the status of the answer, and a sentence for people."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def store(request: Request, session: Session, path: Path, limits: Limits, taken: Callable[[], int]) -> None:
    """Write a request's body into a file of a session.

    Parameters
    ----------
    taken : returns the bytes of all sessions' uploads
    """
    name = session.uploads.names[path.name]
    most = f"{name} is larger than {limits.upload_bytes / 2**20:.3g} MB, the limit of this server"
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limits.upload_bytes:
        raise UploadRefused(413, most)
    began, size, chunks = time.monotonic(), 0, request.stream()
    try:
        with path.open("wb") as file:
            while True:
                left = began + SECONDS + size / SLOWEST_RATE - time.monotonic()
                chunk = await asyncio.wait_for(anext(chunks, None), max(left, 0.0))
                if chunk is None:
                    return
                size += len(chunk)
                if size > limits.upload_bytes:
                    raise UploadRefused(413, most)
                if taken() + len(chunk) > limits.disk_bytes:
                    raise UploadRefused(507, "this server has no room for further uploads; close other pages")
                session.uploads.sizes[path.name] = size
                file.write(chunk)
    except TimeoutError:
        raise UploadRefused(408, f"{name} arrived too slowly and was cancelled") from None
    except ClientDisconnect:
        raise UploadRefused(400, f"{name} was interrupted") from None
    except OSError as error:
        raise UploadRefused(507, f"{name} cannot be stored: {describe(error)}") from None
