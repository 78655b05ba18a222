"""Where everything is on the dealer's screen: rectangles by name, in pixels. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from display.dealer.geometry import Metrics, across, metrics
from display.drawing.rect import Rect

Mode = Literal["table", "finding", "dialog"]
Beside = Literal["", "note", "aside", "open", "not-so", "retry"]

MOST_ACTIONS = 2
SHARES = (22, 22, 12, 20)
"""Of the lower edge: for the one or two things that the moment allows, *More* and *Call floor*."""


class Frame(Struct, frozen=True):
    """What there is to arrange: seats at the table, places on the board, what is asked.

    `bar` are the actions at the lower edge, `beside` is what stands beside the banner, `asks` the
    answers there while a seat is asked for, `rows` those of a dialog. The card of a finding has a
    `third` line above its step; the first of its actions is the largest where it `proposes` that.
    """

    mode: Mode = "table"
    seats: int = 9
    places: int = 5
    beside: Beside = ""
    bar: tuple[str, ...] = ()
    advisory: bool = False
    several: bool = False
    third: bool = False
    languages: bool = False
    capture: bool = False
    actions: tuple[str, ...] = ()
    proposes: bool = False
    asks: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def arrange(width: int, height: int, frame: Frame, density: float | None = None) -> dict[str, Rect]:
    """Return the rectangles of all regions of `frame` on a screen of so many pixels, and per
    millimetre (None: guessed)."""
    m = metrics(width, height, density)
    top = Rect(m.gap, m.gap // 2, width - 2 * m.gap, m.least)
    bar = Rect(m.gap, height - m.gap - m.main, width - 2 * m.gap, m.main)
    body = Rect(m.gap, top.bottom + m.gap, top.w, bar.y - top.bottom - 2 * m.gap)
    places = {**_top(top, m, frame), **_bar(bar, m, frame)}
    if frame.mode == "table":
        places |= _banner(body, m, frame)
        below = body.y + m.banner + m.gap
        table = Rect(body.x, below, body.w, body.bottom - below)
        places |= _oval(table, m, frame) if m.is_roomy else _row(table, m, frame)
        places |= {f"pick-{name}": places[name] for name in tuple(places) if "seat:" in name}
    elif frame.mode == "finding" and m.is_roomy:
        side = Rect(body.x, body.y, m.side, body.h)
        places |= _side(side, m, frame)
        card = Rect(side.right + m.gap, body.y, body.right - side.right - m.gap, body.h)
        places |= _card(card, m, frame, beside=False)
    elif frame.mode == "finding":
        places |= _card(body, m, frame, beside=True)
    else:
        places |= _dialog(body, m, frame)
    return places


def _top(top: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    names = ["hand", "phase", "blinds", "undo", "language", "links"]
    shares = {"hand": 21, "phase": 22, "blinds": 22, "undo": 17, "language": 18, "links": 25}
    if frame.capture:
        names.insert(3, "capture")
        shares |= {"capture": 17, "phase": 18}
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
    slots = [f"bar-{n + 1}" for n in range(MOST_ACTIONS)]
    places = across(bar, (*slots, "more", "call-floor"), SHARES, m.gap)
    return {**places, **{name: places[slots[n]] for n, name in enumerate(frame.bar)}}


def _banner(body: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    banner = Rect(body.x, body.y, body.w, m.banner)
    if frame.asks:
        widths = [m.main * 20 // 10] * len(frame.asks)
        left = body.w - sum(widths) - m.gap * len(widths)
        return across(banner, ("banner", *frame.asks), (left, *widths), m.gap)
    if not frame.beside:
        return {"banner": banner}
    places = across(banner, ("banner", frame.beside), (72, 28), m.gap)
    if frame.beside == "aside":
        aside = places["aside"].inset(m.gap // 2)
        head = aside.h * 36 // 100
        places["aside-head"] = Rect(aside.x, aside.y, aside.w, head)
        places["aside-main"] = Rect(aside.x, aside.y + head, aside.w, aside.h - head)
    return places


def _oval(area: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    """Seats clockwise around the dealer, who sits at the lower edge."""
    at_side = 2 if frame.seats >= 9 else 1
    at_top = frame.seats - 2 - 2 * at_side
    w, h = m.plate[0], min(m.plate[1], (area.h - 3 * m.gap) // 4)
    inner = Rect(area.x + w + m.gap, area.y, area.w - 2 * (w + m.gap), area.h)
    left: list[Rect] = []
    right: list[Rect] = []
    for number in range(at_side):
        step = (area.h - at_side * h) // (at_side + 1)
        y = area.bottom - (number + 1) * (h + step)
        left.append(Rect(area.x, y, w, h))
        right.insert(0, Rect(area.right - w, y, w, h))
    spare = (inner.w - at_top * w) // (at_top + 1)
    above = [Rect(inner.x + spare + number * (w + spare), area.y, w, h) for number in range(at_top)]
    low_left = Rect(inner.x, area.bottom - h, w, h)
    low_right = Rect(inner.right - w, area.bottom - h, w, h)
    around = [low_left, *left, *above, *right, low_right]
    places = {f"seat:{number}": rect for number, rect in enumerate(around, start=1)}
    middle = Rect(inner.x, area.y + h + m.gap, inner.w, area.h - 2 * (h + m.gap))
    places |= _board(middle, m, frame, centred=True)
    places["felt"], places["table"] = area.inset(h // 3), area
    between = low_right.x - low_left.right - 2 * m.gap
    places |= _pot(Rect(low_left.right + m.gap, area.bottom - h, between, h - h // 3 - m.gap), m)
    return places


def _row(area: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    inner = area.inset(m.gap)
    seats_h = inner.h * 52 // 100
    board = Rect(inner.x, inner.y, inner.w * 62 // 100, inner.h - seats_h - m.gap)
    places = _board(board, m, frame, centred=False)
    last = places[f"board:{frame.places}"]
    x = last.right + 2 * m.gap
    places |= _pot(Rect(x, inner.y, inner.right - x - m.gap, board.h), m)
    row = Rect(inner.x, inner.bottom - seats_h, inner.w, seats_h)
    places |= _seats_across(row, range(1, frame.seats + 1), m)
    places["felt"] = places["table"] = area
    return places


def _side(area: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    inner = area.inset(m.gap)
    board = Rect(inner.x, inner.y, inner.w, m.side_board)
    places = _board(board, m, frame, centred=False)
    y = board.bottom + m.gap
    half = (frame.seats + 1) // 2
    seat_h = m.side_seat
    first, second = range(1, half + 1), range(half + 1, frame.seats + 1)
    places |= _seats_across(Rect(inner.x, y, inner.w, seat_h), first, m)
    y += seat_h + m.gap
    places |= _seats_across(Rect(inner.x, y, inner.w, seat_h), second, m, of=half)
    y += seat_h + m.gap
    places |= _pot(Rect(inner.x, y, inner.w, m.side_pot), m)
    y += m.side_pot + m.gap
    places["banner-side"] = Rect(inner.x, y, inner.w, inner.bottom - y)
    places["felt"] = places["table"] = area
    return places


def _card(area: Rect, m: Metrics, frame: Frame, *, beside: bool) -> dict[str, Rect]:
    """Arrange the card of a finding; its actions stand beside the step, or below it."""
    places = {"card": area}
    head_h = m.least + (m.gap if not beside else 0)
    head = Rect(area.x, area.y, area.w, head_h)
    small = m.least * 2
    x = head.right
    for name in ("to-table", *(("next-finding",) if frame.several else ())):
        x -= small + m.gap // 2
        places[name] = Rect(x, head.y + (head_h - m.least) // 2, small, m.least)
    places["card-head"] = Rect(head.x, head.y, head.w, head_h)
    places["badge"] = Rect(head.x + m.gap, head.y + m.gap // 2, head_h - m.gap, head_h - m.gap)
    badge = places["badge"]
    places["title"] = Rect(badge.right + m.gap, head.y + 2, x - badge.right - 2 * m.gap, head_h - 4)
    inner = Rect(area.x + m.gap, head.bottom, area.w - 2 * m.gap, area.bottom - head.bottom - m.gap)
    if beside:
        side_w = 2 * m.main + m.gap
        actions = Rect(inner.right - side_w, inner.y + m.gap, side_w, inner.h - m.gap)
        rows = _in_rows(frame)
        row_h = (actions.h - m.gap * (len(rows) - 1)) // len(rows)
        for number, names in enumerate(rows):
            y = actions.y + number * (row_h + m.gap)
            row, of = Rect(actions.x, y, actions.w, row_h), None if frame.proposes else len(rows[0])
            places |= across(row, names, [1] * len(names), m.gap, of=of)
        inner = Rect(inner.x, inner.y, inner.w - side_w - m.gap, inner.h)
    else:
        actions = Rect(inner.x, inner.bottom - m.main, inner.w, m.main)
        shares = [2 if frame.proposes else 1] + [1] * (len(frame.actions) - 1)
        places |= across(actions, frame.actions, shares, m.gap)
        inner = Rect(inner.x, inner.y, inner.w, inner.h - m.main - m.gap)
    left_w = inner.w * 38 // 100
    right_x, right_w = inner.x + left_w + m.gap, inner.w - left_w - m.gap
    y = inner.y
    third = [("seen", "until", "until-only", m.text[0])] if frame.third else []
    for left, right, whole, size in (
        ("where", "decides", "decides-only", m.text[0]),
        ("count", "rules", "rules-only", m.title[0]),
        *third,
    ):
        line = size * (24 if not beside else 17 if frame.third else 21) // 20
        places[left] = Rect(inner.x, y, left_w, line)
        places[right] = Rect(right_x, y, right_w, line)
        places[whole] = Rect(inner.x, y, inner.w, line)
        y += line
    rest = inner.bottom - y
    hint = 0
    if frame.advisory:
        hint = max(m.least, rest * (37 if beside else 46) // 100)
        places["advisory"] = Rect(inner.x, inner.bottom - hint, inner.w, hint)
        hint += m.gap
    places["step"] = Rect(inner.x, y, inner.w, rest - hint)
    return places


def _in_rows(frame: Frame) -> list[tuple[str, ...]]:
    """Return the actions two by two; one that is proposed has a row of its own if that leaves
    none over, and answers are all of one size."""
    actions = frame.actions
    if frame.proposes or len(actions) <= 2:
        half = len(actions) // 2
        return [actions[:half], actions[half:]]
    return [actions[:2], actions[2:]]


def _dialog(area: Rect, m: Metrics, frame: Frame) -> dict[str, Rect]:
    places = {"dialog": area}
    inner = area.inset(m.gap)
    cancel_w = m.main * 16 // 10
    places["cancel"] = Rect(inner.right - cancel_w, inner.y, cancel_w, m.least)
    places["dialog-title"] = Rect(inner.x, inner.y, inner.w - cancel_w - m.gap, m.least)
    below = Rect(inner.x, inner.y + m.least + m.gap, inner.w, inner.h - m.least - m.gap)
    if not frame.rows:
        places["dialog-text"] = below
        return places
    row_h = (below.h - (len(frame.rows) - 1) * m.gap) // len(frame.rows)
    columns = max(map(len, frame.rows))
    for number, names in enumerate(frame.rows):
        line = Rect(below.x, below.y + number * (row_h + m.gap), below.w, row_h)
        places |= across(line, names, [1] * len(names), m.gap, of=columns)
        last = places[names[-1]]
        places[names[-1]] = Rect(last.x, last.y, line.right - last.x, last.h)  # fills its row
    return places


def _board(area: Rect, m: Metrics, frame: Frame, *, centred: bool) -> dict[str, Rect]:
    count, gap = frame.places, m.gap
    h = min(area.h, ((area.w - (count - 1) * gap) // count) * 7 // 5)
    w = h * 5 // 7
    x = area.x + (area.w - count * w - (count - 1) * gap) // 2 if centred else area.x
    y = area.y + (area.h - h) // 2
    return {f"board:{n + 1}": Rect(x + n * (w + gap), y, w, h) for n in range(count)}


def _pot(area: Rect, m: Metrics) -> dict[str, Rect]:
    """Where the pot and what is burned stand, alone or both."""
    both = across(area, ("burns", "pot"), (45, 55), m.gap)
    return {**both, "burns-only": area, "pot-only": area}


def _seats_across(row: Rect, seats: range, m: Metrics, of: int | None = None) -> dict[str, Rect]:
    names = [f"seat:{seat}" for seat in seats]
    return across(row, names, [1] * len(names), m.gap // 2, of=of)
