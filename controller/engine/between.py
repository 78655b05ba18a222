"""Between two hands: the deck that was checked, and what the dealer's routine asks for."""

from __future__ import annotations

import msgspec

from controller.contract.events import Prompt
from controller.engine.situation import Situation
from controller.rules.between_hands import CHANGE_DECK
from controller.rules.routine import is_told


def say_due(now: Situation, t: float) -> None:
    """What the dealer's routine asks for between two hands."""
    setup = now.setup
    if setup is None or now.running() is not None:
        return
    due, now.between = now.between.due, msgspec.structs.replace(now.between, due=())
    for text_id in due:
        if text_id == CHANGE_DECK and not now.resolver.resting:
            continue
        if is_told(text_id, setup.book, setup.routine):
            now.emit(Prompt(t, now.number(), text_id, {}))


def check_deck(now: Situation, t: float) -> None:
    """A check belongs to the hand that begins next, or to the one that has only begun; one of the
    other deck waits until that is in play. A deck that is unknown may still come into play until
    the hand begins."""
    setup, watch, tags = now.setup, now.running(), now.checked
    if setup is None or tags is None or (watch is not None and watch.hand.dealt):
        return
    if not now.resolver.is_of_this_deck(tags):
        if watch is not None and now.resolver.is_of_no_deck(tags):
            now.checked = None
            watch.other_deck(t)
        return
    now.checked = None
    is_short = now.resolver.missing(tags) > 0
    if watch is not None:
        watch.deck_checked(is_short=is_short, t=t)
    elif not is_short:
        now.short_deck.close("remedied", t)
    elif now.is_open and not now.under_way:
        now.short_deck.is_short(now.number(), setup.book, t)
