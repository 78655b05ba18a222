"""Which tables the room's broker lets in, and the codes by which new ones come."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from controller.broker.mosquitto import account, new_password, table_account
from controller.pairing.codes import CODE_S, Offer, Pairing, in_groups, new_code
from controller.pairing.proof import key_of, proof
from controller.pairing.words import Granted

MOST_OFFERS = 20


class RegistrarError(Exception):
    """It can't be so; one line says why."""


class LettingIn(Protocol):
    """Who changes the broker's logins; each raises StewardError."""

    async def users(self) -> Sequence[str]:
        """Who may log in."""

    async def let_in(self, site: str, table: str, password: str) -> None:
        """Makes a table's login."""

    async def shut_out(self, site: str, table: str) -> None:
        """Takes it away, with what the table has left at the broker."""


class Offered(Struct, frozen=True):
    """An open code, for an admin; `left_s` is for how many seconds it is good."""

    table: str
    code: str
    left_s: float
    replaces: str


class Registrar:
    """`fingerprint` is that of the authority by which tables trust the room, `host` and `port` are
    where they find the broker. `now_s` never goes back; `choose` takes a letter by chance."""

    def __init__(
        self,
        steward: LettingIn,
        *,
        site: str,
        fingerprint: str,
        host: str,
        port: int,
        now_s: Callable[[], float] = time.monotonic,
        choose: Callable[[str], str] = secrets.choice,
        password: Callable[[], str] = new_password,
    ) -> None:
        self.fingerprint = fingerprint
        self._steward = steward
        self._site, self._host, self._port = site, host, port
        self._now_s, self._choose, self._password = now_s, choose, password
        self._pairing = Pairing()

    async def tables(self) -> tuple[str, ...]:
        """Those that are let in, in order. Raises StewardError."""
        found = map(account, await self._steward.users())
        tables = {each.table for each in found if each is not None and each.table}
        return tuple(sorted(tables, key=lambda table: (len(table), table)))

    def offers(self) -> tuple[Offered, ...]:
        """The codes that are open."""
        now_s = self._now_s()
        self._pairing = self._pairing.at(now_s)
        return tuple(
            Offered(each.table, in_groups(each.code), each.until_s - now_s, each.replaces)
            for each in self._pairing.offers
        )

    @property
    def spoilt(self) -> bool:
        """Whether too many wrong codes ended those that were open."""
        return self._pairing.spoilt

    async def offer(self, table: str, replaces: str = "") -> None:
        """Opens a code for a table; one that is `replaced` is shut out when it has come. Raises
        RegistrarError and StewardError."""
        try:
            table_account(table)
        except ValueError as error:
            raise RegistrarError(str(error)) from None
        known = await self.tables()
        if replaces and replaces not in known:
            raise RegistrarError(f"there is no table {replaces[:64]!r}")
        if replaces and table in known:
            raise RegistrarError(f"there is a table {table!r} already")
        if len(self.offers()) >= MOST_OFFERS:
            raise RegistrarError(f"{MOST_OFFERS} codes are open; use some of them first")
        code = new_code(self._choose)
        key = await asyncio.to_thread(key_of, code, self.fingerprint)
        until_s = self._now_s() + CODE_S
        self._pairing = self._pairing.offering(Offer(table, code, key, until_s, replaces))

    def withdraw(self, table: str) -> None:
        """Ends the code for a table."""
        self._pairing = self._pairing.without(table)

    async def remove(self, table: str) -> None:
        """Shuts a table out, and ends its code. Raises RegistrarError and StewardError."""
        if table not in await self.tables():
            raise RegistrarError(f"there is no table {table[:64]!r}")
        self.withdraw(table)
        await self._steward.shut_out(self._site, table)

    async def redeem(self, proved: str) -> Granted | None:
        """What a table gets that has shown this proof; None where it is none. Raises
        StewardError, and the code is open still."""
        self._pairing, offer = self._pairing.tried(proved, self._now_s())
        if offer is None:
            return None
        password = self._password()
        try:
            await self._steward.let_in(self._site, offer.table, password)
            if offer.replaces:
                await self._steward.shut_out(self._site, offer.replaces)
        except BaseException:
            self._pairing = self._pairing.offering(offer)
            raise
        mine = proof(offer.key, "room")
        return Granted(mine, offer.table, self._site, self._host, self._port, password)
