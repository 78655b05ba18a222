"""The door of a room that begins: with its people, as far as they can be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from controller.people.door import Door
from controller.people.staff import Holds
from controller.people.staff_store import StaffError, StaffStore

DEMO_NAME = "Demo"


def open_door(
    file: Path | None,
    holds: Holds,
    *,
    keep_audit_s: float,
    demo_code: str,
    is_service: bool,
    report: Callable[[str], None],
) -> Door:
    """Who comes in. Where people can't be kept nobody does, and the screens go on.

    `file` None keeps them for as long as the process runs. Raises StaffError or ValueError for a
    demo's code that counts for nothing.
    """
    fault = ""
    try:
        people = StaffStore.open(file, keep_audit_s=keep_audit_s)
    except StaffError as error:
        report(f"nobody can sign in: {error}")
        # Whoever comes to the door may read it, and need not know where our files are.
        fault = str(error) if file is None else str(error).replace(str(file), file.name)
        people = StaffStore.open(None)
    if people.damaged:
        report(f"the file of people was damaged; it is now {people.damaged}")
    door = Door(people, holds, fault=fault, is_service=is_service)
    if demo_code and not fault:
        try:
            door.expect(demo_code, DEMO_NAME)
        except (StaffError, ValueError):
            people.close()
            raise
    return door
