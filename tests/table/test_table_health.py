from __future__ import annotations

from msgspec.structs import replace

from controller.contract.messages import TABLE_HEALTH, Health, WireHealth
from controller.table.health import CLOCK_STEP_MS, CYCLE_STEP_MS, differ, of_bridge
from firmware_bridge import health as bridge
from firmware_bridge.cycles import SLOW_S
from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.link.values import SessionCounters
from firmware_bridge.presence import PresenceCounters
from tests.mqtt.schema import check

LINK = bridge.LinkHealth(
    port="/dev/pico",
    state="up",
    text="",
    firmware="pico 1",
    boot_id=7,
    clock_error_s=0.0031,
    dropped_bytes=0,
    decoder=DecoderCounters(
        frames=900,
        bad_cobs=1,
        bad_crc=2,
        too_long=4,
        too_short=8,
        other_version=16,
        noise_bytes=500,
    ),
    session=SessionCounters(gaps=3, unknown=1, malformed=2, unexpected=4, implausible=8),
)


def seen(*links: bridge.LinkHealth) -> bridge.BridgeHealth:
    return bridge.BridgeHealth(links, ("muck",), 0.1, PresenceCounters(), bridge.BridgeCounters())


def test_a_link_is_counts_and_its_trouble_is_words() -> None:
    lost = replace(LINK, port="/dev/two", state="closed", text="it is gone", clock_error_s=None)
    health = of_bridge(seen(LINK, lost))
    assert health.lost_zones == ("muck",)
    assert health.links == ("it is gone",)
    assert health.wires[0] == WireHealth("/dev/pico", "up", 15, 500, 16, 15, 3, 4)
    assert (health.wires[1].state, health.wires[1].clock_error_ms) == ("closed", None)


def test_the_slowest_scan_cycle_is_told_and_its_jitter_is_no_news() -> None:
    def health(cycle_s: float | None) -> Health:
        return of_bridge(seen(replace(LINK, cycle_s=cycle_s)))

    assert health(None).wires[0].cycle_ms is None
    assert health(0.2104).wires[0].cycle_ms == 211
    assert not differ(health(0.21), health(0.21 + 0.9 * CYCLE_STEP_MS / 1e3))
    assert differ(health(0.21), health(0.21 + CYCLE_STEP_MS / 1e3))
    assert differ(health(None), health(0.21))


def test_a_cycle_too_slow_to_tell_an_order_needs_a_person() -> None:
    for cycle_s, words in ((None, 0), (0.99, 0), (SLOW_S, 1)):
        health = of_bridge(seen(replace(LINK, cycle_s=cycle_s)))
        assert len(health.links) == words
    assert health.links[0].startswith("/dev/pico: its antennas are scanned less than once a second")


def test_zones_that_need_a_hand_are_words_and_reads_are_counts() -> None:
    health = of_bridge(
        replace(
            seen(LINK),
            contested=(("seat/3", "seat/4"),),
            incomplete=("board",),
            ghosts={"board": 7},
            presence=PresenceCounters(ghosts=7),
            counters=bridge.BridgeCounters(stale_presses=2),
        )
    )
    assert health.links == (
        "seat 3 and seat 4 read the same card: move it to the middle of its spot",
        "board: cards can't be told apart, spread them",
    )
    assert (health.contested, health.incomplete) == ((("seat/3", "seat/4"),), ("board",))
    assert (health.ghosts, health.reads) == ({"board": 7}, {"ghosts": 7, "stale_presses": 2})
    assert not differ(health, replace(health, reads={"ghosts": 8}))
    assert differ(health, replace(health, ghosts={"board": 8}))


def test_it_is_told_anew_when_something_is_new_but_a_clocks_jitter_is_not() -> None:
    health = of_bridge(seen(LINK))

    def with_error(error_s: float | None) -> Health:
        return of_bridge(seen(replace(LINK, clock_error_s=error_s)))

    more = replace(LINK, decoder=replace(LINK.decoder, frames=1_000))
    assert not differ(health, of_bridge(seen(more)))
    assert not differ(health, with_error(0.0041))
    assert differ(health, with_error(0.0041 + CLOCK_STEP_MS / 1e3))
    assert differ(health, with_error(None))
    assert differ(health, replace(health, backlog=1))
    assert differ(health, replace(health, refused_commands={"role": 1}))
    more = replace(LINK, decoder=replace(LINK.decoder, noise_bytes=501))
    assert differ(health, of_bridge(seen(more)))


def test_every_number_is_in_the_schema() -> None:
    health = replace(
        of_bridge(seen(LINK)),
        session="s",
        at=5,
        refused_commands={"role": 2},
        contested=(("seat/1", "seat/2"),),
        ghosts={"muck": 1},
        reads={"late": 3},
    )
    message = TABLE_HEALTH.message("hall", "T1", payload=health)
    check("hall", message.topic, message.payload)
    assert TABLE_HEALTH.decode(message.payload).value == health
