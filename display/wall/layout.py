"""Where everything stands on the wall and how large. Pure: the width of letters is given in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from display.drawing.rect import Rect
from display.wall.model import Pair, Picture
from display.wall.placed import Arrangement, Fill, Ground, Ink, Measure, Text, fixed_width
from display.wall.said import pages
from display.wall.sizes import Sizes

Point = tuple[float, float]
Area = tuple[float, float, float, float]  # x, y, width, height

NOTICE_S = 7.0  # seconds for which one of several pages is in the strip


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
    `t` in seconds chooses which of several pages is in the strip."""
    sheet = _Sheet(width, height, size, measure)
    placed = sheet.lay(shown, logo, t)
    if sheet.spare > size.plain:
        sheet = _Sheet(width, height, size, measure, 0.45 * sheet.spare / size.plain)
        placed = sheet.lay(shown, logo, t)
    return placed


class _Sheet:
    """A screen that is being laid out. `air` is spread between the lines below the clock, in
    capitals; `spare` tells how much higher the middle was than the clock that stands there."""

    def __init__(
        self, width: int, height: int, size: Sizes, measure: Measure, air: float = 0.0
    ) -> None:
        self._w, self._h, self._size, self._measure = width, height, size, measure
        self._tall = height > width
        self._s = size.plain
        self._margin = size.plain * (0.6 if self._tall else 0.75)
        self._air = air
        self.spare = 0.0
        self._fills: list[Fill] = []
        self._texts: list[Text] = []
        self._logo = Rect(0, 0, 0, 0)

    def lay(self, shown: Picture, logo: tuple[int, int] | None, t: float) -> Arrangement:
        """Everything, from the edges to the middle, which gets what is left."""
        self._top, self._bottom = self._s * 0.62, float(self._h)
        self._foot(shown)
        self._strip(shown, t)
        self._head(shown, logo)
        self._lower(shown)
        self._middle(shown)
        return Arrangement(tuple(self._fills), tuple(self._texts), self._logo)

    # from below

    def _foot(self, shown: Picture) -> None:
        cells = [("players", shown.players), ("average", shown.average)]
        if self._tall:
            cells.insert(0, ("to-break", shown.to_break))
        elif shown.local_time:
            cells.append(("time", Pair("", shown.local_time)))
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
        self._fill("foot", (0, self._bottom, self._w, high), "foot")
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
            self._pair(id, pair, (x, self._bottom + (high - cap) / 2), cap)
            x += wide + between

    def _tall_foot(self, given: Sequence[tuple[str, Pair]]) -> None:
        """Labels to the left, values to the right; what has no value in the middle."""
        pitch = self._s * 1.6
        high = pitch * len(given) + self._s * 0.5
        self._bottom -= high
        self._fill("foot", (0, self._bottom, self._w, high), "foot")
        top = self._bottom + self._s * 0.55
        for id, pair in given:
            cap = self._fitted([pair.label, pair.value], self._s)
            wide = self._measure(pair.value or pair.label, cap)
            if pair.value:
                self._text(id, pair.label, (self._margin, top), cap, "soft")
                self._text(id, pair.value, (self._w - self._margin - wide, top), cap, "ink")
            else:
                self._text(id, pair.label, ((self._w - wide) / 2, top), cap, "soft")
            top += pitch

    def _strip(self, shown: Picture, t: float) -> None:
        """The strip above the foot. It is kept whether there is something in it or not: the clock
        is as large with it as without."""
        most, s, pitch = 2 if self._tall else 1, self._s, self._s * 1.45
        high = pitch * (most - 1) + s * 1.75
        self._bottom -= high
        id, lines = self._page(shown, t, most)
        if not lines:
            return
        ground: Literal["trouble", "notice"] = "trouble" if id == "trouble" else "notice"
        self._fill(id, (0, self._bottom, self._w, high), ground)
        top = self._bottom + s * 0.375 + pitch * (most - len(lines)) / 2
        for line in lines:
            cap = self._fitted([line], s)
            wide = self._measure(line, cap)
            self._text(id, line, ((self._w - wide) / 2, top), cap, ground)
            top += pitch

    def _page(self, shown: Picture, t: float, most: int) -> tuple[str, list[str]]:
        """What is in the strip now: trouble alone, else alerts and the rest take turns."""
        if shown.trouble:
            lines = self._wrapped(shown.trouble)
            rest = " ".join(lines[most - 1 :])
            return "trouble", [*lines[: most - 1], *([rest] if rest else [])]
        rings = [
            (id, [page for each in told for page in pages(each, self._wrapped, most)])
            for id, told in (("alert", shown.alerts), ("notice", shown.notices))
            if told
        ]
        if not rings:
            return "", []
        turn = int(t // NOTICE_S)
        id, ring = rings[turn % len(rings)]
        return id, ring[turn // len(rings) % len(ring)]

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

    # from above

    def _head(self, shown: Picture, logo: tuple[int, int] | None) -> None:
        room, pair = self._w - 2 * self._margin, shown.to_break
        if self._tall:
            pair = Pair("", shown.local_time) if shown.local_time else None
        left = self._measure(shown.heading, self._s)
        right = self._pair_width(pair, self._s) if pair else 0.0
        share = min(1.0, room / (left + right + self._s))
        cap = self._s * share
        self._text("heading", shown.heading, (self._margin, self._top), cap, "accent")
        if pair is not None:
            id, x = "time" if self._tall else "to-break", self._w - self._margin - right * share
            self._pair(id, pair, (x, self._top), cap)
        if logo is not None:
            begin, end = self._margin + left * share, self._w - self._margin - right * share
            self._place_logo(logo, (begin + end) / 2, end - begin - 1.4 * self._s)
        self._top += self._s * 1.5

    def _place_logo(self, logo: tuple[int, int], middle: float, room: float) -> None:
        scale = min(room / logo[0], self._s * 1.5 / logo[1])
        if scale * logo[1] < self._s * 0.5:
            return
        w, h = int(logo[0] * scale), int(logo[1] * scale)
        self._logo = Rect(int(middle - w / 2), int(self._top + self._s / 2 - h / 2), w, h)

    # the lines below the clock

    def _lower(self, shown: Picture) -> None:
        self._bottom -= self._s * (0.62 if self._tall else 0.5) + self._s * self._air / 5
        rows: list[list[tuple[str, Pair]]] = []
        following = [
            (id, pair)
            for id, pair in (("next", shown.next), ("next-ante", shown.next_ante))
            if pair is not None
        ]
        if following:
            rows += [[one] for one in following] if self._tall else [following]
        if shown.on_break:
            # What comes then is read in its order: the level, then its blinds.
            self._blinds(shown)
            self._rows(rows)
        else:
            self._rows(rows)
            self._blinds(shown)
        if shown.mood not in ("waiting", "final", "over"):
            high = self._s * 0.2
            self._bottom -= high + self._s * (0.2 + self._air / 5)
            room = self._w - 2 * self._margin
            radius = int(high / 2)
            self._fill("bar", (self._margin, self._bottom, room, high), "track", radius)
            left = max(high, room * shown.left) if shown.left else 0.0
            if left:
                ground: Ground = "soft" if shown.mood == "paused" else "accent"
                self._fill("left", (self._margin, self._bottom, left, high), ground, radius)

    def _rows(self, rows: Sequence[Sequence[tuple[str, Pair]]]) -> None:
        for row in reversed(rows):
            room, gap = self._w - 2 * self._margin, self._s * 0.6
            wide = sum(self._pair_width(pair, self._s) for _, pair in row) + gap * (len(row) - 1)
            cap = self._s * min(1.0, room / wide)
            x = (self._w - wide * cap / self._s) / 2
            self._bottom -= self._s
            for id, pair in row:
                self._pair(id, pair, (x, self._bottom), cap)
                x += self._pair_width(pair, cap) + gap * cap / self._s
            self._bottom -= self._s * (0.6 + self._air / 5)

    def _blinds(self, shown: Picture) -> None:
        if not shown.blinds:
            return
        loud, room = self._size.loud * 1.01, self._w - 2 * self._margin
        wanted = self._size.blinds
        if shown.mood == "final":
            wanted *= 1.4
        if self._tall:
            wanted *= 1.25
            if shown.ante is not None:
                self._centred_pair("ante", shown.ante, loud)
                self._bottom -= self._s * (0.55 + self._air / 5)
            cap = min(wanted, wanted * room / self._measure(shown.blinds, wanted))
            self._bottom -= cap
            wide = self._measure(shown.blinds, cap)
            self._text("blinds", shown.blinds, ((self._w - wide) / 2, self._bottom), cap, "ink")
        else:
            self._wide_blinds(shown, wanted, loud, room)
        self._bottom -= self._s * (0.55 + self._air / 5)

    def _wide_blinds(self, shown: Picture, wanted: float, loud: float, room: float) -> None:
        gap = loud * 0.8
        loud = max(loud, wanted * 0.62)
        beside = self._pair_width(shown.ante, loud) + gap if shown.ante is not None else 0.0
        cap = min(wanted, wanted * (room - beside) / self._measure(shown.blinds, wanted))
        if cap < loud:
            whole = self._measure(shown.blinds, loud) + beside
            cap = loud = loud * room / whole
            beside *= room / whole
        wide = self._measure(shown.blinds, cap)
        x = (self._w - wide - beside) / 2
        self._bottom -= cap
        self._text("blinds", shown.blinds, (x, self._bottom), cap, "ink")
        if shown.ante is not None:
            x += wide + gap
            self._pair("ante", shown.ante, (x, self._bottom + cap - loud), loud)

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
                self._text("waiting", shown.word, ((self._w - wide) / 2, top), cap, "ink")
            else:
                self._boxed(shown.word, (self._margin, self._top, width, room), most)
        elif shown.clock:
            self._clock(shown, (self._margin, self._top, self._w - 2 * self._margin, room))

    def _word_and_clock(self, shown: Picture, room: float) -> None:
        width = self._w - 2 * self._margin
        if self._tall:
            self._boxed(shown.word, (self._margin, self._top, width, room * 0.48), room)
            self._clock(shown, (self._margin, self._top + room * 0.56, width, room * 0.44))
            return
        part = width * 0.56
        self._boxed(shown.word, (self._margin, self._top, part, room), room)
        rest = self._margin + part + self._s * 0.5
        self._clock(shown, (rest, self._top, self._w - self._margin - rest, room))

    def _clock(self, shown: Picture, area: Area) -> None:
        x, y, w, h = area
        template = "".join("0" if sign.isdigit() else sign for sign in shown.clock)
        cap = self._largest(template, w, h * 0.94, fixed=True)
        wide = self._fixed_width(template, cap)
        ink: Ink = "soft" if shown.mood == "paused" else "accent" if shown.mood == "last" else "ink"
        self.spare = h * 0.94 - cap
        top = y + (h - cap) / 2
        self._texts.append(
            Text("clock", shown.clock, x + (w - wide) / 2, top, cap, ink, wide, fixed=True)
        )

    def _boxed(self, word: str, area: Area, most: float) -> None:
        """A word in a box of its own, as large as it goes."""
        x, y, w, h = area
        cap = self._largest(word, w * 0.9, min(h * 0.62, most))
        wide, high = self._measure(word, cap), min(h, cap * 1.75)
        box_w = min(w, wide + cap * 0.8)
        left, top = x + (w - box_w) / 2, y + (h - high) / 2
        self._fill("word", (left, top, box_w, high), "word", int(cap * 0.14))
        at = left + (box_w - wide) / 2
        self._text("word", word, (at, top + (high - cap) / 2), cap, "word")

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

    def _pair(self, id: str, pair: Pair, at: Point, cap: float) -> None:
        x, top = at
        self._text(id, pair.label, (x, top), cap, "soft")
        if pair.value:
            gap = cap * 0.36 if pair.label else 0.0
            self._text(id, pair.value, (x + self._measure(pair.label, cap) + gap, top), cap, "ink")

    def _centred_pair(self, id: str, pair: Pair, cap: float) -> None:
        room = self._w - 2 * self._margin
        cap *= min(1.0, room / self._pair_width(pair, cap))
        self._bottom -= cap
        self._pair(id, pair, ((self._w - self._pair_width(pair, cap)) / 2, self._bottom), cap)

    def _text(self, id: str, words: str, at: Point, cap: float, ink: Ink) -> None:
        if words:
            x, top = at
            self._texts.append(Text(id, words, x, top, cap, ink, self._measure(words, cap)))

    def _fill(self, id: str, area: Area, ground: Ground, radius: int = 0) -> None:
        x, y, w, h = area
        left, top = round(x), round(y)
        self._fills.append(
            Fill(id, Rect(left, top, round(x + w) - left, round(y + h) - top), ground, radius)
        )
