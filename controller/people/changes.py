"""What an admin changes about the people: each change counts at once, for whoever is in as well."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from controller.people.door import Door
from controller.people.pins import hashed, is_name
from controller.people.staff import MOST_SECTION, TABLE, Person, Role
from controller.people.staff_store import StaffError

Text = Annotated[str, Meta(max_length=200)]
Tables = Annotated[tuple[TABLE, ...], Meta(max_length=MOST_SECTION)]


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of somebody; each change needs its own."""

    name: Text
    role: Role | None = None
    pin: Text = ""
    tables: Tables = ()


async def add(door: Door, asked: Change) -> str:
    """Somebody new."""
    if not is_name(asked.name):
        raise StaffError(f"{asked.name[:40]!r} is not a valid name: up to 40 letters, no quotes")
    role = _role(asked)
    kept = await _hashed(asked.pin)
    door.store.add(Person(asked.name, role, kept, asked.tables))
    return f"{asked.name}: {role}"


async def give_role(door: Door, asked: Change) -> str:
    """Another role."""
    role = _role(asked)
    door.store.set_role(asked.name, role)
    door.revoke(asked.name)
    return f"{asked.name}: {role}"


async def give_pin(door: Door, asked: Change) -> str:
    """Another PIN."""
    door.store.known(asked.name)
    door.store.set_pin(asked.name, await _hashed(asked.pin))
    door.revoke(asked.name)
    return asked.name


async def give_tables(door: Door, asked: Change) -> str:
    """Another section; without tables it is all of them."""
    door.store.known(asked.name)
    door.store.set_tables(asked.name, asked.tables)
    return f"{asked.name}: {' '.join(asked.tables) or 'all'}"


async def remove(door: Door, asked: Change) -> str:
    """Somebody is gone."""
    door.store.remove(asked.name)
    door.revoke(asked.name)
    return asked.name


async def sign_out(door: Door, asked: Change) -> str:
    """Somebody is out, on every browser."""
    door.store.sign_out_all(asked.name)
    return asked.name


CHANGES: Mapping[str, Callable[[Door, Change], Awaitable[str]]] = {
    "add": add,
    "role": give_role,
    "pin": give_pin,
    "tables": give_tables,
    "remove": remove,
    "sign-out": sign_out,
}
"""By their names: each returns what the record says of it, and raises StaffError where it can't
be so."""


def _role(asked: Change) -> Role:
    if asked.role is None:
        raise StaffError("what role?")
    return asked.role


async def _hashed(pin: str) -> str:
    try:
        return await asyncio.to_thread(hashed, pin)
    except ValueError as error:
        raise StaffError(str(error)) from None
