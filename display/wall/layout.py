"""Where everything stands on the wall and how large. Pure: the width of letters is given in.

Sizes follow from the distance: at 10 m capitals of 64 mm can be read in comfort and of 47 mm just
so (20 to 22 and 16 minutes of arc). They are heights of capitals, in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from typing import Literal

from msgspec import Struct

from display.drawing.rect import Rect
from display.wall.model import Pair, Picture

LOUD_MM, PLAIN_MM = 64.0, 47.0
AT_M = 10.0
_MM_PER_INCH = 25.4

Ink = Literal["ink", "soft", "accent", "word", "notice", "trouble"]
Ground = Literal["foot", "track", "accent", "soft", "word", "notice", "trouble"]
Measure = Callable[[str, float], float]
"""The width of a text in pixels when its capitals are so high."""

_UP, _DOWN = 0.28, 0.36  # of a capital: accents above it, tails below the line
_PLAIN_SHARE = 0.0695  # of the height: as large as plain text gets
_LEAST_SHARE = 0.04
NOTICE_S = 7.0  # seconds for which one of several notices is shown


class Sizes(Struct, frozen=True):
    """Heights of capitals in pixels, and how far off the plain ones can be read."""

    plain: float
    loud: float
    metres: float
    px_per_mm: float


class Text(Struct, frozen=True):
    """Letters; `top` is that of the capitals. With `fixed` every figure takes the same room."""

    id: str
    words: str
    x: float
    top: float
    cap: float
    ink: Ink
    width: float
    fixed: bool = False

    @property
    def rect(self) -> Rect:
        """What the letters may touch, accents and tails too."""
        left, top = int(self.x), int(self.top - _UP * self.cap)
        bottom = int(self.top + (1 + _DOWN) * self.cap) + 1
        return Rect(left, top, int(self.x + self.width) + 2 - left, bottom - top)


class Fill(Struct, frozen=True):
    """A filled rectangle, with round corners where it has a radius."""

    id: str
    rect: Rect
    ground: Ground
    radius: int = 0


class Arrangement(Struct, frozen=True):
    """All that is drawn, from back to front; the logo lies in `logo`, which may be nothing."""

    fills: tuple[Fill, ...] = ()
    texts: tuple[Text, ...] = ()
    logo: Rect = Rect(0, 0, 0, 0)


def sizes(width: int, height: int, diagonal_in: float, metres: float = AT_M) -> Sizes:
    """The sizes of a screen. One that is too small is written full all the same, and can be
    read from as near as `metres` of the answer says."""
    px_per_mm = hypot(width, height) / (diagonal_in * _MM_PER_INCH)
    unit = min(width / 1920, height / 1080) if width > height else min(width / 1080, height / 1920)
    wanted = PLAIN_MM * metres / AT_M * px_per_mm
    plain = min(max(wanted * 1.01, _LEAST_SHARE * 1080 * unit), _PLAIN_SHARE * 1080 * unit)
    return Sizes(
        plain, plain * LOUD_MM / PLAIN_MM, AT_M * plain / (PLAIN_MM * px_per_mm), px_per_mm
    )


def arrange(
    shown: Picture,
    width: int,
    height: int,
    size: Sizes,
    measure: Measure,
    *,
    logo: tuple[int, int] | None = None,
    t: float = 0.0,
) -> Arrangement:
    """Place a picture on a screen of so many pixels. `logo` is the size of the club's logo;
    `t` in seconds chooses which of several notices is shown."""
    return _Sheet(width, height, size, measure).lay(shown, logo, t)


class _Sheet:
    """A screen that is being laid out: `top` and `bottom` are what is still free."""

    def __init__(self, width: int, height: int, size: Sizes, measure: Measure) -> None:
        self._w, self._h, self._size, self._measure = width, height, size, measure
        self._tall = height > width
        self._s = size.plain
        self._margin = size.plain * (0.6 if self._tall else 0.75)
        self._fills: list[Fill] = []
        self._texts: list[Text] = []
        self._logo = Rect(0, 0, 0, 0)

    def lay(self, shown: Picture, logo: tuple[int, int] | None, t: float) -> Arrangement:
        """Everything, from the edges to the middle, which gets what is left."""
        self._top, self._bottom = self._s * 0.62, float(self._h)
        self._foot(shown)
        crowded = self._strips(shown, t)
        self._head(shown, logo)
        if shown.mood in ("final", "over"):
            crowded = False
        self._lower(shown, crowded)
        self._middle(shown)
        return Arrangement(tuple(self._fills), tuple(self._texts), self._logo)

    # from below

    def _foot(self, shown: Picture) -> None:
        cells = [
            ("players", shown.players),
            ("average", shown.average),
            ("time", Pair("", shown.local_time) if shown.local_time else None),
        ]
        given = [(id, pair) for id, pair in cells if pair is not None]
        if shown.note:
            given.insert(0, ("note", Pair(shown.note, "")))
        if not given:
            self._bottom -= self._s * 0.5
            return
        if self._tall:
            self._tall_foot(given)
            return
        high = self._s * 1.9
        self._bottom -= high
        self._fill("foot", 0, self._bottom, self._w, high, "foot")
        room = self._w - 2 * self._margin
        cap = self._s
        gap = cap * 0.9
        needed = sum(self._pair_width(pair, cap) for _, pair in given) + gap * (len(given) - 1)
        if needed > room:
            cap *= room / needed
        widths = [self._pair_width(pair, cap) for _, pair in given]
        between = (room - sum(widths)) / max(1, len(given) - 1)
        x = self._margin if len(given) > 1 else (self._w - widths[0]) / 2
        for (id, pair), wide in zip(given, widths, strict=True):
            self._pair(id, pair, x, self._bottom + (high - cap) / 2, cap)
            x += wide + between

    def _tall_foot(self, given: Sequence[tuple[str, Pair]]) -> None:
        """Labels to the left, values to the right; the time alone in the middle."""
        pitch = self._s * 1.6
        high = pitch * len(given) + self._s * 0.5
        self._bottom -= high
        self._fill("foot", 0, self._bottom, self._w, high, "foot")
        top = self._bottom + self._s * 0.55
        for id, pair in given:
            cap = self._fitted([pair.label, pair.value], self._s)
            if pair.label and pair.value:
                self._text(id, pair.label, self._margin, top, cap, "soft")
                wide = self._measure(pair.value, cap)
                self._text(id, pair.value, self._w - self._margin - wide, top, cap, "ink")
            else:
                wide = self._measure(pair.label or pair.value, cap)
                ink: Ink = "soft" if pair.label else "ink"
                self._text(id, pair.label or pair.value, (self._w - wide) / 2, top, cap, ink)
            top += pitch

    def _strips(self, shown: Picture, t: float) -> bool:
        """The strips above the foot; tells whether there is little room left."""
        count = 0
        if shown.trouble:
            count += self._strip("trouble", self._wrapped(shown.trouble), "trouble")
        if shown.notices:
            pages = [page for line in shown.notices for page in self._pages(line)]
            page = pages[int(t // NOTICE_S) % len(pages)]
            count += self._strip("notice", page, "notice")
        return count > 1

    def _strip(self, id: str, lines: Sequence[str], ground: Literal["trouble", "notice"]) -> int:
        pitch, s = self._s * 1.45, self._s
        high = pitch * (len(lines) - 1) + s * 1.75
        self._bottom -= high
        self._fill(id, 0, self._bottom, self._w, high, ground)
        top = self._bottom + s * 0.375
        for line in lines:
            cap = self._fitted([line], s)
            wide = self._measure(line, cap)
            self._text(id, line, (self._w - wide) / 2, top, cap, ground)
            top += pitch
        return len(lines)

    def _wrapped(self, words: str) -> list[str]:
        room, lines, line = self._w - 2 * self._margin, list[str](), ""
        for word in words.split():
            longer = f"{line} {word}" if line else word
            if line and self._measure(longer, self._s) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        return [*lines, line]

    def _pages(self, words: str) -> list[list[str]]:
        lines, most = self._wrapped(words), 2 if self._tall else 1
        return [lines[at : at + most] for at in range(0, len(lines), most)]

    # from above

    def _head(self, shown: Picture, logo: tuple[int, int] | None) -> None:
        if self._tall:
            self._tall_head(shown, logo)
            return
        room = self._w - 2 * self._margin
        left = self._measure(shown.heading, self._s)
        pair = shown.to_break
        right = self._pair_width(pair, self._s) if pair else 0.0
        cap = self._s * min(1.0, room / (left + right + self._s)) if left + right else self._s
        self._text("heading", shown.heading, self._margin, self._top, cap, "accent")
        if pair is not None:
            x = self._w - self._margin - self._pair_width(pair, cap)
            self._pair("to-break", pair, x, self._top, cap)
        if logo is not None:
            ends = (self._margin + left, self._w - self._margin - right)
            self._place_logo(logo, (ends[0] + ends[1]) / 2, ends[1] - ends[0] - 2 * self._s)
        self._top += self._s * 1.5

    def _tall_head(self, shown: Picture, logo: tuple[int, int] | None) -> None:
        left = self._measure(shown.heading, self._s)
        if logo is None:
            self._text("heading", shown.heading, (self._w - left) / 2, self._top, self._s, "accent")
        else:
            self._text("heading", shown.heading, self._margin, self._top, self._s, "accent")
            room = self._w - 2 * self._margin - left - self._s
            self._place_logo(logo, self._w - self._margin - room / 2, room)
        self._top += self._s * 1.5

    def _place_logo(self, logo: tuple[int, int], middle: float, room: float) -> None:
        scale = min(room / logo[0], self._s * 1.5 / logo[1])
        if scale * logo[1] < self._s * 0.5:
            return
        w, h = int(logo[0] * scale), int(logo[1] * scale)
        self._logo = Rect(int(middle - w / 2), int(self._top + self._s / 2 - h / 2), w, h)

    # the lines below the clock

    def _lower(self, shown: Picture, crowded: bool) -> None:
        self._bottom -= self._s * (0.62 if self._tall else 0.5)
        rows: list[list[tuple[str, Pair]]] = []
        if self._tall and shown.to_break is not None:
            rows.append([("to-break", shown.to_break)])
        following = [
            (id, pair)
            for id, pair in (("next", shown.next), ("next-ante", shown.next_ante))
            if pair is not None
        ]
        if following:
            rows += [[one] for one in following] if self._tall else [following]
        if shown.on_break:
            # What comes then is read in its order: the level, then its blinds.
            self._blinds(shown, crowded)
            self._rows(rows)
        else:
            self._rows(rows)
            self._blinds(shown, crowded)
        if shown.mood not in ("waiting", "final", "over"):
            high = self._s * 0.2
            self._bottom -= high + self._s * 0.2
            room = self._w - 2 * self._margin
            radius = int(high / 2)
            self._fill("bar", self._margin, self._bottom, room, high, "track", radius)
            left = max(high, room * shown.left) if shown.left else 0.0
            if left:
                ground: Ground = "soft" if shown.mood == "paused" else "accent"
                self._fill("left", self._margin, self._bottom, left, high, ground, radius)

    def _rows(self, rows: Sequence[Sequence[tuple[str, Pair]]]) -> None:
        for row in reversed(rows):
            room, gap = self._w - 2 * self._margin, self._s * 0.6
            wide = sum(self._pair_width(pair, self._s) for _, pair in row) + gap * (len(row) - 1)
            cap = self._s * min(1.0, room / wide)
            x = (self._w - wide * cap / self._s) / 2
            self._bottom -= self._s
            for id, pair in row:
                self._pair(id, pair, x, self._bottom, cap)
                x += self._pair_width(pair, cap) + gap * cap / self._s
            self._bottom -= self._s * 0.6

    def _blinds(self, shown: Picture, crowded: bool) -> None:
        if not shown.blinds:
            return
        loud, room = self._size.loud * 1.01, self._w - 2 * self._margin
        wanted = loud if crowded else loud * 1.55
        if shown.mood == "final":
            wanted = loud * 2.2
        if self._tall:
            wanted *= 1.25
            if shown.ante is not None:
                self._centred_pair("ante", shown.ante, loud)
                self._bottom -= self._s * 0.55
            cap = min(wanted, wanted * room / self._measure(shown.blinds, wanted))
            self._bottom -= cap
            wide = self._measure(shown.blinds, cap)
            self._text("blinds", shown.blinds, (self._w - wide) / 2, self._bottom, cap, "ink")
        else:
            self._wide_blinds(shown, wanted, loud, room)
        self._bottom -= self._s * 0.55

    def _wide_blinds(self, shown: Picture, wanted: float, loud: float, room: float) -> None:
        gap = loud * 0.8
        beside = self._pair_width(shown.ante, loud) + gap if shown.ante is not None else 0.0
        cap = min(wanted, wanted * (room - beside) / self._measure(shown.blinds, wanted))
        if cap < loud:
            whole = self._measure(shown.blinds, loud) + beside
            cap = loud = loud * room / whole
            beside *= room / whole
        wide = self._measure(shown.blinds, cap)
        x = (self._w - wide - beside) / 2
        self._bottom -= cap
        self._text("blinds", shown.blinds, x, self._bottom, cap, "ink")
        if shown.ante is not None:
            x += wide + gap
            self._pair("ante", shown.ante, x, self._bottom + cap - loud, loud)

    # the middle

    def _middle(self, shown: Picture) -> None:
        room = self._bottom - self._top - self._s * 0.35
        if shown.word and shown.clock:
            self._word_and_clock(shown, room)
        elif shown.word:
            most = self._size.loud * (1.2 if shown.mood == "waiting" else 2.6)
            width = self._w - 2 * self._margin
            if shown.mood == "waiting":
                cap = self._largest(shown.word, width, min(room, most))
                wide = self._measure(shown.word, cap)
                top = self._top + (room - cap) / 2
                self._text("word", shown.word, (self._w - wide) / 2, top, cap, "ink")
            else:
                self._boxed(shown.word, self._margin, self._top, width, room, most)
        elif shown.clock:
            self._clock(shown, self._margin, self._top, self._w - 2 * self._margin, room)

    def _word_and_clock(self, shown: Picture, room: float) -> None:
        width = self._w - 2 * self._margin
        if self._tall:
            self._boxed(shown.word, self._margin, self._top, width, room * 0.5, room)
            self._clock(shown, self._margin, self._top + room * 0.55, width, room * 0.45)
            return
        part = width * 0.56
        self._boxed(shown.word, self._margin, self._top, part, room, room)
        rest = self._margin + part + self._s * 0.5
        self._clock(shown, rest, self._top, self._w - self._margin - rest, room)

    def _clock(self, shown: Picture, x: float, y: float, w: float, h: float) -> None:
        template = "".join("0" if sign.isdigit() else sign for sign in shown.clock)
        cap = self._largest(template, w, h * 0.94, fixed=True)
        wide = self._fixed_width(template, cap)
        ink: Ink = "soft" if shown.mood == "paused" else "accent" if shown.mood == "last" else "ink"
        top = y + (h - cap) / 2
        self._texts.append(
            Text("clock", shown.clock, x + (w - wide) / 2, top, cap, ink, wide, fixed=True)
        )

    def _boxed(self, word: str, x: float, y: float, w: float, h: float, most: float) -> None:
        """A word in a box of its own, as large as it goes."""
        cap = self._largest(word, w * 0.9, min(h * 0.62, most))
        wide, high = self._measure(word, cap), min(h, cap * 1.75)
        box_w = min(w, wide + cap * 0.8)
        left, top = x + (w - box_w) / 2, y + (h - high) / 2
        self._fill("word", left, top, box_w, high, "word", int(cap * 0.14))
        at = left + (box_w - wide) / 2
        self._text("word", word, at, top + (high - cap) / 2, cap, "word")

    # small things

    def _largest(self, words: str, room: float, most: float, *, fixed: bool = False) -> float:
        wide = self._fixed_width(words, most) if fixed else self._measure(words, most)
        return most if wide <= room else most * room / wide

    def _fixed_width(self, words: str, cap: float) -> float:
        return fixed_width(words, cap, self._measure)

    def _fitted(self, parts: Sequence[str], cap: float) -> float:
        room = self._w - 2 * self._margin
        wide = sum(self._measure(part, cap) for part in parts if part)
        wide += cap * 0.5 * (len([part for part in parts if part]) - 1)
        return cap if wide <= room else cap * room / wide

    def _pair_width(self, pair: Pair, cap: float) -> float:
        gap = cap * 0.36 if pair.label and pair.value else 0.0
        return self._measure(pair.label, cap) + gap + self._measure(pair.value, cap)

    def _pair(self, id: str, pair: Pair, x: float, top: float, cap: float) -> None:
        self._text(id, pair.label, x, top, cap, "soft")
        if pair.value:
            gap = cap * 0.36 if pair.label else 0.0
            self._text(id, pair.value, x + self._measure(pair.label, cap) + gap, top, cap, "ink")

    def _centred_pair(self, id: str, pair: Pair, cap: float) -> None:
        room = self._w - 2 * self._margin
        cap *= min(1.0, room / self._pair_width(pair, cap))
        self._bottom -= cap
        self._pair(id, pair, (self._w - self._pair_width(pair, cap)) / 2, self._bottom, cap)

    def _text(self, id: str, words: str, x: float, top: float, cap: float, ink: Ink) -> None:
        if words:
            self._texts.append(Text(id, words, x, top, cap, ink, self._measure(words, cap)))

    def _fill(
        self, id: str, x: float, y: float, w: float, h: float, ground: Ground, radius: int = 0
    ) -> None:
        left, top = round(x), round(y)
        self._fills.append(
            Fill(id, Rect(left, top, round(x + w) - left, round(y + h) - top), ground, radius)
        )


def fixed_width(words: str, cap: float, measure: Measure) -> float:
    """The width of a text in which every figure is as wide as the widest."""
    figure = max(measure(sign, cap) for sign in "0123456789")
    return sum(figure if sign.isdigit() else measure(sign, cap) for sign in words)
