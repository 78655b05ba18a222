"""Has all tables play hand for hand: who has finished waits for the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from controller.room import hand_for_hand
from controller.room.changes import Changes
from controller.room.hand_for_hand import FEWEST, HandForHand, TableHand
from controller.room.money import prizes
from controller.room.record_keeper import RecordKeeper
from controller.room.table_rules import TableRules
from controller.room.table_split import EventTables
from controller.room.tables import TableSeen


class RoundNow(Struct, frozen=True):
    """The hand that all tables play: the how manyth, of which tables it is awaited, and what it
    takes off the clock. `reached`: so few players are left as it was to go on for."""

    round: int
    waits_for: tuple[str, ...]
    off_ms: int
    share: bool
    reached: bool


class Rounds:
    """Holds the tables that have played their hand of a round, and lets all deal the next one once
    everybody has, and once it is settled who is out. Tables that are `halted` finish their hand and
    play in no further round."""

    def __init__(
        self,
        keeper: RecordKeeper,
        watch: EventTables,
        changes: Changes,
        *,
        rules: TableRules,
        halted: Callable[[], Collection[str]],
        is_settled: Callable[[], bool],
    ) -> None:
        self._keeper = keeper
        self._watch = watch
        self._changes = changes
        self._rules = rules
        self._halted = halted
        self._is_settled = is_settled
        self.now: RoundNow | None = None

    @property
    def held(self) -> frozenset[str]:
        """The tables that wait for the others."""
        if self.now is None:
            return frozenset()
        return frozenset(self._tables()) - frozenset(self.now.waits_for)

    def by_book(self) -> dict[str, object]:
        """What an announcement says where the desk has not, by the book of the table that is listed
        first: `minutes`, `share`, and until how many are left."""
        record = self._keeper.record
        first = next((each.table for each in record.register.tables), None)
        rules = None if first is None else self._rules.at(first).hand_for_hand
        said: dict[str, object] = {}
        if rules is not None:
            said |= {"minutes": rules.minutes, "share": rules.share}
        has_money = record.money.prices.is_set
        paid = len(prizes(record.account) if has_money else record.tournament.prizes)
        return said | ({"until": paid} if paid and self._left() > paid else {})

    def tick(self) -> None:
        """Looks at the tables as they are now."""
        together, before = self._keeper.record.together, self.now
        if together is None:
            self.now = None
        else:
            tables = self._tables()
            together = hand_for_hand.with_tables(together, tables)
            self.now = self._look(together, tables)
            is_over = bool(tables) and not self.now.waits_for
            if is_over and not self.now.reached and self._is_settled():
                together = self._keeper.next_round(together)
                self.now = self._look(together, tables)
            else:
                self._keeper.rounds(together)
        if self.now != before:
            self._changes.now()

    def _look(self, now: HandForHand, tables: Mapping[str, TableHand | None]) -> RoundNow:
        waits = hand_for_hand.waits_for(now, tables)
        reached = now.until is not None and self._left() <= now.until
        return RoundNow(now.round, waits, now.off_ms, now.share, reached)

    def _tables(self) -> dict[str, TableHand | None]:
        """The hands of the tables at which there are enough players for one, and those that run."""
        register, halted = self._keeper.record.register, self._halted()
        sits = [at.table for at in register.by_seat]
        found: dict[str, TableHand | None] = {}
        for each in register.tables:
            hand = _hand_of(self._watch.tables.get(each.table))
            deals = sits.count(each.table) >= FEWEST and each.table not in halted
            if deals or (hand is not None and not hand.is_over):
                found[each.table] = hand
        return found

    def _left(self) -> int:
        return sum(each.status != "out" for each in self._keeper.record.register.players)


def _hand_of(seen: TableSeen | None) -> TableHand | None:
    if seen is None or not seen.live or seen.hand is None:
        return None
    return hand_for_hand.table_hand(seen.hand.view)
