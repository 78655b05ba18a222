"""A person takes over: the dealer waits for the answers and goes by what the floor decides."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from controller.contract.events import ASIDES, Closed, Phase, Prompt
from controller.contract.observations import Award, Gone
from controller.demo.dealer import Dealer
from controller.demo.helm import Part, Shared
from controller.demo.phh import read_hand
from controller.library.books import Library
from tests.engine.simulation import HANDS, EngineFelt, seat_players


class Table:
    """A felt without wires and a person who does one thing for each thing that is waited for."""

    def __init__(self, library: Library, book: str, answers: dict[str, dict[str, Any]]) -> None:
        self.felt = EngineFelt(library, book)
        self.answers = answers
        self.waited: list[str] = []
        self.helm = Shared(self.felt, self.pause, lambda: self.felt.picture.view, self.prompt)
        self.told = 0

    def prompt(self) -> tuple[str, dict[str, Any]]:
        said = [e for e in self.felt.events if isinstance(e, Prompt) and e.text_id not in ASIDES]
        return (said[-1].text_id, said[-1].args) if said else ("", {})

    async def pause(self, seconds: float) -> None:
        await self.felt.pause(seconds)
        wait = self.helm.waits_for
        if wait and (not self.waited or self.waited[-1] != wait or wait == "step"):
            self.waited.append(wait)
            if wait == "step" and wait not in self.answers:
                self.helm.step()
            else:
                open_ = self.felt.picture.view.findings[0].id
                fields = self.answers[wait]
                about = {} if fields["input"] in ("call-floor", "misdeal") else {"finding": open_}
                self.felt.enter(**about, **fields)
        for event in self.felt.events[self.told :]:
            if isinstance(event, Closed):
                self.helm.closed(event.id, event.how)
        self.told = len(self.felt.events)

    def deal(self, error: str, *parts: Part) -> None:
        for part in parts:
            self.helm.take(part)
        rng = random.Random(3)
        hand = read_hand(HANDS / "pl_89_8.phh", rng)
        seats = seat_players(hand, rng)
        self.felt.set_up(hand, seats)
        asyncio.run(Dealer(self.felt, self.pause, rng, self.helm).deal_hand(hand, seats, error))

    def closed(self) -> list[str]:
        return [e.how for e in self.felt.events if isinstance(e, Closed)]


CONFIRM = {"kind": "dealer", "input": "confirm"}
DISMISS = {"kind": "dealer", "input": "dismiss"}


def test_the_dealer_waits_for_the_answer_and_for_each_step(library: Library) -> None:
    table = Table(library, "homepokertourney", {"answer": CONFIRM})
    table.deal("burn-missing", "answers")
    assert table.waited[0] == "answer"
    assert table.waited.count("step") > 2
    assert table.closed() == ["remedied"]
    assert table.felt.picture.view.phase == "complete"


@pytest.mark.parametrize("wait", ["answer", "step"])
def test_what_is_dismissed_is_not_put_right(library: Library, wait: str) -> None:
    error = {"answer": "burn-missing", "step": "four-card-flop"}[wait]
    table = Table(library, "homepokertourney", {wait: DISMISS})
    table.deal(error, "answers")
    assert table.waited == [wait]
    assert table.closed()[0] == "dismissed"
    played = table.felt.log[: [type(o) for o in table.felt.log].index(Award)]
    assert not [o for o in played if isinstance(o, Gone) and o.zone == "board"]


def test_a_misdeal_that_is_called_begins_the_hand_again(library: Library) -> None:
    table = Table(library, "homepokertourney", {"step": {"kind": "floor", "input": "misdeal"}})
    table.deal("four-card-flop", "answers")
    phases = [e.phase for e in table.felt.events if isinstance(e, Phase)]
    assert phases.count("misdeal") == 1
    assert phases[phases.index("misdeal") :].count("deal") == 1
    assert phases[-1] == "complete"
