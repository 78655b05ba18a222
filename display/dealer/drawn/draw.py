"""A screen onto a pygame surface. What to show was decided in the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from display.dealer.changes import Picture
from display.dealer.drawn.canvas import Canvas, Element
from display.dealer.drawn.shapes import fitted, hatch, measure_bold, measure_plain
from display.dealer.fitting import fits, line_height
from display.dealer.geometry import Metrics, across, metrics
from display.dealer.screen import Button, Face, Label, Plate, Role, Screen
from display.dealer.theme import (
    FAINT_HATCH,
    FOUR_COLOURS,
    GROUND,
    HATCH,
    STYLES,
    SUIT_SIGNS,
    StyleName,
)
from display.drawing.boxes import box as panel_box
from display.drawing.colour import Colour
from display.drawing.rect import Rect

_PADDING = 6
_LEAST = 10  # size of a text that only repeats what is drawn beside it
_TURN = "▶"  # where there is no room for the word

Mark = tuple[str, StyleName, str]
"""What lies before a player: which it is, its style and its letters."""


def paint(
    surface: pygame.Surface,
    screen: Screen,
    regions: Mapping[str, Rect],
    pressed: str = "",
    *,
    density: float | None = None,
    suits: Mapping[str, Colour] = FOUR_COLOURS,
) -> tuple[Element, ...]:
    """Draw the whole screen and return its texts and touch targets as they were drawn.

    The button `pressed` is shown as tapped. A panel, face, plate or label without a region has
    no room on this size of screen. `density` is the one that the regions were arranged for,
    `suits` has a colour for each suit.
    """
    return _paint(surface, Picture(screen, regions, pressed), density, suits)


def repaint(
    surface: pygame.Surface,
    picture: Picture,
    rects: Sequence[Rect],
    *,
    density: float | None = None,
    suits: Mapping[str, Colour] = FOUR_COLOURS,
) -> None:
    """Draw what lies in each of these rectangles of a picture; the rest stays as it is."""
    for rect in rects:
        surface.set_clip(pygame.Rect(rect))
        _paint(surface, picture, density, suits, rect)
    surface.set_clip(None)


def _paint(
    surface: pygame.Surface,
    picture: Picture,
    density: float | None,
    suits: Mapping[str, Colour],
    within: Rect | None = None,
) -> tuple[Element, ...]:
    """Draws it all, or what touches the rectangle `within`."""
    screen, regions = picture.screen, picture.regions
    m = metrics(*surface.get_size(), density)

    def place(region: str) -> Rect | None:
        rect = regions.get(region)
        return rect if rect and (within is None or rect.overlaps(within)) else None

    canvas = Canvas(surface, suits)
    canvas.fill(GROUND)
    for panel in screen.panels:
        if rect := place(panel.region):
            style = STYLES[panel.style]
            is_oval = screen.frame.mode == "table" and m.is_roomy
            panel_box(
                surface, rect, style.fill, style.border, radius=rect.h // 2 if is_oval else 14
            )
    for face in screen.faces:
        if rect := place(face.region):
            _face(canvas, face.region, rect, face)
    for plate in screen.plates:
        if rect := place(plate.region):
            _plate(canvas, rect, plate, m)
    for label in screen.labels:
        if rect := place(label.region):
            _label(canvas, rect, label, m)
    for region in screen.hatched:
        if rect := place(region):
            hatch(surface, rect, HATCH)
    for mark in screen.badges:
        if rect := place(mark.region):
            fill, sign = _badge_colours(mark.priority)
            canvas.badge(mark.region, rect, mark.priority, fill, sign)
    alike = _alike(screen, regions, m)
    for button in screen.buttons:
        if rect := place(button.id):
            largest, floor = sizes(button.role, m)
            limits = (alike.get(button.id, largest), floor)
            _button(canvas, rect, button, limits, pressed=button.id == picture.pressed)
            if button.enabled:
                canvas.touch(button.id, rect)
    return canvas.elements


def sizes(role: Role, m: Metrics) -> tuple[int, int]:
    """Return the largest and the floor size of a text in this role."""
    table: dict[Role, tuple[int, int]] = {
        "prompt": m.prompt,
        "step": m.step,
        "title": m.title,
        "button": m.button,
        "strong": m.text,
        "text": m.text,
        "advice": m.advice,
        "detail": m.detail,
    }
    return table[role]


def _alike(screen: Screen, regions: Mapping[str, Rect], m: Metrics) -> dict[str, int]:
    """Return one size of text for the buttons at the lower edge: that of the longest."""
    words = {button.id: button.label for button in screen.buttons}
    names = [name for name in (*screen.frame.bar, "more") if name in words]
    inner = {name: regions[name].inset(_PADDING) for name in names}
    each = (
        fitted(words[name], (inner[name].w, inner[name].h), m.button, bold=True).size
        for name in names
    )
    return dict.fromkeys((*names, "call-floor"), min(each, default=m.button[0]))


def _badge_colours(priority: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    names: dict[int, StyleName] = {1: "priority-1", 2: "priority-2", 3: "priority-3"}
    style = STYLES[names[priority]]
    return style.text, style.fill


def _label(canvas: Canvas, rect: Rect, label: Label, m: Metrics) -> None:
    style = STYLES[label.style]
    bold = label.role not in ("text", "detail", "advice")
    if label.framed:
        canvas.box(label.region, rect, style.fill, style.border)
        rect = Rect(rect.x + 2 * m.gap, rect.y + 4, rect.w - 4 * m.gap, rect.h - 8)
    largest, floor = sizes(label.role, m)
    measure = measure_bold if bold else measure_plain
    words = label.text
    if label.other and not fits(words, (rect.w, rect.h), floor, measure):
        words = label.other
    one_line = label.role not in ("prompt", "step", "advice")
    canvas.write(
        label.region,
        rect,
        words,
        style.text,
        (largest, floor),
        bold=bold,
        centred=label.centred,
        one_line=one_line,
    )


def _button(
    canvas: Canvas,
    rect: Rect,
    button: Button,
    limits: tuple[int, int],
    *,
    pressed: bool,
) -> None:
    if not button.label:
        return
    name: StyleName = button.style if button.enabled else "button-off"
    style = STYLES["button-pressed" if pressed else name]
    canvas.box(button.id, rect, style.fill, style.border, radius=14)
    inner = rect.inset(_PADDING)
    if button.priority:
        side = min(inner.h, rect.w // 4)
        fill, sign = _badge_colours(button.priority)
        if pressed:
            fill, sign = style.text, style.fill
        place = Rect(inner.x, inner.y, side, inner.h)
        canvas.badge(f"{button.id}.badge", place, button.priority, fill, sign)
        inner = Rect(inner.x + side + _PADDING, inner.y, inner.w - side - _PADDING, inner.h)
    canvas.write(button.id, inner, button.label, style.text, limits)


def _face(canvas: Canvas, name: str, rect: Rect, face: Face) -> None:
    radius = max(4, rect.w // 11)
    style = STYLES["card" if face.rank else "back" if face.hidden else "place"]
    width = max(4, rect.w // 14) if face.odd else 1 if face.rank else 2
    border = STYLES["odd"].border if face.odd else style.border
    canvas.box(name, rect, style.fill, border, radius=radius, width=width)
    if face.hidden:
        hatch(canvas.surface, rect.inset(width + 2), style.text, every=max(8, rect.w // 6))
    if not face.rank:
        return
    colour = canvas.suits.get(face.suit, style.text)
    x, y, w, h = rect
    if not face.suit:
        canvas.write(name, rect.inset(4), face.rank, colour, (h // 4, 10))
        return
    rank = Rect(x + w * 6 // 100, y + h * 2 // 100, w * 62 // 100, h * 48 // 100)
    canvas.write(name, rank, face.rank, colour, (h * 46 // 100, 10))
    letter = Rect(x + w * 68 // 100, y + h * 6 // 100, w * 28 // 100, max(15, h * 24 // 100))
    sign = Rect(x, y + h * 44 // 100, w, h * 54 // 100)
    beside = Rect(x + w // 2, sign.y, w - w // 2 - 1, sign.h)
    for place in (letter, beside):
        if fits(face.letter, (place.w, place.h), _LEAST, measure_bold):
            limits = (max(12, h * 20 // 100), _LEAST)
            canvas.write(f"{name}.letter", place, face.letter, colour, limits)
            if place is beside:
                sign = Rect(x + 1, sign.y, w - place.w - 2, sign.h)
            break
    canvas.write(name, sign, SUIT_SIGNS[face.suit], colour, (h * 52 // 100, 10))


def _plate(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    style = STYLES[plate.style]
    canvas.box(plate.region, rect, style.fill, style.border, width=5 if plate.turn else 2)
    if plate.style == "plate-absent":
        hatch(canvas.surface, rect.inset(4), FAINT_HATCH, every=14)
    if rect.w > 3 * rect.h // 2:
        _wide(canvas, rect.inset(8), plate, m)
    else:
        _narrow(canvas, rect.inset(5), plate, m)


def _wide(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    colour = STYLES[plate.style].text
    half = rect.h // 2
    marks = _marks(plate)
    left = Rect(rect.x, rect.y, rect.w * 20 // 100, rect.h)
    share = rect.h // (1 + len(marks))
    for place, mark in enumerate(marks, start=1):
        _lay(canvas, Rect(left.x, left.y + place * share, left.w, share), plate, mark)
    number = Rect(left.x, left.y, left.w, share)
    canvas.write(
        f"{plate.region}.number", number, str(plate.number), colour, (m.title[0], m.detail[1])
    )
    right = Rect(left.right + 4, rect.y, rect.right - left.right - 4, rect.h)
    high = max(rect.h * 30 // 100, line_height(m.detail[1])) if plate.time and plate.bet else half
    upper = Rect(right.x, right.y, right.w, high)
    lower = Rect(right.x, upper.bottom, right.w, rect.bottom - upper.bottom)
    if plate.faces:
        _tabled(canvas, Rect(right.x, right.y, right.w, rect.h), plate)
        return
    if plate.name or plate.stack:
        name = Rect(upper.x, upper.y, upper.w * 50 // 100, upper.h)
        stack = Rect(name.right + 4, upper.y, upper.right - name.right - 4, upper.h)
        canvas.write(
            f"{plate.region}.name",
            name,
            plate.name,
            colour,
            m.detail,
            bold=False,
            centred=False,
            one_line=True,
        )
        canvas.write(
            f"{plate.region}.stack", stack, plate.stack, colour, m.detail, bold=False, one_line=True
        )
    words = f"{plate.word} {plate.time or plate.bet}".strip()
    if plate.time and plate.bet:
        words = f"{words}\n{plate.before} {plate.bet}"
    canvas.write(
        f"{plate.region}.word",
        lower,
        words,
        _tint(plate),
        (m.text[0], m.detail[1]),
        centred=False,
        one_line=True,
    )


def _narrow(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    colour = STYLES[plate.style].text
    third = rect.h * 40 // 100
    number = Rect(rect.x, rect.y, rect.w, third)
    marks = _marks(plate)
    if marks:
        first = rect.w * (50 if len(marks) < 2 else 28) // 100
        names = [mark for mark, _, _ in marks]
        row = Rect(rect.x + first, rect.y, rect.w - first, third)
        places = across(row, names, [1] * len(names), 2)
        for mark in marks:
            _lay(canvas, places[mark[0]], plate, mark)
        number = Rect(rect.x, rect.y, first, third)
    canvas.write(
        f"{plate.region}.number", number, str(plate.number), colour, (m.title[0], m.detail[1])
    )
    below = Rect(rect.x, number.bottom, rect.w, rect.h - third)
    if plate.faces:
        _tabled(canvas, below, plate)
        return
    lines = (plate.word, plate.bet)
    if plate.time:
        lines = (f"{_TURN} {plate.time}", plate.bet) if plate.bet else (plate.word, plate.time)
    word = Rect(below.x, below.y, below.w, below.h // 2 if lines[1] else below.h)
    tint = _tint(plate)
    canvas.write(f"{plate.region}.word", word, lines[0], tint, (m.text[0], m.detail[1]))
    if lines[1]:
        bet = Rect(below.x, word.bottom, below.w, below.bottom - word.bottom)
        canvas.write(f"{plate.region}.bet", bet, lines[1], colour, (m.text[0], m.detail[1]))


def _tint(plate: Plate) -> Colour:
    return STYLES["plate-quiet" if plate.quiet else plate.style].text


def _marks(plate: Plate) -> list[Mark]:
    """Return what lies before a player."""
    marks: list[Mark] = [
        ("puck", "puck", plate.puck),
        ("coming", "puck-coming", plate.coming),
        ("blind", "blind", plate.blind),
    ]
    return [mark for mark in marks if mark[2]]


def _lay(canvas: Canvas, rect: Rect, plate: Plate, mark: Mark) -> None:
    """Draw what lies before a player: pucks are round, blinds are not."""
    kind, style_name, letters = mark
    style, name = STYLES[style_name], f"{plate.region}.{kind}"
    side = min(rect.w, rect.h)
    w, h = (rect.w, min(rect.h - 2, rect.w * 3 // 4)) if kind == "blind" else (side, side)
    place = Rect(rect.x + (rect.w - w) // 2, rect.y + (rect.h - h) // 2, w, h)
    if kind == "blind":
        if not fits(letters, place.inset(3)[2:], _LEAST, measure_bold):
            return  # heads-up the button says it
        canvas.box(name, place, style.fill, style.border, radius=6)
        inner = place.inset(3)
    else:
        canvas.disc(name, place, style.fill, style.border)
        inner = place.inset(side // 6)
    canvas.write(name, inner, letters, style.text, (h * 3 // 4, _LEAST), one_line=True)


def _tabled(canvas: Canvas, rect: Rect, plate: Plate) -> None:
    h = min(rect.h, (rect.w - 4) // 2 * 7 // 5)
    w = h * 5 // 7
    x = rect.x + (rect.w - 2 * w - 4) // 2
    for number, face in enumerate(plate.faces):
        place = Rect(x + number * (w + 4), rect.y + (rect.h - h) // 2, w, h)
        _face(canvas, f"{plate.region}.card:{number + 1}", place, face)
