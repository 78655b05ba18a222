"""What the floor decides: a ruling is carried out, and may be another one until the next riffle.

A decision is final for everyone but the floor (RR7-DEC-2), which may decide otherwise until the
next riffle (RR7-DEC-5). Where no card of a street has moved
since then the hand follows the later one from where it was before; else the later one is told and
the hand goes on as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct

from controller.contract.events import Closed, Event, Ruling, RulingText
from controller.rules.betting import Betting
from controller.rules.hand import HoleCard, OpenFinding
from controller.rules.layout import Layout, go_back, layout
from controller.rules.muck_retrieved import CODE as MUCK_RETRIEVED
from controller.rules.out_of_turn import Act
from controller.rules.rulebook import RuleBook
from controller.rules.ticked import ticked
from controller.rules.turns import Memory, Turns
from controller.rules.watcher import Lookout, Play, Watcher


class Decided(Struct, frozen=True, array_like=True):
    """What the floor has ruled on a finding; `words` fill the steps' texts."""

    finding: int
    code: str
    ruling: RulingText
    words: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Made:
    """A decision, and the hand before and after it; `acts` counts the actions until then."""

    finding: OpenFinding
    before: Layout
    after: Layout
    betting: Betting
    turns: Memory
    acts: int


class Decisions(Watcher):
    """The floor's decisions in one hand."""

    def __init__(
        self, lookout: Lookout, play: Play, turns: Turns, emit: Callable[[Event], None]
    ) -> None:
        """None so far; `play` carries them out, `emit` takes the events."""
        super().__init__(lookout)
        self._play = play
        self._turns = turns
        self._emit = emit
        self._made: dict[int, _Made] = {}

    @property
    def made(self) -> tuple[Decided, ...]:
        """What has been decided, as it now stands."""
        return tuple(
            Decided(one.id, one.code, one.ruling, self._judge.words(one))
            for one in (made.finding for made in self._made.values())
        )

    def followed(self) -> list[tuple[int, int]]:
        """Of each how many of its first steps are done: all of them once nothing of it is left in
        the script or, where nothing was put there, once the hand has gone on."""
        return [(made.finding.id, self._followed(made)) for made in self._made.values()]

    def _followed(self, made: _Made) -> int:
        finding, script = made.finding, self._hand.script
        if finding.inserted:
            is_over = not any(move is step for move in finding.inserted for step in script)
        else:
            is_over = self._play.acts != made.acts or not made.after.lies_as(self._hand)
        return len(finding.ruling.steps) if is_over else ticked(self._hand, finding)[0]

    def rule(self, finding_id: int, outcome: str) -> bool:
        """The floor decides a finding; False if there is none of this id to be decided."""
        finding = self._hand.finding(finding_id)
        if finding is not None:
            self._carry_out(finding, outcome)
            return True
        made = self._made.get(finding_id)
        if made is None:
            return False
        if outcome == made.finding.ruling.outcome:
            return True
        if made.after.lies_as(self._hand):
            self._undo(made)
            self._carry_out(made.finding, outcome)
            return True
        for one in self.made:
            if one.finding == finding_id:
                anew = rule_anew(one, outcome, self._table.book)
                made.finding.ruling = anew.ruling
                for event in told(anew, self._hand.number, self._now.t):
                    self._emit(event)
        return True

    def _carry_out(self, finding: OpenFinding, outcome: str) -> None:
        before, betting = layout(self._hand, finding), self._hand.betting.copy()
        turns = self._turns.memory()
        self._judge.rule(finding, outcome, self._now.t)
        self._turns.ruled(finding, outcome)
        if finding.code == MUCK_RETRIEVED:
            self._retrieved(finding, outcome)
        elif outcome == "dead-hand":
            self.kill(finding.seats)
        after = layout(self._hand, finding)
        self._made[finding.id] = _Made(finding, before, after, betting, turns, self._play.acts)
        if outcome == "void-hand":
            self._play.void()

    def kill(self, seats: tuple[int, ...]) -> None:
        """These hands are dead: they are out."""
        for seat in seats:
            player = self._hand.betting.players.get(seat)
            if player is not None and not player.folded:
                self._play.kill(Act(seat, "fold", None, "dealer"))

    def _retrieved(self, finding: OpenFinding, outcome: str) -> None:
        """A hand that came back from the muck is live again (RR7-DEAD-2, UK-59), or is not."""
        hand = self._hand
        roles = map(hand.roles.get, finding.tags)
        for seat in {role.seat for role in roles if isinstance(role, HoleCard)}:
            player = hand.betting.players[seat]
            if outcome == "restore" and player.folded:
                hand.betting.revive(seat)
            player.mucked &= outcome != "restore"

    def _undo(self, made: _Made) -> None:
        """The hand is as it was, its bets only if nobody has acted since."""
        go_back(self._hand, made.finding, made.before, made.after)
        if made.acts == self._play.acts:
            self._hand.betting = made.betting
            self._turns.recall(made.turns)
        self._hand.findings.append(made.finding)


def rule_anew(decided: Decided, outcome: str, book: RuleBook) -> Decided:
    """The decision with another outcome."""
    ruling = book.decided(decided.code, outcome, decided.words, decided.ruling)
    return Decided(decided.finding, decided.code, ruling, decided.words)


def told(decided: Decided, hand: int, t: float) -> tuple[Event, ...]:
    """How a decision is told of a finding that was closed before."""
    number = decided.finding
    return Ruling(t, hand, number, decided.ruling), Closed(t, hand, number, "ruled")
