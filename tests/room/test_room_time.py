from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.room.room_time import Beat, RoomClocks, Since, Slip, readings
from tests.room.evening import BEGAN, Machine

MOVES = ["passes", "sleeps", "wall_jumps", "look", "restart", "power_cut"]


def test_it_begins_with_the_wall_clock_and_goes_on_without_it() -> None:
    machine = Machine()
    clocks = RoomClocks(machine.read)
    assert clocks.now_ms() == BEGAN
    machine.passes(500)
    machine.wall_jumps(-3_600_000)
    assert clocks.now_ms() == BEGAN + 500
    assert clocks.wall_ms() == BEGAN + 500 - 3_600_000
    assert clocks.look() == Slip(0, -3_600_000)
    assert clocks.look() == Slip(0, 0)


def test_time_that_the_machine_slept_has_passed() -> None:
    machine = Machine()
    clocks = RoomClocks(machine.read)
    machine.sleeps(60_000)
    assert clocks.now_ms() == BEGAN + 60_000
    assert clocks.look() == Slip(60_000, 0)


def test_a_restart_of_the_program_goes_on_whatever_the_wall_clock_says() -> None:
    machine = Machine()
    beat = RoomClocks(machine.read).beat("s1")
    machine.passes(7_000)
    machine.wall_jumps(10**9)
    clocks = RoomClocks(machine.read, beat)
    assert clocks.now_ms() == BEGAN + 7_000
    assert clocks.since == Since(BEGAN, BEGAN + 7_000, "restart")


def test_after_a_restart_of_the_machine_the_wall_clock_tells_and_time_never_goes_back() -> None:
    machine = Machine()
    beat = RoomClocks(machine.read).beat("s1")
    machine.power_cut(30_000)
    assert RoomClocks(machine.read, beat).since == Since(BEGAN, BEGAN + 30_000, "power")
    machine.wall_jumps(-100_000)
    assert RoomClocks(machine.read, beat).since == Since(BEGAN, BEGAN, "power")


def test_a_wall_clock_that_begins_behind_tells_how_long_it_was_once_it_is_right() -> None:
    machine = Machine()
    beat = RoomClocks(machine.read).beat("s1")
    machine.power_cut(-600_000)  # without a clock of its own it begins with what it last kept
    clocks = RoomClocks(machine.read, beat)
    assert clocks.since == Since(BEGAN, BEGAN, "power")
    machine.wall_jumps(100_000)
    assert clocks.look() == Slip(0, 0)
    machine.wall_jumps(545_000)
    assert clocks.look() == Slip(0, 45_000)
    machine.wall_jumps(-60_000)
    assert clocks.look() == Slip(0, -45_000)
    machine.wall_jumps(60_000)
    assert clocks.look() == Slip(0, 45_000)


def test_without_the_name_of_the_boot_the_wall_clock_tells() -> None:
    machine = Machine()
    machine.boot = ""
    since = RoomClocks(machine.read, Beat(5_000, "", machine.boot_ms, BEGAN - 4_000)).since
    assert since == Since(5_000, 9_000, "power")


@given(st.lists(st.tuples(st.sampled_from(MOVES), st.integers(0, 10**7)), max_size=30))
def test_the_rooms_time_never_goes_back_and_passes_as_the_machine_does(
    moves: list[tuple[str, int]],
) -> None:
    machine = Machine()
    clocks = RoomClocks(machine.read)
    wanted = clocks.now_ms()
    for name, ms in moves:
        if name == "look":
            clocks.look()
        elif name == "wall_jumps":
            machine.wall_jumps(ms - 5 * 10**6)
        elif name == "restart":
            clocks = RoomClocks(machine.read, clocks.beat("s1"))
        elif name == "power_cut":
            beat = clocks.beat("s1")
            machine.power_cut(ms)
            clocks = RoomClocks(machine.read, beat)
            wanted += ms
        else:
            getattr(machine, name)(ms)
            wanted += ms
        assert clocks.now_ms() == wanted


def test_the_machines_own_clocks_are_read() -> None:
    read = readings()
    first, second = read(), read()
    assert first.boot == second.boot != ""
    assert 0 <= second.boot_ms - first.boot_ms < 1_000
    assert first.boot_ms >= first.monotonic_ms
