"""A `cutcard table` with an auditor: dealt at, killed in mid-hand, and looked into from outside."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.archive.opening import open_archive
from controller.archive.running import Archiving, HistoryOptions
from controller.broker.own import find_mosquitto
from controller.contract.cards import CARDS
from controller.storage.auditor_key import public_text, secret_text
from controller.storage.journal import verify
from controller.storage.sealing import Opener, new_secret
from tests.audit.rewriting import rewrite
from tests.table.felt import Felt, a_table
from tests.waiting import until

SECRET = new_secret()


def an_auditor(folder: Path) -> None:
    (folder / "auditor.pub").write_text(public_text(Opener(SECRET).public))
    with (folder / "table.toml").open("a") as settings:
        settings.write('\n[audit]\nkey = "auditor.pub"\n')
    key = folder / "auditor.key"
    key.touch(mode=0o600)
    key.write_text(secret_text(SECRET))


async def cutcard(*arguments: str | Path) -> tuple[int, str, str]:
    """Status, output and errors of `cutcard audit …`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "audit", *map(str, arguments),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto not installed")
def test_its_auditor_reads_what_is_over_and_sees_what_was_rewritten(tmp_path: Path) -> None:
    asyncio.run(_audited(tmp_path))


async def _audited(folder: Path) -> None:
    store, journal = folder / "history.sqlite", folder / "journal.sqlite"
    open_it = ("open", "--key", folder / "auditor.key", "--journal", journal)
    async with a_table(folder, prepare=an_auditor) as (felt, room, broker):
        archiving = Archiving(broker.room, "demo", HistoryOptions(str(store)), report=pytest.fail)
        archiving.start()
        await felt.deal()
        status, out, err = await cutcard(*open_it)
        assert (status, out) == (2, "")
        assert "no hand that is over" in err
        await felt.kill()
        await until(lambda: room.states()[-1:] == ["lost"])
        await felt.start()
        await until(lambda: room.states()[-1:] == ["ready"])
        await felt.shows(hand=1, phase="preflop")
        await felt.enter(kind="dealer", input="misdeal")
        chain = await until(lambda: _over(room.last("T1/chain"), 1))
        assert chain is not None
        assert chain["boxes"] > 10
        await until(lambda: _kept(store) >= 1)
        status, out, err = await cutcard(*open_it)
        assert (status, err) == (0, "")
        _is_what_was_dealt(felt, out)
        asked = ("check", "--journal", journal, "--store", store)
        status, out, err = await cutcard(*asked)
        assert (status, err) == (0, "")
        await archiving.close()
    assert not any("sealed for nobody" in line for line in felt.said())
    _no_tag_in(folder)
    rewrite(journal, "DELETE FROM observations WHERE n = 9")
    assert verify(journal) is None
    status, out, _ = await cutcard(*asked)
    assert status == 1
    assert "REWRITTEN from hand 1 on" in out


def _over(chain: dict[str, int] | None, hand: int) -> dict[str, int] | None:
    return chain if chain is not None and chain["hand"] == hand else None


def _kept(store: Path) -> int:
    with closing(open_archive(store, read_only=True)) as archive:
        return max((head.hand for head in archive.heads("T1")), default=0)


def _is_what_was_dealt(felt: Felt, out: str) -> None:
    told = [json.loads(line) for line in out.splitlines()]
    assert told[0]["kind"] == "table"
    cards = {tag: card for card, tag in felt.tags.items()}
    assert told[0]["deck"] == cards
    seen = {(line["zone"], cards[line["tag"]]) for line in told if line["kind"] == "seen"}
    seats = (1, 2, 3, 1, 2, 3)
    assert seen == {(f"seat/{n}", card) for n, card in zip(seats, CARDS[:6], strict=True)}
    assert told[-1]["input"] == "misdeal"


def _no_tag_in(folder: Path) -> None:
    for path in (*folder.glob("journal.sqlite*"), *folder.glob("history.sqlite*"), folder / "said"):
        assert b"E0040150" not in path.read_bytes(), path
