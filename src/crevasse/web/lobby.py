"""Let pages into sessions: new ones, or the one that they had before a reload."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from crevasse.web.limits import Limits
from crevasse.web.link import SendFrame, SendText
from crevasse.web.session import Session

OVERLAP_SECONDS = 2.0
"""How long a reloaded page waits until its former connection is seen to be closed."""

MakeSession = Callable[[SendText, SendFrame], Session]


class Lobby:
    """All sessions: those with a page, and those that wait for theirs to come back."""

    def __init__(self, limits: Limits, make: MakeSession) -> None:
        self.limits, self._make = limits, make
        self.sessions: dict[str, Session] = {}
        self._endings: dict[str, asyncio.Task[None]] = {}

    async def enter(self, send_text: SendText, send_frame: SendFrame, former: str | None) -> Session | None:
        """The former session of a page if it waits for it, else a new one; None where there are too many."""
        session = await self._waiting(former)
        if session is not None:
            self._endings.pop(session.token).cancel()
            session.link.attach(send_text, send_frame)
            return session
        if len(self.sessions) >= self.limits.sessions and self._endings:
            # Whoever is here now goes before who may come back.
            await self._end(self.sessions[next(iter(self._endings))])
        if len(self.sessions) >= self.limits.sessions:
            return None
        session = self._make(send_text, send_frame)
        self.sessions[session.token] = session
        return session

    async def _waiting(self, former: str | None) -> Session | None:
        """The session of this token, once it has no page."""
        if not former or former not in self.sessions:
            return None
        for _ in range(round(OVERLAP_SECONDS / 0.05)):
            if former in self._endings:
                return self.sessions[former]
            await asyncio.sleep(0.05)
        return None

    async def leave(self, session: Session, stays: bool) -> None:
        """The page is gone: its session ends, at once or after a while."""
        session.link.detach()
        if not stays:
            return await self._end(session)
        self._endings[session.token] = asyncio.ensure_future(self._end_later(session))

    async def _end_later(self, session: Session) -> None:
        await asyncio.sleep(self.limits.linger_seconds)
        # From here on the page comes too late; this task must not cancel itself.
        self._endings.pop(session.token, None)
        await self._end(session)

    async def _end(self, session: Session) -> None:
        ending = self._endings.pop(session.token, None)
        if ending is not None:
            ending.cancel()
        self.sessions.pop(session.token, None)
        await session.close()

    async def close(self) -> None:
        """End all sessions."""
        await asyncio.gather(*(self._end(session) for session in list(self.sessions.values())))
