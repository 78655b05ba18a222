"""Zones that are not believed, and codes that the floor has muted: for the record only."""

from __future__ import annotations

import pytest

from controller.contract.events import Board, Closed, Finding, Prompt
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.hand.trust import Trust
from controller.library.books import Library
from tests.rules.table_talk import Talk

AND_ON = "award; collect"


def deal(number: int) -> str:
    """Deals a table's hand of this number, at three seats, and closes its first round."""
    order = [(number + place - 1) % 3 + 1 for place in range(6)]
    return f"pitch 3 {' '.join(map(str, order))}; closed"


def no_burn(number: int) -> str:
    return f"{deal(number)}; board 3; wait 2"


def findings(talk: Talk, code: str = "burn-missing") -> list[Finding]:
    return [e for e in talk.events if isinstance(e, Finding) and e.code == code]


def how(talk: Talk) -> list[str]:
    return [e.how for e in talk.events if isinstance(e, Closed)]


def hands(library: Library, count: int, then: str) -> Talk:
    """A table whose burn antenna misses every burn, dismissed each time."""
    talk = Talk(library, "roberts")
    for number in range(1, count + 1):
        talk.tell(f"{no_burn(number)}; dismiss; {AND_ON}")
    talk.tell(then)
    return talk


def test_three_dismissals_make_a_zone_suspect(library: Library) -> None:
    talk = hands(library, 3, f"{no_burn(4)}; {AND_ON}")
    assert [f.priority for f in findings(talk)] == [2, 2, 2, 3]
    assert how(talk) == ["dismissed"] * 3 + ["expired"]
    said = [e.args for e in talk.events if isinstance(e, Prompt) and e.text_id == "zone-suspect"]
    assert said == [{"zone": "burn"}]


def test_two_do_not(library: Library) -> None:
    assert [f.priority for f in findings(hands(library, 2, no_burn(3)))] == [2, 2, 2]


def test_what_is_for_the_record_stops_nothing(library: Library) -> None:
    talk = hands(library, 3, f"{no_burn(4)}; wait 2")
    assert [e.hand for e in talk.events if isinstance(e, Board)][-1] == 4
    assert [e.text_id for e in talk.events if isinstance(e, Prompt)][-1] == "act"


def test_a_street_too_soon_for_the_record_is_dealt_as_it_comes(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 4; mute premature-flop 1; 4 call; burn; board 3; wait 2; 1 check; wait 2")
    assert [(f.code, f.priority) for f in findings(talk, "premature-flop")] == [
        ("premature-flop", 3)
    ]
    assert [len(e.cards) for e in talk.events if isinstance(e, Board)] == [3]


def test_a_checked_reader_is_believed_again(library: Library) -> None:
    talk = hands(library, 3, f"lost burn; wait 1; ok burn; {no_burn(4)}")
    assert findings(talk)[-1].priority == 2


def test_another_zone_is_believed(library: Library) -> None:
    talk = hands(library, 3, f"{deal(4)}; burn; board 4; wait 2")
    assert [f.priority for f in findings(talk, "four-card-flop")] == [2]


def test_the_floor_mutes_a_code_for_some_hands(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("table 3; mute burn-missing 2")
    for number in (1, 2, 3):
        talk.tell(f"{no_burn(number)}; {AND_ON}")
    assert [f.priority for f in findings(talk)] == [3, 3, 2]


@pytest.mark.parametrize(("hand", "suspect"), [(49, ("burn",)), (52, ())])
def test_only_fifty_hands_count(hand: int, suspect: tuple[str, ...]) -> None:
    trust = Trust().dismissed("burn-missing", ["burn"], 1).dismissed("burn-missing", ["burn"], 2)
    assert trust.dismissed("burn-missing", ["burn"], hand).suspect == suspect


def test_three_codes_are_not_three_dismissals_of_one() -> None:
    trust = Trust()
    for code in ("short-flop", "four-card-flop", "board-disturbed"):
        trust = trust.dismissed(code, ["board"], 1)
    assert trust.suspect == ()


def test_how_often_a_zone_was_not_believed_of_late() -> None:
    trust = Trust().dismissed("joker", ["burn", "board"], 1).dismissed("boxed-card", ["burn"], 2)
    assert trust.doubted(2) == (("board", 1), ("burn", 1))
    trust = trust.dismissed("joker", ["burn"], 3)
    assert trust.doubted(50) == (("board", 1), ("burn", 2))
    assert trust.doubted(51) == (("burn", 1),)
    assert trust.checked("burn").doubted(50) == (("board", 1),)


def test_what_is_seen_of_it(library: Library) -> None:
    engine = Engine(library.book)
    for line in hands(library, 2, "").log:
        engine.observe(decode(line))
    assert engine.sight().doubted == (("burn", 2),)
