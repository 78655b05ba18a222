"""What follows from an observation is told once that is kept, and in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.contract.cards import CARDS
from controller.contract.messages import Message
from controller.contract.observations import Observation
from controller.contract.view import Picture
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.table.decks import Decks
from controller.table.publisher import Publisher
from controller.table.service import TableService
from tests.engine.simulation import deal


class Slowly:
    """A recorder whose disk takes one more at each `keep`."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Callable[[], None]]] = []

    def record(
        self,
        observation: Observation,
        _messages: Sequence[Message],
        _origin: str | None,
        then: Callable[[], None],
        /,
    ) -> None:
        self._waiting.append((type(observation).__name__, then))

    def after(self, then: Callable[[], None]) -> None:
        self._waiting.append(("", then))

    def keep(self) -> bool:
        if self._waiting:
            self._waiting.pop(0)[1]()
        return bool(self._waiting)


def test_neither_screen_nor_room_nor_chain_is_ahead_of_the_disk(library: Library) -> None:
    disk, told = Slowly(), list[str]()
    publisher = Publisher("s", "T1", session="1", version="1", now_ms=lambda: 0)
    service = TableService(
        Engine(library.book),
        Picture("T1", "roberts", library.texts),
        publisher,
        publish=lambda message: told.append(message.topic.rpartition("/")[2]),
        show=lambda _: told.append("screen"),
        told=lambda: told.append("chain"),
        recorder=disk,
        decks=Decks({"deck": {card: card for card in CARDS}}),
    )
    log = deal(library, "uk-tda", "pl_94_43", None, seed=3).log
    for count, observation in enumerate(log, 1):
        service.observe(observation)
        service.after(lambda count=count: told.append(f"answer {count}"))  # type: ignore[misc]
    assert told == []
    disk.keep()
    assert "answer 1" not in told
    assert told.count("chain") == 1
    while disk.keep():
        pass
    chains = [at for at, word in enumerate(told) if word == "chain"]
    answers = [at for at, word in enumerate(told) if word.startswith("answer")]
    assert len(chains) == len(answers) == len(log)
    assert all(told_at < answer_at for told_at, answer_at in zip(chains, answers, strict=True))
    assert all(told[at - 1] != "chain" for at in chains[1:])
    assert told.count("screen") > 10
