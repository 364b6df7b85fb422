"""The report as a page of one file: verdict, answers, pictures, findings; it needs no network and no script."""

from __future__ import annotations

from html import escape
from importlib import resources
from itertools import pairwise
from string import Template
from typing import TYPE_CHECKING

import numpy as np

from crevasse import pictures
from crevasse.notices import Wording, worded
from crevasse.pictures import canvas
from crevasse.pictures.colours import GROUND, HEAT, colour
from crevasse.pictures.drawable import Cropped, Picture, step_to_fit
from crevasse.quality.advice import Advice
from crevasse.quality.findings import GOOD, Finding
from crevasse.quality.measures import SIZES, Angles
from crevasse.quality.questions import Answer

if TYPE_CHECKING:
    from crevasse.quality.report import Report

SIDE = 720
"""Longest side of a picture, in pixels."""
STEEPEST_ANGLE = 10.0
"""Degrees at the top of the colour scale of angles."""


def page(report: Report, title: str) -> str:
    """The text of the HTML file."""
    verdict, _, rest = report.uncertainty.words.partition(". ")
    kind, _, said = verdict.partition(": ")
    doubtful = any(finding.state != GOOD for finding in report.findings if finding.name == "sigma")
    return Template(_asset("report.html")).substitute(
        title=escape(title),
        css=_asset("report.css"),
        state="look" if doubtful else "good",
        kind=escape(kind),
        verdict=escape(_capital(said)),
        more=escape(rest),
        answers="\n".join(_answer(answer, report.wording) for answer in report.answers),
        figures="\n".join(_figures(report)),
        findings="\n".join(_finding(finding, report.wording) for finding in report.findings),
        warnings="".join(_warning(text, report.wording) for text in report.result.warnings),
        warned="" if report.result.warnings else " hidden",
        facts="".join(
            f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in report.facts.items()
        ),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _warning(text: str, wording: Wording) -> str:
    said = _capital(worded(text, wording))
    return f"<li>{escape(said if said.endswith('.') else f'{said}.')}</li>"


def _do(advice: Advice, wording: Wording) -> str:
    return f'<p class="do">{escape(advice.worded(wording))}</p>' if advice.text else ""


def _answer(answer: Answer, wording: Wording) -> str:
    return (
        f"<article><h3>{escape(answer.question)}</h3><p>{escape(answer.words)}</p>{_do(answer.do, wording)}</article>"
    )


def _finding(finding: Finding, wording: Wording) -> str:
    mark = "nothing to do" if finding.state == GOOD else "worth a look"
    more = _bars(finding) if finding.name == "jumps" else ""
    return (
        f'<section class="{finding.state}"><h3>{escape(finding.title)} <span class="mark">{mark}</span></h3>'
        f"<p>{escape(finding.words)}</p>{more}{_do(finding.do, wording)}</section>"
    )


def _bars(finding: Finding) -> str:
    """Jumps by size, as bars."""
    counts = finding.numbers["pairs"]
    most = max(*counts, 1)
    names = [f"below {SIZES[0]:g} px", *(f"{a:g} to {b:g} px" for a, b in pairwise(SIZES))]
    names.append(f"above {SIZES[-1]:g} px")
    rows = (
        f'<tr><th>{name}</th><td><i style="width:{100 * count / most:.1f}%"></i></td><td>{count:,}</td></tr>'
        for name, count in zip(names, counts, strict=True)
    )
    return f'<table class="bars">{"".join(rows)}</table>' if sum(counts) else ""


def _figures(report: Report) -> list[str]:
    result = report.result
    near = Cropped(result)
    drawn = {
        ("What was read", "the normals, x right, y up"): pictures.normals(near.normals, near.mask),
        ("The surface", "light from the upper left"): pictures.preview(near),
        ("Jumps", "orange where depth grows to the right or downwards"): pictures.jumps(near),
        ("Sigma", "bright is doubtful; blue has no known distance"): pictures.sigma(
            near, report.uncertainty.sigma[near.window]
        ),
        ("Fit", "angle between the surface and its normals"): _angles(report.angles, near),
    }
    return [_figure(picture, name, story) for (name, story), picture in drawn.items()]


def _angles(angles: Angles, near: Cropped) -> Picture:
    rows, columns = near.window
    shown = angles.image[rows.start : rows.stop - 1, columns.start : columns.stop - 1]
    if not shown.size:
        return canvas.blank(8, 8, GROUND)
    step = step_to_fit(shown.shape, SIDE)
    picture = colour(np.clip(shown[::step, ::step] / STEEPEST_ANGLE, 0.0, 1.0), HEAT, GROUND)
    ticks = [(share, canvas.number(share * STEEPEST_ANGLE)) for share in (0.0, 0.5, 1.0)]
    return canvas.add_bar(picture, HEAT, ticks, "degrees", GROUND, np.array([200, 204, 210], np.uint8))


def _figure(picture: Picture, name: str, story: str) -> str:
    source = canvas.to_data_address(canvas.fit(picture, SIDE))
    return f'<figure><img alt="{name}" src="{source}"><figcaption><b>{name}</b>: {story}</figcaption></figure>'


def _asset(name: str) -> str:
    return resources.files("crevasse.quality").joinpath("assets", name).read_text("utf-8")
