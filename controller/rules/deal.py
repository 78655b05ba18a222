"""Reading a deal as a whole: which pitch went where, who was passed over, what was not read.

HPT-DEAL-03, HPT-PLAY-03: one card to each live seat, clockwise from left of the button, twice.
UK-33B, TDA09-27c, RR7-MISDEAL-1e: the button may get two running; NL10-MIS-02 is strict.

A dealer pitches in a rhythm. A card that was dealt and not read leaves a gap of a pitch in it, a
seat that was passed over leaves none: that is what tells the two apart. Cards that came closer
together than the order window have no certain order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from controller.rules.procedure import HOLE_CARDS

USUAL_PITCH = 0.6
"""Seconds between two pitches where a deal is too short to show its own rhythm."""


TOO_CLOSE = 1 / 3
"""Of the rhythm: nobody pitches two cards in so short a time."""

NO_GAP = 0.4
"""Of the rhythm: where less than this is left beside the cards that were read, none was dealt
between them."""

FEW = 3
"""Cards that do not show a rhythm."""


@dataclass(frozen=True, slots=True)
class Pitch:
    """A hole card at `t` came to `seat`; `also` is a neighbour whose antenna reads it too."""

    t: float
    seat: int
    also: int | None = None


@dataclass(slots=True)
class Reading:
    """What a deal looks like.

    `passed` are seats that were passed over in mid-deal and have not got the card, `short` the
    seats whose missing card would still come in sequence, `unread` those whose missing card was
    dealt and not read. `late` got a card after others that should have come later, `afterwards`
    after the last card of the deal. A card at each of these seats that was not read would explain
    `late` otherwise (`hidden`; None: nothing would). `surplus` are the indexes of pitches for which
    no card was due.
    """

    passed: list[int] = field(default_factory=list)
    short: list[int] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    afterwards: list[int] = field(default_factory=list)
    surplus: list[int] = field(default_factory=list)
    hidden: tuple[int, ...] | None = None
    last_due: int = -1

    @property
    def is_in_line(self) -> bool:
        """Whether no seat was passed over, and none got a card out of its turn or too many."""
        return not (self.passed or self.late or self.afterwards or self.surplus)

    @property
    def is_full(self) -> bool:
        """Whether every seat has its cards, as far as they could be read."""
        return not (self.passed or self.short)


def read_deal(
    order: Sequence[int],
    pitches: Sequence[Pitch],
    *,
    window: float,
    two_to_button: bool,
    blind: Collection[int] = (),
) -> Reading:
    """Holds the pitches, in the order of `t`, against the deal that begins with `order[0]` and
    ends on the button, `order[-1]`.

    `window` in seconds; `two_to_button` says whether the book lets the button have two running;
    the seats in `blind` have no reader at the moment.
    """
    slots = list(order) * HOLE_CARDS
    twice = _given_twice(slots, [pitch.seat for pitch in pitches])
    if twice is not None:
        return _without(twice, order, pitches, window=window, two_to_button=two_to_button)
    filled: list[int | None] = [None] * len(slots)
    had_time: set[int] = set()
    no_time: set[int] = set()
    before_all: set[int] = set()
    passed_at: dict[int, float] = {}
    reading = Reading()
    rhythm = _rhythm(pitches)
    in_line: float | None = None
    late: list[tuple[int, int, int]] = []
    at = 0
    for index, pitch in enumerate(pitches):
        while at < len(slots) and filled[at] is not None:
            at += 1
        seat = pitch.seat
        if pitch.also is not None and at < len(slots) and slots[at] == pitch.also:
            seat = pitch.also
        due = [k for k, owner in enumerate(slots) if owner == seat and filled[k] is None]
        running = (
            two_to_button and seat == order[-1] and index > 0 and pitches[index - 1].seat == seat
        )
        if not due:
            reading.surplus.append(index)
            continue
        slot = at if at in due else due[0]
        filled[slot] = index
        reading.last_due = index
        if slot < at:
            in_time = slot in before_all or slot in had_time
            in_time = in_time or pitch.t - passed_at.get(slot, pitch.t) < window
            in_time = in_time or _is_no_pitch(index, pitches, rhythm)
            if not (in_time or running):
                after_the_last = filled[-1] is not None
                (reading.afterwards if after_the_last else reading.late).append(seat)
                quick = (pitch.t - (in_line or pitch.t)) / _rhythm(pitches, quick=True)
                late.append((int(quick + 0.5), slot, at))
        elif slot > at and not running:
            skipped = [k for k in range(at, slot) if filled[k] is None]
            seen = [k for k in skipped if slots[k] not in blind]
            if in_line is None:
                before_all.update(skipped)
            elif int((pitch.t - in_line) / rhythm + 0.5) - 1 >= len(seen):
                had_time.update(skipped)
            elif (pitch.t - in_line) / rhythm < len(seen) + NO_GAP and len(pitches) > FEW:
                no_time.update(skipped)
            for k in skipped:
                passed_at[k] = pitch.t
            at = slot
        if slot >= at:
            in_line = pitch.t
    dealt_out = {slots[k] for k in no_time if filled[k] is None}
    had_time |= {k for k in before_all if slots[k] not in dealt_out}
    _sort_missing(reading, slots, filled, had_time, blind)
    ways = [_hidden(*how, slots, filled) for how in late]
    reading.hidden = None if None in ways else tuple(s for way in ways for s in way or ())
    return reading


def _hidden(
    pitches: int, slot: int, at: int, slots: Sequence[int], filled: Sequence[int | None]
) -> list[int] | None:
    """At which seats a card was not read if the one that seems to come late for its `slot`, when
    that `at` was due, is the same seat's next one; None if that one has come as well, or there was
    only time for so many `pitches` since the one before."""
    missing = [k for k, index in enumerate(filled) if index is None]
    later = next((k for k in missing if k >= at and slots[k] == slots[slot]), None)
    between = [slots[k] for k in missing if at <= k < (later or 0)]
    return None if later is None or len(between) >= pitches else [slots[slot], *between]


def _is_no_pitch(index: int, pitches: Sequence[Pitch], rhythm: float) -> bool:
    """Whether a card came so close to another that it was pitched before and read late."""
    t = pitches[index].t
    beside = (*pitches[max(0, index - 1) : index], *pitches[index + 1 : index + 2])
    return any(abs(other.t - t) < rhythm * TOO_CLOSE for other in beside)


def _given_twice(slots: Sequence[int], seats: Sequence[int]) -> int | None:
    """The index of a card that went to a seat right after that seat's own, where the deal is in
    line but for it. (Two running to the button are another matter.)"""
    for index, (seat, again) in enumerate(pairwise(seats), start=1):
        if seat == again != slots[-1]:
            rest = [*seats[:index], *seats[index + 1 :]]
            if index + 1 < len(seats) and rest == list(slots[: len(rest)]):
                return index
    return None


def _without(
    index: int,
    order: Sequence[int],
    pitches: Sequence[Pitch],
    *,
    window: float,
    two_to_button: bool,
) -> Reading:
    """Reads the deal as if one card had not come, which is one too many."""
    rest = [*pitches[:index], *pitches[index + 1 :]]
    reading = read_deal(order, rest, window=window, two_to_button=two_to_button)
    reading.surplus.append(index)
    reading.last_due = len(rest)
    return reading


def _sort_missing(
    reading: Reading,
    slots: Sequence[int],
    filled: Sequence[int | None],
    had_time: Collection[int],
    blind: Collection[int],
) -> None:
    """A seat of which one card was not read may have another that was not."""
    missing = [k for k, index in enumerate(filled) if index is None]
    misses = {slots[k] for k in missing if k in had_time} | set(blind)
    last = max((k for k, index in enumerate(filled) if index is not None), default=-1)
    for k in missing:
        if slots[k] in misses:
            reading.unread.append(slots[k])
        elif k < last:
            reading.passed.append(slots[k])
        else:
            reading.short.append(slots[k])


def _rhythm(pitches: Sequence[Pitch], *, quick: bool = False) -> float:
    """Seconds from pitch to pitch: the lower median, since unread cards make gaps longer; or that
    of the `quick` ones, where many may be unread."""
    gaps = sorted(b.t - a.t for a, b in pairwise(pitches))
    if len(gaps) < 3:
        return USUAL_PITCH
    return max(gaps[(len(gaps) - 1) // (4 if quick else 2)], 0.1)
