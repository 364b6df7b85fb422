"""Shards of a batch: parts of its maps that processes or machines divide among themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from crevasse.cli.parameter_type import ParameterType
from crevasse.files.locks import locked


class Shard(NamedTuple):
    """A shard of a batch: number `number` of `parts`."""

    number: int
    parts: int


class ShardName(ParameterType):
    """A part of a batch, such as 2/8."""

    name = "I/N"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        first, _, second = str(value).partition("/")
        if not (first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
            self.fail(f"{value!r} is not a part such as 2/8, the second of eight", parameter, context)
        return Shard(int(first), int(second))


@contextmanager
def writing(output: Path, shard: Shard | None) -> Iterator[None]:
    """Lock an output folder, exclusively or for one shard."""
    with ExitStack() as stack:
        refusal = (
            f"another batch is writing into {output}; wait for it, choose another -o, or divide the work by --shard"
        )
        stack.enter_context(locked(output / ".batch.lock", refusal, shared=shard is not None))
        if shard is not None:
            part = f"{shard.number}-of-{shard.parts}"
            refusal = f"another process is working on part {shard.number} of {shard.parts} in {output}"
            stack.enter_context(locked(output / f".shard-{part}.lock", refusal))
        yield
