"""Assess a result and write what was found: sigma as arrays and a picture, the quality report as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crevasse.files.depth_files import write_image, write_picture
from crevasse.files.steps import Step, plain
from crevasse.files.wanted import QUALITY, SIGMA_FORMATS, Wanted
from crevasse.files.write import write_bytes, write_npy
from crevasse.notices import Wording, python_wording
from crevasse.result import Integration

if TYPE_CHECKING:
    from crevasse.quality import Report
    from crevasse.uncertainty import Uncertainty

ASSESSING: Mapping[str, float] = {"probing": 20.0, "mirroring": 30.0}
"""Phases, and how long they take where a run takes 30."""


class Assessment(NamedTuple):
    """How sure a result is, and the report if one is wanted."""

    uncertainty: Uncertainty
    report: Report | None

    def to_dict(self) -> dict[str, Any]:
        """What result.json and --json say about it."""
        found = self.uncertainty
        rating = {**found.rating._asdict(), "normal_error": found.normal_error, "assumed": found.assumed}
        facts: dict[str, Any] = {"sigma": {"words": found.words, **rating}}
        return facts if self.report is None else facts | {"quality": self.report.to_dict()}


def assess(
    result: Integration,
    wanted: Wanted,
    facts: Mapping[str, str],
    progress: Any = None,
    wording: Wording = python_wording,
) -> Assessment | None:
    """Assess a result if anything wanted needs it.

    Parameters
    ----------
    facts : what was read, for the report: titles and values
    progress : called with the name of a phase, and the share of it that is done
    wording : how the report names settings
    """
    if not wanted.assessed:
        return None
    from crevasse.quality import report
    from crevasse.uncertainty import estimate

    found = estimate(result, wanted.normal_error, progress)
    return Assessment(found, report(result, found, facts, wording) if wanted.report else None)


def assessment_steps(
    folder: Path, result: Integration, wanted: Wanted, found: Assessment | None, title: str
) -> Iterator[Step]:
    """A step per file."""
    if found is None:
        return
    sigma = found.uncertainty.sigma
    if wanted.sigma:
        yield Step("sigma.npy", plain(write_npy, folder / "sigma.npy", sigma))
        text = {"ImageDescription": f"sigma of depth, infinite on islands, NaN outside; {result.unit_name}"}
        for kind in (kind for kind in wanted.depth if kind in SIGMA_FORMATS):
            samples = sigma.astype(np.float32)[..., None]
            yield Step(f"sigma.{kind}", plain(write_image, folder / f"sigma.{kind}", samples, text))
        yield Step("sigma.png", plain(_draw_sigma, folder / "sigma.png", result, found.uncertainty))
    if found.report is not None:
        yield Step(QUALITY, plain(_write_report, folder / QUALITY, found.report, title))


def _draw_sigma(path: Path, result: Integration, found: Uncertainty) -> None:
    from crevasse import pictures

    write_picture(path, pictures.sigma(result, found.sigma))


def _write_report(path: Path, found: Report, title: str) -> None:
    write_bytes(path, found.to_html(title).encode())
