"""What is entered of a remedy's acts, and what the hand's going on says of those that were not."""

from __future__ import annotations

from collections.abc import Iterable

from controller.hand.judge import Judge
from controller.hand.places import Places
from controller.hand.walk import Walk
from controller.rules import remedies
from controller.rules.defining_acts import (
    ENTERED,
    FLOOR,
    PICK,
    QUESTIONS,
    REBUILD,
    SCRAMBLE,
    SHUFFLE,
    is_asked,
)
from controller.rules.hand import OpenFinding
from controller.rules.procedure import Back, PickBurn, Reorder, Round, ScriptStep, Shuffle
from controller.rules.progress import is_done
from controller.rules.remedies import ASIDE

REST = 3.0
"""Seconds for which cards are left alone that have been laid down for good."""


class Acts:
    """Hears of the shuffle, the floor's pick and the floor's coming in one hand."""

    def __init__(self, walk: Walk, judge: Judge, places: Places) -> None:
        """Has the walk wait where an act is still to come; `places` knows where each tag is."""
        self._walk = walk
        self._hand = walk.hand
        self._judge = judge
        self._places = places
        self._is_shuffled = False
        walk.holds = self._holds
        judge.is_mislaid = self._is_mislaid

    # --- what is entered ---

    def shuffled(self) -> None:
        """The stub has been shuffled, says an entry or the riffle."""
        self._choose()
        due = self._shuffles()
        self._is_shuffled |= bool(due)
        for step in due:
            self._take_off(step)
            for finding in self._whose(step):
                self._judge.show(finding, (SHUFFLE,), self._walk.t)
        for finding in self._open():
            if any(map(finding.advises, REBUILD)):
                self._judge.show(finding, REBUILD, self._walk.t)

    @property
    def awaits_shuffle(self) -> bool:
        """Whether a remedy waits for the shuffle, or has had it and no card has come since."""
        asked = any(
            f.certain and not f.under_way and f.asks_for(SHUFFLE) for f in self._hand.findings
        )
        return asked or self._is_shuffled or any(isinstance(s, Shuffle) for s in self._hand.script)

    def done(self, finding_id: int, step: str) -> None:
        """The dealer has ticked a step of a remedy."""
        finding = self._hand.finding(finding_id)
        if step == SCRAMBLE:
            self._scrambled(finding)
        if finding is None or step not in ENTERED or not finding.advises(step):
            return
        if step == SHUFFLE:
            shuffles = finding.moves.get(SHUFFLE, ())
            if any(map(finding.advises, ASIDE)) and not all(self._is_due(s) for s in shuffles):
                return  # the betting comes first
            for shuffle in shuffles:
                self._take_off(shuffle)
        self._judge.show(finding, REBUILD if step in REBUILD else (step,), self._walk.t)

    def _scrambled(self, finding: OpenFinding | None) -> None:
        """Of what the floor has ruled on, which is closed, the script knows the street."""
        head = self._hand.head
        if isinstance(head, PickBurn):
            self._hand.stirred.add(head.street)
        elif finding is not None and finding.street is not None:
            self._hand.stirred.add(finding.street)

    def picked(self) -> None:
        """The floor has picked a card."""
        for finding in self._open():
            if finding.advises(PICK) or PICK in finding.moves:
                self._judge.show(finding, (PICK, FLOOR), self._walk.t)

    def floor_called(self) -> None:
        """The floor was called, or comes."""
        self._judge.floor_called = self._walk.t
        for finding in self._walk.hand.findings:
            self._judge.call_attention(finding)
        for finding in self._open():
            self._judge.show(finding, (FLOOR,), self._walk.t)

    def answered(self, finding: OpenFinding) -> None:
        """Asked whether an act was done, the dealer has said yes."""
        if is_asked(finding):
            self._judge.show(finding, QUESTIONS, self._walk.t)

    # --- the hand goes on ---

    def card_comes(self) -> None:
        """The next card comes off the stub: it is too late to shuffle before it, or to pick."""
        self._is_shuffled = False
        self.goes_on()
        while isinstance(self._walk.hand.head, Shuffle):
            self._take_off(self._hand.script[0])
            self._walk.on()

    def goes_on(self) -> None:
        """Nobody picks any more: somebody acts upon the street, or the next card comes. Where the
        floor could choose, what lies there tells what it has chosen."""
        self._choose()
        head = self._hand.head
        if isinstance(head, PickBurn | Reorder) and is_done(head, self._hand):
            self._take_off(head)
            self._walk.on()

    def _choose(self) -> None:
        head = self._hand.head
        if isinstance(head, Reorder) and self._may_be_other(head) and not self._lying(head):
            for finding in self._whose(head):
                remedies.other_way(self._hand, finding)
                self._walk.on()

    def _may_be_other(self, step: Reorder) -> bool:
        return any(map(remedies.has_other_way, self._whose(step)))

    def _lying(self, step: Reorder) -> list[str]:
        return [tag for tag, _, _ in step.places if self._places.lies(tag)]

    def _holds(self, step: ScriptStep) -> bool:
        """Whether a pick is still to come, or its cards are still moving: where no burn is read,
        one card off the board may be on its way back, and where the floor could choose, so may the
        first."""
        if isinstance(step, Reorder):
            return self._may_be_other(step) and len(self._lying(step)) < len(step.places)
        if not isinstance(step, PickBurn):
            return False
        unshown = [f for f in self._whose(step) if PICK in f.moves and PICK not in f.shown]
        at_rest = self._at_rest(step)
        return bool(unshown) or (at_rest is not None and self._walk.t < at_rest)

    def _at_rest(self, step: PickBurn) -> float | None:
        """When its cards have lain still for long enough, where that is waited for."""
        return None if self._hand.reads_burns else self._hand.last_card[step.street] + REST

    @property
    def next_deadline(self) -> float | None:
        """When a pick's cards will have lain still for long enough."""
        head = self._hand.head
        at_rest = self._at_rest(head) if isinstance(head, PickBurn) else None
        return at_rest if at_rest is not None and at_rest > self._walk.t else None

    def _is_mislaid(self, finding: OpenFinding) -> bool:
        """Whether a card that was to go into the stub lies among the discards or at a seat."""
        back = (s for steps in finding.moves.values() for s in steps if isinstance(s, Back))
        tags = [tag for step in back for tag in step.tags]
        return any(
            self._places.is_present(tag, "muck") or self._places.seat(tag) is not None
            for tag in tags
        )

    # --- which ---

    def _open(self) -> Iterable[OpenFinding]:
        return (*self._hand.findings, *self._hand.unshown)

    def _whose(self, step: ScriptStep) -> list[OpenFinding]:
        """The findings of whose remedy a step of the script is part."""
        return [
            finding
            for finding in self._open()
            if any(step is own for steps in finding.moves.values() for own in steps)
        ]

    def _shuffles(self) -> list[Shuffle]:
        """The shuffles for which it is time: the cards are back, and the betting that comes before
        is over (of a flop that goes back at once it may go on)."""
        found: list[Shuffle] = []
        for step in self._hand.script:
            match step:
                case Shuffle():
                    found.append(step)
                case Back(tags=tags) if not any(map(self._places.lies, tags)):
                    pass
                case Round("preflop"):
                    pass
                case _:
                    break
        return found

    def _is_due(self, shuffle: ScriptStep) -> bool:
        """Whether it is time for it, or past."""
        left = [step for step in self._hand.script if isinstance(step, Shuffle)]
        due = self._shuffles()
        return not any(shuffle is s for s in left) or any(shuffle is s for s in due)

    def _take_off(self, step: ScriptStep) -> None:
        self._hand.script = [one for one in self._hand.script if one is not step]
