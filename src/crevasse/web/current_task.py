"""What a session does now, in a task of its own, so that its page is heard meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class CurrentTask:
    """At most one task; a new one ends it first."""

    def __init__(self, fail: Callable[[BaseException], Awaitable[None]]) -> None:
        self.task: asyncio.Task[None] | None = None
        self._fail = fail

    @property
    def is_running(self) -> bool:
        """Whether something is being done."""
        return self.task is not None and not self.task.done()

    async def replace(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do this instead; what goes wrong is reported."""
        await self.end()
        self.task = asyncio.ensure_future(self._guarded(work))

    async def end(self) -> None:
        """Cancel the task, and wait until it has ended."""
        task, self.task = self.task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as error:
            await self._fail(error)
