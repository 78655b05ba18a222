"""Whose turn it was: actions out of turn, and what becomes of them when the turn goes back.

An early action counts as it comes, since the player before it may have acted unseen. The betting
before it is kept: when the turn does go back, the passed-over players act on that, and each early
action is taken again or not, as the book says.
"""

from __future__ import annotations

from dataclasses import replace

from controller.contract.events import RulingText
from controller.rules.ahead import Ahead
from controller.rules.bans import Bans
from controller.rules.betting import Betting
from controller.rules.button_misplaced import Puck
from controller.rules.doubt import Doubt
from controller.rules.hand import OpenFinding
from controller.rules.odds import OUT_OF_TURN, is_certain
from controller.rules.out_of_turn import (
    AGAIN,
    BANS,
    OUT,
    SKIPPED,
    Act,
    Between,
    came_between,
    proposed,
    stands_behind,
    worse,
)
from controller.rules.passed import EarlyAct, Passed, Void
from controller.rules.procedure import Round
from controller.rules.watcher import Lookout, Play, Watcher

LOOKS = 10.0
"""Seconds for which a player may hold both cards in the hand before nothing is claimed of him."""

Memory = tuple[Passed | None, frozenset[int]]
"""What is kept of those who were passed over: it can be gone back to."""


class Turns(Watcher):
    """Takes the actions of one hand. `bans` are those who may not raise."""

    code = OUT

    def __init__(self, lookout: Lookout, play: Play, puck: Puck) -> None:
        """`play` carries actions out, `puck` knows from where the hand is played."""
        super().__init__(lookout)
        self.bans = Bans(self._hand)
        self._play = play
        self._puck = puck
        self._ahead = Ahead(lookout)
        self._passed: Passed | None = None
        self._void: Void | None = None
        self._pressed: tuple[float, int, Betting] | None = None

    def act(self, act: Act) -> None:
        """A seat acts, in turn or not."""
        if act.seat in self._hand.absent:
            self._kill_absent(act)
            return
        self._play.kill_absent(leave=1)
        if self._hand.betting.is_won:
            return
        if not self._hand.betting.acted_on:
            self._puck.first_acts(act.seat)
        self.bans.put_right_or_leave(act.seat)
        is_banned = self.bans.is_broken_by(act)
        if self._void is not None:
            self._act_again_or_leave(self._void, act.seat, certify=not is_banned)
        self._ahead.unheard.discard(act.seat)
        if is_banned:
            self.bans.break_by(act.seat)
        else:
            self.bans.end(act.seat)
        self._in_turn_or_not(act)
        self._note_thought()
        self._ahead.last = (self._now.t, act.seat)
        if self._hand.betting.is_won:
            self._prove_at_the_end()

    def _note_thought(self) -> None:
        last, hand = self._ahead.last, self._hand
        began = max(hand.last_card.values(), default=hand.t)
        if last is not None and last[0] > began:
            count, seconds = hand.thought
            hand.thought = (count + 1, seconds + self._now.t - last[0])

    def _in_turn_or_not(self, act: Act) -> None:
        passed = self._passed
        if passed is None or not passed.due:
            self._end_passed()
            self._take(act)
        elif act.seat not in passed.due or self._answers_another(passed, act):
            self._pass_over(passed, self._over(act))
            self._act_early(passed, act)
        elif self._comes_round_to(passed, act):
            self._answers(passed, act)
        else:
            self._turn_goes_back(passed, act)

    def _kill_absent(self, act: Act) -> None:
        """The dealer takes in the hand of a player who is not there, whoever's turn it is."""
        self._play.kill(act)
        if self._passed is not None and not self._passed.before.players[act.seat].folded:
            self._passed.before.kill(act.seat)
            self._passed.has_acted(act.seat)

    def _take(self, act: Act) -> None:
        over = self._over(act)
        if not over:
            self._put_right(act)
            self._play.act(act)
            return
        betting = self._hand.betting
        others = {player.seat for player in betting.must_act()}.difference(over)
        before, raises = betting.copy(), betting.raises
        self._passed = passed = Passed(self._now.t, (), len(others), before, raises=raises)
        self._pass_over(passed, over)
        self._act_early(passed, act)

    def _put_right(self, act: Act) -> None:
        """The seat that has acted last presses another button at once: it was a slip."""
        t, last = self._now.t, self._pressed
        if last is not None and last[1] == act.seat and t - last[0] <= AGAIN:
            self._hand.betting = last[2]
        self._pressed = (t, act.seat, self._hand.betting.copy())

    def _over(self, act: Act) -> tuple[int, ...]:
        """Who is passed over by this action: nobody on a round of which nobody has seen all."""
        hand = self._hand
        is_dead = any(act.seat in f.seats and f.may_kill for f in hand.findings)
        watched = self._judge.watching and hand.gap_round != hand.betting.round
        return self._ahead.of(act) if watched and not (is_dead and act.button == "fold") else ()

    def _pass_over(self, passed: Passed, over: tuple[int, ...]) -> None:
        fresh = tuple(seat for seat in over if seat not in passed.due)
        passed.due += fresh
        passed.since |= dict.fromkeys(fresh, self._now.t)
        passed.thrown |= {seat for seat in fresh if not self._ahead.holds_cards(seat)}
        self._hand.passed_over.update(fresh)

    def _act_early(self, passed: Passed, act: Act) -> None:
        """It counts as it comes, and may be taken back: what was put in is kept with it. If it
        calls what nobody is known to have bet, one of those who were passed over has. A hand in the
        muck whose player has acted was rather swept in than folded."""
        betting = self._hand.betting
        facing = betting.faces_bet(act.seat)
        swept = act.by == "muck" and betting.players[act.seat].acted
        if betting.calls_what_nobody_bet(act.seat, act.button, act.amount):
            bettor = next((s for s in reversed(passed.due) if s not in passed.bets), None)
            if bettor is not None:
                passed.bets[bettor] = betting.act(bettor, "raise", act.amount)
        bet = self._play.act(act)
        passed.early.append(EarlyAct(replace(act, amount=bet), facing, self._now.t, act.amount))
        self._count_behind(passed)
        self._drop_doubt()
        if self._found(passed) is None:
            quiet = self._table.timing.settle if swept else self._table.rates.quiet
            self._doubts.add(passed.amiss(OUT), self._now.t + quiet)

    # --- who is passed over ---

    @property
    def passed_over(self) -> tuple[int, ...]:
        """Who has been passed over on this round and has not acted since."""
        return self._passed.due if self._passed is not None else ()

    def _answers_another(self, passed: Passed, act: Act) -> bool:
        """Whether a passed-over player answers a bet that did not come either: then he had acted
        before, as had another who was passed over or is now."""
        if not self._hand.betting.answers_what_nobody_bet(act.seat, act.button, act.amount):
            return False
        self._has_acted(passed, act.seat)
        self._hand.inferred[act.seat] += 1
        return True

    def _has_acted(self, passed: Passed, seat: int) -> None:
        """One of those who were passed over has acted, and is asked about no more."""
        passed.has_acted(seat)
        self._hand.passed_over.discard(seat)
        self._hand.asked.discard(seat)

    def _comes_round_to(self, passed: Passed, act: Act) -> bool:
        """Whether it is a passed-over player's turn in any case, by a bet among the early actions,
        and what he does answers it: then he had acted before, and not pressed."""
        return self._may_answer(passed, act) and self._hand.betting.next_to_act() == act.seat

    def _may_answer(self, passed: Passed, act: Act) -> bool:
        """Whether what a passed-over player does answers a bet that has come since. Then he had
        acted before and not pressed, and so had those between the bet and him."""
        betting = self._hand.betting
        if betting.raises == passed.raises or betting.bettor == act.seat:
            return False
        silent = (act.seat, *self._ahead.of(act))
        if is_certain(OUT_OF_TURN, self._table.rates.unheard(silent)):
            return False
        if act.button in ("check", "bet") or act.amount is None or betting.to_call is None:
            return act.button not in ("check", "bet")
        if act.button == "call":
            return act.amount in (betting.to_call, *self._called_until_now(passed))
        return act.amount > betting.to_call or act.button == "all-in"

    def _called_until_now(self, passed: Passed) -> set[int | None]:
        """What there was to call within `press_window`: the press may have come before the others'
        that have no certain order with it."""
        since = self._now.t - self._table.timing.press_window
        recent = [early for early in passed.early if early.t > since]
        if not recent:
            return set()
        before = [early.act.amount or 0 for early in passed.early if early.t <= since]
        bets = {early.act.amount for early in recent}
        return {max((passed.before.to_call or 0, *before)), *bets}

    def _may_have_acted(self, passed: Passed, act: Act) -> bool:
        """Whether he may have acted before without pressing: what he does answers a bet, be it one
        that did not come either, or is what others have called of him."""
        is_called = act.amount is not None and passed.bets.get(act.seat) == act.amount
        if is_called or self._may_answer(passed, act):
            return True
        bare = act.button == "fold" or (act.button != "bet" and act.amount is None)
        twice = self._table.rates.unheard((act.seat, act.seat))
        bare = bare and act.button != "check" and not passed.early[0].is_in_muck
        return bare and not is_certain(OUT_OF_TURN, twice)

    def _answers(self, passed: Passed, act: Act) -> None:
        """His turn has come by the others' bet. If nobody stood between the two, it may as well be
        the bet that came too early."""
        is_late = self._now.t - passed.since[act.seat] >= self._table.timing.press_window
        if len(passed.early) == 1 and self._found(passed) is None and is_late:
            self._establish(passed, OUT)
        self._hand.inferred[act.seat] += 1
        self._play.act(act)
        self._has_acted(passed, act.seat)

    def speak_up(self, seat: int) -> bool:
        """A player calls "time": if he was passed over, his turn is kept to him however many act
        behind him (RR7-BET-11). False if he was not."""
        passed = self._passed
        if passed is None or seat not in passed.due:
            return False
        passed.heard = passed.behind
        finding = self._found(passed)
        if finding is None:
            self._establish(passed, OUT, read=True)
        else:
            self._judge.make_certain(finding, self._now.t, confirmed=False)
        self._hand.asked.discard(seat)
        return True

    # --- presses that did not come ---

    def infer_missing(self) -> None:
        """The hand goes on: those who were passed over have acted without pressing."""
        passed = self._passed
        if passed is None:
            return
        for seat in passed.due:
            self._infer(passed, seat)
            self._hand.asked.discard(seat)
        finding = self._found(passed)
        if finding is not None and not finding.certain:
            self._judge.close(finding, "expired", self._now.t)
        self._end_passed()

    def _infer(self, passed: Passed, seat: int) -> None:
        """With no bet a player checked; a bet he has called whose cards are still there."""
        player = self._hand.betting.players[seat]
        if player.folded or player.all_in:
            return
        self._play.infer(seat, passed.bets.get(seat, 0))

    def goes_on(self) -> None:
        """The next card comes: what was inferred is so."""
        passed = self._passed
        if passed is not None and not self._is_round(passed.before.round):
            for seat in passed.due:
                if seat in passed.bets:
                    self._infer(passed, seat)
            self._end_passed()

    def _end_passed(self) -> None:
        self._drop_doubt()
        self._passed = None
        self._hand.passed_over.clear()

    def waits_for(self, seat: int | None = None) -> None:
        """The dealer calls the floor, or the clock on a seat: the table waits for a player, and
        others have acted before him."""
        passed = self._passed
        if passed is None or self._found(passed) is not None:
            return
        if seat in (None, *passed.due) and all(map(self._ahead.holds_cards, passed.due)):
            self._establish(passed, self._code(passed))

    # --- doubt ---

    def prove(self, doubt: Doubt) -> None:
        """Nobody of those who were passed over has been seen to act."""
        passed, t = self._passed, self._now.t
        if passed is None or not passed.due or self._found(passed) is not None:
            return
        if self.hand_back(passed.early[0].act.seat):
            return
        due = tuple(seat for seat in passed.due if self._ahead.holds_cards(seat))
        passed.thrown = passed.thrown.difference(due)
        if due:
            passed.due = due
            self._establish(passed, self._code(passed))
        elif t - passed.t < LOOKS:
            self._doubts.add(doubt.amiss, t + self._table.timing.again)

    def _prove_at_the_end(self) -> None:
        """A fold has ended the hand: nobody who still holds cards will be seen to act on it."""
        passed = self._passed
        doubted = self._doubts.has(OUT)
        if passed is not None and doubted and all(map(self._ahead.holds_cards, passed.due)):
            self._establish(passed, OUT)

    def _establish(self, passed: Passed, code: str, *, read: bool = False) -> None:
        self._drop_doubt()
        known = len(self._hand.findings)
        self._judge.establish(passed.amiss(code, read=read), self._now.t)
        passed.finding = next(iter(self._hand.findings[known:]), None)
        if not read:
            self._hand.asked.update(passed.due)

    def _code(self, passed: Passed) -> str:
        """Substantial action behind a player is worse than one action out of turn."""
        behind = passed.heard is None and stands_behind([early.act for early in passed.early])
        return SKIPPED if behind else OUT

    def _drop_doubt(self) -> None:
        self._doubts.forget(OUT)

    def _found(self, passed: Passed | Void) -> OpenFinding | None:
        """What was found of it, while that is open."""
        return passed.finding if passed.finding in self._hand.findings else None

    def _count_behind(self, passed: Passed) -> None:
        """More has been done behind a player of whom it was found."""
        finding = self._found(passed)
        if finding is None or finding.code == self._code(passed):
            self._say_what_came(passed)
            return
        if finding.code == SKIPPED:
            return
        passed.due = (
            tuple(seat for seat in passed.due if self._ahead.holds_cards(seat)) or passed.due
        )
        self._judge.close(finding, "expired", self._now.t)
        self._establish(passed, SKIPPED, read=finding.certain)

    def _say_what_came(self, passed: Passed) -> None:
        """More has been done, early or in between."""
        finding = self._found(passed)
        if finding is not None:
            now = passed.amiss(finding.code)
            finding.facts, finding.early = now.facts, now.early
            if passed.due:
                finding.due = now.due
            if finding.code == OUT:
                finding.seats = now.seats
            self._judge.rule_anew(self._now.t)

    # --- the turn goes back ---

    def _turn_goes_back(self, passed: Passed, act: Act) -> None:
        """A player who was passed over acts after all."""
        t, timing = self._now.t, self._table.timing
        late = timing.settle if act.by == "muck" else timing.press_window
        finding, since = self._found(passed), passed.since[act.seat]
        is_late = t - since >= late
        if finding is not None and act.by != "muck" and is_late:
            if not self._may_have_acted(passed, act):
                self._judge.make_certain(finding, t, confirmed=False)
        elif finding is None and not is_late:
            self._hand.late[act.seat] += act.by == "press"
        elif finding is None and not passed.was_thrown_in(act):
            is_slip = self._may_have_acted(passed, act) or passed.may_be_late(t - late)
            self._establish(passed, self._code(passed), read=not is_slip)
        self._drop_doubt()
        self._hand.betting = passed.before
        if self._stays_dead(passed):
            self._play.act(act)
            return
        before = passed.before.to_call
        self._play.act(act)
        between = came_between(act, before, self._hand.betting.to_call)
        passed.between = worse(passed.between, between)
        passed.before = self._hand.betting.copy()
        self._has_acted(passed, act.seat)
        passed.bets.pop(act.seat, None)
        if passed.due:
            for early in passed.early:
                self._take_again(early, passed.between, finding)
        self._say_what_came(passed)
        if not passed.due:
            self._decide(passed)

    def _take_again(self, early: EarlyAct, between: Between, found: OpenFinding | None) -> None:
        """An early action counts, as far as it went: what has been bet since is to be answered.
        Where nothing was found the presses only came in another order, and a call is of that."""
        if found is None and early.act.button == "call" and early.told is None:
            self._play.act_again(replace(early.act, amount=None))
            return
        betting, seat, button = self._hand.betting, early.act.seat, early.act.button
        order, is_late = betting.turn, between == "changed" and button in ("check", "call")
        faces_more = is_late if betting.to_call is None else betting.faces_bet(seat)
        if button == "check" and faces_more:
            return
        self._play.act_again(early.act)
        if is_late or betting.to_call is not None:
            betting.answer_again(seat)
        betting.turn = order  # it goes on behind those who were to act first

    def _decide(self, passed: Passed) -> None:
        """All have acted who were to act first: do the early actions stand?"""
        finding = self._found(passed)
        self._end_passed()
        if finding is None:
            for early in passed.early:
                self._take_again(early, passed.between, None)
            return
        void = Void(finding, self._hand.betting.round)
        for early in passed.early:
            self._limit(passed, early, finding)
            if self._stands(passed, early, finding):
                self._take_again(early, passed.between, finding)
            else:
                void.acts.append(early.act)
        if void.acts:
            self._void = void
        elif proposed(finding.ruling) in ("binding", "dead-hand"):
            self._judge.put_right(finding, self._now.t)

    def _stands(self, passed: Passed, early: EarlyAct, finding: OpenFinding) -> bool:
        """A fold does, until the floor says otherwise, if it is one (UK-59); and so does what was
        done behind a player whose turn may be lost (UK-39B)."""
        ruling = proposed(self._ruling(passed, early, finding))
        if early.act.button == "fold":
            return not (early.is_in_muck and ruling == "floor")
        if finding.code == SKIPPED and proposed(finding.ruling) == "floor":
            return True
        return ruling == "binding"

    def _ruling(self, passed: Passed, early: EarlyAct, finding: OpenFinding) -> RulingText:
        """What the book says of this one of the early actions."""
        words = self._judge.words(finding)
        return self._table.book.ruling(OUT, passed.facts(early), None, words)

    def _limit(self, passed: Passed, early: EarlyAct, finding: OpenFinding) -> None:
        for step in self._ruling(passed, early, finding).steps:
            if step.id in BANS:
                self._hand.limited[early.act.seat] = BANS[step.id]

    def _act_again_or_leave(self, void: Void, seat: int, *, certify: bool) -> None:
        """A seat acts: early actions that did not stand are done again, or left as they were."""
        rest: list[Act] = []
        for act in void.acts:
            if act.seat == seat:
                void.is_left |= not certify
            elif act.by == "muck" or self._hand.betting.next_to_act() == act.seat:
                self._play.act_again(act)
                void.is_left = True
            else:
                rest.append(act)
        void.acts = rest
        if not rest:
            self._end(void)

    def _end(self, void: Void) -> None:
        """Nothing of it is left: each has acted again, or one was left as he was."""
        self._void = None
        finding = self._found(void)
        if finding is None:
            return
        if void.is_left:
            self._judge.close(finding, "expired", self._now.t)
        else:
            self._judge.put_right(finding, self._now.t)

    # --- a hand in the muck that nobody has folded ---

    def says_fold(self, seat: int) -> None:
        """The player or the dealer says that the hand in the muck was folded."""
        passed = self._passed
        if passed is None:
            return
        for place, early in enumerate(passed.early):
            if early.act.seat == seat and early.is_in_muck:
                passed.early[place] = replace(early, act=replace(early.act, by="press"))
                self._say_what_came(passed)

    def hand_back(self, seat: int) -> bool:
        """A hand that nobody has folded lies before its player again, whom the book does not
        hold to it: it is live (UK-59). False if this is none."""
        if not self._ahead.lies(seat):
            return False
        if self._passed is None:
            return self._void is not None and self._is_back_from(self._void, seat)
        return self._is_first_back(self._passed, seat)

    def _is_back_from(self, void: Void, seat: int) -> bool:
        swept = [act for act in void.acts if act.seat == seat and act.by == "muck"]
        for act in swept:
            void.acts.remove(act)
        if swept and not void.acts:
            self._end(void)
        return bool(swept)

    def _is_first_back(self, passed: Passed, seat: int) -> bool:
        early, finding = passed.early[0], self._found(passed)
        if early.act.seat != seat or not early.is_in_muck or len(passed.early) > 1:
            return False
        if finding is not None and finding.ruling.outcome != "floor":
            return False
        self._hand.betting = passed.before
        self._end_passed()
        if finding is not None:
            self._hand.asked.difference_update(finding.due)
            self._judge.put_right(finding, self._now.t)
        return True

    def _stays_dead(self, passed: Passed) -> bool:
        """Whether the book has the hand in the muck dead: then it is, and gets back what nobody
        has called (TDA09-39)."""
        finding = self._found(passed)
        if finding is None or finding.ruling.outcome != "dead-hand" or len(passed.early) > 1:
            return False
        seat = passed.early[0].act.seat
        self._end_passed()
        self._hand.betting.withdraw(seat)
        self._hand.betting.kill(seat)
        self._hand.asked.difference_update(finding.due)
        self._judge.put_right(finding, self._now.t)
        return True

    def _withdraw_if_dead(self, outcome: str) -> None:
        """The floor has killed a hand that lies in the muck: what nobody has called goes back."""
        passed, void = self._passed, self._void
        acts = [early.act for early in passed.early] if passed else void.acts if void else []
        for act in acts:
            if act.by == "muck" and outcome == "dead-hand":
                self._hand.betting.withdraw(act.seat)

    # --- others decide ---

    def forget(self, finding: OpenFinding) -> None:
        """Answered no: those who seemed to be passed over have acted."""
        if not self._concerns(finding):
            return
        self._ahead.unheard.update(finding.due)
        for seat in finding.due:
            player = self._hand.betting.players[seat]
            player.acted = player.has_acted = True
        self._hand.betting.lose_track()
        self._end_passed()
        self._void = None

    def ruled(self, finding: OpenFinding, outcome: str) -> None:
        """The floor has decided whether the early action stands."""
        if not self._concerns(finding):
            return
        passed = self._passed
        self._withdraw_if_dead(outcome)
        if passed is not None:
            is_taken_back = outcome in ("not-binding", "restore")
            if is_taken_back:
                self._hand.betting = passed.before
            for seat in passed.due[:1]:
                self._hand.betting.turn_to(seat)
            for early in passed.early:
                self._limit(passed, early, finding)
                stays = early.act.button == "fold" and finding.code == SKIPPED
                stays |= outcome == "restore" and not early.is_in_muck
                if is_taken_back and stays:
                    self._play.act_again(early.act)
        self._hand.asked.difference_update(finding.due)
        self._end_passed()
        self._void = None

    def _concerns(self, finding: OpenFinding) -> bool:
        return finding.code in (OUT, SKIPPED)

    def memory(self) -> Memory:
        """What is to be remembered in case that a ruling is taken back."""
        passed = self._passed
        return passed.copy() if passed is not None else None, frozenset(self._hand.asked)

    def recall(self, memory: Memory) -> None:
        """It stands as it did."""
        self._passed, asked = memory
        self._hand.asked = set(asked)
        self._hand.passed_over = set(self.passed_over)

    def settle(self) -> None:
        """Once the round is over, what was asked is of no more use."""
        passed, void = self._passed, self._void
        if void is not None and not self._is_round(void.round):
            void.is_left = True
            self._end(void)
        if passed is None or self._is_round(passed.before.round):
            return
        if passed.bets and self._doubts.has(OUT) and self._found(passed) is None:
            return  # it is over only by what was inferred
        finding = self._found(passed)
        self._end_passed()
        self._hand.asked.clear()
        if finding is not None and not finding.certain:
            self._ahead.unheard.update(finding.due)
            self._judge.close(finding, "expired", self._now.t)

    def _is_round(self, name: str) -> bool:
        head = self._hand.head
        return isinstance(head, Round) and head.name == name
