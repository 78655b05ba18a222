"""What becomes of what the tables say."""

from __future__ import annotations

from dataclasses import dataclass

from controller.contract.messages import Alert, Answer, Hand, Health, State, TableEvent
from controller.room.changes import Changes
from controller.room.commander import Commander
from controller.room.events import Events
from controller.room.floor_keeper import FloorKeeper
from controller.room.table_watch import TableWatch
from controller.room.walls import WallsTell, why_paused


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Hearing:
    """Passes on what tables say to whom it concerns: the floor, and the event that the table is of.
    `walls` is what they may tell of alerts."""

    watch: TableWatch
    floor: FloorKeeper
    commander: Commander
    events: Events
    changes: Changes
    walls: WallsTell

    def came(self) -> None:
        """Something came in, from whomever."""
        self.watch.came()

    def spoke(self, table: str, *, beat: bool) -> None:
        """It said something just now; a `beat` says no more than that it is there."""
        self.watch.spoke(table, beat=beat)

    def state(self, table: str, state: State | None) -> None:
        """Whether it is there; None: it was taken out of the room."""
        self.watch.state(table, state)

    def hand(self, table: str, hand: Hand | None, *, is_kept: bool) -> None:
        """Its hand as everybody may see it, or the deletion of that."""
        is_news = self.watch.hand(table, hand, is_kept=is_kept)
        self.events.of(table).hand(table, is_news=is_news)

    def alert(self, table: str, finding: str, alert: Alert | None) -> None:
        """A finding, or, with None, that it is closed. A new one that stops the table pauses the
        clock too, if that is set so."""
        stops = self.watch.alert(table, finding, alert)
        if alert is None:
            self.commander.closed(table, finding)
        elif stops and self.watch.has_known:
            why = why_paused(table, alert.finding.title, self.walls)
            self.events.of(table).keeper.dispute(why[:200])

    def event(self, table: str, event: TableEvent, size: int) -> None:
        """Something happened there, told in so many bytes."""
        is_new = self.floor.event(table, event, size)
        self.events.of(table).event(table, event, is_new=is_new)

    def health(self, table: str, health: Health | None) -> None:
        """How it is."""
        self.floor.health(table, health)

    def answer(self, answer: Answer, correlation: bytes | None) -> None:
        """Its answer to a command."""
        self.commander.answered(answer, correlation)
        for each in self.events.all:
            each.answered(answer, correlation)

    def missed(self, table: str) -> None:
        """Something that it said was not taken in."""
        self.floor.missed(table)

    def unusable(self, table: str) -> None:
        """Something that it said could not be used."""
        self.floor.missed(table)
        self.changes.now()
