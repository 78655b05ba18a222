"""The statistics of a period as plots and the tables under them: pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from controller.archive.statistics import Figures, Piece, Statistics
from display.web.plots import Bar, Point, bars, line
from display.web.speech import Speech, when
from display.web.ways import address

WIDE, NARROW = 960, 336
"""Each plot is made for a desk and for a phone."""
MOST_BARS = 40
SPANS_H: Mapping[str, int | None] = {"day": 24, "week": 168, "month": 720, "all": None}
"""What may be chosen with one tap, in hours."""
_DAY_MS = 86_400_000
_SHARES = ("irregular-table", "irregular-code", "asked-table", "dismissed-code")
"""What is so many of so many."""


class Table(Struct, frozen=True):
    """A table under a plot: names of the columns, and cells of which the first is a name, with
    its address where it has one."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    links: tuple[str, ...] = ()


class Plot(Struct, frozen=True):
    """A plot in both widths; both are empty where there is nothing to draw, and `says` why."""

    id: str
    title: str
    says: str
    wide: str
    narrow: str
    table: Table


class StatisticsPage(Struct, frozen=True):
    """All that the page shows."""

    period: str
    headline: tuple[tuple[str, str], ...]
    plots: tuple[Plot, ...]
    dealers: Table | None


def statistics_page(
    made: Statistics, speech: Speech, beside: Mapping[str, str], *, dealers: bool
) -> StatisticsPage:
    """The page; dealers are on it for who may see them only."""
    return StatisticsPage(
        f"{when(made.period.since_ms)} – {when(made.period.until_ms)}",
        _headline(made.whole, speech) if made.whole.hands else (),
        _Maker(made, speech, beside).plots() if made.whole.hands else (),
        _dealers(made.dealers, speech) if dealers and made.dealers else None,
    )


class _Maker:
    def __init__(self, made: Statistics, speech: Speech, beside: Mapping[str, str]) -> None:
        self._made = made
        self._speech = speech
        self._beside = beside

    def plots(self) -> tuple[Plot, ...]:
        """In the order in which people ask."""
        made, say = self._made, self._say
        happened = [each for each in made.codes if each.irregular]
        found = _ordered(happened, lambda each: each.irregular)
        doubted = _ordered(made.codes, lambda each: each.dismissed_share)
        slow = _ordered(made.codes, lambda each: each.median_s)
        return (
            self._bars("irregular-table", made.tables, self._irregular, say("table"), self._table),
            self._bars("irregular-code", found, self._irregular, say("finding"), self._code),
            self._over_time("irregular-time", lambda each: each.per_1000),
            self._bars("dismissed-code", doubted, self._dismissed, say("finding"), self._code),
            self._bars("settled-code", slow, self._settled, say("finding"), self._code),
            self._bars("asked-table", made.tables, self._asked, say("table"), self._table),
            self._bars("pace-table", made.tables, self._pace, say("table"), self._table),
            self._over_time("pace-time", lambda each: each.hands_per_hour),
        )

    # --- what is measured: the bar, and the cells beside the name ---

    def _irregular(self, each: Figures) -> tuple[Bar, tuple[str, ...]]:
        bar = self._rate(each.per_1000, each)
        return bar, (self._n(each.irregular), self._n(each.hands), bar.text)

    def _asked(self, each: Figures) -> tuple[Bar, tuple[str, ...]]:
        bar = self._rate(each.asked_per_1000, each)
        return bar, (self._n(each.asked), self._n(each.hands), bar.text)

    def _dismissed(self, each: Figures) -> tuple[Bar, tuple[str, ...]]:
        share = each.dismissed_share
        if share is None:
            bar = Bar("", None, self._say("few-found", count=each.found))
        else:
            bar = Bar("", 100 * share, self._say("percent", count=self._d(100 * share)))
        return bar, (self._n(each.dismissed), self._n(each.found), bar.text)

    def _settled(self, each: Figures) -> tuple[Bar, tuple[str, ...]]:
        seconds = self._speech.seconds
        p90 = self._say("none") if each.p90_s is None else seconds(each.p90_s)
        if each.median_s is None:
            bar = Bar("", None, self._say("few-found", count=each.settled))
            return bar, (self._n(each.settled), bar.text, p90)
        half = seconds(each.median_s)
        both = half if each.p90_s is None else self._say("half-p90", half=half, p90=p90)
        bar = Bar("", each.median_s, both, each.p90_s)
        return bar, (self._n(each.settled), half, p90)

    def _pace(self, each: Figures) -> tuple[Bar, tuple[str, ...]]:
        rate = each.hands_per_hour
        played = self._speech.seconds(each.played_ms / 1_000)
        bar = (
            Bar("", None, self._say("few-played", played=played))
            if rate is None
            else Bar("", rate, self._d(rate))
        )
        return bar, (self._n(each.hands), played, bar.text)

    # --- plots ---

    def _bars(
        self,
        key: str,
        lines: Sequence[Figures],
        measure: Callable[[Figures], tuple[Bar, tuple[str, ...]]],
        first: str,
        link: Callable[[str], tuple[str, str]],
    ) -> Plot:
        drawn: list[Bar] = []
        rows: list[tuple[str, ...]] = []
        links: list[str] = []
        for each in lines:
            bar, cells = measure(each)
            name, href = link(each.name)
            of = f"{cells[0]} / {cells[1]}" if key in _SHARES else ""
            drawn.append(Bar(name, bar.value, bar.text, bar.upper, of))
            rows.append((name, *cells))
            links.append(href)
        heads = (first, *(self._say(f"{key}-{n}") for n in (1, 2, 3)))
        shown = drawn[:MOST_BARS]
        says = ""
        if not any(bar.value is not None for bar in shown):
            says = self._say("nothing-found" if not shown else "too-little")
        elif len(drawn) > MOST_BARS:
            says = self._say("more", count=len(drawn) - MOST_BARS)
        title, axis = self._say(key), self._say(f"{key}-axis")
        mark = self._say("decimal")
        wide, narrow = (
            bars(title, axis, shown, width, mark=mark)
            if any(b.value is not None for b in shown)
            else ""
            for width in (WIDE, NARROW)
        )
        return Plot(key, title, says, wide, narrow, Table(heads, tuple(rows), tuple(links)))

    def _over_time(self, key: str, value: Callable[[Piece], float | None]) -> Plot:
        pieces = self._made.pieces
        long = self._made.period.bin_ms >= _DAY_MS
        across_days = self._made.period.until_ms - self._made.period.since_ms > 2 * _DAY_MS
        points, rows = [], []
        for each in pieces:
            at = datetime.fromtimestamp(each.at_ms / 1_000)
            name = f"{at:%m-%d}" if long or across_days else f"{at:%H:%M}"
            measured = value(each)
            text = "" if measured is None else self._d(measured)
            points.append(Point(name, measured, text))
            if each.hands:
                said = text or self._say("few-hands", hands=each.hands)
                rows.append((f"{at:%Y-%m-%d %H:%M}", self._n(each.hands), said))
        title = self._say(key)
        known = sum(point.value is not None for point in points)
        up = self._say(f"{key}-axis")
        across, mark = self._say("time-axis"), self._say("decimal")
        wide, narrow = (
            line(title, across, up, points, width, mark=mark) if known > 1 else ""
            for width in (WIDE, NARROW)
        )
        says = "" if known > 1 else self._say("too-little-time")
        heads = (self._say("from"), self._say("hands"), up)
        return Plot(key, title, says, wide, narrow, Table(heads, tuple(rows)))

    def _rate(self, rate: float | None, each: Figures) -> Bar:
        if rate is None:
            return Bar("", None, self._say("few-hands", hands=each.hands))
        return Bar("", rate, self._d(rate))

    def _table(self, name: str) -> tuple[str, str]:
        return name, address("/history", {"table": name, "found": "1", **self._when()})

    def _code(self, code: str) -> tuple[str, str]:
        href = address("/history", {"code": code, **self._when()}) if code else ""
        return self._speech.title(code), href

    def _when(self) -> Mapping[str, str]:
        period = self._made.period
        given = {
            "from": when(period.since_ms).replace(" ", "T"),
            "until": when(period.until_ms + 59_999).replace(" ", "T"),
        }
        if period.table is not None:
            given["table"] = period.table
        return given | dict(self._beside)

    def _say(self, key: str, **given: object) -> str:
        return self._speech.say("statistics", key, **given)

    def _n(self, count: int) -> str:
        return self._speech.whole(count)

    def _d(self, value: float) -> str:
        return self._speech.decimal(value)


def _ordered(
    lines: Sequence[Figures], value: Callable[[Figures], float | None]
) -> Sequence[Figures]:
    """The greatest first, and at the end those of which too little is known."""

    def place(each: Figures) -> tuple[bool, float]:
        known = value(each)
        return known is None, -(known or 0)

    return sorted(lines, key=place)


def _headline(whole: Figures, speech: Speech) -> tuple[tuple[str, str], ...]:
    """The figures of all of it, each with its name."""

    def say(key: str, **given: object) -> str:
        return speech.say("statistics", key, **given)

    def rate(value: float | None) -> str:
        return say("none") if value is None else speech.decimal(value)

    half = say("none") if whole.median_s is None else speech.seconds(whole.median_s)
    p90 = say("none") if whole.p90_s is None else speech.seconds(whole.p90_s)
    share = whole.dismissed_share
    return (
        (say("hands"), speech.whole(whole.hands)),
        (say("irregular"), speech.whole(whole.irregular)),
        (say("irregular-rate"), rate(whole.per_1000)),
        (
            say("dismissed"),
            say("none") if share is None else say("percent", count=speech.decimal(100 * share)),
        ),
        (say("asked-rate"), rate(whole.asked_per_1000)),
        (say("half"), half),
        (say("p90"), p90),
        (say("pace"), rate(whole.hands_per_hour)),
    )


def _dealers(lines: Sequence[Figures], speech: Speech) -> Table:
    def say(key: str, **given: object) -> str:
        return speech.say("statistics", key, **given)

    heads = (say("dealer"), say("hands"), say("irregular"), say("asked"), say("irregular-rate"))
    return Table(
        heads,
        tuple(
            (
                each.name,
                speech.whole(each.hands),
                speech.whole(each.irregular),
                speech.whole(each.asked),
                say("few-hands", hands=each.hands)
                if each.per_1000 is None
                else speech.decimal(each.per_1000),
            )
            for each in lines
        ),
    )
