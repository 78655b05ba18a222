"""A floorperson rules at the dealer's screen: by PIN, by badge, and nobody else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from controller.people.pins import FIRST_WAIT_S, hashed
from controller.table import floor
from controller.table.floor import FloorLogin, Guesses, read_guesses, write_guesses
from controller.table.floor_here import FloorHere
from controller.table.screens import Screens
from tests.journal.lines import kept as kept_lines
from tests.table.felt import Felt, Room, a_table, pause, play_to_a_four_card_flop
from tests.waiting import until

BADGE = "E004015000AB00CD"
PIN = "471108471142"


def view(room: Room) -> dict[str, Any]:
    return (room.last("T1/hand") or {}).get("view", {})  # type: ignore[no-any-return]


def with_floor(folder: Path) -> None:
    """The table's settings know Ann by PIN and Eve by badge."""
    people = folder / "floor.toml"
    people.write_text(f'"Ann" = "{hashed(PIN)}"\n')
    people.chmod(0o600)
    settings = folder / "table.toml"
    text = settings.read_text() + '[floor]\nfile = "floor.toml"\n'
    settings.write_text(f'{text}[deck.objects]\n"{BADGE}" = "badge:Eve"\n')
    settings.chmod(0o600)


def table(test: Callable[[Felt, Room], Coroutine[Any, Any, None]]) -> Callable[[Path], None]:
    def run(tmp_path: Path) -> None:
        nothing_secret_is_kept(tmp_path, asyncio.run(_at_a_table(tmp_path, test)))

    run.__name__ = test.__name__.lstrip("_")
    return run


async def _at_a_table(
    folder: Path, test: Callable[[Felt, Room], Coroutine[Any, Any, None]]
) -> Room:
    async with a_table(folder, prepare=with_floor) as (felt, room, _):
        await until(lambda: room.states()[-1:] == ["ready"])
        await test(felt, room)
    return room


def nothing_secret_is_kept(folder: Path, room: Room) -> None:
    places = [path.read_bytes() for path in (*folder.glob("journal.sqlite*"), folder / "said")]
    for each in (*places, *(payload for _, payload in room.messages)):
        assert PIN.encode() not in each
        assert b"argon2" not in each
        assert BADGE.encode() not in each
    for topic, payload in room.messages:
        told = {b"floor_names", b"floor_in", b"floor_wait", b"floor_wrong"}
        assert not topic.endswith("/hand") or not any(name in payload for name in told)


async def sign_in(felt: Felt, pin: str = PIN, name: str = "Ann") -> None:
    await felt.enter(kind="floor-login", name=name, pin=pin)


def kept(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = [json.loads(line)["o"] for line in kept_lines(folder / "journal.sqlite")]
    return [line for line in lines if line["kind"] == kind]


async def _by_pin(felt: Felt, room: Room) -> None:
    await play_to_a_four_card_flop(felt)
    await until(lambda: room.events("finding"))
    await felt.shows(floor_names=["Ann"])
    ruling: dict[str, Any] = {"kind": "floor", "input": "ruling", "finding": 1, "outcome": "stands"}
    await felt.enter(**ruling)
    await felt.enter(**ruling, by="Ann")
    await until(lambda: (room.last("T1/health") or {})["refused_entries"] == 2)
    assert not room.events("closed")
    await sign_in(felt)
    await felt.shows(floor_in="Ann")
    await felt.enter(**ruling, by="Bob")
    await until(lambda: room.events("closed"))
    assert room.events("closed")[0]["how"] == "ruled"
    assert [line["by"] for line in kept(felt.folder, "floor")] == ["Ann"]
    await felt.enter(kind="floor", input="pick", tag=felt.tags["As"])
    await until(lambda: (room.last("T1/health") or {})["refused_entries"] == 3)
    await felt.enter(kind="floor-logout")
    await felt.shows(floor_in=None)
    await felt.enter(kind="floor", input="misdeal")
    await until(lambda: (room.last("T1/health") or {})["refused_entries"] == 4)
    assert len(kept(felt.folder, "floor")) == 1


test_a_pin_lets_its_owner_rule_and_nobody_else = table(_by_pin)


async def _by_badge(felt: Felt, room: Room) -> None:
    await felt.deal()
    felt.virtual.place("muck", BADGE)
    await felt.shows(floor_in="Eve")
    await felt.enter(kind="floor", input="misdeal", by="Ann")
    await until(lambda: view(room)["phase"] == "misdeal")
    assert [line["by"] for line in kept(felt.folder, "floor")] == ["Eve"]
    await felt.kill()
    (felt.folder / "dealer.sock").unlink()
    await felt.start()
    # It still lies there: that signs nobody in.
    await until(lambda: room.states()[-3:] == ["lost", "init", "ready"])
    await pause(1)
    await felt.shows(floor_in=None)
    felt.virtual.take("muck", BADGE)
    await pause(2)
    felt.virtual.place("seat/1", BADGE)
    await felt.shows(floor_in="Eve")


test_a_badge_on_any_antenna_signs_its_owner_in = table(_by_badge)


async def _guessed(felt: Felt, room: Room) -> None:
    for number, (name, pin) in enumerate((("Ann", "0000"), ("Bob", PIN), ("Ann", "4710")), 1):
        await sign_in(felt, pin, name)
        await felt.shows(floor_wrong=number)
    await sign_in(felt)  # and is not heard
    await until(lambda: (room.last("T1/health") or {})["refused_entries"] == 4)
    await felt.shows(floor_in=None)
    await felt.shows(floor_wait=None)
    await sign_in(felt)
    await felt.shows(floor_in="Ann")
    await felt.shows(floor_in="Ann", floor_wrong=None)


test_who_guesses_is_made_to_wait = table(_guessed)


async def _killed(felt: Felt, room: Room) -> None:
    await felt.deal()
    await sign_in(felt)
    await felt.shows(floor_in="Ann")
    await felt.kill()
    await felt.start()
    await until(lambda: room.states()[-3:] == ["lost", "init", "ready"])
    await felt.shows(floor_in=None)
    await felt.enter(kind="floor", input="misdeal")
    await until(lambda: (room.last("T1/health") or {})["refused_entries"] == 1)
    assert not kept(felt.folder, "floor")


test_after_a_kill_nobody_is_signed_in = table(_killed)


async def _guessed_across_kills(felt: Felt, room: Room) -> None:
    async def started() -> None:
        before = room.states().count("ready")
        await felt.start()
        await until(lambda: room.states().count("ready") == before + 1)

    await until(lambda: room.states()[-1:] == ["ready"])
    for number in (1, 2):
        await sign_in(felt, "0000")
        await felt.shows(floor_wrong=number)
    await felt.kill()
    await started()
    await felt.shows(floor_wrong=2)
    await sign_in(felt, "0000")
    await felt.shows(floor_wrong=3)
    await felt.kill()
    file = felt.folder / "floor-guesses.json"
    guesses = read_guesses(file)
    assert guesses.wrong == 3
    write_guesses(file, Guesses(9, guesses.until + 900))  # five minutes: no start takes as long
    await started()
    await sign_in(felt)  # and is not heard
    await until(lambda: (room.last("T1/health") or {}).get("refused_entries") == 1)
    await felt.shows(floor_wrong=9, floor_in=None)


test_a_kill_gives_no_new_try = table(_guessed_across_kills)


@pytest.mark.parametrize("right", [True, False])
def test_a_pin_counts_as_wrong_before_it_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    async def run() -> None:
        kept: list[Guesses] = []
        login = FloorLogin({"Ann": "$argon2"})
        here = FloorHere(login, {}, clock=lambda: 5.0, show=lambda _: None, keep=kept.append)
        looked: list[list[Guesses]] = []

        def is_pin(_kept: str, _pin: str) -> bool:
            looked.append(list(kept))
            return right

        monkeypatch.setattr(floor, "is_pin", is_pin)
        for _ in range(3):
            assert await here.sign_in("Ann", PIN) is right
        if right:
            assert looked == [kept[:n] for n in (1, 3, 5)]
            assert kept == [Guesses(1, 5.0), Guesses()] * 3
        else:
            assert looked == [kept[:n] for n in (1, 2, 3)]
            assert kept == [Guesses(1, 5.0), Guesses(2, 5.0), Guesses(3, 5.0 + FIRST_WAIT_S)]

    asyncio.run(run())


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "floor-login", "name": "Ann"},
        {"kind": "floor-login", "name": "Ann", "pin": PIN, "by": "Ann"},
        {"kind": "floor-login", "name": "A" * 41, "pin": PIN},
        {"kind": "floor-login", "name": "Ann", "pin": "4" * 13},
        {"kind": "floor-login", "name": "Ann", "pin": 471108471142},
        {"kind": "floor-logout", "name": "Ann"},
        {"kind": "floor", "input": "sign-in", "by": "Ann"},
    ],
)
def test_a_request_that_is_none_is_refused(tmp_path: Path, line: dict[str, object]) -> None:
    async def run() -> None:
        login = FloorLogin({"Ann": hashed(PIN)})
        kept: list[Guesses] = []
        here = FloorHere(login, {}, clock=lambda: 1.0, show=lambda _: None, keep=kept.append)
        screens = Screens(tmp_path / "socket")
        taken: list[object] = []
        running = asyncio.create_task(screens.run(taken.append, lambda: 1.0, lambda _: True, here))
        await until((tmp_path / "socket").exists)
        _, writer = await asyncio.open_unix_connection(tmp_path / "socket")
        writer.write(json.dumps(line).encode() + b"\n")
        await writer.drain()
        await until(lambda: screens.refused == 1)
        assert login.person(1.0) is None
        assert kept == []
        assert taken == []
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        writer.close()

    asyncio.run(run())
