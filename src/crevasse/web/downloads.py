"""Send files that a session has written, in the shape that a page asks for."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path

from starlette.responses import FileResponse

from crevasse.web.exports import MEDIA_TYPES
from crevasse.web.guard import Receive, Scope, Send
from crevasse.web.session import Session


class SentOnce(FileResponse):
    """A file of a session that is removed once it was sent or its client has disconnected."""

    def __init__(self, path: Path, session: Session) -> None:
        super().__init__(path, media_type=MEDIA_TYPES[path.suffix], filename=path.name)
        self.folder, self.session = path.parent, session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except RuntimeError:
            # The session ended and its files with it.
            if self.folder.exists():
                raise
        finally:
            self.session.exports -= 1
            await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)


def mesh_shape(given: Mapping[str, str]) -> dict[str, object]:
    """Of what shape a mesh is to be: see `crevasse.web.exports.export`."""
    keep = given.get("keep", "100")
    share = int(keep) if keep.isdigit() and len(keep) < 4 else 0
    return {"torn": given.get("torn", "1") != "0", "mesh": given.get("mesh", "welded")[:20], "keep": share}
