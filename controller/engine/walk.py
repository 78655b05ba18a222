"""Walking along a hand's script: what is done is taken off, the next step is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from controller.engine.announcer import Announcer
from controller.engine.judge import Judge
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.events import Action, ActionBy, Event, Result, SubstantialAction
from controller.rules import misdeal
from controller.rules.hand import Hand
from controller.rules.out_of_turn import Act
from controller.rules.outcome import settle_pots
from controller.rules.procedure import (
    STREETS,
    Burn,
    Deal,
    Round,
    ScriptStep,
    Settle,
    Showdown,
    Turn,
)
from controller.rules.progress import is_done

DOUBLED = 2.0
"""Seconds after an action within which a press belongs to it and not to the next street."""


class Walk:
    """Moves a hand along its script; `t` is the time of what is being looked at, `acts` how
    often somebody has acted."""

    def __init__(
        self,
        hand: Hand,
        setup: Setup,
        judge: Judge,
        resolver: Resolver,
        emit: Callable[[Event], None],
    ) -> None:
        """`emit` takes the events."""
        self.hand = hand
        self.t = hand.t
        self.tell = Announcer(hand, resolver, setup.timing.settle, emit)
        self.stacks_after: dict[str, int] | None = None
        self._setup = setup
        self._judge = judge
        self._resolver = resolver
        self._emit = emit
        self._cut_off = False
        self._begun_with = sorted((p.seat, p.stack) for p in hand.betting.players.values())
        self.acts = 0
        self._acted_at = hand.t
        self.tell.phase("deal", hand.t)

    def on(self) -> None:
        """Takes off the script what is done, and says what comes next."""
        hand = self.hand
        burns_are_read = self._setup.has("burn")
        while not hand.over and hand.script:
            head = hand.script[0]
            if isinstance(head, Round):
                self._enter_round(head)
            elif isinstance(head, Showdown):
                self.tell.phase("showdown", self.t)
            if not is_done(head, hand, burns_are_read=burns_are_read):
                break
            hand.script.pop(0)
            self._step_done(head)
        if not hand.over:
            if hand.last_card:
                self.tell.streets(self.t, self._judge.disputed())
            self.tell.next_step(self.t)

    def _enter_round(self, step: Round) -> None:
        betting = self.hand.betting
        if betting.round != step.name:
            betting.open_round(step.name)
            self.hand.limited.clear()
            self.tell.phase(step.name, self.t)
            if betting.betting_possible:
                self.hand.bet_streets.add(step.name)

    def _step_done(self, step: ScriptStep) -> None:
        match step:
            case Deal():
                self.hand.dealt_out = True
                self.hand.absent = self._setup.absent() & set(self.hand.betting.players)
                self.tell.phase("preflop", self.t)
                self.kill_absent(leave=2)
            case Round(name):
                if name in self.hand.bet_streets:
                    self.hand.acted_streets.add(name)
                if len(self.hand.betting.live) < 2:
                    self.complete()
            case Turn(street):
                self.tell.phase(street, self.t)
            case Settle(finding_id):
                finding = self.hand.finding(finding_id)
                if finding is not None:
                    self._judge.close(finding, "remedied", self.t, keep_remedy=True)
            case _:
                pass

    # --- what moves it on ---

    def kill_absent(self, *, leave: int) -> None:
        """With the deal's last card these hands are dead (RR7-T-12, UK-28, TDA09-22a). The last
        two are left until one is taken in or the hand goes on: that ends it."""
        betting = self.hand.betting
        for seat in [player.seat for player in betting.live if player.seat in self.hand.absent]:
            if len(betting.live) > leave:
                self.kill(seat, "inferred")

    def kill(self, seat: int, by: ActionBy) -> None:
        """A hand is dead that nobody has folded."""
        self.hand.betting.kill(seat)
        self._emit(Action(self.t, self.hand.number, seat, "fold", by, None))

    def finish_deal(self) -> None:
        """Something happened that ends the deal."""
        self.hand.played = True
        if not self.hand.dealt_out:
            self.hand.dealt_out = True
            self.on()

    def close_round(self) -> None:
        """The running round is over, whoever has not been seen to act."""
        head = self.hand.head
        if isinstance(head, Round):
            self.kill_absent(leave=1)
            if self.hand.betting.must_act():
                self.hand.betting.known = False
            dealt_out = self.hand.open_finding("seat-dealt-out")
            if dealt_out is not None:
                self.pass_by(dealt_out.seats)
            self.hand.closed_rounds.add(head.name)
            self.on()

    def pass_by(self, seats: Iterable[int]) -> None:
        """The hand has gone on without those of these seats that had to act."""
        betting = self.hand.betting
        betting.away.update({p.seat for p in betting.must_act()}.intersection(seats))

    def close_round_without_buttons(self) -> None:
        """The next street's burn or card closes a round where those who have not acted have
        no buttons to act with."""
        if isinstance(self.hand.head, Round) and not self._judge.waiting():
            self.close_round()

    def skip_unread(self) -> None:
        """There is action on a street that has begun: what is missing of it was not read."""
        head = self.hand.head
        if isinstance(head, Turn) and self.hand.board[head.street]:
            self.hand.script.pop(0)
            self.tell.phase(head.street, self.t)
            self.on()

    def act_out_of_place(self, seat: int, button: str) -> None:
        """There is action though no round is open. Either a street was not read at all, or a
        raise opens the last round again (a straddle's option, which may be a check as well); a
        press that comes at once after the round is a doubled one. Whatever it is but a check of
        that option, the amounts are not known any more."""
        hand = self.hand
        head = hand.head
        if button == "check" and hand.betting.may_have_straddled(seat):
            return
        hand.betting.known = False
        if not isinstance(head, Burn | Turn) or any(f.under_way for f in hand.findings):
            return
        if self.t - self._acted_at < DOUBLED or hand.board[head.street]:
            return
        if button == "raise" and not hand.burns[head.street]:
            hand.closed_rounds.discard(hand.betting.round)
            hand.script.insert(0, Round(hand.betting.round))
            return
        street = head.street
        hand.script = [
            step
            for step in hand.script
            if not (isinstance(step, Burn | Turn) and step.street == street)
        ]
        self.tell.phase(street, self.t)
        self.on()

    def act(self, act: Act) -> None:
        """A seat folds, checks, calls, bets, raises or is all-in."""
        if act.button == "fold":
            self.finish_deal()
        self._note_unseen(act.seat)
        bet = self._put_in(act)
        self._emit(Action(self.t, self.hand.number, act.seat, act.button, act.by, bet))
        self._acted()

    def act_again(self, act: Act) -> None:
        """An action that has been told counts from here on."""
        self._put_in(act)
        self._acted()

    def _put_in(self, act: Act) -> int | None:
        betting = self.hand.betting
        self._pass_over_dealt_out(act.seat)
        if act.button == "fold":
            betting.fold(act.seat)
            return None
        return betting.act(act.seat, act.button, act.amount)

    def _pass_over_dealt_out(self, seat: int) -> None:
        """Another seat acts though it was the turn of one that seems to have no cards: who comes
        after that one acts in turn."""
        betting = self.hand.betting
        finding = self.hand.open_finding("seat-dealt-out")
        if finding is None or seat in finding.seats:
            return
        waiting = {player.seat for player in betting.must_act()}
        others = [s for s in betting.turn if s in waiting and s not in finding.seats]
        if others and betting.next_to_act() in finding.seats:
            betting.turn_to(others[0])

    def _note_unseen(self, seat: int) -> None:
        """A seat without buttons that was to act before this one may have put chips in."""
        due = self.hand.betting.next_to_act()
        if due not in (None, seat) and not self._setup.has_buttons(due):
            self.hand.betting.known = False

    def _acted(self) -> None:
        self.acts += 1
        self._acted_at = self.t
        head = self.hand.head
        if isinstance(head, Round):
            self.hand.acted_streets.add(head.name)
        if not self._cut_off and misdeal.is_past(
            self._setup.book.cut_off, self.hand.betting.actions
        ):
            self._cut_off = True
            self._emit(SubstantialAction(self.t, self.hand.number))
        self._judge.rule_anew(self.t)

    # --- the end ---

    def complete(self) -> None:
        """The hand is over: one player is left, the pot was awarded, or the next one began."""
        hand = self.hand
        self.kill_absent(leave=1)
        hand.over = True
        self._judge.close_all("expired", self.t)
        self.tell.streets(self.t, (), final=True)
        self.tell.phase("complete", self.t)
        outcome = settle_pots(hand, self.tabled_cards(), self.board_cards())
        self._emit(Result(self.t, hand.number, outcome.pots, outcome.awards, outcome.stacks))
        self.stacks_after = outcome.stacks
        self.tell.say("new-hand", self.t)

    def misdeal(self) -> None:
        """A misdeal was called: the hand is void and the next one is its redeal."""
        self._judge.close_all("ruled", self.t)
        self.hand.over = self.hand.misdealt = True
        self.tell.phase("misdeal", self.t)
        self.tell.say("collect", self.t)

    def void(self) -> None:
        """The floor has ruled it void: all action is undone, the chips go back to those who bet
        them, and with another deck it is dealt again (RR7-IRR-3, RR7-IRR-4)."""
        hand = self.hand
        self._judge.close_all("ruled", self.t)
        hand.over = hand.voided = True
        self.tell.phase("complete", self.t)
        known = {str(seat): chips for seat, chips in self._begun_with if chips is not None}
        stacks = known if len(known) == len(self._begun_with) else None
        self._emit(Result(self.t, hand.number, (), None, stacks))
        self.tell.say("collect-void", self.t)

    def tabled_cards(self) -> dict[int, list[str]]:
        """The cards of the tabled hands, by seat."""
        cards: dict[int, list[str]] = {}
        for _, seat, tag in self.hand.dealt:
            if self.hand.betting.players[seat].tabled:
                cards.setdefault(seat, []).extend(self._resolver.name_public([tag]))
        return cards

    def board_cards(self) -> list[str]:
        """The cards on the board, in the order of arrival."""
        return list(self._resolver.name_public(t for s in STREETS for t in self.hand.board[s]))
