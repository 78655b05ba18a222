"""A room and a table made as docs/by-hand.md says, under the units of systemd/, in a machine that
boots and has no network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

import pytest

from tests.appliance.machine import PYTHON, Machine
from tests.appliance.test_room import BROKER, OPENS, PAGES, health, hears, setup_code
from tests.booted.this_machine import CHECKOUT, ROOT, booted_again
from tests.packaging.built import wheel_in
from tests.waiting import wait_until

BY_HAND = ROOT / "docs" / "by-hand.md"
LEFT_OUT = ("apt-get", "hostnamectl")
"""What is here already, or is said in another way."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with booted_again(wheel_in(tmp_path_factory.mktemp("wheels"))) as booted:
        yield booted


def commands(title: str, until: str) -> list[str]:
    """What the page has one type in a section."""
    _, _, section = BY_HAND.read_text("utf-8").partition(f"## {title}")
    section, _, _ = section.partition(until)
    blocks = [block.partition("```")[0] for block in section.split("```sh\n")[1:]]
    lines = "".join(blocks).replace("|\n", "| ").splitlines()
    return [line for line in lines if not any(word in line for word in LEFT_OUT)]


def types(machine: Machine, command: str) -> str:
    return machine.does(
        f'sudo() {{ "$@"; }}; PATH=/usr/local/bin:$PATH; cd {CHECKOUT} && {command}'
    )


def is_there_again(machine: Machine, unit: str) -> bool:
    restarts = machine.does(f"systemctl show --property=NRestarts --value {unit}")
    return restarts == "1" and machine.state(unit) == "active"


@pytest.mark.long
def test_a_room_and_a_table_are_made_killed_and_saved(machine: Machine) -> None:
    machine.does("echo 127.0.0.1 room.local >>/etc/hosts; hostname room")
    for command in commands("5. The room, once", "**Each table**"):
        types(machine, command)
    for unit in ("mosquitto", "cutcard-room"):
        machine.comes_up(unit)
    wait_until(lambda: health(machine).get("broker") == "connected")

    before = machine.does("systemctl list-dependencies --after --all --plain cutcard-room")
    assert "network.target" in before
    assert "online" not in before

    where = f"http://127.0.0.1:8080 {setup_code(machine)}"
    machine.does(f"{PYTHON} -c '{OPENS}' {where} {PAGES}")

    for command in commands("2. The user and the settings", "`cutcard init`")[:-1]:
        types(machine, command)
    settings = (ROOT / "config" / "table.toml").read_text("utf-8")
    broker = BROKER.replace("127.0.0.1", "room.local")
    settings = settings.replace('id = "7"', 'id = "1"', 1) + broker
    (machine.root / "etc/cutcard/table.toml").write_text(settings, encoding="utf-8")
    machine.does("mv /etc/cutcard/broker/table-1.password /etc/credstore/cutcard.mqtt-password")
    for command in commands("4. The services", "systemctl status"):
        types(machine, command.replace("cutcard-table cutcard-dealer", "cutcard-table"))
    machine.comes_up("cutcard-table")
    wait_until(lambda: hears(machine))

    for unit in ("cutcard-table", "cutcard-room"):
        machine.does(f"systemctl kill --signal=KILL {unit}")
    for unit in ("cutcard-table", "cutcard-room"):
        wait_until(partial(is_there_again, machine, unit))
    wait_until(lambda: hears(machine))

    said = json.loads(machine.does("/opt/cutcard/bin/cutcard backup /all.zip --json"))
    assert said["missing"] == []
    assert "cutcard" not in machine.does("systemctl --failed --plain --no-legend")
