"""Cards that do not belong: `joker`, `foreign-card`, `foreign-card-in-stub`, `duplicate-card`,
`missing-card`.

RR7-IRR-8, RR7-IRR-9, RR7-DEAD-1e: a joker is replaced, or kills the hand that acted on it.
RR7-IRR-3: a card from another deck voids the hand unless it is only in the stub. RR7-IRR-4: so does
a duplicate card; a player who knew of it and bet on may lose the refund (RR7-IRR-5). RR7-IRR-10:
with a card missing the result of a hand stands; a deck known to be short is not dealt. NL10-MIS-09
finds or replaces the card before any betting. UK and TDA 2009 are silent.

If every card of the hand is unknown, it is not one stray card but a different deck, about which the
books only say when decks are changed (RR7-PROC-22, UK-24, TDA09-17, NL10-HR-15). The hand stands;
its cards just can't be watched.

A tag says what the table knows about it, not what is printed on the card: an unknown tag counts as
a card from another deck even if it was only registered wrongly, and with two tags for one card the
faces are checked before anything is undone. A card without a tag is never read. That a deck is a
card short only shows where a deck reader checks it before the shuffle.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules.deal_rule import DealRule, ScrapRule
from controller.rules.faced import Faces
from controller.rules.hand import (
    BoardCard,
    BurnCard,
    Discarded,
    EarlyCard,
    Hand,
    HoleCard,
    OpenFinding,
)
from controller.rules.irregularity import Amiss
from controller.rules.replacing import Replacing
from controller.rules.watcher import Lookout, Watcher

CODE = "foreign-card"
IN_STUB = "foreign-card-in-stub"
WHOLE_DECK = "whole-deck"
NEXT_CARD = 2.0
"""Seconds for which a first card that is a stranger waits for the next one: a deal's pause."""


class WrongCard(DealRule):
    """An irregularity in what a tag turns out to be."""


class InStub(DealRule):
    """The irregularity `foreign-card-in-stub`."""

    zone = "stub"


class Joker(ScrapRule):
    """The irregularity `joker`."""


class MissingCard(DealRule):
    """The irregularity `missing-card`: before the deal the deck is made complete."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__("missing-card", "before-deal", "dealt")

    def moment(self, hand: Hand, finding: OpenFinding) -> frozenset[str]:
        """Also whether cards have been dealt."""
        return super().moment(hand, finding) | {"dealt" if hand.dealt else "before-deal"}


WRONG_CARD = (
    Joker("joker"),
    WrongCard(CODE, WHOLE_DECK, "on-board"),
    InStub(IN_STUB),
    WrongCard("duplicate-card"),
    MissingCard(),
)


class Strangers(Watcher):
    """Tells what strange cards there are in one hand: a single one, one in the stub, or another
    deck.

    The first card dealt does not tell one from the other, so it waits for the next one. A hand of
    which every card is a stranger is dealt with a deck that this table does not know: that is one
    finding, whatever else comes of it.
    """

    code = CODE

    def __init__(self, lookout: Lookout) -> None:
        """None is known yet."""
        super().__init__(lookout)
        self._tags: list[str] = []
        self._in_stub: set[str] = set()
        self._told_deck = False
        self.has_own = False
        """Whether a card of the deck in play has been dealt."""

    def own(self) -> None:
        """The first card of the deck in play has come: those that came before it are strangers
        among them."""
        self.has_own = True
        waits = self._doubts.has(CODE)
        self._doubts.forget(CODE)
        known = self._finding()
        if known is not None and not self._tags:
            self._judge.close(known, "remedied", self._now.t)
        elif waits or (known is not None and self._told_deck):
            self._give_way(CODE)
            self._claim(CODE, self._seats(), tags=tuple(self._tags))
        self.in_stub()

    def is_dealt(self, tag: str, *facts: str) -> None:
        """A stranger has come into play, of which this was so. One of a deck that rests is only
        cleared away where it comes to the muck."""
        if self._kinds.is_resting(tag) and self._hand.roles.get(tag) == Discarded():
            return
        self._tags.append(tag)
        known = self._finding()
        if self._told_deck:
            return
        if self.has_own:
            if known is None or (facts and not known.facts.issuperset(facts)):
                self._claim(CODE, self._seats_of((tag,)), *facts, tags=(tag,))
            else:
                self._judge.widen(known, self._seats_of((tag,)), (tag,), self._now.t)
        elif len(self._tags) == 1:
            amiss = Amiss(self._now.t, CODE, tuple(self._seats()), tags=(tag,))
            self._doubts.add(amiss, self._now.t + NEXT_CARD)
        else:
            self.is_other_deck()

    def is_other_deck(self) -> None:
        """The whole deck is another one, or so the deck check says."""
        if self._told_deck or self.has_own or not self._judge.watching:
            return
        self._told_deck = True
        self._doubts.forget(CODE)
        known = self._finding()
        if known is not None:
            self._judge.close(known, "remedied", self._now.t)
        self._claim(CODE, [], WHOLE_DECK, tags=tuple(self._tags))

    def deck_changed(self) -> None:
        """Before the first card another deck came into play: it is that one's hand."""
        known = self._finding()
        if known is not None:
            self._judge.close(known, "remedied", self._now.t)
        self._doubts.forget(CODE)
        self._told_deck = False
        self._tags = []

    def in_stub(self) -> None:
        """What lies in the stub may have changed. A deck that rests may lie there whole."""
        if not self.has_own or not self._judge.watching:
            return
        kinds = {tag: self._kinds.classify(tag) for tag in self._lying.on("stub")}
        is_stub = "card" in kinds.values()
        strange = [
            tag
            for tag, kind in kinds.items()
            if kind == "foreign" and (is_stub or not self._kinds.is_resting(tag))
        ]
        new = [tag for tag in strange if tag not in self._in_stub]
        self._in_stub.update(strange)
        if new and self._hand.open_finding(IN_STUB) is None:
            self._claim(IN_STUB, [], tags=(new[0],))

    def let_be(self, finding: OpenFinding, outcome: str) -> None:
        """One that was scrap plays, as the floor says."""
        if outcome == "stands":
            self._hand.play_scraps(finding.tags)

    def _seats(self) -> list[int]:
        """The seats that have strangers, in the order in which they came."""
        return self._seats_of(self._tags)

    def _seats_of(self, tags: Iterable[str]) -> list[int]:
        roles = (self._hand.roles.get(tag) for tag in tags)
        return [role.seat for role in roles if isinstance(role, HoleCard)]


class WrongCards(Watcher):
    """Looks at each card as it comes into play."""

    code = "duplicate-card"

    def __init__(
        self, lookout: Lookout, *, replacing: Replacing, strangers: Strangers, faces: Faces
    ) -> None:
        """`strangers` knows what is of no deck in play, `faces` which cards were named before they
        were read."""
        super().__init__(lookout)
        self._replacing = replacing
        self._strangers = strangers
        self._faces = faces

    def look_at(self, tag: str) -> None:
        """A card has come into play: does it belong there?"""
        if not self._judge.watching:
            return
        kind, twins = self._kinds.classify(tag), self._kinds.twins(tag)
        if kind != "foreign" and not self._strangers.has_own:
            self._strangers.own()
        if kind == "card" and not twins and not self._faces.awaits:
            return
        hand = self._hand
        role = hand.roles.get(tag)
        seats = [role.seat] if isinstance(role, HoleCard) else []
        if seats and self._faces.awaits_card(tag):
            self._faces.read_at_last(tag, seats[0])
        on_board = ("on-board",) if isinstance(role, BoardCard | BurnCard | EarlyCard) else ()
        if kind == "joker":
            self._claim("joker", seats, *on_board, tags=(tag,))
            self._replacing.owe(seats, tag)
        elif kind == "foreign":
            self._strangers.is_dealt(tag, *on_board)
        else:
            twins = tuple(t for t in twins if t in hand.roles)
            if twins and hand.open_finding("duplicate-card") is None:
                both = [hand.roles[t] for t in (tag, *twins)]
                at = [r.seat for r in both if isinstance(r, HoleCard)]
                self._claim("duplicate-card", at, tags=(tag, *twins))
