"""Limit how many sessions compute at once; serve the others in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

NotifyPosition = Callable[[int], Awaitable[None]]
"""Called with a waiting session's position in the queue; 1 is next."""


class RunQueue:
    """A number of slots; a session that finds none free waits and is told its position."""

    def __init__(self, slots: int) -> None:
        self.free = slots
        self.waiting: deque[tuple[asyncio.Future[None], NotifyPosition]] = deque()

    @asynccontextmanager
    async def slot(self, notify: NotifyPosition) -> AsyncIterator[None]:
        """Hold a slot for the length of the block."""
        await self._take(notify)
        try:
            yield
        finally:
            await self._give_back()

    async def _take(self, notify: NotifyPosition) -> None:
        if self.free > 0:
            self.free -= 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (future, notify)
        self.waiting.append(entry)
        try:
            await notify(len(self.waiting))
            await future
        except BaseException:
            if entry in self.waiting:
                self.waiting.remove(entry)
            elif future.done() and not future.cancelled():
                await self._give_back()
            raise

    async def _give_back(self) -> None:
        while self.waiting:
            future, _ = self.waiting.popleft()
            if not future.done():
                future.set_result(None)
                break
        else:
            self.free += 1
        for position, (_, notify) in enumerate(list(self.waiting), 1):
            await notify(position)
