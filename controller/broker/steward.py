"""Who lets tables in at a broker that keeps its logins itself, and shuts them out: at once, while
everybody plays."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct, field, structs

from controller.broker import logins, mosquitto
from controller.broker.client import Endpoint, Incoming, MqttClient, to_stderr
from controller.broker.farewell import take_back
from controller.broker.logins import Command
from controller.contract.messages import Message

PATIENCE_S = 5.0


class StewardError(Exception):
    """The broker did not do it; one line says why."""


class _Commands(Struct, frozen=True):
    commands: Sequence[Command]


class _Listed(Struct, frozen=True):
    clients: tuple[str, ...] = ()


class _Response(Struct, frozen=True):
    command: str = ""
    error: str = ""
    correlation: str = field(name="correlationData", default="")
    data: _Listed = _Listed()


class _Responses(Struct, frozen=True):
    responses: tuple[_Response, ...]


class Steward:
    """The steward's connection. One thing is asked after the other; nothing that was asked waits
    for a broker that is away."""

    def __init__(self, endpoint: Endpoint, *, report: Callable[[str], None] = to_stderr) -> None:
        self._endpoint, self._report = endpoint, report
        self._client = MqttClient(endpoint, "cutcard-steward", report=report)
        self._client.subscribe(logins.RESPONSE)
        self._asking = asyncio.Lock()
        self._answer: asyncio.Future[tuple[_Response, ...]] | None = None
        self._asked = secrets.randbits(32)  # a room of before may be answered still

    @property
    def connected(self) -> bool:
        """Whether the broker can be asked."""
        return self._client.connected

    def start(self) -> None:
        """Begins to connect. Needs a running loop."""
        self._client.start(self._heard)

    async def close(self) -> None:
        """Says good-bye."""
        await self._client.close(0.0)

    async def users(self) -> tuple[str, ...]:
        """Who may log in. Raises StewardError."""
        listed = await self._ask((Command("listClients"),))
        return tuple(user for each in listed for user in each.data.clients)

    async def let_in(self, site: str, table: str, password: str) -> None:
        """Makes a table's login, and its doctor's, in the place of any before. Raises
        StewardError."""
        await self._ask(logins.letting_in(site, table, password))

    async def shut_out(self, site: str, table: str) -> None:
        """Takes them away, ends their connections, and has what the table left at the broker
        forgotten; those who have none stay so. Raises StewardError."""
        own = mosquitto.table_account(table)
        if own.user in await self.users():
            password = mosquitto.new_password()
            await self.let_in(site, table, password)  # from here on nobody else has it
            itself = structs.replace(self._endpoint, user=own.user, password=password)
            if not await take_back(itself, site, table, report=self._report):
                self._report(f"what table {table} said last stays until the broker starts again")
        await self._ask(logins.shutting_out(table))

    async def _ask(self, commands: Sequence[Command]) -> tuple[_Response, ...]:
        async with self._asking:
            if not self._client.connected:
                raise StewardError("the broker can't be reached")
            self._answer = asyncio.get_running_loop().create_future()
            self._asked += 1
            named = [structs.replace(each, correlation=str(self._asked)) for each in commands]
            payload = msgspec.json.encode(_Commands(named))
            # By QoS 0, which is gone where it can't be said now.
            self._client.publish(Message(logins.CONTROL, payload, 0, retain=False))
            try:
                async with asyncio.timeout(PATIENCE_S):
                    said = await self._answer
            except TimeoutError:
                raise StewardError("the broker does not answer") from None
            finally:
                self._answer = None
        for each in said:
            if each.error and each.error not in logins.GONE:
                raise StewardError(f"the broker refuses {each.command}: {each.error}")
        return said

    def _heard(self, incoming: Incoming) -> None:
        if self._answer is None or self._answer.done():
            return
        try:
            said = msgspec.json.decode(incoming.payload, type=_Responses).responses
        except msgspec.MsgspecError:
            self._answer.set_exception(StewardError("the broker's answer can't be read"))
            return
        # Others are late, to what is waited for no longer.
        if all(each.correlation == str(self._asked) or _is_nameless(each) for each in said):
            self._answer.set_result(said)


def _is_nameless(response: _Response) -> bool:
    """Whether it is to what the broker could not even read."""
    return bool(response.error) and not response.correlation
