"""A report on the quality of a result: what to trust, why, and what to do about it."""

from crevasse.quality.report import Report, report

__all__ = ["Report", "report"]
