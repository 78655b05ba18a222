"""Players who were passed over: what was done before their turn, and what came between."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from controller.rules.betting import Betting
from controller.rules.hand import OpenFinding
from controller.rules.irregularity import Amiss
from controller.rules.out_of_turn import SKIPPED, Act, Between, is_at_risk


@dataclass(frozen=True, slots=True)
class EarlyAct:
    """An action before its time, facing a bet or not, at `t`; `told` is the amount with which it
    was pressed."""

    act: Act
    facing: bool
    t: float
    told: int | None

    @property
    def is_in_muck(self) -> bool:
        """Whether nobody has said that it was a fold: the cards are in the muck."""
        return self.act.by == "muck"

    def facts(self, between: Between) -> frozenset[str]:
        """What it was and what came between, for the books."""
        faced = "facing-bet" if self.facing else "no-bet"
        return frozenset({f"early-{self.act.button}", faced, between})


@dataclass(slots=True)
class Passed:
    """`due` were passed over, while `others` were still to act behind them; `before` is the betting
    without the `early` actions. There had been so many `raises` then; `since` says when each was
    passed over, `bets` are what those of them must have bet or raised to whom others have called
    since, None where the amount was not told. `heard` is how many had acted when one of `due`
    called "time", `thrown` are those whose cards were gone and have stayed so; `finding` is what
    was found."""

    t: float
    due: tuple[int, ...]
    others: int
    before: Betting
    early: list[EarlyAct] = field(default_factory=list)
    between: Between = "unchanged"
    heard: int | None = None
    bets: dict[int, int | None] = field(default_factory=dict)
    since: dict[int, float] = field(default_factory=dict)
    raises: int = 0
    thrown: frozenset[int] = frozenset()
    finding: OpenFinding | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """Who has acted early."""
        return tuple(dict.fromkeys(early.act.seat for early in self.early))

    @property
    def behind(self) -> int:
        """How many have acted behind the passed-over players before one of them spoke up."""
        return len(self.seats) if self.heard is None else self.heard

    def has_acted(self, seat: int) -> None:
        """One of them has acted after all."""
        self.due = tuple(due for due in self.due if due != seat)

    def was_thrown_in(self, act: Act) -> bool:
        """Whether this fold may have been made before others acted behind it: the cards were gone
        already (RR7-DEAD-1b)."""
        return act.by != "press" and act.button == "fold" and act.seat in self.thrown

    def may_be_late(self, since: float) -> bool:
        """Whether a press that comes now may only be late: of those who acted early only hands in
        the muck were seen before `since`, and somebody has pressed since then."""
        pressed = [early.t for early in self.early if not early.is_in_muck]
        return bool(pressed) and pressed[0] > since

    def facts(self, early: EarlyAct) -> frozenset[str]:
        """What one of the early actions was and what came between, for the books."""
        facts = early.facts(self.between)
        if not early.is_in_muck:
            return facts
        is_called = self.before.uncalled(early.act.seat) == 0
        return facts | {"in-muck" if is_called else "in-muck-uncalled"}

    def amiss(self, code: str, *, read: bool = False) -> Amiss:
        """What there is to be found. An action out of turn is that of the seats which did the
        same; passed over is he whose turn it was, and nobody who waits for him."""
        if code == SKIPPED:
            is_risky = is_at_risk(self.behind, self.others)
            facts = frozenset({"many-behind" if is_risky else "few-behind", self.between})
            return Amiss(self.t, code, self.due[:1], read, facts, due=self.due, early=self.seats)
        first = self.early[0]
        alike = (e.act.seat for e in self.early if e.act.button == first.act.button)
        seats = tuple(dict.fromkeys(alike))
        facts = self.facts(first)
        return Amiss(self.t, code, seats, read, facts, due=self.due, early=self.seats)

    def copy(self) -> Self:
        """As it stands, whatever follows."""
        return replace(
            self,
            before=self.before.copy(),
            early=list(self.early),
            bets=dict(self.bets),
            since=dict(self.since),
        )


@dataclass(slots=True)
class Void:
    """Early actions of a betting round that do not stand: their players act again, each in its
    turn, or are left as they were."""

    finding: OpenFinding
    round: str
    acts: list[Act] = field(default_factory=list)
    is_left: bool = False
