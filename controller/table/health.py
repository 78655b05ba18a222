"""How the table is, as it tells the room: counts as numbers, and words only where a person is
needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from msgspec.structs import asdict, replace

from controller.contract.messages import Health, WireHealth
from controller.engine.engine import Engine
from controller.storage.committer import Committer
from controller.table.alive import Missed
from controller.table.from_room import FromRoom
from controller.table.recorder import JournalRecorder
from controller.table.screens import Screens
from firmware_bridge import health as bridge_health
from firmware_bridge.bridge import Bridge
from firmware_bridge.cycles import SLOW_S

CLOCK_STEP_MS = 10
CYCLE_STEP_MS = 50


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class TableHealth:
    """How one table is. `unwatched` is the hand that was open when the power was cut, `missed` what
    nobody has watched of late; `damage` is told until the hand with this number begins."""

    bridge: Bridge
    engine: Engine
    recorder: JournalRecorder
    committer: Committer
    screens: Screens
    from_room: FromRoom
    unwatched: int | None
    missed: Callable[[], Missed | None]
    damage: tuple[str, int] | None = None

    def now(self) -> Health:
        """How it is at this moment; `session` and `at` are the caller's."""
        seen, outbox = of_bridge(self.bridge.health()), self.committer.outbox
        fault, rates = self.recorder.fault, self.engine.rates
        words = [f"nothing is recorded: {fault}"] if fault else []
        if self.committer.is_slow:
            words.append("the disk is slow: what happens is shown late")
        if self.unwatched is not None and self.engine.hand == self.unwatched:
            words.append(f"hand {self.unwatched} is not verified: the power was cut")
        if self.damage is not None and self.engine.next_hand <= self.damage[1]:
            words.append(self.damage[0])
        missed = self.missed()
        if missed is not None:
            words.append(missed.words)
        return replace(
            seen,
            links=(*seen.links, *words),
            needless={str(seat): count for seat, count in sorted(rates.needless.items())},
            unpressed={
                str(seat): share.missed
                for seat, share in sorted(rates.presses.items())
                if share.missed
            },
            refused_commands=dict(self.from_room.refused),
            refused_payloads=self.from_room.refused_payloads,
            unknown_fields=self.from_room.unknown_fields,
            refused_entries=self.screens.refused,
            journal_faults=self.recorder.faults,
            backlog=len(outbox),
            unsaved=outbox.unsaved,
            dropped=outbox.dropped,
        )


def of_bridge(seen: bridge_health.BridgeHealth) -> Health:
    """What the bridge has to say; the rest, `session` and `at` are the caller's."""
    return Health(
        session="",
        at=0,
        lost_zones=seen.lost_zones,
        links=(
            *(link.text for link in seen.links if link.text),
            *_slow_in_words(seen),
            *_zones_in_words(seen),
        ),
        wires=tuple(_wire(link) for link in seen.links),
        contested=seen.contested,
        incomplete=seen.incomplete,
        ghosts=seen.ghosts,
        reads={
            name: count
            for counters in (seen.presence, seen.counters)
            for name, count in asdict(counters).items()
            if count
        },
    )


def _slow_in_words(seen: bridge_health.BridgeHealth) -> list[str]:
    """Where `order_window` can't be as wide as it would have to be."""
    return [
        f"{link.port}: its antennas are scanned less than once a second, "
        "so the order of cards can't be told: cutcard doctor --bench shows which is slow"
        for link in seen.links
        if link.cycle_s is not None and link.cycle_s >= SLOW_S
    ]


def _zones_in_words(seen: bridge_health.BridgeHealth) -> list[str]:
    """What somebody at the table can put right with a hand."""
    contested = [
        f"{_spoken(one)} and {_spoken(other)} read the same card: move it to the middle of its spot"
        for one, other in seen.contested
    ]
    incomplete = [
        f"{_spoken(zone)}: cards can't be told apart, spread them" for zone in seen.incomplete
    ]
    return contested + incomplete


def _spoken(zone: str) -> str:
    return zone.replace("/", " ")


def differ(one: Health, other: Health) -> bool:
    """Whether there is something new to tell. A clock's error and a scan cycle are never quite the
    same, and some reads are always contested or failed: none of these alone is news."""
    return _steady(one) != _steady(other) or any(
        abs((a.clock_error_ms or 0) - (b.clock_error_ms or 0)) >= CLOCK_STEP_MS
        or abs((a.cycle_ms or 0) - (b.cycle_ms or 0)) >= CYCLE_STEP_MS
        for a, b in zip(one.wires, other.wires, strict=True)
    )


def _steady(health: Health) -> Health:
    return replace(
        health,
        reads={},
        wires=tuple(
            replace(
                wire,
                clock_error_ms=None if wire.clock_error_ms is None else 0,
                cycle_ms=None if wire.cycle_ms is None else 0,
            )
            for wire in health.wires
        ),
    )


def _wire(link: bridge_health.LinkHealth) -> WireHealth:
    decoder, session, error_s = link.decoder, link.session, link.clock_error_s
    return WireHealth(
        port=link.port,
        state=link.state,
        bad_frames=decoder.bad_cobs + decoder.bad_crc + decoder.too_long + decoder.too_short,
        noise_bytes=decoder.noise_bytes,
        other_version=decoder.other_version,
        unusable=session.unknown + session.malformed + session.unexpected + session.implausible,
        gaps=session.gaps,
        clock_error_ms=None if error_s is None else ceil(error_s * 1e3),
        cycle_ms=None if link.cycle_s is None else ceil(link.cycle_s * 1e3),
    )
