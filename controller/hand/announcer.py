"""What the watch says of the hand: its phases, the streets that stand, the next step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from controller.contract.events import Board, Event, Phase, PhaseName, Prompt
from controller.hand.resolver import Resolver
from controller.rules.defining_acts import FLOOR
from controller.rules.hand import Hand
from controller.rules.procedure import (
    SIZE,
    STREETS,
    Back,
    Burn,
    Deal,
    PickBurn,
    Reorder,
    Round,
    Showdown,
    Shuffle,
    Street,
    Turn,
)
from controller.rules.remedies import burns_wanted, plays_on
from controller.rules.watcher import REMINDER, Step


class Announcer:
    """Says each thing once. A street's cards are named when they stand: complete, at rest for
    `settle` or acted on, and disputed by nothing. `first` are asked at any time `t` for what
    comes before the head of the script."""

    def __init__(
        self, hand: Hand, resolver: Resolver, settle: float, emit: Callable[[Event], None]
    ) -> None:
        """`settle` in seconds; `emit` takes the events."""
        self._hand = hand
        self._resolver = resolver
        self._settle = settle
        self._emit = emit
        self._phase: PhaseName | None = None
        self.first: Sequence[Callable[[float], Step | None]] = ()
        self._step: Step | None = None
        self._again: float | None = None
        self._shown: dict[Street, tuple[str, ...]] = {}
        self._facing: object = None
        self._least: int | None = None

    def phase(self, phase: PhaseName, t: float) -> None:
        """The hand entered a phase."""
        if phase != self._phase:
            self._phase = phase
            self._emit(Phase(t, self._hand.number, phase))

    def next_rest(self, after: float) -> float | None:
        """When the next street will have lain at rest for long enough."""
        if not self._hand.last_card:
            return None
        rests = [at + self._settle for at in self._hand.last_card.values()]
        return min((at for at in rests if at > after), default=None)

    def streets(self, t: float, disputed: Collection[Street], *, final: bool = False) -> None:
        """Names the streets that stand and have not been named as they are now."""
        hand = self._hand
        if isinstance(hand.head, Back | PickBurn | Reorder) and not final:
            return
        cards: tuple[str, ...] = ()
        for street in STREETS:
            if len(hand.board[street]) != SIZE[street] or street in disputed:
                return
            rests = t >= hand.last_card[street] + self._settle
            if not (rests or final or street in hand.acted_streets):
                return
            cards += self._resolver.name_public(hand.board[street])
            if self._shown.get(street) != cards:
                self._shown[street] = cards
                self._emit(Board(t, hand.number, street, cards))

    @property
    def named(self) -> frozenset[str]:
        """The cards that have been."""
        return frozenset(card for cards in self._shown.values() for card in cards)

    def next_step(self, t: float) -> None:
        """Prompts for the head of the script; before it, for what has to be put right."""
        hand = self._hand
        if (hand.findings or hand.unshown) and self._stops():
            self.say("put-right", t)
            return
        head = hand.head
        if isinstance(head, Deal):
            self.say("deal", t)
            return
        for ask in self.first:
            if (before := ask(t)) is not None:
                text_id, args = before
                self.say(text_id, t, **args)
                return
        match head:
            case Round():
                seat = hand.betting.next_to_act()
                limited = seat in hand.limited
                least = None if seat is None else self.least_raise(seat)
                known = {} if least is None else {"min_raise_to": least}
                self.say("act-limited" if limited else "act", t, seat=seat, **known)
            case Burn(street):
                _, most = burns_wanted(hand, street)
                begun = 0 < len(hand.burns[street]) < most
                self.say("burn-more" if begun else "burn-and-deal", t, street=street)
            case Turn(street):
                begun = bool(hand.board[street])
                self.say("finish-street" if begun else "deal-street", t, street=street)
            case Back(street, tags, aside):
                burned = len(tags.intersection(hand.burns[street]))
                if aside:
                    self.say("card-aside", t, street=street)
                elif burned == len(tags):
                    self.say("burn-back", t)
                else:
                    text_id = "cards-and-burn-back" if burned else "cards-back"
                    self.say(text_id, t, street=street)
            case Shuffle(cut=cut):
                self.say("shuffle-and-cut" if cut else "shuffle-stub", t)
            case PickBurn():
                self.say("pick-burn", t)
            case Reorder():
                self.say("true-order", t)
            case Showdown():
                is_tabled = all(player.tabled for player in hand.betting.contesting)
                self.say("award" if is_tabled else "showdown", t)
            case _:
                pass

    def _stops(self) -> bool:
        """Whether something has to be put right before the hand goes on."""
        hand = self._hand
        stops = (f for f in hand.findings if f.certain and f.stops_the_hand)
        waits = (f for f in hand.unshown if f.left_out and FLOOR not in f.shown)
        return any(waits) or not all(plays_on(hand, finding) for finding in stops)

    def least_raise(self, seat: int) -> int | None:
        """See `min_raise_to`; None too for a seat that may not by a ruling. Asked for again only
        once there has been an action."""
        betting = self._hand.betting
        if seat in self._hand.limited:
            return None
        facing = (seat, betting.round, betting.to_call, betting.increment, len(betting.actions))
        if facing != self._facing:
            self._facing, self._least = facing, betting.min_raise_to(seat)
        return self._least

    def say(self, text_id: str, t: float, **args: object) -> None:
        """Prompts for the next step, unless it is known and no reminder has covered it."""
        if (text_id, args) == self._step and (self._again is None or t < self._again):
            return
        self._step, self._again = (text_id, args), None
        self._emit(Prompt(t, self._hand.number, text_id, args))

    def remind(self, text_id: str, t: float, **args: object) -> None:
        """Says something beside the next step, which is said again when `REMINDER` is over or
        it has changed."""
        self._again = t + REMINDER
        self._emit(Prompt(t, self._hand.number, text_id, args))

    def beside(self, text_id: str, t: float, **args: object) -> None:
        """Says something of the routine beside the next step, which stays."""
        self._emit(Prompt(t, self._hand.number, text_id, args))

    def next_repeat(self, after: float) -> float | None:
        """When the next step is to be said again."""
        return self._again if self._again is not None and self._again > after else None

    def repeat(self, t: float) -> None:
        """Says the next step again where that is due."""
        if self._step is not None:
            text_id, args = self._step
            self.say(text_id, t, **args)
