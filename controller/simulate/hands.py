"""Real hands, dealt once: what a table's engine made of each, to be told again by many tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.contract.cards import CARDS
from controller.contract.events import Closed, Event, Finding, Ruling
from controller.contract.messages import Message
from controller.contract.observations import Observation, decode
from controller.contract.picture import Picture
from controller.contract.view import FindingView, TableView
from controller.demo.dealer import Dealer
from controller.demo.deck import JOKER, PUCK, twin
from controller.demo.errors import ERRORS, can_err
from controller.demo.phh import PlayedHand, Street, read_hand
from controller.engine.engine import Engine
from controller.files.settings import config_dir
from controller.library.books import Library
from controller.table.decks import Decks
from controller.table.publisher import Publisher
from controller.table.service import NoRecorder, TableService

RULEBOOK = "homepokertourney"
CLEAN = 8
"""So many different hands are dealt without an error."""
_SEATS = range(1, 11)
_TICK_S = 0.25


class Step(Struct, frozen=True):
    """What followed from one observation, as `Publisher.events` takes it; `shown`: the picture
    changed, and is told too."""

    observation: Observation
    events: tuple[Event, ...]
    before: TableView
    view: TableView
    shown: bool


class Dealt(Struct, frozen=True):
    """One hand from the riffle to the collected cards, with its error if it has one. `findings`
    is the greatest number that a finding has in it, and `hands` how many hands it took: a misdeal
    is dealt anew."""

    name: str
    error: str | None
    steps: tuple[Step, ...]
    hands: int
    findings: int


class Evening(Struct, frozen=True):
    """The hands that there are to be dealt."""

    clean: tuple[Dealt, ...]
    wrong: tuple[Dealt, ...]


async def deal_evening(library: Library, seed: int) -> Evening:
    """Deals some hands without an error, and one with each error that the dealer knows."""
    rng = random.Random(seed)  # noqa: S311 - hands that can be had again
    paths = sorted((config_dir() / "hands").glob("pl_*.phh"))
    read = (read_hand(path, rng) for path in rng.sample(paths, len(paths)))
    hands = [hand for hand in read if any(isinstance(act, Street) for act in hand.acts)]
    wrong = []
    for error in ERRORS:
        able = [hand for hand in hands if can_err(hand, error)]
        wrong.append(await deal(library, rng.choice(able), error, rng))
    clean = [await deal(library, hand, None, rng) for hand in hands[:CLEAN]]
    return Evening(tuple(clean), tuple(wrong))


async def deal(library: Library, hand: PlayedHand, error: str | None, rng: random.Random) -> Dealt:
    """Deals one hand at a table of its own, with an error at most, which is put right."""
    felt = _Felt(library)
    seats = sorted(rng.sample(_SEATS, len(hand.stacks)))
    turn = rng.randrange(len(seats))
    seats = seats[turn:] + seats[:turn]
    felt.seat(hand, seats)
    await Dealer(felt, felt.pause, rng).deal_hand(hand, seats, error)
    steps = tuple(step for step in felt.steps if step.events or step.shown)
    found = [e.id for step in steps for e in step.events if isinstance(e, Finding)]
    return Dealt(hand.name, error, steps, steps[-1].view.hand, max(found, default=0))


def at_table(step: Step, table: str, hands: int, findings: int) -> Step:
    """The same at another table, after so many hands and findings."""
    return Step(
        step.observation,
        tuple(_renumbered(event, hands, findings) for event in step.events),
        step.before,
        replace(
            step.view,
            table=table,
            hand=step.view.hand + hands,
            findings=tuple(replace(f, id=f.id + findings) for f in step.view.findings),
        ),
        step.shown,
    )


def _renumbered(event: Event, hands: int, findings: int) -> Event:
    if isinstance(event, Finding | Ruling | Closed):
        return replace(event, hand=event.hand + hands, id=event.id + findings)
    return replace(event, hand=event.hand + hands)


class _Felt:
    """A felt without wires: what is done on it goes straight into a table's service. Implements
    `controller.demo.deck.Felt`, and keeps the steps."""

    def __init__(self, library: Library) -> None:
        self._t = 0.0
        notes = _Notes()
        self.steps = notes.steps
        self._service = TableService(
            Engine(library.book),
            Picture("table", RULEBOOK, library.texts),
            notes,
            publish=lambda _message: None,
            show=lambda _view: None,
            recorder=NoRecorder(),
            decks=Decks({}),
        )

    def seat(self, hand: PlayedHand, seats: Sequence[int]) -> None:
        """The players of a hand sit down, the last of them on the button."""
        self.enter(
            kind="table",
            v=1,
            table="table",
            rulebook=RULEBOOK,
            button=seats[-1],
            seats=[{"seat": s, "stack": c} for s, c in zip(seats, hand.stacks, strict=True)],
            blinds={"small": hand.blinds[0], "big": hand.blinds[1], "ante": hand.ante},
            deck={card: card for card in (*CARDS, JOKER)} | {twin(card): card for card in CARDS},
            objects={PUCK: "button"},
        )

    def enter(self, **fields: Any) -> None:  # noqa: ANN401 - the fields of an observation
        """See `Felt`."""
        line = msgspec.json.encode({"t": round(self._t, 3), **fields})
        self._service.observe(decode(line))

    def place(self, zone: str, card: str) -> None:
        """See `Felt`."""
        self.enter(kind="seen", zone=zone, tag=card)

    def take(self, zone: str, card: str) -> None:
        """See `Felt`."""
        self.enter(kind="gone", zone=zone, tag=card)

    def press(self, seat: int, button: str) -> None:
        """See `Felt`."""
        self.enter(kind="press", seat=seat, button=button)

    def findings(self) -> Sequence[FindingView]:
        """See `Felt`."""
        return self._service.view.findings

    async def pause(self, seconds: float) -> None:
        """Time passes at the table, and none here."""
        end = self._t + seconds
        while self._t < end:
            self._t = min(end, self._t + _TICK_S)
            self.enter(kind="tick")


class _Notes(Publisher):
    """Notes what it is to tell."""

    def __init__(self) -> None:
        super().__init__("site", "table", session="session", version="", now_ms=lambda: 0)
        self.steps: list[Step] = []

    def events(
        self, observation: Observation, events: Sequence[Event], before: TableView, view: TableView
    ) -> list[Message]:
        self.steps.append(Step(observation, tuple(events), before, view, shown=False))
        return []

    def picture(self, view: TableView, seq: int | None = None) -> Message:
        self.steps[-1] = replace(self.steps[-1], shown=True)
        return super().picture(view, seq)
