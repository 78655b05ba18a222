"""What of a game is kept between two hands, and going on from that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

import msgspec

from controller.contract.observations import DeckCheck, Gone, Seen
from controller.engine.situation import Situation
from controller.engine.state import EngineState
from controller.hand.resolver import Resolver
from controller.rules.button import Positions


def state(now: Situation) -> EngineState | None:
    """What is carried on to the next hand; None while one is running or before the first `table`
    record."""
    setup = now.setup
    if setup is None or now.table is None or now.running() or now.under_way:
        return None
    place = setup.positions
    return EngineState(
        table=msgspec.structs.replace(
            now.table,
            seats=tuple(setup.seats[s] for s in sorted(setup.seats)),
            blinds=setup.blinds,
            posts=setup.posts,
            under_way=False,
            routine=setup.routine,
            timing=setup.next_timing,
        ),
        hands=now.last_number,
        t=now.t,
        positions=None if place is None else (place.button, place.small, place.big),
        more_bigs=() if place is None else place.more,
        ahead=setup.ahead,
        next_blinds=setup.next_blinds,
        redeal=now.redeal,
        is_open=now.is_open,
        dealer=setup.dealer,
        unread_until={z: None if t == inf else t for z, t in setup.unread_until.items()},
        decided=now.decided,
        disputed=now.disputes.open,
        short_deck=now.short_deck.open,
        trust=setup.trust,
        belief=setup.belief,
        rates=setup.rates,
        chips=setup.chips,
        instead=setup.instead,
        before=setup.before if now.redeal else None,
        between=now.between,
        awarded=now.awarded,
        told=setup.told,
        undealt=now.undealt,
        award_t=None if now.award_t == -inf else now.award_t,
    )


def restore(
    now: Situation,
    state: EngineState,
    deck: Mapping[str, str] | None,
    lying: Iterable[Seen | Gone],
    resting: Iterable[str] = (),
) -> None:
    """Goes on from a state, with this deck in play, the decks of other tags `resting`, and these
    tags on the table."""
    now.disputes.open = ()  # these come again with the state
    now.set_up(msgspec.structs.replace(state.table, deck=None if deck is None else dict(deck)))
    now.resolver = Resolver(deck, state.table.objects, resting)
    setup = now.setup
    if setup is None:
        return
    now.last_number, now.t = state.hands, state.t
    if state.positions is not None:
        setup.positions = Positions(*state.positions, state.more_bigs)
    setup.ahead = state.ahead
    setup.dealer = state.dealer
    setup.unread_until = {z: inf if t is None else t for z, t in state.unread_until.items()}
    setup.next_blinds = state.next_blinds
    now.redeal, now.is_open, now.decided = state.redeal, state.is_open, state.decided
    now.disputes.open = state.disputed
    now.short_deck.restore(state.short_deck, state.hands + 1, setup.book)
    setup.trust, setup.belief, setup.rates = state.trust, state.belief, state.rates
    setup.chips, setup.instead, setup.before = state.chips, state.instead, state.before
    now.between, now.awarded, setup.told = state.between, state.awarded, state.told
    now.undealt = state.undealt
    now.award_t = -inf if state.award_t is None else state.award_t
    for read in lying:
        if isinstance(read, Seen):
            now.places.seen(read.tag, read.zone, read.t)
        else:
            now.places.gone(read.tag, read.zone, read.t)
    now.first_cards.hand_over(now.places)


def pending(now: Situation) -> tuple[DeckCheck, ...]:
    """What has been observed and waits for the next hand, to be told to an engine that is
    restored."""
    return () if now.checked is None else (DeckCheck(t=now.t, tags=now.checked),)


def lying(now: Situation) -> list[Seen | Gone]:
    """The tags on the table as readings, for a state that is kept; those that may just be leaving
    it too. What was not told of after a gap does not lie there for the next hand."""
    there = (placed for placed in now.places.lying() if placed[:2] not in now.stale)
    seen = [Seen(t, zone, tag) for tag, zone, t in there]
    return [*seen, *(Gone(t, zone, tag) for tag, zone, t in now.places.leaving())]
