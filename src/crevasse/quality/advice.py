"""What to do, in the words of the interface that shows it."""

from __future__ import annotations

from typing import NamedTuple

from crevasse.notices import Setting, Wording


class Advice(NamedTuple):
    """A sentence whose settings each interface words for its users.

    >>> from crevasse.notices import python_wording
    >>> Advice("Tell how wide a pixel is ({}).", ("pixel_size",)).worded(python_wording)
    'Tell how wide a pixel is (pass pixel_size).'
    """

    text: str
    settings: tuple[str, ...] = ()

    def worded(self, wording: Wording) -> str:
        """The sentence in the words of an interface."""
        return self.text.format(*(wording([Setting(name)]) or name for name in self.settings))


NOTHING = Advice("")
