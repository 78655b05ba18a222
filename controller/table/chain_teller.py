"""Tells the room how far the journal has come, so that it shows if it is rewritten later."""

from __future__ import annotations

from collections.abc import Callable

from controller.contract.messages import Message
from controller.storage.journal import Journal
from controller.table.publisher import Publisher


class ChainTeller:
    """It is told at the start and whenever a hand has ended. A telling that gets lost between two
    hands is made up for by the next, since a link stands for all lines before it."""

    def __init__(
        self,
        journal: Journal,
        publisher: Publisher,
        publish: Callable[[Message], None],
    ) -> None:
        self._journal = journal
        self._publisher = publisher
        self._publish = publish
        self._hand = journal.counters.open

    def tell(self) -> None:
        """What is in the journal by now."""
        self._publish(self._publisher.chain(self._journal.head))

    def look(self) -> None:
        """Something more is in the journal."""
        before, self._hand = self._hand, self._journal.counters.open
        if before not in (None, self._hand):
            self.tell()
