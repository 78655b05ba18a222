"""Walking along a hand's script: what is done is taken off, the next step is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from controller.contract.events import Action, ActionBy, Event, Result, SubstantialAction
from controller.hand.announcer import Announcer
from controller.hand.judge import Judge
from controller.hand.resolver import Resolver
from controller.hand.setup import Setup
from controller.rules import misdeal
from controller.rules.absent import dying
from controller.rules.card_count import dealt_out
from controller.rules.disputes import Disputed
from controller.rules.hand import Hand
from controller.rules.out_of_turn import AGAIN, DOUBLED, Act
from controller.rules.outcome import settle_pots, undone
from controller.rules.procedure import (
    STREETS,
    Back,
    Burn,
    Deal,
    PickBurn,
    Reorder,
    Round,
    ScriptStep,
    Settle,
    Showdown,
    Shuffle,
    Street,
    Turn,
)
from controller.rules.progress import is_done

_OF_THE_MIDDLE = (Burn, Turn, Back, Shuffle, PickBurn, Reorder)
"""What is done between two rounds."""


class Walk:
    """Moves a hand along its script; `t` is the time of what is being looked at, `holds` says of
    a step that is done whether to wait all the same."""

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
        self.disputed: tuple[Disputed, ...] = ()
        self._begun_with = sorted((p.seat, p.stack) for p in hand.betting.players.values())
        self.holds: Callable[[ScriptStep], bool] = lambda _: False
        self._acted_at = hand.t
        self._pressed: list[int] = []
        self._is_told = False
        self._unplaced: list[Act] = []
        self.tell.phase("deal", hand.t)

    def on(self) -> None:
        """Takes off the script what is done, and says what comes next."""
        hand = self.hand
        while not hand.over and hand.script:
            head = hand.script[0]
            if isinstance(head, Round):
                self._enter_round(head)
            elif isinstance(head, Showdown):
                self.tell.phase("showdown", self.t)
            elif isinstance(head, _OF_THE_MIDDLE) and hand.betting.is_won:
                self.complete()  # somebody gave up between two rounds
                break
            if not is_done(head, hand) or self.holds(head):
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
            self._pressed = []
            bans = self.hand.limited.items()
            self.hand.limited = {seat: ban for seat, ban in bans if ban == "next-turn"}
            self.tell.phase(step.name, self.t)
            if betting.betting_possible:
                self.hand.bet_streets.add(step.name)

    def _step_done(self, step: ScriptStep) -> None:
        match step:
            case Deal():
                self.hand.dealt_out = True
                absent = self._setup.absent() | self.hand.were_absent
                self.hand.absent = absent & set(self.hand.betting.players)
                self.tell.phase("preflop", self.t)
                self.kill_absent(leave=2)
            case Round(name):
                if name in self.hand.bet_streets:
                    self.hand.acted_streets.add(name)
                if self.hand.betting.is_won:
                    self.complete()
            case Burn():
                self._unplaced = []
            case Turn(street):
                self._unplaced = []
                self.tell.phase(street, self.t)
            case Settle(finding_id):
                finding = self.hand.finding(finding_id)
                if finding is not None:
                    self._judge.put_right(finding, self.t, keep_remedy=True)
            case _:
                pass

    # --- what moves it on ---

    def kill_absent(self, *, leave: int) -> None:
        """The hands of who is not there are dead, but for so many."""
        if self.hand.absent:
            for seat in dying(self.hand, leave=leave):
                self._kill(seat, "inferred")

    def kill(self, act: Act) -> None:
        """A hand is dead that its player has not folded, as its cards or somebody's word tell."""
        self.finish_deal()
        self._kill(act.seat, act.by)

    def _kill(self, seat: int, by: ActionBy) -> None:
        self.hand.betting.kill(seat)
        self._emit(Action(self.t, self.hand.number, seat, "fold", by))
        self.hand.acts += 1
        self._judge.rule_anew(self.t)

    def finish_deal(self) -> None:
        """Something happened that ends the deal."""
        self.hand.played = True
        if not self.hand.dealt_out:
            self.hand.dealt_out = True
            self.on()

    def follow(self, players: Iterable[int], button: int | None) -> None:
        """Nobody has acted, and these play; the `button` is there, or where it is due."""
        self._setup.follow(self.hand, list(players), button)
        self._begun_with = sorted((p.seat, p.stack) for p in self.hand.betting.players.values())

    def close_round(self) -> None:
        """The running round is over, whoever has not been seen to act."""
        head = self.hand.head
        if isinstance(head, Round):
            self.kill_absent(leave=1)
            self.infer_rest()
            if self.hand.betting.must_act():
                self.hand.betting.lose_track()
            self.pass_by(dealt_out(self.hand))
            self.hand.closed_rounds.add(head.name)
            self._acted_at = self.t
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

    def act_out_of_place(self, act: Act) -> None:
        """There is a press though no round is open. It may be the option of a straddle, which opens
        its round again unless it is checked. That the street has passed it tells only where the
        board is not read or a card lies there that does not play; else it makes no sense, and
        nothing follows; but a bet may be one that was pressed late, or the right button after a
        wrong one, and then the amounts are not known."""
        hand, head, betting = self.hand, self.hand.head, self.hand.betting
        if not isinstance(head, Burn | Turn) or any(f.under_way for f in hand.findings):
            return
        at_once = self.t - self._acted_at < DOUBLED
        if betting.may_have_straddled(act.seat) and not hand.burns[head.street]:
            if act.button in ("raise", "all-in") and not at_once:
                hand.closed_rounds.discard(betting.round)
                hand.script.insert(0, Round(betting.round))
        elif hand.awaits_replacement(head.street) or not self._reads_board():
            if not at_once:
                self._pass_unread(head.street)
        elif betting.betting_possible:
            if act.button in ("bet", "raise", "all-in") and self._may_be_of_the_round(act.seat):
                betting.lose_track()
            self._unplaced.append(act)

    def _may_be_of_the_round(self, seat: int) -> bool:
        """Whether a press that comes just after the round may belong into it: there was none of
        this seat, or it was the last one, and this is the right button after a wrong one."""
        since = self.t - self._acted_at
        if seat not in self._pressed:
            return since < self._setup.timing.press_window
        return seat == self._pressed[-1] and since < AGAIN

    def close_unread(self) -> None:
        """The dealer says that the round is complete, and none is open: where the board is not read
        it is that of the street that was due."""
        head = self.hand.head
        if self.t - self._acted_at < DOUBLED or not isinstance(head, Burn | Turn):
            return
        if not self._reads_board():
            self._pass_unread(head.street)

    def _reads_board(self) -> bool:
        """Whether it is read now: one whose reader is back has told what lies there."""
        return self._setup.has("board") and not self._judge.was_unread("board", self.t)

    def _pass_unread(self, street: Street) -> None:
        hand = self.hand
        hand.betting.lose_track()
        hand.script = [
            step
            for step in hand.script
            if not (isinstance(step, Burn | Turn) and step.street == street)
        ]
        self.tell.phase(street, self.t)
        self.on()

    def take_unplaced(self) -> list[Act]:
        """The presses for which there is no place, which are forgotten."""
        acts, self._unplaced = self._unplaced, []
        return acts

    @property
    def has_unplaced(self) -> bool:
        """Whether there were presses since the last burn or street, for which there is no place."""
        return bool(self._unplaced)

    def place_presses(self) -> None:
        """A card is burned though the street of the last burn is not out. If a whole round has been
        pressed since then, the two together tell that the street was not read."""
        hand, head, acts = self.hand, self.hand.head, self._unplaced
        if not isinstance(head, Turn) or not hand.burns[head.street] or hand.board[head.street]:
            return
        if not hand.betting.would_complete(
            head.street, [(a.seat, a.button, a.amount) for a in acts]
        ):
            return
        self._pass_unread(head.street)
        for act in acts:
            if isinstance(hand.head, Round):
                self.act(act)
        self.on()

    @property
    def acts(self) -> int:
        """How often somebody has acted."""
        return self.hand.acts

    def act(self, act: Act) -> int | None:
        """A seat folds, checks, calls, bets, raises or is all-in; returns what it now has in on
        this round, if that is known."""
        if act.button == "fold":
            self.finish_deal()
        self._note_unseen(act.seat)
        bet = self._put_in(act)
        self._pressed.append(act.seat)
        self._is_told |= act.by != "muck"
        self._emit(Action(self.t, self.hand.number, act.seat, act.button, act.by, bet))
        self._acted()
        return bet

    def infer(self, seat: int, bet: int | None) -> None:
        """A seat has acted without a press: it has bet or raised to so much, which counts already
        (None: it is not known how much), or with 0 checked or called."""
        betting = self.hand.betting
        self.hand.inferred[seat] += 1
        amount = bet
        if bet != 0:
            button = "raise"
        else:
            button = "call" if betting.faces_bet(seat) else "check"
            amount = betting.act(seat, button, None)
        told = None if button == "check" else amount
        self._emit(Action(self.t, self.hand.number, seat, button, "inferred", told))
        self._acted()

    def infer_rest(self) -> None:
        """The round is over: who has not been seen to act and could have pressed has acted."""
        betting = self.hand.betting
        for player in list(betting.must_act()):
            if (
                self._setup.has_buttons(player.seat)
                and not player.unsure
                and betting.awaits(player.seat)
            ):
                self.infer(player.seat, 0)

    def bring_up(self, act: Act, total: int) -> None:
        """The dealer has corrected the last bet or raise of the round, or a call of it."""
        betting = self.hand.betting
        callers = betting.bring_up(act.seat, total)
        bet = betting.players[act.seat].bet
        self._emit(Action(self.t, self.hand.number, act.seat, act.button, act.by, bet))
        for seat in callers:
            told = betting.players[seat].bet
            self._emit(Action(self.t, self.hand.number, seat, "call", "inferred", told))
        self._acted_at = self.t
        self._judge.rule_anew(self.t)

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
        out = dealt_out(self.hand)
        if not out or seat in out:
            return
        waiting = {player.seat for player in betting.must_act()}
        others = [s for s in betting.turn if s in waiting and s not in out]
        if others and betting.next_to_act() in out:
            betting.turn_to(others[0])

    def _note_unseen(self, seat: int) -> None:
        """A seat that was to act before this one may have put chips in, where it has no buttons or
        nobody watched for a while."""
        betting = self.hand.betting
        due = betting.next_to_act()
        if due is None or due == seat:
            return
        if self.hand.gap_round == betting.round or not self._setup.has_buttons(due):
            betting.lose_track()

    def _acted(self) -> None:
        self.hand.acts += 1
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

    def complete(self, *, awarded: bool = False) -> None:
        """The hand is over: one player is left, the pot was `awarded`, or the next one began.
        Nobody is said to win on a board that is in question, unless the dealer says so."""
        hand = self.hand
        self.kill_absent(leave=1)
        hand.over, hand.awarded = True, awarded
        is_readable = awarded or not self._judge.board_in_question()
        is_readable &= not hand.second_board
        lasting = self._judge.hand_over(self.t)
        redeal, stacks = hand.redeal_of or hand.number, tuple(self._begun_with)
        self.disputed = tuple(
            Disputed(hand.number, each, redeal, hand.positions, stacks) for each in lasting
        )
        self.tell.streets(self.t, (), final=True)
        self.tell.phase("complete", self.t)
        tabled = self.tabled_cards() if is_readable else {}
        outcome = settle_pots(hand, tabled, self.board_cards())
        self._emit(Result(self.t, hand.number, outcome.pots, outcome.awards, outcome.stacks))
        known = self._told(outcome.known or {})
        self.stacks_after = known if outcome.stacks is None else outcome.stacks
        self.tell.say("new-hand", self.t)

    def _told(self, stacks: Mapping[str, int]) -> dict[str, int]:
        """Those of these stacks that are known: where nobody tells what is bet, whoever folds
        without buttons may have put chips in before."""
        has_told = self._setup.has_buttons
        return {s: chips for s, chips in stacks.items() if self._is_told or has_told(int(s))}

    def misdeal(self) -> None:
        """A misdeal was called: the hand is void and the next one is its redeal."""
        self._judge.close_all("ruled", self.t)
        self.hand.over = self.hand.misdealt = True
        self.tell.phase("misdeal", self.t)
        self.tell.say("collect", self.t)

    def void(self) -> None:
        """The floor has ruled it void."""
        hand = self.hand
        self._judge.close_all("ruled", self.t)
        hand.over = hand.voided = True
        self.tell.phase("complete", self.t)
        self._emit(Result(self.t, hand.number, (), None, undone(self._begun_with)))
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
