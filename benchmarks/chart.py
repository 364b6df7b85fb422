"""Line charts as SVG, logarithmic on both axes."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 70, 190, 30, 50
COLOURS = ("#3b6fb6", "#c2573a", "#4a9a6a", "#8a5aa8", "#b08a2e", "#5b6770")

Line = list[tuple[float, float]]


def draw(path: Path, lines: dict[str, Line], across: str, up: str, levels: dict[str, float] | None = None) -> None:
    """Write a chart of named lines, with named horizontal levels dashed."""
    levels = levels or {}
    points = [point for line in lines.values() for point in line if min(point) > 0]
    low_x, high_x = _span([x for x, _ in points])
    low_y, high_y = _span([y for _, y in points] + list(levels.values()))

    def place(x: float, y: float) -> tuple[float, float]:
        share_x = math.log(x / low_x) / math.log(high_x / low_x)
        share_y = math.log(y / low_y) / math.log(high_y / low_y)
        return LEFT + share_x * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - share_y * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">']
    parts.append(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>')
    for x in _ticks(low_x, high_x):
        at, bottom = place(x, low_y)
        parts.append(f'<path d="M{at:.1f} {TOP}V{bottom:.1f}" stroke="#e4e7ea"/>')
        parts.append(_text(at, bottom + 18, f"{x:g}", "middle"))
    for y in _ticks(low_y, high_y):
        left, at = place(low_x, y)
        parts.append(f'<path d="M{left:.1f} {at:.1f}H{WIDTH - RIGHT}" stroke="#e4e7ea"/>')
        parts.append(_text(left - 6, at + 4, f"{y:g}", "end"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across, "middle"))
    parts.append(_text(LEFT, TOP - 12, up, "start"))
    names = [*lines, *levels]
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        if name in lines:
            route = " L".join("{:.1f} {:.1f}".format(*place(x, y)) for x, y in lines[name] if min(x, y) > 0)
            parts.append(f'<path d="M{route}" fill="none" stroke="{colour}" stroke-width="2"/>')
        else:
            at = place(low_x, levels[name])[1]
            style = f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="6 4"'
            parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" {style}/>')
        row = TOP + 16 + 20 * number
        parts.append(f'<path d="M{WIDTH - RIGHT + 12} {row - 4}h18" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(WIDTH - RIGHT + 36, row, name, "start"))
    parts.append("</svg>")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts) + "\n", "utf-8")


def _span(values: list[float]) -> tuple[float, float]:
    return min(values) * 0.9, max(values) * 1.1


def _ticks(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7)):
        ticks = [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]
        if len(ticks) > 2:
            break
    return ticks


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" fill="#30363c" text-anchor="{anchor}">{escape(text)}</text>'
