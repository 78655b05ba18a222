"""A remedy as a dealer goes about it: the question is answered, the floor comes, step by step."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from controller.contract.view import FindingView
from controller.demo.deck import Deck, Felt, Pause
from controller.demo.helm import LOOK_S, Helm
from controller.demo.movements import MOVEMENTS, STILL, Course, Movements

AFTER_A_MISDEAL = frozenset(
    {
        "call-misdeal",
        "void-hand",
        "bets-back",
        "cards-back",
        "change-deck",
        "shuffle-deck",
        "cut",
        "deal-again",
        "same-deal-again",
    }
)
"""The steps that are carried out although the hand is void."""


class Remedy:
    """Puts right what the screen says is wrong."""

    def __init__(
        self,
        felt: Felt,
        pause: Pause,
        deck: Deck,
        rng: random.Random,
        *,
        course: Course,
        helm: Helm,
        instead: Mapping[str, Sequence[str]],
    ) -> None:
        """At a step in `instead` the dealer does those steps: wrong ones, or none."""
        self._felt = felt
        self._pause = pause
        self._deck = deck
        self._rng = rng
        self._course = course
        self._helm = helm
        self._instead = instead

    async def put_right(self, code: str, street: str) -> None:
        """Waits for the screen to say it, answers its question and does what it says."""
        finding = await self._finding(code)
        if finding is None:
            return
        if is_question(finding):
            await self._deck.pace(1.5)
            await self._helm.confirm(finding)
            await self._deck.pace(1.0)
            finding = await self._answered(code)
        if finding is not None and finding.ruling.outcome in ("floor", "floor-pick"):
            await self._helm.call_floor(finding)
            await self._deck.pace(3.0)
            await self._helm.come(finding)
            await self._deck.pace(4.0)
            finding = self._open(code)
        if finding is None:
            return
        ruling = finding.ruling
        if ruling.outcome == "floor" and ruling.advisory is not None:
            ruling = ruling.advisory
        hands = Movements(
            self._felt, self._deck, self._rng, self._course, street=street, seats=finding.seats
        )
        for step in ruling.steps:
            await self._deck.pace(1.2)
            if not await self._helm.may_step(finding):
                return
            if self._helm.is_void and step.id not in AFTER_A_MISDEAL:
                return
            for done in self._instead.get(step.id, (step.id,)):
                if done not in STILL:
                    await MOVEMENTS[done](hands)
        await self._deck.pace(2.0)

    def _open(self, code: str) -> FindingView | None:
        return next((f for f in self._felt.findings() if f.code == code), None)

    async def _answered(self, code: str) -> FindingView | None:
        """The finding once the table has taken the answer; None if that closed it."""
        for _ in range(20):
            finding = self._open(code)
            if finding is None or not is_question(finding):
                return finding
            await self._pause(LOOK_S)
        return None

    async def _finding(self, code: str) -> FindingView | None:
        for _ in range(40):
            found = self._open(code)
            if found is not None:
                return found
            await self._pause(LOOK_S)
        return None


def is_question(finding: FindingView) -> bool:
    """Whether the screen asks about it first."""
    return finding.ruling.steps[0].id.startswith("ask-")
