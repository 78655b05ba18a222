"""The campaign's own eyes: each of its demands sees what breaks it."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import msgspec
import pytest

from tests.campaign.control import Control, Point
from tests.campaign.faults import FAULTS
from tests.campaign.hands import Truth, game
from tests.campaign.judge import (
    Calm,
    clock_goes_on,
    gaps_said,
    journalled,
    known,
    numbers,
    once,
    presses,
    still_there,
    true,
    undisturbed,
    without_gap,
)
from tests.campaign.plan import CONTROL, plan

RING = (2, 5, 7, 9)


def hands(count: int = 2) -> list[Truth]:
    return list(islice(game(random.Random(5), RING), count))


def told(hand: int, truth: Truth) -> list[dict[str, Any]]:
    """What a table that has seen all says of a hand, as far as it is judged."""
    stacks = {str(seat): chips for seat, chips in truth.after.items()}
    seats = [{"seat": seat, "stack": chips} for seat, chips in truth.before.items()]
    return [
        {"kind": "start", "hand": hand, "seats": seats, "button": truth.button},
        {"kind": "board", "hand": hand, "cards": list(truth.board)},
        *(
            {"kind": "tabled", "hand": hand, "seat": seat, "cards": list(cards)}
            for seat, cards in truth.tabled.items()
        ),
        {"kind": "result", "hand": hand, "pots": [], "stacks": stacks},
    ]


def test_a_game_goes_on_with_what_was_won() -> None:
    first, second = hands()
    assert second.before == {seat: first.after[seat] for seat in second.seats}
    assert (first.button, second.button) == (RING[-1], RING[0])
    assert sum(first.after.values()) == sum(first.before.values())
    assert first.after != first.before


def test_hands_that_are_told_as_they_were_pass() -> None:
    played = hands(3)
    said = [event for at, truth in enumerate(played) for event in told(at + 1, truth)]
    assert not true(said, played)
    assert not numbers(said)
    assert not undisturbed(said, played)
    assert not known(Calm(played[2], tuple(told(3, played[2]))))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"kind": "finding", "hand": 1, "id": 1, "code": "burn-double"}, "finding invented"),
        ({"kind": "board", "hand": 1, "cards": ["no", "card"]}, "wrong cards"),
        ({"kind": "tabled", "hand": 1, "seat": 1, "cards": ["As", "Ks"]}, "wrong cards"),
        ({"kind": "result", "hand": 1, "stacks": {"2": 1}}, "wrong result"),
    ],
)
def test_what_is_not_so_is_seen(change: dict[str, Any], what: str) -> None:
    played = hands()
    assert [each.what for each in true([*told(1, played[0]), change], played)] == [what]


@pytest.mark.parametrize(
    "change",
    [
        {"button": 1},
        {"seats": []},
        {"seats": [{"seat": seat, "stack": 1} for seat in RING]},
        {"cards": ["As"]},
        {"stacks": None},
        {"kind": "phase"},
    ],
)
def test_a_whole_hand_told_in_part_is_seen(change: dict[str, Any]) -> None:
    truth = hands(1)[0]
    events = told(1, truth)
    changed = [each | {k: v for k, v in change.items() if k in each} for each in events]
    assert known(Calm(truth, tuple(changed)))


def test_a_hand_that_was_passed_over_or_told_twice_is_seen() -> None:
    played = hands()
    first, second = told(1, played[0]), told(2, played[1])
    assert undisturbed(first, played)
    assert undisturbed([*first, *first], played)
    assert numbers([*second, *first])
    assert numbers([*first, *first])


def test_lost_doubled_and_altered_is_seen() -> None:
    made = [(2, "call"), (5, "check"), (2, "call")]

    def lines(*found: tuple[int, str]) -> list[bytes]:
        fields = ({"kind": "press", "seat": seat, "button": label} for seat, label in found)
        return [msgspec.json.encode({"o": each}) for each in fields]

    assert not presses(made, lines(*made), deaf=False)
    assert [f.what for f in presses(made, lines(*made[:2]), deaf=False)] == ["observation lost"]
    assert not presses(made, lines(*made[:2]), deaf=True)
    twice = lines(*made, made[1])
    assert [f.what for f in presses(made, twice, deaf=True)] == ["observation doubled"]
    assert presses(made, lines(made[1], made[0], made[2]), deaf=False)

    gap = msgspec.json.encode({"o": {"kind": "gap", "t": 2.0, "since": 1.0, "why": "restart"}})
    assert not gaps_said(2, [*lines(*made), gap])
    assert not gaps_said(0, lines(*made))
    assert gaps_said(1, lines(*made))

    row = (1, b"link")
    assert not still_there([row], frozenset({row, (2, b"more")}))
    assert still_there([row], frozenset({(1, b"other")}))

    assert once([(("1-a", 1), b"x"), (("1-a", 1), b"x")])[1] == []
    assert once([(("1-a", 1), b"x"), (("1-a", 1), b"y")])[1]
    events = {("1-a", 1): b"x", ("1-a", 2): b"y", ("2-b", 1): b"z"}
    assert not without_gap(events)
    assert without_gap({("1-a", 1): b"x", ("1-a", 3): b"y"})
    assert not journalled(events, events)
    assert journalled(events, {("1-a", 1): b"x", ("1-a", 2): b"other"})


def test_a_blinds_clock_that_forgets_is_seen() -> None:
    running = {"state": "running", "deadline_ms": 5}
    assert not clock_goes_on([running, running])
    assert not clock_goes_on([running, {"state": "question"}])
    assert clock_goes_on([running, running | {"deadline_ms": 6}])
    assert clock_goes_on([running, {"state": "stopped"}])
    assert clock_goes_on([])


def test_the_same_seed_is_the_same_campaign() -> None:
    plans = [plan(11, number) for number in range(19)]
    assert plans == [plan(11, number) for number in range(19)]
    assert plans[0].theme == CONTROL
    assert not plans[0].faults
    assert {each.theme for each in plans[1:10]} == {f.theme for f in FAULTS.values()} | {"mixed"}
    for each in plans[1:]:
        assert each.faults
        assert all(0 < fault.at_s < each.seconds for fault in each.faults)
    only = plan(11, 4, fault="table killed")
    assert {fault.name for fault in only.faults} == {"table killed"}


def test_a_kill_point_is_reached_once(tmp_path: object) -> None:
    control = Control.at(f"{tmp_path}/page")
    same = Control.at(f"{tmp_path}/page")
    control.kill_at("after-commit", 2)
    points: list[Point] = ["before-commit", "after-commit", "before-commit", "after-commit"]
    assert [same.is_due(point) for point in points] == [False, False, False, True]
    assert not same.is_due("after-commit")
    control.ahead_ns = -5
    assert (same.ahead_ns, same.commit_ms) == (-5, 0)
