"""A log that clients cannot fill: after a number of messages in a period, only how many were left out."""

from __future__ import annotations

import logging
import time

MESSAGES = 60
PERIOD = 60.0
"""Seconds."""
LONGEST = 2000
"""Characters of one message, with its traceback."""


class LogLimit(logging.Filter):
    """Let pass a number of messages per period, each cut to a length."""

    def __init__(self, messages: int = MESSAGES, period: float = PERIOD) -> None:
        super().__init__()
        self.messages, self.period = messages, period
        self.since = time.monotonic()
        self.passed = self.left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self.since >= self.period:
            left_out, self.left_out, self.passed, self.since = self.left_out, 0, 0, now
            if left_out:
                record.msg, record.args = f"({left_out} messages were left out) {record.getMessage()}", ()
        if self.passed >= self.messages:
            self.left_out += 1
            return False
        self.passed += 1
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)[-LONGEST:]
        record.msg, record.args = record.getMessage()[:LONGEST], ()
        return True
