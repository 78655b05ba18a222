"""The clock's desk as one message: all that its page shows, and what a wall may show."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.contract import clock_why
from controller.contract.events import Blinds
from controller.contract.messages import (
    DeadButton,
    Finish,
    Move,
    RoomClock,
    RoomTournament,
    TimeCall,
)
from controller.files.settings import config_dir
from controller.room.conduct import CONDUCT_ACTS
from controller.room.levels import TableLevel
from controller.room.tournament import Figures
from controller.room.view import CatchUp, PhonesAddress, RoomView, ShownState
from display.wall.words import load
from display.web.clock_sentences import clock_sentence
from display.web.sentences import sentences


class EntryLine(Struct, frozen=True):
    """One level or break of the structure. `level` counts levels from 1, None is a break;
    `race_off` are the chips that are taken in as it begins."""

    index: int
    level: int | None
    duration_ms: int
    blinds: Blinds | None
    race_off: tuple[int, ...] = ()


class ShownScreen(Struct, frozen=True):
    """How a screen is to look; `logo` is an address on this server, empty without one."""

    name: str
    logo: str
    diagonal_inches: float


class ToldFigures(Struct, frozen=True):
    """The figures that the desk itself has told."""

    entries: int | None
    players_left: int | None
    starting_stack: int | None
    chips: int | None


class HistoryLine(Struct, frozen=True):
    """What somebody did, as a sentence; `refused` says why nothing came of it."""

    wall_ms: int
    text: str
    refused: str = ""


class Desk(Struct, frozen=True):
    """The clock, its structure and the tournament; the fields are those of `RoomView`.

    `stack` and `chip_values` are what the structure is made for. Times that end in `_ms` are the
    room's, but `wall_ms`, which is the wall clock's. `finishes` are the last, as in
    `tournament`. `told` is what holds until it is forgotten, `follows` what holds where nothing
    is told. `history` is in the words of one language.
    `has_register`: players have entered by name.
    """

    site: str
    structure: str
    now_ms: int
    wall_ms: int
    utc_offset_s: int
    state: ShownState
    left_ms: int
    next_break_ms: int | None
    clock: RoomClock
    catch_up: CatchUp | None
    hold_for_hands: bool
    pause_on_dispute: bool
    entries: tuple[EntryLine, ...]
    stack: int | None
    chip_values: tuple[int, ...]
    levels: tuple[TableLevel, ...]
    old_level: tuple[str, ...]
    playing: tuple[str, ...]
    tournament: RoomTournament
    told: ToldFigures
    follows: Figures
    players_seen: int | None
    alert_count: int
    history: tuple[HistoryLine, ...]
    faults: tuple[str, ...]
    stands_by: bool
    heard: bool
    banner: str
    screen: ShownScreen
    language: str
    moves: tuple[Move, ...]
    finishes: tuple[Finish, ...]
    calls: tuple[TimeCall, ...]
    dead_buttons: tuple[DeadButton, ...]
    race_off: tuple[int, ...]
    pocket: PhonesAddress
    has_register: bool


def desk(room: RoomView, language: str) -> Desk:
    """What the desk shows of a room, in a language."""
    wall = load(language, config_dir())
    return Desk(
        site=room.site,
        structure=room.structure,
        now_ms=room.now_ms,
        wall_ms=room.wall_ms,
        utc_offset_s=room.utc_offset_s,
        state=room.state,
        left_ms=room.left_ms,
        next_break_ms=room.next_break_ms,
        clock=replace(room.clock, why=clock_why.said(room.clock.why, wall)),
        catch_up=room.catch_up,
        hold_for_hands=room.hold_for_hands,
        pause_on_dispute=room.pause_on_dispute,
        entries=_entries(room),
        stack=room.schedule.stack,
        chip_values=room.schedule.chips,
        levels=room.levels,
        old_level=room.old_level,
        playing=room.playing,
        tournament=room.tournament,
        told=_told(room),
        follows=room.follows,
        players_seen=room.players_seen,
        alert_count=sum(not each.dismissed for each in room.alerts),
        history=_history(room, language),
        faults=room.faults,
        stands_by=room.stands_by,
        heard=room.heard,
        banner=room.banner,
        screen=ShownScreen(
            room.screen.name, "/logo" if room.screen.logo else "", room.screen.diagonal_inches
        ),
        language=room.language,
        moves=room.moves,
        finishes=room.tournament.finishes,
        calls=room.calls,
        dead_buttons=room.dead_buttons,
        race_off=room.race_off,
        pocket=room.pocket,
        has_register=bool(room.register.players),
    )


def _told(room: RoomView) -> ToldFigures:
    told = room.told
    return ToldFigures(told.entries, told.players_left, told.starting_stack, told.chips)


def _history(room: RoomView, language: str) -> tuple[HistoryLine, ...]:
    """What was done, but of whom something was recorded, and why: that floor and directors look up
    with the players, and this is for everybody who is signed in."""
    say = sentences(language)
    shown = (replace(did, words="") if did.name in CONDUCT_ACTS else did for did in room.history)
    return tuple(
        HistoryLine(did.wall_ms, clock_sentence(did, language), say.refusal(did.refused))
        for did in shown
    )


class Finishes(Struct, frozen=True):
    """Everyone who is out, the best place first."""

    finishes: tuple[Finish, ...]


def all_finishes(room: RoomView) -> Finishes:
    """All of them, however many."""
    return Finishes(room.finishes)


def _entries(room: RoomView) -> tuple[EntryLine, ...]:
    lines, level = [], 0
    for index, entry in enumerate(room.entries):
        level += entry.blinds is not None
        number = level if entry.blinds is not None else None
        lines.append(EntryLine(index, number, entry.duration_ms, entry.blinds, entry.race_off))
    return tuple(lines)
