"""What makes a machine into a room: pure, so each case is a value."""

from __future__ import annotations

import tomllib
from pathlib import PurePosixPath
from typing import Any

import pytest
from msgspec import structs

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.install.setup.machine_plan import HOST_NAME, HOSTS, Machine
from controller.install.setup.room_plan import (
    BACKUP,
    BACKUPS,
    LENT,
    OPTIONS,
    OWN_BROKER,
    RENEWAL,
    ROOM,
    SETTINGS,
    WALL,
    WALLS,
    RoomNow,
    RoomWanted,
    asked_at,
    pages,
    room_plan,
)
from controller.install.setup.steps import (
    Act,
    AddAdmin,
    Certify,
    KeepSecret,
    LendCertificate,
    MakeFolder,
    NameHost,
    Order,
    Plan,
    SetUpBroker,
    Unit,
    Write,
)
from controller.install.setup.sticks import FOLDER, FSTAB, Stick

RUNS = Unit(is_installed=True, is_enabled=True, is_active=True, since=1_000.0)
NEW = Unit(is_installed=True)
MADE = (
    "ROOM_OPTIONS=--broker 127.0.0.1:8883 --tls-ca /etc/cutcard/ca.pem --site main "
    "--web-host 0.0.0.0\n"
)
ALL = (OWN_BROKER, ROOM, RENEWAL, BACKUPS, WALLS)
MACHINE = Machine(
    is_live=True,
    host_name="raspberrypi",
    called="raspberrypi",
    hosts="127.0.1.1 raspberrypi\n",
    zone="Etc/UTC",
)
FRESH = RoomNow(
    machine=MACHINE,
    example=(config_dir() / "room.toml").read_text("utf-8"),
    options=MADE,
    names=("raspberrypi.local", "127.0.0.1"),
    rights_site="main",
    wall_login="to carry",
    units=dict.fromkeys(ALL, NEW) | {OWN_BROKER: RUNS, ROOM: RUNS},
)
WANTED = RoomWanted(host_name="room", zone="Etc/UTC", admin="Ann Lee")


def acts(plan: Plan) -> list[Act]:
    return [act for step in plan.steps for act in step.acts]


def writes(plan: Plan) -> dict[PurePosixPath, str]:
    return {act.path: act.text for act in acts(plan) if isinstance(act, Write)}


def orders(plan: Plan) -> list[tuple[str, ...]]:
    return [(act.verb, *act.units) for act in acts(plan) if isinstance(act, Order)]


def after(now: RoomNow, wanted: RoomWanted) -> RoomNow:
    """The machine once the plan is done."""
    plan = room_plan(now, wanted)
    made = writes(plan)
    done = acts(plan)
    machine = structs.replace(
        now.machine,
        host_name=made.get(HOST_NAME, now.machine.host_name).strip(),
        called=next((a.name for a in done if isinstance(a, NameHost)), now.machine.called),
        hosts=made.get(HOSTS, now.machine.hosts),
    )
    units = dict(now.units)
    for verb, *names in orders(plan):
        for name in names:
            before = units.get(name, NEW)
            units[name] = structs.replace(
                before,
                is_enabled=before.is_enabled
                if verb not in ("enable", "disable")
                else verb == "enable",
                is_active=before.is_active if verb in ("enable", "disable") else verb != "stop",
            )
    return structs.replace(
        now,
        machine=machine,
        settings=made.get(SETTINGS, now.settings),
        options=made.get(OPTIONS, now.options),
        names=next((a.names for a in done if isinstance(a, Certify)), now.names),
        is_lent=now.is_lent or LendCertificate() in done,
        rights_site=next((a.site for a in done if isinstance(a, SetUpBroker)), now.rights_site),
        admins=now.admins or tuple(a.name for a in done if isinstance(a, AddAdmin)),
        fstab=made.get(FSTAB, now.fstab),
        backup=made.get(BACKUP, now.backup),
        wall=made.get(WALL, now.wall),
        wall_login="kept" if any(isinstance(a, KeepSecret) for a in done) else now.wall_login,
        units=units,
    )


def settings(plan: Plan) -> dict[str, Any]:
    """What is set, of the sections that have something."""
    return {name: each for name, each in tomllib.loads(writes(plan)[SETTINGS]).items() if each}


def test_a_fresh_room() -> None:
    plan = room_plan(FRESH, WANTED)
    assert writes(plan)[HOST_NAME] == "room\n"
    assert writes(plan)[HOSTS] == "127.0.1.1 room\n"
    assert writes(plan)[OPTIONS] == f"ROOM_OPTIONS=--config {SETTINGS}\n"
    assert settings(plan) == {
        "room": {"site": "main"},
        "broker": {"host": "127.0.0.1", "port": 8883, "ca_file": "/etc/cutcard/ca.pem"},
        "web": {
            "host": "0.0.0.0",  # noqa: S104
            "certificate": f"{LENT}/room.crt",
            "key": f"{LENT}/room.key",
        },
    }
    assert Certify(("room.local", "raspberrypi.local", "127.0.0.1")) in acts(plan)
    assert AddAdmin("Ann Lee") in acts(plan)
    assert orders(plan) == [
        ("try-reload-or-restart", OWN_BROKER),
        ("restart", ROOM),
        ("enable", RENEWAL),
        ("start", RENEWAL),
    ]


def test_the_settings_come_after_the_certificate_that_they_name() -> None:
    done = acts(room_plan(FRESH, WANTED))
    places = [done.index(LendCertificate())]
    places += [n for n, act in enumerate(done) if isinstance(act, Write) and act.path == SETTINGS]
    places += [n for n, act in enumerate(done) if isinstance(act, Write) and act.path == OPTIONS]
    places += [done.index(Order("restart", (ROOM,)))]
    assert places == sorted(places)
    assert len(places) == 4


@pytest.mark.parametrize(
    "wanted",
    [
        WANTED,
        structs.replace(WANTED, https=False, name="Club", language="fr", site="club"),
        structs.replace(WANTED, address="http://clock.club.lan:8080/", zone="Europe/Berlin"),
        structs.replace(WANTED, backup=PurePosixPath("/srv/backups"), keep=3),
        structs.replace(WANTED, backup=PurePosixPath(FOLDER), stick=Stick("AB-12", "vfat")),
        structs.replace(WANTED, wall="65in"),
    ],
)
def test_a_second_time_there_is_nothing_to_do(wanted: RoomWanted) -> None:
    now = after(FRESH, wanted)
    now = structs.replace(now, machine=structs.replace(now.machine, zone=wanted.zone))
    plan = room_plan(now, wanted)
    assert acts(plan) == []
    assert plan.is_done
    assert plan.left == ()


def test_what_a_person_has_written_stays() -> None:
    mine = '# mine\n[screen]\ntheme = "light" # bright\n[alerts]\nflood = 3\n'
    now = structs.replace(FRESH, settings=mine, options="ROOM_OPTIONS=--start --site main\nA=1\n")
    plan = room_plan(now, structs.replace(WANTED, name="Club"))
    text = writes(plan)[SETTINGS]
    assert text.startswith('# mine\n[screen]\nname = "Club"\ntheme = "light" # bright\n')
    assert settings(plan)["alerts"] == {"flood": 3}
    assert writes(plan)[OPTIONS] == f"A=1\nROOM_OPTIONS=--config {SETTINGS} --start\n"


def test_an_address_that_somebody_chose_for_the_pages_stays() -> None:
    now = structs.replace(
        FRESH, settings='[web]\nhost = "192.168.1.5"\n', options="ROOM_OPTIONS=\n"
    )
    assert settings(room_plan(now, WANTED))["web"]["host"] == "192.168.1.5"


def test_a_certificate_that_somebody_chose_stays() -> None:
    mine = '[web]\ncertificate = "/x/room.crt"\nkey = "/x/room.key"\n'
    plan = room_plan(structs.replace(FRESH, settings=mine), WANTED)
    assert settings(plan)["web"]["certificate"] == "/x/room.crt"
    assert LendCertificate() not in acts(plan)


def test_without_https_again() -> None:
    now = after(FRESH, WANTED)
    wanted = structs.replace(WANTED, https=False)
    web = settings(room_plan(now, wanted))["web"]
    assert web == {"host": "0.0.0.0"}  # noqa: S104
    assert pages(now.file, wanted)[0] == "http://room.local:8080/"
    assert pages(now.file, WANTED)[0] == "https://room.local:8443/"


def test_another_site_is_the_brokers_too() -> None:
    now = after(FRESH, WANTED)
    plan = room_plan(now, structs.replace(WANTED, site="club"))
    assert SetUpBroker("club") in acts(plan)
    assert ("try-restart", OWN_BROKER) in orders(plan)
    assert settings(plan)["room"]["site"] == "club"


def test_a_name_of_the_houses_network_is_in_the_certificate() -> None:
    wanted = structs.replace(WANTED, address="https://clock.club.lan:8443/")
    (names,) = [act.names for act in acts(room_plan(FRESH, wanted)) if isinstance(act, Certify)]
    assert names[:2] == ("room.local", "clock.club.lan")


def test_a_room_that_was_not_started_after_its_settings_is_started_again() -> None:
    now = after(FRESH, WANTED)
    late = structs.replace(now, changed_at={ROOM: RUNS.since + 1})
    assert orders(room_plan(late, WANTED)) == [("restart", ROOM)]
    stopped = structs.replace(
        late, units={**now.units, ROOM: structs.replace(RUNS, is_active=False)}
    )
    assert orders(room_plan(stopped, WANTED)) == [("start", ROOM)]


def test_a_broker_that_shows_an_older_certificate_gets_the_new_one() -> None:
    now = structs.replace(after(FRESH, WANTED), is_shown=False)
    assert acts(room_plan(now, WANTED)) == [
        SetUpBroker("main"),
        Order("try-reload-or-restart", (OWN_BROKER,)),
        Order("restart", (ROOM,)),  # it shows the same one to tables that pair
    ]


def test_nothing_is_started_on_a_machine_that_does_not_run() -> None:
    now = structs.replace(FRESH, machine=structs.replace(MACHINE, is_live=False, called=None))
    now = structs.replace(now, units=dict.fromkeys(ALL, NEW))
    plan = room_plan(now, WANTED)
    assert {verb for verb, *_ in orders(plan)} == {"enable"}
    assert NameHost("room") not in acts(plan)


def test_a_machine_that_goes_by_another_name_than_its_own_gets_it_now() -> None:
    now = after(FRESH, WANTED)
    now = structs.replace(now, machine=structs.replace(now.machine, called="localhost"))
    assert NameHost("room") in acts(room_plan(now, WANTED))
    assert HOST_NAME not in writes(room_plan(now, WANTED))


def test_a_stick_is_mounted_and_backups_only_go_to_it() -> None:
    wanted = structs.replace(WANTED, backup=PurePosixPath(FOLDER), stick=Stick("AB-12", "vfat"))
    plan = room_plan(FRESH, wanted)
    assert writes(plan)[FSTAB].startswith("UUID=AB-12 /media/cutcard vfat ")
    assert writes(plan)[BACKUP] == "BACKUP_OPTIONS=--to /media/cutcard --keep 14 --mounted\n"
    assert MakeFolder(FOLDER) in acts(plan)
    assert ("daemon-reload",) in orders(plan)
    assert ("enable", BACKUPS) in orders(plan)


def test_a_folder_on_a_stick_that_nobody_mounts_is_said() -> None:
    wanted = structs.replace(WANTED, backup=PurePosixPath("/media/stick"))
    (said,) = room_plan(FRESH, wanted).left
    assert said.startswith("nothing is mounted at /media/stick so far")
    listed = structs.replace(FRESH, fstab="UUID=1 / ext4 x 0 1\nUUID=2 /media/stick vfat x 0 0\n")
    assert room_plan(listed, wanted).left == ()


def test_backups_that_are_not_wanted_any_longer_are_not_made() -> None:
    now = after(FRESH, structs.replace(WANTED, backup=PurePosixPath("/srv/b")))
    assert orders(room_plan(now, WANTED)) == [("disable", BACKUPS), ("stop", BACKUPS)]


def test_options_of_a_backup_that_a_person_has_added_stay() -> None:
    before = "BACKUP_OPTIONS=--to /media/a --keep 14 --mounted --with-decks\n"
    wanted = structs.replace(WANTED, backup=PurePosixPath("/srv/b"))
    made = writes(room_plan(structs.replace(FRESH, backup=before), wanted))[BACKUP]
    assert made == "BACKUP_OPTIONS=--to /srv/b --keep 14 --with-decks\n"


def test_the_wall_at_this_machine() -> None:
    plan = room_plan(FRESH, structs.replace(WANTED, wall="65in", language="de"))
    assert writes(plan)[WALL] == (
        "WALL_OPTIONS=--broker 127.0.0.1:8883 --tls-ca /etc/cutcard/ca.pem --site main "
        "--diagonal 65in --language de\n"
    )
    assert any(isinstance(act, KeepSecret) for act in acts(plan))
    assert ("start", WALLS) in orders(plan)


def test_a_wall_whose_password_was_carried_away_says_what_to_do() -> None:
    plan = room_plan(
        structs.replace(FRESH, wall_login="none"), structs.replace(WANTED, wall="65in")
    )
    assert ("start", WALLS) not in orders(plan)
    assert "--renew screen" in plan.left[0]


def test_a_wall_whose_package_is_not_there_says_so() -> None:
    now = structs.replace(FRESH, units={**FRESH.units, WALLS: Unit()})
    plan = room_plan(now, structs.replace(WANTED, wall="65in"))
    assert WALL not in writes(plan)
    assert "sh install wall" in plan.left[0]


def test_at_the_console_that_the_wall_takes_it_is_left_to_be_started() -> None:
    now = structs.replace(FRESH, machine=structs.replace(MACHINE, on_console=True))
    plan = room_plan(now, structs.replace(WANTED, wall="65in"))
    assert ("enable", WALLS) in orders(plan)
    assert ("start", WALLS) not in orders(plan)
    assert plan.left[-1].startswith(f"sudo systemctl start {WALLS} ")


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("0.0.0.0", "127.0.0.1:8080"),  # noqa: S104
        ("::", "127.0.0.1:8080"),
        ("192.168.1.5", "192.168.1.5:8080"),
        ("fd00::5", "[fd00::5]:8080"),
    ],
)
def test_the_room_is_asked_where_it_answers(host: str, place: str) -> None:
    now = structs.replace(FRESH, settings=f'[web]\nhost = "{host}"\n', options="")
    assert asked_at(now.file) == place


def test_backups_without_their_timer_say_what_is_missing() -> None:
    now = structs.replace(FRESH, units={**FRESH.units, BACKUPS: Unit()})
    plan = room_plan(now, structs.replace(WANTED, backup=PurePosixPath("/srv/b")))
    assert not [each for each in orders(plan) if BACKUPS in each]
    assert BACKUPS in plan.left[0]


def test_without_an_admin_it_says_how_there_will_be_one() -> None:
    assert "cutcard staff add" in room_plan(FRESH, structs.replace(WANTED, admin=None)).left[0]


def test_settings_with_a_mistake_are_not_built_upon() -> None:
    now = structs.replace(FRESH, settings="[room]\nsight = 3\n")
    with pytest.raises(ConfigError, match=r"room.toml: \[room\] no key 'sight' here; did you mean"):
        room_plan(now, WANTED)
