"""The worker process: answers the requests of one session in turn until its input ends."""

from __future__ import annotations

import os
import signal
import struct
import sys
import traceback
from typing import BinaryIO

from crevasse.files.confine import limit_resources, limited_time
from crevasse.web.framing import Header, pack, read_header
from crevasse.web.wording import page_text
from crevasse.web.worker_state import WorkerState

OPENING_SECONDS = 300
"""CPU time that decoding one session's files may take; the largest maps take a tenth of it."""


def answer(state: WorkerState, request: Header) -> bytes:
    """The frame that answers a request; what goes wrong is answered too."""
    try:
        if request.get("kind") != "open":
            return state.answer(request)
        with limited_time(OPENING_SECONDS):
            return state.answer(request)
    except (ValueError, OSError, ImportError, KeyError) as error:
        return pack({"kind": "refused", "message": page_text(error)})
    except MemoryError:
        return pack({"kind": "refused", "message": "This needs more memory than a worker is allowed."})
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return pack({"kind": "refused", "message": f"{type(error).__name__}: {error}"})


class Interruption:
    """SIGINT ends the answer that is being made, and nothing else: between answers it does nothing."""

    answering = False

    @classmethod
    def handle(cls, number: int, frame: object) -> None:
        if cls.answering:
            cls.answering = False
            raise KeyboardInterrupt


def answer_unless_interrupted(state: WorkerState, request: Header) -> bytes:
    """The answer; the map stays open when it is interrupted, a run does not."""
    try:
        Interruption.answering = True
        frame = answer(state, request)
        Interruption.answering = False
        return frame
    except KeyboardInterrupt:
        state.run = None
        return pack({"kind": "refused", "message": "Cancelled."})


def serve(requests: BinaryIO, answers: BinaryIO, state: WorkerState) -> None:
    """Signal readiness, then answer until the requests end."""
    write(answers, pack({"kind": "ready"}))
    while len(prefix := requests.read(8)) == 8:
        (length,) = struct.unpack("<Q", prefix)
        request = requests.read(length)
        if len(request) < length:
            return
        frame = answer_unless_interrupted(state, read_header(request))
        write(answers, frame)


def write(answers: BinaryIO, frame: bytes) -> None:
    """Write a frame behind its length."""
    answers.write(struct.pack("<Q", len(frame)))
    answers.write(frame)
    answers.flush()


def main() -> None:
    """Run on standard input and output; output of libraries goes to standard error."""
    limit_resources(memory=int(sys.argv[1]), file_size=int(sys.argv[3]))
    signal.signal(signal.SIGINT, Interruption.handle)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, answers, WorkerState(pixels=int(sys.argv[2])))
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
