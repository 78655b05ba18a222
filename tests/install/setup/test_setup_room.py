"""`cutcard setup room`, below a folder that stands for a machine."""

from __future__ import annotations

import json
import os
import ssl
import stat
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from controller.broker.own import find_mosquitto
from controller.broker.ports import free_port
from controller.certificates.held import fingerprint, names_in
from controller.install.broker import files_in
from controller.install.setup.answers_file import example
from controller.install.setup.health import trouble
from controller.people.pins import is_pin
from controller.people.staff_store import StaffStore
from controller.room.settings import PAIRING_CERTIFICATE, PAIRING_KEY, load_room_config
from tests.install.person import at_terminal, sync
from tests.install.setup.machine import (
    DEBIANS,
    OWN,
    PIN,
    ROOT,
    a_room,
    kept,
    needs_systemctl,
    report,
    setup,
)
from tests.waiting import PATIENCE_S
from tests.web.hall import ours

pytestmark = needs_systemctl
ANSWERS = """
[room]
name = "Club Royale"
language = "de"
time_zone = "Europe/Berlin"
[admin]
name = "Ann Lee"
pin_file = "pin.txt"
[backup]
to = "/media/stick"
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Return a machine with the package, and the file of a PIN."""
    a_room(tmp_path)
    (tmp_path / "pin.txt").write_text(f"{PIN}\n")
    return tmp_path


def started(root: Path) -> set[str]:
    return {each.name for each in (root / "etc/systemd/system").glob("*.wants/*")}


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_file_of_answers_makes_a_room(room: Path) -> None:
    done = setup(room, "room", answers=ANSWERS)
    assert (done.status, done.err) == (0, "")
    etc = room / "etc"
    assert (etc / "hostname").read_text() == "room\n"
    assert (etc / "hosts").read_text() == "127.0.0.1\tlocalhost\n127.0.1.1\troom\n"
    assert (etc / "localtime").readlink() == Path("/usr/share/zoneinfo/Europe/Berlin")
    assert (etc / "timezone").read_text() == "Europe/Berlin\n"
    assert (etc / "cutcard/backup.env").read_text() == (
        "BACKUP_OPTIONS=--to /media/stick --keep 14 --mounted\n"
    )
    assert "room.local" in names_in(etc / "cutcard/mosquitto/certs/cutcard.crt")
    assert started(room) == {
        "cutcard-backup.timer",
        "cutcard-broker.service",
        "cutcard-renewal.timer",
        "cutcard-room.service",
    }
    assert "https://room.local:8443/" in done.out
    assert fingerprint(etc / "cutcard/ca.pem") in done.out
    with closing(StaffStore.open(room / "var/lib/cutcard-room/people.sqlite")) as people:
        (ann,) = people.people()
        assert (ann.name, ann.role, is_pin(ann.kept, PIN)) == ("Ann Lee", "admin", True)
        assert [(each.what, each.about) for each in people.audit()] == [
            ("people add", "Ann Lee: admin")
        ]
    assert PIN not in done.out
    assert "argon2" not in done.out


def test_the_room_takes_the_settings_and_only_its_own_user_its_key(room: Path) -> None:
    assert setup(room, "room", answers=ANSWERS).status == 0
    written = room / "etc/cutcard/room.toml"
    assert mode(written) == 0o644
    # Where they are on a machine, they are here below the folder.
    text = written.read_text().replace('"/etc/', f'"{room}/etc/').replace('"/var', f'"{room}/var')
    (room / "here.toml").write_text(text)
    config = load_room_config(room / "here.toml", {})
    assert config.certificate is not None
    assert mode(config.certificate.key) == 0o600
    assert mode(config.certificate.certificate) == 0o644
    assert "room.local" in names_in(config.certificate.certificate)
    assert not (config.certificate.key.parent / "ca.key").exists()
    assert (config.language, config.screen.name) == ("de", "Club Royale")
    assert (config.broker.port, config.web.host) == (8883, "0.0.0.0")  # noqa: S104


def test_a_second_time_it_changes_nothing(room: Path) -> None:
    assert setup(room, "room", answers=ANSWERS).status == 0
    before = kept(room)
    again = report(setup(room, "room", "--json", answers=ANSWERS))
    assert {each["state"] for each in again["steps"]} == {"is so"}
    assert kept(room) == before
    # What was answered before is the default.
    third = report(setup(room, "room", "--json", answers=""))
    assert {each["state"] for each in third["steps"]} == {"is so"}
    assert kept(room) == before


def test_a_dry_run_says_what_would_be_done_and_does_nothing(room: Path) -> None:
    before = kept(room)
    said = report(setup(room, "room", "--dry-run", "--json", answers=ANSWERS))
    assert kept(room) == before
    done = report(setup(room, "room", "--json", answers=ANSWERS))
    assert [(each["what"], each["state"]) for each in said["steps"]] == [
        (each["what"], each["state"].replace("done", "to do")) for each in done["steps"]
    ]
    assert said["pages"] == done["pages"]


def test_the_defaults_make_a_room_too(room: Path) -> None:
    done = setup(room, "room", answers=example("room"))
    assert done.status == 0, done.err
    assert 'sudo cutcard staff add "Ann Lee" --role admin' in done.out
    assert not (room / "etc/cutcard/backup.env").exists()
    assert (room / "etc/hostname").read_text() == "room\n"


def test_one_answer_more_changes_one_thing(room: Path) -> None:
    assert setup(room, "room", answers=ANSWERS).status == 0
    before = kept(room)
    assert setup(room, "room", answers='[room]\nlanguage = "fr"\n').status == 0
    after = kept(room)
    assert {name for name in after if after[name] != before.get(name)} == {"etc/cutcard/room.toml"}
    assert tomllib.loads((room / "etc/cutcard/room.toml").read_text())["room"]["language"] == "fr"


def test_files_keep_the_mode_that_somebody_gave_them(room: Path) -> None:
    (room / "etc/cutcard/room.env").chmod(0o600)
    assert setup(room, "room", answers=ANSWERS).status == 0
    assert mode(room / "etc/cutcard/room.env") == 0o600


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed")
def test_the_room_that_is_made_runs_with_its_broker_and_its_admin_signs_in(tmp_path: Path) -> None:
    port = free_port()
    a_room(tmp_path, port=port)
    (tmp_path / "pin.txt").write_text(f"{PIN}\n")
    assert setup(tmp_path, "room", answers=ANSWERS).status == 0
    etc, state = tmp_path / "etc/cutcard", tmp_path / "var/lib/cutcard-room"
    text = (etc / "room.toml").read_text()
    text = text.replace('"/etc/', f'"{tmp_path}/etc/').replace('"/var', f'"{tmp_path}/var')
    (tmp_path / "here.toml").write_text(text.replace("# https_port = 8443", "https_port = 0"))
    # As root it would become a user who can't look into a test's folder.
    user = "user root\n" if os.geteuid() == 0 else ""
    (tmp_path / "mosquitto.conf").write_text(f"{user}include_dir {tmp_path / OWN / 'conf.d'}\n")
    brokers = [str(find_mosquitto()), "-c", str(tmp_path / "mosquitto.conf")]
    rooms = [sys.executable, "-m", "display.web.command", "--json", "--web-port", "0"]
    rooms += ["--config", str(tmp_path / "here.toml"), "--store", str(state / "room.sqlite")]
    rooms += ["--user", "room", "--password-file", str(etc / "broker/room.password")]
    with (
        subprocess.Popen(brokers, stderr=subprocess.DEVNULL) as broker,
        subprocess.Popen(
            rooms, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
        ) as room,
    ):
        try:
            assert room.stdout
            said = json.loads(room.stdout.readline())
            assert "setup" not in said, "there is an admin"
            assert trouble(f"127.0.0.1:{urlsplit(said['url']).port}", patience_s=PATIENCE_S) == ""
            safe = f"https://127.0.0.1:{urlsplit(said['safe_url']).port}"
            trusts = ssl.create_default_context(cafile=etc / "ca.pem")
            body = {"name": "Ann Lee", "pin": PIN}
            come = httpx.post(
                f"{safe}/login", json=body, headers=ours(safe), verify=trusts, timeout=PATIENCE_S
            )
            assert come.is_success, come.text
        finally:
            room.kill()
            broker.kill()


def test_a_room_that_was_set_up_by_hand_keeps_debians_broker(tmp_path: Path) -> None:
    a_room(tmp_path, broker_at=DEBIANS)
    unit = tmp_path / "lib/systemd/system/mosquitto.service"
    unit.write_text("[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n")
    (tmp_path / "pin.txt").write_text(f"{PIN}\n")
    done = setup(tmp_path, "room", answers=ANSWERS)
    assert done.status == 0, done.err
    assert {"mosquitto.service", "cutcard-room.service"} <= started(tmp_path)
    assert not {"cutcard-broker.service", "cutcard-renewal.timer"} & started(tmp_path)
    assert "room.local" in names_in(tmp_path / DEBIANS / "certs/cutcard.crt")
    before = kept(tmp_path)
    assert setup(tmp_path, "room", answers=ANSWERS).status == 0
    assert kept(tmp_path) == before


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ('[room]\nlangauge = "de"\n', "[room] no key 'langauge' here; did you mean 'language'?"),
        ("[rooms]\n", "no section 'rooms' here; did you mean 'room'?"),
        ('[room]\nlanguage = "dee"\n', "[room] language: there is no language 'dee'; did you mean"),
        ('[room]\ntime_zone = "Europe/Berln"\n', "did you mean 'Europe/Berlin'?"),
        ('[room]\nhost_name = "my room"\n', "[room] host_name: small letters, digits"),
        ('[pages]\nhttps = "yes"\n', "[pages] https: expected bool"),
        ('[pages]\naddress = "clock"\n', "[pages] address: 'clock' is not an address"),
        ('[pages]\naddress = "http://clock.example.org/"\n', "may not vouch for clock.example.org"),
        ('[admin]\nname = "Ann Lee"\n', "[admin] pin_file: Ann Lee needs a PIN"),
        ('[admin]\nname = "Ann"\npin_file = "no"\n', "no: No such file"),
        ('[admin]\nname = "Ann"\npin_file = "answers.toml"\n', "a PIN has 4 to 12 digits"),
        ('[backup]\nto = "usb"\n', "[backup] to: no USB stick is plugged in"),
        ("[backup]\nto = 'a b'\n", "[backup] to: a folder from / on"),
        ("[backup]\nto = '/b'\nkeep = 0\n", "[backup] keep: a number from 1"),
        ('[wall]\nhere = true\ndiagonal = "5"\n', "[wall] diagonal: a diagonal such as 55in"),
        ("[room\n", "answers.toml: line 1, column 6: not TOML"),
    ],
)
def test_a_mistake_in_the_answers_is_one_line_and_nothing_is_done(
    room: Path, answers: str, said: str
) -> None:
    before = kept(room)
    done = setup(room, "room", answers=answers)
    assert done.status == 2
    assert done.err.startswith("cutcard setup: ")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert kept(room) == before


def test_a_pin_is_in_no_message(room: Path) -> None:
    (room / "pin.txt").write_text("471a\n")
    done = setup(room, "room", answers=ANSWERS)
    assert done.status == 2
    assert "471a" not in done.err + done.out


def test_without_the_package_there_is_nothing_to_set_up(tmp_path: Path) -> None:
    done = setup(tmp_path, "room", answers="")
    assert (done.status, done.err) == (
        2,
        "cutcard setup: there is no room on this machine yet: sudo sh install room\n",
    )


def test_what_was_cut_short_goes_on(room: Path) -> None:
    blocked = room / "etc/cutcard/backup.env"
    blocked.mkdir()  # no file can be written there
    done = setup(room, "room", answers=ANSWERS)
    assert done.status == 1
    assert done.err.startswith("cutcard setup: ")
    assert done.err.count("\n") == 1
    blocked.rmdir()
    assert setup(room, "room", answers=ANSWERS).status == 0
    assert blocked.is_file()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_it_needs_root(tmp_path: Path) -> None:
    program = (
        "import os, sys; from controller.install.setup.command import main;"
        "os.setuid(65534); sys.exit(main(['table', '--dry-run']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "cutcard setup: this needs root: sudo cutcard setup table\n",
    )


@pytest.mark.parametrize("what", ["room", "table"])
def test_the_answers_are_printed_for_anybody(what: str, tmp_path: Path) -> None:
    done = setup(tmp_path, what, "--print-answers")
    assert (done.status, done.out) == (0, example(what))


def test_nobody_at_the_keyboard_is_told_what_to_do(room: Path) -> None:
    before = kept(room)
    done = setup(room, "room")
    assert done.status == 2
    assert "--answers FILE asks nobody" in done.err
    assert kept(room) == before


@sync
async def test_a_person_is_asked_and_says_yes(tmp_path: Path) -> None:
    a_room(tmp_path)
    async with at_terminal("setup", "room", "--root", str(tmp_path), cwd=tmp_path) as person:
        await person.answers("Host name of this machine [room]: ", "Room 1")
        await person.answers("small letters, digits and '-'", "clubroom")
        await person.answers("Name of the room [none]: ", "Club Royale")
        await person.answers("Language [en]: ", "es")
        await person.answers("Time zone [Europe/London]: ")
        await person.answers("Site [main]: ")
        await person.answers("Pages by HTTPS [yes]: ", "no")
        await person.answers("Address for phones [none]: ")
        await person.answers("Backups to [none]: ")
        await person.answers("First admin [none]: ", "Ann Lee")
        await person.answers("PIN for Ann Lee: ", PIN)
        await person.answers("Repeat it: ", PIN)
        assert "to do   host name clubroom" in await person.sees("Do it [yes]: ")
        person.types()
        await person.sees("http://clubroom.local:8080/")
        assert await person.leaves() == 0
        assert PIN not in person.text
    file = tomllib.loads((tmp_path / "etc/cutcard/room.toml").read_text())
    assert file["room"]["language"] == "es"
    with closing(StaffStore.open(tmp_path / "var/lib/cutcard-room/people.sqlite")) as people:
        assert people.has_admin()
    # The next time the admin is not asked for, and there is nothing to agree to.
    async with at_terminal("setup", "room", "--root", str(tmp_path), cwd=tmp_path) as person:
        for question in ("[clubroom]", "[Club Royale]", "[es]", "[Europe/London]", "[main]"):
            await person.answers(question)
        for question in ("[no]", "[none]", "[none]"):
            await person.answers(question)
        assert "to do" not in await person.sees("http://clubroom.local:8080/")
        assert await person.leaves() == 0


@sync
async def test_who_says_no_or_leaves_has_changed_nothing(tmp_path: Path) -> None:
    a_room(tmp_path)
    before = kept(tmp_path)
    async with at_terminal("setup", "room", "--root", str(tmp_path), cwd=tmp_path) as person:
        for _ in range(9):
            await person.answers("]: ")
        await person.answers("Do it [yes]: ", "no")
        await person.sees("nothing was changed")
        assert await person.leaves() == 1
    async with at_terminal("setup", "room", "--root", str(tmp_path), cwd=tmp_path) as person:
        await person.sees("[room]: ")
        person.presses_ctrl_c()
        assert await person.leaves() == 130
        assert "Traceback" not in person.text
    assert kept(tmp_path) == before


def test_json_is_one_line_and_words_go_to_standard_error(room: Path) -> None:
    done = setup(room, "room", "--json", answers=ANSWERS)
    assert done.out.count("\n") == 1
    told = json.loads(done.out)
    assert told["pages"][0] == "https://room.local:8443/"
    assert told["trouble"] == ""
    assert [line.partition(":")[0] for line in told["next"]] == [
        "Ann Lee has a PIN now",
        "nothing is mounted at /media/stick so far",
    ]
    assert "Club Royale" in done.err


def test_what_tables_that_pair_are_shown_is_the_new_certificate(room: Path) -> None:
    credentials = room / "etc/credstore"
    for name in (PAIRING_CERTIFICATE, PAIRING_KEY):
        (credentials / name).write_text("of before\n")
    assert setup(room, "room", answers=ANSWERS).status == 0
    for name, file in ((PAIRING_CERTIFICATE, "room.crt"), (PAIRING_KEY, "room.key")):
        assert (credentials / name).read_text() == (room / "etc/cutcard/https" / file).read_text()
        assert mode(credentials / name) == 0o600


def test_the_logins_of_another_machines_broker_are_left_alone(room: Path) -> None:
    settings = files_in(room / OWN).settings
    with settings.open("a", encoding="utf-8") as file:
        file.write("plugin_opt_config_file /var/lib/cutcard-broker/logins.json\n")
    done = setup(room, "room", answers=ANSWERS)
    assert done.status == 1
    assert "logins in /var/lib/cutcard-broker/logins.json: set it up on its machine" in done.err
