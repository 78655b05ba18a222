"""Figures of antennas as a table, as a line, as JSON. Pure; what can't be told is a dash."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from controller.install.doctor.readers import spoken
from controller.install.tuning.meter import MANY, RECENT_S, Figures

_HEAD = (
    "antenna", "now", "cycle", *(str(n) for n in range(MANY)), f"{MANY}+",
    "missed", "gap", "fail", "coll", "retry", "err",
)  # fmt: skip
_WIDTHS = (8, 4, 6, *[4] * (MANY + 1), 7, 6, 5, 5, 6, 5)
LEGEND = """\
now: cards read   cycle: seconds from scan to scan   0 … 5+: % of scans with so many cards
missed: % of a card's scans that did not read it   gap: the longest time it was not read, seconds
fail: scans that failed   coll: answers torn or on top of each other   retry: field switched on
again beside another's   err: reader that did not answer the board   –: can't be told"""


def table(figures: Sequence[Figures]) -> list[str]:
    """Lines of a table, its head first."""
    return [_row(_HEAD), *(_row(_cells(each)) for each in figures)]


def screen(
    figures: Sequence[Figures],
    troubles: Sequence[str],
    title: str,
    seconds: float,
    size: tuple[int, int],
) -> list[str]:
    """What is shown while it runs, on a terminal of so many columns and lines; `troubles` are what
    is wrong with devices, in words."""
    columns, lines = size
    head = f"{title}, {clock(seconds)}. The last {RECENT_S:.0f} s; Ctrl-C ends it and sums it up."
    rows = [*troubles, *table(figures)]
    room = lines - 1
    below = ["", *LEGEND.splitlines()]
    if 2 + len(rows) > room:
        left = 2 + len(rows) - room + 1
        rows = [*rows[: len(rows) - left], f"… {left} more: make the window taller"]
    if 2 + len(rows) + len(below) > room:
        below = []
    return [line[:columns] for line in (head, "", *rows, *below)]


def line(figures: Sequence[Figures], seconds: float) -> str:
    """One line, of the antennas that read something or fail."""
    told = [_said(each) for each in figures if each.tags or each.reads or each.failed]
    silent = [spoken(each.zone) for each in figures if each.tags is None and not each.failed]
    if silent:
        told.append(f"{', '.join(silent)}: silent")
    return f"{clock(seconds)}  " + ("; ".join(told) or "no card is read")


def summary(figures: Sequence[Figures], seconds: float) -> list[str]:
    """What it came to."""
    slowest: dict[str, float] = {}
    for each in figures:
        cycle_s = each.slowest_cycle_s or 0.0
        slowest[each.port] = max(slowest.get(each.port, 0.0), cycle_s)
    cycles = [f"{port}: slowest cycle {s:.2f} s" for port, s in slowest.items() if s]
    below = ["", *cycles, "", *LEGEND.splitlines()]
    return [f"In {clock(seconds)} min:", "", *table(figures), *below]


def as_json(kind: str, figures: Sequence[Figures], troubles: Sequence[str], seconds: float) -> str:
    """A line of JSON; `kind` is `now` or `summary`."""
    antennas = [
        {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in {
                **msgspec.structs.asdict(each),
                "missed_share": each.missed_share,
            }.items()
        }
        for each in figures
    ]
    told = {
        "kind": kind,
        "seconds": round(seconds, 3),
        "antennas": antennas,
        "troubles": list(troubles),
    }
    return msgspec.json.encode(told).decode()


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def _said(each: Figures) -> str:
    cards = "fails" if each.tags is None else f"{each.tags} card{'s'[: each.tags != 1]}"
    facts = [] if each.cycle_s is None else [f"cycle {_seconds(each.cycle_s)} s"]
    facts += [] if each.missed_share is None else [f"{_percent(each.missed_share)} % missed"]
    facts += [
        f"{count} {what}"
        for count, what in (
            (each.failed, "failed"),
            (each.collisions, "collisions"),
            (each.retries, "retries"),
            (each.errors, "errors"),
        )
        if count
    ]
    return f"{spoken(each.zone)}: {', '.join((cards, *facts))}"


def _cells(each: Figures) -> tuple[str, ...]:
    shares = (each.share(tags) for tags in range(MANY + 1))
    return (
        spoken(each.zone),
        _dash(each.tags),
        _seconds(each.cycle_s),
        *map(_percent, shares),
        _percent(each.missed_share, exact=True),
        _seconds(each.longest_gap_s or None),
        str(each.failed) if each.scans else "–",
        _dash(each.collisions),
        _dash(each.retries),
        _dash(each.errors),
    )


def _row(cells: Sequence[str]) -> str:
    first, *others = zip(cells, _WIDTHS, strict=True)
    return f"{first[0]:<{first[1]}}" + "".join(f"{cell:>{width}}" for cell, width in others)


def _dash(number: int | None) -> str:
    return "–" if number is None else str(number)


def _seconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds:.2f}"


def _percent(share: float | None, *, exact: bool = False) -> str:
    """Without the sign. Neither all nor none is said of what is nearly so."""
    if share is None:
        return "–"
    if exact:
        return f"{100 * share:.1f}"
    rounded = round(100 * share)
    if rounded in (0, 100) and 0 < share < 1:
        return "<1" if rounded == 0 else ">99"
    return str(rounded)
