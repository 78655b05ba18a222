"""A screen onto a pygame surface. What to show was decided in the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame
from msgspec.structs import replace

from display.dealer.changes import Picture
from display.dealer.drawn.canvas import Canvas, Element
from display.dealer.drawn.shapes import fitted, hatch, measure_bold, measure_plain, outline
from display.dealer.fitting import Measure, Parts, fits, line_height
from display.dealer.geometry import Metrics, across, metrics
from display.dealer.layout import TIGHT
from display.dealer.screen import Button, Face, Label, Plate, Progress, Role, Screen
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
            radius = rect.h // 3 if panel.region == "felt" else 14
            panel_box(surface, rect, style.fill, style.border, radius=radius)
    for face in screen.faces:
        if rect := place(face.region):
            _face(canvas, face.region, rect, face)
    for plate in screen.plates:
        if rect := place(plate.region):
            _plate(canvas, rect, plate, m)
    for label in screen.labels:
        if rect := place(label.region):
            _label(canvas, rect, label, m)
    for region in screen.outlined:
        if rect := place(region):
            outline(surface, rect, STYLES["odd"].border)
    for region in screen.hatched:
        if rect := place(region):
            hatch(surface, rect, HATCH)
    for mark in screen.badges:
        if rect := place(mark.region):
            fill, sign = _badge_colours(mark.priority)
            canvas.badge(mark.region, rect, mark.priority, fill, sign)
    if screen.progress is not None and (rect := place(screen.progress.region)):
        _progress(canvas, rect, screen.progress)
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
        "strong": m.strong,
        "entry": m.entry,
        "text": m.text,
        "detail": m.detail,
    }
    return table[role]


def _alike(screen: Screen, regions: Mapping[str, Rect], m: Metrics) -> dict[str, int]:
    """Return one size of text for the buttons at the lower edge, and one for the answers to a
    question: that of the longest."""
    large = [button for button in screen.buttons if button.id in screen.frame.large]
    answers = [button for button in screen.buttons if button.style == "answer"]
    size = _of_the_longest(large, regions, m)
    alike = dict.fromkeys((*screen.frame.large, "call-floor"), size)
    return alike | dict.fromkeys(
        (button.id for button in answers), _of_the_longest(answers, regions, m)
    )


def _of_the_longest(buttons: Sequence[Button], regions: Mapping[str, Rect], m: Metrics) -> int:
    """Return the size at which each of them can be written."""
    sizes_of = [
        fitted(
            button.label, regions[button.id].inset(_PADDING)[2:], sizes(button.role, m), bold=True
        )
        for button in buttons
    ]
    return min((one.size for one in sizes_of), default=m.button[0])


def _progress(canvas: Canvas, rect: Rect, progress: Progress) -> None:
    """A thin bar with a part for each step: done ones are ticked."""
    names = [f"{progress.region}:{number + 1}" for number in range(progress.total)]
    parts = across(rect, names, [1] * len(names), 4)
    for number, name in enumerate(names):
        style = STYLES["step-done" if number < progress.done else "step-due"]
        if number == progress.done:
            style = STYLES["step-now"]
        part = parts[name]
        canvas.box(name, part, style.fill, style.border, radius=4)
        if number < progress.done:
            canvas.write(name, part, "✓", style.text, (rect.h * 9 // 10, _LEAST))


def _badge_colours(priority: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    names: dict[int, StyleName] = {1: "priority-1", 2: "priority-2", 3: "priority-3"}
    style = STYLES[names[priority]]
    return style.text, style.fill


def _label(canvas: Canvas, rect: Rect, label: Label, m: Metrics) -> None:
    style = STYLES[label.style]
    bold = label.role not in ("text", "detail")
    if label.framed:
        canvas.box(label.region, rect, style.fill, style.border)
        rect = Rect(rect.x + 2 * m.gap, rect.y + 4, rect.w - 4 * m.gap, rect.h - 8)
    largest, floor = sizes(label.role, m)
    measure = measure_bold if bold else measure_plain
    words = _first_that_fits((label.text, *label.others), rect, floor, measure)
    one_line = not label.flows and label.role not in ("prompt", "step")
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


def _first_that_fits(texts: Sequence[str | Parts], rect: Rect, floor: int, measure: Measure) -> str:
    """Return the first that can be set at the floor, or the last."""
    room = (rect.w, rect.h)
    shown = Parts(("",), 0)
    for each in texts:
        if not each:
            continue
        shown = Parts((each,), 0) if isinstance(each, str) else each
        if all(fits(words, room, floor, measure) for words in shown.texts):
            break
    return shown.texts[shown.now]


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
    if not button.centred:
        inner = Rect(inner.x + _PADDING, inner.y, inner.w - 2 * _PADDING, inner.h)
    words = _first_that_fits((button.label, *button.others), inner, limits[1], measure_bold)
    canvas.write(button.id, inner, words, style.text, limits, centred=button.centred)


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
    if w > h * 9 // 10:
        _flat_face(canvas, name, rect, face, colour)
        return
    if w < TIGHT:
        _tight_face(canvas, name, rect, face, colour)
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


def _tight_face(canvas: Canvas, name: str, rect: Rect, face: Face, colour: Colour) -> None:
    """The rank over the whole width, suit and letter below it."""
    x, y, w, h = rect
    rank = Rect(x, y, w, h * 60 // 100)
    below = Rect(x, rank.bottom, w // 2, h - rank.h - 1)
    letter = Rect(below.right, below.y, w - below.w - 2, below.h)
    canvas.write(name, rank, face.rank, colour, (h * 52 // 100, 10), one_line=True)
    _letter(canvas, name, letter, face, colour)
    canvas.write(name, below, SUIT_SIGNS[face.suit], colour, (below.h, 10))


def _letter(canvas: Canvas, name: str, rect: Rect, face: Face, colour: Colour) -> None:
    if fits(face.letter, (rect.w, rect.h), _LEAST, measure_bold):
        sizes = (max(_LEAST, rect.h * 8 // 10), _LEAST)
        canvas.write(f"{name}.letter", rect, face.letter, colour, sizes)


def _flat_face(canvas: Canvas, name: str, rect: Rect, face: Face, colour: Colour) -> None:
    """Rank and suit side by side, where a card has more width than height."""
    x, y, w, h = rect.inset(2)
    rank = Rect(x, y, w * 60 // 100, h)
    canvas.write(name, rank, face.rank, colour, (h * 9 // 10, 10), one_line=True)
    sign = Rect(rank.right, y, w - rank.w, h * 62 // 100)
    letter = Rect(rank.right, sign.bottom, sign.w, h - sign.h)
    _letter(canvas, name, letter, face, colour)
    canvas.write(name, sign, SUIT_SIGNS[face.suit], colour, (h * 60 // 100, 10))


def _plate(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    style = STYLES[plate.style]
    border = STYLES["odd"].border if plate.marked else style.border
    width = 6 if plate.marked else 5 if plate.turn else 2
    canvas.box(plate.region, rect, style.fill, border, width=width)
    if plate.style == "plate-absent":
        hatch(canvas.surface, rect.inset(6), FAINT_HATCH, every=14)
    line = line_height(m.strong[1])
    inner = rect.inset(m.gap // 2 + 1)
    if inner.w < 3 * line:
        _narrow(canvas, inner, plate, m)
    elif inner.h < 2 * line:
        _flat(canvas, inner, plate, m)
    else:
        _wide(canvas, inner, plate, m)


def _wide(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    """Number, what lies before the player and the bet or the time; below it the word and the name,
    or cards."""
    line = line_height(m.strong[1])
    rest = _head(canvas, Rect(rect.x, rect.y, rect.w, line), plate, m)
    below = Rect(rect.x, rect.y + line, rect.w, rect.h - line)
    _say(canvas, plate, rest, m, part="bet", words=plate.time or plate.bet)
    if plate.faces:
        _tabled(canvas, below, plate)
        return
    has_room = rect.w >= 4 * line and (plate.name or plate.stack)
    smallest, largest = line_height(m.detail[1]), line_height(m.detail[0])
    lower = max(smallest, min(largest, below.h - line)) if has_room else 0
    upper = Rect(below.x, below.y, below.w, below.h - lower)
    said = f"{_TURN} {plate.bet}" if plate.time and plate.bet else plate.word
    _say(canvas, plate, upper, m, words=said)
    if not said and plate.backs:
        _backs(canvas, upper, plate)
    if not has_room:
        return
    name_w = below.w * 60 // 100
    for part, words, place in (
        ("name", plate.name, Rect(below.x, upper.bottom, name_w, lower)),
        ("stack", plate.stack, Rect(below.x + name_w, upper.bottom, below.w - name_w, lower)),
    ):
        colour = STYLES[plate.style].text
        name = f"{plate.region}.{part}"
        canvas.write(name, place, words, colour, m.detail, bold=False, one_line=True)


def _narrow(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    """Number and what lies before the player; below it cards, a bet or a word that has room."""
    line = line_height(m.strong[1])
    head = _number(canvas, Rect(rect.x, rect.y, rect.w, line), plate, m)
    below = Rect(rect.x, rect.y + line, rect.w, rect.h - line)
    if _has_room(head, plate, m):
        _line_up(canvas, head, plate, m)
    else:
        side = min(below.h, below.w * 2 // 5)
        marks = _lay_all(canvas, below, replace(plate, blind=""), side)
        below = Rect(marks, below.y, rect.right - marks, below.h)
    if plate.faces:
        _tabled(canvas, below, plate)
        return
    if plate.short and (plate.vital or not plate.backs):
        _say(canvas, plate, below, m, words=_seat_words((plate.word, plate.short), below, m))
        return
    said = plate.bet or ("" if plate.backs else plate.word)
    room = below.h - line if plate.backs and below.h > line * 3 // 2 else below.h
    if fits(said, (below.w, room), m.strong[1], measure_bold) and (room >= line):
        place = Rect(below.x, below.bottom - line, below.w, line)
        _say(canvas, plate, place, m, words=said)
        below = Rect(below.x, below.y, below.w, below.h - line if said else below.h)
    if plate.backs:
        _backs(canvas, below, plate)


def _flat(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> None:
    """All in one line; a blind is only named where nothing else is said."""
    said = plate.bet or plate.time or plate.word
    rest = _head(canvas, rect, replace(plate, blind="") if said or plate.faces else plate, m)
    rest = Rect(rest.x, rest.y, rest.w - m.gap // 2, rest.h)
    if plate.faces:
        _tabled(canvas, rest, plate)
        return
    if plate.short and plate.bet:
        said = _seat_words((f"{plate.short} {plate.bet}", plate.short), rest, m)
    elif plate.turn:
        said = _seat_words((f"{_TURN} {said}", said), rest, m)
    elif said == plate.word:
        said = _seat_words((plate.word, plate.short), rest, m)
    _say(canvas, plate, rest, m, words=said)
    if not said and plate.backs:
        _backs(canvas, rest, plate)


def _head(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> Rect:
    """Draw the number and what lies before the player, where there is room for it; return what is
    left of the line."""
    left = _number(canvas, rect, plate, m)
    if not _has_room(left, plate, m):
        return Rect(rect.right, rect.y, 0, rect.h)
    return _line_up(canvas, left, plate, m)


def _number(canvas: Canvas, rect: Rect, plate: Plate, m: Metrics) -> Rect:
    """Draw the seat's number; return what is left of the line."""
    size = m.strong[1]
    w = measure_bold("0" * len(str(plate.number)), size) + 2 * _PADDING
    number = Rect(rect.x, rect.y, min(w, rect.w), rect.h)
    colour = STYLES[plate.style].text
    canvas.write(f"{plate.region}.number", number, str(plate.number), colour, (size, size))
    return Rect(number.right, rect.y, rect.right - number.right, rect.h)


def _has_room(line: Rect, plate: Plate, m: Metrics) -> bool:
    """Tell whether all that lies before the player can be drawn in a line."""
    return line.w >= len(_marks(plate)) * m.strong[1] * 2 // 3


def _line_up(canvas: Canvas, line: Rect, plate: Plate, m: Metrics) -> Rect:
    """Draw what lies before the player in a line; return what is left of it."""
    is_tight = plate.faces or (plate.word and not m.is_roomy)
    most = m.strong[1] * 6 // 10 if is_tight else m.strong[1]
    side = min(most, line.w // max(1, len(_marks(plate))) - 4)
    x = _lay_all(canvas, line, plate, side)
    return Rect(x, line.y, line.right - x, line.h)


def _lay_all(canvas: Canvas, rect: Rect, plate: Plate, side: int) -> int:
    """Draw all that lies before a player in squares of `side`; return where that ends."""
    x = rect.x
    for mark in _marks(plate) if side >= _LEAST else ():
        _lay(canvas, Rect(x + 2, rect.y + (rect.h - side) // 2, side, side), plate, mark)
        x += side + 4
    return x


def _say(
    canvas: Canvas, plate: Plate, rect: Rect, m: Metrics, *, words: str, part: str = "word"
) -> None:
    """Write a part of a plate in words that are read in play."""
    name = f"{plate.region}.{part}"
    canvas.write(name, rect, words, _tint(plate), (m.strong[1], m.detail[1]), one_line=True)


def _seat_words(texts: Sequence[str], room: Rect, m: Metrics) -> str:
    """Return the first that can be read from the chair, or the last."""
    return _first_that_fits(texts, room, m.strong[1], measure_bold)


def _backs(canvas: Canvas, rect: Rect, plate: Plate) -> None:
    """Draw the cards that lie face down before a player."""
    style = STYLES["back"]
    h = min(rect.h * 4 // 5, rect.w * 2 // 5 * 7 // 5)
    if h < _LEAST:
        return
    w, gap = h * 5 // 7, max(2, h // 10)
    x = rect.x + (rect.w - plate.backs * w - (plate.backs - 1) * gap) // 2
    for number in range(plate.backs):
        place = Rect(x + number * (w + gap), rect.y + (rect.h - h) // 2, w, h)
        name = f"{plate.region}.back:{number + 1}"
        canvas.box(name, place, style.fill, style.border, radius=max(2, w // 8))


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
    most = (rect.w - 4) // 2
    h = min(rect.h, most * 7 // 5)
    w = min(most, h * 5 // 4)
    x = rect.x + (rect.w - 2 * w - 4) // 2
    for number, face in enumerate(plate.faces):
        place = Rect(x + number * (w + 4), rect.y + (rect.h - h) // 2, w, h)
        _face(canvas, f"{plate.region}.card:{number + 1}", place, face)
