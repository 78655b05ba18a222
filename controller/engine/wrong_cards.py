"""What the cards are: jokers, strangers and twins; exposed and boxed ones."""

from __future__ import annotations

from controller.engine.claims import Claims
from controller.engine.judge import Judge
from controller.engine.replacing import Replacing
from controller.engine.resolver import Resolver
from controller.engine.strangers import Strangers
from controller.engine.walk import Walk
from controller.rules.hand import BoardCard, HoleCard


class WrongCards:
    """Looks at each card as it comes into play, and hears what the dealer says of it."""

    def __init__(
        self,
        walk: Walk,
        judge: Judge,
        claims: Claims,
        resolver: Resolver,
        *,
        replacing: Replacing,
        strangers: Strangers,
    ) -> None:
        """`resolver` knows what kind of thing a tag is, `strangers` what is of no such kind."""
        self._walk = walk
        self._hand = walk.hand
        self._judge = judge
        self._claims = claims
        self._resolver = resolver
        self._replacing = replacing
        self._strangers = strangers
        self._order = list(self._hand.betting.players)
        self._exposed: list[tuple[int, int]] = []
        self._boxed: list[str] = []
        self._unread: set[str] = set()

    def look_at(self, tag: str) -> None:
        """A card has come into play: does it belong there?"""
        if not self._judge.watching:
            return
        kind, twins = self._resolver.classify(tag), self._resolver.twins(tag)
        if kind != "foreign" and not self._strangers.has_own:
            self._strangers.own()
        if kind == "card" and not twins and not self._unread:
            return
        hand = self._hand
        role = hand.roles.get(tag)
        seats = [role.seat] if isinstance(role, HoleCard) else []
        if seats and tag in self._unread:
            self._read_at_last(tag, seats[0])
        on_board = ("on-board",) if not seats else ()
        if kind == "joker":
            self._claims.establish("joker", seats, *on_board, tags=(tag,))
            self._replacing.owe(seats, tag)
        elif kind == "foreign":
            self._strangers.came(tag)
        else:
            twins = tuple(t for t in twins if t in hand.roles)
            if twins and hand.open_finding("duplicate-card") is None:
                both = [hand.roles[t] for t in (tag, *twins)]
                at = [r.seat for r in both if isinstance(r, HoleCard)]
                self._claims.establish("duplicate-card", at, tags=(tag, *twins))

    def exposed(self, seat: int | None, nth: int | None, tag: str | None) -> None:
        """The dealer exposed a hole card: the first or second off the deck, one other, or more."""
        hand = self._hand
        seat, nth, tag = self._find(seat, nth, tag)
        place = (seat or 0, nth or 0)
        if place in self._exposed or not self._judge.watching:
            return
        self._await(seat, tag)
        self._exposed.append(place)
        seats = [s for s, _ in self._exposed if s]
        if self._is_first_off_the_deck(*place):
            self._claims.give_way("exposed-card")
            if hand.open_finding("exposed-first-card") is None:
                self._claims.establish("exposed-first-card", [place[0]])
            return
        if hand.open_finding("exposed-first-card") or hand.open_finding("exposed-cards"):
            return
        if len(self._exposed) == 1:
            tags = (tag,) if tag else ()
            self._claims.establish("exposed-card", seats, tags=tags)
            self._replacing.owe_burn(tags)
            self._replacing.owe(seats, tag)
            return
        self._claims.give_way("exposed-card")
        self._claims.establish("exposed-cards", seats)

    def boxed(self, seat: int | None, nth: int | None, tag: str | None) -> None:
        """A card lay faced in the deck: it is scrap."""
        hand = self._hand
        seat, nth, tag = self._find(seat, nth, tag)
        name = tag or f"{seat}/{nth}/{len(self._boxed)}"
        if name in self._boxed or not self._judge.watching:
            return
        self._await(seat, tag)
        self._boxed.append(name)
        self._claims.give_way("boxed-card")
        facts = ("on-board",) if tag and isinstance(hand.roles.get(tag), BoardCard) else ()
        code = "boxed-card" if len(self._boxed) == 1 else "boxed-cards"
        if hand.open_finding(code) is None:
            self._claims.establish(code, [seat] if seat else [], *facts, tags=(tag,) if tag else ())
        self._replacing.owe([seat] if seat else [], tag)

    def _await(self, seat: int | None, tag: str | None) -> None:
        """A card may be named before any antenna has read it."""
        if seat is None and tag is not None and tag not in self._hand.roles:
            self._unread.add(tag)

    def _read_at_last(self, tag: str, seat: int) -> None:
        """A card that was named is read now: the finding is about this seat."""
        self._unread.discard(tag)
        finding = next((f for f in self._hand.findings if tag in f.tags), None)
        if finding is None:
            return
        _, nth, _ = self._find(seat, None, tag)
        if finding.code == "exposed-card":
            self._exposed = [(seat, nth or 0)]
            if self._is_first_off_the_deck(seat, nth or 0):
                self._claims.give_way("exposed-card")
                self._claims.establish("exposed-first-card", [seat])
                return
        self._judge.widen(finding, [seat], (), self._walk.t)
        self._replacing.owe([seat], tag)

    def _find(
        self, seat: int | None, nth: int | None, tag: str | None
    ) -> tuple[int | None, int | None, str | None]:
        """The card at a seat, by its number there or by its tag; the last one if neither is
        said."""
        for at in (seat,) if seat is not None else tuple(self._order):
            tags = [of for _, s, of in self._hand.dealt if s == at]
            if tag is not None and tag in tags:
                return at, tags.index(tag) + 1, tag
            if tag is None and at == seat:
                nth = nth or len(tags) or 1
                return seat, nth, tags[nth - 1] if nth <= len(tags) else None
        return seat, nth, tag

    def _is_first_off_the_deck(self, seat: int, nth: int) -> bool:
        if seat not in self._order or nth < 1:
            return False
        return self._order.index(seat) + (nth - 1) * len(self._order) < 2
