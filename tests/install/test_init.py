"""`cutcard init` as a person uses it: at a terminal, with devices of software on real ptys."""

from __future__ import annotations

import asyncio
import json
import stat
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from controller.contract.cards import CARDS
from controller.table.config import load_table_config
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pepper.virtual import VirtualPepper
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.readers.yrm100.virtual import VirtualYrm100
from firmware_bridge.virtual.port import VirtualDevice, VirtualPort
from firmware_bridge.virtual.table import VirtualTable
from tests.install.person import at_terminal, piped, running, sync
from tests.waiting import answers, until

LABELS = ("fold", "call", "raise", "all-in")
TAG = "E004015000000001"
NINE = tuple(range(1, 10))
ZONES = (*(f"seat/{seat}" for seat in NINE), "board", "burn", "muck", "stub")


def a_pico(folder: Path, name: str = "pico", **kinds: object) -> VirtualTable:
    """Thirteen antennas, nine times four buttons, nine lamps."""
    made: dict[str, object] = {
        "zones": ZONES,
        "buttons": [(seat, label) for seat in NINE for label in LABELS],
        "lamps": 9,
        **kinds,
    }
    (folder / "dev").mkdir(exist_ok=True)
    link = folder / "dev" / name
    return VirtualTable(clock=time.monotonic, link=link, **made)  # type: ignore[arg-type]


def ports(folder: Path) -> str:
    return str(folder / "dev" / "*")


def files(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def held(port: Path) -> subprocess.Popen[bytes]:
    """Another program that has the port open."""
    program = (
        "import serial, sys; p = serial.Serial(sys.argv[1], exclusive=True);"
        "print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    return holder


def lit(pico: VirtualTable, lamp: int) -> bool:
    """Whether this lamp, and no other, blinks."""
    blinking = [number for number, each in enumerate(pico.device.lamps) if each and each.blink_ms]
    return blinking == [lamp]


@sync
async def test_the_defaults_make_a_table_that_starts(tmp_path: Path) -> None:
    async with running(a_pico(tmp_path)):
        async with at_terminal("init", "--ports", ports(tmp_path), cwd=tmp_path) as person:
            await person.sees("13 antennas, 36 buttons, 9 lamps")
            await person.answers("Name of the table [1]: ")
            await person.answers("Seats [9]: ")
            await person.answers("Blinds [25/50]: ")
            await person.answers("Rule book [homepokertourney]: ")
            await person.answers("Antennas of the board [1]: ")
            await person.answers("Find the antennas with a card [yes]: ", "no")
            await person.answers("[seat/1-9 board burn muck stub]: ")
            await person.answers("Find the buttons by pressing them [yes]: ", "no")
            await person.answers("Find the lamps by lighting them [yes]: ", "no")
            await person.answers("Screen [here]: ")
            await person.answers("Broker [none]: ")
            await person.answers("Write table.toml [yes]: ")
            await person.sees("cutcard deck enroll --config table.toml")
            assert await person.leaves() == 0
        config = load_table_config(tmp_path / "table.toml")
        (port,) = config.ports
        assert (port.zones, port.lamps) == (ZONES, NINE)
        assert port.buttons == tuple((seat, label) for seat in NINE for label in LABELS)
        assert (config.table.blinds.small, config.seats) == (25, NINE)
        assert stat.S_IMODE((tmp_path / "table.toml").stat().st_mode) == 0o644
        assert files(tmp_path) == ["dev", "table.toml"]
        deck = "".join(f'"E0040150{n:08X}" = "{card}"\n' for n, card in enumerate(CARDS))
        (tmp_path / "deck.toml").write_text(deck, encoding="utf-8")
        async with at_terminal("table", "--config", "table.toml", cwd=tmp_path) as person:
            await person.sees("pico is up: virtual 1")
            await until(lambda: answers(tmp_path / "run" / "dealer.sock"))
            person.presses_ctrl_c()
            assert await person.leaves() == 0


@sync
async def test_a_mistake_is_told_and_asked_again(tmp_path: Path) -> None:
    async with (
        running(a_pico(tmp_path)),
        at_terminal("init", "--ports", ports(tmp_path), cwd=tmp_path) as person,
    ):
        await person.answers("Name of the table [1]: ", "a/b")
        await person.answers("Name of the table [1]: ", "final")
        await person.answers("Seats [9]: ", "eleven")
        await person.answers("a number of seats, 2 to 10", "11")
        await person.answers("a table has 2 to 10 seats", "1 2 2")
        await person.answers("a seat is listed twice", "1 2 4 5")
        await person.answers("Blinds [25/50]: ", "50/25")
        await person.answers("the small blind is more than the big one", "0/0")
        await person.answers("the big blind has to be 1 to", "5/10")
        await person.answers("Rule book [homepokertourney]: ", "uk-tad")
        await person.answers("did you mean 'uk-tda'?", "house.toml")
        await person.answers("house.toml: no such file", "uk-tda")
        await person.answers("Antennas of the board [5]: ", "3")
        await person.answers("1, or 5 (one per card)", "1")
        await person.answers("Find the antennas with a card [yes]: ", "perhaps")
        await person.answers("yes or no", "no")
        await person.answers("Zones of ", "seat/1-9 baord burn muck stub")
        await person.answers("there is no zone 'baord'; did you mean 'board'?", "seat/1-9 board")
        await person.answers("it has 13 antennas, but 10 were named", "seat/1-9 seat/1 board burn")
        await person.answers("seat/1 is listed twice", "stub muck burn board seat/1 … seat/9")
        await person.answers("by pressing them [yes]: ", "no")
        await person.answers("by lighting them [yes]: ", "no")
        await person.answers("Screen [here]: ", "service")
        await person.answers("Broker [none]: ", "nnone:x")
        await person.answers("is not a host name", "none")
        await person.answers("Write table.toml [yes]: ")
        assert await person.leaves() == 0
        config = load_table_config(tmp_path / "table.toml")
        assert config.ports[0].zones == ("stub", "muck", "burn", "board", *ZONES[:9])
        assert (config.seats, config.table.rulebook, config.table.id) == (
            (1, 2, 4, 5),
            "uk-tda",
            "final",
        )
        assert config.socket == Path("/run/cutcard/dealer.sock")


@sync
async def test_antennas_are_found_by_a_card_and_buttons_by_a_press(tmp_path: Path) -> None:
    # The device's own order is nobody's: what hangs where is what has to be found out.
    truth = ("muck", "seat/2", "board", "burn", "seat/1", "seat/3")
    pressed = [(3, "call"), (1, "fold"), (2, "fold"), (1, "call"), (3, "fold"), (2, "call")]
    pico = a_pico(tmp_path, zones=truth, buttons=pressed, lamps=3)
    async with (
        running(pico),
        at_terminal("init", "--seats", "3", "--ports", ports(tmp_path), cwd=tmp_path) as person,
    ):
        for question in ("Name of", "Blinds", "Rule book [", "the board [1]: "):
            await person.answers(question)
        await person.answers("with a card [yes]: ")
        for zone in ("seat/1", "seat/2", "seat/3"):
            await person.sees(f"Lay any card on the antenna of {zone} ")
            pico.place(zone, TAG)
            await person.sees(f"{zone}: antenna {truth.index(zone) + 1} of")
            pico.take(zone, TAG)
        # Laid on a seat that is known already, then between two, then right.
        await person.sees("Lay any card on the antenna of board ")
        pico.place("seat/1", TAG)
        await person.sees("That is seat/1's: lay it on board")
        pico.take("seat/1", TAG)
        pico.place("board", TAG)
        pico.place("burn", TAG)
        await person.sees("both read it: put it in the middle of board")
        pico.take("burn", TAG)
        await person.sees("board: antenna 3 of")
        pico.take("board", TAG)
        await person.sees("the antenna of burn ")
        pico.place("burn", TAG)
        await person.sees("burn: antenna 4 of")
        await person.sees("the antenna of muck ")
        pico.place("muck", TAG)
        await person.sees("muck: antenna 1 of")
        await person.answers("the antenna of stub ")  # there is none
        await person.answers("by pressing them [yes]: ")
        await person.answers("Buttons of a seat [fold call]: ")
        for seat in (1, 2, 3):
            for label in ("fold", "call"):
                await person.sees(f"Seat {seat}: press {label} ")
                pico.press(seat, label)
                await person.sees(f"seat {seat} {label}: button")
        await person.answers("by lighting them [yes]: ")
        for lamp, whose in enumerate((3, 1, 2)):  # the last is the only seat that is left
            await person.sees("Whose lamp blinks?")
            await until(partial(lit, pico, lamp))
            if lamp == 0:
                person.types("4")
                await person.sees("One of 1, 2, 3, or -")
            person.types("" if lamp else str(whose))
        for question in ("Screen [", "Broker ["):
            await person.answers(question)
        await person.answers("Write table.toml [yes]: ")
        assert await person.leaves() == 0
        assert TAG not in person.text
        (port,) = load_table_config(tmp_path / "table.toml").ports
        assert port.zones == truth
        assert list(port.buttons) == pressed
        assert port.lamps == (3, 1, 2)
        assert TAG not in (tmp_path / "table.toml").read_text()


@sync
async def test_cards_are_laid_on_readers_without_a_board(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    chip, several = VirtualPn532(), VirtualFeig(4)
    devices = [
        VirtualPort(chip, tmp_path / "dev" / "pn532", clock=time.monotonic),
        VirtualPort(several, tmp_path / "dev" / "feig", clock=time.monotonic),
    ]
    given = ("--seats=2", "--blinds=5/10", "--id=7", "--rulebook=roberts", "--board=1")
    async with (
        running(*devices),
        at_terminal("init", "--ports", ports(tmp_path), *given, cwd=tmp_path) as person,
    ):
        await person.answers("with a card [yes]: ")
        await person.answers("Lay any card on the antenna of seat/1 ")
        await person.sees("Lay any card on the antenna of seat/2 ")
        chip.tags.append("04A1B2C3D4E5F6")
        await person.sees("seat/2: antenna 1 of")
        for antenna, zone in ((2, "board"), (0, "burn")):
            await person.sees(f"Lay any card on the antenna of {zone} ")
            several.tags[antenna].append(TAG)
            await person.sees(f"{zone}: antenna {antenna + 1} of")
            several.tags[antenna].clear()
        await person.answers("Lay any card on the antenna of muck ")
        await person.answers("Lay any card on the antenna of stub ")
        await person.sees("no card was laid on 1 of its antennas: they are called seat/10 for now")
        for question in ("Screen [", "Broker [", "Write table.toml [yes]: "):
            await person.answers(question)
        assert await person.leaves() == 0
    assert {
        port.device: port.zones for port in load_table_config(tmp_path / "table.toml").ports
    } == {"pn532": ("seat/2",), "feig": ("burn", "seat/10", "board")}


@sync
async def test_readers_of_all_kinds_are_found_without_a_person(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    puck = VirtualRdm6300()
    puck.tags = ["0102030405"]
    readers: dict[str, VirtualDevice] = {
        "a-pn532": VirtualPn532(),
        "b-pn532": VirtualPn532(),
        "c-feig": VirtualFeig(4),
        "d-yrm100": VirtualYrm100(),
        "e-rdm6300": puck,
        "f-feig": VirtualFeig(1),
    }
    devices = [
        VirtualPort(reader, tmp_path / "dev" / name, clock=time.monotonic)
        for name, reader in readers.items()
    ]
    async with running(*devices):
        status, out, err = await piped(
            "init", "--yes", "--json", "--ports", ports(tmp_path), cwd=tmp_path
        )
    assert status == 0, err
    said = json.loads(out)
    assert [each["reader"] for each in said["devices"]] == [
        "pn532",
        "pn532",
        "feig",
        "rdm6300",
    ], err
    config = load_table_config(tmp_path / "table.toml")
    zones = {Path(port.port).name: port.zones for port in config.ports}
    assert zones == {
        "a-pn532": ("seat/1",),
        "b-pn532": ("seat/2",),
        "c-feig": ("board", "burn", "muck", "stub"),
        "e-rdm6300": ("seat/1",),
    }
    assert {(port.device, port.baud, port.parity) for port in config.ports} == {
        ("pn532", 115200, "none"),
        ("feig", 38400, "even"),
        ("rdm6300", 9600, "none"),
    }


@sync
async def test_two_peppers_are_a_table_of_ten_seats(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    devices = [
        VirtualPort(VirtualPepper(), tmp_path / "dev" / name, clock=time.monotonic)
        for name in ("a", "b")
    ]
    async with running(*devices):
        status, out, err = await piped(
            "init", "--yes", "--json", "--seats=10", "--ports", ports(tmp_path), cwd=tmp_path
        )
    assert status == 0, err
    assert [each["reader"] for each in json.loads(out)["devices"]] == ["pepper", "pepper"]
    config = load_table_config(tmp_path / "table.toml")
    assert [(port.device, port.baud, port.zones) for port in config.ports] == [
        ("pepper", 115200, tuple(f"seat/{seat}" for seat in range(1, 9))),
        ("pepper", 115200, ("seat/9", "seat/10", "board", "burn", "muck", "stub")),
    ]


@sync
async def test_more_antennas_than_there_are_zones(tmp_path: Path) -> None:
    async with running(a_pico(tmp_path, "a"), a_pico(tmp_path, "b")):
        status, out, err = await piped(
            "init", "--yes", "--json", "--ports", ports(tmp_path), cwd=tmp_path
        )
    assert status == 0, err
    assert "dev/b has more antennas than there are zones left" in err
    assert [Path(each["port"]).name for each in json.loads(out)["devices"]] == ["a"]


@sync
async def test_a_silent_port_can_be_the_pucks_reader(tmp_path: Path) -> None:
    pico = a_pico(tmp_path)
    puck = VirtualPort(VirtualRdm6300(), tmp_path / "dev" / "puck", clock=time.monotonic)
    async with (
        running(pico, puck),
        at_terminal(
            "init",
            "--ports",
            ports(tmp_path),
            "--zones",
            f"{tmp_path}/dev/pico=seat/1-9 board burn muck stub",
            "--seats=9",
            "--blinds=5/10",
            "--id=7",
            "--rulebook=roberts",
            "--board=1",
            "--screen=here",
            "--broker=none",
            cwd=tmp_path,
        ) as person,
    ):
        await person.sees("nothing answers at")
        await person.answers("Look again [no]: ")
        await person.answers("/dev/puck [none]: ", "rmd6300")
        await person.answers("did you mean 'rdm6300'?", "rdm6300")
        await person.answers("Zones of rdm6300 at", "seat/1 seat/2")
        await person.answers("it has 1 antenna at most, but 2 were named")
        await person.answers("by pressing them [yes]: ", "no")
        await person.answers("by lighting them [yes]: ", "no")
        await person.answers("Write table.toml [yes]: ")
        assert await person.leaves() == 0
        ports_ = load_table_config(tmp_path / "table.toml").ports
        assert [(port.device, port.zones) for port in ports_] == [
            ("pico", ZONES),
            ("rdm6300", ("seat/1",)),
        ]


@sync
async def test_a_file_that_is_there_stays_unless_its_owner_says_so(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("mine", encoding="utf-8")
    args = ("init", "--ports", ports(tmp_path))
    async with running(a_pico(tmp_path)):
        status, _, err = await piped(*args, "--yes", cwd=tmp_path)
        assert (status, file.read_text()) == (2, "mine")
        assert err == "cutcard init: table.toml already exists; --replace overwrites it\n"
        async with at_terminal(*args, cwd=tmp_path) as person:
            await person.answers("Overwrite it [no]: ")
            assert await person.leaves() == 1
            assert "nothing was written" in person.text
        assert file.read_text() == "mine"
        status, _, err = await piped(*args, "--yes", "--replace", cwd=tmp_path)
        assert (status, err) == (0, "")
        assert load_table_config(file).table.id == "1"


@sync
async def test_without_a_device_nothing_is_written_until_one_is_there(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    args = ("init", "--ports", ports(tmp_path), "--seats=9")
    status, _, err = await piped(*args, "--yes", cwd=tmp_path)
    assert (status, err) == (1, "cutcard init: there is no serial port: nothing was written\n")
    async with at_terminal(*args, cwd=tmp_path) as person:
        await person.sees("Look again [yes]: ")
        async with running(a_pico(tmp_path)):
            person.types()
            await person.sees("13 antennas")
            await person.sees("Name of the table")
            person.presses_ctrl_c()
            assert await person.leaves() == 130
            assert "Nothing was written." in person.text
    assert files(tmp_path) == ["dev"]


@sync
async def test_a_busy_port_is_told_with_what_to_do(tmp_path: Path) -> None:
    async with running(a_pico(tmp_path)):
        holder = held(tmp_path / "dev" / "pico")
        try:
            status, out, err = await piped(
                "init", "--yes", "--json", "--ports", ports(tmp_path), cwd=tmp_path
            )
        finally:
            holder.communicate()
    assert (status, out) == (1, "")
    assert "is busy: another program has it open" in err
    assert "systemctl stop cutcard-table" in err
    assert not (tmp_path / "table.toml").exists()


@sync
async def test_a_person_who_stops_is_asked_for_the_zones(tmp_path: Path) -> None:
    pico = a_pico(tmp_path, buttons=(), lamps=0)
    given = ("--seats=9", "--blinds=5/10", "--id=7", "--rulebook=roberts", "--board=1")
    async with (
        running(pico),
        at_terminal("init", "--ports", ports(tmp_path), *given, cwd=tmp_path) as person,
    ):
        await person.answers("with a card [yes]: ")
        await person.sees("Lay any card on the antenna of seat/1 ")
        pico.unplug()
        await person.sees("dev/pico is ")  # gone, or by then not there
        pico.plug()
        await person.sees("pico is back")
        await asyncio.sleep(0.3)
        pico.place("seat/1", TAG)
        await person.sees("seat/1: antenna 1 of")
        await person.answers("Lay any card on the antenna of seat/2 ", "q")
        await person.answers("[seat/1-9 board burn muck stub]: ")
        for question in ("Screen [", "Broker [", "Write table.toml [yes]: "):
            await person.answers(question)
        assert await person.leaves() == 0
    assert load_table_config(tmp_path / "table.toml").ports[0].zones == ZONES


@sync
async def test_ctrl_c_leaves_nothing_even_while_cards_are_laid(tmp_path: Path) -> None:
    async with (
        running(a_pico(tmp_path)),
        at_terminal("init", "--ports", ports(tmp_path), cwd=tmp_path) as person,
    ):
        for question in ("Name of", "Seats [", "Blinds [", "Rule book [", "the board ["):
            await person.answers(question)
        await person.answers("with a card [yes]: ")
        await person.sees("Lay any card")
        person.presses_ctrl_c()
        assert await person.leaves() == 130
        assert "Traceback" not in person.text
    assert files(tmp_path) == ["dev"]


@sync
async def test_the_brokers_password_is_for_its_owner_alone(tmp_path: Path) -> None:
    given = ("--seats=9", "--blinds=5/10", "--id=7", "--rulebook=roberts", "--board=1")
    async with (
        running(a_pico(tmp_path)),
        at_terminal("init", "--ports", ports(tmp_path), *given, cwd=tmp_path) as person,
    ):
        await person.answers("with a card [yes]: ", "no")
        await person.answers("Zones of")
        await person.answers("by pressing them [yes]: ", "no")
        await person.answers("by lighting them [yes]: ", "no")
        await person.answers("Screen [here]: ")
        await person.answers("Broker [none]: ", "room.local:1884")
        await person.answers("Site [main]: ", "upstairs")
        await person.answers("CA file [none]: ", "ca.pem")
        await person.answers("ca.pem: no such file", "none")
        await person.sees("Password of table-7 at the broker (not shown; empty: none): ")
        person.types("s3cret of ours")
        await person.answers("Write table.toml [yes]: ")
        assert await person.leaves() == 0
        assert "s3cret" not in person.text
        assert "s3cret" not in (tmp_path / "table.toml").read_text()
    secret = tmp_path / "table.password"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    config = load_table_config(tmp_path / "table.toml")
    assert config.broker
    assert (config.broker.host, config.broker.port, config.broker.site) == (
        "room.local",
        1884,
        "upstairs",
    )
    endpoint = config.endpoint()
    assert endpoint
    assert endpoint.password == "s3cret of ours"  # noqa: S105


@sync
async def test_what_an_option_gives_is_checked_too(tmp_path: Path) -> None:
    async with running(a_pico(tmp_path)):
        for option, told in {
            "--seats=99": "--seats: a table has 2 to 10 seats",
            "--rulebook=tda": "--rulebook: there is no rule book 'tda'; did you mean 'uk-tda'?",
            "--broker=a b": "--broker: 'a b' is not a host name: or none, or this machine",
            f"--zones={tmp_path}/dev/pico=seat/1": "--zones: it has 13 antennas, but 1 was named",
            "--zones=/dev/x=seat/1": "--zones: nobody answered at /dev/x",
        }.items():
            status, _, err = await piped(
                "init", "--yes", "--ports", ports(tmp_path), option, cwd=tmp_path
            )
            assert (status, err) == (2, f"cutcard init: {told}\n")
        status, _, err = await piped("init", "--ports", ports(tmp_path), cwd=tmp_path)
        assert (status, err) == (
            2,
            "cutcard init: no answer to 'Name of the table'; --yes takes the defaults\n",
        )
        status, _, err = await piped("init", "/proc/table.toml", "--yes", cwd=tmp_path)
        assert status == 2
        assert err.startswith("cutcard init: /proc/table.toml: can't be written: ")
        deep = tmp_path / ("x" * 90)
        deep.mkdir()
        args = ("init", "--yes", "--ports", ports(tmp_path))
        status, _, err = await piped(*args, "--screen=here", cwd=deep)
        assert (status, err) == (
            2,
            f"cutcard init: --screen: {deep} is too long a path for a socket\n",
        )
        deep.rmdir()
        status, _, err = await piped("init", "no/where.toml", "--yes", cwd=tmp_path)
        assert (status, err) == (2, "cutcard init: no: no such folder\n")
    assert files(tmp_path) == ["dev"]
