"""A room asks again for events that it missed: what the table says to that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from controller.contract.messages import (
    MAX_COMMAND,
    RESEND_COMMAND,
    TABLE_EVENT,
    Answer,
    Message,
    MessageError,
    ResendCommand,
    UnknownVersionError,
)
from controller.storage.database import DatabaseError
from controller.table.commands import id_of

NAME = "resend"
ROLE = "room"
MOST_AT_ONCE = 500
EVERY_S = 0.5
"""Seconds between two requests that are met: live events come first."""


class Kept(Protocol):
    """What the journal keeps of what was published."""

    def between(self, session: str, first: int, last: int) -> list[bytes]:
        """See `PublishedEvents`."""

    def latest(self) -> list[bytes]:
        """See `PublishedEvents`."""


class Resender:
    """Publishes again what is kept, with the session and `seq` that it had. It goes by QoS 0: on
    a line that loses it, it is asked for once more, and nothing waits for it."""

    def __init__(self, site: str, table: str, kept: Kept, now_s: Callable[[], float]) -> None:
        self._topic = TABLE_EVENT.name(site, table)
        self._kept = kept
        self._now_s = now_s
        self._met_s = float("-inf")

    def asked(self, payload: bytes, *, retained: bool) -> tuple[Answer, list[Message]]:
        """The answer, and what is to be published before it.

        `gone`: the table keeps none of these, nor any before them. `busy`: ask a little later.
        """
        command, refused = _read(payload, retained)
        if command is None:
            return refused, []
        if self._now_s() - self._met_s < EVERY_S:
            return _no(command.id, "busy", "ask again in a second"), []
        try:
            found = self._find(command)
        except DatabaseError:
            return _no(command.id, "busy", "the journal can't be read now"), []
        self._met_s = self._now_s()
        if not found:
            return _no(command.id, "gone", "these events are no longer kept"), []
        return Answer(command.id, ok=True), [
            Message(self._topic, each, qos=0, retain=False) for each in found
        ]

    def _find(self, command: ResendCommand) -> list[bytes]:
        if command.session is None:
            return self._kept.latest()
        last = min(command.last, command.first + MOST_AT_ONCE - 1)
        return self._kept.between(command.session, command.first, last)


def _read(payload: bytes, retained: bool) -> tuple[ResendCommand | None, Answer]:
    id_ = id_of(payload)
    if retained:
        return None, _no(id_, "retained", "a retained command is not answered")
    if len(payload) > MAX_COMMAND:
        return None, _no(id_, "oversize", f"a command has at most {MAX_COMMAND} bytes")
    try:
        command = RESEND_COMMAND.decode(payload).value
    except UnknownVersionError:
        return None, _no(id_, "unknown-version", "this table does not speak that version")
    except MessageError:
        return None, _no(id_, "malformed", f"this is not what a '{NAME}' command looks like")
    if command.role != ROLE:
        return None, _no(id_, "role", f"'{command.role[:40]}' may not ask for this, only {ROLE}")
    if command.last < command.first:
        return None, _no(id_, "malformed", "the last event comes before the first")
    return command, Answer(id_, ok=True)


def _no(id_: str, reason: str, words: str) -> Answer:
    return Answer(id_, ok=False, reason=reason, words=words)
