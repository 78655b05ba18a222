"""Board and burns stay where they were laid: what leaves them unasked is a disturbance."""

from __future__ import annotations

from dataclasses import replace

from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.disturbed import DISTURBED
from controller.rules.hand import BoardCard, BurnCard
from controller.rules.irregularity import Disturbed
from controller.rules.procedure import Back, PickBurn, Pile, Reorder, Showdown, Street

PILES: tuple[Pile, ...] = ("board", "burn")
_MOVES_ANYTHING = frozenset({"floor", "misdeal", "void-hand"})


class Piles:
    """Watches the cards of a hand that have been turned up or burned."""

    def __init__(self, walk: Walk, setup: Setup, judge: Judge, places: Places) -> None:
        """`places` knows where each tag is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places

    def went(self, tag: str, pile: Pile, street: Street) -> None:
        """A card of this street has left its pile, and no step of the script took it."""
        if not self._may_move([tag], pile, street):
            self._judge.disturbed(pile, street, self._walk.t)

    def came(self, tag: str, zone: str) -> None:
        """A tag is newly in a zone: it may be back, or be seen where it does not belong."""
        if not any(map(self._judge.has_disturbance, PILES)):
            return
        self.settle()
        role = self._hand.roles.get(tag)
        if not isinstance(role, BoardCard | BurnCard):
            return
        pile: Pile = "board" if isinstance(role, BoardCard) else "burn"
        finding = self._hand.open_finding(DISTURBED[pile])
        if finding is not None and zone.partition("/")[0] != pile:
            self._judge.make_certain(finding, self._walk.t, confirmed=False)

    def settle(self) -> None:
        """Where every card lies in its place, nothing is disturbed."""
        for pile in PILES:
            if self._judge.has_disturbance(pile) and not self._missing(pile):
                self._judge.undisturbed(pile, self._walk.t)

    def prove(self, deviation: Disturbed) -> None:
        """A card has been away for `settle`."""
        pile, since = deviation.pile, deviation.t - self._setup.timing.flicker
        missing = self._missing(pile)
        if not missing or self._may_move(missing, pile, deviation.street) or self._is_swept():
            return
        if self._judge.was_unread(pile, since):
            return
        elsewhere = any(self._places.lies(tag) for tag in missing)
        self._judge.establish(replace(deviation, read=elsewhere), self._walk.t)

    def _missing(self, pile: Pile) -> list[str]:
        piles = self._hand.board if pile == "board" else self._hand.burns
        return [t for tags in piles.values() for t in tags if self._places.has_left(t, pile)]

    def is_misplaced(self, tag: str) -> bool:
        """Whether a card lies with the burns though the floor has picked another one."""
        hand = self._hand
        other = hand.picked not in (None, tag) and hand.may_be_picked(tag)
        return other and self._places.is_present(tag, "burn")

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
            return not all(self._places.lies(tag) for _, tag in held)
        middle = [*hand.board.values(), *hand.burns.values()]
        if any(self._places.lies(tag) for tags in middle for tag in tags):
            return False
        return len({seat for seat, tag in held if self._places.seat(tag) is not None}) < 2

    def _live_seats(self) -> set[int]:
        return {player.seat for player in self._hand.betting.live}
