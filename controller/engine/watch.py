"""Watching one hand: all that can happen to it, from the cards to the floor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from controller.engine.cards import Cards
from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.events import Event, Prompt, Tabled
from controller.rules.first_card_wrong_seat import PAUSE, judge_first_card
from controller.rules.hand import Hand
from controller.rules.irregularity import WrongFirstSeat
from controller.rules.procedure import HOLE_CARDS, Round, Showdown


class Watch:
    """The hand that is being dealt. Every method takes the time `t` of what happened."""

    def __init__(
        self,
        hand: Hand,
        setup: Setup,
        *,
        resolver: Resolver,
        places: Places,
        emit: Callable[[Event], None],
        next_finding: Callable[[], int],
    ) -> None:
        """Begins with a hand whose script has just been written; `emit` takes the events."""
        self.hand = hand
        self.judge = Judge(hand, setup, emit, next_finding)
        self._setup = setup
        self._resolver = resolver
        self._places = places
        self._emit = emit
        self._walk = Walk(hand, setup, self.judge, resolver, emit)
        self._cards = Cards(self._walk, setup, self.judge, places, resolver)
        self._settle()

    @property
    def stacks_after(self) -> dict[str, int] | None:
        """The stacks of the result, once the hand is complete and where they are known."""
        return self._walk.stacks_after

    def _settle(self) -> None:
        """Goes on along the script, and gives back what was held once it may play."""
        if self.judge.doubts:
            self._settle_deal()
        self._walk.on()
        while self.judge.doubts and self._cards.release_held():
            self._walk.on()

    # --- time -----------------------------------------------------------------------------

    @property
    def next_deadline(self) -> float | None:
        """When something becomes certain by itself, if nothing happens before."""
        rest = self._walk.tell.next_rest(self._walk.t)
        doubt = self.judge.next_deadline
        if rest is None or doubt is None:
            return doubt if rest is None else rest
        return min(rest, doubt)

    def expire(self, t: float) -> None:
        """Makes certain what has stayed as it is until `t`."""
        self._walk.t = t
        for doubt in self.judge.take_due(t):
            if isinstance(doubt.deviation, WrongFirstSeat):
                self._judge_deal()
            else:
                self._cards.prove(doubt)
        self._settle()

    # --- cards ----------------------------------------------------------------------------

    def arrived(self, tag: str, zone: str, t: float) -> None:
        """A tag is newly in a zone's field."""
        self._walk.t = t
        pitches = len(self.hand.dealt)
        self._cards.arrived(tag, zone)
        self._settle()
        if len(self.hand.dealt) > pitches:
            self._watch_deal()

    def left(self, tag: str, zone: str, t: float) -> None:
        """A tag has left a zone's field for good."""
        self._walk.t = t
        self._cards.left(tag, zone)
        self._settle()

    # --- the deal -------------------------------------------------------------------------

    def _watch_deal(self) -> None:
        """A hole card was dealt: if the deal began at another seat, it is judged when it
        pauses."""
        first = self.hand.dealt[0][1]
        if first == self._order[0] or not self.judge.watching:
            return
        self._forget_deal()
        if self.hand.dealt_out:
            self._judge_deal()
            return
        deviation = WrongFirstSeat(self._walk.t, (first,), read=False)
        self.judge.doubts.append(Doubt(deviation, self._walk.t + PAUSE))

    @property
    def _order(self) -> list[int]:
        return list(self.hand.betting.players)

    def _forget_deal(self) -> None:
        self.judge.doubts = [
            d for d in self.judge.doubts if not isinstance(d.deviation, WrongFirstSeat)
        ]

    def _judge_deal(self) -> None:
        """The deal has paused or ended: did it begin with the right seat?"""
        hand = self.hand
        seats = [seat for _, seat, _ in hand.dealt]
        at_once = {
            seat
            for t, seat, _ in hand.dealt
            if t - hand.dealt[0][0] < self._setup.timing.order_window
        }
        last = seats[-1]
        ended = hand.dealt_out or (last == self._order[-1] and seats.count(last) > 1)
        verdict = judge_first_card(self._order, seats, ended=ended)
        finding = hand.open_finding("first-card-wrong-seat")
        if verdict == "right" or self._order[0] in at_once:
            if finding is not None and not finding.certain:
                self.judge.close(finding, "remedied", self._walk.t)
        elif finding is None:
            read = verdict == "wrong"
            deviation = WrongFirstSeat(self._walk.t, (seats[0],), read=read)
            self.judge.establish(deviation, self._walk.t)
        elif verdict == "wrong":
            self.judge.make_certain(finding, self._walk.t, confirmed=False)

    def _settle_deal(self) -> None:
        """A doubt about the deal is settled once it is over."""
        before = len(self.judge.doubts)
        if before and self.hand.dealt_out:
            self._forget_deal()
            if len(self.judge.doubts) < before:
                self._judge_deal()

    def _deal_is_over(self) -> None:
        """Something happened that ends the deal."""
        self._walk.finish_deal()
        self._settle_deal()

    # --- acts -----------------------------------------------------------------------------

    def press(self, seat: int, button: str, amount: int | None, by: str, t: float) -> None:
        """A seat acted, by its buttons or by the dealer's entry."""
        self._walk.t = t
        player = self.hand.betting.players.get(seat)
        if button == "time" or player is None or player.folded or player.all_in:
            return
        self._deal_is_over()
        self._cards.before_action(seat)
        self.judge.prove_surplus("flop", t)
        self.judge.prove_missing_burns(t)
        self._walk.skip_unread()
        if not isinstance(self.hand.head, Round):
            self._walk.act_out_of_place(button)
        if isinstance(self.hand.head, Round):
            who: Literal["press", "dealer"] = "dealer" if by == "dealer" else "press"
            if button == "fold":
                self._walk.fold(seat, who)
            else:
                self._walk.act(seat, button, amount, who)
        self._settle()

    def round_closed(self, t: float) -> None:
        """The dealer says that the betting round is complete."""
        self._walk.t = t
        self._deal_is_over()
        self.judge.prove_missing_burns(t)
        self._walk.close_round()
        self._settle()

    def tabled(self, seat: int, t: float) -> None:
        """A hand lies face up. While there is betting that is refused with a prompt."""
        self._walk.t = t
        hand = self.hand
        player = hand.betting.players.get(seat)
        if player is None or player.folded or player.tabled:
            return
        self._deal_is_over()
        if not isinstance(hand.head, Showdown) and (
            isinstance(hand.head, Round) or hand.betting.betting_possible
        ):
            self._emit(Prompt(t, hand.number, "betting-open", {"seat": seat}))
            return
        player.tabled = True
        tags = [tag for _, at, tag in hand.dealt if at == seat]
        # With too many, which of them lie face up is not known.
        cards = self._resolver.name_public(tags if len(tags) <= HOLE_CARDS else ())
        self._emit(Tabled(t, hand.number, seat, cards))
        self._settle()

    # --- dealer and floor -----------------------------------------------------------------

    def confirm(self, finding_id: int, t: float) -> None:
        """The dealer's yes to a finding's question."""
        self._walk.t = t
        finding = self.hand.finding(finding_id)
        if finding is not None:
            self.judge.make_certain(finding, t, confirmed=True)
            self._settle()

    def dismiss(self, finding_id: int, t: float) -> None:
        """A finding is answered with no, by the dealer or the floor."""
        self._walk.t = t
        finding = self.hand.finding(finding_id)
        if finding is None:
            return
        early = finding.street is not None and bool(self.hand.early[finding.street])
        self.judge.dismiss(finding, t)
        if early:
            self._cards.play_early()
        self._settle()

    def rule(self, finding_id: int, outcome: str, t: float) -> None:
        """The floor decides a finding."""
        self._walk.t = t
        finding = self.hand.finding(finding_id)
        if finding is not None:
            self.judge.rule(finding, outcome, t)
            self._settle()

    @property
    def awaits_shuffle(self) -> bool:
        """Whether a remedy has the stub shuffled while the hands lie on the table."""
        hand = self.hand
        waits = any((f.under_way or f.certain) and f.asks_for("shuffle") for f in hand.findings)
        return waits and any(self._places.seat(tag) is not None for _, _, tag in hand.dealt)

    @property
    def awaits_misdeal(self) -> bool:
        """Whether a finding is open whose ruling is a misdeal."""
        return any(f.ruling.outcome == "misdeal" for f in self.hand.findings)

    def complete(self, t: float) -> None:
        """The pot was awarded, or the next hand began."""
        self._walk.t = t
        self._walk.complete()

    def misdeal(self, t: float) -> None:
        """A misdeal was called."""
        self._walk.t = t
        self._walk.misdeal()
