"""The dealer's routine: what belongs to every hand and is no step of its script, at its moment.

Which of it a book asks for, and by which rule, is in the book's file (`[prompts]`); whom the table
tells is a setting of each group. It is said beside the next step, never while something is open.
Antennas see cards and buttons: of chips, cuts and what is said aloud they tell nothing, so that
these are reminders and nothing waits for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.contract.routine import Routine
from controller.rules.betting import Player
from controller.rules.pots import pots
from controller.rules.procedure import (
    STREETS,
    Burn,
    Deal,
    Round,
    Showdown,
    Turn,
    clockwise,
)
from controller.rules.rulebook import RuleBook
from controller.rules.watcher import Lookout, Step, Watcher

SLOW = 30.0
"""Seconds in which an action is expected (NL10-TIME-01); the dealer's own steps as well."""


def is_told(text_id: str, book: RuleBook, routine: Routine) -> bool:
    """Whether this is said at a table: its book asks for it, and the group is on."""
    return routine.tells(text_id) and bool(book.prompts.get(text_id))


class RoutineOfHand(Watcher):
    """That of one hand. Each thing is said once at its moment."""

    def __init__(self, lookout: Lookout) -> None:
        """Nothing has been said, and nobody has acted."""
        super().__init__(lookout)
        self._said: set[tuple[object, ...]] = set()
        self._raises = 0
        self._all_in: set[int] = set()
        self._waits_for: object = None
        self._since = lookout.now.t

    def next_deadline(self, after: float) -> float | None:
        """When somebody has had long enough."""
        if not self._table.routine.follows_hands:
            return None
        if not (self._is_on("slow") or self._is_on("keep-going")):
            return None
        due = self._since + SLOW
        return due if due > after else None

    def settle(self) -> None:
        """Says what is due at this moment."""
        if not (self._table.routine.follows_hands or isinstance(self._hand.head, Deal)):
            return
        self._note_wait()
        if self._hand.findings or not self._judge.watching:
            return
        for about, (text_id, args) in self._due():
            if (text_id, about) not in self._said and self._is_on(text_id):
                self._said.add((text_id, about))
                self._now.tell.beside(text_id, self._now.t, **args)

    def _is_on(self, text_id: str) -> bool:
        return is_told(text_id, self._table.book, self._table.routine)

    def _note_wait(self) -> None:
        """Since when the hand waits for the same."""
        hand = self._hand
        seat = hand.betting.next_to_act() if isinstance(hand.head, Round) else None
        waits_for = (hand.head, seat, len(hand.dealt), len(hand.betting.actions))
        if waits_for != self._waits_for:
            self._waits_for, self._since = waits_for, self._now.t

    def _due(self) -> Iterator[tuple[object, Step]]:
        """What may be said now, each with what it is about."""
        hand = self._hand
        head = hand.head
        if isinstance(head, Deal):
            if not hand.dealt:
                yield from ((step[1].get("seat"), step) for step in self._before_the_deal())
            return
        yield from self._of_the_bets()
        match head:
            case Round("preflop"):
                yield None, ("two-cards", {})
                yield None, ("bets-stay", {})
            case Burn(street) | Turn(street):
                yield from self._of_the_pot()
                if isinstance(head, Burn) and not hand.burns[street]:
                    yield street, ("tap-and-burn", {})
            case Showdown():
                yield from self._of_the_pot()
                yield from self._of_the_showdown()
            case _:
                pass
        if self._now.t >= self._since + SLOW:
            seat = hand.betting.next_to_act() if isinstance(head, Round) else None
            if seat is not None:
                yield self._since, ("slow", {"seat": seat, "seconds": int(SLOW)})
            elif not isinstance(head, Round):
                yield self._since, ("keep-going", {})

    def _before_the_deal(self) -> Iterator[Step]:
        """HPT-HAND-02 and -03, HPT-2DK, NL10-BET-01, RR7-BLIND-2a: cut, blinds and antes; who is
        not there has them posted (RR7-T-6, HPT-LATE-02, NL10-LATE-02); UK-33C: a redeal is the
        same deal."""
        hand, place = self._hand, self._hand.positions
        seats = clockwise(hand.betting.players, place.button)
        yield "cut-left", {"seat": seats[0]}
        if self._table.has_other_deck:
            yield "shuffle-used", {"seat": next(s for s in reversed(seats) if s != place.button)}
        blinds = self._table.blinds
        if place.small in place.more:
            yield "post-big", {"seat": place.big, "big": blinds.big}
        elif place.small in hand.betting.players:
            posted = {"first": place.small, "small": blinds.small}
            yield "post-blinds", {**posted, "second": place.big, "big": blinds.big}
        else:
            yield "post-big", {"seat": place.big, "big": blinds.big}
        for seat in place.more:
            yield "post-big-too", {"seat": seat, "big": blinds.big}
        if blinds.ante and blinds.ante_by == "each":
            yield "post-antes", {"ante": blinds.ante}
        elif blinds.ante:
            yield "post-bb-ante", {"seat": place.big, "ante": blinds.ante}
        for seat in dict.fromkeys((place.small, *place.more, place.big)):
            if self._table.is_away(seat):
                yield "post-absent", {"seat": seat}
                yield "post-absent-other", {"seat": seat}
        if hand.redeal_of is not None:
            yield "same-deal", {}
            yield "last-deal-only", {}

    def _of_the_bets(self) -> Iterator[tuple[object, Step]]:
        """What follows from the last bet, raise or all-in: it is announced (HPT-ANN-01 to -03,
        TDA24-RP12A), string bets are called (UK-50, TDA09-36), nobody acts on an amount that was
        not said (UK-37B), an all-in has its button (UK-RP1) and is counted for who faces it."""
        hand, betting = self._hand, self._hand.betting
        due = betting.next_to_act() if isinstance(hand.head, Round) else None
        bettor, count = betting.bettor, betting.raises
        if bettor is not None and count > self._raises:
            self._raises = count
            if not betting.players[bettor].all_in:
                known = betting.to_call
                said: Step = ("say-amount", {"seat": bettor})
                if known is not None:
                    said = ("say-bet", {"seat": bettor, "to": known})
                yield count, said
                yield None, ("one-motion", {})
                is_option = betting.round == "preflop" and bettor == hand.positions.big
                if is_option and count == 1:
                    yield count, ("say-option", {})
            if betting.to_call is None and due is not None:
                yield count, ("amount-first", {"seat": due})
        for seat in (p.seat for p in betting.live if p.all_in):
            if seat not in self._all_in:
                self._all_in.add(seat)
                yield seat, ("say-all-in", {"seat": seat})
                yield seat, ("all-in-button", {"seat": seat})
                if due is not None:
                    yield seat, ("count-if-asked", {"seat": due})
        if due is not None and betting.faces_bet(due):
            player = betting.players[due]
            if player.bet and player.has_acted:
                yield (count, due), ("prior-chips", {"seat": due})

    def _of_the_pot(self) -> Iterator[tuple[object, Step]]:
        """The round is over: NL10-HR-06, HPT-POT-02 to -05, NL10-SHOW-01."""
        betting = self._hand.betting
        if betting.bettor is not None or betting.round == "preflop":
            yield betting.round, ("pull-in", {})
        if betting.round == STREETS[-1]:
            yield None, ("pot-right", {})
        if any(p.all_in for p in betting.live) and betting.known:
            sides = [pot for pot in pots(list(betting.players.values()))[1:] if len(pot.seats) > 1]
            for number, pot in enumerate(sides):
                yield number, ("side-pots", {"seats": ", ".join(map(str, pot.seats))})

    def _of_the_showdown(self) -> Iterator[tuple[object, Step]]:
        """HPT-SHOW-01 and -03, UK-11, UK-12A, UK-17, RR7-HE-9: how a pot is won."""
        contesting = self._hand.betting.contesting
        tabled = [p for p in contesting if p.tabled]
        if not tabled:
            yield None, ("both-cards", {})
            yield None, ("playing-board", {})
        else:
            yield None, ("read-hand", {})
        if len(tabled) == len(contesting):
            yield None, ("speak-up", {})
        else:
            yield from self._of_seeing(contesting)

    def _of_seeing(self, contesting: list[Player]) -> Iterator[tuple[object, Step]]:
        """UK-16A and -B, TDA24-18: who paid to see the last bet on the river and has cards may see
        that hand, all else is the floor's; RR7-SHOW-5: whoever was dealt in may ask."""
        betting = self._hand.betting
        yield None, ("may-see-any", {})
        bettor = betting.bettor if betting.round == STREETS[-1] else None
        if bettor is None:
            yield None, ("see-floor", {})
        elif not betting.players[bettor].tabled:
            paid = [p.seat for p in contesting if p.seat != bettor]
            if paid:
                seats = ", ".join(map(str, paid))
                yield tuple(paid), ("may-see", {"seats": seats, "seat": bettor})

    def over(self, stacks: Mapping[str, int]) -> Iterator[Step]:
        """The pot was awarded, and these seats have so much: until when the award may be disputed
        (RR7-DEC-5, UK-20, TDA09-15, TDA24-22), and who leaves the table (RR7-T-21)."""
        if len(self._hand.betting.live) > 1:
            yield from ((each, {}) for each in ("disputes", "disputes-count") if self._is_on(each))
        if self._table.mode == "tournament" and self._is_on("leave-table"):
            for seat in sorted(int(seat) for seat, chips in stacks.items() if not chips):
                yield "leave-table", {"seat": seat}
