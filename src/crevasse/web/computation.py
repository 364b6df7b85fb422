"""Compute a run of a session: its first surface, then stretch after stretch, while it has a slot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from crevasse.web.framing import Header
from crevasse.web.link import Link
from crevasse.web.notice_messages import Phase, Queued
from crevasse.web.run_control import RunControl, RunState
from crevasse.web.run_queue import RunQueue

Ask = Callable[[Header], Awaitable[tuple[Header, bytes]]]
"""Asks the worker; returns header and frame of its answer."""


class Computation:
    """One run, steered by its control."""

    def __init__(self, ask: Ask, link: Link, queue: RunQueue, control: RunControl) -> None:
        self.ask, self.link, self.queue, self.control = ask, link, queue, control

    async def run(self, message: Header) -> None:
        """Begin the run that a page asks for, and compute it to its end."""
        request = {key: message.get(key) for key in ("method", "settings", "strokes", "scale")}
        async with self.queue.slot(self._notify_place):
            await self.link.notify(Phase(kind="running"))
            if request["method"] != "poisson":
                await self._show_plain(request)
            await self.ask({**request, "kind": "start"})
        while not await self._stretch():
            await self.link.notify(Phase(kind="paused"))
            await self.control.wait_for_work()

    async def _show_plain(self, request: Header) -> None:
        """Send a first surface to the page."""
        header, frame = await self.ask({**request, "kind": "plain", "coarse": True})
        await self.link.frame(frame)
        if not header["last"]:
            await self.link.frame((await self.ask({**request, "kind": "plain"}))[1])

    async def _stretch(self) -> bool:
        """Compute until the run ends (True) or is paused (False); a paused run gives its slot to others."""
        control = self.control
        async with self.queue.slot(self._notify_place):
            if control.state is RunState.RUNNING:
                await self.link.notify(Phase(kind="running"))
            while control.has_work:
                header, frame = await self.ask(control.next_request())
                if header["arrays"]:
                    control.drawn = False
                await self.link.frame(frame)
                if header["kind"] == "finished":
                    return True
        return False

    async def _notify_place(self, place: int) -> None:
        await self.link.notify(Queued(place=place))
