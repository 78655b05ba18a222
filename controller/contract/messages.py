"""Topics and payloads: all that travels over MQTT, and how (contract, section 4).

The table of topics stands at the end of this file. Everything is JSON below
`cutcard/1/<site>/`. `at` is wall time, every `_ms` of the room is the room's own time;
both are milliseconds. `session` names one run of a process and is never used again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from controller.contract.events import AnteBy, Blinds, Event
from controller.contract.misfit import misfit
from controller.contract.observations import Chip, ClockSeconds, SeatStatus
from controller.contract.view import FindingView, TableView
from firmware_bridge.sensed import Chips, SeatNumber

VERSION = 1
DEFAULT_SITE = "main"
"""The site of a room, and of its screens, where none is named."""
MAX_PAYLOAD = 256 * 1024
MAX_COMMAND = 16 * 1024
_ROOT = "cutcard/1"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

Presence = Literal["init", "ready", "lost"]


class MessageError(ValueError):
    """A received payload that cannot be used. The text holds nothing of the payload; `too_much`
    names a number in it that is too great, and its limit."""

    def __init__(self, text: str, too_much: str = "") -> None:
        super().__init__(text)
        self.too_much = too_much


class UnknownVersionError(MessageError):
    """A payload of a version that is not spoken here."""


class Message(Struct, frozen=True):
    """One publication. A retained message with an empty payload deletes what was retained."""

    topic: str
    payload: bytes
    qos: Literal[0, 1]
    retain: bool
    expiry_s: int | None = None
    response_topic: str | None = None
    correlation: bytes | None = None


class State(Struct, frozen=True):
    """Whether a table or the room is there; `lost` is its last will."""

    state: Presence
    session: str
    version: str
    v: int = VERSION


class Hand(Struct, frozen=True):
    """The public picture of a table after event number `seq` of this session. It was said at `at`,
    which in the table's time, that of all times of `view`, is `t`."""

    session: str
    seq: int
    at: int
    view: TableView
    v: int = VERSION
    t: float | None = None


class Dismissed(Struct, frozen=True):
    """A dealer dismissed a finding of priority 1: in which hand, who and why, if that was said."""

    hand: int
    by: str | None = None
    reason: str | None = None


class Alert(Struct, frozen=True):
    """An open finding with its ruling; its topic is deleted when the finding is closed.

    With `dismissed` it is open no more and stays until a floorperson closes it, by `dismiss`
    or `ruling`, in whatever hand.
    """

    session: str
    at: int
    finding: FindingView
    dismissed: Dismissed | None = None
    v: int = VERSION


class TableEvent(Struct, frozen=True):
    """One event; (table, session, seq) is unique and `seq` counts from 1 without a gap.

    One that a table is asked for again comes once more, as it was, by QoS 0. `by` and `reason`
    say who decided it, where a person did, and what was said. `journal` names the one in which
    the numbers of hands and findings count on: those of another are others.
    """

    session: str
    seq: int
    at: int
    event: Event
    v: int = VERSION
    by: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    journal: str | UnsetType = UNSET


class WireHealth(Struct, frozen=True):
    """One link to a microcontroller; it counts since the start of the table.

    `bad_frames` did not arrive whole; `noise_bytes` belonged to no whole frame, theirs
    included. `other_version` are whole frames of a protocol that is not spoken here, `unusable`
    those that say nothing that can be used, `gaps` those that never came. `clock_error_ms` is
    how far off its times can be; None while unknown. `cycle_ms` is the slowest scan cycle of its
    antennas in the last minute; None where none was measured.
    """

    port: str
    state: str
    bad_frames: int = 0
    noise_bytes: int = 0
    other_version: int = 0
    unusable: int = 0
    gaps: int = 0
    clock_error_ms: int | None = None
    cycle_ms: int | None = None


class Health(Struct, frozen=True):
    """What is well and what is not; it counts since the start of the table.

    `links` are words, only of what needs a person. `refused_commands` counts by reason, those
    of unknown versions among them, `refused_payloads` what is no command at all. Fields of
    accepted commands that are not known here are `unknown_fields`. `contested` zones read one card
    together, in `incomplete` ones the cards can't be told apart; `reads` counts by cause what was
    received from readers and buttons and not passed on as it came, `ghosts` by zone the
    collisions that were read as a tag. `needless` counts by seat the presses that made no sense at
    their moment, `unpressed` those that must have come and did not. `backlog` waits for the
    broker; of it `unsaved` would not outlive the process, and `dropped` was given up.
    """

    session: str
    at: int
    lost_zones: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    wires: tuple[WireHealth, ...] = ()
    contested: tuple[tuple[str, str], ...] = ()
    incomplete: tuple[str, ...] = ()
    ghosts: Mapping[str, int] = {}
    reads: Mapping[str, int] = {}
    needless: Mapping[str, int] = {}
    unpressed: Mapping[str, int] = {}
    refused_commands: Mapping[str, int] = {}
    refused_payloads: int = 0
    unknown_fields: int = 0
    refused_entries: int = 0
    """What screens sent that is no entry."""
    journal_faults: int = 0
    backlog: int = 0
    unsaved: int = 0
    dropped: int = 0
    v: int = VERSION


_TEXT = r"^[^\x00-\x1f\x7f]*(?![\s\S])"  # one line; `$` would let a line feed pass
Identifier = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,64}(?![\s\S])")]
Link = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]
EventId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}(?![\s\S])")]
"""Of an event beside the room's first one: in topics, in addresses, and a file's name."""
Line = Annotated[str, Meta(max_length=200, pattern=_TEXT)]
Actor = Annotated[str, Meta(min_length=1, max_length=80, pattern=_TEXT)]
FindingNumber = Annotated[int, Meta(ge=1)]


class Chain(Struct, frozen=True):
    """How far a table's journal has come as a hand ends: whoever keeps this can tell later whether
    the journal was rewritten.

    `chain` names the journal's file, `hand` is the last hand that is over. `link` is that of line
    `n`, which stands for all lines before it; `sealed` is that of the sealed line `boxes`, if there
    are any.
    """

    session: Identifier
    at: int
    chain: Identifier
    hand: int
    n: int
    link: Link
    boxes: int = 0
    sealed: Link | None = None
    v: int = VERSION


class Command(Struct, frozen=True):
    """What every command to a table carries: who decides, and about which moment.

    `session` is the table's and `hand` the hand that is under way there, as they stood when
    `actor` decided; a floorperson's decision always names its hand. This alone is
    the payload of `misdeal`, `pick`, `clock-cancel` and `coming`.
    """

    id: Identifier
    actor: Actor
    role: Line
    session: Identifier
    hand: Annotated[int, Meta(ge=0)] | None = None
    finding: FindingNumber | None = None
    reason: Line | None = None
    v: int = VERSION


class RulingCommand(Command, frozen=True, kw_only=True):
    """`ruling`: the finding is decided, with one of the outcomes that rule books know."""

    finding: FindingNumber
    outcome: Line


class DismissCommand(Command, frozen=True, kw_only=True):
    """`dismiss`: the finding is closed."""

    finding: FindingNumber


class ClockCommand(Command, frozen=True, kw_only=True):
    """`clock`: the seat is put on the clock, for so many seconds or the book's time."""

    seat: SeatNumber
    seconds: ClockSeconds | None = None


class MuteCommand(Command, frozen=True, kw_only=True):
    """`mute`: a code, from one zone or all, is for the record only for so many hands."""

    code: Line
    hands: Annotated[int, Meta(ge=1, le=1000)]
    zone: Line | None = None


class SeatOrder(Struct, frozen=True, omit_defaults=True):
    """What becomes of one seat."""

    seat: SeatNumber
    status: SeatStatus
    stack: Chips | None = None
    player: Line | None = None


class SeatsCommand(Command, frozen=True, kw_only=True):
    """`seats`: who sits where from the next hand on, and where the button is to be."""

    seats: Annotated[tuple[SeatOrder, ...], Meta(min_length=1, max_length=10)]
    button: SeatNumber | None = None


class LevelCommand(Command, frozen=True, kw_only=True):
    """`level`: a level was announced; see `Blinds`."""

    small: Chips
    big: Chips
    ante: Chips = 0
    ante_by: AnteBy = "each"
    chip: Chip = 1


class PauseCommand(Command, frozen=True, kw_only=True):
    """`pause`: the table is not in play, or, with `paused` false, in play again."""

    paused: bool = True


class ResendCommand(Struct, frozen=True, kw_only=True):
    """`resend`: say events `from` to `to` of a session again, at most 500 of them. Without
    `session` it is the last event of each session that the table keeps."""

    id: Identifier
    actor: Actor
    role: Line
    session: Identifier | None = None
    first: Annotated[int, Meta(ge=1)] = field(name="from", default=1)
    last: Annotated[int, Meta(ge=1)] = field(name="to", default=1)
    v: int = VERSION


class Answer(Struct, frozen=True):
    """A table's answer to the command `id`, which is empty where none could be read.

    `reason` is one of the codes of `controller/table/commands.py` or `resend.py` and `words`
    says the same to people; both are empty for what was accepted.
    """

    id: str
    ok: bool
    reason: str = ""
    words: str = ""
    v: int = VERSION


class RoomTime(Struct, frozen=True):
    """The room's time, by which all deadlines of the room are meant."""

    session: str
    now_ms: int
    v: int = VERSION


ClockWord = Literal["ready", "running", "paused", "holding", "question", "last-level", "ended"]
"""How the clock is. `ready`: it was never started. `holding`: the break waits for hands that are
still played. `question`: it stands and asks, see `ClockQuestion`. `last-level`: the last level has
run out and stays in force. `ended`: the tournament is over."""

ClockCause = Literal["restart", "power", "suspended", "recovered"]
"""Why the clock asks. `restart`: the room's program was away; `power`: the machine was off, and
how long only its wall clock tells; `suspended`: the machine slept; `recovered`: the room's own
record is lost, and the clock is that of its last message."""


class ClockQuestion(Struct, frozen=True):
    """The clock ran and nobody watched it: is it to go on where it stopped, or to catch up?

    From `stopped_ms` to `back_ms` the room was away; `deadline_ms` is when the entry was to end.
    """

    cause: ClockCause
    stopped_ms: int
    back_ms: int
    deadline_ms: int


class RoomClock(Struct, frozen=True):
    """The blinds clock. It never ticks: either `deadline_ms` or `remaining_ms` is given.

    `index` counts the entries of the structure from 0, `level` the levels that are played
    from 1; on a break `level` and `blinds` are those of the level before, if there was one.
    `next_blinds` are those of the next level to be played. `to_break_ms` is how long after
    the end of this entry the next break begins. `ended`: no time is left for good: the last level
    has run out and stays in force, or the tournament is over. `duration_ms` is the whole
    length of what runs, with what was added. `called`: a break that interrupts its level, of
    which `level_left_ms` are to be played after it. `why` is why it is paused or over, where
    that was said. `revision` counts the changes.
    """

    index: int
    level: int
    on_break: bool
    blinds: Blinds | None
    next_blinds: Blinds | None
    next_is_break: bool
    duration_ms: int
    deadline_ms: int | None = None
    remaining_ms: int | None = None
    to_break_ms: int | None = None
    ended: bool = False
    v: int = VERSION
    state: ClockWord = "running"
    structure: str = ""
    session: str = ""
    lineage: str = ""
    revision: int = 0
    why: str = ""
    question: ClockQuestion | None = None
    called: bool = False
    level_left_ms: int | None = None


class Notice(Struct, frozen=True):
    """A line for everyone in the room, until the room's time `until_ms` or until taken away."""

    id: int
    text: Line
    until_ms: int | None = None


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat, or a table where the seat does not matter."""

    table: Identifier
    seat: SeatNumber | None = None


class Move(Struct, frozen=True):
    """A player who has to move, said until the room's time `until_ms`."""

    id: int
    player: Line
    from_: Place = field(name="from")
    to: Place
    until_ms: int


class Finish(Struct, frozen=True):
    """A player who is out, or with place 1 the winner, whose name may not be known.

    `shared` players have this place and those after it together, and `prize` is what the prize
    list has for them together. `at_ms` is the room's time at which it was told.
    """

    id: int
    place: int
    player: Line = ""
    table: str | None = None
    seat: int | None = None
    at_ms: int = 0
    shared: int = 1
    prize: str = ""


class TimeCall(Struct, frozen=True):
    """A clock that was called on a seat: it runs out at the room's time `until_ms`."""

    table: str
    seat: int
    until_ms: int
    player: str | None = None


class DeadButton(Struct, frozen=True):
    """A table at which the button is at a seat where nobody plays."""

    table: str
    seat: int


class WallAlert(Struct, frozen=True):
    """What a wall tells of tables, as far as the house lets it; `count` is of all of them, of
    which the first are named. `call`: the floor is called there. `finding`: what its `title` says
    is wrong there. `lost`: they do not answer."""

    kind: Literal["call", "finding", "lost"]
    tables: tuple[str, ...]
    count: int
    title: str = ""


class Racing(Struct, frozen=True):
    """Chips of `goes` leave play at this moment, at these tables still, and become chips of `into`:
    on a break, or at once."""

    goes: int
    into: int
    tables: tuple[str, ...]
    on_break: bool = True


class RoomTournament(Struct, frozen=True):
    """What is known of the tournament beside its clock; None is not known.

    `players_left` is the desk's word, else what all tables together show. `chips` are in play.
    `prizes` are lines of text, the first prize first. `finishes` are those who went out last,
    the best place first. `race_off` are the chips that are taken in on the break that runs, or
    else on the next one, `racing` those for which tables race now. `alerts` are for walls, no more
    than the house tells there. While all tables play hand for hand, `round` is the how manyth of
    these hands they play. `tables` are those of an event beside the room's first one, which has all
    the others.
    """

    name: str = ""
    entries: int | None = None
    players_left: int | None = None
    chips: int | None = None
    average_stack: int | None = None
    prizes: tuple[Line, ...] = ()
    notices: tuple[Notice, ...] = ()
    session: str = ""
    v: int = VERSION
    moves: tuple[Move, ...] = ()
    finishes: tuple[Finish, ...] = ()
    calls: tuple[TimeCall, ...] = ()
    dead_buttons: tuple[DeadButton, ...] = ()
    race_off: tuple[int, ...] = ()
    alerts: tuple[WallAlert, ...] = ()
    round: int | None = None
    racing: tuple[Racing, ...] = ()
    tables: tuple[str, ...] = ()


P = TypeVar("P", bound=Struct)
_fields = msgspec.json.Decoder(dict[str, Raw])


@cache
def _pattern(path: str, site: str) -> re.Pattern[str]:
    """What matches the topics of a row at a site, with a group for each name."""
    literal = re.escape(f"{_ROOT}/{site}/{path}").replace(r"\+", f"({_NAME.pattern})")
    return re.compile(literal)


class Decoded(Struct, Generic[P], frozen=True):
    """A received payload, and how many of its top-level fields are not known here."""

    value: P
    unknown_fields: int


class Topic(Struct, Generic[P], frozen=True):
    """One row of the table of topics; each `+` of `path` stands for a name."""

    path: str
    payload: type[P]
    qos: Literal[0, 1] = 1
    retain: bool = False
    expiry_s: int | None = None

    def name(self, site: str, *names: str) -> str:
        """The topic for these names. Raises ValueError for a name that MQTT cannot carry."""
        for each in (site, *names):
            if not _NAME.fullmatch(each):
                raise ValueError(f"{each!r} is not a name: letters, digits, '_', '.' and '-' only")
        rest = iter(names)
        parts = [next(rest) if part == "+" else part for part in self.path.split("/")]
        if next(rest, None) is not None:
            raise ValueError(f"too many names for {self.path}")
        return f"{_ROOT}/{site}/{'/'.join(parts)}"

    def filter(self, site: str) -> str:
        """The subscription to all topics of this row."""
        return f"{_ROOT}/{site}/{self.path}"

    def names(self, site: str, topic: str) -> tuple[str, ...] | None:
        """The names in `topic`, or None when it is not of this row."""
        found = _pattern(self.path, site).fullmatch(topic)
        return None if found is None else found.groups()

    def message(self, site: str, *names: str, payload: P) -> Message:
        """The publication of `payload`, with the row's QoS, retain flag and expiry."""
        return Message(
            self.name(site, *names),
            msgspec.json.encode(payload),
            self.qos,
            self.retain,
            self.expiry_s,
        )

    def deletion(self, site: str, *names: str) -> Message:
        """The message that deletes what was retained under these names."""
        return Message(self.name(site, *names), b"", self.qos, True)

    def decode(self, payload: bytes) -> Decoded[P]:
        """Read a received payload. Raises UnknownVersionError, else MessageError."""
        if len(payload) > MAX_PAYLOAD:
            raise MessageError(f"payload of {len(payload)} bytes on {self.path}")
        try:
            given = _fields.decode(payload)
            version = msgspec.json.decode(given.get("v", b""), type=int)
            if version != VERSION:
                raise UnknownVersionError(f"version {version} on {self.path}")
            value = msgspec.json.decode(payload, type=self.payload)
        except msgspec.ValidationError as error:
            found = misfit(error, self.payload)
            too_much = found.words if found.too_much else ""
            raise MessageError(f"not the payload of {self.path}", too_much) from None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise MessageError(f"not the payload of {self.path}") from None
        return Decoded(value, len(given.keys() - set(self.payload.__struct_encode_fields__)))


TABLE_STATE = Topic("tables/+/$state", State, retain=True)
"""A table that has said nothing for `BEAT_S` says its state once more, with QoS 0 and not retained:
a sign of life."""
BEAT_S = 1.0
TABLE_HAND = Topic("tables/+/hand", Hand, retain=True)
TABLE_HEALTH = Topic("tables/+/health", Health, retain=True)
TABLE_ALERT = Topic("tables/+/alerts/+", Alert, retain=True)
TABLE_EVENT = Topic("tables/+/events", TableEvent)
TABLE_CHAIN = Topic("tables/+/chain", Chain, retain=True)
TABLE_COMMAND = Topic("tables/+/cmd/+", Command, expiry_s=30)
ROOM_STATE = Topic("room/$state", State, retain=True)
ROOM_TIME = Topic("room/time", RoomTime, qos=0)
ROOM_CLOCK = Topic("room/clock", RoomClock, retain=True)
ROOM_TOURNAMENT = Topic("room/tournament", RoomTournament, retain=True)
EVENT_CLOCK = Topic("room/events/+/clock", RoomClock, retain=True)
"""Of an event beside the room's first one, by its id; the first one has the two above."""
EVENT_TOURNAMENT = Topic("room/events/+/tournament", RoomTournament, retain=True)
ROOM_ANSWER = Topic("room/answers/+", Answer, expiry_s=30)
"""The response topic of a room's commands; its name is the room's session."""


_FIRST = tuple(
    re.compile(re.escape(f"{_ROOT}/+/{topic.path}").replace(r"\+", _NAME.pattern))
    for topic in (TABLE_STATE, TABLE_ALERT, ROOM_STATE)
)


@lru_cache(maxsize=1024)
def goes_first(topic: str) -> bool:
    """Whether what is said there is told before everything else that waits: who is there, and what
    somebody has to come for."""
    return any(each.fullmatch(topic) for each in _FIRST)


def is_event_id(name: str) -> bool:
    """Whether that can be the id of an event beside the room's first one."""
    try:
        msgspec.convert(name, EventId)
    except msgspec.ValidationError:
        return False
    return True


def _command(name: str, payload: type[P]) -> Topic[P]:
    return Topic(f"tables/+/cmd/{name}", payload, expiry_s=TABLE_COMMAND.expiry_s)


FLOOR_COMMANDS: Mapping[str, Topic[Any]] = {
    "ruling": _command("ruling", RulingCommand),
    "misdeal": _command("misdeal", Command),
    "pick": _command("pick", Command),
    "dismiss": _command("dismiss", DismissCommand),
    "clock": _command("clock", ClockCommand),
    "clock-cancel": _command("clock-cancel", Command),
    "coming": _command("coming", Command),
    "mute": _command("mute", MuteCommand),
}
"""A floorperson's decisions: name → the row of its topic."""

COMMANDS: Mapping[str, Topic[Any]] = {
    **FLOOR_COMMANDS,
    "seats": _command("seats", SeatsCommand),
    "level": _command("level", LevelCommand),
    "pause": _command("pause", PauseCommand),
}
"""Every command to a table: name → the row of its topic."""

RESEND_COMMAND: Topic[ResendCommand] = _command("resend", ResendCommand)
"""What was said again; it decides nothing."""

TOPICS: tuple[Topic[Any], ...] = (
    TABLE_STATE,
    TABLE_HAND,
    TABLE_HEALTH,
    TABLE_ALERT,
    TABLE_EVENT,
    TABLE_CHAIN,
    *COMMANDS.values(),
    RESEND_COMMAND,
    ROOM_STATE,
    ROOM_TIME,
    ROOM_CLOCK,
    ROOM_TOURNAMENT,
    EVENT_CLOCK,
    EVENT_TOURNAMENT,
    ROOM_ANSWER,
)
"""Everything that is ever published."""
