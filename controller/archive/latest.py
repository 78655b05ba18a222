"""How far tables' journals are, on the way to the disk: a later word stands for those before."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.archive.kept import KeptHead

Heads = Mapping[str, tuple[KeptHead, int]]


class LatestHeads:
    """What is not kept yet, of `most` tables. `acknowledge` takes receipts: of what was kept, and
    of what something later stands for."""

    def __init__(self, acknowledge: Callable[[int], None], most: int) -> None:
        self._acknowledge = acknowledge
        self._most = most
        self._waiting: dict[str, tuple[KeptHead, int]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, head: KeptHead, receipt: int) -> bool:
        """A table has said so; False where there are too many tables."""
        before = self._waiting.get(head.table)
        if before is None and len(self._waiting) >= self._most:
            return False
        self._done(before)
        self._waiting[head.table] = head, receipt
        return True

    def take(self) -> Heads:
        """All of it, to be kept now: it waits no more until it is put `back`."""
        taken, self._waiting = self._waiting, {}
        return taken

    def back(self, taken: Heads) -> None:
        """It could not be kept."""
        for table, each in taken.items():
            if table in self._waiting:
                self._done(each)
            else:
                self._waiting[table] = each

    def kept(self, taken: Heads) -> None:
        """It is on the disk."""
        for each in taken.values():
            self._done(each)

    def _done(self, each: tuple[KeptHead, int] | None) -> None:
        if each is not None and each[1]:
            self._acknowledge(each[1])
