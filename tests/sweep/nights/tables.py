"""Tells a night as a table log, people's habits in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from tests.sweep.hands import Beat
from tests.sweep.nights.evening import Deal, Night, Sat
from tests.sweep.nights.people import Habit
from tests.sweep.telling import Line, Teller, Variant

STATUS = {"bust": "empty", "left": "empty", "came": "seated"}
WAITS = "waiting"


def log_of(
    night: Night,
    habits: Sequence[Habit] = (),
    *,
    variant: Variant | None = None,
    book: str = "roberts",
) -> tuple[list[Line], int]:
    """The night's lines in the order of `t`, and how many slips there are in them."""
    rng = Random(f"telling {night.number}")
    teller = Teller(variant or Variant(), rng, book)
    first = night.deals[0]
    teller.table(first.hand, button=first.button)
    puck = first.button
    for deal in night.deals:
        if deal is not first:
            teller.tell([*_between(deal)])
        if teller.variant.puck and puck != deal.button:
            teller.move_puck(puck, deal.button)
            puck = deal.button
        teller.tell([*_beats(deal)])
    log = teller.finish()
    slips = 0
    for habit in habits:
        slips += habit(Random(f"{night.number} {slips}"), log)
        log.sort(key=lambda line: line.get("t", -1.0))
    for line in log:
        if line["kind"] != "gap":
            line.pop("why", None)
    return log, slips


def _beats(deal: Deal) -> Iterable[Beat]:
    """A hand that is thrown away at the showdown goes to the muck, and nobody presses."""
    for beat in deal.hand.beats:
        if beat.street != "muck":
            yield beat
            continue
        for card in (b.tag for b in deal.hand.beats if b.what == "pitch" and b.seat == beat.seat):
            yield Beat("line", wait=0.2, line={"kind": "gone", "tag": card})
            yield Beat("line", wait=0.1, line={"kind": "seen", "zone": "muck", "tag": card})


def _between(deal: Deal) -> Iterable[Beat]:
    for sat in deal.before:
        yield Beat("line", wait=1.0, line=_told(sat))
    if deal.level is not None:
        small, big = deal.level
        yield Beat("line", wait=1.0, line={"kind": "level", "small": small, "big": big})


def _told(sat: Sat) -> Line:
    status = WAITS if sat.waits else STATUS[sat.why]
    line: Line = {"kind": "seat", "seat": sat.seat, "status": status, "why": sat.why}
    return {**line, "stack": sat.stack} if sat.why == "came" else line
