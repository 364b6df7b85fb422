"""Who may compute now, and who waits: first come, first served."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Notice = Callable[[int], Awaitable[None]]


class Turns:
    """A number of places; who finds none waits in a queue and is told its position (1 is next)."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.queue: deque[tuple[asyncio.Future[None], Notice]] = deque()

    @asynccontextmanager
    async def turn(self, notice: Notice) -> AsyncIterator[None]:
        """Holds a place for the length of the block."""
        await self._take(notice)
        try:
            yield
        finally:
            await self._give_back()

    async def _take(self, notice: Notice) -> None:
        if self.free > 0:
            self.free -= 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (future, notice)
        self.queue.append(entry)
        try:
            await notice(len(self.queue))
            await future
        except BaseException:
            if entry in self.queue:
                self.queue.remove(entry)
            elif future.done() and not future.cancelled():
                await self._give_back()
            raise

    async def _give_back(self) -> None:
        while self.queue:
            future, _ = self.queue.popleft()
            if not future.done():
                future.set_result(None)
                break
        else:
            self.free += 1
        for position, (_, notice) in enumerate(list(self.queue), 1):
            await notice(position)
