"""What the room's broker lets the table do: log in, write its own topics, read what it must.

Whether something may be read can't be asked for: a broker takes any subscription and then keeps
silent. So the doctor tells itself something: empty messages that nobody keeps.

At a broker that knows a doctor for the table, which may do exactly what the table may, it logs in
as that one: a second login as the table would end the connection of the table's service.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct, structs

from controller.broker.client import SILENT, Endpoint, Incoming, MqttClient
from controller.broker.mosquitto import doctor_of
from controller.contract.messages import ROOM_ANSWER, ROOM_TIME, Message, MessageError
from controller.install.doctor.check import Check, fail, ok, skipped, warn
from controller.install.doctor.network import SERVICE
from controller.install.doctor.time_kept import judge_room

LOGIN_S = 6.0
ANSWER_S = 2.0
ROOM_S = 2.5
"""The room tells its time once a second."""

Taken = Literal["taken", "refused", "unanswered"]

_REFUSED = re.compile(r"refuses user .* \((?P<reason>[^()]+)\)")


class Login(Struct, frozen=True):
    """How a login went: `reason` is the broker's; empty if there was no answer at all. `hangs`: a
    connection is taken, and then nothing is said. `user`: if it was not as the table itself."""

    is_in: bool
    reason: str = ""
    hangs: bool = False
    user: str = ""


class Rights(Struct, frozen=True):
    """What became of each thing that was told, by its kind, and what was heard of it again.

    `room_off_s` is how far this clock is ahead of the room's; None where the room is silent.
    """

    told: Mapping[str, Taken]
    heard: frozenset[str]
    room_off_s: float | None = None


def words_of(site: str, table: str) -> dict[str, Message]:
    """What is told to find out about rights, by kind: a level deeper than what tables and room
    listen to, so that neither hears it."""
    mine = f"cutcard/1/{site}/tables/{table}"
    topics = {
        "alerts": f"{mine}/alerts/doctor/doctor",
        "answers": ROOM_ANSWER.name(site, "doctor"),
        "commands": f"{mine}/cmd/doctor/doctor",
        "other table": f"{mine}-x/alerts/doctor/doctor",
    }
    return {kind: Message(topic, b"", 1, False) for kind, topic in topics.items()}


async def log_in(endpoint: Endpoint) -> Login:
    """Tries to log in, and says good-bye."""
    client, login = await _open(endpoint, ())
    await client.close()
    return login


async def converse(endpoint: Endpoint, site: str, table: str) -> tuple[Login, Rights | None]:
    """Logs in, as the table's doctor where there is one, and finds out what is allowed; None for
    the rights where nobody was let in."""
    if endpoint.user is not None:
        doctor = structs.replace(endpoint, user=doctor_of(endpoint.user))
        login, rights = await _converse(doctor, site, table)
        if login.is_in or not login.reason:
            return structs.replace(login, user=str(doctor.user)), rights
    return await _converse(endpoint, site, table)


async def _converse(endpoint: Endpoint, site: str, table: str) -> tuple[Login, Rights | None]:
    words = words_of(site, table)
    kinds = {message.topic: kind for kind, message in words.items()}
    heard: set[str] = set()
    room: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def hear(incoming: Incoming) -> None:
        if incoming.topic in kinds:
            heard.add(kinds[incoming.topic])
        elif incoming.topic == ROOM_TIME.name(site) and not room.done():
            try:
                now_ms = ROOM_TIME.decode(incoming.payload).value.now_ms
            except MessageError:
                return
            room.set_result(time.time() - now_ms / 1e3)

    filters = (
        f"{ROOM_TIME.name(site).removesuffix('time')}#",
        words["alerts"].topic,
        words["commands"].topic,
    )
    client, login = await _open(endpoint, filters, hear)
    if not login.is_in:
        await client.close()
        return login, None
    told = {kind: await _tell(client, message) for kind, message in words.items()}
    off = None
    done, _ = await asyncio.wait([room], timeout=ROOM_S)
    if done:
        off = room.result()
    await client.close()
    return login, Rights(told, frozenset(heard), off)


def judge_login(user: str | None, login: Login) -> Check:
    """Whether the broker lets the table in."""
    if login.is_in:
        return ok("login", f"as {login.user or user}")
    if login.hangs:
        return fail(
            "login",
            "the broker takes the connection and then says nothing: it hangs",
            f"Start it again, on its machine: sudo systemctl restart {SERVICE}; if that is of no "
            "use, see what listens at [broker] port there",
        )
    if not login.reason:
        return fail(
            "login",
            "something answers there that does not speak MQTT 5",
            f"Check that [broker] port is the broker's, with TLS if ca_file is set: {_ITS_LOG}",
        )
    if "version" in login.reason.lower():
        return fail(
            "login",
            f"the broker does not speak MQTT 5 ({login.reason})",
            "Use mosquitto 2 or newer.",
        )
    return fail(
        "login",
        f"the broker refuses user {user}: {login.reason}",
        "Pair it again, with a new code from the room's page Tables: sudo cutcard pair. Or give it "
        f"another password, on the broker's machine: sudo cutcard broker --renew {user}, and what "
        f"that says at its end; then put /etc/cutcard/broker/{user}.password into "
        "/etc/credstore/cutcard.mqtt-password here",
    )


def judge_anonymous(login: Login) -> Check:
    """Whether somebody without a name is let in."""
    if login.is_in:
        return warn(
            "strangers",
            "the broker lets anyone in without a password",
            "Set the broker up with sudo cutcard broker (docs/broker.md), and take allow_anonymous "
            "true out of every other file that it names",
        )
    return ok("strangers", "nobody gets in without a password")


def judge_rights(site: str, table: str, user: str | None, rights: Rights) -> list[Check]:
    """Whether the table may write and read what it must, and nothing of another table's."""
    words = words_of(site, table)
    todo = (
        "Have the rights written again, on the broker's machine: sudo cutcard broker --tables "
        f"{table}, and what that says at its end (config/broker/table.acl shows them all)"
    )
    checks = []
    for kind, right in (
        ("alerts", f"cutcard/1/{site}/tables/{table}/alerts/+"),
        ("answers", f"cutcard/1/{site}/room/answers/+"),
    ):
        topic = words[kind].topic
        match rights.told[kind]:
            case "taken":
                checks.append(ok("may write", right))
            case "refused":
                checks.append(fail("may write", f"{user} may not write {topic}", todo))
            case "unanswered":
                checks.append(
                    fail("may write", f"what was written to {topic} did not come back", _AGAIN)
                )
    for kind, right in (
        ("alerts", f"cutcard/1/{site}/tables/{table}/alerts/#"),
        ("commands", f"cutcard/1/{site}/tables/{table}/cmd/#"),
    ):
        if kind in rights.heard:
            checks.append(ok("may read", right))
        elif rights.told[kind] == "taken":
            checks.append(fail("may read", f"{user} hears nothing of {right}", todo))
        else:
            checks.append(
                skipped("may read", f"{right} can't be tried: {user} may not write there")
            )
    if rights.told["other table"] == "taken":
        checks.append(
            warn("other tables", f"{user} may write as other tables", todo),
        )
    elif "answers" in rights.heard:
        checks.append(
            warn("other tables", f"{user} may read what other tables answer to the room", todo)
        )
    else:
        checks.append(ok("other tables", f"{user} may do nothing in the name of other tables"))
    checks.append(judge_room(rights.room_off_s))
    return checks


_ITS_LOG = "journalctl -n 20 -u cutcard-broker -u mosquitto"
_AGAIN = f"Read what the broker says and try again: {_ITS_LOG}"


def without_password(endpoint: Endpoint) -> Endpoint:
    """The same broker, for somebody without a name."""
    return structs.replace(endpoint, user=None, password=None)


async def _open(
    endpoint: Endpoint, filters: Sequence[str], hear: Callable[[Incoming], None] = lambda _: None
) -> tuple[MqttClient, Login]:
    """A client that is connected, or was told why not."""
    said: list[str] = []
    moved = asyncio.Event()

    def report(line: str) -> None:
        said.append(line)
        moved.set()

    client = MqttClient(endpoint, "cutcard-doctor", report=report)
    for each in filters:
        client.subscribe(each)
    client.start(hear, lambda _up: moved.set())
    try:
        async with asyncio.timeout(LOGIN_S):
            await moved.wait()
    except TimeoutError:
        return client, Login(False)
    if client.connected:
        return client, Login(True)
    if said and said[0].endswith(SILENT):
        return client, Login(False, hangs=True)
    found = _REFUSED.search(said[0]) if said else None
    return client, Login(False, found["reason"] if found else "")


async def _tell(client: MqttClient, message: Message) -> Taken:
    before = client.refused
    client.publish(message)
    try:
        async with asyncio.timeout(ANSWER_S):
            while len(client.outbox):  # noqa: ASYNC110 - the client has no event for it
                await asyncio.sleep(0.01)
    except TimeoutError:
        return "unanswered"
    return "taken" if client.refused == before else "refused"
