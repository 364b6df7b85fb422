"""crevasse view: a result in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from crevasse.cli.options import FILE
from crevasse.cli.serve import run_page


@click.command("view")
@click.argument("result", type=FILE)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Default: any free port.")
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def command(result: Path, port: int, no_browser: bool) -> None:
    """Show a result in the browser: a folder written by `crevasse integrate`, or a depth file.

    \b
    Example:
      crevasse integrate map.png -o map
      crevasse view map
    """
    from crevasse.files.read_result import read_result
    from crevasse.web.limits import Limits
    from crevasse.web.serving import Place

    read_result(result)
    run_page(Place(port=port), Limits(), result.resolve(), no_browser)
