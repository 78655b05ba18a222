"""What follows from an observation is told once that is kept, and in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from controller.contract.cards import CARDS
from controller.contract.messages import Hand, Message
from controller.contract.observations import Observation
from controller.contract.picture import LinksNow, Picture
from controller.contract.view import TableView
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


def _service(
    library: Library,
    disk: Slowly,
    *,
    publish: Callable[[Message], None],
    show: Callable[[TableView], None],
    told: Callable[[], None] = lambda: None,
) -> TableService:
    return TableService(
        Engine(library.book),
        Picture("T1", "roberts", library.texts),
        Publisher("s", "T1", session="1", version="1", now_ms=lambda: 0),
        publish=publish,
        show=show,
        told=told,
        recorder=disk,
        decks=Decks({"deck": {card: card for card in CARDS}}),
    )


def test_neither_screen_nor_room_nor_chain_is_ahead_of_the_disk(library: Library) -> None:
    disk, told = Slowly(), list[str]()
    service = _service(
        library,
        disk,
        publish=lambda message: told.append(message.topic.rpartition("/")[2]),
        show=lambda _: told.append("screen"),
        told=lambda: told.append("chain"),
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


def test_the_room_hears_of_a_picture_that_is_new_to_the_room_and_the_screen_of_each(
    library: Library,
) -> None:
    disk, shown = Slowly(), list[TableView]()
    for_room = list[TableView]()

    def publish(message: Message) -> None:
        if message.topic.endswith("/hand"):
            for_room.append(msgspec.json.decode(message.payload, type=Hand).view)

    service = _service(library, disk, publish=publish, show=shown.append)
    for observation in deal(library, "uk-tda", "pl_94_43", None, seed=3).log:
        service.observe(observation)
        disk.keep()
    assert len(for_room) > 10
    assert all(before != after for before, after in pairwise(for_room))
    assert all(before != after for before, after in pairwise(shown))
    dealt = [view for view in shown if any(cards for _, cards in view.backs)]
    assert len({view.backs for view in dealt}) > len(shown[-1].seats)


def test_what_only_the_screen_shows_is_not_lost_to_it_when_the_links_change(
    library: Library,
) -> None:
    disk, shown = Slowly(), list[TableView]()
    service = _service(library, disk, publish=lambda _: None, show=shown.append)
    for observation in deal(library, "uk-tda", "pl_94_43", None, seed=3).log:
        service.observe(observation)
        disk.keep()
        if any(cards == 2 for _, cards in shown[-1].backs if shown):
            break
    backs = shown[-1].backs
    service.now(LinksNow(("the board's reader is away",)))
    assert shown[-1].links
    assert shown[-1].backs == backs
