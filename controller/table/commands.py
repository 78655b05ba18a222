"""What a table makes of a command: pure, from the received bytes to observations or a refusal.

The table process calls `judge` for each message below its `cmd/`, journals the id and the
observations of what is accepted, feeds those to the engine and publishes `answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from controller.contract.events import OutcomeName
from controller.contract.messages import (
    COMMANDS,
    FLOOR_COMMANDS,
    MAX_COMMAND,
    ROOM_ANSWER,
    Answer,
    ClockCommand,
    Command,
    DismissCommand,
    LevelCommand,
    Message,
    MessageError,
    MuteCommand,
    PauseCommand,
    RulingCommand,
    SeatsCommand,
    UnknownVersionError,
)
from controller.contract.observations import (
    ClockCancel,
    Close,
    Coming,
    FloorClock,
    FloorDismiss,
    FloorInput,
    FloorMisdeal,
    FloorRuling,
    Level,
    Mute,
    Observation,
    Open,
    Pick,
    SeatChange,
    level_of,
    nearest,
)

ROLES = ("floor", "director")
_OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)

Reason = Literal[
    "retained",
    "oversize",
    "unknown-command",
    "unknown-version",
    "malformed",
    "role",
    "repeated",
    "session",
    "no-hand",
    "hand",
    "finding",
    "outcome",
    "seats",
    "level",
]
"""Why a command is refused. A code is never renamed."""


class Accepted(Struct, frozen=True):
    """What the command becomes. `id` is to be journalled with `observations`, before these
    are fed to the engine in their order.

    `button`: where the room wants the button, for which there is no observation but a new
    `table` record; None leaves it where it is. `unknown_fields` were ignored and are to be
    counted.
    """

    id: str
    actor: str
    observations: tuple[Observation, ...]
    button: int | None = None
    unknown_fields: int = 0


class Refused(Struct, frozen=True):
    """Why nothing was done; `id` is empty where none could be read."""

    reason: Reason
    words: str
    id: str = ""


class _Peek(Struct):
    id: str = ""


class _Now(Struct, frozen=True):
    """The table as it stands; the fields are those of `judge`."""

    session: str
    hand: int
    open_findings: Collection[int]
    ruled_findings: Collection[int]
    had: Callable[[str], bool]


def judge(
    name: str,
    payload: bytes,
    *,
    retained: bool,
    session: str,
    hand: int,
    open_findings: Collection[int],
    ruled_findings: Collection[int] = (),
    had: Callable[[str], bool],
    t: float,
) -> Accepted | Refused:
    """What to make of the command `name`, the last part of its topic.

    `session` and `hand` are the table's own at this moment and `open_findings` the ids of
    its open findings, `ruled_findings` those that may be ruled on once more; `had` tells
    whether a command of this id was accepted before, in any session; `t` is the table's time
    in seconds. Raises nothing, whatever `payload` is.
    """
    if retained:
        return Refused("retained", "a retained command is not carried out")
    if len(payload) > MAX_COMMAND:
        return Refused("oversize", f"a command has at most {MAX_COMMAND} bytes")
    id_ = id_of(payload)
    if name not in COMMANDS:
        words = f"there is no command '{name[:40]}'{nearest(name[:40], COMMANDS)}"
        return Refused("unknown-command", words, id_)
    try:
        decoded = COMMANDS[name].decode(payload)
    except UnknownVersionError:
        return Refused("unknown-version", "this table does not speak that version", id_)
    except MessageError as error:
        words = error.too_much or f"this is not what a '{name}' command looks like"
        return Refused("malformed", words, id_)
    command: Command = decoded.value
    now = _Now(session, hand, open_findings, ruled_findings, had)
    refusal = _out_of_place(name, command, now) or _wrong(command)
    if refusal is not None:
        return Refused(*refusal, command.id)
    return Accepted(
        command.id,
        command.actor,
        _observations(name, command, t),
        command.button if isinstance(command, SeatsCommand) else None,
        decoded.unknown_fields,
    )


def answer(
    verdict: Accepted | Refused,
    site: str,
    *,
    response_topic: str | None,
    correlation: bytes | None,
) -> Message | None:
    """The message to publish; None where none was asked for, or not on a room's answer topic."""
    if isinstance(verdict, Accepted):
        said = Answer(verdict.id, ok=True)
    else:
        said = Answer(verdict.id, ok=False, reason=verdict.reason, words=verdict.words)
    return reply_with(said, site, response_topic=response_topic, correlation=correlation)


def reply_with(
    said: Answer, site: str, *, response_topic: str | None, correlation: bytes | None
) -> Message | None:
    """The message that carries an answer; None where none was asked for, or not on a room's
    answer topic."""
    names = ROOM_ANSWER.names(site, response_topic or "")
    if names is None:
        return None
    message = ROOM_ANSWER.message(site, *names, payload=said)
    return msgspec.structs.replace(message, correlation=correlation)


def id_of(payload: bytes) -> str:
    """The id of a command that may be unreadable otherwise, so that it can be answered."""
    try:
        return msgspec.json.decode(payload, type=_Peek).id[:64]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def _out_of_place(name: str, command: Command, now: _Now) -> tuple[Reason, str] | None:
    if command.role not in ROLES:
        return "role", f"'{command.role[:40]}' may not decide here, only {' or '.join(ROLES)}"
    if now.had(command.id):
        return "repeated", "this command has already been accepted"
    if command.session != now.session:
        return "session", "the table has restarted since this was decided"
    if name in FLOOR_COMMANDS and command.hand is None:
        return "no-hand", "the command does not say which hand it was decided for"
    if command.hand is not None and command.hand != now.hand:
        return "hand", f"decided for hand {command.hand}, but the table is at hand {now.hand}"
    known = {*now.open_findings, *(now.ruled_findings if name == "ruling" else ())}
    if command.finding is not None and command.finding not in known:
        return "finding", f"finding {command.finding} is not open"
    return None


def _wrong(command: Command) -> tuple[Reason, str] | None:
    if isinstance(command, RulingCommand) and command.outcome not in _OUTCOMES:
        outcome = command.outcome[:40]
        return "outcome", f"there is no outcome '{outcome}'{nearest(outcome, _OUTCOMES)}"
    if isinstance(command, SeatsCommand):
        numbers = [each.seat for each in command.seats]
        if len(set(numbers)) < len(numbers):
            return "seats", "a seat is listed twice"
    if isinstance(command, LevelCommand) and command.big < command.small:
        return "level", "the big blind is less than the small blind"
    return None


_PLAIN: Mapping[str, type[FloorMisdeal | Pick | ClockCancel | Coming]] = {
    "misdeal": FloorMisdeal,
    "pick": Pick,
    "clock-cancel": ClockCancel,
    "coming": Coming,
}
"""Floor inputs that carry nothing of their own."""


def _observations(name: str, command: Command, t: float) -> tuple[Observation, ...]:
    """What an accepted command becomes."""
    match command:
        case SeatsCommand():
            return tuple(
                SeatChange(t=t, seat=s.seat, status=s.status, stack=s.stack, player=s.player)
                for s in command.seats
            )
        case LevelCommand():
            return (Level(t=t, **level_of(command)),)
        case PauseCommand():
            return (Close(t=t) if command.paused else Open(t=t),)
    return (_decision(name, command, t),)


def _decision(name: str, command: Command, t: float) -> FloorInput:
    """The floor input that a floorperson's command becomes."""
    by, why = command.actor, command.reason
    match command:
        case RulingCommand(finding=finding):
            outcome = next(known for known in _OUTCOMES if known == command.outcome)
            return FloorRuling(
                kind="floor", t=t, by=by, reason=why, finding=finding, outcome=outcome
            )
        case DismissCommand(finding=finding):
            return FloorDismiss(kind="floor", t=t, by=by, reason=why, finding=finding)
        case ClockCommand(seat=seat, seconds=seconds):
            return FloorClock(kind="floor", t=t, by=by, reason=why, seat=seat, seconds=seconds)
        case MuteCommand(code=code, zone=zone, hands=hands):
            return Mute(kind="floor", t=t, by=by, reason=why, code=code, zone=zone, hands=hands)
    return _PLAIN[name](kind="floor", t=t, by=by, reason=why)
