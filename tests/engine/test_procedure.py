"""How a hand is followed where nothing goes wrong: rules that need no finding."""

from __future__ import annotations

from controller.books import Library
from controller.engine.engine import Engine
from controller.events import Event, Prompt, Result, Start
from controller.observations import decode
from tests.rules.table_talk import Talk


def result_of(events: list[Event]) -> Result:
    return [e for e in events if isinstance(e, Result)][-1]


def test_a_level_counts_from_the_next_riffle_on(library: Library) -> None:
    engine = Engine(library.book)
    events: list[Event] = []
    for line in (
        '{"kind":"table","v":1,"table":"1","rulebook":"uk-tda","button":1,'
        '"blinds":{"small":5,"big":10},"seats":[{"seat":1},{"seat":2}]}',
        '{"kind":"riffle","t":1}',
        '{"kind":"seen","t":3,"zone":"seat/2","tag":"As"}',
        '{"kind":"level","t":4,"small":50,"big":100}',
        '{"kind":"dealer","t":5,"input":"misdeal"}',
        '{"kind":"riffle","t":6}',
        '{"kind":"seen","t":8,"zone":"seat/2","tag":"As"}',
        '{"kind":"dealer","t":9,"input":"award"}',
        '{"kind":"riffle","t":10}',
    ):
        events += engine.observe(decode(line.encode()))
    starts = [(e.redeal_of, e.blinds.big) for e in events if isinstance(e, Start)]
    assert starts == [(None, 10), (1, 10), (None, 100)]


SHOWDOWN = """
pitch 3; deals 1; also 2 3 1 2 3; preflop; burn; board 3; checks; burn; board; checks; burn; board
checks; tabled 2; tabled 3; lift x1; wait 3
"""


def test_at_showdown_a_hand_is_dead_only_in_the_muck(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(SHOWDOWN)
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "showdown"
    talk.tell("lay x1 muck; wait 1")
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "award"
    talk.tell("award")
    assert [pot.seats for pot in result_of(talk.events).pots] == [(2, 3)]


def test_a_tabled_hand_is_not_killed_by_the_muck(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(SHOWDOWN + "tabled 1; lay x1 muck; wait 1; award")
    assert [pot.seats for pot in result_of(talk.events).pots] == [(1, 2, 3)]


def test_a_hand_killed_by_mistake_gets_back_what_nobody_called(library: Library) -> None:
    talk = Talk(library, "tda-2009")
    talk.tell("pitch 3; also 1 2; deals 3; also 1 2 3; 3 raise 100; lift x1; lay x1 muck; wait 1")
    talk.tell("1 fold")
    result = result_of(talk.events)
    assert [(pot.amount, pot.seats) for pot in result.pots] == [(25, (2,))]
    assert result.stacks == {"1": 995, "2": 1015, "3": 990}
