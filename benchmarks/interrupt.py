"""How long a run goes without looking for Ctrl-C: the longest silences, and what was being done.

    python benchmarks/interrupt.py --side 4096

A timer sends a signal every few milliseconds; its handler runs only when the run looks for signals, and notes the
place and the processor time of the calling thread. Silences grow with the pixels, and shrink with threads.
"""

from __future__ import annotations

import argparse
import signal
import time
from collections import defaultdict
from types import FrameType
from typing import Any

from own_process import full_map
from record import write_record

import crevasse

PERIOD = 0.005
"""Seconds between signals."""
LARGEST = 8192
"""Side of the map for which silences are also stated, by the number of its pixels."""


class Listener:
    """Notes when signals are handled, and where the run was then."""

    def __init__(self) -> None:
        self.last = time.thread_time()
        self.longest: dict[str, float] = defaultdict(float)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.thread_time()
        if frame is not None:
            place = f"{frame.f_globals.get('__name__', '?')}.{frame.f_code.co_name}, line {frame.f_lineno}"
            self.longest[place] = max(self.longest[place], now - self.last)
        self.last = time.thread_time()


def listen(side: int, threads: int) -> dict[str, float]:
    """Longest silence in seconds by place, of a run of the default method with one short start."""
    scene = full_map(side)
    method = crevasse.Graduated(starts=1, iterations=12, polish_iterations=2)
    listener = Listener()
    signal.signal(signal.SIGALRM, listener)
    listener.last = time.thread_time()
    signal.setitimer(signal.ITIMER_REAL, PERIOD, PERIOD)
    crevasse.integrate(scene.normals, scene.mask, scene.camera, method, threads=threads)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return dict(listener.longest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=2048)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="how many of the longest silences")
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/interrupt.json")
    chosen = parser.parse_args()
    found = sorted(listen(chosen.side, chosen.threads).items(), key=lambda item: -item[1])[: chosen.show]
    factor = (LARGEST / chosen.side) ** 2
    rows: list[dict[str, Any]] = [
        {
            "place": place,
            "side": chosen.side,
            "milliseconds": 1e3 * silence,
            "seconds_at_64_megapixels": factor * silence,
        }
        for place, silence in found
    ]
    for row in rows:
        print(f"{row['milliseconds']:8.1f} ms {row['seconds_at_64_megapixels']:6.2f} s  {row['place']}")
    if chosen.record:
        write_record("interrupt", rows, threads=chosen.threads)


if __name__ == "__main__":
    main()
