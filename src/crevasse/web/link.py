"""The connection of a session to its page, which may be away for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from crevasse.web.framing import Header
from crevasse.web.messages import Notice, to_json

SendText = Callable[[Header], Awaitable[None]]
SendFrame = Callable[[bytes], Awaitable[None]]


class Link:
    """Sends to the page; what is sent while the page is away is dropped, since it will ask again."""

    def __init__(self, send_text: SendText, send_frame: SendFrame) -> None:
        self._text: SendText | None = send_text
        self._frame: SendFrame | None = send_frame

    @property
    def is_open(self) -> bool:
        """Whether a page is there."""
        return self._text is not None

    def attach(self, send_text: SendText, send_frame: SendFrame) -> None:
        """The page is back."""
        self._text, self._frame = send_text, send_frame

    def detach(self) -> None:
        """The page is gone."""
        self._text = self._frame = None

    async def text(self, header: Header) -> None:
        """Send a message that is text."""
        if self._text is not None:
            await self._text(header)

    async def notify(self, notice: Notice) -> None:
        """Send a notice."""
        await self.text(to_json(notice))

    async def frame(self, frame: bytes) -> None:
        """Send a message with arrays."""
        if self._frame is not None:
            await self._frame(frame)
