"""One page's session: its files, its worker, its run."""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from crevasse.web.computation import Computation
from crevasse.web.current_task import CurrentTask
from crevasse.web.framing import Header
from crevasse.web.link import Link
from crevasse.web.message_checks import check_message
from crevasse.web.notice_messages import Failure, Phase, Queued
from crevasse.web.process import Refused, Worker, Workers, WorkerStopped, describe_failure
from crevasse.web.run_control import RunControl, RunState
from crevasse.web.run_queue import RunQueue
from crevasse.web.upload_folder import UploadFolder

SIDES = (64, 2048)
"""Bounds on the longer side, in pixels, of the surfaces that a page may ask for."""


@dataclass(eq=False)
class Session:
    """What belongs to one page; ends with its connection, or some time after it where the page may come back."""

    folder: Path
    workers: Workers
    queue: RunQueue
    link: Link
    preloaded: Path | None = None
    """A depth map that the page shows at once."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    exports: int = 0
    """Downloads on their way."""
    side: int = 512
    worker: Worker | None = None
    control: RunControl | None = None
    """Steers the run that was begun last."""

    def __post_init__(self) -> None:
        """Set up what depends on the fields; uploads have a folder of their own, so that readers see nothing else."""
        self.uploads = UploadFolder(self.folder / "input")
        self.task = CurrentTask(self.fail)

    # Requests of the page

    async def handle(self, message: Header) -> None:
        """Handle one message of the page; errors are sent to the page."""
        handlers: dict[str, Callable[[Header], Awaitable[None]]] = {
            "open": self.open,
            "run": self.begin,
            "pause": self.steer,
            "resume": self.steer,
            "step": self.steer,
            "stop": self.steer,
            "cancel": self.cancel,
            "snippet": self.snippet,
            "detail": self.detail,
            "scale": self.rescale,
            "move": self.move,
            "drawn": self.mark_drawn,
        }
        handler = handlers.get(str(message.get("kind")))
        if handler is None:
            return await self.link.notify(
                Failure(kind="refused", message=f"unknown request {message.get('kind')!r:.40}")
            )
        try:
            check_message(message)
            await handler(message)
        except Exception as error:
            await self.fail(error)

    async def fail(self, error: BaseException) -> None:
        """Report an error to the page; a dead worker is replaced when it is next needed."""
        if isinstance(error, WorkerStopped):
            await self.drop_worker()
        await self.link.notify(describe_failure(error))

    async def open(self, message: Header) -> None:
        await self.task.replace(partial(self._open, message))

    async def _open(self, message: Header) -> None:
        self.side = min(max(int(message.get("side") or self.side), SIDES[0]), SIDES[1])
        request: Header = {"kind": "open", "side": self.side}
        if message.get("example") is not None:
            request["example"] = str(message["example"])
        elif message.get("preloaded") and self.preloaded is not None:
            request["depth"] = str(self.preloaded)
        else:
            self.uploads.remove_roles(message.get("without") or [])
            folder, names = str(self.uploads.folder), self.uploads.names
            request |= {"folder": folder, "names": names, "options": message.get("options") or {}}
        async with self.queue.slot(self.notify_place):
            _, frame = await self.ask(request)
        await self.link.frame(frame)

    async def begin(self, message: Header) -> None:
        """Begin a run in place of the current task."""
        await self.task.end()
        self.control = RunControl()
        await self.task.replace(partial(Computation(self.ask, self.link, self.queue, self.control).run, message))

    async def steer(self, message: Header) -> None:
        """Pass a command of the page on to the control of its run."""
        if self.control is None:
            return
        wishes = {
            "pause": self.control.pause,
            "resume": self.control.resume,
            "step": self.control.step,
            "stop": self.control.stop,
        }
        await wishes[message["kind"]]()

    async def mark_drawn(self, message: Header) -> None:
        """The page has drawn the last surface."""
        if self.control is not None:
            self.control.drawn = True

    async def snippet(self, message: Header) -> None:
        header, _ = await self.ask({"kind": "snippet", "result": str(message.get("result"))})
        await self.link.text(header)

    async def detail(self, message: Header) -> None:
        """Send every pixel of a finished surface, unless another map is open by now."""
        request = {"kind": "detail", "result": str(message.get("result")), "normals": bool(message.get("normals"))}
        with contextlib.suppress(Refused):
            _, frame = await self.ask(request)
            await self.link.frame(frame)

    async def rescale(self, message: Header) -> None:
        header, _ = await self.ask({"kind": "scale", "scale": message.get("scale")})
        await self.link.text(header)

    async def move(self, message: Header) -> None:
        """Place an island of a finished surface."""
        given = {name: message.get(name) or 0 for name in ("label", "pixels")}
        _, frame = await self.ask({"kind": "move", "result": str(message.get("result")), **given})
        await self.link.frame(frame)

    async def show_again(self) -> None:
        """Send a page that is back what is open and finished, and how the run is."""
        if self.worker is not None:
            names, _ = await self.ask({"kind": "names"})
            results = [None, *names["finished"]] if names["map"] else []
            for result in results:
                await self.link.frame((await self.ask({"kind": "look", "result": result}))[1])
        if self.task.is_running and self.control is not None:
            self.control.drawn = True
            paused = self.control.state is RunState.PAUSED
            await self.link.notify(Phase(kind="paused" if paused else "running"))

    async def cancel(self, message: Header) -> None:
        """Cancel the current task."""
        await self.task.end()
        await self.link.notify(Phase(kind="cancelled"))

    async def notify_place(self, place: int) -> None:
        await self.link.notify(Queued(place=place))

    # The worker

    async def ask(self, request: Header) -> tuple[Header, bytes]:
        if self.worker is None:
            self.worker = await self.workers.take()
        return await self.worker.ask(request)

    async def export(self, what: str, result: str, shape: Header) -> Path:
        """Let the worker write a file; returns its path, in a folder that the caller removes."""
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir()
        request: Header = {"kind": "export", "what": what, "result": result, "shape": shape, "folder": str(folder)}
        try:
            header, _ = await self.ask(request)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return Path(header["path"])

    async def drop_worker(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            await worker.kill()

    async def close(self) -> None:
        """Clean up after the page has disconnected."""
        await self.task.end()
        await self.drop_worker()
        shutil.rmtree(self.folder, ignore_errors=True)
