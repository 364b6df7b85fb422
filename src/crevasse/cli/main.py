"""The command `crevasse`: its subcommands, and the translation of errors to messages and exit codes."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
from typing import Any

import click

BAD_INPUT, NO_RESULT, SOME_FAILED, INTERRUPTED, UNHEARD = 3, 4, 5, 130, 141

COMMANDS = {
    "demo": "Integrate a built-in scene and compare it with the truth.",
    "integrate": "Turn a normal map into depth and a mesh.",
    "info": "Show how a file would be read: encoding, frame and camera.",
    "batch": "Integrate many maps.",
    "compare": "Compare methods: a table and a sheet of pictures.",
    "evaluate": "Measure errors of methods where the true depth is known.",
    "view": "Show a result in the browser.",
    "serve": "Start the interactive page in the browser.",
}


class Failure(click.ClickException):
    """An error with its exit code."""

    def __init__(self, message: str, code: int) -> None:
        from crevasse.files.names import plain_text

        super().__init__(plain_text(message))
        self.code = code

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        return self.code


class Commands(click.Group):
    """Commands imported on first use, so that help appears at once."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        try:
            command: click.Command = importlib.import_module(f"crevasse.cli.{name}").command
        except ModuleNotFoundError as error:
            raise click.UsageError(
                f"{name} needs {error.name}; install it with: pip install 'crevasse[web]'"
            ) from None
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except KeyboardInterrupt:
            raise Failure("interrupted", INTERRUPTED) from None
        except BrokenPipeError:
            _abandon_output()
            raise click.exceptions.Exit(UNHEARD) from None
        except Exception as error:
            raise _failure(error) from error


def _abandon_output() -> None:
    """Discard pending output when its reader has closed the pipe, as `head` does."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


def _failure(error: Exception) -> click.ClickException:
    """The message and exit code of an error."""
    from crevasse.cli.wording import command_text
    from crevasse.files.errors import AlreadyThere, BadInput, BadOutput

    if isinstance(error, AlreadyThere):
        return click.UsageError(command_text(error))
    if isinstance(error, BadOutput):
        return Failure(command_text(error), NO_RESULT)
    if isinstance(error, BadInput):
        return Failure(command_text(error), BAD_INPUT)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return Failure("the output could not be written: the disk is full", NO_RESULT)
    if isinstance(error, MemoryError):
        return Failure("not enough memory; use a smaller map, or --max-memory to be refused earlier", NO_RESULT)
    if isinstance(error, ImportError):
        return Failure(str(error), NO_RESULT)
    if os.environ.get("CREVASSE_TRACEBACK"):
        raise error
    return Failure(
        f"{type(error).__name__}: {error} (this should not happen; set CREVASSE_TRACEBACK=1 to see where)", NO_RESULT
    )


def sentence_of(error: Exception) -> str:
    """The message of an error."""
    return error.format_message() if isinstance(error, click.ClickException) else _failure(error).format_message()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with `crevasse demo`, then `crevasse info MAP` and `crevasse integrate MAP`. Completion in "
    'bash: eval "$(_CREVASSE_COMPLETE=bash_source crevasse)" (also zsh_source, fish_source).',
)
@click.version_option(package_name="crevasse", message="%(version)s")
def cli() -> None:
    """Turn a surface normal map into depth and a mesh, and keep the depth discontinuities."""


def _terminated(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """The entry point of the command."""
    if hasattr(signal, "SIGTERM"):
        signal.signal(signal.SIGTERM, _terminated)
    sys.exit(cli.main(prog_name="crevasse", standalone_mode=True))
