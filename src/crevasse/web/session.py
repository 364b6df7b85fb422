"""One page's session: its files, its worker, its run."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from crevasse.web.framing import Header
from crevasse.web.messages import check_message
from crevasse.web.process import Worker, Workers, WorkerStopped, describe_failure
from crevasse.web.run_queue import RunQueue

SECONDS = 0.08
"""How long a run computes between two messages to the page."""
BEHIND = 0.3
"""The same while the page has not yet drawn the last surface: messages must not pile up on a slow machine."""
SIDES = (64, 2048)
"""Bounds on the longer side, in pixels, of the surfaces that a page may ask for."""
ROLES = ("normal_map", "mask", "camera", "depth_gt")

SendText = Callable[[Header], Awaitable[None]]
SendFrame = Callable[[bytes], Awaitable[None]]


def guess_role(name: str) -> str:
    """What a dropped file is, told by its name.

    >>> guess_role("K.txt"), guess_role("bear_mask.png"), guess_role("depth_gt.npz"), guess_role("bear.png")
    ('camera', 'mask', 'depth_gt', 'normal_map')
    """
    stem, _, suffix = name.lower().rpartition(".")
    if suffix in ("txt", "json"):
        return "camera"
    if "mask" in stem:
        return "mask"
    words = re.split(r"[^a-z]+", stem)
    return "depth_gt" if {"depth", "truth", "gt"} & set(words) and "normal" not in stem else "normal_map"


def file_name(role: str, name: str) -> str:
    """Name under which an upload is stored: by the convention of the readers, with the suffix of the user's file."""
    if role == "camera":
        return "K.txt" if name.lower().endswith(".txt") else "camera.json"
    suffix = re.search(r"\.([A-Za-z0-9]{1,8})$", name)
    return f"{role}.{suffix[1].lower()}" if suffix else role


@dataclass(eq=False)
class Session:
    """What belongs to one connected page; ends with its connection."""

    folder: Path
    workers: Workers
    queue: RunQueue
    send_text: SendText
    send_frame: SendFrame
    preloaded: Path | None = None
    """A depth map that the page shows at once."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    names: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes of the uploads that are there or on their way."""
    exports: int = 0
    """Downloads on their way."""
    side: int = 512
    worker: Worker | None = None
    task: asyncio.Task[None] | None = None
    going: asyncio.Event = field(default_factory=asyncio.Event)
    drawn: bool = True
    steps: int = 0
    stopping: bool = False

    # Files

    @property
    def uploads(self) -> Path:
        return self.folder / "input"

    def place(self, name: str, role: str) -> Path:
        """Where an upload goes; an earlier one of the same role makes room."""
        self.uploads.mkdir(exist_ok=True)
        for old in [file for file in self.names if file.partition(".")[0] == _stem(role)]:
            self.remove(old)
        file = file_name(role, name)
        self.names[file] = name
        return self.uploads / file

    def remove(self, file: str) -> None:
        self.names.pop(file, None)
        self.sizes.pop(file, None)
        (self.uploads / file).unlink(missing_ok=True)

    # Requests of the page

    async def handle(self, message: Header) -> None:
        """One message of the page; what goes wrong is told to the page."""
        handlers: dict[str, Callable[[Header], Awaitable[None]]] = {
            "open": self.open,
            "run": self.begin,
            "pause": self.pause,
            "resume": self.resume,
            "step": self.step,
            "stop": self.stop,
            "cancel": self.cancel,
            "snippet": self.snippet,
            "drawn": self.mark_drawn,
        }
        handler = handlers.get(str(message.get("kind")))
        if handler is None:
            return await self.send_text(
                {"kind": "refused", "message": f"unknown request {message.get('kind')!r:.40}"}
            )
        try:
            check_message(message)
            await handler(message)
        except Exception as error:
            await self.fail(error)

    async def fail(self, error: BaseException) -> None:
        """Tell the page; a worker that ended is replaced when it is next needed."""
        if isinstance(error, WorkerStopped):
            await self.drop_worker()
        await self.send_text(describe_failure(error))

    async def open(self, message: Header) -> None:
        await self._replace_task(partial(self._open, message))

    async def _open(self, message: Header) -> None:
        self.side = min(max(int(message.get("side") or self.side), SIDES[0]), SIDES[1])
        request: Header = {"kind": "open", "side": self.side}
        if message.get("example") is not None:
            request["example"] = str(message["example"])
        elif message.get("preloaded") and self.preloaded is not None:
            request["depth"] = str(self.preloaded)
        else:
            unwanted = _stems(message.get("without") or [])
            for file in [file for file in self.names if file.partition(".")[0] in unwanted]:
                self.remove(file)
            request |= {"folder": str(self.uploads), "names": self.names, "options": message.get("options") or {}}
        async with self.queue.slot(self.tell_place):
            _, frame = await self.ask(request)
        await self.send_frame(frame)

    async def begin(self, message: Header) -> None:
        self.drawn, self.steps, self.stopping = True, 0, False
        self.going.set()
        await self._replace_task(partial(self._compute, message))

    async def pause(self, message: Header) -> None:
        self.going.clear()

    async def resume(self, message: Header) -> None:
        self.going.set()

    async def step(self, message: Header) -> None:
        self.going.clear()
        self.steps += 1

    async def stop(self, message: Header) -> None:
        self.stopping = True

    async def mark_drawn(self, message: Header) -> None:
        self.drawn = True

    async def snippet(self, message: Header) -> None:
        header, _ = await self.ask({"kind": "snippet", "result": str(message.get("result"))})
        await self.send_text(header)

    async def cancel(self, message: Header) -> None:
        """End what is being done and forget it."""
        await self._end_task()
        await self.send_text({"kind": "cancelled"})

    # What is being done: opening, or a run; a task of its own, so that the page is heard meanwhile

    async def _replace_task(self, work: Callable[[], Awaitable[None]]) -> None:
        await self._end_task()
        self.task = asyncio.ensure_future(self._guarded(work))

    async def _end_task(self) -> None:
        task, self.task = self.task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:
            await self.fail(error)

    async def _compute(self, message: Header) -> None:
        request = {key: message.get(key) for key in ("method", "settings", "strokes")}
        async with self.queue.slot(self.tell_place):
            await self.send_text({"kind": "running"})
            if request["method"] != "poisson":
                await self._show_plain(request)
            await self.ask({**request, "kind": "start"})
        while not await self._stretch():
            await self.send_text({"kind": "paused"})
            while not (self.going.is_set() or self.steps or self.stopping):
                await asyncio.sleep(0.03)

    async def _show_plain(self, request: Header) -> None:
        """Something to look at at once."""
        header, frame = await self.ask({**request, "kind": "plain", "coarse": True})
        await self.send_frame(frame)
        if not header["last"]:
            await self.send_frame((await self.ask({**request, "kind": "plain"}))[1])

    async def _stretch(self) -> bool:
        """Compute until the run ends (True) or is paused (False); a paused run gives its turn to others."""
        async with self.queue.slot(self.tell_place):
            if self.going.is_set():
                await self.send_text({"kind": "running"})
            while self.going.is_set() or self.steps or self.stopping:
                single = not self.going.is_set()
                kind = "keep" if self.stopping else "advance"
                seconds = SECONDS if self.drawn else BEHIND
                request = {"kind": kind, "seconds": seconds, "single": single, "picture": self.drawn or single}
                header, frame = await self.ask(request)
                self.steps = max(0, self.steps - 1)
                if header["arrays"]:
                    self.drawn = False
                await self.send_frame(frame)
                if header["kind"] == "finished":
                    return True
        return False

    async def tell_place(self, place: int) -> None:
        await self.send_text({"kind": "queued", "place": place})

    # The worker

    async def ask(self, request: Header) -> tuple[Header, bytes]:
        if self.worker is None:
            self.worker = await self.workers.take()
        return await self.worker.ask(request)

    async def export(self, what: str, result: str, torn: bool) -> Path:
        """Have a file written; the path, in a folder of its own that the caller removes."""
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir()
        request: Header = {"kind": "export", "what": what, "result": result, "torn": torn, "folder": str(folder)}
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
        """The page has gone: nothing of it goes on or stays."""
        await self._end_task()
        await self.drop_worker()
        shutil.rmtree(self.folder, ignore_errors=True)


def _stem(role: str) -> str:
    return file_name(role, "x.txt").partition(".")[0] if role == "camera" else role


def _stems(roles: Any) -> set[str]:
    return {_stem(str(role)) for role in roles} | ({"camera"} if "camera" in roles else set())
