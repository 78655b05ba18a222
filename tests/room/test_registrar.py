"""Who is let in, by whom the broker is told: kept here in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from controller.broker.steward import StewardError
from controller.pairing.codes import CODE_S, TRIES, typed
from controller.pairing.proof import key_of, proof
from controller.room.registrar import MOST_OFFERS, Registrar, RegistrarError

PRINT = "ab" * 32


class Broker:
    """The logins of a broker; `away`: it can't be asked."""

    def __init__(self) -> None:
        self.logins = {"room": "", "steward": "", "table-10": "", "table-2": ""}
        self.away = False

    async def users(self) -> tuple[str, ...]:
        await asyncio.sleep(0)
        return tuple(self.logins)

    async def let_in(self, site: str, table: str, password: str) -> None:
        if self.away:
            raise StewardError("the broker can't be reached")
        assert site == "club"
        self.logins |= {f"table-{table}": password, f"doctor@table-{table}": password}

    async def shut_out(self, site: str, table: str) -> None:
        assert site == "club"
        for user in (f"table-{table}", f"doctor@table-{table}"):
            self.logins.pop(user, None)


class Desk:
    def __init__(self) -> None:
        self.broker, self.now_s = Broker(), 100.0
        self.registrar = Registrar(
            self.broker, site="club", fingerprint=PRINT, host="", port=8883,
            now_s=lambda: self.now_s,
        )  # fmt: skip

    def shown(self, table: str) -> str:
        """What somebody shows who has read the code for a table."""
        (code,) = [each.code for each in self.registrar.offers() if each.table == table]
        return proof(key_of(typed(code) or "", PRINT), "table")


def desk(act: Callable[[Desk], Awaitable[None]]) -> None:
    async def run() -> None:
        await act(Desk())

    asyncio.run(run())


def test_a_table_with_the_code_is_let_in_and_the_room_shows_that_it_knows_it_too() -> None:
    async def act(at: Desk) -> None:
        await at.registrar.offer("7")
        (offered,) = at.registrar.offers()
        granted = await at.registrar.redeem(at.shown("7"))
        assert granted is not None
        key = key_of(typed(offered.code) or "", PRINT)
        assert (granted.proof, granted.table, granted.site) == (proof(key, "room"), "7", "club")
        assert at.broker.logins["table-7"] == granted.password
        assert len(granted.password) == 32
        assert granted.password not in repr(granted)
        assert at.registrar.offers() == ()
        assert await at.registrar.tables() == ("2", "7", "10")

    desk(act)


def test_a_code_counts_down_and_ends() -> None:
    async def act(at: Desk) -> None:
        await at.registrar.offer("7")
        late = at.shown("7")
        at.now_s += 60
        assert [each.left_s for each in at.registrar.offers()] == [CODE_S - 60]
        at.now_s += CODE_S
        assert at.registrar.offers() == ()
        assert await at.registrar.redeem(late) is None
        assert "table-7" not in at.broker.logins

    desk(act)


def test_wrong_codes_are_told_to_the_admin() -> None:
    async def act(at: Desk) -> None:
        await at.registrar.offer("7")
        for _ in range(TRIES):
            assert await at.registrar.redeem("0" * 64) is None
        assert at.registrar.spoilt
        assert at.registrar.offers() == ()

    desk(act)


def test_a_code_is_open_still_where_the_broker_was_away() -> None:
    async def act(at: Desk) -> None:
        await at.registrar.offer("7")
        at.broker.away = True
        with pytest.raises(StewardError):
            await at.registrar.redeem(at.shown("7"))
        at.broker.away = False
        assert await at.registrar.redeem(at.shown("7")) is not None

    desk(act)


def test_another_name_is_the_tables_when_it_has_come_with_the_code() -> None:
    async def act(at: Desk) -> None:
        await at.registrar.offer("final", replaces="2")
        assert await at.registrar.tables() == ("2", "10")
        assert await at.registrar.redeem(at.shown("final")) is not None
        assert await at.registrar.tables() == ("10", "final")

    desk(act)


def test_a_table_that_is_removed_is_shut_out_and_its_code_ends() -> None:
    async def act(at: Desk) -> None:
        await at.registrar.offer("2")
        await at.registrar.remove("2")
        assert at.registrar.offers() == ()
        assert await at.registrar.tables() == ("10",)

    desk(act)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda registrar: registrar.offer("a/b"), "'a/b' is not a name"),
        (lambda registrar: registrar.offer("9", "3"), "there is no table '3'"),
        (lambda registrar: registrar.offer("10", "2"), "there is a table '10' already"),
        (lambda registrar: registrar.remove("3"), "there is no table '3'"),
    ],
)
def test_what_can_not_be(act: Callable[[Registrar], Awaitable[None]], said: str) -> None:
    async def run(at: Desk) -> None:
        with pytest.raises(RegistrarError, match=said):
            await act(at.registrar)

    desk(run)


def test_codes_are_not_opened_without_end() -> None:
    async def act(at: Desk) -> None:
        for number in range(MOST_OFFERS):
            await at.registrar.offer(f"new-{number}")
        with pytest.raises(RegistrarError, match="codes are open"):
            await at.registrar.offer("one-more")

    desk(act)
