"""Numbers of runs that are done: what is stopped goes on where it was, and tables that share a run run it once."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import crevasse
from crevasse.methods import Method
from crevasse.native import kernels
from crevasse.scenes import Scene

FOLDER = Path(__file__).parent.parent / "build" / "runs"


def cached(kind: str, scene: Scene, method: Method, run: Callable[[], Any]) -> Any:
    """What `run` gives, as JSON can hold it, from the folder if this code has run this method on this map before."""
    asked = hashlib.sha256(f"{code()} {kind} {scene.camera!r} {method!r}".encode())
    for array in (scene.normals, scene.mask, scene.depth):
        asked.update(array.tobytes())
    path = FOLDER / f"{asked.hexdigest()[:32]}.json"
    if path.exists():
        return json.loads(path.read_text())
    found = run()
    FOLDER.mkdir(parents=True, exist_ok=True)
    # Two experiments may run the same at the same time: a file is there whole or not at all.
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_text(json.dumps(found))
    fresh.replace(path)
    return found


@cache
def code() -> str:
    """A digest of what results depend on."""
    digest = hashlib.sha256()
    for path in modules():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def modules() -> list[Path]:
    """The package's modules without the faces, and the compiled kernels."""
    package = Path(crevasse.__file__).parent
    inner = (path for room in ("cameras", "methods", "uncertainty") for path in package.glob(f"{room}/**/*.py"))
    return sorted([*package.glob("*.py"), *inner, Path(kernels.__file__)])


def start(experiment: Callable[[], None]) -> None:
    """Run an experiment; Ctrl-C ends it with a sentence."""
    try:
        experiment()
    except KeyboardInterrupt:
        done = f"runs that are done are kept in {FOLDER.relative_to(FOLDER.parent.parent)}"
        print(f"{Path(sys.argv[0]).stem}: stopped; {done}, the same command goes on from there", file=sys.stderr)
        raise SystemExit(130) from None
