"""Whose turn it was: actions out of turn, and what becomes of them when the turn goes back.

An early action counts as it comes, since the player before it may have acted unseen. The betting
before it is kept: when the turn does go back, the passed-over players act on that, and the early
action is taken again or not, as the book says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.puck import Puck
from controller.engine.setup import Setup
from controller.engine.walk import DOUBLED, Walk
from controller.events import ClosedHow
from controller.rules.betting import Betting
from controller.rules.hand import OpenFinding
from controller.rules.irregularity import PassedOver
from controller.rules.out_of_turn import Act, ActedBy, Between, stands_behind, worse
from controller.rules.procedure import HOLE_CARDS, Round

LOOKS = 10.0
"""Seconds for which a player may hold both cards in the hand before nothing is claimed of him."""
_CODES = ("out-of-turn", "skipped-player")


@dataclass(slots=True)
class _Passed:
    """`due` were passed over; `before` is the betting without the `early` actions."""

    t: float
    due: tuple[int, ...]
    before: Betting
    early: list[Act]
    between: Between = "unchanged"


Memory = tuple[_Passed | None, frozenset[int]]
"""What is kept of those who were passed over: it can be gone back to."""


class Turns:
    """Takes the actions of one hand."""

    def __init__(self, walk: Walk, setup: Setup, judge: Judge, places: Places, puck: Puck) -> None:
        """`places` knows whose cards lie before him, `puck` from where the hand is played."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._puck = puck
        self._passed: _Passed | None = None
        self._void: Act | None = None
        self._last: tuple[float, int] | None = None
        self._unheard: set[int] = set()

    def act(self, act: Act) -> None:
        """A seat acts, in turn or not."""
        if act.seat in self._hand.absent:
            self._kill_absent(act)
            return
        self._walk.kill_absent(leave=1)
        if len(self._hand.betting.live) < 2:
            return
        if not self._hand.betting.acted_on:
            self._puck.first_acts(act.seat)
        self._take_or_leave(act.seat)
        self._unheard.discard(act.seat)
        passed = self._passed
        if passed is None:
            self._take(act)
        elif act.seat not in passed.due:
            passed.early.append(act)
            self._walk.act(act)
            self._count_behind(passed)
        elif len(passed.early) > 1 and self._hand.betting.next_to_act() == act.seat:
            self._walk.act(act)  # it is his turn again, whether he had acted before or not
            passed.due = tuple(seat for seat in passed.due if seat != act.seat)
        else:
            self._turn_goes_back(passed, act)
        self._last = (self._walk.t, act.seat)
        if len(self._hand.betting.live) < 2:
            self._prove_at_the_end()

    def _kill_absent(self, act: Act) -> None:
        """The dealer takes in the hand of a player who is not there, whoever's turn it is."""
        self._walk.kill(act.seat, act.by)
        if self._passed is not None and not self._passed.before.players[act.seat].folded:
            self._passed.before.kill(act.seat)
            self._passed.due = tuple(seat for seat in self._passed.due if seat != act.seat)

    def _take(self, act: Act) -> None:
        is_dead = any(act.seat in f.seats and f.may_kill for f in self._hand.findings)
        watched = self._judge.watching and not (is_dead and act.button == "fold")
        over = self._passed_over(act.seat, act.by) if watched else ()
        if over:
            self._passed = _Passed(self._walk.t, over, self._hand.betting.copy(), [act])
            self._doubt(self._passed)
        self._walk.act(act)

    # --- who is passed over ---

    def _passed_over(self, seat: int, by: ActedBy) -> tuple[int, ...]:
        """Who had to act before this seat and is not known to have done so."""
        betting = self._hand.betting
        waiting = {player.seat for player in betting.must_act()}
        if seat not in waiting and self._is_put_right(seat, by):
            return ()
        ahead = takewhile(lambda other: other != seat, betting.turn)
        over = tuple(s for s in ahead if s in waiting and self._can_be_passed_over(s))
        return over[:1] if by == "muck" and seat not in waiting else over

    def _is_put_right(self, seat: int, by: ActedBy) -> bool:
        """Whether a player who has acted has pressed twice, or put it right at once. A bet that
        nobody has called is not put right in the muck while others are in the hand."""
        if self._last is None:
            return False
        betting, (at, who) = self._hand.betting, self._last
        killed = by == "muck" and len(betting.live) > 2
        if killed and betting.uncalled(seat) != 0:
            return False
        return (who == seat and not killed) or self._walk.t - at < DOUBLED

    def _can_be_passed_over(self, seat: int) -> bool:
        """Whether this player would have been seen to act: he has buttons, his cards were read,
        he is there, and has not acted unheard before."""
        known = self._setup.seats.get(seat)
        if seat in self._unheard or not self._setup.has_buttons(seat):
            return False
        if seat in self._hand.absent or (known and known.status in ("absent", "penalty")):
            return False
        zone = f"seat/{seat}"
        if not self._setup.has(zone):
            return True
        return len(self._cards_of(seat)) >= HOLE_CARDS and not self._setup.was_lost(
            zone, since=self._hand.t
        )

    @property
    def passed_over(self) -> tuple[int, ...]:
        """Who has been passed over on this round and has not acted since."""
        return self._passed.due if self._passed is not None else ()

    def _cards_of(self, seat: int) -> list[str]:
        return [tag for _, at, tag in self._hand.dealt if at == seat]

    def _holds_cards(self, seat: int) -> bool:
        """Whether a card lies before a player: then he has not given up his hand."""
        if not self._setup.has(f"seat/{seat}"):
            return True
        return any(self._places.seat(tag) == seat for tag in self._cards_of(seat))

    # --- doubt ---

    def _doubt(self, passed: _Passed) -> None:
        deviation = self._deviation(passed, "out-of-turn")
        until = passed.t + self._setup.timing.settle
        self._judge.doubts.append(Doubt(deviation, until))

    def _deviation(self, passed: _Passed, code: str, *, read: bool = False) -> PassedOver:
        if code == "skipped-player":
            return PassedOver(passed.t, code, passed.due, passed.due, frozenset(), read)
        early = passed.early[0]
        facts = {f"early-{early.button}", passed.between}
        if early.by == "muck":
            bet = passed.before.uncalled(early.seat) != 0
            facts.add("in-muck-uncalled" if bet else "in-muck")
        return PassedOver(passed.t, code, (early.seat,), passed.due, frozenset(facts), read)

    def prove(self, deviation: PassedOver) -> None:
        """Nobody of those who were passed over has been seen to act."""
        passed, t = self._passed, self._walk.t
        if passed is None or self._finding() is not None or self.hand_back(passed.early[0].seat):
            return
        due = tuple(seat for seat in passed.due if self._holds_cards(seat))
        if due:
            passed.due = due
            self._establish(passed, "out-of-turn")
        elif t - passed.t < LOOKS:
            self._judge.doubts.append(Doubt(deviation, t + self._setup.timing.settle))
        else:
            self._passed = None

    def _prove_at_the_end(self) -> None:
        """A fold has ended the hand: nobody who still holds cards will be seen to act on it."""
        passed = self._passed
        doubted = any(isinstance(d.deviation, PassedOver) for d in self._judge.doubts)
        if passed is not None and doubted and all(map(self._holds_cards, passed.due)):
            self._establish(passed, "out-of-turn")

    def _establish(self, passed: _Passed, code: str, *, read: bool = False) -> None:
        self._drop_doubt()
        self._judge.establish(self._deviation(passed, code, read=read), self._walk.t)
        if not read:
            self._hand.asked.update(passed.due)

    def _drop_doubt(self) -> None:
        self._judge.doubts = [
            d for d in self._judge.doubts if not isinstance(d.deviation, PassedOver)
        ]

    def _finding(self) -> OpenFinding | None:
        found = (self._hand.open_finding(code) for code in _CODES)
        return next((finding for finding in found if finding is not None), None)

    def _count_behind(self, passed: _Passed) -> None:
        """Substantial action behind a player is worse than one action out of turn."""
        known = self._hand.open_finding("out-of-turn")
        if self._hand.open_finding("skipped-player") or not stands_behind(passed.early):
            return
        passed.due = tuple(seat for seat in passed.due if self._holds_cards(seat)) or passed.due
        if known is None and not all(self._holds_cards(seat) for seat in passed.due):
            return
        if known is not None:
            self._judge.close(known, "expired", self._walk.t)
        self._establish(passed, "skipped-player", read=known is not None and known.certain)

    # --- the turn goes back ---

    def _turn_goes_back(self, passed: _Passed, act: Act) -> None:
        """A player who was passed over acts after all."""
        t, timing = self._walk.t, self._setup.timing
        late = timing.settle if act.by == "muck" else timing.order_window
        finding = self._finding()
        if finding is None and t - passed.t >= late:
            self._establish(passed, "out-of-turn", read=True)
        elif finding is not None and act.by != "muck":
            self._judge.make_certain(finding, t, confirmed=False)
        self._drop_doubt()
        self._hand.betting = passed.before
        if self._stays_dead(passed):
            self._walk.act(act)
            return
        before = passed.before.to_call
        self._walk.act(act)
        passed.between = worse(passed.between, _between(act, before, self._hand.betting.to_call))
        passed.before = self._hand.betting.copy()
        passed.due = tuple(seat for seat in passed.due if seat != act.seat)
        self._hand.asked.discard(act.seat)
        self._say_what_came_between(passed)
        if passed.due or len(passed.early) > 1:
            for early in passed.early:
                self._walk.act_again(early)
        if not passed.due:
            self._decide(passed)

    def _say_what_came_between(self, passed: _Passed) -> None:
        finding = self._finding()
        if finding is not None:
            finding.facts = self._deviation(passed, finding.code).facts
            self._judge.rule_anew(self._walk.t)

    def _decide(self, passed: _Passed) -> None:
        """All have acted who were to act first: does the early action stand?"""
        self._passed = None
        finding = self._hand.open_finding("out-of-turn")
        if len(passed.early) > 1:
            return
        early = passed.early[0]
        if finding is None or _outcome(finding) == "binding":
            self._walk.act_again(early)
            self._limit(early, finding)
            if finding is not None:
                self._judge.close(finding, "remedied", self._walk.t)
        else:
            self._void = early
            self._limit(early, finding)

    def _limit(self, early: Act, finding: OpenFinding | None) -> None:
        """What the offender may still do on this round (RR7-BET-10, UK-39A)."""
        if finding is not None and any(
            step.id in ("only-call-or-fold", "no-raise-later") for step in finding.ruling.steps
        ):
            self._hand.limited.add(early.seat)

    def _take_or_leave(self, seat: int) -> None:
        """An early action that did not stand: its player acts again, or is left as he was."""
        void, self._void = self._void, None
        if void is None:
            return
        is_due = self._hand.betting.next_to_act() == void.seat
        if seat != void.seat and (is_due or void.by == "muck"):
            self._walk.act_again(void)
        finding = self._hand.open_finding("out-of-turn")
        if finding is not None:
            how: ClosedHow = "remedied" if seat == void.seat else "expired"
            self._judge.close(finding, how, self._walk.t)

    # --- a hand in the muck that nobody has folded ---

    def says_fold(self, seat: int) -> None:
        """The player or the dealer says that the hand in the muck was folded."""
        passed = self._passed
        if passed is not None and passed.early[0].seat == seat and passed.early[0].by == "muck":
            passed.early[0] = replace(passed.early[0], by="press")
            self._say_what_came_between(passed)

    def hand_back(self, seat: int) -> bool:
        """A hand that nobody has folded lies before its player again, whom the book does not
        hold to it: it is live (UK-59). False if this is none."""
        passed, void = self._passed, self._void
        early = void if passed is None else passed.early[0]
        finding = self._hand.open_finding("out-of-turn")
        if early is None or early.seat != seat or early.by != "muck" or not self._lies(seat):
            return False
        if finding is not None and finding.ruling.outcome != "floor":
            return False
        if passed is not None:
            if len(passed.early) > 1:
                return False
            self._hand.betting = passed.before
        self._passed = self._void = None
        self._drop_doubt()
        if finding is not None:
            self._hand.asked.difference_update(finding.due)
            self._judge.close(finding, "remedied", self._walk.t)
        return True

    def _lies(self, seat: int) -> bool:
        """Whether a hand lies before its player and nowhere else."""
        tags = self._cards_of(seat)
        return bool(tags) and all(self._places.zones(tag) == [f"seat/{seat}"] for tag in tags)

    def _stays_dead(self, passed: _Passed) -> bool:
        """Whether the book has the hand in the muck dead: then it is, and gets back what nobody
        has called (TDA09-39)."""
        finding = self._hand.open_finding("out-of-turn")
        if finding is None or finding.ruling.outcome != "dead-hand" or len(passed.early) > 1:
            return False
        self._passed = None
        self._hand.betting.withdraw(passed.early[0].seat)
        self._hand.betting.kill(passed.early[0].seat)
        self._hand.asked.difference_update(finding.due)
        self._judge.close(finding, "remedied", self._walk.t)
        return True

    # --- others decide ---

    def forget(self, finding: OpenFinding) -> None:
        """Answered no: those who seemed to be passed over have acted."""
        if finding.code not in _CODES:
            return
        self._unheard.update(finding.due)
        for seat in finding.due:
            player = self._hand.betting.players[seat]
            player.acted = player.has_acted = True
        self._hand.betting.known = False
        self._passed = self._void = None

    def ruled(self, finding: OpenFinding, outcome: str) -> None:
        """The floor has decided whether the early action stands."""
        if finding.code not in _CODES:
            return
        early = self._void if self._passed is None else self._passed.early[0]
        if early is not None and early.by == "muck" and outcome == "dead-hand":
            self._hand.betting.withdraw(early.seat)
        if self._passed is not None:
            if outcome in ("not-binding", "restore"):
                self._hand.betting = self._passed.before
            for seat in self._passed.due[:1]:
                self._hand.betting.turn_to(seat)
        self._hand.asked.difference_update(finding.due)
        self._passed = self._void = None

    def memory(self) -> Memory:
        """What is to be remembered in case that a ruling is taken back."""
        passed = self._passed
        if passed is not None:
            passed = replace(passed, before=passed.before.copy(), early=list(passed.early))
        return passed, frozenset(self._hand.asked)

    def recall(self, memory: Memory) -> None:
        """It stands as it did."""
        self._passed, asked = memory
        self._hand.asked = set(asked)

    def settle(self) -> None:
        """Once the round is over, what was asked is of no more use."""
        passed, head = self._passed, self._hand.head
        if passed is None or (isinstance(head, Round) and head.name == passed.before.round):
            return
        self._drop_doubt()
        self._passed = None
        self._hand.asked.clear()
        finding = self._finding()
        if finding is not None and not finding.certain:
            self._unheard.update(finding.due)
            self._judge.close(finding, "expired", self._walk.t)


def _between(act: Act, before: int | None, after: int | None) -> Between:
    if act.button in ("bet", "raise") or after != before:
        return "changed"
    return "called" if act.button in ("call", "all-in") else "unchanged"


def _outcome(finding: OpenFinding) -> str:
    """The ruling's outcome, or that of the advice where the floor decides."""
    ruling = finding.ruling
    while ruling.advisory is not None and ruling.outcome == "floor":
        ruling = ruling.advisory
    return ruling.outcome
