"""What comes by itself to what the dealer is looking at: a new view, time, a lost connection. Pure.

Each returns the next state.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.events import REMEDY_QUESTIONS
from controller.contract.sight import DISMISSALS
from controller.contract.view import FindingView, TableView
from display.dealer.floor_taps import floor_arrived
from display.dealer.looking import Looking, Notice, State, in_order, opened, waits
from display.dealer.rule_taps import OF_THE_RULES
from display.dealer.wager_taps import ANSWERED, OF_A_WAGER, answer_to

MUTED_S = 600.0
NOTICED_S = 8.0
# What is asked about a moment of the hand, about the hand, and what waits for a new finding.
OF_THE_PHASE = OF_A_WAGER | {*("misdeal", "tabled", "amount")}
OF_THE_HAND = OF_A_WAGER | {*("seat", "exposed-card", "boxed", "boxed-card", "unwatched", "deck")}
GIVES_WAY = OF_THE_HAND | OF_THE_RULES | {*("more", "sign-in", "amount", "sensors", "naming")}


def arrived(looking: Looking, old: TableView | None, view: TableView, now: float) -> Looking:
    """Take in a new view. A finding of priority 1 or 2 opens its card by itself, once."""
    findings = in_order(view)
    states = frozenset(_state(view, one) for one in findings)
    current = opened(view, looking)
    shown = current.id if current is not None else None
    if current is not None and waits(view, current) and _state(view, current) not in looking.met:
        shown = current = None
    for one in findings:
        is_new = _state(view, one) not in looking.met and one.priority < 3 and not waits(view, one)
        if is_new and (current is None or one.priority < current.priority):
            shown = one.id
            break
    if shown is None and looking.opened is not None:
        asks = (one.id for one in findings if one.priority < 3 and not waits(view, one))
        shown = next(asks, None)
    asking = looking.asking
    same_hand = old is not None and old.hand == view.hand
    same_phase = same_hand and old is not None and old.phase == view.phase
    if (
        (asking in ("dismiss", "floor-rule", "why") and shown != looking.opened)
        or (asking in OF_THE_PHASE and not same_phase)
        or (asking in OF_THE_HAND and not same_hand)
        or (asking in GIVES_WAY and shown not in (None, looking.opened))
        or (asking in ANSWERED and answer_to(looking, old) and not answer_to(looking, view))
    ):
        asking = ""
    floor_at = looking.floor_at
    if old is None or old.floor != view.floor:
        floor_at = now if view.floor else None
    numbers = [seat.seat for seat in view.seats]
    seen = replace(
        looking,
        opened=shown,
        met=states,
        asking=asking,
        calling=looking.calling and not view.floor,
        floor_at=floor_at,
        told_at=looking.told_at if old is not None and old.routine == view.routine else now,
        undoable=looking.undoable and old is not None and old.hand == view.hand,
        seats=max(looking.seats, view.button, *numbers),
        notice=_noticed(old, view, now) or looking.notice,
    )
    return floor_arrived(seen, view)


def _state(view: TableView, finding: FindingView) -> State:
    """What a finding opens its card for once more: graver, certain, or its remedy asked about; or
    it waits for the betting, or does not any more."""
    first = finding.ruling.steps[0].id
    what = first if first in REMEDY_QUESTIONS else finding.basis
    return finding.id, finding.priority, what, waits(view, finding)


def _noticed(old: TableView | None, view: TableView, now: float) -> Notice | None:
    """What has just been dismissed once more means this."""
    if old is None:
        return None
    silent = {one.zone for one in old.silent}
    for one in view.silent:
        if one.code is None and one.zone is not None and one.zone not in silent:
            return Notice(one.zone, 0, now + NOTICED_S)
    before = dict(old.doubted)
    for zone, count in view.doubted:
        if before.get(zone, 0) < count < DISMISSALS:
            return Notice(zone, DISMISSALS - count, now + NOTICED_S)
    return None


def passed(looking: Looking, now: float) -> Looking:
    """Take in that it is `now`: a notice has been read, a mute is over."""
    if looking.notice is not None and now >= looking.notice.until:
        looking = replace(looking, notice=None)
    if looking.muted and looking.muted_until is None:
        looking = replace(looking, muted_until=now + MUTED_S)
    if looking.muted_until is not None and now >= looking.muted_until:
        looking = replace(looking, muted=False, muted_until=None)
    return looking


def lost(looking: Looking) -> Looking:
    """Take in that the connection is gone: a call for the floor may not have arrived."""
    return replace(looking, calling=False)
