"""What people do beside playing, by chance: they come late, go away, are penalised, buy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from controller.room.acts import ActError
from controller.room.register import Purchase
from controller.room.seat_draw import AtSeat
from controller.simulate.tournaments.plan import LATE_LEVELS, STACK

if TYPE_CHECKING:
    from controller.simulate.tournaments.course import Course


class People:
    """The players of one tournament, and what the desk does with them."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._random = course.random
        self._late = course.plan.late
        self._away: set[str] = set()

    def before_start(self) -> None:
        """Some are not there yet."""
        desk = self._course.desk
        for each in desk.register.players:
            if self._random.random() < 0.01:
                desk.asks("mark", player=each.id, status="absent")
                self._away.add(each.id)

    def before_hand(self, _table: str) -> None:
        """Who comes late comes before some hand of some table."""
        if self._late and self._random.random() < 0.3:
            self._enters()
        elif self._course.desk.register.without_seat():
            self._sits_down()

    def _enters(self) -> None:
        course = self._course
        self._late -= 1
        paid = course.till.is_paid()
        try:
            course.desk.asks("enter", name=f"L{self._late}", paid=paid)
        except ActError:
            self._late = 0  # the desk has closed
            return
        course.till.sold("entry", course.desk.register.players[-1].id, paid=paid)
        course.tally.late += 1
        self._sits_down()

    def _sits_down(self) -> None:
        """Seats are drawn for those who have none, at the tables that are in play."""
        course, desk = self._course, self._course.desk
        tables = list(course.sizes())
        free = any(at.table in tables for at in desk.register.free())
        if not free or not desk.register.without_seat():
            return
        before = desk.register.players
        desk.asks("draw", seed=str(self._random.random()), tables=tables)
        course.sat(desk.register.players)
        for was, now in zip(before, desk.register.players, strict=True):
            if was is not now and now.at is not None:
                course.referee.came(now.entry, now.at.table)
                course.tells(now.at.table)

    def after_hand(self, table: str) -> None:
        """Who has lost his last chips may buy some more before he is out."""
        course = self._course
        if not course.plan.rebuys:
            return
        for at, player in course.sitting(table).items():
            if not course.chips[player.entry] and self._random.random() < 0.5:
                self._buys(at, "rebuy", STACK)

    def after_outs(self, players: Sequence[str]) -> None:
        """Who is out may enter again."""
        course = self._course
        if not course.plan.re_entries or course.is_over:
            return
        for id_ in players:
            if self._random.random() < 0.5:
                paid = course.till.is_paid()
                if not self._asks("buy", player=id_, what="re-entry", paid=paid):
                    continue
                course.till.sold("re-entry", id_, paid=paid)
                course.tally.bought += 1
                self._away.discard(id_)
        self._sits_down()

    def between_hands(self, table: str) -> None:
        """Somebody goes away or is back, is penalised, or adds to his stack."""
        course, random = self._course, self._random
        if course.is_over:
            return
        for at, player in course.sitting(table).items():
            chance = random.random()
            if not course.chips[player.entry]:  # he is out once all tables have played
                continue
            if player.id in self._away:
                if chance < 0.25:
                    self._away.discard(player.id)
                    self._asks("mark", player=player.id, status="seated")
            elif chance < 0.004:
                self._away.add(player.id)
                self._asks("mark", player=player.id, status="absent")
            elif chance < 0.006:
                self._penalises(player.id)
            elif chance < 0.0062 and not course.rounds.is_on:
                self._disqualifies(at)
                if course.is_over:
                    return
            elif chance < 0.05 and course.plan.add_ons and self._level <= LATE_LEVELS:
                self._buys(at, "add-on", STACK // 2)

    @property
    def _level(self) -> int:
        return self._course.desk.record.clock.level

    def _penalises(self, player: str) -> None:
        penalties = self._course.rules.penalties
        is_minutes = penalties is not None and penalties.way == "minutes"
        unit = "minutes" if is_minutes else self._random.choice(("hands", "rounds"))
        amount = 10 if is_minutes else self._random.randint(1, 2)
        if self._asks("penalise", player=player, unit=unit, amount=amount, reason="by chance"):
            self._course.tally.penalties += 1

    def _disqualifies(self, at: AtSeat) -> None:
        course = self._course
        player = course.desk.register.by_seat[at]
        chips = course.chips.pop(player.entry)
        course.chips[player.entry] = chips
        course.desk.asks("disqualify", player=player.id, reason="by chance")
        del course.chips[player.entry]
        course.tally.outs += 1
        course.referee.left_play(player.entry, chips)

    def _buys(self, at: AtSeat, what: Purchase, chips: int) -> None:
        course, desk = self._course, self._course.desk
        player = desk.register.by_seat[at]
        paid = course.till.is_paid()
        if not self._asks("buy", player=player.id, what=what, paid=paid):
            return
        course.till.sold(what, player.id, paid=paid)
        bought = desk.player(player.id)
        course.chips[player.entry] += chips
        course.felts[at.table].buys(at.seat, course.chips[player.entry])
        desk.delivered(player.id, bought.bought)
        course.tally.bought += 1
        course.referee.bought(chips)

    def _asks(self, name: str, /, **fields: object) -> bool:
        """Whether it could be done."""
        try:
            self._course.desk.asks(name, **fields)
        except ActError:
            return False
        return True
