"""The command line in a fork of this process, which has everything loaded: it takes no time to start."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from contextlib import chdir
from multiprocessing import get_context
from pathlib import Path

import numpy as np


class Forked:
    """A run of `crevasse` in a folder, silent; POSIX only."""

    def __init__(self, place: Path, words: list[str]) -> None:
        self._process = get_context("fork").Process(target=_run, args=(place, words))
        self._process.start()

    def runs(self) -> bool:
        return self._process.is_alive()

    def ends_within(self, seconds: float) -> bool:
        """Wait so long at most; whether it has ended."""
        self._process.join(seconds)
        return not self.runs()

    def send(self, number: signal.Signals) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def wait(self) -> int:
        """Its exit code, once it has ended; a negative one is that of a signal."""
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode

    def wait_for_writing(self, folder: Path, patterns: tuple[str, ...]) -> None:
        """Wait until such files are in the folder, or the process has ended."""
        while self.runs() and not any(True for pattern in patterns for _ in folder.glob(pattern)):
            time.sleep(0.001)


def load() -> None:
    """Import all that the commands use, by using it."""
    from crevasse.cli.main import cli

    with tempfile.TemporaryDirectory() as folder, chdir(folder), open(os.devnull, "w") as nowhere:
        np.save("map.npy", np.broadcast_to([0.0, 0.0, 1.0], (8, 8, 3)))
        before, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), nowhere, nowhere
        try:
            cli.main(["integrate", "map.npy", "-o", "out", "--html", "--threads", "1"], standalone_mode=False)
            cli.main(["compare", "map.npy", "-o", "both", "--methods", "poisson,bilateral"], standalone_mode=False)
        finally:
            sys.stdout, sys.stderr = before


def _run(place: Path, words: list[str]) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.chdir(place)
    from crevasse.cli.main import main

    sys.argv = ["crevasse", *words]
    main()
