"""Which cards may be named: an account of where every tag lay, kept apart from the engine's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from controller.contract.events import Event, Finding, Phase, Start, Tabled, encode_event
from controller.contract.observations import DeckChange, Gone, Observation, Seen, Table

CODE = re.compile(rb'"([2-9TJQKA][shdc])"')
HIDDEN = ("seat", "burn", "muck")


class Stay(NamedTuple):
    """A tag lay in a zone; `end` is None while it does."""

    zone: str
    begin: float
    end: float | None

    def lasted(self, seconds: float, now: float) -> bool:
        """Whether it lay there for as long as this."""
        return (now if self.end is None else self.end) - self.begin >= seconds


class PublicCards:
    """Follows a log and the events beside it; a card named that lies face down is an
    `AssertionError` that does not name it."""

    def __init__(self) -> None:
        """Before the first observation."""
        self._deck: dict[str, str] | None = None
        self._next_deck: dict[str, str] | None = None
        self._zones: tuple[str, ...] | None = None
        self._flicker = 0.5
        self._stays: dict[str, list[Stay]] = {}
        self._began = 0.0
        self._tabled: set[str] = set()
        self._put_right = False

    @property
    def deck(self) -> dict[str, str] | None:
        """The deck of the next hand."""
        return self._next_deck

    def take(self, observation: Observation, events: list[Event]) -> None:
        """Follows one observation and judges what followed from it."""
        if not isinstance(observation, Table):  # what follows then is still of the hand before
            self._follow(observation)
        for event in events:
            self._judge(event, observation.t or 0.0)
        if isinstance(observation, Table):
            self._follow(observation)

    def _follow(self, observation: Observation) -> None:
        match observation:
            case Table():
                self._next_deck, self._zones = observation.deck, observation.zones
                self._flicker = observation.timing.flicker
                self._stays = {}
            case DeckChange():
                self._next_deck = observation.deck
            case Seen(t, zone, tag):
                stays = self._stays.setdefault(tag, [])
                for at, stay in enumerate(stays):
                    flickered = stay.end is not None and t - stay.end < self._flicker
                    if stay.zone == zone and stay.end is None and zone[:5] == "board":
                        stays[at] = stay._replace(end=t)  # dealt once more: nobody saw it go
                    elif stay.zone == zone and (stay.end is None or flickered):
                        stays[at] = stay._replace(end=None)
                        return
                stays.append(Stay(zone, t, None))
            case Gone(t, zone, tag):
                stays = self._stays.get(tag, [])
                for at, stay in enumerate(stays):
                    if stay.zone == zone and stay.end is None:
                        stays[at] = stay._replace(end=t)
            case _:
                pass

    def _judge(self, event: Event, now: float) -> None:
        text = encode_event(event)
        assert b"04E1" not in text, "no output names a tag"
        match event:
            case Start():
                self._began, self._put_right, self._tabled = event.t, False, set()
                self._deck = self._next_deck
            case Finding():
                self._put_right = True
            case Phase(phase="misdeal"):
                self._tabled = set()
            case Tabled():
                held = {
                    code
                    for tag, code in self._cards()
                    for stay in self._stays[tag]
                    if stay.zone == f"seat/{event.seat}"
                    and (stay.begin >= self._began or stay.end is None)
                }
                assert len(event.cards) <= 2
                assert held.issuperset(event.cards), "a hand is tabled with its own cards"
                self._tabled.update(event.cards)
            case _:
                pass
        for code in CODE.findall(text):
            assert self.is_public(code.decode(), now), (
                f"{event.__struct_config__.tag} names a card that lies face down"
            )

    def is_public(self, code: str, now: float) -> bool:
        """Whether a card may be named."""
        tags = [tag for tag, known in self._cards() if known == code]
        return code in self._tabled or any(self._stands(tag, now) for tag in tags)

    def _cards(self) -> Iterator[tuple[str, str]]:
        for tag in self._stays:
            code = tag if self._deck is None else self._deck.get(tag)
            if code is not None:
                yield tag, code

    def _this_hand(self, tag: str) -> list[Stay]:
        return [stay for stay in self._stays[tag] if stay.begin >= self._began]

    def _stands(self, tag: str, now: float) -> bool:
        """Whether it lay on the board in this hand, and nowhere face down before, unless an
        irregularity was put right in between."""
        stays = self._this_hand(tag)
        first = min((stay.begin for stay in stays if stay.zone[:5] == "board"), default=None)
        if first is None:
            return False
        return self._put_right or not any(
            stay.begin < first and self._has(stay.zone) and stay.lasted(self._flicker, now)
            for stay in stays
            if stay.zone.partition("/")[0] in HIDDEN
        )

    def _has(self, zone: str) -> bool:
        return self._zones is None or zone in self._zones
