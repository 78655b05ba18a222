"""Whose names leave the room, and whose do not."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from controller.archive.discreet import discreet, discreet_hand
from controller.archive.kept import HandRecord, KeptEvent
from controller.contract.events import FloorCalled, Start
from tests.archive.nights import a_hand, told
from tests.archive.records import record


def named() -> HandRecord:
    """Dealt by Ann, who called the floor and dismissed; Bob closed another; Cy is a player."""
    heard: list[KeptEvent] = []
    for each in told([a_hand(3, finding=7)]):
        event = each.event
        if isinstance(event, Start):
            seats = tuple(replace(seat, player="Cy") for seat in event.seats)
            event = replace(event, seats=seats)
        heard.append(replace(each, event=event))
    called = replace(heard[-1], seq=90, event=FloorCalled(400.0, 3, "Ann"), by="Ann")
    made = record([*heard, called])
    findings = (*made.hand.findings, replace(made.hand.findings[0], id=8, by="Ann"))
    return replace(made, hand=replace(made.hand, findings=findings))


def names(value: object) -> set[str]:
    text = msgspec.json.encode(value).decode()
    return {name for name in ("Ann", "Bob", "Cy") if f'"{name}"' in text}


def test_players_never_dealers_for_who_may_see_them() -> None:
    made = named()
    assert names(made) == {"Ann", "Bob", "Cy"}
    assert names(discreet(made, dealers=True)) == {"Ann", "Bob"}
    assert names(discreet(made, dealers=False)) == {"Bob"}
    assert names(discreet_hand(made.hand, dealers=True)) == {"Ann", "Bob"}
    assert names(discreet_hand(made.hand, dealers=False)) == {"Bob"}


def test_nothing_else_changes() -> None:
    plain = record(told([a_hand(3, finding=7)]))
    assert discreet(plain, dealers=True) == plain
    hidden = discreet(plain, dealers=False)
    assert [each.event.t for each in hidden.told if isinstance(each, KeptEvent)] == [
        each.event.t for each in plain.told if isinstance(each, KeptEvent)
    ]
    assert hidden.hand.board == plain.hand.board
