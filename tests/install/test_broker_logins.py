"""`cutcard broker --pairing`: what it writes, and what becomes of logins that were in files."""

from __future__ import annotations

import json
import os
import pwd
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


@pytest.fixture
def logins(tmp_path: Path) -> Path:
    return tmp_path / "state" / "logins.json"


def hashes(file: Path) -> dict[str, tuple[str, str, int]]:
    return {
        each["username"]: (each["salt"], each["password"], each["iterations"])
        for each in json.loads(file.read_bytes())["clients"]
    }


def test_a_new_broker_has_a_steward_and_no_other_files(
    run: Run, tmp_path: Path, logins: Path
) -> None:
    said = run("--pairing", "--logins", str(logins), "--tables", "7", "--site", "club")
    own = {"room", "archive", "screen", "steward", "table-7"}
    assert set(said["new"]) == own
    assert set(hashes(logins)) == own | {"doctor@table-7"}
    assert not (tmp_path / "cutcard.passwd").exists()
    assert not (tmp_path / "cutcard.acl").exists()
    settings = (tmp_path / "conf.d" / "cutcard.conf").read_text()
    assert f"plugin_opt_config_file {logins}\n" in settings
    assert "password_file" not in settings
    assert "cutcard/1/club/tables/7/hand" in logins.read_text()
    assert stat.S_IMODE(logins.stat().st_mode) == 0o600
    if os.geteuid() == 0:
        assert logins.stat().st_uid == pwd.getpwnam("mosquitto").pw_uid


def test_its_folder_is_the_brokers_where_the_broker_is_our_own(
    run: Run, tmp_path: Path, logins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.install.broker.OWN", tmp_path)
    monkeypatch.setattr("controller.install.broker.OWN_LOGINS", logins)
    assert run("--pairing")["then"] == "systemctl restart cutcard-broker"
    assert stat.S_IMODE(logins.parent.stat().st_mode) == 0o700
    if os.geteuid() == 0:
        assert logins.parent.stat().st_uid == pwd.getpwnam("mosquitto").pw_uid


def test_passwords_move_over_from_the_files(run: Run, tmp_path: Path, logins: Path) -> None:
    run("--tables", "7", "--site", "club", "--port", "9000")
    lines = (tmp_path / "cutcard.passwd").read_text().splitlines()
    said = run("--pairing", "--logins", str(logins))
    assert set(said["new"]) == {"steward"}
    assert (said["site"], said["port"]) == ("club", 9000)
    moved = hashes(logins)
    assert len(lines) == 5
    for line in lines:
        user, _, kept = line.partition(":")
        _, _, rounds, salt, password = kept.split("$")
        assert moved[user] == (salt, password, int(rounds))


def test_the_files_are_there_for_the_way_back_until_the_next_run(
    run: Run, tmp_path: Path, logins: Path
) -> None:
    run("--tables", "7")
    before = (tmp_path / "cutcard.passwd").read_bytes()
    run("--pairing", "--logins", str(logins))
    assert (tmp_path / "cutcard.passwd").read_bytes() == before
    run()
    assert not (tmp_path / "cutcard.passwd").exists()
    assert not (tmp_path / "cutcard.acl").exists()
    assert "table-7" in hashes(logins)


def test_after_the_way_back_and_forth_those_of_both_are_known(
    run: Run, tmp_path: Path, logins: Path
) -> None:
    """An older version has written its settings again, and given a table another password."""
    run("--tables", "7", "8")
    settings = tmp_path / "conf.d" / "cutcard.conf"
    older = settings.read_bytes()
    run("--pairing", "--logins", str(logins))
    run("--tables", "9")
    settings.write_bytes(older)
    before = hashes(logins)
    (tmp_path / "cutcard.passwd").write_text("table-8:$7$101$bmV3$bmV3\n")
    said = run("--pairing", "--logins", str(logins))
    assert said["new"] == {}
    after = hashes(logins)
    assert set(after) == set(before)
    assert {user for user in after if after[user] != before[user]} == {"table-8"}


def test_a_move_that_was_cut_off_goes_on(run: Run, tmp_path: Path, logins: Path) -> None:
    """After the logins were written, and before the settings were."""
    run("--tables", "7")
    before = {name: (tmp_path / name).read_bytes() for name in ("conf.d/cutcard.conf",)}
    run("--pairing", "--logins", str(logins))
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    said = run("--pairing", "--logins", str(logins))
    assert said["new"] == {}
    assert "table-7" in hashes(logins)


def test_again_changes_nothing_and_needs_no_words(run: Run, logins: Path) -> None:
    run("--pairing", "--logins", str(logins), "--tables", "7")
    before = hashes(logins)
    said = run()
    assert (said["new"], said["then"]) == ({}, "")
    assert hashes(logins) == before


def test_what_mosquitto_wrote_in_its_own_way_is_the_same(run: Run, logins: Path) -> None:
    run("--pairing", "--logins", str(logins), "--tables", "7", "8")
    held = json.loads(logins.read_bytes())
    held["clients"].reverse()
    for each in held["clients"]:
        each["textname"] = ""
    for each in held["roles"]:
        each["acls"].reverse()
    logins.write_text(json.dumps(held))
    assert run()["then"] == ""


def test_rights_of_a_new_version_are_written(run: Run, logins: Path) -> None:
    run("--pairing", "--logins", str(logins), "--tables", "7")
    held = json.loads(logins.read_bytes())
    next(each for each in held["roles"] if each["rolename"] == "table-7")["acls"].pop()
    logins.write_text(json.dumps(held))
    said = run()
    assert said["files"][str(logins)]
    assert said["then"] == "systemctl restart mosquitto"


def test_tables_are_renewed_and_removed_here_too(run: Run, logins: Path) -> None:
    run("--pairing", "--logins", str(logins), "--tables", "7", "8")
    before = hashes(logins)
    said = run("--renew", "table-7", "--remove", "table-8")
    assert (set(said["new"]), said["removed"]) == ({"table-7"}, ["table-8"])
    now = hashes(logins)
    assert set(before) - set(now) == {"table-8", "doctor@table-8"}
    assert {user for user in now if now[user] != before[user]} == {"table-7", "doctor@table-7"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--logins", "elsewhere.json"], "--logins: they are in "),
        (["--remove", "steward-2"], "--remove: there is no user 'steward-2'; did you mean"),
    ],
)
def test_what_is_refused(run: Run, logins: Path, words: list[str], said: str) -> None:
    run("--pairing", "--logins", str(logins))
    assert said in run(*words, status=2)["said"]


def test_logins_that_can_not_be_read_are_left_alone(run: Run, logins: Path) -> None:
    run("--pairing", "--logins", str(logins))
    logins.write_text("[")
    assert "these are no logins of mosquitto's" in run(status=2)["said"]
    assert logins.read_text() == "["


def test_where_the_logins_are_to_be_needs_pairing(run: Run, logins: Path) -> None:
    assert "--logins: only with --pairing" in run("--logins", str(logins), status=2)["said"]
