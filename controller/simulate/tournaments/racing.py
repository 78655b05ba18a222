"""Chips leave play in a simulated tournament: each table races them as soon as it plays no hand."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from controller.room import races
from controller.rules.chip_race import RANKS, SUITS
from controller.simulate.tournaments.checks.races import Raced, of_race

if TYPE_CHECKING:
    from controller.simulate.tournaments.course import Course

_DECK = [rank + suit for rank, suit in product(RANKS, SUITS)]


class Racing:
    """What is still to be raced at the tables."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._index = 0
        self._left: list[tuple[int, int, str]] = []

    def looks(self) -> None:
        """Tables race that have to and play no hand, the smaller chips first."""
        course = self._course
        record = course.desk.record
        if record.clock.index != self._index:
            self._index = record.clock.index
            if self._left:
                course.referee.must([f"chips were not raced before they left play: {self._left}"])
            due = races.now(record.races, record.clock, races.sitting(record.register))
            self._left = [(one.goes, one.into, name) for one in due for name in one.tables]
        for one in [one for one in self._left if course.felts[one[2]].hand is None]:
            self._left.remove(one)
            self._race(*one)

    def _race(self, goes: int, into: int, name: str) -> None:
        course, random = self._course, self._course.random
        sitting = {at.seat: one for at, one in course.seats_at(name).items()}
        if not sitting:  # it broke in the meantime
            return
        deck = random.sample(_DECK, len(_DECK))
        seats, before = list[dict[str, object]](), dict[int, tuple[int, tuple[str, ...]]]()
        for seat, player in sorted(sitting.items()):
            stack = course.chips[player.entry]
            odd = stack % into // goes
            cards = tuple(deck.pop() for _ in range(odd))
            sets = random.randint(0, min(3, stack // into)) if stack else 0
            chips = odd + sets * (into // goes)
            told = {"seat": seat, "chips": chips, "cards": cards, "only": chips * goes == stack}
            seats.append(told)
            before[seat] = stack, cards
        if random.random() < 0.05:
            self._mistaken(name, goes, seats)
        was = course.desk.record.races.difference
        course.desk.asks("race", table=name, chip=goes, seats=seats)
        course.tally.races += 1
        for seat, player in sitting.items():
            course.chips[player.entry] += course.desk.record.races.owed(player.entry)
            course.felts[name].buys(seat, course.chips[player.entry])
            course.desk.raced(player.entry)
        raced = [
            Raced(seat, stack, course.chips[sitting[seat].entry], cards)
            for seat, (stack, cards) in before.items()
        ]
        added = course.desk.record.races.difference - was
        course.referee.must(
            f"{name}, chips of {goes}: {one}"
            for one in of_race(course.plan.book, goes, into, raced, added)
        )
        course.referee.raced(sum(one.after - one.before for one in raced))

    def _mistaken(self, name: str, goes: int, seats: list[dict[str, object]]) -> None:
        """Somebody enters it wrong, and takes it back."""
        course = self._course
        none = [{**one, "chips": 0, "cards": (), "only": False} for one in seats]
        course.desk.asks("race", table=name, chip=goes, seats=none)
        course.desk.asks("unrace", id=course.desk.record.races.last)
