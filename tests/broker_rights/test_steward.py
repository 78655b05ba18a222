"""Tables that come and go while the broker runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.broker import farewell, logins, steward
from controller.broker.client import Endpoint, Incoming
from controller.broker.mosquitto import STEWARD
from controller.broker.ports import LOOPBACK
from controller.broker.steward import Steward, StewardError
from tests.broker_rights.peer import REFUSED, peer
from tests.broker_rights.shipped import SITE, Shipped, a_broker
from tests.waiting import PATIENCE_S, until, wait_until

HAND = f"cutcard/1/{SITE}/tables/T9/hand"


@pytest.fixture
def by_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shipped]:
    for module in (farewell, steward):
        monkeypatch.setattr(module, "PATIENCE_S", PATIENCE_S)
    with a_broker(folder, by_room=True) as running:
        yield running


def table(shipped: Shipped, password: str, user: str = "table-T9") -> Endpoint:
    return Endpoint(LOOPBACK, shipped.port, user, password, str(shipped.ca))


def test_a_table_that_is_let_in_is_in_at_once_and_nobody_else_notices(by_room: Shipped) -> None:
    with peer(by_room.login("room")) as room:
        with peer(table(by_room, "secret")) as early:
            assert early.entered == REFUSED
        by_room.let_in("T9", "secret")
        room.subscribe(HAND)
        for user in ("table-T9", "doctor@table-T9"):
            with peer(table(by_room, "secret", user)) as one:
                assert one.entered == 0
                one.publish({HAND: user.encode()})
                room.hears(user.encode())
        assert not room.lost


def test_a_table_that_is_shut_out_is_out_at_once(by_room: Shipped) -> None:
    by_room.let_in("T9", "secret")
    with peer(table(by_room, "secret")) as one:
        by_room.steward(lambda steward: steward.shut_out(SITE, "T9"))
        wait_until(lambda: one.lost)
    with peer(table(by_room, "secret")) as again:
        assert again.entered == REFUSED


def test_what_a_table_left_is_forgotten_with_it(by_room: Shipped) -> None:
    """The room that is there hears that it is taken out, and one that comes hears nothing."""
    base = f"cutcard/1/{SITE}/tables"
    left = [f"{base}/T9/{each}" for each in ("alerts/7", "alerts/8", "hand", "health", "$state")]
    other = f"{base}/T8/$state"
    for name in ("T8", "T9"):
        by_room.let_in(name, "secret")
    with peer(table(by_room, "secret")) as one, peer(table(by_room, "secret", "table-T8")) as two:
        one.publish(dict.fromkeys(left, b"kept"), retain=True)
        two.publish({other: b"kept"}, retain=True)
    with peer(by_room.login("room")) as room:
        room.subscribe("#")
        wait_until(lambda: len(room.heard) == len(left) + 1)
        by_room.steward(lambda steward: steward.shut_out(SITE, "T9"))
        wait_until(lambda: len(room.heard) == 2 * len(left) + 1)
        deleted = room.heard[len(left) + 1 :]
        assert {each.topic for each in deleted if not each.payload} == set(left)
        assert deleted[-1].topic == left[-1]
    with peer(by_room.login("room")) as late:
        late.subscribe("#")
        wait_until(lambda: late.heard)
        clock = f"cutcard/1/{SITE}/room/clock"
        late.publish({clock: b"end"})
        late.hears(b"end")
        assert [each.topic for each in late.heard] == [other, clock]


def test_a_table_that_is_not_there_is_shut_out_already(by_room: Shipped) -> None:
    by_room.steward(lambda steward: steward.shut_out(SITE, "T9"))
    assert "table-T9" not in by_room.steward(lambda steward: steward.users())


def test_a_table_that_is_let_in_again_has_a_new_password_alone(by_room: Shipped) -> None:
    by_room.let_in("T9", "secret")
    with peer(table(by_room, "secret")) as one:
        by_room.let_in("T9", "another")
        wait_until(lambda: one.lost)
    with peer(table(by_room, "secret")) as old, peer(table(by_room, "another")) as new:
        assert (old.entered, new.entered) == (REFUSED, 0)


def test_a_table_is_known_after_a_restart(folder: Path) -> None:
    with a_broker(folder, by_room=True) as shipped:
        shipped.let_in("T9", "secret")
    with shipped.running(), peer(table(shipped, "secret")) as one:
        assert one.entered == 0


def test_who_was_let_in_by_the_room_is_known_to_the_command(by_room: Shipped) -> None:
    """Which changes nothing of him, and so does not write what mosquitto writes."""
    by_room.let_in("T9", "secret")
    before = by_room.logins.read_bytes()
    by_room.set_up()
    assert by_room.logins.read_bytes() == before
    by_room.set_up("--tables", "T8")
    users = {each["username"] for each in json.loads(by_room.logins.read_bytes())["clients"]}
    assert {"table-T8", "table-T9", "doctor@table-T9", STEWARD} <= users


def test_all_users_are_listed(by_room: Shipped) -> None:
    by_room.let_in("T9", "secret")
    own = {"room", "archive", "screen", STEWARD}
    assert set(by_room.steward(lambda steward: steward.users())) == own | {
        "table-T9",
        "doctor@table-T9",
    }


def test_a_late_answer_is_none_to_what_is_asked_next(
    by_room: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def impatient(asked: Steward) -> tuple[str, ...]:
        monkeypatch.setattr(steward, "PATIENCE_S", 0.0)
        with pytest.raises(StewardError, match="does not answer"):
            await asked.let_in(SITE, "T9", "secret")
        monkeypatch.setattr(steward, "PATIENCE_S", PATIENCE_S)
        return await asked.users()

    assert "table-T9" in by_room.steward(impatient)


def test_nobody_else_is_a_steward(shipped: Shipped) -> None:
    """Nor hears what he is answered."""
    command = b'{"commands": [{"command": "createClient", "username": "me", "password": "x"}]}'
    users = ("table-T1", "doctor@table-T1", "room", "archive", "screen")
    for user in users:
        with peer(shipped.login(user)) as one:
            one.subscribe("$CONTROL/#", logins.RESPONSE)
            assert one.publish({logins.CONTROL: command}) == {logins.CONTROL: REFUSED}
            assert one.publish({logins.RESPONSE: b"forged"}) == {logins.RESPONSE: REFUSED}
            if shipped.by_room:
                assert "me" not in shipped.steward(lambda steward: steward.users())
            assert one.heard == []


def test_a_steward_says_and_hears_nothing_of_the_tables(by_room: Shipped) -> None:
    with peer(by_room.login(STEWARD)) as steward, peer(by_room.login("room")) as room:
        steward.subscribe("#", logins.RESPONSE)
        assert steward.publish({HAND: b"mine"}) == {HAND: REFUSED}
        clock = f"cutcard/1/{SITE}/room/clock"
        assert room.publish({clock: b"12:00"})[clock] != REFUSED
        steward.publish({logins.CONTROL: b'{"commands": [{"command": "listRoles"}]}'})
        wait_until(lambda: steward.heard)
        assert {each.topic for each in steward.heard} == {logins.RESPONSE}


def test_what_can_not_be_told_is_said_and_not_done_later(folder: Path) -> None:
    with a_broker(folder, by_room=True) as shipped:
        pass

    async def run() -> None:
        steward = Steward(shipped.login(STEWARD), report=lambda _line: None)
        steward.start()
        with pytest.raises(StewardError, match="can't be reached"):
            await steward.let_in(SITE, "T9", "secret")
        with shipped.running():
            await until(lambda: steward.connected)
            assert "table-T9" not in await steward.users()
        await steward.close()

    asyncio.run(run())


@pytest.mark.parametrize("payload", [b"", b"[", b'{"responses": 7}'])
def test_an_answer_that_can_not_be_read_is_said(by_room: Shipped, payload: bytes) -> None:
    """A broker's, whose words are not those of any version known."""

    async def run() -> None:
        steward = Steward(by_room.login(STEWARD), report=pytest.fail)
        steward.start()
        await until(lambda: steward.connected)
        asking = asyncio.create_task(steward.users())
        await asyncio.sleep(0)
        steward._heard(Incoming(logins.RESPONSE, payload, False))
        with pytest.raises(StewardError, match="can't be read"):
            await asking
        await steward.close()

    asyncio.run(run())


def test_what_the_broker_refuses_is_said(by_room: Shipped) -> None:
    """As it says it, of a role that is there twice."""

    async def twice(steward: Steward) -> None:
        role = logins.Command("createRole", rolename="room", acls=())
        await steward._ask((role,))

    with pytest.raises(StewardError, match="refuses createRole: Role already exists"):
        by_room.steward(twice)
