"""Records the logs of `config/lessons`: the demo's dealer errs, and enters what a dealer enters.

python -m tests.training.recording [FOLDER]
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from controller.contract.cards import CARDS
from controller.contract.observations import Observation, Tick, decode, encode
from controller.contract.view import FindingView
from controller.demo.dealer import Dealer
from controller.demo.deck import JOKER, PUCK
from controller.demo.helm import Automatic
from controller.demo.phh import PlayedHand, read_hand
from controller.files.settings import config_dir
from controller.library.books import Library, open_library
from controller.replay.moments import Drawing
from controller.training.course import next_step
from tests.engine.simulation import HANDS

BY_ITS_BUTTON = ("call-misdeal", "void-hand")
PLAYERS = ("Ana", "Ben", "Chloe", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ida", "Jon")

RECORDINGS: dict[str, dict[str, Any]] = {
    "clean-hand": {"name": "syn_05_20"},
    "missing-burn": {"error": "burn-missing"},
    "four-card-flop": {"error": "four-card-flop", "rulebook": "uk-tda"},
    "premature-turn": {"error": "premature-turn"},
    "exposed-card": {"error": "exposed-card"},
    "first-card-wrong-seat": {"error": "first-card-wrong-seat"},
    "unread-burn": {"unread": "burn"},
    "misdeal": {"error": "exposed-first-card"},
}


class Recorder:
    """A felt that writes a log. The first card laid into the zone `unread` is not read, and the
    question that follows is answered with no."""

    def __init__(self, library: Library, unread: str) -> None:
        self.t = 2.0
        self.log: list[Observation] = []
        self._drawing = Drawing(library)
        self._unread = unread
        self._hidden: set[str] = set()

    def enter(self, **fields: Any) -> None:  # noqa: ANN401
        observation = decode(msgspec.json.encode({"t": round(self.t, 2), **fields}))
        changed = self._drawing.take(observation)
        if changed or not isinstance(observation, Tick):
            self.log.append(observation)

    def place(self, zone: str, card: str) -> None:
        if zone == self._unread and not self._hidden:
            self._hidden.add(card)
        else:
            self.enter(kind="seen", zone=zone, tag=card)

    def take(self, zone: str, card: str) -> None:
        if card in self._hidden:
            self._hidden.add("taken")
            self._hidden.remove(card)
        else:
            self.enter(kind="gone", zone=zone, tag=card)

    def press(self, seat: int, button: str) -> None:
        self.enter(kind="press", seat=seat, button=button)

    def findings(self) -> Sequence[FindingView]:
        view = self._drawing.view
        return view.findings if view is not None else ()

    async def pause(self, seconds: float) -> None:
        end = self.t + seconds
        while self.t < end:
            self.t = min(end, (self.t // 0.25 + 1) * 0.25)
            self.enter(kind="tick")
            for finding in self.findings() if self._unread else ():
                if self.t >= finding.t + 2:
                    self.enter(kind="dealer", input="dismiss", finding=finding.id)


class Ticking(Automatic):
    """Ticks each step before it is carried out, as a learner does, unless the screen has taken it
    for done."""

    def __init__(self, felt: Recorder) -> None:
        super().__init__(felt)
        self._recorder = felt
        self._steps = 0

    async def may_step(self, finding: FindingView) -> bool:
        found = next((one for one in self._recorder.findings() if one.id == finding.id), None)
        step = finding.ruling.steps[self._steps].id
        self._steps += 1
        is_shown = found is not None and next_step(found) == step
        if is_shown and step not in BY_ITS_BUTTON:
            self._felt.enter(kind="dealer", input="done", finding=finding.id, step=step)
        return True


def record(
    library: Library,
    *,
    error: str | None = None,
    rulebook: str = "homepokertourney",
    unread: str = "",
    name: str = "pl_94_43",
    seed: int = 1,
) -> list[Observation]:
    rng = random.Random(seed)
    hand = read_hand(HANDS / f"{name}.phh", rng)
    felt = Recorder(library, unread)
    seats = _seats(hand, rng)
    felt.enter(
        kind="table",
        v=1,
        table="T1",
        rulebook=rulebook,
        button=seats[-1],
        seats=[
            {"seat": seat, "stack": stack, "player": PLAYERS[seat - 1]}
            for seat, stack in sorted(zip(seats, hand.stacks, strict=True))
        ],
        blinds={"small": hand.blinds[0], "big": hand.blinds[1], "ante": hand.ante},
        deck={card: card for card in (*CARDS, JOKER)},
        objects={PUCK: "button"},
    )
    dealer = Dealer(felt, felt.pause, rng, Ticking(felt))
    asyncio.run(dealer.deal_hand(hand, seats, error))
    return felt.log


def _seats(hand: PlayedHand, rng: random.Random) -> list[int]:
    seats = sorted(rng.sample(range(1, 10), len(hand.stacks)))
    turn = rng.randrange(len(seats))
    return seats[turn:] + seats[:turn]


def main(folder: Path) -> None:
    library = open_library(config_dir())
    for name, wanted in RECORDINGS.items():
        lines = [encode(one).decode() + "\n" for one in record(library, **wanted)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else config_dir() / "lessons")
