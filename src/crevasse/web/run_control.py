"""The state machine of a run: what the page wants of it, and what the worker is asked next."""

from __future__ import annotations

import asyncio
from enum import Enum

from crevasse.web.framing import Header

SECONDS = 0.08
"""Seconds that a run computes between two messages to the page."""
SECONDS_BEHIND = 0.3
"""The same while the page has not drawn the last surface, so that messages do not pile up on a slow machine."""


class RunState(Enum):
    """What the page wants: RUNNING and PAUSED lead to each other and to STOPPING, which leads nowhere."""

    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"


class RunControl:
    """Steered by the page, asked by the task that computes."""

    def __init__(self) -> None:
        self.state = RunState.RUNNING
        self.steps = 0
        self.drawn = True
        self._changed = asyncio.Condition()

    async def pause(self) -> None:
        """Stop computing after the present stretch."""
        await self._change(RunState.PAUSED)

    async def resume(self) -> None:
        """Compute again."""
        await self._change(RunState.RUNNING)

    async def step(self) -> None:
        """Pause after one more iteration."""
        self.steps += 1
        await self._change(RunState.PAUSED)

    async def stop(self) -> None:
        """End the run with the surface as it is."""
        await self._change(RunState.STOPPING)

    async def _change(self, state: RunState) -> None:
        async with self._changed:
            if self.state is not RunState.STOPPING:
                self.state = state
            self._changed.notify_all()

    @property
    def has_work(self) -> bool:
        """Whether the worker is to be asked for something."""
        return self.state is not RunState.PAUSED or self.steps > 0

    async def wait_for_work(self) -> None:
        """Return once there is something to do."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.has_work)

    def next_request(self) -> Header:
        """What to ask the worker now."""
        if self.state is RunState.STOPPING:
            return {"kind": "keep"}
        single = self.state is RunState.PAUSED
        self.steps = max(0, self.steps - 1)
        seconds = SECONDS if self.drawn else SECONDS_BEHIND
        return {"kind": "advance", "seconds": seconds, "single": single, "picture": self.drawn or single}
