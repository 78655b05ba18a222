"""Plots as SVG: pure functions from values to markup, in the page's own font and colours.

Every value stands beside its bar or point in digits, and what is None is not drawn: its words
stand there. A plot is made for a width in CSS pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, log10

from msgspec import Struct

NARROW = 520
"""Below this names stand over their bars, not beside them."""
_ROW, _BAR = 30, 18
_STACKED_ROW = 50
_CHAR = 7.6
"""About the width of a character of the page's font at 17 px."""
_AXIS = 58
_LINE_HIGH = 260


class Bar(Struct, frozen=True):
    """A bar with its name; `text` is the value as it is read, or why there is none. `upper` is
    marked further out, by a line."""

    name: str
    value: float | None
    text: str
    upper: float | None = None


class Point(Struct, frozen=True):
    """A point over its place on the time axis."""

    name: str
    value: float | None
    text: str


def bars(title: str, axis: str, rows: Sequence[Bar], width: int) -> str:
    """Lying bars below one another, from nought; `axis` says what is measured, with its unit."""
    stacked = width < NARROW
    names = 0.0 if stacked else min(width * 0.36, 16 + _CHAR * max(len(r.name) for r in rows))
    texts = 16 + _CHAR * max(len(row.text) for row in rows if row.value is not None or not stacked)
    room = max(60.0, width - names - texts)
    ticks = scale(max((_far(row) for row in rows), default=0.0), 3 if stacked else 5)
    per = room / ticks[-1]
    high = _STACKED_ROW if stacked else _ROW
    bottom = len(rows) * high + 8
    parts = [_open(title, width, bottom + _AXIS, "bars")]
    for tick in ticks:
        x = names + tick * per
        parts.append(_rule(x, 0, x, bottom, "grid"))
        parts.append(_text(x, bottom + 20, number(tick), "tick", _anchor(tick, ticks)))
    parts.append(_text(names, bottom + 46, axis, "axis"))
    for n, row in enumerate(rows):
        parts.append(_row(row, n * high, names, per, stacked=stacked))
    parts.append(_rule(names, 0, names, bottom, "base"))
    parts.append("</svg>")
    return "".join(parts)


def line(title: str, across: str, up: str, points: Sequence[Point], width: int) -> str:
    """A line over time, broken where a point has no value; `across` and `up` name the axes."""
    left, top, bottom = 46.0, 40.0, _LINE_HIGH - _AXIS
    ticks = scale(max((point.value or 0.0 for point in points), default=0.0), 4)
    step = (width - left - 24) / max(1, len(points) - 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * value / ticks[-1]

    parts = [_open(title, width, _LINE_HIGH, "line"), _text(0, 16, up, "axis")]
    for tick in ticks:
        parts.append(_rule(left, y(tick), width - 12, y(tick), "base" if tick == 0 else "grid"))
        parts.append(_text(left - 8, y(tick) + 6, number(tick), "tick", "end"))
    every = max(1, ceil(len(points) * 74 / (width - left)))
    for n in range(0, len(points), every):
        x = left + n * step
        parts.append(_text(x, bottom + 22, points[n].name, "tick", "middle" if n else "start"))
    parts.append(_text(left, bottom + 48, across, "axis"))
    for run in _runs(points):
        path = " ".join(f"{left + n * step:.1f},{y(value):.1f}" for n, value in run)
        parts.append(f'<polyline class="run" points="{path}"/>')
    said = set(_said(points, max(2, int((width - left) / 60))))
    for n, point in enumerate(points):
        if point.value is None:
            continue
        x, high = left + n * step, y(point.value)
        label = _text(x, high - 10, point.text, "value", "middle") if n in said else ""
        parts.append(
            f'<g class="point" data-name="{escape(point.name)}" data-value="{point.value:.6g}">'
            f"<title>{escape(point.name)}: {escape(point.text)}</title>"
            f'<circle cx="{x:.1f}" cy="{high:.1f}" r="4"/>{label}</g>'
        )
    parts.append("</svg>")
    return "".join(parts)


def scale(most: float, steps: int) -> tuple[float, ...]:
    """Round numbers from 0 to `most` or just above, about so many steps apart."""
    if most <= 0:
        return (0.0, 1.0)
    rough = most / steps
    power = 10.0 ** floor(log10(rough))
    step = next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= rough * 0.999)
    return tuple(round(n * step, 9) for n in range(ceil(most / step - 1e-9) + 1))


def number(value: float) -> str:
    """A tick of a scale, no longer than it must be."""
    return f"{value:g}" if value < 100_000 else f"{value:.0f}"


def _row(row: Bar, top: float, names: float, per: float, *, stacked: bool) -> str:
    middle = top + (34 if stacked else _ROW / 2)
    name = (
        _text(0, top + 18, row.name, "name")
        if stacked
        else _text(names - 8, middle + 6, row.name, "name", "end")
    )
    if row.value is None:
        where = names + 8
        drawn = _text(where, middle + 6, row.text, "few")
        value = ""
    else:
        value = f' data-value="{row.value:.6g}"'
        long = row.value * per
        drawn = (
            f'<rect class="bar" x="{names:.1f}" y="{middle - _BAR / 2:.1f}"'
            f' width="{long:.1f}" height="{_BAR}"/>'
        )
        far = _far(row) * per
        if row.upper is not None:
            drawn += _rule(names + long, middle, names + far, middle, "reach")
            drawn += _rule(names + far, middle - 7, names + far, middle + 7, "reach")
        drawn += _text(names + far + 8, middle + 6, row.text, "value")
    return f'<g class="row" data-name="{escape(row.name)}"{value}>{name}{drawn}</g>'


def _far(row: Bar) -> float:
    return max(row.value or 0.0, row.upper or 0.0)


def _runs(points: Sequence[Point]) -> Iterator[list[tuple[int, float]]]:
    """Points that follow one another."""
    run: list[tuple[int, float]] = []
    for n, point in enumerate(points):
        if point.value is not None:
            run.append((n, point.value))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _said(points: Sequence[Point], most: int) -> Sequence[int]:
    """The points whose values are written: all where there is room, else the highest, the lowest
    and the last."""
    known = [(point.value, n) for n, point in enumerate(points) if point.value is not None]
    if len(points) <= most or not known:
        return [n for _, n in known]
    return [max(known)[1], min(known)[1], known[-1][1]]


def _anchor(tick: float, ticks: Sequence[float]) -> str:
    return "start" if tick == ticks[0] else "middle"


def _open(title: str, width: int, height: float, kind: str) -> str:
    return (
        f'<svg class="plot {kind}" role="img" aria-label="{escape(title)}" width="{width}"'
        f' height="{height:.0f}" viewBox="0 0 {width} {height:.0f}">'
    )


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{where}>{escape(words)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
