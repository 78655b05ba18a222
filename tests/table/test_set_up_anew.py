"""The room sets the button between two hands: nothing that still lies on the table is forgotten."""

from __future__ import annotations

import msgspec

from controller.contract.events import Event, Finding, Prompt, Start
from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.table.anew import under_way, with_button

SEATS = [{"seat": seat, "stack": 1000} for seat in (1, 2, 3)]
OBJECTS = {"PUCK": "button"}


class Felt:
    """An engine at a table of three that is told things."""

    def __init__(self, library: Library) -> None:
        self.engine = Engine(library.book)
        self.events: list[Event] = []
        self.t = 0.0
        blinds = {"small": 5, "big": 10}
        table = {"v": 1, "table": "T1", "rulebook": "roberts", "button": 3, "blinds": blinds}
        self.say(kind="table", seats=SEATS, objects=OBJECTS, **table)

    def say(self, **fields: object) -> None:
        self.t += 0.6
        line = msgspec.json.encode({"t": round(self.t, 3), **fields})
        self.events += self.engine.observe(decode(line))

    def wait(self, seconds: float) -> None:
        self.t += seconds
        self.say(kind="tick")

    def deal(self, cards: str) -> None:
        """The first card to seat 1, and on clockwise."""
        for at, card in enumerate(cards.split()):
            self.say(kind="seen", zone=f"seat/{at % 3 + 1}", tag=card)

    def set_button(self, seat: int) -> None:
        state = self.engine.state()
        assert state is not None
        lying = self.engine.lying()
        for told in with_button(state, seat, deck=None, lying=lying, t=self.t):
            self.events += self.engine.observe(told)

    def found(self) -> list[str]:
        return [e.code for e in self.events if isinstance(e, Finding)]

    def starts(self) -> list[Start]:
        return [e for e in self.events if isinstance(e, Start)]


def test_the_puck_still_lies_where_it_lay(library: Library) -> None:
    felt = Felt(library)
    felt.say(kind="seen", zone="seat/3", tag="PUCK")
    felt.set_button(2)
    felt.say(kind="riffle")
    felt.wait(5)
    assert felt.found() == ["button-misplaced"]


def test_cards_of_the_last_hand_begin_none(library: Library) -> None:
    felt = Felt(library)
    felt.say(kind="riffle")
    felt.deal("As Ks Qs Js Ts 9s")
    felt.say(kind="dealer", input="award")
    felt.set_button(2)
    felt.wait(3)
    assert len(felt.starts()) == 1
    felt.say(kind="gone", zone="seat/1", tag="As")
    felt.wait(1)
    felt.say(kind="seen", zone="seat/1", tag="As")
    felt.wait(3)
    assert len(felt.starts()) == 1
    felt.say(kind="seen", zone="seat/3", tag="2d")
    felt.say(kind="seen", zone="seat/1", tag="3d")
    assert [start.implied for start in felt.starts()] == [False, True]
    assert felt.starts()[-1].button == 2
    assert {seat.stack for seat in felt.starts()[-1].seats} == {None}


def test_dealer_level_readers_and_mutes_are_as_before(library: Library) -> None:
    felt = Felt(library)
    felt.say(kind="dealer", input="sign-in", name="Ann")
    felt.say(kind="level", small=50, big=100)
    felt.say(kind="reader", zone="burn", status="lost")
    felt.say(kind="floor", input="mute", code="short-flop", hands=3)
    before = felt.engine.state()
    felt.set_button(2)
    after = felt.engine.state()
    assert before is not None
    assert after is not None
    assert after.table.button == 2
    for same in ("dealer", "next_blinds", "unread_until", "trust", "is_open", "hands"):
        assert getattr(after, same) == getattr(before, same), same


def test_after_a_hand_that_nobody_saw_the_deal_shows_the_button(library: Library) -> None:
    """The button had moved from 3 to 1 and 2 when the table was away for a hand: it is not at 3
    again, nor held against the dealer that it is not where it was last."""
    felt = Felt(library)
    for deal in ("As Ks Qs Js Ts 9s", "8s 7s 6s 5s 4s 3s"):
        felt.say(kind="riffle")
        felt.deal(deal)
        felt.say(kind="dealer", input="award")
        for at, card in enumerate(deal.split()):
            felt.say(kind="gone", zone=f"seat/{at % 3 + 1}", tag=card)
        felt.wait(2)
    state, due = felt.engine.state(), felt.engine.sight().next_button
    assert state is not None
    assert (state.table.button, due) == (3, 2)
    felt.events.clear()
    for told in under_way(state, due, deck=None, t=felt.t):
        felt.events += felt.engine.observe(told)
    felt.say(kind="dealer", input="award")
    felt.say(kind="riffle")
    felt.deal("2d 3d 4d 5d 6d 7d")
    felt.wait(4)
    assert felt.found() == []
    assert felt.starts()[-1].button == 2
    assert {seat.stack for seat in felt.starts()[-1].seats} == {None}
    taken = [e.args for e in felt.events if isinstance(e, Prompt) and e.text_id == "taken-over"]
    assert taken == [{"out": [], "in": [], "button": 3}]
