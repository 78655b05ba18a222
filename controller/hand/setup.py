"""The table as the last `table` record and what followed it have set it up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Self

from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.contract.observations import (
    Reader,
    SeatChange,
    Table,
    TableBlinds,
    TableSeat,
    Timing,
    level_of,
)
from controller.contract.routine import Routine
from controller.hand.trust import Trust
from controller.rules.absent import absent, is_away
from controller.rules.belief import Belief, may_be_broken
from controller.rules.betting import Betting, Player
from controller.rules.button import (
    Positions,
    had_ahead,
    has_passed,
    next_positions,
    positions,
)
from controller.rules.card_count import DEALT_OUT
from controller.rules.hand import Hand
from controller.rules.odds import Rates
from controller.rules.procedure import clockwise, script
from controller.rules.rulebook import RuleBook
from firmware_bridge.sensed import MOST_CHIPS

_SITS_DOWN = ("seated", "waiting")
BACK_S = 1.0
"""Seconds within which a reader that was missing has told of all that lies there."""


@dataclass(slots=True)
class Setup:
    """`zones` and `buttons` are None where the table has all of them. `positions` are those of
    the last hand, or None before the first; `ahead` is a hand and the seat that has had the big
    blind of that hand already, as an earlier one was played from the wrong place. `next_blinds`
    hold from the next hand on, `given` is what seats were said to have while one was running,
    `before` are the positions before the last hand, `instead` are seats of which it was asked
    whether they play and not answered, with what the last hand's positions were if they do not;
    `chips` are all that are on the table, once every stack has been known; `has_other_deck` says
    whether a deck is known that is not in play; `next_window` is the next hand's
    `order_window` where that is another one; `told` are the seats of which somebody has said since
    the last hand began who sits there, None where that is all of them."""

    table: str
    book: RuleBook
    seats: dict[int, TableSeat]
    button: int
    blinds: TableBlinds
    zones: frozenset[str] | None
    buttons: frozenset[int] | None
    posts: tuple[int, ...]
    timing: Timing
    mode: Literal["tournament", "cash"] = "tournament"
    positions: Positions | None = None
    ahead: tuple[int, int] | None = None
    next_blinds: TableBlinds | None = None
    given: dict[int, int] = field(default_factory=dict)
    before: Positions | None = None
    instead: tuple[frozenset[int], Positions] | None = None
    unread_until: dict[str, float] = field(default_factory=dict)
    dealer: str | None = None
    trust: Trust = field(default_factory=Trust)
    belief: Belief = field(default_factory=Belief)
    chips: int | None = None
    rates: Rates = field(default_factory=Rates)
    routine: Routine = field(default_factory=Routine)
    has_other_deck: bool = False
    next_window: float | None = None
    told: frozenset[int] | None = None
    leaving: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, table: Table, book: RuleBook) -> Self:
        """What a `table` record says, under this book."""
        return cls(
            table=table.table,
            book=book,
            seats={s.seat: s for s in table.seats},
            button=table.button,
            blinds=table.blinds,
            zones=None if table.zones is None else frozenset(table.zones),
            buttons=None if table.buttons is None else frozenset(table.buttons),
            posts=table.posts,
            timing=table.timing,
            mode=table.mode,
            routine=table.routine,
        )

    # --- what is told of the table ---

    def change_seat(self, change: SeatChange, *, plays: bool = False) -> None:
        """Who sits there, and with what; what is not said stays, but for the chips of one who has
        gone: another who comes to his seat does not bring those. Who comes to a seat where
        nothing was left has brought some, and it is believed that he plays. Who `plays` in the
        running hand goes with what he has after it."""
        known = self.seats.get(change.seat, TableSeat(seat=change.seat, status="empty"))
        is_another = change.player is not None and known.player not in (None, change.player)
        if known.status == "empty" and is_another:
            known = TableSeat(seat=change.seat, status="empty")
        comes = change.status in _SITS_DOWN and (known.status == "empty" or is_another)
        is_back = comes and known.stack == 0 and change.stack is None
        if is_back:
            known = replace(known, status="empty", stack=None)
        if plays and change.status == "empty":
            self.leaving.add(change.seat)
        else:
            self._count_in(known, change)
        self.told = None if self.told is None else self.told | {change.seat}
        self.belief = self.belief.told(change.seat)
        if is_back:
            self.belief = self.belief.doubted(change.seat)
        self.seats[change.seat] = replace(
            known,
            status=change.status,
            stack=known.stack if change.stack is None else change.stack,
            player=known.player if change.player is None else change.player,
        )

    def _count_in(self, known: TableSeat, change: SeatChange) -> None:
        """A seat's chips come to the table or go. Who may be broken has none when he goes; else it
        is not known any more how many there are."""
        before = known.stack if known.status != "empty" else 0
        now = 0 if change.status == "empty" else change.stack
        if change.status != "empty" and (change.stack is None or before is None):
            is_new = before == 0 and known.stack is None
            self.chips = None if is_new and change.stack is None else self.chips
        elif before is None:
            self.chips = self.chips if change.seat in self.belief.seats else None
        elif self.chips is not None:
            self.chips += (now or 0) - before

    def settle_chips(self) -> None:
        """Where all stacks are known they are all that is on the table; where all but one are, the
        last one has the rest."""
        stacks = {s.seat: s.stack for s in self.seats.values() if s.status != "empty"}
        unknown = [seat for seat, chips in stacks.items() if chips is None]
        known = sum(chips or 0 for chips in stacks.values())
        if not unknown:
            self.chips = known
        elif self.chips is not None and known > self.chips:
            self.chips = None
        elif self.chips is not None and len(unknown) == 1:
            self.set_stack(unknown[0], self.chips - known)

    def set_stack(self, seat: int, chips: int | None) -> None:
        """What a seat has; None where it is not known. Of more than may be told it is not."""
        if seat in self.seats:
            known = chips if chips is None or chips <= MOST_CHIPS else None
            self.seats[seat] = replace(self.seats[seat], stack=known)

    def begin_again(self, place: Positions, stacks: Iterable[tuple[int, int | None]]) -> None:
        """A hand that was over, from these positions, is void: its players have these chips."""
        self.positions, self.ahead = place, None
        for seat, chips in stacks:
            known = self.seats.get(seat)
            if known is not None and known.status == "empty":
                self.seats[seat] = replace(known, status="seated")
            self.set_stack(seat, chips)
        self.settle_chips()

    def believe(self) -> None:
        """A hand was played that nobody saw: where the button is now, and who plays of those whose
        chips are not known, the next deal shows."""
        unknown = (s.seat for s in self.seats.values() if s.stack is None and s.status != "empty")
        self.belief = Belief(tuple(sorted({*unknown, *self.belief.seats})), button=True)

    def hear_of(self, reader: Reader) -> None:
        """A reader is lost, or back: then its zone is believed again."""
        if reader.status == "lost":
            self.unread_until[reader.zone] = inf
        elif reader.zone in self.unread_until:
            self.unread_until[reader.zone] = reader.t
            self.trust = self.trust.checked(reader.zone)

    def set_level(self, blinds: TableBlinds) -> bool:
        """They hold from the next hand on; whether that is news."""
        is_new = blinds not in (self.blinds, self.next_blinds)
        self.next_blinds = blinds
        return is_new

    # --- what is so ---

    @property
    def next_timing(self) -> Timing:
        """The timing of the next hand."""
        if self.next_window is None:
            return self.timing
        return replace(self.timing, order_window=self.next_window)

    def has(self, pile: str) -> bool:
        """Whether the table has an antenna for a pile: `burn`, `board`, `muck`, `stub`."""
        if self.zones is None:
            return True
        return pile in self.zones or (
            pile == "board" and any(zone.startswith("board/") for zone in self.zones)
        )

    def has_buttons(self, seat: int) -> bool:
        """Whether a seat can act by its own buttons."""
        return self.buttons is None or seat in self.buttons

    def is_just_back(self, zone: str, t: float) -> bool:
        """Whether what a zone's reader reads now may have lain there while it was missing."""
        return 0 <= t - self.unread_until.get(zone, inf) < BACK_S

    def was_lost(self, zone: str, since: float) -> bool:
        """Whether the reader behind a zone is missing, or was at any time since then."""
        return self.unread_until.get(zone, since) > since

    def open_betting(self, players: list[Player], place: Positions) -> Betting:
        """The betting of a hand with these players, from left of the button."""
        return Betting(
            players,
            button=place.button,
            blinds=(place.small, place.big),
            level=self.level,
            posts=(*self.posts, *place.more),
        )

    @property
    def level(self) -> Blinds:
        """The level in force."""
        return Blinds(**level_of(self.blinds))

    def absent(self) -> set[int]:
        """The seats whose players are dealt in and not there, if their hands are dead for it."""
        return absent(self.mode, self.seats.values())

    def is_away(self, seat: int) -> bool:
        """Whether a seat's player is not there."""
        return is_away(self.seats.get(seat))

    def has_left_unposted(self, seat: int, place: Positions) -> bool:
        """Whether a seat's player is not there, and has posted neither blind nor ante."""
        by_each = self.blinds.ante and self.blinds.ante_by == "each"
        posts = by_each or seat in (place.small, place.big, *place.more, *self.posts)
        return self.is_away(seat) and not posts

    def entitled(self) -> list[int]:
        """The seats that are dealt in: all but the empty ones and those without chips. Who is
        `waiting` is one of them once the button has passed."""
        play = [s for s in self.seats.values() if s.status != "empty" and s.stack != 0]
        seats = [s.seat for s in play if s.status != "waiting"]
        waiting = [s.seat for s in play if s.status == "waiting"]
        if not waiting:
            return seats
        if len(seats) < 2:
            return seats + waiting
        if self.positions is None:
            return seats
        button = self._after(self.positions, [*seats, *waiting]).button
        return seats + [s for s in waiting if has_passed(self.positions, button, s)]

    def redealt(self, seats: Sequence[int]) -> list[int]:
        """Who of the players of a hand that is dealt again is there: who is out since is not."""
        there = [seat for seat in seats if self.seats[seat].status != "empty"]
        return there if len(there) > 1 else list(seats)

    # --- the next hand ---

    def due(self, hand: int, redeal: Sequence[int] | None) -> Positions | None:
        """The positions of the hand with this number if it began now; None without two players.
        `redeal` are the seats of the hand that it is the redeal of."""
        seats = self.entitled() if redeal is None else list(redeal)
        if len(seats) < 2:
            return None
        if self.positions is not None and redeal is not None:
            return self.positions
        place = self._after(self.positions, seats)
        if self.positions is not None and self.ahead == (hand, place.big):
            place = self._after(place, seats)
        return place

    def _after(self, last: Positions | None, seats: Collection[int]) -> Positions:
        """The positions of the hand after `last`, or of the first one."""
        if last is None:
            return positions(self.button, seats)
        return next_positions(last, seats, self.book.button)

    def new_hand(self, number: int, t: float, place: Positions, seats: list[int]) -> Hand:
        """A hand that begins at `t`, with these seats dealt in."""
        players = self._players(seats, place)
        steps = script(burns=self.has("burn"), board=self.has("board"))
        hand = Hand(number, t, place, self.open_betting(players, place), steps)
        hand.reads_burns, hand.reads_board = self.has("burn"), self.has("board")
        hand.told, self.told = self.told, frozenset()
        waiting = (s.seat for s in self.seats.values() if s.status == "waiting")
        hand.believed = frozenset((*self.belief.seats, *waiting))
        stacks = [player.stack for player in players]
        hand.believes_button = self.belief.button
        hand.knows_button = not self.belief.button and (self.before is None or None not in stacks)
        return hand

    def place_with(self, seats: Collection[int], button: int | None) -> Positions | None:
        """The positions of the running hand if these seats play, with the button there or where it
        is due; None without two players."""
        if len(seats) < 2:
            return None
        if button is not None:
            return positions(button, seats)
        if self.instead is not None and self.instead[0].isdisjoint(seats):
            return self._after(self.instead[1], seats)
        return self._after(self.before, seats)

    def follow(self, hand: Hand, seats: Collection[int], button: int | None) -> None:
        """These seats play the hand, which nobody has acted in: that is how it has been dealt."""
        place = self.place_with(seats, button)
        if place is None:
            return
        for seat in seats:
            known = self.seats.get(seat, TableSeat(seat=seat, status="empty"))
            if known.status in ("empty", "waiting"):
                self.seats[seat] = replace(known, status="seated", stack=known.stack or None)
        for seat in hand.betting.players.keys() - set(seats):
            self.seats[seat] = replace(self.seats[seat], status="empty", stack=None)
        came = set(seats).difference(hand.betting.players)
        if any(self.seats[seat].stack is None for seat in came):
            self.chips = None
        self.settle_chips()
        folded = [player.seat for player in hand.betting.players.values() if player.folded]
        hand.positions = self.positions = place
        hand.betting = self.open_betting(self._players(seats, place), place)
        hand.absent.intersection_update(hand.betting.players)
        for seat in folded:
            if seat in hand.betting.players:
                hand.betting.kill(seat)

    def _players(self, seats: Iterable[int], place: Positions) -> list[Player]:
        order = clockwise(seats, place.button)
        return [Player(s, self.seats[s].stack, self.seats[s].player) for s in order]

    def hand_begins(
        self, place: Positions, seats: Sequence[int], *, is_redeal: bool, keeps_level: bool
    ) -> None:
        """From these positions with these seats dealt in, at the level so far or at the next."""
        if not is_redeal:
            self.before = self.positions
        if self.next_blinds is not None and not keeps_level:
            self.blinds, self.next_blinds = self.next_blinds, None
        self.timing, self.next_window = self.next_timing, None
        self.positions = place
        self.settle_chips()
        for seat in seats:
            if self.seats[seat].status == "waiting":
                self.seats[seat] = replace(self.seats[seat], status="seated")

    def hand_over(self, hand: Hand, stacks: Mapping[str, int]) -> None:
        """The next hand's stacks are those of the result, unknown where it does not say; what
        a seat was given in the meantime comes after that."""
        if not hand.undone:
            self.posts = ()
            for seat in hand.betting.players:
                self.set_stack(seat, stacks.get(str(seat)))
        silent = [seat for seat in hand.betting.players if not self.has_buttons(seat)]
        self._count_out(hand, silent)
        for seat, chips in self.given.items():
            self.set_stack(seat, chips)
        self.given = {}
        self.settle_chips()
        known = [seat for seat in hand.betting.players if self.seats[seat].stack is not None]
        self.belief = self.belief.after(hand, known, silent)
        if hand.gap_round is None:
            self.rates = self.rates.after(hand)
        self._owe_positions(hand)
        self.instead = self._positions_without(hand)

    def _count_out(self, hand: Hand, silent: Collection[int]) -> None:
        """Those of whom it was told amid the hand that they go have gone, with what it left
        them."""
        for seat in self.leaving:
            chips, player = self.seats[seat].stack, hand.betting.players.get(seat)
            if chips is None and player is not None and may_be_broken(hand, player, silent):
                chips = 0
            self.chips = None if self.chips is None or chips is None else self.chips - chips
        self.leaving.clear()

    def _positions_without(self, hand: Hand) -> tuple[frozenset[int], Positions] | None:
        out = frozenset(seat for code, seat in hand.left_open if code == DEALT_OUT)
        place = self.place_with(hand.betting.players.keys() - out, None) if out else None
        return None if place is None or hand.undone else (out, place)

    def _owe_positions(self, hand: Hand) -> None:
        """After a hand that was played from the wrong place its own positions are due again."""
        played = hand.played_from
        if played is None or hand.undone or played.big == hand.positions.big:
            return
        if not self.book.owes_positions:
            self.positions = played
            return
        had = had_ahead(hand.positions, played, list(hand.betting.players), self.book.button)
        if had is not None:
            self.ahead = (hand.number + 2, had)
        self.positions = self.before
