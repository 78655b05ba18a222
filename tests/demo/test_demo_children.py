"""A child process of the demo, and who waits for it."""

from __future__ import annotations

import asyncio

from controller.demo.children import Child


def test_who_waits_for_the_first_line_can_be_stopped_as_it_comes() -> None:
    async def run() -> None:
        heard: list[str] = []

        def said(line: str) -> None:
            heard.append(line)
            waiting.cancel()

        child = Child(["--version"], heard=said, back=lambda: None, over=lambda: None)
        await child.start()
        waiting = asyncio.create_task(child.first_line(20))
        await asyncio.wait([waiting])
        await child.stop()
        assert heard[0].startswith("cutcard ")
        assert waiting.cancelled()

    asyncio.run(run())
