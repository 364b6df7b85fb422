"""Records of benchmarks: what was measured, when, where and with what."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def write_record(name: str, rows: list[dict[str, Any]], **more: Any) -> Path:
    """Write benchmarks/results/NAME.json; every row is an object of names and numbers."""
    record = {
        "name": name,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": find_commit(),
        "machine": f"{_processor()}, {platform.system()}, Python {platform.python_version()}",
        "versions": {package: version(package) for package in ("crevasse", "numpy", "scipy")},
        **more,
        "rows": rows,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
    return path


def read_record(name: str) -> dict[str, Any]:
    """The last record of this name."""
    loaded: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text())
    return loaded


def _processor() -> str:
    """The processor's name, how many this process may use, and their architecture."""
    name = platform.processor()
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{os.cpu_count()} x {name}, {platform.machine()}"


def find_commit() -> str:
    """The commit that is checked out."""
    try:
        told = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=RESULTS.parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told.stdout.strip()
