"""The server: the page's files, uploads, downloads, and a socket a session."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from crevasse.web.exports import MEDIA_TYPES
from crevasse.web.frames import Header
from crevasse.web.guard import Application, Guard
from crevasse.web.leftovers import folder_prefix, remove_leftovers
from crevasse.web.limits import Limits
from crevasse.web.process import Refused, Workers, WorkerStopped, describe_failure
from crevasse.web.session import ROLES, Session, guess_role
from crevasse.web.turns import Turns

STATIC = Path(__file__).parent / "static"


class Server:
    """All sessions and what they share."""

    def __init__(self, limits: Limits, shown: Path | None = None) -> None:
        self.limits, self.shown = limits, shown
        self.workers = Workers(limits)
        self.turns = Turns(limits.runs)
        self.sessions: dict[str, Session] = {}
        self.folder: Path | None = None

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        remove_leftovers()
        with tempfile.TemporaryDirectory(prefix=folder_prefix(), ignore_cleanup_errors=True) as folder:
            self.folder = Path(folder)
            self.workers.prepare()
            try:
                yield
            finally:
                await asyncio.gather(*(session.close() for session in list(self.sessions.values())))
                await self.workers.close()

    async def connect(self, socket: WebSocket) -> None:
        """A page from its connection to its end."""
        await socket.accept()
        if len(self.sessions) >= self.limits.sessions:
            await socket.send_json({"kind": "full", "message": "Too many pages are connected; close one of them."})
            return await socket.close(1013)
        session = self._session(socket)
        self.sessions[session.token] = session
        try:
            await socket.send_json(await asyncio.to_thread(_greeting, session, self.limits))
            while True:
                await session.handle(_message(await socket.receive_text()))
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            del self.sessions[session.token]
            await session.close()

    def _session(self, socket: WebSocket) -> Session:
        assert self.folder is not None
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        return Session(folder, self.workers, self.turns, socket.send_json, socket.send_bytes, self.shown)

    async def upload(self, request: Request) -> Response:
        """Take one file of a session, and no more of it than is allowed."""
        session = self.sessions.get(request.path_params["token"])
        if session is None:
            return _problem(404, "this session has ended; reload the page")
        name = request.query_params.get("name", "")[:200]
        role = request.query_params.get("role") or guess_role(name)
        if role not in ROLES:
            return _problem(400, f"role is {role!r}; give one of {', '.join(ROLES)}")
        most = self.limits.upload_bytes
        too_large = _problem(413, f"{name} is larger than {most / 2**20:.3g} MB, the most that this server takes")
        announced = request.headers.get("content-length", "")
        if announced.isdigit() and int(announced) > most:
            return too_large
        path = session.place(name, role)
        if not await _store(request, path, most):
            session.remove(path.name)
            return too_large
        return JSONResponse({"role": role, "name": name})

    async def download(self, request: Request) -> Response:
        """Have one file of a session made, and send it."""
        session = self.sessions.get(request.path_params["token"])
        if session is None:
            return _problem(404, "this session has ended; reload the page")
        torn = request.query_params.get("torn", "1") != "0"
        try:
            path = await session.export(request.path_params["what"], request.query_params.get("result", ""), torn)
        except (Refused, WorkerStopped) as error:
            return _problem(400, describe_failure(error)["message"])
        remove = BackgroundTask(shutil.rmtree, path.parent, ignore_errors=True)
        return FileResponse(path, media_type=MEDIA_TYPES[path.suffix], filename=path.name, background=remove)


async def _store(request: Request, path: Path, most: int) -> bool:
    """Write a request's body; False when it is longer than allowed."""
    size = 0
    with path.open("wb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > most:
                return False
            file.write(chunk)
    return True


def _message(text: str) -> Header:
    try:
        message = json.loads(text)
    except ValueError:
        return {"kind": "nonsense"}
    return message if isinstance(message, dict) else {"kind": "nonsense"}


def _greeting(session: Session, limits: Limits) -> Header:
    import crevasse
    from crevasse.web.describe import describe_examples, describe_methods

    return {
        "kind": "hello",
        "session": session.token,
        "version": crevasse.__version__,
        "methods": describe_methods(),
        "examples": describe_examples(),
        "shown": None if session.shown is None else session.shown.name,
        "upload_bytes": limits.upload_bytes,
        "pixels": limits.pixels,
    }


def _problem(status: int, message: str) -> Response:
    return JSONResponse({"message": message}, status_code=status)


def create_app(
    hosts: frozenset[str], limits: Limits | None = None, shown: Path | None = None, token: str | None = None
) -> Application:
    """The ASGI application.

    Parameters
    ----------
    hosts : the Host headers that it answers to, `crevasse.web.guard.allowed_hosts`
    shown : a depth map that pages show at once
    token : what a browser must know to be let in; None: nothing
    """
    server = Server(limits or Limits(), shown)
    routes: list[Any] = [
        WebSocketRoute("/session", server.connect),
        Route("/session/{token}/files", server.upload, methods=["PUT"]),
        Route("/session/{token}/download/{what}", server.download),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    app = Starlette(routes=routes, lifespan=server.lifespan)
    app.state.server = server
    return Guard(app, hosts, token)
