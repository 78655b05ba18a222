"""A room and a table that `cutcard setup` makes of a machine, and leaves alone the next time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.appliance.machine import LONG_S, PYTHON, Machine
from tests.waiting import wait_until

ROOM = """
[room]
name = "Club Royale"
time_zone = "Europe/Berlin"
[admin]
name = "Ann Lee"
pin_file = "pin.txt"
[backup]
to = "/srv/backups"
[wall]
here = true
"""
TABLE = """
[table]
id = "7"
ports = ["/dev/felt"]
"""
FELT = """
import asyncio, time
from pathlib import Path
from firmware_bridge.virtual.table import VirtualTable
zones = [*(f"seat/{n}" for n in range(1, 10)), "board", "burn", "muck", "stub"]
felt = VirtualTable(zones, clock=time.monotonic, link=Path("/dev/felt"))
Path("/dev/felt").chmod(0o666)
async def deal():
    while not Path("/deal").exists():
        await asyncio.sleep(0.1)
    for number in range(18):
        felt.place(f"seat/{number % 9 + 1}", f"E0040150000000{number:02X}")
        await asyncio.sleep(0.3)
async def play():
    await asyncio.gather(felt.run(), deal())
asyncio.run(play())
"""
ASKS = """
import ssl, urllib.request
trusts = ssl.create_default_context(cafile="/etc/cutcard/ca.pem")
with urllib.request.urlopen("https://127.0.0.1:8443/healthz", context=trusts) as page:
    print(page.read().decode())
"""

pytestmark = pytest.mark.timeout(LONG_S)


def setup(machine: Machine, what: str, answers: str) -> dict[str, Any]:
    (machine.root / "answers.toml").write_text(answers, encoding="utf-8")
    said = machine.does(f"cutcard setup {what} --answers /answers.toml --json 2>/dev/null")
    found: dict[str, Any] = json.loads(said)
    return found


def states(report: dict[str, Any]) -> set[str]:
    return {each["state"] for each in report["steps"]}


def has_felt(machine: Machine) -> None:
    """A table of software at /dev/felt, at which a hand is dealt once there is a file /deal."""
    (machine.root / "felt.py").write_text(FELT, encoding="utf-8")
    machine.does(f"systemd-run --unit=felt {PYTHON} /felt.py")
    wait_until(lambda: machine.tries("test -e /dev/felt").returncode == 0)


def processes(machine: Machine, *units: str) -> list[str]:
    return [machine.does(f"systemctl show -P MainPID {each}") for each in units]


def test_a_room(machine: Machine) -> None:
    machine.does("sh /bundle/install room wall")
    (machine.root / "pin.txt").write_text("471147\n")
    (machine.root / "pin.txt").chmod(0o600)
    report = setup(machine, "room", ROOM)
    assert (report["trouble"], report["next"]) == ("", ["Ann Lee has a PIN now: delete pin.txt"])
    assert report["pages"][0] == "https://room.local:8443/"
    assert machine.does("hostname") == "room"
    assert machine.does("date +%Z") in ("CET", "CEST")
    running = ("cutcard-room", "cutcard-broker", "cutcard-wall")
    for unit in (*running, "cutcard-renewal.timer", "cutcard-backup.timer"):
        machine.comes_up(unit)
        assert machine.does(f"systemctl is-enabled {unit}") == "enabled"
    health = json.loads(machine.does(f"{PYTHON} -c '{ASKS}'"))
    assert (health["ok"], health["broker"]) == (True, "connected")
    assert machine.does("cutcard staff list").split() == ["Ann", "Lee", "admin"]
    assert "create the first admin" not in machine.does(
        "journalctl -u cutcard-room -o cat _PID=$(systemctl show -P MainPID cutcard-room)"
    )
    before = processes(machine, *running)
    assert states(setup(machine, "room", ROOM)) == {"is so"}
    assert states(setup(machine, "room", "")) == {"is so"}
    assert processes(machine, *running) == before
    machine.does("systemctl start cutcard-backup && ls /srv/backups/cutcard-room-*.zip")


def test_the_pages_have_the_certificate_that_is_renewed(machine: Machine) -> None:
    machine.does("sh /bundle/install room")
    setup(machine, "room", "")
    shown = "/var/lib/cutcard-room/https/room.crt"
    before = machine.does(f"sha256sum {shown}")
    machine.does("systemctl start cutcard-renewal")
    assert machine.does(f"sha256sum {shown}") != before
    machine.does(f"cmp {shown} /etc/cutcard/https/room.crt")
    machine.does("test ! -e /var/lib/cutcard-room/https/ca.key")
    machine.does("systemctl restart cutcard-room")
    machine.comes_up("cutcard-room")
    assert wait_until(lambda: machine.tries(f"{PYTHON} -c '{ASKS}'").returncode == 0)


def test_a_room_whose_settings_were_written_and_not_read_is_started_again(machine: Machine) -> None:
    machine.does("sh /bundle/install room")
    setup(machine, "room", "")
    before = processes(machine, "cutcard-room")
    machine.does("sleep 1; touch /etc/cutcard/room.toml")
    assert states(setup(machine, "room", "")) == {"is so", "done"}
    assert processes(machine, "cutcard-room") != before


def test_a_table(machine: Machine) -> None:
    machine.does("hostname raspberrypi && hostname >/etc/hostname")
    machine.does("sh /bundle/install table")
    has_felt(machine)
    report = setup(machine, "table", TABLE)
    assert machine.does("hostname") == "table-7"
    assert any("sudo cutcard pair" in line for line in report["next"])
    running = ("cutcard-table", "cutcard-dealer")
    for unit in running:
        machine.comes_up(unit)
        assert machine.does(f"systemctl is-enabled {unit}") == "enabled"
    before = processes(machine, *running)
    assert states(setup(machine, "table", TABLE)) == {"is so"}
    assert processes(machine, *running) == before
    # What an editor has changed meanwhile is read.
    machine.does("sleep 1; touch /etc/cutcard/table.toml")
    assert states(setup(machine, "table", TABLE)) == {"is so", "done"}
