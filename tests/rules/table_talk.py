"""Table logs in a few words: the notation of the case files beside the rules.

A log is a list of instructions, one a line or separated by `;`. Cards are called x1, x2, … in
the order in which they leave the stub after the hole cards. Time passes as at a table: two
seconds before an action, two before a street, 0.7 after a burn, 0.15 between board cards.

    table N             the table is set up, before anything is dealt
    deal N              riffle and deal two cards each to seats 1 … N, button on seat N
    pitch N SEAT …      riffle at a table of N and deal a card to each of these seats in turn
    SEAT ACTION [CHIPS] that seat presses: `1 call`, `2 raise 40`, `3 all-in 1000`
    dealt SEAT ACTION [CHIPS]   likewise, entered by the dealer
    also SEAT …         the deal goes on with a card to each of these seats in turn
    deals SEAT          as `also`, with a card that is called by the next x
    gap                 a card is pitched that no antenna reads
    strange TAG ZONE    a tag that is not in the stub comes into a zone; X1, X2 are jokers
    exposed SEAT NTH    the dealer exposed that card; boxed SEAT NTH likewise
    boxed CARD          that card on the board or the burns lay face up in the deck
    exposed CARD        the dealer exposed that card, which may not have been read yet
    shown SEAT NTH      the player exposed it
    deck N              a deck check finds N cards
    puck SEAT           the puck is laid at that seat
    drop ZONE           the next card falls into a zone
    ghost TAG ZONE      an antenna reads a card (x1) or the puck, wherever else it lies
    fades TAG ZONE      it reads it no more
    top CARD …          these cards (As, Td, x2) lie on top of the stub, in this order
    muck SEAT           the cards that lie at a seat go to the muck
    away SEAT           they are lifted and lie nowhere
    home SEAT           the cards that were dealt to a seat come back to it
    throw SEAT SEAT     the first one's cards go to the other one
    seat SEAT STATUS    the room says so: `seat 4 absent`, `seat 3 empty`
    level SMALL BIG     a level is announced
    dealer NAME         another dealer signs in
    break | go          the table is closed for a break, and opened again
    collect             all cards are taken back into the stub
    preflop             everyone calls and the big blind checks
    checks              everyone who has a hand checks
    burn                the next card goes to the burn pile
    board [N]           the next N cards (default 1) go to the board
    lift CARD …         cards are taken from where they lie, 0.3 s apart
    lay CARD ZONE       a card that was lifted is laid into a zone
    pick [CARD]         the floor picks a card, and may name it
    wait S              S seconds pass
    tabled SEAT         the dealer enters that a hand is tabled
    confirm | dismiss   the dealer answers the last finding
    rules OUTCOME       the floor decides the last finding
    done STEP           the dealer ticks a step of the last finding
    undo                the dealer takes back the last entry
    mute CODE HANDS     the floor mutes a code
    clock SEAT          the dealer enters that the clock is called on a seat
    floor-clock SEAT S  the floor calls it for so many seconds
    stop-clock          the floor stops it
    closed | award | riffle | misdeal | reshuffled | unwatched
    lost ZONE | ok ZONE the reader behind a zone is lost, or is back
    floor               the dealer calls the floor
    fast                cards and presses follow one another at once from here on
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from controller.contract.cards import CARDS
from controller.contract.events import Event, Finding
from controller.contract.observations import Observation, decode
from controller.contract.sight import Sight
from controller.contract.zones import seat_of
from controller.engine.engine import Engine
from controller.library.books import Library

ACTIONS = ("check", "call", "bet", "raise", "fold", "all-in", "time")
ENTRIES = {
    "closed": "round-closed",
    "award": "award",
    "misdeal": "misdeal",
    "reshuffled": "reshuffled",
    "unwatched": "unwatched",
    "undo": "undo",
    "floor": "call-floor",
}


class Talk:
    """A table to which instructions are given; `events` are what its engine says to `log`. Whoever
    has an engine of his own sets what is told of all that happens (`hears`)."""

    def __init__(self, library: Library, rulebook: str, **table: object) -> None:
        self.events: list[Event] = []
        self.log: list[bytes] = []
        self._engine = Engine(library.book)
        self.hears: Callable[[Observation], Sequence[Event]] = self._engine.observe
        self._rulebook = rulebook
        self._table = table
        self._t = 0.0
        self._stub = list(CARDS)
        self._named: list[str] = []
        self._where: dict[str, str] = {}
        self._live: list[int] = []
        self._dealt: dict[int, list[str]] = {}
        self._fast = False

    @property
    def sight(self) -> Sight:
        """What everybody at the table may know beside the events."""
        return self._engine.sight()

    def lying(self, zone: str) -> list[str]:
        """The cards that lie in a zone by their names (x1), in the order in which they came."""
        return [self._name(tag) for tag, at in self._where.items() if at == zone]

    def lifted(self) -> list[str]:
        """The cards that have been named and lie nowhere."""
        return [self._name(tag) for tag in self._named if tag not in self._where]

    def tell(self, log: str) -> None:
        """Carries out the instructions."""
        for instruction in log.replace("\n", ";").split(";"):
            if words := instruction.split():
                self._do(words)

    def _do(self, words: Sequence[str]) -> None:
        match list(words):
            case ["deal", count]:
                self._deal(int(count))
            case [who, action, *amount] if who.isdecimal() and action in ACTIONS:
                self._press(int(who), action, int(amount[0]) if amount else None)
            case ["dealt", who, action, *chips]:
                told = int(chips[0]) if chips else None
                self._press(int(who), action, told, by="dealer")
            case ["pitch", *seats]:
                self._pitch(map(int, seats))
            case ["also", *seats]:
                self._also(map(int, seats))
            case ["deals", seat]:
                self._lay(self._next(), f"seat/{seat}")
                self._wait(0.6)
            case ["gap"]:
                self._stub.pop(0)
                self._wait(0.6)
            case ["strange", tag, zone]:
                self._lay(tag, zone)
                self._wait(0.6)
            case ["exposed" | "shown" as said, seat, nth]:
                cause = "dealer" if said == "exposed" else "player"
                at = {"seat": int(seat), "nth": int(nth)}
                self.say(kind="dealer", input="exposed", cause=cause, **at)
            case ["exposed", card]:
                self.say(kind="dealer", input="exposed", cause="dealer", tag=self._tag(card))
            case ["boxed", seat, nth]:
                self.say(kind="dealer", input="boxed", seat=int(seat), nth=int(nth))
            case ["boxed", card]:
                self.say(kind="dealer", input="boxed", tag=self._tag(card))
            case ["deck", count]:
                self.say(kind="deck-check", tags=list(CARDS)[: int(count)])
            case ["puck", seat]:
                if "PUCK" in self._where:
                    self.say(kind="gone", zone=self._where["PUCK"], tag="PUCK")
                self._lay("PUCK", f"seat/{seat}")
                self._wait(0.1)
            case ["table", count]:
                self._set_up(int(count))
            case ["drop", zone]:
                self._lay(self._next(), zone)
                self._wait(0.1)
            case ["ghost" | "fades" as said, name, zone]:
                tag = self._tag(name) if name.startswith("x") else name
                self.say(kind="seen" if said == "ghost" else "gone", zone=zone, tag=tag)
                self._wait(0.3)
            case ["top", *names]:
                cards = [self._tag(name) for name in names]
                self._stub = [*cards, *(card for card in self._stub if card not in cards)]
            case ["muck", seat]:
                self._move(self._at(seat), "muck")
            case ["away", seat]:
                self._move(self._at(seat))
            case ["home", seat]:
                self._move(self._dealt[int(seat)], f"seat/{seat}")
            case ["throw", seat, to]:
                self._move(self._at(seat), f"seat/{to}")
            case ["seat", seat, status]:
                self.say(kind="seat", seat=int(seat), status=status)
            case ["dealer", name]:
                self.say(kind="dealer", input="sign-in", name=name)
            case ["break"]:
                self.say(kind="close")
            case ["go"]:
                self.say(kind="open")
            case ["level", small, big]:
                self.say(kind="level", small=int(small), big=int(big))
            case ["collect"]:
                for tag, zone in list(self._where.items()):
                    self.say(kind="gone", zone=zone, tag=tag)
                self._where.clear()
                self._dealt.clear()
                self._stub = list(CARDS)
                self._wait(2.0)
            case ["preflop"]:
                self._preflop()
            case ["checks"]:
                for live in self._live:
                    self._press(live, "check")
            case ["burn"]:
                self._pass(2.0)
                self._lay(self._next(), "burn")
                self._pass(0.7)
            case ["board", *count]:
                self._pass(0.0 if self._just_burned else 2.0)
                for _ in range(int(count[0]) if count else 1):
                    self._lay(self._next(), "board")
                    self._pass(0.15)
            case ["lift", *cards]:
                for card in cards:
                    self._pass(0.3)
                    tag = self._tag(card)
                    self.say(kind="gone", zone=self._where.pop(tag), tag=tag)
            case ["lay", card, zone]:
                self._pass(0.3)
                self._lay(self._tag(card), zone)
            case ["pick", *cards]:
                named = {"tag": self._tag(cards[0])} if cards else {}
                self.say(kind="floor", input="pick", by="Ann", **named)
            case ["wait", seconds]:
                self._wait(float(seconds))
            case ["tabled", seat]:
                self.say(kind="dealer", input="tabled", seat=int(seat))
            case ["confirm" | "dismiss" as answer]:
                self.say(kind="dealer", input=answer, finding=self._last_finding())
            case ["clock", seat]:
                self.say(kind="dealer", input="clock", seat=int(seat))
            case ["floor-clock", seat, seconds]:
                self.say(
                    kind="floor", input="clock", by="Ann", seat=int(seat), seconds=int(seconds)
                )
            case ["stop-clock"]:
                self.say(kind="floor", input="clock-cancel", by="Ann")
            case ["done", step]:
                self.say(kind="dealer", input="done", finding=self._last_finding(), step=step)
            case ["mute", code, hands]:
                self.say(kind="floor", input="mute", by="Ann", code=code, hands=int(hands))
            case ["rules", outcome]:
                finding = self._last_finding()
                self.say(kind="floor", input="ruling", finding=finding, outcome=outcome)
            case ["riffle"]:
                self._pass(1.0)
                self.say(kind="riffle")
            case [entry] if entry in ENTRIES:
                self._pass(0.5)
                self.say(kind="dealer", input=ENTRIES[entry])
            case ["lost" | "ok" as status, zone]:
                self.say(kind="reader", zone=zone, status=status)
            case ["fast"]:
                self._fast = True
            case _:
                raise ValueError(f"no such instruction: {' '.join(words)}")

    # --- time ---

    def _pass(self, seconds: float) -> None:
        if not self._fast:
            self._wait(seconds)

    def _wait(self, seconds: float) -> None:
        self._t += seconds
        self.say(kind="tick")

    def say(self, **fields: Any) -> None:  # noqa: ANN401
        """The table says this, now."""
        line = msgspec.json.encode({"t": round(self._t, 3), **fields})
        self.log.append(line)
        self.events += self.hears(decode(line))

    # --- cards ---

    def _next(self) -> str:
        tag = self._stub.pop(0)
        self._named.append(tag)
        return tag

    def _name(self, tag: str) -> str:
        return f"x{len(self._named) - self._named[::-1].index(tag)}"

    def _tag(self, card: str) -> str:
        return self._named[int(card.removeprefix("x")) - 1] if card.startswith("x") else card

    def _at(self, seat: str) -> list[str]:
        return [tag for tag, zone in self._where.items() if zone == f"seat/{seat}"]

    def _move(self, tags: Iterable[str], zone: str | None = None) -> None:
        for tag in list(tags):
            self._pass(0.3)
            if tag in self._where:
                self.say(kind="gone", zone=self._where.pop(tag), tag=tag)
                self._pass(0.3)
            if zone is not None:
                self._lay(tag, zone)

    def _lay(self, tag: str, zone: str) -> None:
        self._where[tag] = zone
        seat = seat_of(zone)
        if seat is not None and all(tag not in tags for tags in self._dealt.values()):
            self._dealt.setdefault(seat, []).append(tag)
        self.say(kind="seen", zone=zone, tag=tag)

    @property
    def _just_burned(self) -> bool:
        return bool(self._named) and self._where.get(self._named[-1]) == "burn"

    def _deal(self, count: int) -> None:
        self._pitch([count, *range(1, count + 1), *range(1, count + 1)])

    def _pitch(self, words: Iterable[int]) -> None:
        count, *pitches = words
        if not self._live:
            self._set_up(count)
        self._wait(1.0)
        self.say(kind="riffle")
        self._wait(3.0)
        self._also(pitches)

    def _set_up(self, count: int) -> None:
        seats = list(range(1, count + 1))
        self._live = list(seats)
        self.say(
            **{
                "kind": "table",
                "v": 1,
                "table": "T1",
                "rulebook": self._rulebook,
                "button": count,
                "seats": [{"seat": s, "stack": 1000} for s in seats],
                "blinds": {"small": 5, "big": 10},
                **self._table,
            }
        )

    def _also(self, pitches: Iterable[int]) -> None:
        for seat in pitches:
            self._lay(self._stub.pop(0), f"seat/{seat}")
            self._wait(0.6)

    # --- actions ---

    def _press(self, seat: int, action: str, amount: int | None = None, by: str = "seat") -> None:
        self._pass(2.0)
        if action == "fold" and seat in self._live:
            self._live.remove(seat)
        told = {} if amount is None else {"amount": amount}
        self.say(kind="press", seat=seat, button=action, by=by, **told)

    def _preflop(self) -> None:
        if len(self._live) == 2:
            self._press(2, "call")
            self._press(1, "check")
            return
        for seat in [*self._live[2:], self._live[0]]:
            self._press(seat, "call")
        self._press(self._live[1], "check")

    def _last_finding(self) -> int:
        return [e.id for e in self.events if isinstance(e, Finding)][-1]
