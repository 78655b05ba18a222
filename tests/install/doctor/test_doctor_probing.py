"""How the doctor finds out: on trees that were made up, and on this machine."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from controller.install.doctor import disk, machine, network, ports, records, screen, services, swap
from controller.install.doctor import system as system_
from controller.install.doctor.check import Probe, ok
from controller.install.doctor.system import System
from controller.install.doctor.timed import made
from controller.storage.journal import Counters, Journal
from controller.table.config import load_table_config
from tests.journal.lines import append
from tests.table.felt import write_table
from tests.waiting import wait_until


def made_up(root: Path, files: dict[str, str], links: dict[str, str] | None = None) -> System:
    for name, text in files.items():
        (root / name.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        (root / name.lstrip("/")).write_text(text)
    for name, target in (links or {}).items():
        (root / name.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        (root / name.lstrip("/")).symlink_to(target)
    return System(root)


def test_a_port_in_a_tree(tmp_path: Path) -> None:
    system = made_up(
        tmp_path,
        {
            "/dev/ttyUSB0": "",
            "/proc/cmdline": "console=serial0,115200 console=ttyUSB0,9600 quiet\n",
            "/sys/bus/usb-serial/devices/ttyUSB0/latency_timer": "16\n",
            "/proc/12/comm": "ModemManager\n",
            "/proc/12/cmdline": "/usr/sbin/ModemManager\0",
            "/proc/13/comm": "bash\n",
        },
        {
            "/dev/serial/by-id/usb-FTDI-port0": "../../ttyUSB0",
            "/dev/serial/by-path/pci-0": "../../ttyUSB0",
            "/proc/12/fd/5": "/dev/ttyUSB0",
            "/proc/13/fd/0": "/dev/null",
        },
    )
    seen = ports.port(system, "/dev/serial/by-id/usb-FTDI-port0")
    assert seen.real == "/dev/ttyUSB0"
    assert seen.names == ("/dev/serial/by-id/usb-FTDI-port0", "/dev/serial/by-path/pci-0")
    assert [holder.name for holder in seen.holders] == ["ModemManager"]
    assert seen.latency_ms == 16
    assert seen.is_console
    assert [one.pid for one in system.processes(["ModemManager"])] == [12]
    absent = ports.port(system, "/dev/serial/by-id/usb-other")
    assert absent.node is None
    assert absent.others == seen.names


def test_who_plays_a_device_is_no_stranger_at_its_port(tmp_path: Path) -> None:
    links = {"/proc/12/fd/5": "/dev/pts/3", "/proc/12/fd/6": "/dev/ptmx"}
    system = made_up(tmp_path, {"/proc/12/comm": "python"}, links)
    assert system.holders("/dev/pts/3") == []
    (tmp_path / "proc/12/fd/6").unlink()
    assert [one.pid for one in system.holders("/dev/pts/3")] == [12]


IN_A_CONTAINER = """
import fcntl, os, struct, sys
wanted, opened = sys.argv[1], []
while True:
    opened.append(os.open("/dev/pts/ptmx", os.O_RDWR | os.O_NOCTTY))
    fcntl.ioctl(opened[-1], 0x40045431, bytes(4))  # TIOCSPTLCK
    (number,) = struct.unpack("I", fcntl.ioctl(opened[-1], 0x80045430, bytes(4)))  # TIOCGPTN
    held = os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)
    if f"/dev/pts/{number}" == wanted:
        break
if not (child := os.fork()):  # who has no other end is no player of a device
    for each in opened:
        os.close(each)
    sys.stdin.read()
    os._exit(0)
print(child, flush=True)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can have a /dev/pts of its own")
def test_a_containers_port_of_the_same_name_is_another() -> None:
    played, port = os.openpty()
    name = os.ttyname(port)
    mounts = 'mount -t devpts -o newinstance devpts /dev/pts && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", mounts, "sh", sys.executable, "-c", IN_A_CONTAINER]
    with subprocess.Popen(
        [*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        holder = int(other.stdout.readline())
        there = Path(f"/proc/{holder}/fd")

        def has_begun() -> bool:
            try:
                return "ptmx" not in str([*map(Path.readlink, there.iterdir())])
            except FileNotFoundError:  # closed between the look at the folder and that at the file
                return False

        wait_until(has_begun)
        assert name in [str(each.readlink()) for each in there.iterdir()]
        assert holder not in [one.pid for one in System().holders(name)]
        other.communicate()
    os.close(played)
    os.close(port)


def test_a_pi_without_the_firmwares_tool(tmp_path: Path) -> None:
    system = made_up(
        tmp_path,
        {
            "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
            "/sys/class/hwmon/hwmon1/name": "rpi_volt\n",
            "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n",
        },
    )
    assert machine.power(system) == machine.Power(True, None, True)
    assert machine.computer(system).model == "Raspberry Pi 4 Model B Rev 1.4"
    assert machine.power(System(tmp_path / "other")) == machine.Power(False)


def test_displays_in_a_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    system = made_up(tmp_path, {"/dev/dri/card1": "", "/proc/9/comm": "labwc\n"})
    seen = screen.display(system, False)
    assert [name for name, _ in seen.cards] == ["/dev/dri/card1"]
    assert seen.desktops == ("labwc",)
    assert not seen.has_window_system


def test_modem_manager_as_the_kernel_names_it(tmp_path: Path) -> None:
    """By its program's name, whatever systemd says of it."""
    program = tmp_path / "ModemManager"
    shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
    running = subprocess.Popen([program, "60"])
    try:
        # The kernel names a process a moment after Popen has returned.
        found = wait_until(
            lambda: [one for one in System().processes(["ModemManager"]) if one.pid == running.pid]
        )
        assert ports.judge_meddlers(found).status == "warn"
    finally:
        running.kill()
        running.wait()


@pytest.mark.parametrize(
    ("state", "status"), [("enabled", "warn"), ("masked", "ok"), ("disabled", "ok")]
)
def test_modem_manager_that_comes_at_the_next_start(
    state: str, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/systemctl"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho LoadState=loaded\necho UnitFileState={state}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    (probe,) = ports.probes(System(tmp_path), system_.this_account(), [])
    assert [check.status for check in probe.look()] == [status]


def test_a_unit_as_systemd_tells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert services.unit(System(tmp_path), "cutcard-table") is None
    program = tmp_path / "bin/systemctl"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho LoadState=loaded\necho User=root\necho A=b=c\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    shown = services.unit(System(tmp_path), "cutcard-table")
    assert shown == {"LoadState": "loaded", "User": "root", "A": "b=c"}
    with_more = {**shown, "SupplementaryGroups": "dialout video"}
    assert services.account(with_more).groups >= {"dialout", "video"}
    assert services.account(None) == system_.this_account()
    assert services.account({"LoadState": "not-found"}) == system_.this_account()


def test_programs_that_are_missing_fail_or_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System()
    assert system.output("echo", "a") == "a"
    assert system.output("no-such-program-anywhere") is None
    assert system.output("false") is None
    monkeypatch.setattr(system_, "PROGRAM_S", 0.1)
    assert system.output("sleep", "5") is None


def test_the_disk_of_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    seen = disk.place(System(), tmp_path / "a" / "b")
    assert seen.path == str(tmp_path / "a" / "b")
    assert seen.mount is not None
    assert seen.free_mb > 0


SWAPS = """Filename				Type		Size		Used		Priority
/dev/zram0                              partition	2097148		0		100
/dev/zram1                              partition	2097148		0		100
/var/swap                               file		524272		0		-2
"""


def test_swap_that_is_on_a_disk_and_tables_that_keep_out_of_it(tmp_path: Path) -> None:
    system = made_up(
        tmp_path,
        {
            "/proc/swaps": SWAPS,
            "/sys/block/zram0/backing_dev": "none\n",
            "/sys/block/zram1/backing_dev": "/dev/loop0\n",
            "/proc/12/comm": "cutcard",
            "/proc/12/cmdline": "/usr/bin/python\0/opt/cutcard/bin/cutcard\0table\0--config",
            "/proc/12/status": "VmLck:\t  118316 kB\nVmRSS:\t   39000 kB\n",
            "/proc/13/comm": "cutcard",
            "/proc/13/cmdline": "/opt/cutcard/bin/python\0/opt/cutcard/bin/cutcard\0dealer",
            "/proc/13/status": "VmLck:\t       0 kB\nVmRSS:\t   39000 kB\n",
        },
    )
    assert swap.on_disks(system) == ["/dev/zram1", "/var/swap"]
    assert swap.locked(system) == [True]
    (tmp_path / "proc/12/status").write_text("VmLck:\t       4 kB\nVmRSS:\t   39000 kB\n")
    assert swap.locked(system) == [False]
    assert swap.on_disks(System(tmp_path / "other")) == []


def test_the_journal_is_looked_at_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    assert records.journal(System(), path) == records.JournalFile(str(path), None)
    journal = Journal.open(path, report=print)
    for number in range(5):
        append(journal, b"line %d" % number, hand=3, counters=Counters(open=3))
    seen = records.journal(System(), path)
    assert (seen.lines, seen.hand, seen.bad_row, seen.damage, seen.fault) == (5, 3, None, "", "")
    append(journal, b"more", hand=3, counters=Counters())  # nothing was in its way
    journal.close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE observations SET line = x'00' WHERE n = 4")
    assert records.journal(System(), path).bad_row == 4
    path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert records.journal(System(), path).damage == "it is damaged"
    path.write_text("no database at all" * 100)
    assert records.journal(System(), path).damage


def test_the_decks_are_counted_and_never_told(tmp_path: Path) -> None:
    tags = write_table(tmp_path, "roberts")
    (tmp_path / "deck.toml").rename(tmp_path / "red.toml")
    (tmp_path / "blue.toml").write_text(f'{tags["As"]} = "As"\nrubbish\n')
    text = (tmp_path / "table.toml").read_text()
    text = text.replace('[deck]\n        file = "deck.toml"', "")
    more = '[decks]\nred = { file = "red.toml" }\nblue = { file = "blue.toml" }\n'
    (tmp_path / "table.toml").write_text(text + more)
    config = load_table_config(tmp_path / "table.toml")
    red, blue = records.decks(System(), config)
    assert (red.name, red.cards, red.fault) == ("red", 52, "")
    assert "line 2" in blue.fault
    assert tags["As"] not in repr(blue)
    shutil.copy(tmp_path / "red.toml", tmp_path / "blue.toml")
    (together,) = records.judge_together(config.read_decks)
    assert "the same tag as in" in together.found
    assert not any(tag in str(together) for tag in tags.values())


def test_ways_that_lead_nowhere(unused_port: int) -> None:
    assert network.reach(System(), "127.0.0.1", unused_port).trouble == "refused"
    assert network.reach(System(), "no-such-host.invalid", 1883).trouble == "no such name"


@pytest.fixture
def unused_port() -> int:
    from controller.broker.ports import free_port

    return free_port()


def test_a_check_that_breaks_or_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks() -> list[object]:
        raise ZeroDivisionError("a secret")

    async def run() -> None:
        (broken,) = await made(Probe("disk", breaks))  # type: ignore[arg-type]
        assert broken.status == "fail"
        assert "ZeroDivisionError in test_doctor_probing.py" in broken.found
        assert "a secret" not in str(broken)
        assert await made(Probe("disk", lambda: [ok("disk", "fine")])) == [ok("disk", "fine")]
        monkeypatch.setattr("controller.install.doctor.timed.LIMIT_S", 0.2)
        never = threading.Event()
        (late,) = await made(Probe("disk", lambda: [ok("disk", str(never.wait()))]))
        assert "no result within" in late.found

    asyncio.run(run())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_and_the_group_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("")
    os.chown(file, 12345, 0)
    file.chmod(0o640)
    assert System().node(str(file)) == system_.Node("file", 0o640, "12345", "root")
