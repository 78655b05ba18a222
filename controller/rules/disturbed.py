"""Board or burn disturbed: a card left the board or the burns, and no remedy asked for it.

HPT-BURN-05: burns stay apart from the muck until the pot is awarded. RR7-IRR-15 and its RRP twin
can only correct a burn error as long as stub, board and burns are intact. No book has a remedy.
Decision: the card is put back, which its tag makes certain.

A card that is straightened, or not read for a moment, is not a finding: it waits for `settle`, is
asked as a question unless the card is seen somewhere else, and closes once the card is back. A burn
that is read no more as the next one comes to lie on it is hidden by that.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from controller.rules.doubt import Doubt, Doubts
from controller.rules.hand import BoardCard, BurnCard, Hand, OpenFinding
from controller.rules.irregularity import Amiss, Irregularity
from controller.rules.procedure import Back, PickBurn, Pile, Reorder, Showdown, Street
from controller.rules.watcher import Lookout, Watcher

COVERED_S = 2.0
"""Seconds about the moment at which a burn is laid on another one in which that one may have been
hidden by it."""
DISTURBED: dict[Pile, str] = {"board": "board-disturbed", "burn": "burn-disturbed"}
PILES: tuple[Pile, ...] = ("board", "burn")
_MOVES_ANYTHING = frozenset({"floor", "misdeal", "void-hand"})


def has_disturbance(hand: Hand, doubts: Doubts, pile: Pile) -> bool:
    """Whether a card is missing from a pile, or may be."""
    if not (doubts or hand.findings):
        return False
    return hand.open_finding(DISTURBED[pile]) is not None or doubts.has(DISTURBED[pile])


class PileDisturbed(Irregularity):
    """The irregularities `board-disturbed` and `burn-disturbed`."""

    disputes = False

    def __init__(self, pile: Pile) -> None:
        """One for each pile."""
        self.code = DISTURBED[pile]
        self.question = f"ask-{pile}-in-place"
        self.zone = pile


class Piles(Watcher):
    """Watches the cards of a hand that have been turned up or burned."""

    codes = tuple(DISTURBED.values())

    def __init__(self, lookout: Lookout) -> None:
        """All of them lie where they belong."""
        super().__init__(lookout)
        self._excused: set[str] = set()

    def went(self, tag: str, pile: Pile, street: Street) -> None:
        """A card of this street has left its pile, and no step of the script took it."""
        if not self._may_move([tag], pile, street):
            self.disturbed(pile, street)

    def disturbed(self, pile: Pile, street: Street) -> None:
        """A card has left a pile: it may be straightened, or not be read for a moment. Those
        that leave together are one disturbance."""
        if not self._judge.watching or self._hand.open_finding(DISTURBED[pile]) is not None:
            return
        doubt = self._doubts.of(DISTURBED[pile])
        if doubt is None:
            amiss = Amiss(self._now.t, DISTURBED[pile], read=False, street=street)
            doubt = self._doubts.add(amiss, self._now.t)
        doubt.until = self._now.t + self._table.timing.settle

    def _has_disturbance(self, pile: Pile) -> bool:
        return has_disturbance(self._hand, self._doubts, pile)

    def _undisturbed(self, pile: Pile) -> None:
        """All cards of a pile lie where they belong."""
        self._doubts.forget(DISTURBED[pile])
        finding = self._hand.open_finding(DISTURBED[pile])
        if finding is not None:
            self._judge.put_right(finding, self._now.t)

    def came(self, tag: str, zone: str) -> None:
        """A tag is newly in a zone: it may be back, or be seen where it does not belong."""
        self._excused.discard(tag)
        if not any(map(self._has_disturbance, PILES)):
            return
        self.settle()
        role = self._hand.roles.get(tag)
        if not isinstance(role, BoardCard | BurnCard):
            return
        pile: Pile = "board" if isinstance(role, BoardCard) else "burn"
        finding = self._hand.open_finding(DISTURBED[pile])
        if finding is not None and zone.partition("/")[0] != pile:
            self._judge.make_certain(finding, self._now.t, confirmed=False)

    def settle(self) -> None:
        """Where every card lies in its place, nothing is disturbed."""
        for pile in PILES:
            if self._has_disturbance(pile) and not self._missing(pile):
                self._undisturbed(pile)

    def prove(self, doubt: Doubt) -> None:
        """A card has been away for `settle`."""
        amiss, since = doubt.amiss, doubt.amiss.t - self._table.timing.flicker
        pile: Pile = "board" if amiss.code == DISTURBED["board"] else "burn"
        missing = self._missing(pile)
        if not missing or amiss.street is None or self._may_move(missing, pile, amiss.street):
            return
        if self._is_swept() or self._judge.was_unread(pile, since):
            return
        if pile == "burn" and self._is_covered(missing, since):
            self._excused.update(missing)
            return
        elsewhere = any(self._lying.lies(tag) for tag in missing)
        self._judge.establish(replace(amiss, read=elsewhere), self._now.t)

    def _is_covered(self, missing: list[str], since: float) -> bool:
        """Whether another burn was laid on these as they were read no more: burns lie on one
        another (HPT-BURN-04), and tags in a pile hide each other."""
        burns = [tag for tags in self._hand.burns.values() for tag in tags]
        burns = [tag for tag in burns if self._lying.is_present(tag, "burn")]
        came = [self._hand.lain_since.get(tag, -inf) for tag in burns]
        is_covered = any(t - COVERED_S <= since <= t + COVERED_S for t in came)
        return is_covered and not any(map(self._lying.lies, missing))

    def unsure(self) -> list[Street]:
        """The streets of which a card is missing from the board, or may be."""
        streets = [d.amiss.street for d in self._doubts if d.amiss.code == DISTURBED["board"]]
        finding = self._hand.open_finding(DISTURBED["board"])
        streets += [] if finding is None else [finding.street]
        return [street for street in streets if street is not None]

    def _missing(self, pile: Pile) -> list[str]:
        piles = self._hand.board if pile == "board" else self._hand.burns
        tags = [t for tags in piles.values() for t in tags if t not in self._excused]
        return [tag for tag in tags if self._lying.has_left(tag, pile)]

    def let_be(self, finding: OpenFinding, _outcome: str) -> None:
        """Answered no: what is away is asked about no more until it has been back."""
        pile: Pile = "board" if finding.code == DISTURBED["board"] else "burn"
        self._excused.update(self._missing(pile))

    def is_misplaced(self, tag: str) -> bool:
        """Whether a card lies with the burns though the floor has picked another one."""
        hand = self._hand
        other = hand.picked not in (None, tag) and hand.may_be_picked(tag)
        return other and self._lying.is_present(tag, "burn")

    def _may_move(self, tags: list[str], pile: Pile, street: Street) -> bool:
        """Whether a remedy or the floor may be moving it. At the showdown the board is pushed
        about, and the burns are collected with it."""
        hand = self._hand
        if pile == "board" and any(self.is_misplaced(tag) for tag in tags):
            return False
        match hand.head:
            case Back() | PickBurn() if pile == "board" or set(tags) <= hand.head.tags:
                return True
            case Reorder():
                return True
            case _:
                pass
        if street in hand.entrusted:
            return True
        if any(f.ruling.outcome in _MOVES_ANYTHING for f in hand.findings):
            return True
        if isinstance(hand.head, Showdown):
            return pile == "board" or bool(self._missing("board"))
        return pile == "board" and self._judge.disputing(street) is not None

    def _is_swept(self) -> bool:
        """Whether the cards are being collected: nothing lies in the middle any more, and one
        hand at most before its player. At the showdown the first of them is enough."""
        hand = self._hand
        held = [(seat, tag) for _, seat, tag in hand.dealt if seat in self._live_seats()]
        if isinstance(hand.head, Showdown):
            return not all(self._lying.lies(tag) for _, tag in held)
        middle = [*hand.board.values(), *hand.burns.values()]
        if any(self._lying.lies(tag) for tags in middle for tag in tags):
            return False
        return len({seat for seat, tag in held if self._lying.seat(tag) is not None}) < 2

    def _live_seats(self) -> set[int]:
        return {player.seat for player in self._hand.betting.live}
