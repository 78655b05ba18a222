"""Asks tables for what is missing, one request at a time each, and hears their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct

from controller.archive import missing
from controller.archive.kept import Gap
from controller.contract.messages import RESEND_COMMAND, ROOM_ANSWER, Answer, Message, ResendCommand

_MOST_TABLES = 1_000


class Outcome(Struct, frozen=True):
    """A table has answered: it has told what it has of a piece, or has none of it."""

    piece: Gap
    told: bool


class Asker:
    """`answers` is the topic on which tables answer; what was sent comes back with an answer."""

    def __init__(
        self,
        site: str,
        session: str,
        *,
        publish: Callable[[Message], None],
        new_id: Callable[[], str],
        now_ms: Callable[[], int],
    ) -> None:
        self.answers = ROOM_ANSWER.name(site, session)
        self._site = site
        self._publish = publish
        self._new_id = new_id
        self._now_ms = now_ms
        self._requests: dict[str, missing.Request] = {}
        self._silent: dict[str, missing.NoAnswer] = {}
        self._listed: set[str] = set()

    def anew(self) -> None:
        """The broker was lost: what was asked is void, and tables may have begun new sessions."""
        self._requests.clear()
        self._silent.clear()
        self._listed.clear()

    def heard_of(self, table: str) -> None:
        """A table is there: the first time it is asked which sessions it keeps."""
        is_left_alone = table in self._silent and self._silent[table].until_ms > self._now_ms()
        if table not in self._listed and not is_left_alone and len(self._listed) < _MOST_TABLES:
            self._listed.add(table)
            self._ask(missing.Request(self._new_id(), table, self._now_ms()))

    def due(self, gaps: Iterable[Gap]) -> tuple[list[Gap], list[Gap]]:
        """The pieces to be asked for now, and the gaps to be given up."""
        now_ms = self._now_ms()
        for request in list(self._requests.values()):
            if now_ms - request.at_ms >= missing.UNANSWERED_MS:
                self._leave_alone(request)
        busy = {request.table for request in self._requests.values()}
        busy |= {table for table, each in self._silent.items() if each.until_ms > now_ms}
        return missing.next_pieces(gaps, now_ms=now_ms, busy=busy)

    def ask_for(self, piece: Gap) -> None:
        """Ask its table for it."""
        self._ask(missing.Request(self._new_id(), piece.table, self._now_ms(), piece))

    def answered(self, answer: Answer, correlation: bytes | None) -> Outcome | None:
        """What an answer says of the piece that was asked for, if it does."""
        request = self._requests.get(answer.id)
        if request is None or correlation != answer.id.encode():
            return None
        if not answer.ok and answer.reason not in ("gone", "busy"):
            self._leave_alone(request)
            return None
        del self._requests[answer.id]
        self._silent.pop(request.table, None)
        if answer.reason == "busy":
            if request.gap is None:
                self._listed.discard(request.table)
            return None
        return None if request.gap is None else Outcome(request.gap, answer.ok)

    def _ask(self, request: missing.Request) -> None:
        gap = request.gap
        command = ResendCommand(
            id=request.id,
            actor="archive",
            role="room",
            session=None if gap is None else gap.session,
            first=1 if gap is None else gap.first,
            last=1 if gap is None else gap.last,
        )
        message = RESEND_COMMAND.message(self._site, request.table, payload=command)
        self._requests[request.id] = request
        self._publish(
            msgspec.structs.replace(
                message, response_topic=self.answers, correlation=request.id.encode()
            )
        )

    def _leave_alone(self, request: missing.Request) -> None:
        self._requests.pop(request.id, None)
        before = self._silent.get(request.table, missing.NoAnswer())
        self._silent[request.table] = missing.unanswered(before, self._now_ms())
        if request.gap is None:
            self._listed.discard(request.table)
