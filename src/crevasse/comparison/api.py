"""Compare methods from Python: maps of any kind in, a table out."""

from __future__ import annotations

from typing import Any

from crevasse.comparison.chosen import ALL, Methods, choose_methods
from crevasse.comparison.comparing import Comparing
from crevasse.comparison.maps import titled_maps
from crevasse.comparison.table import Comparison


def compare(
    maps: Any,
    methods: Methods = ALL,
    *,
    reference: str | None = None,
    views: int = 1,
    sheets: bool = True,
    threads: int | None = None,
    max_memory: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Run several methods on one or several maps.

    A method that cannot take a map (a Fourier method, where there is a mask) becomes a row that says why.

    Parameters
    ----------
    maps : a path (a map, a folder with one, or a folder of such folders), a `NormalMap`, a scene of
        `crevasse.scenes`, an (H, W, 3) array of normals; or several of these as a sequence or a mapping from names
    methods : "all", names separated by commas, a sequence of names and objects, or a mapping from titles
    reference : title of the method that differences are taken from; None is the default method, or the first
    views : 2 to 4 integrate mirror images too (left to right, upside down, both); scores are means over them
    sheets : whether to draw a sheet of pictures for each map
    threads, max_memory : as in `crevasse.integrate`
    progress : whether to show a bar, on a terminal or in a notebook

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import crevasse
    >>> table = crevasse.compare(crevasse.scenes.stairs(48), ["poisson", crevasse.Graduated()])
    >>> [row["method"] for row in table.rows]
    ['poisson', 'graduated']
    >>> table.rows[1]["made"] < table.rows[0]["made"]
    True
    """
    comparing = Comparing(choose_methods(methods), reference, views, sheets, threads, max_memory, quiet=not progress)
    for title, found in titled_maps(maps):
        comparing.add(found, title)
    if not comparing.rows:
        raise ValueError("maps is empty; give at least one map")
    return comparing.table()
