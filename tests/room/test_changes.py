"""What wakes the pages of a room, and how soon."""

from __future__ import annotations

import asyncio

from controller.room.changes import SOON_MS, Changes


def test_what_can_wait_wakes_nobody_twice_in_a_second() -> None:
    now_ms = 10 * SOON_MS
    changes = Changes(lambda: now_ms)
    changes.soon()
    changes.soon()
    assert (changes.turn, changes.count) == (1, 2)
    now_ms += SOON_MS
    changes.soon()
    assert changes.turn == 2


def test_who_waits_is_woken_and_after_the_end_nobody_waits() -> None:
    async def run() -> None:
        changes = Changes(lambda: 0)
        waiting = asyncio.create_task(changes.next())
        await asyncio.sleep(0)
        assert not waiting.done()
        changes.now()
        await waiting
        changes.close()
        await changes.next()

    asyncio.run(run())
