"""A result as a few lines of HTML, for notebooks."""

from __future__ import annotations

from html import escape

from crevasse.pictures import canvas
from crevasse.pictures.drawable import Cropped, DrawableResult
from crevasse.pictures.maps import jumps
from crevasse.pictures.relief import preview

SIZE = 320


def card(drawable: DrawableResult, facts: dict[str, str], warnings: tuple[str, ...] = ()) -> str:
    """Preview, jumps and numbers side by side, as HTML that needs nothing else.

    Parameters
    ----------
    facts : titles and values beside the pictures
    warnings : sentences that the reader should see
    """
    near = Cropped(drawable)
    images = "".join(
        f'<img alt="{title}" src="{canvas.to_data_address(canvas.fit(picture, SIZE))}">'
        for title, picture in (
            ("shaded relief", preview(near, 2 * SIZE)),
            ("jumps", jumps(near, bar=False, limit=2 * SIZE)),
        )
    )
    rows = "".join(f"<tr><th>{escape(title)}</th><td>{escape(value)}</td></tr>" for title, value in facts.items())
    notes = "".join(f"<p>{escape(warning)}</p>" for warning in warnings)
    style = "display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start"
    return f'<div style="{style}">{images}<div><table>{rows}</table>{notes}</div></div>'
