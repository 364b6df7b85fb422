"""Runs that are killed at random moments: no result may be lost, half-written or claimed for what it is not.

    python benchmarks/kills.py --kills 500 --record

Half of the runs end by SIGKILL, the others by Ctrl-C (SIGINT); half at any moment, the others while results are
written, which is a small part of a run. Runs that end before they are killed are trials, too. A folder that held a
result before must hold that result or the new one afterwards, whole, as the next process that opens it finds it.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from forked import Forked, load
from page_client import PageClient, start_server
from record import write_record

from crevasse import scenes
from crevasse.files.errors import BadOutput
from crevasse.files.result_folder import REPORT, claimed, read_report
from crevasse.web.cleanup import remove_stale_folders

VOLATILE = {REPORT, "page.html"}
"""Files that hold seconds, which differ from run to run."""
TIME = re.compile(rb"\d{4}:\d\d:\d\d \d\d:\d\d:\d\d")
"""The moment of writing, which TIFF and EXR files hold."""
NUMBER = re.compile(rb"\d[\d.e-]*| +")
"""Numbers of a comparison's tables, and the blanks between them: seconds differ from run to run."""
STAGED = (".*.part/*", "*/.*.part/*")
"""Files of a result that is not in its place yet."""
DEMO_SIDE = 64
Digests = dict[str, str]


def digests(folder: Path) -> Digests:
    """By file, the hash of its content; files that differ between equal runs count by their presence."""
    return {
        path.name: "" if path.name in VOLATILE else digest(path)
        for path in folder.iterdir()
        if not path.name.startswith(".")
    }


def digest(path: Path) -> str:
    """The hash of a file's content, without what differs between equal runs."""
    changing = NUMBER if path.stem == "table" else TIME
    return hashlib.sha256(changing.sub(b"", path.read_bytes())).hexdigest()


def settle(folder: Path) -> Digests:
    """The result of a folder as the next process finds it."""
    for _ in range(200):
        try:
            with claimed(folder, [], overwrite=True):
                return digests(folder)
        except BadOutput:
            # An orphan may live for a moment.
            time.sleep(0.05)
    raise RuntimeError(f"{folder} stays locked")


class Trials:
    """A place with maps and reference results, and what was found."""

    def __init__(self, place: Path, seed: int) -> None:
        self.place, self.choose = place, random.Random(seed)
        self.counts: Counts = {}
        for number, name in enumerate(("a", "b", "c")):
            (place / name).mkdir()
            scene = scenes.SCENES["islands"](48 + 8 * number)
            np.save(place / name / "normal_map.npy", scene.normals)
            np.savez(place / name / "depth_gt.npz", depth_gt=scene.depth)
        self.reference: dict[str, Digests] = {}
        self.seconds: dict[str, float] = {}
        self.writing: dict[str, float] = {}
        self.killed: dict[str, int] = {}

    def time(self, kind: str, words: list[str], folder: str | None = None) -> None:
        """Measure how long a command takes, and how long of that it writes into a folder."""
        began = time.monotonic()
        run = Forked(self.place, words)
        if folder is not None:
            run.wait_for_writing(self.place / folder, STAGED)
            self.writing[kind] = -time.monotonic()
        code = run.wait()
        if code != 0:
            raise RuntimeError(f"crevasse {' '.join(words)} ends with {code}")
        self.seconds[kind] = time.monotonic() - began
        if folder is not None:
            self.writing[kind] += time.monotonic()

    def interrupt(self, kind: str, words: list[str], folder: str | None = None) -> None:
        """Start a command and end it at a random moment; of every two, one that falls into its writing."""
        run = Forked(self.place, words)
        most = self.seconds[kind]
        if folder is not None and self.choose.random() < 0.5:
            run.wait_for_writing(self.place / folder, STAGED)
            most = self.writing[kind]
        if not run.ends_within(self.choose.uniform(0, 1.1 * most)):
            run.send(self.choose.choice([signal.SIGKILL, signal.SIGINT]))
            self.killed[kind] = self.killed.get(kind, 0) + 1
        run.wait()

    def count(self, kind: str, finding: str | None) -> None:
        row = self.counts.setdefault(kind, {"trials": 0, "lost": 0, "half_written": 0, "claimed_wrongly": 0})
        row["trials"] += 1
        if finding is not None:
            row[finding] += 1
            print(f"{kind}: {finding}", flush=True)

    def judge(self, folder: Path, allowed: dict[str, Digests]) -> str | None:
        """What is wrong with a folder that must hold one of some results, whole, with its own report."""
        found = settle(folder)
        fitting = [name for name, reference in allowed.items() if found == reference]
        if not fitting:
            return "lost" if not found else "half_written"
        report = read_report(folder) or {}
        sources = report["inputs"].values() if "inputs" in report else [report.get("input")]
        return (
            None if any(str(source).startswith(name) for name in fitting for source in sources) else "claimed_wrongly"
        )


def integrate(trials: Trials) -> None:
    replace(trials, "integrate", ["--method", "poisson"])


def compare(trials: Trials) -> None:
    replace(trials, "compare", ["--methods", "poisson,bilateral"])


def replace(trials: Trials, command: str, options: list[str]) -> None:
    """Interrupt a command whose result replaces that of another map."""
    old, new = trials.choose.sample(["a", "b"], 2)
    pure = {name: f"{command}-{name}" for name in ("a", "b")}
    for name, folder in pure.items():
        if folder not in trials.reference:
            trials.time(command, [command, name, "-o", folder, *options], folder)
            trials.reference[folder] = digests(trials.place / folder)
    out = trials.place / "out"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(trials.place / pure[old], out)
    trials.interrupt(command, [command, new, "-o", "out", "--overwrite", *options], "out")
    trials.count(command, trials.judge(out, {name: trials.reference[folder] for name, folder in pure.items()}))


def batch(trials: Trials) -> None:
    words = ["batch", "a", "b", "c", "-o", "many", "-j", "2", "--method", "poisson"]
    many = trials.place / "many"
    shutil.rmtree(many, ignore_errors=True)
    if "batch" not in trials.seconds:
        trials.time("batch", words, "many")
        trials.reference |= {f"batch-{name}": digests(many / name) for name in ("a", "b", "c")}
        shutil.rmtree(many)
    trials.interrupt("batch", words, "many")
    for name in ("a", "b", "c"):
        if (many / name).exists() and (settle(many / name) or {}).keys() & {REPORT}:
            trials.count("batch, each map", trials.judge(many / name, {name: trials.reference[f"batch-{name}"]}))
    if Forked(trials.place, [*words, "--resume"]).wait() != 0:
        raise RuntimeError("the batch cannot be resumed")
    lines = [json.loads(line) for line in (many / "manifest.jsonl").read_text().splitlines()]
    done = sorted(line["input"] for line in lines if line["state"] == "done")
    whole = all(digests(many / name) == trials.reference[f"batch-{name}"] for name in ("a", "b", "c"))
    trials.count("batch, resumed", None if done == ["a", "b", "c"] and whole else "lost")


def demo(trials: Trials) -> None:
    if "demo" not in trials.seconds:
        trials.time("demo", ["demo", "-o", "demo"], "demo")
        trials.reference["demo"] = digests(trials.place / "demo")
    trials.interrupt("demo", ["demo", "-o", "demo", "--overwrite"], "demo")
    trials.count("demo", trials.judge(trials.place / "demo", {"demo": trials.reference["demo"]}))


def evaluate(trials: Trials) -> None:
    words = ["evaluate", ".", "--methods", "poisson,bilateral"]
    before = {name: digests(trials.place / name) for name in ("a", "b", "c")}
    if "evaluate" not in trials.seconds:
        trials.time("evaluate", words)
    trials.interrupt("evaluate", words)
    after = {name: digests(trials.place / name) for name in ("a", "b", "c")}
    trials.count("evaluate", None if before == after else "lost")


def export(trials: Trials) -> None:
    """A download whose server is killed: whole or refused, and the next server clears up."""
    process, port = start_server()
    answers: list[bytes] = []
    with PageClient(port) as client:
        client.open(example="islands")
        client.send("run", method="poisson", settings={}, strokes=[])
        client.until("finished")
        if "export" not in trials.reference:
            began = time.monotonic()
            whole = client.download("mesh-ply", "poisson")
            trials.seconds["export"] = time.monotonic() - began
            trials.reference["export"] = {"mesh.ply": hashlib.sha256(whole).hexdigest()}
        asking = threading.Thread(target=lambda: _try(lambda: answers.append(client.download("mesh-ply", "poisson"))))
        asking.start()
        time.sleep(trials.choose.uniform(0, 1.1 * trials.seconds["export"]))
        process.send_signal(trials.choose.choice([signal.SIGKILL, signal.SIGINT]))
        trials.killed["page export"] = trials.killed.get("page export", 0) + 1
        asking.join()
    process.communicate()
    remove_stale_folders()
    left = list(Path(tempfile.gettempdir()).glob(f"crevasse-serve-{process.pid}-*"))
    known = trials.reference["export"]["mesh.ply"]
    bad = any(hashlib.sha256(answer).hexdigest() != known for answer in answers)
    trials.count("page export", "half_written" if bad else "lost" if left else None)


def _try(action: Callable[[], Any]) -> None:
    try:
        action()
    except Exception:
        # The server was killed: that its client fails is what is tried.
        return


def shrink_demo() -> None:
    """Make the built-in scene of this process and its forks a small one."""
    whole = scenes.demo
    scenes.demo = lambda size=DEMO_SIDE: whole(size)


SHARES = ((integrate, 0.4), (compare, 0.2), (batch, 0.2), (evaluate, 0.05), (export, 0.1), (demo, 0.05))
Counts = dict[str, dict[str, int]]


def run_trials(seed: int, count: int, minutes: float) -> Counts:
    """Run trials one after another, in a place of their own, until so many were killed."""
    os.environ["CREVASSE_THREADS"] = "1"
    load()
    shrink_demo()
    end = time.monotonic() + 60 * minutes
    kinds, shares = zip(*SHARES, strict=True)
    with tempfile.TemporaryDirectory() as place:
        trials = Trials(Path(place), seed)
        for number in itertools.count():
            if sum(trials.killed.values()) >= count or time.monotonic() > end:
                break
            kind = kinds[number % len(kinds)] if number < len(kinds) else trials.choose.choices(kinds, shares)[0]
            kind(trials)
    return {**trials.counts, "killed before the end": trials.killed}


def add_up(parts: Iterable[Counts]) -> Counts:
    """The sums of several processes' counts."""
    total: Counts = {}
    for part in parts:
        for kind, row in part.items():
            sums = total.setdefault(kind, {})
            for name, value in row.items():
                sums[name] = sums.get(name, 0) + value
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2, help="trials at a time")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/kills.json")
    chosen = parser.parse_args()
    jobs = chosen.jobs
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        seeds = range(chosen.seed, chosen.seed + jobs)
        shares = [chosen.kills // jobs + (number < chosen.kills % jobs) for number in range(jobs)]
        counts = add_up(pool.map(run_trials, seeds, shares, [chosen.minutes] * jobs))
    killed = counts.pop("killed before the end")
    rows = [{"command": kind, **row} for kind, row in sorted(counts.items())]
    for row in rows:
        print(", ".join(f"{name} {value}" for name, value in row.items()))
    print("killed before the end:", ", ".join(f"{kind} {count}" for kind, count in killed.items()))
    if chosen.record:
        write_record("kills", rows, seed=chosen.seed, jobs=jobs, killed=killed)
    sys.exit(any(row[name] for row in rows for name in ("lost", "half_written", "claimed_wrongly")))


if __name__ == "__main__":
    main()
