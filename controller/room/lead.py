"""Which room leads a site: one tells time and clock, any other stands by. Time is given in."""

from __future__ import annotations

from typing import Literal

LISTEN_MS = 1_500
"""A room tells its time every second."""
SILENT_MS = 5_000

Turn = Literal["", "leads", "takes-over"]


class Lead:
    """A room leads once it has listened for `listen_ms` and heard no other, or at once where what
    the broker keeps of the clock was said by `before`, the last one with the same store: then
    nobody has led since.

    `leads` then; `other` is the session of a room that is heard, and one that is heard by a room
    that leads is a fault; `heard_ms` is when it was heard last. A room that took over stands by
    again when the one before is back.
    """

    def __init__(self, session: str, listen_ms: int = LISTEN_MS, before: str = "") -> None:
        self._session = session
        self._store_before = before
        self._is_next = False
        self._listen_ms = listen_ms
        self._up_ms: int | None = None
        self.heard_ms = 0
        self._before = ""
        self.other = ""
        self.leads = listen_ms == 0

    @property
    def stands_by(self) -> bool:
        """Whether another room leads."""
        return not self.leads and bool(self.other)

    def link(self, up: bool, now_ms: int) -> None:
        """The broker was reached, or is lost."""
        self._up_ms = now_ms if up else None
        self._is_next = False

    def kept(self, session: str) -> None:
        """The broker keeps a clock that was said in this session."""
        self._is_next = bool(session) and session == self._store_before

    def heard(self, session: str, now_ms: int) -> None:
        """A room has told its time."""
        if session == self._session:
            return
        self.other, self.heard_ms = session, now_ms
        if self.leads and session == self._before:
            self.leads = False

    def tick(self, now_ms: int) -> Turn:
        """Time passed: whether this room leads from now on."""
        if self._up_ms is None:
            return ""
        if self.other:
            if now_ms - max(self.heard_ms, self._up_ms) <= SILENT_MS:
                return ""
            self._before, self.other = self.other, ""
            if self.leads:
                return ""
            self.leads = True
            return "takes-over"
        if not self.leads and (self._is_next or now_ms - self._up_ms >= self._listen_ms):
            self.leads = True
            return "leads"
        return ""
