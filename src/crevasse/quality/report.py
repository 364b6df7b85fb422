"""Assess a result, as data and as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crevasse.notices import Wording, python_wording, worded
from crevasse.quality.findings import (
    Finding,
    find_angles,
    find_bend,
    find_curl,
    find_islands,
    find_jumps,
    find_noise,
    find_sigma,
)
from crevasse.quality.measures import Angles, measure_angles, measure_bend, measure_curl, measure_jumps
from crevasse.quality.questions import Answer, what_is_z, why_bent, why_steps
from crevasse.result import Integration
from crevasse.uncertainty import Uncertainty


@dataclass(frozen=True, eq=False)
class Report:
    """A report on the quality of a result.

    Attributes
    ----------
    result : what is reported on
    uncertainty : how sure it is
    answers : to the questions that everyone asks
    findings : all that was looked at
    facts : what was read and how it was run, titles and values
    angles : between the surface and its normals
    wording : how settings are named in advice
    """

    result: Integration
    uncertainty: Uncertainty
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...]
    facts: Mapping[str, str]
    angles: Angles
    wording: Wording

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON can hold it."""
        return {
            "verdict": self.uncertainty.words,
            "answers": [answer.to_dict(self.wording) for answer in self.answers],
            "findings": {finding.name: finding.to_dict(self.wording) for finding in self.findings},
            "facts": dict(self.facts),
            "warnings": [worded(warning, self.wording) for warning in self.result.warnings],
        }

    def to_html(self, title: str = "crevasse") -> str:
        """The report as a page that needs no other file."""
        from crevasse.quality.page import page

        return page(self, title)

    def _repr_html_(self) -> str:
        """HTML that a notebook shows for the report."""
        from html import escape

        return f'<iframe srcdoc="{escape(self.to_html())}" style="width:100%;height:700px;border:0"></iframe>'


def report(
    result: Integration,
    uncertainty: Uncertainty | None = None,
    facts: Mapping[str, str] | None = None,
    wording: Wording = python_wording,
) -> Report:
    """The report on a result.

    Parameters
    ----------
    uncertainty : from `Integration.assess`; None computes it
    facts : further facts about what was read, titles and values
    wording : how settings are named in advice
    """
    found = result.uncertainty if uncertainty is None else uncertainty
    curl, angles, jumps = measure_curl(result), measure_angles(result), measure_jumps(result)
    bend = measure_bend(result)
    return Report(
        result,
        found,
        (why_bent(result, bend), why_steps(result, jumps), what_is_z(result, found)),
        (
            find_sigma(result, found),
            find_noise(result),
            find_curl(curl),
            find_angles(angles),
            find_jumps(jumps),
            find_islands(result, found.rating.unplaced),
            find_bend(result, bend),
        ),
        {**(facts or {}), **result.summary()},
        angles,
        wording,
    )
