"""What holds of the engine for every log: one function a property, which raises where it does
not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from controller.contract.events import Event, Prompt, decode_event, encode_event
from controller.contract.observations import Observation, Seen, Table, Tick, Undo, decode, encode
from controller.contract.picture import Picture
from controller.contract.texts import TAKEN_OVER
from controller.engine.engine import Engine
from controller.engine.state import EngineState
from controller.library.books import Library
from controller.replay.account import open_account
from tests.engine.conservation import check_cards
from tests.engine.public_cards import PublicCards
from tests.engine.referee import Referee
from tests.engine.table_logs import CONFIG

Log = list[Observation]
Property = Callable[[Library, Log], None]


def it_can_be_told(library: Library, log: Log) -> None:
    """No exception, from the engine or from what draws, tells or writes down its events."""
    engine = Engine(library.book)
    picture = Picture("T1", "roberts", library.texts)
    account = open_account(library, CONFIG)
    for observation in log:
        assert decode(encode(observation)) == observation
        assert "04E1" not in repr(observation)
        events = engine.observe(observation)
        picture.take(events)
        account.tell(events)
        for event in events:
            assert decode_event(encode_event(event)) == event


def it_keeps_the_contract(library: Library, log: Log) -> None:
    """Findings are ruled with steps and closed once, hands begin and end once, in their order."""
    engine = Engine(library.book)
    referee = Referee()
    for observation in log:
        referee.take(observation, engine.observe(observation))


def it_keeps_secrets(library: Library, log: Log) -> None:
    """No face-down card is named and no tag at all."""
    engine = Engine(library.book)
    public = PublicCards()
    for observation in log:
        public.take(observation, engine.observe(observation))


def cards_are_conserved(library: Library, log: Log) -> None:
    """In the engine's picture every tag is one thing in one place."""
    engine = Engine(library.book)
    for observation in log:
        engine.observe(observation)
        watch = engine._game._now.watch
        if watch is not None:
            check_cards(watch.hand)


def a_prefix_and_the_rest_are_the_whole(library: Library, log: Log) -> None:
    """Whatever the engine keeps between hands is all it needs: one that is restored from it
    says the same of the rest, but for reminders of the hand that was over; and what ended that
    hand can't be taken back, nor does it go on with another player. Where each card was dealt and
    when it left it does not keep: one that comes back between two hands may begin the next. It is
    kept as the table's journal keeps it, when a hand has ended and when the table was set up."""
    whole, engine = Engine(library.book), Engine(library.book)
    public = PublicCards()
    kept, over = False, 0
    for observation in log:
        if isinstance(observation, Undo) and whole.hand is None:
            continue
        comes_back = whole.hand is None and _comes_back(observation, whole, engine)
        events = whole.observe(observation)
        comes_back |= over > 0 and _comes_back(observation, whole, engine)
        if comes_back or any(_goes_on(event, over) for event in events):
            return
        expected = _of_later_hands(events, over)
        told = _of_later_hands(engine.observe(observation), over)
        assert say(told) == say(expected), "restored, it says something else"
        public.take(observation, [])
        state = engine.state()
        ended = not kept or isinstance(observation, Table)
        if state is not None and ended:
            written = msgspec.json.decode(msgspec.json.encode(state), type=EngineState)
            lying, pending = engine.lying(), engine.pending()
            resting = engine._game._now.resolver.resting
            engine = Engine(library.book)
            engine.restore(written, public.deck, lying, resting)
            for waiting in pending:
                assert engine.observe(waiting) == []
            over = written.hands
            assert engine.state() == written
        kept = state is not None


def _comes_back(read: Observation, whole: Engine, restored: Engine) -> bool:
    """Whether a card comes of which only an engine that saw the last hand knows where it lay."""
    knows, does_not = whole._game._now.first_cards, restored._game._now.first_cards
    if not isinstance(read, Seen):
        return False
    return knows.comes_back(read) or knows.is_new(read.tag) != does_not.is_new(read.tag)


def _goes_on(event: Event, over: int) -> bool:
    """Whether a hand that was over is played on, with somebody of whom nobody knew."""
    is_taken_over = isinstance(event, Prompt) and event.text_id == TAKEN_OVER
    return is_taken_over and event.hand <= over


def _of_later_hands(events: list[Event], over: int) -> list[Event]:
    return [e for e in events if not (isinstance(e, Prompt) and e.hand <= over)]


def say(events: list[Event]) -> list[bytes]:
    """The events as they are sent."""
    return [encode_event(event) for event in events]


def ticks_change_nothing(library: Library, log: Log) -> None:
    """What becomes certain with time does so at its time, whether or not anyone looks."""
    once, often = Engine(library.book), Engine(library.book)
    expected: list[bytes] = []
    told: list[bytes] = []
    last = 0.0
    for observation in log:
        expected += say(once.observe(observation))
        if observation.t is not None:
            told += say(often.observe(Tick((last + observation.t) / 2)))
            last = observation.t
        told += say(often.observe(observation))
    assert told == expected, "a tick changes what is said"


PROPERTIES: tuple[Property, ...] = (
    it_can_be_told,
    it_keeps_the_contract,
    it_keeps_secrets,
    cards_are_conserved,
    a_prefix_and_the_rest_are_the_whole,
    ticks_change_nothing,
)
