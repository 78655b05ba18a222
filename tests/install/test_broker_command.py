"""`cutcard broker`: what it writes, keeps and refuses. Whether mosquitto takes it, and what it then
lets whom do, is tried in tests/broker_rights."""

from __future__ import annotations

import json
import os
import pwd
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.broker.mosquitto import Account, account, password_line, table_account
from controller.install.broker import main
from controller.room.commands import certificate

Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs it in a folder of its own; returns what it says in JSON."""
    assert certificate.main(["--folder", str(tmp_path / "https"), "--name", "room.local"]) == 0

    def run(*words: str, status: int = 0) -> dict[str, Any]:
        capsys.readouterr()
        places = ("--folder", str(tmp_path), "--https", str(tmp_path / "https"))
        where = ("--passwords", str(tmp_path / "passwords"))
        assert main([*places, *where, "--json", *words]) == status
        out, err = capsys.readouterr()
        assert err.count("\n") == (status != 0)
        found: dict[str, Any] = json.loads(out) if out else {"said": err}
        return found

    return run


def users(folder: Path) -> dict[str, str]:
    lines = (folder / "cutcard.passwd").read_text().splitlines()
    return dict(line.split(":", 1) for line in lines)


def test_all_that_a_room_needs(run: Run, tmp_path: Path) -> None:
    said = run("--tables", "T1", "7", "--screens", "2", "--site", "club")
    own = {"archive", "room", "screen", "screen-2", "table-T1", "table-7"}
    assert set(users(tmp_path)) == own | {"doctor@table-T1", "doctor@table-7"}
    assert set(said["new"]) == own
    assert (said["site"], said["port"], said["names"]) == ("club", 8883, ["room.local"])
    assert said["then"] == "systemctl restart mosquitto"
    assert "cutcard/1/club/tables/7/cmd/#" in (tmp_path / "cutcard.acl").read_text()
    settings = (tmp_path / "conf.d" / "cutcard.conf").read_text()
    assert "listener 8883\n" in settings
    assert "$" not in settings.replace("$SYS", "")


def test_a_broker_of_our_own_is_the_service_that_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.install.broker.OWN", tmp_path)
    assert run()["then"] == "systemctl restart cutcard-broker"
    assert run("--tables", "7")["then"] == "systemctl reload cutcard-broker"


def test_passwords_are_long_differ_and_are_each_in_a_file(run: Run, tmp_path: Path) -> None:
    said = run("--tables", "T1", "T2")
    passwords = [Path(file).read_text() for file in said["new"].values()]
    assert len(set(passwords)) == 5
    assert all(len(each.strip()) == 32 and each.endswith("\n") for each in passwords)
    assert not any(each.strip() in str(said) for each in passwords)
    assert not any(each.strip() in (tmp_path / "cutcard.passwd").read_text() for each in passwords)


def test_only_who_has_to_may_read_it(run: Run, tmp_path: Path) -> None:
    def mode(path: Path) -> int:
        return stat.S_IMODE(path.stat().st_mode)

    said = run("--tables", "T1")
    secret = [tmp_path / name for name in ("cutcard.passwd", "cutcard.acl", "certs/cutcard.key")]
    assert {mode(file) for file in (*secret, *map(Path, said["new"].values()))} == {0o600}
    assert mode(tmp_path / "passwords") == 0o700
    assert mode(tmp_path / "conf.d" / "cutcard.conf") == 0o644
    if os.geteuid() == 0:
        mosquitto = pwd.getpwnam("mosquitto").pw_uid
        assert {file.stat().st_uid for file in secret} == {mosquitto}
        assert {Path(file).stat().st_uid for file in said["new"].values()} == {0}


def test_again_changes_nothing(run: Run, tmp_path: Path) -> None:
    run("--tables", "T1", "--site", "club", "--port", "9000")
    before = users(tmp_path)
    said = run()
    assert not any(said["files"].values())
    assert (said["new"], said["then"], said["site"], said["port"]) == ({}, "", "club", 9000)
    assert set(said["kept"]) == {"archive", "room", "screen", "table-T1"}
    assert users(tmp_path) == before


def test_one_table_more_leaves_the_others_alone(run: Run, tmp_path: Path) -> None:
    run("--tables", "T1")
    before = users(tmp_path)
    said = run("--tables", "T2", "T1")
    assert set(said["new"]) == {"table-T2"}
    assert said["then"] == "systemctl reload mosquitto"
    assert before.items() <= users(tmp_path).items()


def test_a_new_password_is_the_doctors_too(run: Run, tmp_path: Path) -> None:
    run("--tables", "T1")
    before = users(tmp_path)
    said = run("--renew", "table-T1")
    changed = {user for user, line in users(tmp_path).items() if line != before[user]}
    assert changed == {"table-T1", "doctor@table-T1"}
    assert set(said["new"]) == {"table-T1"}


def test_who_is_removed_is_gone_with_the_doctor(run: Run, tmp_path: Path) -> None:
    run("--tables", "T1", "T2", "--screens", "2")
    said = run("--remove", "table-T2", "screen-2")
    assert set(said["removed"]) == {"table-T2", "screen-2"}
    assert not any("T2" in user for user in users(tmp_path))
    assert "T2" not in (tmp_path / "cutcard.acl").read_text()


def test_a_renewed_certificate_is_taken_over(run: Run, tmp_path: Path) -> None:
    run("--tables", "T1")
    assert certificate.main(["--folder", str(tmp_path / "https")]) == 0
    said = run()
    changed = {Path(file).name for file, is_new in said["files"].items() if is_new}
    assert changed == {"cutcard.crt", "cutcard.key"}
    assert said["then"] == "systemctl reload mosquitto"


def test_other_settings_that_mosquitto_reads_are_named(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "conf.d" / "local.conf"
    other.parent.mkdir()
    other.write_text("listener 1883\nallow_anonymous true\n")
    assert run()["also_read"] == [str(other)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tables", "T 1"], "--tables: 'T 1' is not a name"),
        (["--tables", "../T1"], "--tables: '../T1' is not a name"),
        (["--site", "a/b"], "--site: 'a/b' is not a name"),
        (["--renew", "tabl-T1"], "--renew: there is no user 'tabl-T1'; did you mean 'table-T1'?"),
        (["--remove", "rom"], "--remove: there is no user 'rom'; did you mean 'room'?"),
        (["--remove", "doctor@table-T1"], "--remove: there is no user 'doctor@table-T1'; did"),
        (["--https", "/nowhere"], "/nowhere/room.crt: no such file; sudo cutcard certificate"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(
    run: Run, tmp_path: Path, words: list[str], said: str
) -> None:
    run("--tables", "T1")
    before = users(tmp_path)
    assert run(*words, status=2)["said"].startswith(f"cutcard broker: {said}")
    assert users(tmp_path) == before


def test_a_key_of_another_certificate_is_refused(run: Run, tmp_path: Path) -> None:
    assert certificate.main(["--folder", str(tmp_path / "other"), "--name", "room.local"]) == 0
    (tmp_path / "https" / "room.key").write_bytes((tmp_path / "other" / "room.key").read_bytes())
    assert "room.key is not its key" in run(status=2)["said"]
    assert not (tmp_path / "cutcard.passwd").exists()


def test_a_user_that_is_none_of_ours_is_not_passed_over(run: Run, tmp_path: Path) -> None:
    run()
    with (tmp_path / "cutcard.passwd").open("a") as file:
        file.write(password_line("zigbee", "secret"))
    assert "user 'zigbee' is none of cutcard's; --remove zigbee" in run(status=2)["said"]
    assert run("--remove", "zigbee")["removed"] == ["zigbee"]


@pytest.mark.parametrize(
    ("user", "found"),
    [
        ("table-T1", table_account("T1")),
        ("doctor@table-T1", Account("doctor@table-T1", "table", "T1")),
        ("table-room", Account("table-room", "table", "room")),
        ("room", Account("room", "room")),
        ("room-2", Account("room-2", "room")),
        ("doctor@room", None),
        ("room-x", None),
        ("table-", None),
        ("table-a/b", None),
        ("table-+", None),
        ("", None),
    ],
)
def test_what_a_users_name_tells(user: str, found: Account | None) -> None:
    assert account(user) == found
