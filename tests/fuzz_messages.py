"""Random messages of a page through the state of a worker: run by test_fuzz.py and benchmarks/fuzz.py.

Each case depends on its seed and number only: python tests/fuzz_messages.py SEED COUNT [FIRST].
"""

from __future__ import annotations

import faulthandler
import json
import random
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import Any

from crevasse.methods import METHODS
from crevasse.web.framing import unpack
from crevasse.web.message_checks import FIELDS, check_message
from crevasse.web.worker_state import WorkerState

ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        3,
        10**30,
        0.5,
        1e300,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\x1b[2J",
        "../..",
        "é" * 50,
    ),
    *([], [1], [[1, 2]], [None], {}, {"a": 1}, {"frame": 3}, {"camera": {"kind": "focal"}}, [{"tool": "exclude"}]),
)
KINDS = (
    *("open", "plain", "plain", "start", "advance", "keep", "export", "snippet"),
    *("scale", "look", "names", "move", "nothing"),
)
EXPORTS = (
    *("mesh-ply", "depth-npy", "depth-png16", "picture-jumps", "painted-mask", "mesh-xyz", "../x", ""),
    *("height-png16", "solid-stl", "points-ply", "page-html"),
)
REFUSALS = (ValueError, MemoryError)


def make_message(choose: random.Random) -> dict[str, Any]:
    """A message that the page could send, with some of its fields exchanged."""
    good = {
        "side": 64,
        "example": choose.choice(["islands", "islands", "unknown"]),
        "options": {"frame": "auto", "camera": {"kind": "field_of_view", "degrees": 40}},
        "method": choose.choice([*3 * ["poisson"], *2 * ["bilateral"], "nothing", choose.choice(list(METHODS))]),
        "settings": choose.choice([{}, {}, {"tolerance": 1e-3}, {"k": 1}]),
        "strokes": [{"tool": "exclude", "radius": 3, "points": [[5, 5], [9, choose.choice([9, 1e9, -1e300])]]}],
        "result": choose.choice(["poisson", "bilateral"]),
        "label": choose.choice([1, 2, 3.0, -1]),
        "pixels": choose.choice([0, 4.5, -1e14]),
        "scale": choose.choice([{}, {"pixel_size": 0.02}, {"distance": 400}, {"ruler": [5, 5, 20, 9, 3.5]}]),
    }
    message = {name: value for name, value in good.items() if choose.random() < 0.95}
    for _ in range(choose.choice([0, 0, 1, 2])):
        message[choose.choice(list(FIELDS))] = choose.choice(ODD)
    message["kind"] = choose.choice(KINDS)
    # As it comes through the socket.
    return dict(json.loads(json.dumps(message)))


def complete(message: dict[str, Any], choose: random.Random, folder: Path) -> dict[str, Any]:
    """What the session adds to a message on its way to the worker."""
    added = {"folder": str(folder), "names": {}, "options": message.get("options") or {}, "shape": {"torn": True}}
    added |= {
        "side": int(message.get("side") or 64),
        "seconds": 0.0,
        "single": True,
        "picture": choose.random() < 0.5,
    }
    if message.get("example") is None:
        message = {name: value for name, value in message.items() if name != "example"}
    return {**message, **added, "what": choose.choice(EXPORTS)}


def run_case(state: WorkerState, choose: random.Random, folder: Path) -> bool:
    """Whether a message was answered rather than refused."""
    message = make_message(choose)
    try:
        check_message(message)
        header, _ = unpack(state.answer(complete(message, choose, folder)))
    except REFUSALS as refusal:
        assert str(refusal), f"a refusal without words: {refusal!r}"
        return False
    json.dumps(header, allow_nan=False)
    return True


def main(seed: int, count: int, first: int = 0) -> None:
    faulthandler.enable()
    warnings.simplefilter("error")
    answered = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        state = WorkerState(pixels=1 << 16)
        for number in range(first, first + count):
            choose = random.Random(f"{seed}/{number}")
            if number % 50 == 0:
                state = WorkerState(pixels=1 << 16)
                state.answer({"kind": "open", "example": "islands", "side": 64})
            try:
                answered += run_case(state, choose, Path(folder))
            except Exception as error:
                failed += 1
                place = traceback.extract_tb(error.__traceback__)[-1]
                text = f"{type(error).__name__}: {error}"[:300]
                print(f"seed {seed}, case {number}: {text} ({place.filename}:{place.lineno})", file=sys.stderr)
    print(f"{count} messages, {answered} answered")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
