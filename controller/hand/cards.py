"""Cards that come and go: each arrival is held against the hand's script.

It is offered, in this order, to the remedy under way, to the open doubt and to the head of the
script. What is none of these and not harmless is a deviation.
"""

from __future__ import annotations

from math import inf

from controller.contract.zones import seat_of
from controller.hand.acts import Acts
from controller.hand.board import Board
from controller.hand.burns import Burns
from controller.hand.judge import Judge
from controller.hand.middle import Parts
from controller.hand.places import Places
from controller.hand.setup import Setup
from controller.hand.walk import Walk
from controller.rules.burn_double import Burned
from controller.rules.burn_missing import Unburned
from controller.rules.dealing import Dealing
from controller.rules.disturbed import Piles
from controller.rules.early import Early
from controller.rules.hand import BoardCard, BurnCard, Discarded, EarlyCard, HoleCard, Scrap
from controller.rules.out_of_turn import Act
from controller.rules.passing import Passing
from controller.rules.procedure import Showdown, Street
from controller.rules.scraps import Scraps
from controller.rules.short_flop import Flop
from controller.rules.thrown_in import ThrownIn
from controller.rules.too_many import Streets
from controller.rules.turns import Turns
from controller.rules.watcher import Lookout, Watcher


class Cards:
    """Sends each card that comes or goes to what watches that place. `early` are those that
    came too soon, `scraps` those that do not play, `passing` those that may only fly past, and
    `thrown_in` knows of hands that may not have been folded."""

    def __init__(
        self,
        walk: Walk,
        setup: Setup,
        judge: Judge,
        places: Places,
        *,
        lookout: Lookout,
        dealing: Dealing,
        turns: Turns,
        acts: Acts,
    ) -> None:
        """`places` knows where each tag is, `dealing` whose card it is, `turns` whose turn,
        `acts` what comes before the next card."""
        self._turns = turns
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._dealing = dealing
        self.passing = Passing(lookout, self._landed)
        self.thrown_in = ThrownIn(lookout, turns.act)
        self.scraps = scraps = Scraps(lookout, dealing)
        self._piles = piles = Piles(lookout)
        self.early = early = Early(lookout, take=self.arrived, infer=turns.infer_missing)
        unburned, burned = Unburned(lookout), Burned(lookout)
        self._flop = flop = Flop(lookout)
        streets = Streets(lookout)
        self.watchers: tuple[Watcher, ...] = (
            *(scraps, piles, early),
            *(unburned, burned, flop, streets),
        )
        parts = Parts(
            walk=walk,
            setup=setup,
            judge=judge,
            places=places,
            acts=acts,
            dealing=dealing,
            early=early,
            scraps=scraps,
            piles=piles,
            unburned=unburned,
            burned=burned,
            flop=flop,
            streets=streets,
        )
        self._burns = Burns(parts)
        self._board = Board(parts, self._burns)

    def arrived(self, tag: str, zone: str) -> None:
        """A tag is newly in a zone's field."""
        self._arrived(tag, zone)
        if self._judge.doubts or self._hand.findings:
            self._piles.came(tag, zone)

    def _arrived(self, tag: str, zone: str) -> None:
        self.passing.flew(tag)
        pile = zone.partition("/")[0]
        if pile != "muck" and self._brushes_the_muck(tag, self._walk.t):
            self._never_mucked(tag)
        if pile in ("board", "burn"):
            if self.passing.holds(tag, zone):
                return
            self.passing.end()
            self.thrown_in.end()
        self._landed(tag, zone)

    def _landed(self, tag: str, zone: str) -> None:
        seat = seat_of(zone)
        if seat is not None:
            self._dealing.at_seat(tag, seat)
            return
        pile = zone.partition("/")[0]
        if pile in ("board", "burn", "muck"):
            self._dealing.lies_elsewhere(tag)
        if pile == "board" and self._setup.has("board"):
            self._board.came(tag, zone)
        elif pile == "burn" and self._setup.has("burn"):
            self._burns.came(tag)
        elif pile == "muck":
            self._in_muck(tag)
        elif pile == "stub":
            self._dealing.in_stub()

    def came_in_time(self, street: Street) -> None:
        """A street that seemed to come too early did not, it is answered: was all else right?"""
        if not self._hand.early[street]:
            return
        self.early.play()
        if self._setup.has("burn"):
            self._burns.check(street)
        if street == "flop":
            self._flop.changed()

    def left(self, tag: str, zone: str) -> None:
        """A tag has left a zone's field for good. Only a remedy takes cards off the board;
        anywhere else cards are lifted, brushed and collected."""
        if self.early.brushed(tag, zone):
            return
        self.passing.flew(tag)
        role = self._hand.roles.get(tag)
        if seat_of(zone) is not None:
            self._dealing.left(tag)
        never_was = False
        match role:
            case HoleCard(seat):
                if seat_of(zone) == seat:
                    self._dealing.left_seat(tag, role, self._places.seat(tag))
            case Discarded() if zone == "muck":
                if self._brushes_the_muck(tag, self._walk.t - self._setup.timing.flicker):
                    self._never_mucked(tag)
                    never_was = True
            case Scrap(pile=pile) if zone.partition("/")[0] == pile:
                self.scraps.left_pile(tag)
            case BurnCard(street) if zone == "burn":
                never_was = self._burns.left(tag, street)
            case BoardCard() | EarlyCard() if zone.startswith("board"):
                if not self._places.is_present(tag, "board"):
                    self._hand.only_on_board.discard(tag)
                    never_was = self._board.left(tag, role)
            case _:
                pass
        if never_was:
            self._arrived_elsewhere(tag)

    def _brushes_the_muck(self, tag: str, end: float) -> bool:
        """Whether an undealt card has lain in the muck for less than a flicker until then."""
        is_discarded = isinstance(self._hand.roles.get(tag), Discarded)
        return (
            is_discarded and end - self._hand.lain_since.get(tag, -inf) < self._setup.timing.flicker
        )

    def _never_mucked(self, tag: str) -> None:
        del self._hand.roles[tag]
        self._dealing.muck.forget(tag)

    def _arrived_elsewhere(self, tag: str) -> None:
        """What only brushed a pile belongs where it lies now."""
        seat = self._places.seat(tag)
        if seat is not None and not self._hand.dealt_out:
            self._arrived(tag, f"seat/{seat}")
            return
        for pile in ("board", "burn", "muck"):
            if self._places.is_present(tag, pile):
                self._arrived(tag, pile)
                return

    def _in_muck(self, tag: str) -> None:
        self._dealing.mucked(tag)
        role = self._hand.roles.get(tag)
        if role is None:
            self._hand.roles[tag] = Discarded()
            self._hand.lain_since[tag] = self._walk.t
            self._dealing.look_at(tag)
        elif isinstance(role, HoleCard):
            player = self._hand.betting.players[role.seat]
            if isinstance(self._hand.head, Showdown):
                player.mucked = not player.tabled
            elif not (player.folded or player.all_in or self._must_table(role.seat)):
                if self.thrown_in.holds(role.seat):
                    return
                self._dealing.end(role.seat)
                self._turns.act(Act(role.seat, "fold", None, "muck"))

    def _must_table(self, seat: int) -> bool:
        """Whether nobody can bet any more and this hand has to be tabled: it is no fold."""
        tournament = self._setup.mode == "tournament"
        return tournament and self._hand.betting.must_table(seat)

    def picked(self, tag: str) -> None:
        """The floor has named the card of a flop that is the next burn."""
        if self._hand.may_be_picked(tag):
            self._burns.pick(tag)
