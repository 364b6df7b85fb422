"""The worker process: answers one session's requests, one after another, until its input ends."""

from __future__ import annotations

import os
import struct
import sys
import traceback
from typing import BinaryIO

from crevasse.web.desk import Desk
from crevasse.web.frames import Header, pack, read_header


def limit_memory(size: int) -> None:
    """Refuse this process more than `size` bytes of address space, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(desk: Desk, request: Header) -> bytes:
    """The frame that answers a request; what goes wrong is answered too."""
    try:
        return desk.answer(request)
    except (ValueError, OSError, ImportError, KeyError) as error:
        return pack({"kind": "refused", "message": str(error)})
    except MemoryError:
        return pack({"kind": "refused", "message": "This needs more memory than a worker is allowed."})
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return pack({"kind": "refused", "message": f"{type(error).__name__}: {error}"})


def serve(requests: BinaryIO, answers: BinaryIO, desk: Desk) -> None:
    """Answer until the requests end."""
    while len(prefix := requests.read(8)) == 8:
        (length,) = struct.unpack("<Q", prefix)
        request = requests.read(length)
        if len(request) < length:
            return
        frame = answer(desk, read_header(request))
        answers.write(struct.pack("<Q", len(frame)))
        answers.write(frame)
        answers.flush()


def main() -> None:
    """Run on standard input and output; whatever libraries print goes to standard error."""
    limit_memory(int(sys.argv[1]))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, answers, Desk(pixels=int(sys.argv[2])))
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)


if __name__ == "__main__":
    main()
