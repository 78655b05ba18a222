"""Who a request is from, where the people can be read and nothing can be written."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from controller.people.door import Door, In
from controller.people.staff import Holds, Person
from controller.people.staff_store import StaffError, StaffStore
from display.web.serving.access.who import COOKIE, Known


def test_who_is_known_stays_so_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """docs/room.md: if the store can't be written, the clock runs all the same."""
    store = StaffStore.open(None)
    store.add(Person("Ann", "floor", "no PIN"))
    door = Door(store, Holds())
    joined = door.join(door.invite("Ann"), "127.0.0.1", None)
    assert isinstance(joined, In)

    def full(*_: object) -> None:
        raise StaffError("database or disk is full")

    monkeypatch.setattr(door, "used", full)
    reached: list[str] = []

    async def page(scope: Any, _receive: object, _send: object) -> None:  # noqa: ANN401
        reached.append(scope["state"]["person"].name)

    scope = {
        "type": "http",
        "scheme": "http",
        "method": "GET",
        "path": "/floor",
        "headers": [(b"cookie", f"{COOKIE}={joined.cookie}".encode())],
    }
    asyncio.run(Known(page, door=door)(scope, None, None))  # type: ignore[arg-type]
    assert reached == ["Ann"]
    store.close()
