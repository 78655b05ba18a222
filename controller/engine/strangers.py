"""Cards that are not of the deck in play: a single one, one in the stub, or another deck.

The first card dealt does not tell one from the other, so it waits for the next one. A hand of
which every card is a stranger is dealt with a deck that this table does not know: that is one
finding, whatever else comes of it.
"""

from __future__ import annotations

from controller.engine.claims import Claims
from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.resolver import Resolver
from controller.engine.walk import Walk
from controller.rules.hand import Discarded, HoleCard
from controller.rules.irregularity import Amiss

CODE = "foreign-card"
IN_STUB = "foreign-card-in-stub"
WHOLE_DECK = "whole-deck"
NEXT_CARD = 2.0
"""Seconds for which a first card that is a stranger waits for the next one: a deal's pause."""


class Strangers:
    """Tells what strange cards there are in one hand."""

    def __init__(
        self, walk: Walk, judge: Judge, claims: Claims, resolver: Resolver, places: Places
    ) -> None:
        """`resolver` knows what kind of thing a tag is, `places` what lies in the stub."""
        self._walk = walk
        self._hand = walk.hand
        self._judge = judge
        self._claims = claims
        self._resolver = resolver
        self._places = places
        self._tags: list[str] = []
        self._in_stub: set[str] = set()
        self._told_deck = False
        self.has_own = False
        """Whether a card of the deck in play has been dealt."""

    def own(self) -> None:
        """The first card of the deck in play has come: those that came before it are strangers
        among them."""
        self.has_own = True
        waits = bool(self._judge.doubts_of(CODE))
        self._judge.forget(CODE)
        known = self._hand.open_finding(CODE)
        if known is not None and not self._tags:
            self._judge.close(known, "remedied", self._walk.t)
        elif waits or (known is not None and self._told_deck):
            self._claims.give_way(CODE)
            self._claims.establish(CODE, self._seats(), tags=tuple(self._tags))
        self.in_stub()

    def came(self, tag: str) -> None:
        """A stranger has come into play. One of a deck that rests is only cleared away where it
        comes to the muck."""
        if self._resolver.is_resting(tag) and self._hand.roles.get(tag) == Discarded():
            return
        self._tags.append(tag)
        known = self._hand.open_finding(CODE)
        if self._told_deck:
            return
        if self.has_own:
            if known is None:
                self._claims.establish(CODE, self._seats()[-1:], tags=(tag,))
        elif len(self._tags) == 1:
            amiss = Amiss(self._walk.t, CODE, tuple(self._seats()), tags=(tag,))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + NEXT_CARD))
        else:
            self.is_other_deck()

    def prove(self, amiss: Amiss) -> None:
        """No other card has come: there is only this one."""
        self._judge.establish(amiss, self._walk.t)

    def is_other_deck(self) -> None:
        """The whole deck is another one, or so the deck check says."""
        if self._told_deck or self.has_own or not self._judge.watching:
            return
        self._told_deck = True
        self._judge.forget(CODE)
        known = self._hand.open_finding(CODE)
        if known is not None:
            self._judge.close(known, "remedied", self._walk.t)
        self._claims.establish(CODE, [], WHOLE_DECK, tags=tuple(self._tags))

    def deck_changed(self) -> None:
        """Before the first card another deck came into play: it is that one's hand."""
        known = self._hand.open_finding(CODE)
        if known is not None:
            self._judge.close(known, "remedied", self._walk.t)
        self._judge.forget(CODE)
        self._told_deck = False
        self._tags = []

    def in_stub(self) -> None:
        """What lies in the stub may have changed. A deck that rests may lie there whole."""
        if not self.has_own or not self._judge.watching:
            return
        kinds = {tag: self._resolver.classify(tag) for tag in self._places.on("stub")}
        is_stub = "card" in kinds.values()
        strange = [
            tag
            for tag, kind in kinds.items()
            if kind == "foreign" and (is_stub or not self._resolver.is_resting(tag))
        ]
        new = [tag for tag in strange if tag not in self._in_stub]
        self._in_stub.update(strange)
        if new and self._hand.open_finding(IN_STUB) is None:
            self._claims.establish(IN_STUB, [], tags=(new[0],))

    def _seats(self) -> list[int]:
        """The seats that have strangers, in the order in which they came."""
        roles = (self._hand.roles.get(tag) for tag in self._tags)
        return [role.seat for role in roles if isinstance(role, HoleCard)]
