"""crevasse info: show how a file would be read, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import show, show_json, warn
from crevasse.cli.help import Grouped
from crevasse.cli.options import FILE, input_options
from crevasse.cli.reading import read_checked
from crevasse.cli.run_report import ASSUMED, describe_camera
from crevasse.cli.wording import command_text
from crevasse.files import NormalMap
from crevasse.files.columns import table
from crevasse.files.detect import Detection
from crevasse.files.frames import Frame, is_conventional
from crevasse.integration import measure_noise
from crevasse.memory import command_bytes, format_size
from crevasse.methods import Graduated
from crevasse.status import Noise


@click.command("info", cls=Grouped)
@click.argument("input", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@input_options
def command(input: Path, as_json: bool, **settings: Any) -> None:
    """Show how a file would be read: encoding, frame and camera.

    The frame is detected from the data: in the right one the gradient field is curl-free, as that of a surface, and
    the silhouette faces outwards.

    \b
    Examples:
      crevasse info bust.png
      crevasse info scan/ --json
    """
    found, detection = read_checked(input, settings)
    report = describe(found, detection)
    if as_json:
        show_json(report)
        return
    show(table(["what", "is"], _rows(found, report), left=True))
    show()
    show(_verdict(detection))
    for sentence in detection.evidence:
        show(f"  {sentence}")
    show()
    show(_plan(found, report))
    warn(report["warnings"])


def describe(found: NormalMap, detection: Detection) -> dict[str, Any]:
    """The report of `info` as data."""
    from crevasse.lattice import label_regions
    from crevasse.validate import bounding_window

    rows, columns = bounding_window(found.mask)
    sides = rows.stop - rows.start, columns.stop - columns.start
    return {
        "input": str(found.source),
        "format": found.pixels.kind,
        "frame": {
            "detected": detection.detected,
            "sure": detection.sure,
            "evidence": list(detection.evidence),
            "fits": list(detection.fits),
            "used": found.frame,
        },
        "camera": describe_camera(found.camera),
        "camera_assumed": found.camera_assumed,
        "size": list(found.shape),
        "bit_depth": found.bits,
        "encoding": found.encoding,
        "pixels": int(found.mask.sum()),
        "regions": int(label_regions(found.mask)[0].max(initial=0)),
        "noise": _noise(found),
        "memory": command_bytes(sides, Graduated.bytes_per_pixel, found.shape),
        "warnings": [command_text(warning) for warning in found.warnings],
    }


def _noise(found: NormalMap) -> dict[str, float] | None:
    """How the normals err; None for a map that cannot be integrated."""
    try:
        return measure_noise(found.normals, found.mask, found.camera)._asdict()
    except (ValueError, MemoryError):
        return None


def _rows(found: NormalMap, report: dict[str, Any]) -> list[list[str]]:
    camera = ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else value for name, value in report["camera"].items()
    )
    return [
        ["file", f"{report['input']} ({report['format']})"],
        ["size", f"{found.shape[1]} x {found.shape[0]}"],
        ["numbers", f"{report['bit_depth']} bits, {report['encoding']}"],
        ["mask", f"{report['pixels']} pixels in {report['regions']} region{'s' * (report['regions'] != 1)}"],
        ["camera", ASSUMED if found.camera_assumed else camera],
        ["read as", found.frame],
        ["errors", "cannot be measured" if report["noise"] is None else str(Noise(**report["noise"]))],
    ]


def _verdict(detection: Detection) -> str:
    if detection.sure:
        return f"The frame is {detection.detected}:"
    if any(is_conventional(Frame.parse(name)) for name in detection.fits):
        return f"The frame is one of {', '.join(detection.fits)}; the data do not decide which:"
    return "The frame cannot be determined from the data:"


def _plan(found: NormalMap, report: dict[str, Any]) -> str:
    return (
        f"crevasse integrate would read it as {found.frame}, integrate {report['pixels']} pixels with about "
        f"{format_size(report['memory'])} of memory, and write into ./{found.name}."
    )
