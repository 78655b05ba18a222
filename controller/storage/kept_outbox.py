"""An outbox of which a part is in the journal's file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from controller.contract.messages import Message
from controller.storage.outbox import MemoryOutbox
from controller.storage.outbox_rows import Stored


class KeptOutbox(MemoryOutbox):
    """Messages that were committed with a line of the journal are in its file too, until they are
    sent; whatever else is put waits in memory only. It never touches the file itself.

    One that was `done` may come back after a restart and is then sent twice, which receivers know
    how to drop.
    """

    def __init__(
        self, limit: int, waiting: Iterable[Stored], forget: Callable[[int], None]
    ) -> None:
        """What was `waiting` in the file; `forget` is told of each row that is no longer needed
        there."""
        super().__init__(limit)
        self._forget_row = forget
        self._rows: dict[int, int] = {}
        self._unclaimed: dict[int, Stored] = {}
        for each in waiting:
            self._wait(each)

    @property
    def unsaved(self) -> int:
        """How many of those that wait would not outlive the process."""
        return len(self) - len(self._rows)

    def put(self, message: Message, at_s: float) -> None:
        """Append; see `Outbox`. One that is `stored` is known by its identity."""
        stored = self._unclaimed.pop(id(message), None)
        if stored is None:
            super().put(message, at_s)
        else:
            self._wait(stored)

    def stored(self, stored: Iterable[Stored]) -> None:
        """These are in the file now: each waits for its `put`. Any that never got it, from before,
        are sent without."""
        before, self._unclaimed = self._unclaimed, {id(each.message): each for each in stored}
        for each in before.values():
            self._wait(each)

    def _wait(self, each: Stored) -> None:
        self._rows[self._last_key + 1] = each.row
        super().put(each.message, each.at_s)

    def _forget(self, key: int) -> None:
        super()._forget(key)
        row = self._rows.pop(key, None)
        if row is not None:
            self._forget_row(row)
