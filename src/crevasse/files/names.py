"""Names of results that are safe on every system and never lead out of their folder."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 150
"""Longest name in bytes: file systems allow 255, and temporary names and numbers are appended."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
"""Names of devices on Windows, with or without a suffix."""


def safe_name(text: str) -> str:
    """Turn a text into a plain file name.

    >>> safe_name("bust"), safe_name(".."), safe_name("a/b"), safe_name("aux.1")
    ('bust', 'map', 'a-b', 'map-aux.1')
    """
    kept = "".join("-" if character in '<>:"/\\|?*' or not _printable(character) else character for character in text)
    name = kept.encode("utf-8")[:LONGEST].decode("utf-8", "ignore").strip().strip(".").strip()
    if not name:
        return "map"
    return f"map-{name}" if _RESERVED.fullmatch(name) else name


def plain_text(text: str) -> str:
    """Spell out control characters and undecodable bytes, which could steer a terminal.

    >>> plain_text("a\\x1b[2Jb\\nc")
    'a\\\\x1b[2Jb\\\\nc'
    """
    return "".join(character if _printable(character) else ascii(character)[1:-1] for character in text)


def _printable(character: str) -> bool:
    """Whether a character prints as itself: it is not a control or format character, surrogate or separator."""
    return character == " " or unicodedata.category(character)[0] not in "CZ"
