"""Record each map of a batch in the manifest, and report the whole batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crevasse.cli.batch_plan import readable_identity
from crevasse.cli.console import say, show, show_json
from crevasse.cli.main import SOME_FAILED, Failure
from crevasse.cli.work import Task
from crevasse.cli.workers import Finished
from crevasse.files.columns import table
from crevasse.files.manifest import NAME, Entry

ROWS = 40
"""Most lines of the closing table; the manifest has all of them."""


def describe_end(task: Task, end: Finished) -> Entry:
    """Manifest entry of a map that was integrated or failed."""
    result = end.result or {
        "seconds": 0.0,
        "error": end.error,
        "report": {},
        "identity": readable_identity(task.source, task.settings),
    }
    if not result["error"]:
        return describe_done(task.source, task.folder, {**result["report"], "seconds": result["seconds"]})
    return {
        "input": task.source,
        "state": "failed",
        "seconds": round(result["seconds"], 3),
        "error": result["error"],
        "identity": result["identity"],
        "output": task.folder.name,
        "status": None,
        "warnings": [],
    }


def describe_done(source: str, folder: Path, report: dict[str, Any]) -> Entry:
    """Manifest entry of a result."""
    seconds = report.get("seconds")
    return {
        "input": source,
        "state": "done",
        "seconds": round(seconds, 3) if isinstance(seconds, int | float) else 0.0,
        "error": None,
        "output": folder.name,
        "status": report.get("status"),
        "warnings": list(report.get("warnings") or []),
        "pixels": report.get("pixels"),
        "islands": report.get("islands"),
    }


def summarise(sources: list[str], entries: list[Entry], seconds: float) -> dict[str, Any]:
    """Report of a batch: the maps of this call, in the given order."""
    by_input = {entry["input"]: entry for entry in entries}
    maps = [by_input[source] for source in sources if source in by_input]
    failed = sum(entry["state"] == "failed" for entry in maps)
    warned = sum(bool(entry.get("warnings")) for entry in maps)
    return {"done": len(maps) - failed, "failed": failed, "warned": warned, "seconds": seconds, "maps": maps}


def close(report: dict[str, Any], output: Path, as_json: bool) -> None:
    """Print the report of a batch; failed maps set the exit code."""
    warned = [entry for entry in report["maps"] if entry.get("warnings")]
    if as_json:
        show_json(report)
    else:
        done = f"{report['done']} done" + (f" ({len(warned)} with warnings)" if warned else "")
        show(f"{done}, {report['failed']} failed, {report['seconds']:.1f} s; results in {output}")
    if warned:
        _tell(
            ["map", "warnings"],
            [
                [entry["input"] if number == 0 else "", str(sentence)]
                for entry in warned
                for number, sentence in enumerate(entry["warnings"])
            ],
        )
    failed = [entry for entry in report["maps"] if entry["state"] == "failed"]
    if failed:
        _tell(["failed", "why"], [[entry["input"], str(entry.get("error"))] for entry in failed])
        raise Failure(
            f"{len(failed)} of {len(report['maps'])} maps failed; --resume tries those again whose files changed, "
            "--resume --retry-failed all of them",
            SOME_FAILED,
        )


def _tell(heads: list[str], rows: list[list[str]]) -> None:
    say(table(heads, rows[:ROWS], left=True))
    if len(rows) > ROWS:
        say(f"and {len(rows) - ROWS} more; see {NAME}")
