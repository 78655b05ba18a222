"""A table that has no room yet, a person between two screens, a code."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from controller.broker.client import Endpoint
from controller.broker.ports import LOOPBACK
from controller.install.pair.meeting import RefusedError, authority_at, paired
from controller.pairing.codes import TRIES
from controller.pairing.proof import in_rows
from tests.broker_rights.peer import REFUSED, peer
from tests.broker_rights.shipped import SITE
from tests.in_process import Ran, cutcard
from tests.install.pair.conftest import Room, digits
from tests.install.person import at_terminal
from tests.waiting import wait_until

ETC, CREDENTIALS = "etc/cutcard", "etc/credstore"


def pair(machine: Path, *words: str, answers: str = "") -> Ran:
    return cutcard("pair", "--root", ".", *words, cwd=machine, answers=answers)


def login(machine: Path) -> Endpoint:
    """As the table's service logs in, by what it finds on its machine."""
    settings = tomllib.loads((machine / ETC / "table.toml").read_text())
    broker = settings["broker"]
    return Endpoint(
        broker["host"],
        broker["port"],
        f"table-{settings['table']['id']}",
        (machine / CREDENTIALS / "cutcard.mqtt-password").read_text().strip(),
        str(machine / ETC / broker["ca_file"]),
    )


@contextmanager
def table_service(machine: Path) -> Iterator[None]:
    """`cutcard table`, with the credential that systemd would lend it."""
    with subprocess.Popen(
        [sys.executable, "-m", "controller", "table", "--config", f"{machine}/{ETC}/table.toml"],
        env=os.environ | {"CREDENTIALS_DIRECTORY": str(machine / CREDENTIALS)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def test_a_person_pairs_a_table_and_it_is_at_the_room(room: Room, machine: Path) -> None:
    code = room.code("7")

    async def sit() -> tuple[int, str]:
        words = ("pair", str(room.address), "--root", str(machine))
        async with at_terminal(*words, cwd=machine) as person:
            shown = await person.answers("Are both the same? [y/N] ", "y")
            for row in in_rows(room.fingerprint):
                assert f"    {row}\n" in shown
            await person.answers("Code: ", "2222 222")
            assert "two groups of four" in await person.answers("Code: ", "2222 2222")
            assert "does not know this code" in await person.answers("Code: ", code.lower())
            return await person.leaves(), person.text

    status, text = asyncio.run(sit())
    assert status == 0
    assert text.endswith(
        f"this is table 7 of {LOOPBACK} now; to begin: sudo systemctl enable --now cutcard-table\n"
    )
    assert room.offers() == []
    assert room.known() == ["7"]
    assert not room.is_live("7")
    with table_service(machine):
        wait_until(lambda: room.is_live("7"))
        assert "<td>7</td>" in room.admin.get("/").text
        room.does("remove", table="7")
        wait_until(lambda: "<td>7</td>" not in room.admin.get("/").text)
    told = room.admin.get("/people.json").text
    assert "A stranger paired a table (table 7)" in told
    assert "A stranger tried to pair a table" in told


def test_what_a_table_keeps(room: Room, machine: Path) -> None:
    settings = machine / ETC / "table.toml"
    settings.chmod(0o640)
    before = tomllib.loads(settings.read_text())
    code = room.code("8")
    answers = f"y\n{code}\n"
    status, out, err = pair(machine, str(room.address), "--json", answers=answers)
    assert (status, code in err) == (0, False)
    assert json.loads(out) == {
        "table": "8", "site": SITE, "host": LOOPBACK, "port": room.shipped.port,
        "restarted": False,
    }  # fmt: skip
    after = tomllib.loads(settings.read_text())
    assert after == {
        **before,
        "table": {**before["table"], "id": "8"},
        "broker": {
            "host": LOOPBACK, "site": SITE, "port": room.shipped.port, "ca_file": "ca.pem",
        },
    }  # fmt: skip
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640
    password = machine / CREDENTIALS / "cutcard.mqtt-password"
    assert stat.S_IMODE(password.stat().st_mode) == 0o600
    assert password.read_text().strip() not in out + err
    authority = machine / ETC / "ca.pem"
    assert ssl.PEM_cert_to_DER_cert(authority.read_text()) == ssl.PEM_cert_to_DER_cert(
        room.shipped.ca.read_text()
    )
    with peer(login(machine)) as one:
        assert one.entered == 0


def test_a_table_that_is_removed_is_out_at_once(room: Room, machine: Path) -> None:
    pair(machine, str(room.address), answers=f"y\n{room.code('9')}\n")
    with peer(login(machine)) as one:
        assert one.entered == 0
        assert room.does("remove", table="9").status_code == 200
        wait_until(lambda: one.lost)
    assert "9" not in room.known()
    with peer(login(machine)) as again:
        assert again.entered == REFUSED
    assert room.does("remove", table="9").status_code == 409


def test_a_table_gets_another_name(room: Room, machine: Path) -> None:
    pair(machine, str(room.address), answers=f"y\n{room.code('10')}\n")
    old = login(machine)
    code = room.code("final", replaces="10")
    assert "10" in room.known()
    pair(machine, str(room.address), answers=f"y\n{code}\n")
    assert "10" not in room.known()
    assert login(machine).user == "table-final"
    with peer(old) as before, peer(login(machine)) as now:
        assert (before.entered, now.entered) == (REFUSED, 0)


def test_a_fingerprint_that_differs_ends_it(room: Room, machine: Path) -> None:
    code = room.code("11")
    for answer in ("n", "", "what?"):
        status, out, _ = pair(machine, str(room.address), answers=f"{answer}\n{code}\n")
        assert status == 1
        assert "Not paired" in out
    assert "11" in room.offers()
    assert not (machine / CREDENTIALS).exists()
    room.does("withdraw", table="11")
    assert "11" not in room.offers()


def test_wrong_codes_end_the_right_one(room: Room) -> None:
    code = room.code("12")
    authority = authority_at(room.address)
    for _ in range(TRIES):
        with pytest.raises(RefusedError):
            paired(room.address, authority, "22222222")
    assert room.tables()["spoilt"]
    with pytest.raises(RefusedError):
        paired(room.address, authority, digits(code))
    assert room.does("add", table="12").status_code == 200
    assert not room.tables()["spoilt"]


def test_a_code_that_was_used_is_used_up(room: Room) -> None:
    code = room.code("13")
    authority = authority_at(room.address)
    assert paired(room.address, authority, digits(code)).table == "13"
    with pytest.raises(RefusedError):
        paired(room.address, authority, digits(code))


def write_answers(machine: Path, **fields: str) -> Path:
    file = machine / "cutcard-pair.toml"
    file.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items()))
    return file


def test_a_file_does_for_a_table_without_a_screen(room: Room, machine: Path) -> None:
    file = write_answers(
        machine, address=str(room.address), code=room.code("14"), fingerprint=room.fingerprint
    )
    status, out, err = pair(machine, "--file", file.name)
    assert (status, err) == (0, "")
    assert out.startswith("this is table 14 of")
    assert not file.exists()
    with peer(login(machine)) as one:
        assert one.entered == 0


def test_a_file_with_another_fingerprint_tells_nobody_the_code(room: Room, machine: Path) -> None:
    code = room.code("15")
    file = write_answers(machine, address=str(room.address), code=code, fingerprint="ab" * 32)
    status, _, err = pair(machine, "--file", file.name)
    assert (status, err.count("\n")) == (2, 1)
    assert "another fingerprint" in err
    assert file.exists()
    assert paired(room.address, authority_at(room.address), digits(code)).table == "15"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"code": "2222 2222"}, "lacks fingerprint"),
        ({"code": "2222", "fingerprint": "ab" * 32}, "code: this is no code"),
        ({"code": "2222 2222", "fingerprint": "ab"}, "fingerprint: 64 hex digits"),
        ({"code": "2222 2222", "fingerprint": "ab" * 32, "adress": "x"}, "did you mean 'address'"),
        ({"code": "2222 2222", "fingerprint": "ab" * 32, "address": "a b"}, "address: 'a b' is no"),
    ],
)
def test_a_mistake_in_the_file_is_said(machine: Path, fields: dict[str, str], said: str) -> None:
    status, out, err = pair(machine, "--file", write_answers(machine, **fields).name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert "2222 2222" not in err


def test_nothing_is_asked_where_the_settings_can_not_take_it(room: Room, machine: Path) -> None:
    code = room.code("16")
    (machine / ETC / "table.toml").write_text('table = { id = "7" }\n')
    status, _, err = pair(machine, str(room.address), answers=f"y\n{code}\n")
    assert (status, err.count("\n")) == (2, 1)
    assert "16" in room.offers()
    (machine / ETC / "table.toml").unlink()
    status, _, err = pair(machine, str(room.address))
    assert (status, "sudo cutcard setup table first" in err) == (2, True)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["127.0.0.1:1"], 1, "no room answers at 127.0.0.1:1 (Connection refused)"),
        (["no.such.invalid"], 1, "there is no machine no.such.invalid here"),
        (["http://room"], 2, "'http://room' is not a room's address"),
        (["room:0"], 2, "'room:0' is not a room's address"),
        (["room", "--file", "x"], 2, "either an address or --file"),
        (["--file", "nothing.toml"], 2, "nothing.toml: No such file"),
        (["--look", "0"], 2, "is not a time"),
    ],
)
def test_what_is_refused(machine: Path, words: list[str], status: int, said: str) -> None:
    found, out, err = pair(machine, *words)
    assert (found, out, said in err) == (status, "", True), err


def test_a_broker_is_no_room(room: Room, machine: Path) -> None:
    status, _, err = pair(machine, f"{LOOPBACK}:{room.shipped.port}")
    assert (status, "no room answers" in err) == (1, True)


def test_ctrl_c_ends_it(room: Room, machine: Path) -> None:
    async def sit() -> int:
        words = ("pair", str(room.address), "--root", str(machine))
        async with at_terminal(*words, cwd=machine) as person:
            await person.sees("Are both the same? [y/N] ")
            person.presses_ctrl_c()
            return await person.leaves()

    assert asyncio.run(sit()) == 130
    assert not (machine / CREDENTIALS).exists()


def test_what_strangers_say_at_the_door_is_refused(room: Room) -> None:
    context = ssl.create_default_context(cafile=str(room.shipped.ca))
    base = f"https://{room.address.host}:{room.address.port}"
    with httpx.Client(base_url=base, verify=context, timeout=60) as client:
        assert client.post("/pair", content=b"x" * 5_000).status_code == 413
        for body in (b"", b"[", b'{"proof": "short"}', b'{"proof": 7}'):
            assert client.post("/pair", content=body).status_code == 400
        assert client.get("/pair").status_code == 405
        assert client.get("/tables.json").status_code == 404
        assert client.post("/pair", json={"proof": "0" * 64}).status_code == 403


def test_only_an_admin_lets_tables_in(room: Room) -> None:
    with httpx.Client(base_url=room.url) as stranger:
        assert stranger.get("/tables.json").status_code == 401
        ours = {"Origin": room.url.rstrip("/"), "X-Requested-With": "cutcard"}
        answer = stranger.post("/tables/add", json={"table": "99"}, headers=ours)
        assert answer.status_code == 401
    assert "99" not in room.offers()


@pytest.mark.parametrize("table", ["a b", "", "../x"])
def test_a_name_that_is_none_is_refused(room: Room, table: str) -> None:
    answer = room.does("add", table=table)
    assert (answer.status_code, "is not a name" in answer.text) == (409, True)
