"""Where everything is on the dealer's screen: rectangles by name, in pixels. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from display.dealer.fitting import line_height
from display.dealer.geometry import OUTLINE, Metrics, across, metrics
from display.drawing.rect import Rect

Mode = Literal["table", "finding", "dialog"]
Above = Literal["", "text", "answer"]
Beside = Literal["", "note", "aside", "open", "not-so", "retry"]

MOST_ACTIONS = 2
TIGHT = 60
"""A card less wide than that has its rank over all of its width."""
MAIN_SHARE = 20
"""From such a share of the lower edge on, a button is one of the few large ones."""
_ACTION, _MORE, _FLOOR = 22, 14, 22
"""The shares of the lower edge in play."""


class Column(Struct, frozen=True):
    """Of the lower edge: its share of the width, and the buttons in it, one above the other."""

    share: int
    names: tuple[str, ...] = ()


def lower_edge(actions: Sequence[str]) -> tuple[Column, ...]:
    """Return the lower edge in play: a place for each of the most actions that there may be, *More*
    and *Call floor*."""
    each = [Column(_ACTION, (name,)) for name in actions]
    empty = [Column(_ACTION)] * (MOST_ACTIONS - len(actions))
    return (*each, *empty, Column(_MORE, ("more",)), Column(_FLOOR, ("call-floor",)))


class Frame(Struct, frozen=True):
    """What there is to arrange: seats at the table, places on the board, what is asked.

    `bar` is the lower edge, `beside` is what stands beside the banner, `asks` the answers there
    while a seat is asked for, `rows` those of a dialog, the last `keys` of them no higher than need
    be; above them there may be text, and above that an answer.
    """

    mode: Mode = "table"
    seats: int = 9
    places: int = 5
    beside: Beside = ""
    bar: tuple[Column, ...] = ()
    languages: bool = False
    capture: bool = False
    asks: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    above: Above = ""
    keys: int = 0

    @property
    def large(self) -> tuple[str, ...]:
        """The large buttons at the lower edge, but for the floor's: their words are of one size."""
        wide = (one.names for one in self.bar if one.share >= MAIN_SHARE)
        return tuple(names[0] for names in wide if len(names) == 1 and names[0] != "call-floor")


def arrange(width: int, height: int, frame: Frame, density: float | None = None) -> dict[str, Rect]:
    """Return the rectangles of all regions of `frame` on a screen of so many pixels, and per
    millimetre (None: guessed)."""
    m = metrics(width, height, density)
    top = Rect(m.gap, m.gap // 2, width - 2 * m.gap, m.least)
    bar = Rect(m.gap, height - m.gap - m.bar, width - 2 * m.gap, m.bar)
    body = Rect(m.gap, top.bottom + m.gap, top.w, bar.y - top.bottom - 2 * m.gap)
    places = {**_top(top, m, frame), **_bar(bar, m, frame)}
    if frame.mode == "table":
        places |= _banner(body, m, frame)
        below = body.y + m.banner + m.gap
        places |= _table(Rect(body.x, below, body.w, body.bottom - below), m, frame)
        places |= {f"pick-{name}": places[name] for name in tuple(places) if "seat:" in name}
    elif frame.mode == "finding":
        side = Rect(body.x, body.y, body.w * m.side // 100, body.h)
        places |= _table(side, m, frame)
        card = Rect(side.right + m.gap, body.y, body.right - side.right - m.gap, body.h)
        places |= _card(card, m)
    else:
        places |= _dialog(body, m, frame)
    return places


def _top(top: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    names = ["hand", "phase", "blinds", "undo", "language", "links"]
    shares = {"hand": 15, "phase": 32, "blinds": 20, "undo": 20, "language": 9, "links": 22}
    if frame.capture:
        names.insert(3, "capture")
        shares |= {"capture": 17, "phase": 22}
    if not frame.languages:
        names.remove("language")
    places = across(top, names, [shares[name] for name in names], m.gap)
    first, last = places["hand"], places["blinds"]
    for whole, upper, lower in (
        ("hand", "hand-upper", "dealer"),
        ("blinds", "blinds-upper", "level"),
    ):
        x, y, w, h = places[whole]
        places[upper], places[lower] = Rect(x, y, w, h // 2), Rect(x, y + h // 2, w, h - h // 2)
    return {**places, "alarm": Rect(first.x, top.y, last.right - first.x, top.h)}


def _bar(bar: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    """Each in its place, whatever stands beside it."""
    slots = [str(number) for number in range(len(frame.bar))]
    columns = across(bar, slots, [column.share for column in frame.bar], m.gap)
    places: dict[str, Rect] = {}
    for slot, column in zip(slots, frame.bar, strict=True):
        x, y, w, h = columns[slot]
        count, gap = max(1, len(column.names)), m.gap // 2
        each = (h - (count - 1) * gap) // count
        for number, name in enumerate(column.names):
            places[name] = Rect(x, y + number * (each + gap), w, each)
    return places


def _banner(body: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    banner = Rect(body.x, body.y, body.w, m.banner)
    if frame.asks:
        widths = [m.main * 20 // 10] * len(frame.asks)
        left = body.w - sum(widths) - m.gap * len(widths)
        return across(banner, ("banner", *frame.asks), (left, *widths), m.gap)
    if not frame.beside:
        return {"banner": banner}
    shares = (66, 34)
    if not m.is_roomy:
        shares = (62, 38) if frame.beside == "aside" else (70, 30)
    places = across(banner, ("banner", frame.beside), shares, m.gap)
    if frame.beside == "aside":
        aside = places["aside"].inset(m.gap // 2)
        head = aside.h * 48 // 100
        places["aside-head"] = Rect(aside.x, aside.y, aside.w, head)
        places["aside-main"] = Rect(aside.x, aside.y + head, aside.w, aside.h - head)
    return places


def _table(area: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    """Seats clockwise around the board, from the left of the dealer, who sits at the lower edge."""
    is_wide = 2 * area.w >= 3 * area.h
    below = 2 if is_wide and frame.seats > 8 else 1
    beside = 2 if not is_wide and frame.seats > 8 else 1
    above = frame.seats - 2 * (below + beside)
    gap = m.gap
    h = (area.h - (beside + 1) * gap) // (beside + 2)
    most = area.w // 5 if is_wide else area.w * 21 // 100
    w = min(m.plate, most - gap if is_wide else most)
    w_top = min(m.plate, (area.w - (above - 1) * gap) // above)
    spare = (area.w - above * w_top) // (above + 1)
    last, y = area.bottom - h, [area.y + n * (h + gap) for n in range(beside + 1)]
    xs = [area.x + spare + n * (w_top + spare) for n in range(above)]
    outer_left = [area.x + n * (w + gap) for n in range(below)]
    outer_right = [area.right - w - n * (w + gap) for n in range(below)]
    around = [
        *(Rect(x, last, w, h) for x in reversed(outer_left)),
        *(Rect(area.x, at, w, h) for at in reversed(y[1:])),
        *(Rect(x, area.y, w_top, h) for x in xs),
        *(Rect(area.right - w, at, w, h) for at in y[1:]),
        *(Rect(x, last, w, h) for x in outer_right),
    ]
    places = {f"seat:{number}": rect for number, rect in enumerate(around, start=1)}
    middle_h = beside * h + (beside - 1) * gap
    middle = Rect(area.x + w + gap, y[1], area.w - 2 * (w + gap), middle_h)
    outside = gap // 2 - 1
    places["board"] = middle.inset(-outside)
    places |= _board(middle if is_wide else middle.inset(OUTLINE - outside), m, frame.places)
    between = below * (w + gap)
    places["pot"] = Rect(area.x + between, last, area.w - 2 * between, h)
    places["felt"] = Rect(area.x + w // 2, area.y + h // 2, area.w - w, area.h - h // 2 - gap)
    places["table"] = area
    return places


def _board(area: Rect, m: Metrics, count: int) -> dict[str, Rect]:
    """The cards in one line, or in two where they are a good deal larger so."""
    gap = m.gap // 2

    def sizes(lines: int) -> tuple[int, int]:
        columns = -(-count // lines)
        w = (area.w - (columns - 1) * gap) // columns
        tallest = w * 8 // 5 if w < TIGHT else w * 7 // 5
        return w, min((area.h - (lines - 1) * gap) // lines, tallest)

    lines = 2 if sizes(2)[1] * 4 > sizes(1)[1] * 5 else 1
    most, h = sizes(lines)
    is_flat = h < 2 * line_height(m.strong[1])
    w = min(most, h * 5 // 4 if is_flat or most < TIGHT else h * 5 // 7)
    columns = -(-count // lines)
    y = area.y + (area.h - lines * h - (lines - 1) * gap) // 2
    places = {}
    for number in range(count):
        line, column = divmod(number, columns)
        there = min(columns, count - line * columns)
        x = area.x + (area.w - there * w - (there - 1) * gap) // 2
        places[f"board:{number + 1}"] = Rect(x + column * (w + gap), y + line * (h + gap), w, h)
    return places


def _card(area: Rect, m: Metrics) -> dict[str, Rect]:
    """The card of a finding: what it is, who decides, how far, and one step."""
    head = Rect(area.x, area.y, area.w, m.head)
    side = min(m.least, m.head)
    badge = Rect(head.x + m.gap, head.y + (head.h - side) // 2, side, side)
    places = {"card": area, "card-head": head, "badge": badge.inset(m.gap // 2)}
    x = badge.right + m.gap
    places["title"] = Rect(x, head.y, head.right - x - m.gap, head.h)
    inner = Rect(area.x + m.gap, head.bottom, area.w - 2 * m.gap, area.bottom - head.bottom)
    line = line_height(m.strong[1]) + 4
    count_w = line * 10 // 3
    decides = Rect(inner.x, inner.y + m.gap // 2, inner.w - count_w - m.gap, line)
    places["decides"] = decides
    places["count"] = Rect(decides.right + m.gap, decides.y, count_w, line)
    places["decides-only"] = Rect(inner.x, decides.y, inner.w, line)
    places["progress"] = Rect(inner.x, decides.bottom, inner.w, m.progress)
    y = places["progress"].bottom + m.gap // 2
    places["step"] = Rect(inner.x, y, inner.w, area.bottom - m.gap // 2 - y)
    return places


def _dialog(area: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    places = {"dialog": area}
    inner = area.inset(m.gap)
    cancel_w = 2 * m.main
    places["cancel"] = Rect(inner.right - cancel_w, inner.y, cancel_w, m.least)
    places["dialog-title"] = Rect(inner.x, inner.y, inner.w - cancel_w - m.gap, m.least)
    below = Rect(inner.x, inner.y + m.least + m.gap, inner.w, inner.h - m.least - m.gap)
    if not frame.rows:
        places["dialog-text"] = below
        return places
    if frame.above:
        y, row = below.y, m.main if m.is_roomy and frame.above == "answer" else m.least
        if frame.above == "answer":
            places["dialog-main"] = Rect(below.x, y, below.w, 2 * line_height(m.step[1]))
            y = places["dialog-main"].bottom + m.gap
        under = below.bottom - row
        places["dialog-text"] = Rect(below.x, y, below.w, under - m.gap - y)
        below = Rect(below.x, under, below.w, row)
    columns, y = max(map(len, frame.rows)), below.y
    for names, row_h in zip(frame.rows, _row_heights(below.h, m, frame), strict=True):
        line = Rect(below.x, y, below.w, row_h)
        y = line.bottom + m.gap
        of = columns if 2 * len(names) > columns else None
        places |= across(line, names, [1] * len(names), m.gap, of=of)
        last = places[names[-1]]
        places[names[-1]] = Rect(last.x, last.y, line.right - last.x, last.h)  # fills its row
    return places


def _row_heights(height: int, m: Metrics, frame: Frame) -> tuple[int, ...]:
    """Those of a dialog's rows: all alike, but keys are no higher than need be."""
    count = len(frame.rows)
    others = count - frame.keys
    each = (height - (count - 1) * m.gap) // count
    if not frame.keys or not others:
        return (each,) * count
    key = min(each, m.least)
    left = height - (count - 1) * m.gap - frame.keys * key
    return (*[left // others] * others, *[key] * frame.keys)
