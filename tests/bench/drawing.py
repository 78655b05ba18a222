"""The curves of `./run bench truth` as an SVG: a panel for each slip, a line for each measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from msgspec import Struct

from tests.bench.truth import Curve, Point

WIDTH, HEIGHT = 960, 725
PLOT_WIDTH, PLOT_HEIGHT = 370, 215
LEFTS, TOPS = (74, 554), (130, 448)
TICKS = 6


class Measure(Struct, frozen=True):
    """One line of every panel: what it says, its colour, the size of its dots, its dashes, and its
    value at a point."""

    words: str
    colour: str
    size: float
    dashes: str
    of: Callable[[Point], float]


MEASURES = (
    Measure("errors missed, %", "#5b5b5b", 6, "6 4", lambda point: point.missed),
    Measure("hands asked about, %", "#1f5fa8", 4.5, "", lambda point: point.asked),
    Measure("false claims, per 100 hands", "#b3261e", 3, "", lambda point: point.claims),
)
"""The last is drawn on top: smaller dots, so that those below are seen where they are the same."""


def svg(curves: Sequence[Curve]) -> str:
    """The whole picture; all panels have one scale, so that they can be compared."""
    highest = max(measure.of(p) for curve in curves for p in curve.points for measure in MEASURES)
    step = _step(highest)
    top = step * max(1, -int(-highest // step))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}" role="img" aria-labelledby="title desc" font-family="sans-serif"'
        ' font-size="14" fill="#222">',
        '<title id="title">What is claimed, asked and missed the worse the slips are</title>',
        '<desc id="desc">Four panels, one for each kind of slip. Across: how often it happens. Up:'
        " false claims, hands asked about, errors missed. docs/doubt.md has the numbers.</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFTS[0], 34, "What is claimed, asked and missed", 'font-size="20"'),
        *_legend(),
    ]
    for at, curve in enumerate(curves):
        parts += _panel(curve, LEFTS[at % 2], TOPS[at // 2], top, step)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend() -> list[str]:
    parts = []
    for at, measure in enumerate(MEASURES):
        x = LEFTS[0] + 260 * at
        parts.append(_line([(x, 61), (x + 36, 61)], measure))
        parts.append(_dot(x + 18, 61, measure))
        parts.append(_text(x + 44, 66, measure.words))
    return parts


def _panel(curve: Curve, left: int, top: int, highest: float, step: float) -> list[str]:
    right, bottom = left + PLOT_WIDTH, top + PLOT_HEIGHT
    furthest = max(point.rate for point in curve.points) or 1.0

    def place(point: Point, value: float) -> tuple[float, float]:
        x = left + PLOT_WIDTH * point.rate / furthest
        return x, bottom - PLOT_HEIGHT * value / highest

    parts = ['<g class="panel">', _text(left, top - 14, curve.title, 'font-weight="bold"')]
    for tick in range(round(highest / step) + 1):
        y = bottom - PLOT_HEIGHT * tick * step / highest
        parts.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#ddd"/>')
        parts.append(_text(left - 8, y + 5, f"{tick * step:g}", 'text-anchor="end"'))
    for point in curve.points:
        x, _ = place(point, 0)
        parts.append(f'<path d="M{x:.1f} {bottom}v5" stroke="#222"/>')
        parts.append(_text(x, bottom + 21, f"{point.rate:.0%}", 'text-anchor="middle"'))
    parts.append(f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#222"/>')
    middle = f"translate({left - 44} {(top + bottom) / 2}) rotate(-90)"
    parts.append(_text(0, 0, "per 100", f'text-anchor="middle" transform="{middle}"'))
    parts.append(
        _text((left + right) / 2, bottom + 42, f"share {curve.of}", 'text-anchor="middle"')
    )
    for measure in MEASURES:
        places = [place(point, measure.of(point)) for point in curve.points]
        parts.append(_line(places, measure))
        parts += [_dot(x, y, measure) for x, y in places]
    return [*parts, "</g>"]


def _step(highest: float) -> float:
    """From one line of the grid to the next: a round number."""
    steps = (0.5, 1, 2, 5, 10, 20)
    return next((step for step in steps if highest <= step * TICKS), steps[-1])


def _line(places: Sequence[tuple[float, float]], measure: Measure) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dashes = f' stroke-dasharray="{measure.dashes}"' if measure.dashes else ""
    stroke = f'fill="none" stroke="{measure.colour}" stroke-width="2"{dashes}'
    return f'<polyline points="{points}" {stroke}/>'


def _dot(x: float, y: float, measure: Measure) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{measure.size:g}" fill="{measure.colour}"/>'


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'
