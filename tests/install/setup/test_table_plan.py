"""What makes a machine into a table: pure, so each case is a value."""

from __future__ import annotations

from msgspec import structs

from controller.install.setup.machine_plan import Machine
from controller.install.setup.steps import Order, Plan, Unit, WriteTable
from controller.install.setup.table_plan import (
    DEALER,
    DESKTOP,
    FOLLOW,
    TABLE,
    TableNow,
    TableWanted,
    table_plan,
)

SETTINGS = """[table]
id = "7"
rulebook = "roberts"
seats = 9
blinds = { small = 5, big = 10 }
[[port]]
device = "/dev/ttyACM0"
zones = ["seat/1"]
"""
MACHINE = Machine(is_live=True, host_name="table-7")
RUNS = Unit(is_installed=True, is_enabled=True, is_active=True, since=1_000.0)
NEW = Unit(is_installed=True)
FRESH = TableNow(machine=MACHINE, units={TABLE: NEW, DEALER: NEW})
READY = TableNow(machine=MACHINE, settings=SETTINGS, units={TABLE: RUNS, DEALER: RUNS})
WANTED = TableWanted(host_name="table-7", settings=SETTINGS)


def orders(plan: Plan) -> list[tuple[str, ...]]:
    done = (act for step in plan.steps for act in step.acts)
    return [(act.verb, *act.units) for act in done if isinstance(act, Order)]


def test_a_fresh_table_is_written_and_started() -> None:
    plan = table_plan(FRESH, WANTED)
    assert isinstance(plan.steps[0].acts[0], WriteTable)
    assert orders(plan) == [
        ("enable", TABLE),
        ("start", TABLE),
        ("enable", DEALER),
        ("start", DEALER),
    ]


def test_a_table_by_packages_takes_its_rooms_version() -> None:
    units = {**READY.units, FOLLOW: NEW}
    plan = table_plan(structs.replace(READY, units=units), WANTED)
    assert orders(plan) == [("enable", FOLLOW), ("start", FOLLOW)]


def test_one_that_runs_is_left_alone() -> None:
    assert table_plan(READY, WANTED).is_done


def test_other_settings_start_the_table_again_and_other_words_the_screen() -> None:
    plan = table_plan(READY, structs.replace(WANTED, changed={"seats": 6}))
    assert orders(plan) == [("restart", TABLE)]
    plan = table_plan(READY, structs.replace(WANTED, language="de"))
    assert orders(plan) == [("restart", DEALER)]


def test_what_it_has_not_read_yet_it_reads() -> None:
    late = structs.replace(READY, changed_at={TABLE: RUNS.since + 1})
    assert orders(table_plan(late, WANTED)) == [("restart", TABLE)]
    late = structs.replace(READY, changed_at={DEALER: RUNS.since + 1})
    assert orders(table_plan(late, WANTED)) == [("restart", DEALER)]


def test_at_the_console_that_the_screen_takes_it_is_left_to_be_started() -> None:
    console = structs.replace(MACHINE, on_console=True)
    plan = table_plan(structs.replace(FRESH, machine=console), WANTED)
    assert ("enable", DEALER) in orders(plan)
    assert ("start", DEALER) not in orders(plan)
    assert ("start", TABLE) in orders(plan)
    assert plan.left[-1].startswith(f"sudo systemctl start {DEALER} ")
    assert table_plan(structs.replace(READY, machine=console), WANTED).is_done


def test_a_desktop_that_has_the_display_is_named() -> None:
    now = structs.replace(READY, units={**READY.units, DESKTOP: RUNS})
    assert "a desktop has the display" in table_plan(now, WANTED).left[0]
    assert "desktop" not in str(table_plan(now, structs.replace(WANTED, screen=False)).left)
