"""Advice as data: what was found, which settings change it, what to do; each interface words it for its users."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Setting(NamedTuple):
    """An argument by its name in Python, and the value to try; None leaves the value to the user."""

    name: str
    value: Any = None


Wording = Callable[[Sequence[Setting]], str | None]
"""How an interface names one of several settings; None where it has no such setting."""


def python_wording(settings: Sequence[Setting]) -> str:
    """Word settings as Python arguments.

    >>> python_wording([Setting("frame", "directx"), Setting("frame", "opencv")])
    "pass frame='directx' or frame='opencv'"
    """
    return "pass " + " or ".join(name if value is None else f"{name}={value!r}" for name, value in settings)


class Notice(str):
    """Advice worded for Python, which other interfaces can reword.

    Parameters
    ----------
    found : what was found; a warning ends with a full stop, the reason of an error has none
    settings : the settings that would change it, any of them
    do : a clause around the words for `settings`, such as "{} if that is wrong"
    cure : what else to do, in words that name no setting

    Examples
    --------
    >>> notice = Notice("The map was read as opengl.", Setting("frame", "directx"), do="{} if that is wrong")
    >>> str(notice)
    "The map was read as opengl: pass frame='directx' if that is wrong."
    >>> notice.worded(lambda settings: f"choose {settings[0].value}")
    'The map was read as opengl: choose directx if that is wrong.'
    """

    found: str
    settings: tuple[Setting, ...]
    do: str
    cure: str

    def __new__(cls, found: str, *settings: Setting, do: str = "{}", cure: str = "") -> Notice:
        """Word the parts for Python."""
        made = super().__new__(cls, _sentence(found, settings, do, cure, python_wording))
        made.found, made.settings, made.do, made.cure = found, settings, do, cure
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, str]]:
        """Build copies and pickles from the same parts."""
        return (self.found, *self.settings), {"do": self.do, "cure": self.cure}

    def worded(self, wording: Wording) -> str:
        """The sentence in the words of an interface."""
        return _sentence(self.found, self.settings, self.do, self.cure, wording)

    def with_found(self, change: Callable[[str], str]) -> Notice:
        """The same advice with another description of what was found."""
        return Notice(change(self.found), *self.settings, do=self.do, cure=self.cure)

    def to_dict(self) -> dict[str, Any]:
        """The parts as plain data, for `from_dict`."""
        return {"found": self.found, "settings": list(map(list, self.settings)), "do": self.do, "cure": self.cure}

    @classmethod
    def from_dict(cls, parts: Mapping[str, Any]) -> Notice:
        """The notice that `to_dict` described."""
        settings = (Setting(name, value) for name, value in parts["settings"])
        return cls(parts["found"], *settings, do=parts["do"], cure=parts["cure"])


def notice_of(error: BaseException) -> Notice:
    """The advice of an error; an error without advice becomes one."""
    advice = error.args[0] if error.args else None
    return advice if isinstance(advice, Notice) else Notice(str(error))


def worded(sentence: str, wording: Wording) -> str:
    """A sentence in the words of an interface; one without advice stays as it is."""
    return sentence.worded(wording) if isinstance(sentence, Notice) else sentence


def _sentence(found: str, settings: Sequence[Setting], do: str, cure: str, wording: Wording) -> str:
    clause = wording(settings) if settings else None
    advice = ", or ".join(part for part in (cure, do.format(clause) if clause else "") if part)
    if not advice:
        return found
    return f"{found[:-1]}: {advice}." if found.endswith(".") else f"{found}; {advice}"
