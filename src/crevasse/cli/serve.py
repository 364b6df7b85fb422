"""crevasse serve: the page in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import click

from crevasse.cli.console import say
from crevasse.cli.main import NO_RESULT, Failure
from crevasse.cli.parameters import Size


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65535), default=8642, show_default=True, help="0: any free port.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0: all.")
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="A further name by which browsers reach this server."
)
@click.option("--max-memory", type=Size(), help="Memory limit per page, for instance 4G.")
@click.option("--max-pixels", type=click.IntRange(1), help="Pixels of the largest map to open.")
@click.option("--max-runs", type=click.IntRange(1), help="Runs at a time; others queue.")
def command(
    port: int,
    no_browser: bool,
    host: str,
    allow_host: tuple[str, ...],
    max_memory: int | None,
    max_pixels: int | None,
    max_runs: int | None,
) -> None:
    """Start the interactive page: drop a normal map into the browser and watch the solver.

    \b
    Example:
      crevasse serve
    """
    from crevasse.web.limits import Limits
    from crevasse.web.serving import Place

    given = {"memory_bytes": max_memory, "pixels": max_pixels, "runs": max_runs}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})
    run_page(Place(host, port, allow_host), limits, None, no_browser)


def run_page(place: Any, limits: Any, preloaded: Path | None, no_browser: bool) -> None:
    """Serve until interrupted, with a browser on the page if it may be opened."""
    from crevasse.web.serving import serve

    def ready(address: str) -> None:
        say(f"The page is at {address} (Ctrl-C stops it)")
        if not place.loopback:
            say(f"Listening on {place.host}: anyone who has the token in this address can use the page.")
        if not no_browser:
            webbrowser.open(address)

    try:
        serve(place, limits, preloaded, ready)
    except ModuleNotFoundError as error:
        raise click.UsageError(f"the page needs {error.name}; install it with: pip install 'crevasse[web]'") from None
    except KeyboardInterrupt:
        pass
    except OSError as error:
        raise Failure(str(error), NO_RESULT) from None
    # The server may end by itself before the signal is raised again: exit in the same way in both cases.
    say("Stopped.")
