"""The server: the page's files, uploads, downloads, and one socket per session."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from crevasse.web.cleanup import folder_prefix, remove_stale_folders
from crevasse.web.downloads import SentOnce, mesh_shape
from crevasse.web.framing import Header
from crevasse.web.guard import Application, Guard
from crevasse.web.limits import Limits
from crevasse.web.link import Link, SendFrame, SendText
from crevasse.web.lobby import Lobby
from crevasse.web.messages import to_json
from crevasse.web.notice_messages import Failure
from crevasse.web.offer_messages import Hello
from crevasse.web.process import Refused, Workers, WorkerStopped, describe_failure
from crevasse.web.run_queue import RunQueue
from crevasse.web.session import Session
from crevasse.web.upload_folder import ROLES, guess_role
from crevasse.web.uploads import UploadRefused, store

STATIC = Path(__file__).parent / "static"


class Server:
    """All sessions and what they share."""

    def __init__(self, limits: Limits, preloaded: Path | None = None) -> None:
        self.limits, self.preloaded = limits, preloaded
        self.workers = Workers(limits)
        self.queue = RunQueue(limits.runs)
        self.lobby = Lobby(limits, self._session)
        self.folder: Path | None = None

    @property
    def sessions(self) -> dict[str, Session]:
        """All sessions by their token."""
        return self.lobby.sessions

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        remove_stale_folders()
        with tempfile.TemporaryDirectory(prefix=folder_prefix(), ignore_cleanup_errors=True) as folder:
            self.folder = Path(folder)
            self.workers.prepare()
            try:
                yield
            finally:
                await self.lobby.close()
                await self.workers.close()

    async def connect(self, socket: WebSocket) -> None:
        """Serve one page from its connection to its end."""
        await socket.accept()
        # A page that may come back names the session that it had, or none.
        former = socket.query_params.get("resume")
        session = await self.lobby.enter(socket.send_json, socket.send_bytes, former)
        if session is None:
            await socket.send_json(
                to_json(Failure(kind="full", message="Too many pages are connected; close one of them."))
            )
            return await socket.close(1013)
        try:
            await socket.send_json(await asyncio.to_thread(_greeting, session, self.limits, session.token == former))
            if session.token == former:
                await session.show_again()
            while True:
                await session.handle(await _receive(socket))
        except (WebSocketDisconnect, RuntimeError, WorkerStopped, Refused):
            pass
        finally:
            await self.lobby.leave(session, stays=former is not None)

    def _session(self, send_text: SendText, send_frame: SendFrame) -> Session:
        assert self.folder is not None
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        return Session(folder, self.workers, self.queue, Link(send_text, send_frame), self.preloaded)

    async def upload(self, request: Request) -> Response:
        """Receive one upload of a session, up to the allowed size."""
        session = self.sessions.get(request.path_params["token"])
        if session is None:
            return _problem(404, "this session has ended; reload the page")
        name = request.query_params.get("name", "")[:200]
        role = request.query_params.get("role") or guess_role(name)
        if role not in ROLES:
            return _problem(400, f"role is {role!r}; give one of {', '.join(ROLES)}")
        try:
            path = session.uploads.place(name, role)
        except OSError:
            return _problem(404, "this session has ended; reload the page")
        try:
            await store(request, session, path, self.limits, lambda: self.stored)
        except UploadRefused as refusal:
            session.uploads.remove(path.name)
            return _problem(refusal.status, str(refusal))
        return JSONResponse({"role": role, "name": name})

    async def uploaded(self, request: Request) -> Response:
        """Give a page that is back one of its files."""
        session = self.sessions.get(request.path_params["token"])
        path = None if session is None else session.uploads.find(request.query_params.get("role", ""))
        if path is None:
            return _problem(404, "the file is no longer there; drop it again")
        return FileResponse(path, media_type="application/octet-stream")

    @property
    def stored(self) -> int:
        """Bytes of all sessions' uploads."""
        return sum(sum(session.uploads.sizes.values()) for session in self.sessions.values())

    async def download(self, request: Request) -> Response:
        """Let a session's worker write one file, and send it."""
        session = self.sessions.get(request.path_params["token"])
        if session is None:
            return _problem(404, "this session has ended; reload the page")
        shape = mesh_shape(request.query_params)
        if session.exports >= self.limits.exports:
            return _problem(429, "other downloads of this page are still on their way; wait for them")
        session.exports += 1
        try:
            path = await session.export(request.path_params["what"], request.query_params.get("result", ""), shape)
        except BaseException as error:
            session.exports -= 1
            if isinstance(error, Refused | WorkerStopped):
                return _problem(400, describe_failure(error).message)
            raise
        return SentOnce(path, session)


async def _receive(socket: WebSocket) -> Header:
    """The next message of a page; anything that is not a JSON object becomes a message of an unknown kind."""
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1000))
    try:
        message = json.loads(event.get("text") or "")
    except (ValueError, RecursionError):
        return {"kind": "nonsense"}
    return message if isinstance(message, dict) else {"kind": "nonsense"}


def _greeting(session: Session, limits: Limits, resumed: bool) -> Header:
    import crevasse
    from crevasse.web.describe import describe_examples, describe_methods

    hello = Hello(
        session=session.token,
        resumed=resumed,
        version=crevasse.__version__,
        methods=describe_methods(),
        examples=describe_examples(),
        preloaded=None if session.preloaded is None else session.preloaded.name,
        upload_bytes=limits.upload_bytes,
        pixels=limits.pixels,
    )
    return to_json(hello)


def _problem(status: int, message: str) -> Response:
    return JSONResponse({"message": message}, status_code=status)


def create_app(
    hosts: frozenset[str], limits: Limits | None = None, preloaded: Path | None = None, token: str | None = None
) -> Application:
    """The ASGI application.

    Parameters
    ----------
    hosts : the Host headers that it answers to, `crevasse.web.guard.allowed_hosts`
    preloaded : a depth map that pages show at once
    token : what a browser must know to be let in; None: nothing
    """
    server = Server(limits or Limits(), preloaded)
    routes: list[Any] = [
        WebSocketRoute("/session", server.connect),
        Route("/session/{token}/files", server.upload, methods=["PUT"]),
        Route("/session/{token}/files", server.uploaded, methods=["GET"]),
        Route("/session/{token}/download/{what}", server.download),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    app = Starlette(routes=routes, lifespan=server.lifespan)
    app.state.server = server
    return Guard(app, hosts, token)
