"""Plots as SVG: pure functions from values to markup, in the page's own font and colours.

Every value stands beside its bar or point in digits, and what is None is not drawn: its words
stand there. A plot is made for a width in CSS pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

from msgspec import Struct

NARROW = 520
"""Below this names stand over their bars, not beside them."""
_ROW, _BAR = 30, 18
_STACKED_ROW = 50
_CHAR = 7.2
"""About the width of a character of the page's font at 17 px."""
_AXIS = 58
_LINE_HIGH = 260
_NAME_WIDE, _VALUE_WIDE = 74.0, 46.0


class Bar(Struct, frozen=True):
    """A bar with its name; `text` is the value as it is read, or why there is none, and `of` what
    it is out of. `upper` is marked further out, by a line."""

    name: str
    value: float | None
    text: str
    upper: float | None = None
    of: str = ""


class Point(Struct, frozen=True):
    """A point over its place on the time axis."""

    name: str
    value: float | None
    text: str


def bars(title: str, axis: str, rows: Sequence[Bar], width: int, *, mark: str = ".") -> str:
    """Lying bars below one another, from nought; `axis` says what is measured, with its
    unit. `mark` is what stands before decimals."""
    stacked = width < NARROW
    names = 1.0 if stacked else min(width * 0.36, 16 + _CHAR * max(len(r.name) for r in rows))
    texts = 16 + max((_CHAR * _long(row) for row in rows if row.value is not None), default=0.0)
    room = max(60.0, width - names - texts)
    ticks = scale(max((_far(row) for row in rows), default=0.0), 3 if stacked else 5)
    per = room / ticks[-1]
    high = _STACKED_ROW if stacked else _ROW
    bottom = len(rows) * high + 8
    parts = [_open(title, width, bottom + _AXIS, "bars")]
    for tick in ticks:
        x = names + tick * per
        parts.append(_rule(x, 0, x, bottom, "grid"))
        parts.append(_text(x, bottom + 20, number(tick, mark), "tick", _anchor(tick, ticks)))
    parts.append(_text(names, bottom + 46, axis, "axis"))
    for n, row in enumerate(rows):
        parts.append(_row(row, n * high, names, per, stacked=stacked))
    parts.append(_rule(names, 0, names, bottom, "base"))
    parts.append("</svg>")
    return "".join(parts)


def line(
    title: str, across: str, up: str, points: Sequence[Point], width: int, *, mark: str = "."
) -> str:
    """A line over time, thin past points that have no value; `across` and `up` name the axes."""
    left, top, bottom = 46.0, 40.0, _LINE_HIGH - _AXIS
    ticks = scale(max((point.value or 0.0 for point in points), default=0.0), 4)
    step = (width - left - 24) / max(1, len(points) - 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * value / ticks[-1]

    parts = [_open(title, width, _LINE_HIGH, "line"), _text(0, 16, up, "axis")]
    for tick in ticks:
        parts.append(_rule(left, y(tick), width - 12, y(tick), "base" if tick == 0 else "grid"))
        parts.append(_text(left - 8, y(tick) + 6, number(tick, mark), "tick", "end"))
    for n in _marked(points, step):
        x = left + n * step
        parts.append(_text(x, bottom + 22, points[n].name, "tick", "middle" if n else "start"))
    parts.append(_text(left, bottom + 48, across, "axis"))
    known = [(n, point.value) for n, point in enumerate(points) if point.value is not None]
    for (n, one), (m, other) in pairwise(known):
        kind = "run" if m == n + 1 else "gap"
        parts.append(_rule(left + n * step, y(one), left + m * step, y(other), kind))
    said, lows = _said(known, step), _lows(known)
    for n, point in enumerate(points):
        if point.value is None:
            continue
        x, high = left + n * step, y(point.value)
        under = 20 if n in lows and high < bottom - 24 else -10
        label = _text(x, high + under, point.text, "value", "middle") if n in said else ""
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


def number(value: float, mark: str) -> str:
    """A tick of a scale, no longer than it must be."""
    return f"{value:g}".replace(".", mark) if value < 100_000 else f"{value:.0f}"


def _row(row: Bar, top: float, names: float, per: float, *, stacked: bool) -> str:
    middle = top + (34 if stacked else _ROW / 2)
    name = (
        _text(6, top + 18, row.name, "name")
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
        drawn += _value(names + far + 8, middle + 6, row)
    return f'<g class="row" data-name="{escape(row.name)}"{value}>{name}{drawn}</g>'


def _far(row: Bar) -> float:
    return max(row.value or 0.0, row.upper or 0.0)


def _marked(points: Sequence[Point], step: float) -> Iterator[int]:
    """The points whose names stand on the axis: where a new one begins, if there is room."""
    last = -_NAME_WIDE
    for n, point in enumerate(points):
        if (n == 0 or point.name != points[n - 1].name) and n * step - last >= _NAME_WIDE:
            last = n * step
            yield n


def _said(known: Sequence[tuple[int, float]], step: float) -> set[int]:
    """The points whose values are written: the highest, the last, the lowest, and others where
    there is room."""
    if not known:
        return set()
    by_value = sorted(known, key=lambda each: each[1])
    said: set[int] = set()
    for n, _ in (by_value[-1], known[-1], by_value[0], *known):
        if all(abs(n - other) * step >= _VALUE_WIDE for other in said):
            said.add(n)
    return said


def _lows(known: Sequence[tuple[int, float]]) -> set[int]:
    """The points below their neighbours: the line does not pass under them."""
    return {
        n
        for at, (n, value) in enumerate(known)
        if len(known) > 1 and all(value <= other for _, other in _around(known, at))
    }


def _around(known: Sequence[tuple[int, float]], at: int) -> Sequence[tuple[int, float]]:
    return [known[n] for n in (at - 1, at + 1) if 0 <= n < len(known)]


def _long(row: Bar) -> float:
    return len(row.text) + (len(row.of) + 2 if row.of else 0)


def _value(x: float, y: float, row: Bar) -> str:
    of = f'<tspan class="of" dx="8">{escape(row.of)}</tspan>' if row.of else ""
    return f'<text class="value" x="{x:.1f}" y="{y:.1f}">{escape(row.text)}{of}</text>'


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
