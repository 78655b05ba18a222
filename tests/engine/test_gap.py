"""Nobody watched for a while: what is seen next is an inventory, and no finding rests on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.contract.events import Action, Closed, Event, Finding, Phase, Prompt, Result, Start
from controller.contract.observations import (
    Award,
    Gap,
    Gone,
    MalformedObservationError,
    Observation,
    Press,
    Riffle,
    Seen,
    Tick,
    decode,
)
from controller.engine.engine import Engine
from controller.library.books import Library

CLEAN = sorted((Path(__file__).resolve().parents[1] / "hands" / "clean").glob("*.jsonl"))
SHORT, LONG = 1.5, 5.0


def read(path: Path) -> list[Observation]:
    return [decode(line) for line in path.read_bytes().splitlines()]


def told(library: Library, log: list[Observation]) -> list[Event]:
    engine = Engine(library.book)
    return [event for observation in log for event in engine.observe(observation)]


def t_of(observation: Observation) -> float:
    return observation.t or 0.0


def unwatched(log: list[Observation], since: float, length: float) -> list[Observation]:
    """The same log, with nobody watching for so long: then comes what lies there, in any order,
    and the presses that a board has kept. Who deals enters nothing meanwhile."""
    t = since + length
    inside = [o for o in log if since < t_of(o) <= t]
    last = {(o.tag, o.zone): o for o in inside if isinstance(o, Seen | Gone)}
    lies = [type(o)(t, o.zone, o.tag) for _, o in sorted(last.items())]
    later = [replace(o, t=t) for o in inside if not isinstance(o, Seen | Gone | Tick)]
    return [
        *(o for o in log if t_of(o) <= since),
        Gap(t=t, since=since, why="restart"),
        *lies,
        *later,
        *(o for o in log if t_of(o) > t),
        Tick(t_of(log[-1]) + 10),
    ]


def moments(log: list[Observation], events: list[Event]) -> list[float]:
    """Just after each observation of the hand itself. A *New hand* that is entered while nobody
    listens is not heard, and a hand that begins by its cards has to be seen."""
    begun = next((t_of(o) for o in log if isinstance(o, Riffle)), None)
    if begun is None:
        begun = 1.0 + next(e.t for e in events if isinstance(e, Start))
    return [t + 0.001 for t in sorted({t_of(o) for o in log}) if t >= begun]


@pytest.mark.parametrize("length", [SHORT, LONG])
@pytest.mark.parametrize("path", CLEAN[::3], ids=lambda path: path.stem)
def test_a_clean_hand_stays_clean_wherever_nobody_watched(
    library: Library, path: Path, length: float
) -> None:
    log = read(path)
    whole = told(library, [*log, Tick(t_of(log[-1]) + 10)])
    results = [e for e in whole if isinstance(e, Result)]
    same = 0
    cuts = moments(log, whole)
    for since in cuts:
        events = told(library, unwatched(log, since, length))
        assert not [e for e in events if isinstance(e, Finding)], since
        mine = [e for e in events if isinstance(e, Result)]
        assert len(mine) == len(results), since
        same += [e.stacks for e in mine] == [e.stacks for e in results]
    assert same >= (0.9 if length == SHORT else 0.75) * len(cuts)


TABLE = (
    b'{"kind":"table","v":1,"table":"T1","rulebook":"roberts","button":1,'
    b'"seats":[{"seat":1,"stack":100},{"seat":2,"stack":100},{"seat":3,"stack":100}],'
    b'"blinds":{"small":1,"big":2}}'
)


def lines(*texts: str) -> list[Observation]:
    return [decode(TABLE), *(decode(text.encode()) for text in texts)]


def deal(*cards: str, t: float = 1.0) -> list[str]:
    seats = (2, 3, 1)
    return [
        f'{{"kind":"seen","t":{t + 0.6 * n:.1f},"zone":"seat/{seats[n % 3]}","tag":"{card}"}}'
        for n, card in enumerate(cards)
    ]


def seen(t: float, zone: str, *cards: str) -> list[str]:
    return [f'{{"kind":"seen","t":{t},"zone":"{zone}","tag":"{card}"}}' for card in cards]


def press(t: float, seat: int, button: str) -> str:
    return f'{{"kind":"press","t":{t},"seat":{seat},"button":"{button}"}}'


RIFFLE = '{"kind":"riffle","t":0.5}'
READERS = ("board", "burn", "muck", "seat/1", "seat/2", "seat/3")
DEALT = deal("2s", "3s", "4s", "5s", "6s", "7s")
GAP = '{"kind":"gap","t":12,"since":6,"why":"restart"}'


def test_streets_that_came_meanwhile_stand_and_what_was_pressed_counts(library: Library) -> None:
    """The presses are those of the first round and of the flop; only a street parts them."""
    events = told(
        library,
        lines(
            RIFFLE,
            *DEALT,
            GAP,
            *seen(12, "board", "8h", "9h", "Th"),
            *seen(12, "burn", "8c"),
            *(press(12, seat, "call") for seat in (1, 2)),
            press(12, 3, "check"),
            press(12, 2, "check"),
            '{"kind":"tick","t":15}',
            press(16, 3, "check"),
            press(17, 1, "check"),
        ),
    )
    assert [(e.seat, e.action) for e in events if isinstance(e, Action)] == [
        (1, "call"),
        (2, "call"),
        (3, "check"),
        (2, "check"),
        (3, "check"),
        (1, "check"),
    ]
    assert not [e for e in events if isinstance(e, Finding)]
    assert [e.phase for e in events if isinstance(e, Phase)][-1] == "flop"


def test_a_bet_that_was_entered_while_nobody_listened_is_not_taken_for_none(
    library: Library,
) -> None:
    """Seat 2 has bet before seat 3 raised, and folds: what it has put in nobody knows."""
    events = told(
        library,
        lines(
            RIFFLE,
            *DEALT,
            *(press(5 + n, seat, "call") for n, seat in enumerate((1, 2))),
            press(7, 3, "check"),
            '{"kind":"gap","t":14,"since":7.5,"why":"restart"}',
            *seen(14, "board", "8h", "9h", "Th"),
            *seen(14, "burn", "8c"),
            '{"kind":"press","t":16,"seat":3,"button":"raise","amount":20,"by":"dealer"}',
            press(18, 1, "fold"),
            press(20, 2, "fold"),
            '{"kind":"dealer","t":24,"input":"award"}',
        ),
    )
    assert not [e for e in events if isinstance(e, Finding)]
    [result] = [e for e in events if isinstance(e, Result)]
    assert result.stacks is None


def test_calls_that_a_board_has_kept_and_a_raise_that_was_entered_have_no_order(
    library: Library,
) -> None:
    """Seat 3 raised after two had called, and is heard of first. When seat 1 raises again the round
    seems to be over: but the board is read, and nothing lies there."""
    events = told(
        library,
        lines(
            RIFFLE,
            *DEALT,
            '{"kind":"gap","t":12,"since":6,"why":"stall"}',
            *(f'{{"kind":"reader","t":12,"zone":"{zone}","status":"lost"}}' for zone in READERS),
            '{"kind":"press","t":12,"seat":3,"button":"raise","amount":40,"by":"dealer"}',
            *(f'{{"kind":"reader","t":12.1,"zone":"{zone}","status":"ok"}}' for zone in READERS),
            *(press(12.2, seat, "call") for seat in (1, 2)),
            '{"kind":"press","t":14,"seat":1,"button":"raise","amount":80,"by":"dealer"}',
            *(press(16 + n, seat, "call") for n, seat in enumerate((2, 3))),
            *seen(20, "burn", "8c"),
            *seen(21, "board", "8h", "9h", "Th"),
            *(press(25 + n, seat, "check") for n, seat in enumerate((2, 3, 1))),
            '{"kind":"tick","t":30}',
        ),
    )
    assert not [e for e in events if isinstance(e, Finding)]
    assert [(e.phase, e.t >= 20) for e in events if isinstance(e, Phase)][2:] == [("flop", True)]


def test_who_called_and_then_folded_meanwhile_has_called(library: Library) -> None:
    """Out of a campaign: the cards in the muck are read before the presses are."""
    gap = '{"kind":"gap","t":20,"since":6,"why":"full disk"}'
    raised = '{"kind":"press","t":20,"seat":2,"button":"raise","amount":6,"by":"dealer"}'
    mucked = [
        line
        for card in ("4s", "7s")
        for line in (
            f'{{"kind":"gone","t":20,"zone":"seat/1","tag":"{card}"}}',
            *seen(20, "muck", card),
        )
    ]
    acts = [press(20, 1, "call"), raised, press(20, 3, "call"), press(20, 1, "fold")]
    for meanwhile in ([*mucked, *acts], [*acts, *mucked]):
        flop = [*seen(24, "burn", "8h"), *seen(25, "board", "9h", "Th", "Jh")]
        end = [press(30, 2, "check"), press(32, 3, "fold")]
        events = told(library, lines(RIFFLE, *DEALT, gap, *meanwhile, *flop, *end))
        [result] = [e for e in events if isinstance(e, Result)]
        assert [pot.amount for pot in result.pots] == [2 + 6 + 6]


def test_what_was_amiss_meanwhile_is_no_finding(library: Library) -> None:
    """Four cards lie there, and no burn: they may be flop and turn, and of the burns nothing is
    known."""
    events = told(
        library,
        lines(
            RIFFLE,
            *DEALT,
            GAP,
            *seen(12, "board", "8h", "9h", "Th", "Jh"),
            *(f'{{"kind":"tick","t":{t}}}' for t in range(13, 25)),
        ),
    )
    assert not [e for e in events if isinstance(e, Finding)]


def test_what_is_amiss_long_after_is_one_again(library: Library) -> None:
    """All of the first round has been seen: the gap was in it, and the flop comes with four."""
    events = told(
        library,
        lines(
            RIFFLE,
            *DEALT,
            '{"kind":"gap","t":9,"since":6,"why":"stall"}',
            *(press(14 + 4 * n, seat, "call") for n, seat in enumerate((1, 2))),
            press(22, 3, "check"),
            *seen(26, "burn", "8c"),
            *seen(27, "board", "8h", "9h", "Th", "Jh"),
            '{"kind":"tick","t":30}',
        ),
    )
    assert [(e.code, e.basis) for e in events if isinstance(e, Finding)] == [
        ("four-card-flop", "seen")
    ]


def test_another_hand_that_began_meanwhile_is_not_watched(library: Library) -> None:
    """Other cards lie at the seats: the hand before is over, and how is not known."""
    gone = [
        f'{{"kind":"gone","t":40,"zone":"seat/{seat}","tag":"{card}"}}'
        for card, seat in zip(("2s", "3s", "4s", "5s", "6s", "7s"), (2, 3, 1) * 2, strict=True)
    ]
    new = [*seen(40, "seat/3", "Ah"), *seen(40, "seat/1", "Kh"), *seen(40, "seat/2", "Qh")]
    gap = '{"kind":"gap","t":40,"since":7.5,"why":"restart"}'
    log = lines(RIFFLE, *DEALT, press(7, 1, "fold"), gap, *gone, *new)
    log += [decode(text.encode()) for text in seen(43, "board", "8h")]
    engine = Engine(library.book)
    events = [event for observation in log for event in engine.observe(observation)]
    assert not [e for e in events if isinstance(e, Finding)]
    [result] = [e for e in events if isinstance(e, Result)]
    assert result.stacks is None
    assert not engine.sight().is_watched
    after = engine.observe(Award(kind="dealer", t=50.0))
    after += engine.observe(Riffle(t=60.0))
    [start] = [e for e in after if isinstance(e, Start)]
    assert {seat.stack for seat in start.seats} == {None}, "nor what it came to"
    assert engine.sight().is_watched
    assert engine.hand == 2, "nobody counted the one in between"


def test_another_hand_after_one_that_was_not_watched_leaves_no_stack_known(
    library: Library,
) -> None:
    """Out of a campaign: nobody watched the end of a deal, one of its players folded, and after a
    second gap other cards lie at the seats."""
    first = '{"kind":"gap","t":8,"since":2.9,"why":"restart"}'
    rest = [*seen(8, "seat/3", "6s"), *seen(8, "seat/1", "7s")]
    second = '{"kind":"gap","t":40,"since":15,"why":"restart"}'
    new = [*seen(40, "seat/3", "Ah"), *seen(40, "seat/1", "Kh"), *seen(40, "seat/2", "Qh")]
    log = lines(RIFFLE, *DEALT[:4], first, *rest, press(8, 1, "fold"), second, *new)
    engine = Engine(library.book)
    events = [event for observation in log for event in engine.observe(observation)]
    assert not [e for e in events if isinstance(e, Finding)]
    after = engine.observe(Award(kind="dealer", t=60.0))
    after += engine.observe(Riffle(t=70.0))
    [start] = [e for e in after if isinstance(e, Start)]
    assert {seat.stack for seat in start.seats} == {None}


def test_another_hand_whose_deal_goes_on_after_the_gap_is_not_watched(library: Library) -> None:
    """Out of a campaign: nobody heard the riffle, the old cards are missed only after the first new
    ones have come."""
    gap = '{"kind":"gap","t":40,"since":7.5,"why":"restart"}'
    gone = [
        f'{{"kind":"gone","t":43.1,"zone":"seat/{seat}","tag":"{card}"}}'
        for card, seat in zip(("2s", "3s", "4s", "5s", "6s", "7s"), (2, 3, 1) * 2, strict=True)
    ]
    dealt = [*seen(42.5, "seat/3", "Ah"), *seen(43.1, "seat/1", "Kh"), *gone]
    dealt += [*seen(43.7, "seat/2", "Qh"), *seen(44.3, "seat/3", "Jh"), *seen(44.9, "seat/1", "Th")]
    log = lines(RIFFLE, *DEALT, press(7, 1, "fold"), gap, *dealt, *seen(45.5, "seat/2", "9h"))
    engine = Engine(library.book)
    events = [event for observation in log for event in engine.observe(observation)]
    assert not engine.sight().is_watched
    events += engine.observe(Award(kind="dealer", t=60.0))
    events += engine.observe(Riffle(t=70.0))
    assert not [e for e in events if isinstance(e, Finding)]
    start = [e for e in events if isinstance(e, Start)][-1]
    assert {seat.stack for seat in start.seats} == {None}
    assert engine.sight().is_watched


def test_what_lies_there_begins_no_hand_where_it_is_told_of_at_once(library: Library) -> None:
    """Out of a campaign: after a damaged journal the award is entered before the antennas have
    told what lies there."""
    table = b'{"kind":"table","v":1,"table":"T1","rulebook":"roberts","button":1,"under_way":true,'
    table += b'"seats":[{"seat":1},{"seat":2},{"seat":3}],"blinds":{"small":1,"big":2}}'
    engine = Engine(library.book)
    events = engine.observe(decode(table))
    events += engine.observe(Award(kind="dealer", t=57.7))
    lies: list[tuple[str, ...]] = [
        ("seat/1", "2s", "3s"),
        ("seat/2", "4s", "5s"),
        ("seat/3", "6s", "7s"),
        ("board", "8h", "9h", "Th", "Jh", "Qh"),
        ("burn", "2d", "3d", "4d"),
    ]
    for zone, *cards in lies:
        for card in cards:
            events += engine.observe(Seen(58.4, zone, card))
    events += engine.observe(Tick(64.0))
    assert not [e for e in events if isinstance(e, Finding | Start)]


def test_a_puck_that_was_moved_meanwhile_may_have_been_so_for_another_hand(
    library: Library,
) -> None:
    """Out of a campaign: while the table was away a hand was awarded and the next one begun, whose
    cards came when it was back. Where the button belongs after that, the next deal shows."""
    log = read(Path(__file__).with_name("logs") / "hand_begun_unwatched.jsonl")
    events = told(library, log)
    assert not [e for e in events if isinstance(e, Finding)]
    [shown] = [e for e in events if isinstance(e, Prompt) and e.text_id == "taken-over"]
    assert shown.args["button"] == 7


def test_presses_told_before_the_gap_are_played_again_after_it(library: Library) -> None:
    """The log has its lines in the order of their times. What was asked of it is taken back."""
    presses = [Press(8.0, 1, "call"), Press(9.0, 2, "call"), Press(10.0, 3, "check")]
    engine = Engine(library.book)
    events: list[Event] = []
    for observation in (*lines(RIFFLE, *deal("2s", "3s", "4s", "5s", "6s")), *presses):
        events += engine.observe(observation)
    asked = [e.id for e in events if isinstance(e, Finding)]
    assert asked, "a card is missing, as far as was known"
    later = engine.observe(Gap(t=12.0, since=3.9, why="restart"))
    for t in (12.0, 12.0, 15.0):
        later += engine.observe(Seen(t, "seat/1", "7s") if t < 13 else Tick(t))
    closed = [e.id for e in later if isinstance(e, Closed)]
    assert closed == asked
    assert not [e for e in later if isinstance(e, Finding | Action)]
    assert [e for e in later if isinstance(e, Prompt) and e.text_id == "act"]
    assert not [e for e in later if e.t < 12.0], "time does not run backwards"


def test_a_gap_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(MalformedObservationError, match="the gap ends, with `t`, before it begins"):
        decode(b'{"kind":"gap","t":3,"since":4,"why":"restart"}')
    assert decode(b'{"kind":"gap","t":3,"since":3,"why":"restart"}') == Gap(
        t=3.0, since=3.0, why="restart"
    )


@pytest.mark.timeout(20)
def test_a_deal_that_nobody_saw_the_end_of_does_not_hold_up_the_table(library: Library) -> None:
    """Where readers wait for nothing (`settle` 0), it is looked at again all the same."""
    table = TABLE.replace(b'"button":1', b'"button":1,"timing":{"settle":0}')
    log = [
        decode(table),
        *lines('{"kind":"riffle","t":0.5}', *deal("As", "Ks"))[1:],
        Gap(t=4.0, since=3.0, why="restart"),
        Tick(60.0),
    ]
    assert not [e for e in told(library, log) if isinstance(e, Finding)]
