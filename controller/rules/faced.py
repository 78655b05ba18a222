"""Cards that were seen in the deal: `exposed-first-card`, `exposed-card`, `exposed-cards`,
`boxed-card`, `boxed-cards`.

RR7-HE-1, RR7-MISDEAL-1a, -1b, RR7-IRR-12: one of the first two cards off the deck, or two others,
are a misdeal; one other is replaced from the stub after the deal and is the flop's burn. UK-33A6
and TDA09-27b only name the misdeals, NL10-MIS-01 makes each of them one. A card that a player
exposes plays (RR7-IRR-14, UK-62, TDA09-42, NL10-MIS-10). RR7-IRR-7, NL10-MIS-08: a boxed card is
scrap, replaced by the next card or, once that has gone to another player, after the round;
RR7-MISDEAL-1c, UK-33A1: two are a misdeal.

No sensor can tell which way up a card is, or who has seen it: the dealer enters that.
"""

from __future__ import annotations

from controller.contract.observations import Boxed, Exposed
from controller.rules.deal_rule import DealRule, ScrapRule
from controller.rules.hand import BoardCard, OpenFinding
from controller.rules.replacing import Replacing
from controller.rules.watcher import Lookout, Watcher


class Faced(DealRule):
    """An irregularity that the dealer enters: a card was seen."""


class FaceUp(ScrapRule):
    """An irregularity that the dealer enters: a card lay face up in the deck."""


FACED = (
    Faced("exposed-first-card"),
    Faced("exposed-card"),
    Faced("exposed-cards"),
    FaceUp("boxed-card"),
    FaceUp("boxed-cards"),
)
_SAID = frozenset(rule.code for rule in FACED)


def plays(said: Exposed | Boxed) -> bool:
    """Whether that is no irregularity: a card that a player exposes plays."""
    return isinstance(said, Exposed) and said.cause != "dealer"


class Faces(Watcher):
    """Hears what the dealer says of the cards' faces."""

    code = "exposed-card"

    def __init__(self, lookout: Lookout, replacing: Replacing) -> None:
        """`replacing` is told which seats get another card."""
        super().__init__(lookout)
        self._replacing = replacing
        self._order = list(self._hand.betting.players)
        self._exposed: list[tuple[int, int]] = []
        self._boxed: list[str] = []
        self._unread: set[str] = set()

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
            self._give_way("exposed-card")
            if hand.open_finding("exposed-first-card") is None:
                self._claim("exposed-first-card", [place[0]])
            return
        if hand.open_finding("exposed-first-card") or hand.open_finding("exposed-cards"):
            return
        if len(self._exposed) == 1:
            tags = (tag,) if tag else ()
            self._claim("exposed-card", seats, tags=tags)
            self._replacing.owe_burn(tags)
            self._replacing.owe(seats, tag)
            return
        self._give_way("exposed-card")
        self._claim("exposed-cards", seats)

    def boxed(self, seat: int | None, nth: int | None, tag: str | None) -> None:
        """A card lay faced in the deck: it is scrap."""
        hand = self._hand
        seat, nth, tag = self._find(seat, nth, tag)
        name = tag or f"{seat}/{nth}/{len(self._boxed)}"
        if name in self._boxed or not self._judge.watching:
            return
        self._await(seat, tag)
        self._boxed.append(name)
        self._give_way("boxed-card")
        facts = ("on-board",) if tag and isinstance(hand.roles.get(tag), BoardCard) else ()
        code = "boxed-card" if len(self._boxed) == 1 else "boxed-cards"
        if hand.open_finding(code) is None:
            self._claim(code, [seat] if seat else [], *facts, tags=(tag,) if tag else ())
        self._replacing.owe([seat] if seat else [], tag)

    def forget(self, finding: OpenFinding) -> None:
        """Answered no: these cards were not exposed, and did not lie face up in the deck."""
        if finding.code not in _SAID:
            return
        seats, tags = set(finding.seats), set(finding.tags)
        self._exposed = [place for place in self._exposed if place[0] not in seats]
        names = tuple(f"{seat}/" for seat in seats)
        self._boxed = [
            name for name in self._boxed if name not in tags and not name.startswith(names)
        ]
        self._replacing.forget(seats, tags)

    def _await(self, seat: int | None, tag: str | None) -> None:
        """A card may be named before any antenna has read it."""
        if seat is None and tag is not None and tag not in self._hand.roles:
            self._unread.add(tag)

    @property
    def awaits(self) -> bool:
        """Whether a card was named that no antenna has read."""
        return bool(self._unread)

    def awaits_card(self, tag: str) -> bool:
        """Whether it is this one."""
        return tag in self._unread

    def read_at_last(self, tag: str, seat: int) -> None:
        """A card that was named is read now: the finding is about this seat."""
        self._unread.discard(tag)
        finding = next((f for f in self._hand.findings if tag in f.tags), None)
        if finding is None:
            return
        _, nth, _ = self._find(seat, None, tag)
        if finding.code == "exposed-card":
            self._exposed = [(seat, nth or 0)]
            if self._is_first_off_the_deck(seat, nth or 0):
                self._give_way("exposed-card")
                self._claim("exposed-first-card", [seat])
                return
        self._judge.widen(finding, [seat], (), self._now.t)
        self._replacing.owe([seat], tag)

    def _find(
        self, seat: int | None, nth: int | None, tag: str | None
    ) -> tuple[int | None, int | None, str | None]:
        """The card at a seat, by its number there or by its tag; the last one if neither is
        said."""
        for at in (seat,) if seat is not None else tuple(self._order):
            tags = self._hand.tags_of(at)
            if tag is not None and tag in tags:
                return at, tags.index(tag) + 1, tag
            if tag is None and at == seat:
                nth = nth or len(tags) or 1
                return seat, nth, tags[nth - 1] if nth <= len(tags) else None
        return seat, nth, tag

    def _is_first_off_the_deck(self, seat: int, nth: int) -> bool:
        """Who is only believed to play and got no card is not dealt in."""
        hand = self._hand
        order = [s for s in self._order if s not in hand.believed or hand.tags_of(s)]
        if seat not in order or nth < 1:
            return False
        return order.index(seat) + (nth - 1) * len(order) < 2
