"""The table log: everything the engine is ever told (contract, section 1).

One immutable value a line. `decode` is strict: an unknown kind, input or field is refused
with the nearest name, since nothing unknown may be dropped silently. Tags never appear in
a repr.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, Literal, TypeGuard

import msgspec
from msgspec import Meta, Struct

from controller.contract.cards import is_card
from controller.contract.events import AnteBy, Blinds, OutcomeName
from controller.contract.misfit import Misfit, misfit
from controller.contract.routine import Routine
from controller.contract.zones import ZONES
from firmware_bridge.sensed import (
    MOST_CHIPS,
    Chips,
    Gone,
    Press,
    Reader,
    SeatButton,
    SeatNumber,
    Seconds,
    Seen,
    Sensed,
    Tick,
)

__all__ = ["Gap", "Gone", "Press", "Reader", "SeatButton", "Seen", "Tick"]

SeatStatus = Literal["seated", "empty", "present", "absent", "penalty", "waiting"]
Chip = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
"""What a chip is worth."""
FindingId = Annotated[int, Meta(ge=1)]
Name = Annotated[str, Meta(max_length=200)]
ClockSeconds = Annotated[float, Meta(ge=1, le=3600)]


class MalformedObservationError(ValueError):
    """A line of a table log that means nothing; the message says why, without any tag."""


class _Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What all lines share; `tag_field` and `tag` come with each kind."""


# --- the table itself ---------------------------------------------------------------------


class TableSeat(_Line, frozen=True, kw_only=True):
    """A seat that is there; it is entitled to a hand unless `status` is `empty`."""

    seat: SeatNumber
    stack: Chips | None = None
    player: Name | None = None
    status: SeatStatus = "seated"


class TableBlinds(_Line, frozen=True, kw_only=True):
    """The level in force, in chips; see `Blinds`."""

    small: Chips
    big: Chips
    ante: Chips = 0
    ante_by: AnteBy = "each"
    chip: Chip = 1


def level_of(told: object) -> dict[str, Any]:
    """The fields of `Blinds` that something has which tells of a level."""
    return {name: getattr(told, name) for name in Blinds.__struct_fields__}


SETTLE = 1.0
"""Seconds; see `Timing.settle`."""


class Timing(_Line, frozen=True, kw_only=True):
    """Seconds; the defaults fit a polled multi-antenna table."""

    order_window: Seconds = 0.4
    press_window: Seconds = 3.0
    settle: Seconds = SETTLE
    flicker: Seconds = 0.5

    @property
    def again(self) -> float:
        """After how long what still waits is looked at once more: never at once, or the table would
        stand still at that moment for ever."""
        return self.settle or SETTLE


class Table(_Line, frozen=True, kw_only=True, tag_field="kind", tag="table"):
    """Sets the table up and starts afresh. `zones` and `buttons` default to all."""

    v: Literal[1]
    table: Name
    rulebook: Name
    seats: tuple[TableSeat, ...]
    button: SeatNumber
    blinds: TableBlinds
    t: Seconds | None = None
    deck: dict[str, str] | None = None
    objects: dict[str, str] = {}
    zones: tuple[str, ...] | None = None
    buttons: tuple[SeatNumber, ...] | None = None
    game: str = "holdem"
    mode: Literal["tournament", "cash"] = "tournament"
    posts: tuple[SeatNumber, ...] = ()
    under_way: bool = False
    timing: Timing = Timing()
    routine: Routine = Routine()

    def __repr__(self) -> str:
        return f"Table({self.table!r}, {self.rulebook!r}, {len(self.seats)} seats, deck=…)"


class _Timed(_Line, frozen=True, kw_only=True):
    t: Seconds


class Open(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="open"):
    """The table is in play."""


class Close(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="close"):
    """The table is not in play: nothing is a finding."""


class DeckChange(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="deck"):
    """Between hands: this deck is now in play."""

    deck: dict[str, str]

    def __repr__(self) -> str:
        return f"DeckChange(t={self.t}, deck=…)"


class Riffle(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="riffle"):
    """First riffle, shuffler's button or the dealer's *New hand*."""


class SeatChange(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="seat"):
    """Somebody sat down, left, came back or sits a penalty out."""

    seat: SeatNumber
    status: SeatStatus
    stack: Chips | None = None
    player: Name | None = None


class Level(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="level"):
    """A level was announced; it applies from the next riffle on."""

    small: Chips
    big: Chips
    ante: Chips = 0
    ante_by: AnteBy = "each"
    chip: Chip = 1


class TimingChange(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="timing"):
    """The readers' scan cycle was measured: this `order_window` applies from the next hand on."""

    order_window: Seconds


class Gap(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="gap"):
    """Nobody watched from `since` to `t`: what is seen next tells no order. `why` in words."""

    since: Seconds
    why: Name


class DeckCheck(_Timed, frozen=True, kw_only=True, tag_field="kind", tag="deck-check"):
    """Everything the deck reader saw before the shuffle."""

    tags: tuple[str, ...]

    def __repr__(self) -> str:
        return f"DeckCheck(t={self.t}, {len(self.tags)} tags)"


# --- the dealer's display -----------------------------------------------------------------


class _Dealer(_Timed, frozen=True, kw_only=True):
    kind: Literal["dealer"]
    by: Name | None = None
    reason: Name | None = None


class SignIn(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="sign-in"):
    """A dealer sat down."""

    name: Name


class Learner(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="learner"):
    """The dealer is learning, or is not."""

    on: bool


class Exposed(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="exposed"):
    """A hole card was exposed: the seat's `nth`, or a tag."""

    cause: Literal["dealer", "player"]
    seat: SeatNumber | None = None
    nth: Annotated[int, Meta(ge=1, le=5)] | None = None
    tag: str | None = None

    def __repr__(self) -> str:
        return f"Exposed(t={self.t}, seat={self.seat}, nth={self.nth}, cause={self.cause!r})"


class Boxed(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="boxed"):
    """A card lay face up in the deck."""

    seat: SeatNumber | None = None
    nth: Annotated[int, Meta(ge=1, le=5)] | None = None
    tag: str | None = None

    def __repr__(self) -> str:
        return f"Boxed(t={self.t}, seat={self.seat}, nth={self.nth})"


class RoundClosed(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="round-closed"):
    """The betting round is complete, says the dealer."""


class HandTabled(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="tabled"):
    """A seat's cards lie face up on the table."""

    seat: SeatNumber


class Award(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="award"):
    """The pot goes to its winner: the hand is over."""


class Reshuffled(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="reshuffled"):
    """What a remedy wanted shuffled has been shuffled."""


class CallFloor(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="call-floor"):
    """The dealer asks for a floorperson."""


class CallClock(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="clock"):
    """The clock is called on a seat."""

    seat: SeatNumber


class Confirm(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="confirm"):
    """Yes, it happened."""

    finding: FindingId


class Dismiss(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="dismiss"):
    """No, it did not happen, or it does not matter."""

    finding: FindingId


class Done(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="done"):
    """A step of the remedy was carried out."""

    finding: FindingId
    step: Name


class DealerMisdeal(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="misdeal"):
    """The dealer calls a misdeal."""


class Unwatched(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="unwatched"):
    """Nothing in this hand is a finding from here on."""


class Undo(_Dealer, frozen=True, kw_only=True, tag_field="input", tag="undo"):
    """The dealer's last entry was a mistake."""


# --- the floor ----------------------------------------------------------------------------


class _Floor(_Timed, frozen=True, kw_only=True):
    kind: Literal["floor"]
    by: Name | None = None
    reason: Name | None = None


class FloorRuling(_Floor, frozen=True, kw_only=True, tag_field="input", tag="ruling"):
    """The floor decides a finding, and that is final."""

    finding: FindingId
    outcome: OutcomeName


class FloorMisdeal(_Floor, frozen=True, kw_only=True, tag_field="input", tag="misdeal"):
    """The floor calls a misdeal."""


class Pick(_Floor, frozen=True, kw_only=True, tag_field="input", tag="pick"):
    """The floor picked a card; `tag` where a reader saw which."""

    tag: str | None = None

    def __repr__(self) -> str:
        return f"Pick(t={self.t}, tag=…)"


class FloorDismiss(_Floor, frozen=True, kw_only=True, tag_field="input", tag="dismiss"):
    """The floor closes a finding."""

    finding: FindingId


class FloorClock(_Floor, frozen=True, kw_only=True, tag_field="input", tag="clock"):
    """The floor puts a seat on the clock, for so many seconds or the book's time."""

    seat: SeatNumber
    seconds: ClockSeconds | None = None


class ClockCancel(_Floor, frozen=True, kw_only=True, tag_field="input", tag="clock-cancel"):
    """The floor stops the clock."""


class Coming(_Floor, frozen=True, kw_only=True, tag_field="input", tag="coming"):
    """A floorperson is on the way."""


class Mute(_Floor, frozen=True, kw_only=True, tag_field="input", tag="mute"):
    """A code is for the record only for so many hands."""

    code: Name
    hands: Annotated[int, Meta(ge=1)]
    zone: str | None = None


DealerInput = (
    SignIn
    | Learner
    | Exposed
    | Boxed
    | RoundClosed
    | HandTabled
    | Award
    | Reshuffled
    | CallFloor
    | CallClock
    | Confirm
    | Dismiss
    | Done
    | DealerMisdeal
    | Unwatched
    | Undo
)
FloorInput = (
    FloorRuling | FloorMisdeal | Pick | FloorDismiss | FloorClock | ClockCancel | Coming | Mute
)
_ByKind = (
    Sensed
    | Table
    | Open
    | Close
    | DeckChange
    | Riffle
    | SeatChange
    | Level
    | DeckCheck
    | TimingChange
    | Gap
)
Observation = _ByKind | DealerInput | FloorInput

# --- decoding -----------------------------------------------------------------------------


class _Peek(Struct):
    kind: str
    input: str = ""


def _decoders(union: UnionType) -> dict[str, msgspec.json.Decoder[Any]]:
    classes = union.__args__
    return {c.__struct_config__.tag: msgspec.json.Decoder(c) for c in classes}


_KINDS = _decoders(_ByKind)
_INPUTS = {"dealer": _decoders(DealerInput), "floor": _decoders(FloorInput)}
_peek = msgspec.json.Decoder(_Peek).decode
encode = msgspec.json.Encoder().encode

_OBJECT = re.compile(r"button|all-in|cut-card|badge:.+")


def decode(line: bytes) -> Observation:
    """Reads one line; raises `MalformedObservationError`, whose message never contains a value
    that could be a tag."""
    try:
        peek = _peek(line)
    except msgspec.ValidationError as error:
        raise MalformedObservationError(_plain(misfit(error, _Peek))) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise MalformedObservationError("this is not a JSON object") from None
    decoder: msgspec.json.Decoder[Any]
    if peek.kind in _INPUTS:
        decoder = _named(peek.input, _INPUTS[peek.kind], f"{peek.kind} input")
    else:
        decoder = _named(peek.kind, _KINDS, "kind")
    try:
        observation: Observation = decoder.decode(line)
    except msgspec.ValidationError as error:
        raise MalformedObservationError(_plain(misfit(error, decoder.type))) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise MalformedObservationError("this is not a JSON object") from None
    if isinstance(observation, Table):
        _check_table(observation)
    elif isinstance(observation, DeckChange):
        _check_deck(observation.deck)
    elif isinstance(observation, Gap) and observation.since > observation.t:
        raise MalformedObservationError("the gap ends, with `t`, before it begins, with `since`")
    return observation


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing where no name is close."""
    close = difflib.get_close_matches(name, sorted(names), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _named(
    name: str, names: dict[str, msgspec.json.Decoder[Any]], what: str
) -> msgspec.json.Decoder[Any]:
    if name not in names:
        raise MalformedObservationError(f"unknown {what} '{name[:40]}'{nearest(name, names)}")
    return names[name]


def _plain(found: Misfit) -> str:
    if found.unknown is not None:
        near = "" if found.at else nearest(found.unknown, [*found.names, "kind"])
        return f"unknown field '{found.unknown[:40]}'{near}"
    if found.value is not None and len(found.at) == 1:
        value = found.value
        return f"unknown {found.at[0]} '{value[:40]}'{nearest(value, found.names)}"
    return found.words


def _check_table(table: Table) -> None:
    if table.game != "holdem":
        raise MalformedObservationError(
            f"the game '{table.game[:40]}' is not dealt here, only holdem"
        )
    numbers = [s.seat for s in table.seats]
    doubled = {n for n in numbers if numbers.count(n) > 1}
    if doubled:
        raise MalformedObservationError(f"seat {min(doubled)} is listed twice")
    for zone in table.zones or ():
        if zone not in ZONES:
            raise MalformedObservationError(f"unknown zone '{zone[:40]}'{nearest(zone, ZONES)}")
    for thing in table.objects.values():
        if not _OBJECT.fullmatch(thing):
            close = nearest(thing, ["button", "all-in", "cut-card", "badge:NAME"])
            raise MalformedObservationError(f"unknown object '{thing[:40]}'{close}")
    if table.deck is not None:
        _check_deck(table.deck)


def _check_deck(deck: Mapping[str, str]) -> None:
    if not all(is_card(code) for code in deck.values()):
        raise MalformedObservationError("the deck maps a tag to something that is not a card code")


def is_dealer_input(observation: Observation) -> bool:
    """Whether it was entered on the dealer's display."""
    return isinstance(observation, _Dealer)


def is_floor_input(observation: Observation) -> TypeGuard[FloorInput]:
    """Whether a floorperson decided it."""
    return isinstance(observation, _Floor)
