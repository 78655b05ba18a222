"""Who has been away for longer than the book allows: pure. What follows the floor decides."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from controller.room.register import Player, Register, with_players
from controller.rules.tournament_rules import TournamentRules

_MINUTE_MS = 60_000


class Overdue(Struct, frozen=True):
    """A player whose stack is forfeited, or whose entry may be removed, by these rules. `since_ms`
    is the room's time since when he has been away. The chips of who has never come leave play;
    those of who has gone are shared at his table (HPT-LEAVE-04)."""

    player: str
    since_ms: int
    cites: tuple[str, ...]
    leave_play: bool = False


class Stage(Struct, frozen=True):
    """How far the tournament is: the room's time, the level, and whether it has ended."""

    now_ms: int
    level: int
    over: bool = False


def overdue(
    register: Register, rules: Callable[[str], TournamentRules], stage: Stage
) -> tuple[Overdue, ...]:
    """Those who sit, are away, and have been so for too long at this stage: who has been there
    before (HPT-LEAVE-04), and who has never come (HPT-LATE-03, RR7-T-4, NL10-LATE-04). `rules` are
    those of a table."""
    found = (
        (each, _by(each, rules(each.at.table), stage))
        for each in register.players
        if each.at is not None
    )
    return tuple(
        Overdue(each.id, each.away_ms, cites, leave_play=each.no_show)
        for each, cites in found
        if cites and each.away_ms is not None
    )


def _by(player: Player, rules: TournamentRules, stage: Stage) -> tuple[str, ...]:
    if player.status != "absent" or player.away_ms is None:
        return ()
    gone_ms = stage.now_ms - player.away_ms
    if not player.no_show:
        away = rules.away
        is_over = away is not None and gone_ms > away.minutes * _MINUTE_MS
        return away.cites if is_over and away is not None else ()
    never = rules.no_show
    if never is None:
        return ()
    by_level = never.level is not None and stage.level >= never.level
    long = never.minutes is not None and gone_ms >= never.minutes * _MINUTE_MS
    return never.cites if by_level or long or stage.over else ()


def at_first_deal(register: Register, now_ms: int) -> Register:
    """The register as play begins: who is away by then has never come, and is so from now on."""
    late = [
        replace(each, no_show=True, away_ms=now_ms)
        for each in register.players
        if each.status == "absent"
    ]
    return with_players(register, late) if late else register
