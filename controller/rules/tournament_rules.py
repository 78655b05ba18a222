"""What a book says of players and their seats in a tournament: the data by which the room rules."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.rules.balancing import MoveWay, Trigger
from controller.rules.betting_rules import Cited, Says
from controller.rules.breaking import Redraws
from controller.rules.chip_race import ChipRace
from controller.rules.prizes import Payouts


class Away(Cited, frozen=True, forbid_unknown_fields=True):
    """Who is away for more than so many minutes forfeits his stack."""

    minutes: int


class NoShow(Cited, frozen=True, forbid_unknown_fields=True):
    """Who has never been there may be removed once this level begins, or after so many minutes of
    play, whichever comes first; by others he goes no further than the end of the stage."""

    level: int | None = None
    minutes: int | None = None


class Balance(Cited, frozen=True, forbid_unknown_fields=True):
    """Once two tables differ by `gap` players somebody moves, in this `way`; with more tables than
    `many` once they differ by `gap_of_many`. He moves after his hand, after `all` hands that are
    played anywhere, or as the `level` ends. Of several tables that are as full one is drawn, or
    that with the `low-card` moves a player."""

    way: MoveWay
    gap: int = 2
    many: int | None = None
    gap_of_many: int | None = None
    when: Literal["hand", "all", "level"] = "hand"
    tie: Literal["draw", "low-card"] = "draw"

    @property
    def trigger(self) -> Trigger:
        """From which difference on somebody moves."""
        return Trigger(self.gap, self.many, self.gap_of_many)


class Halt(Cited, frozen=True, forbid_unknown_fields=True):
    """A table that is `short` players short of the fullest one halts: `at_blinds` once its big
    blind would come to an empty seat."""

    short: int
    at_blinds: bool = False


def chosen_halt(halt: Halt | None, short: int | None) -> Halt | None:
    """When a table halts where the director has chosen at how many it is `short`, as is his to do
    in formats that the book's number is not for (TDA24-11D2): 0 is never, and None as the book
    says. The moment is the book's; his number is none of its rules."""
    if short is None or (halt is not None and halt.short == short):
        return halt
    if short == 0:
        return None
    return Halt(cites=(), short=short, at_blinds=halt is not None and halt.at_blinds)


class HandForHandRule(Cited, frozen=True, forbid_unknown_fields=True):
    """Each hand that all tables play together takes so many `minutes` off the clock, and never more
    than `most`. `share`: all who go out in one of them share the places that it reaches, at
    whatever table they sat. `face_down`: where all are all-in, no hand is tabled and no card dealt
    until the floor says so."""

    minutes: int
    most: int
    share: bool
    face_down: bool


class Seconds(Cited, frozen=True, forbid_unknown_fields=True):
    """So many seconds."""

    seconds: int


class TournamentRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """None where the book is silent.

    `arrivals`: who comes to a table gets a hand at once, or not before the button has passed where
    he sits between it and the small blind. `same_hand`: who go out in one hand are placed by the
    stacks with which they began it, and equal ones share; or all of them `share`. `penalties`: they
    are missed hands and `rounds`, or `minutes`. `away` and `no_show`: what becomes of who is not
    there. `balance` and `halt`: what becomes of tables that are not as full as others. `breaks`: a
    table whose players have room elsewhere breaks. `redraws`: how few make all seats be drawn anew.
    `hand_for_hand`: how it is with hands that all tables play together. `no_push`: so long before a
    level ends no dealer is pushed. `dispute`: so long after the award a pot may be disputed on a
    break. `stopped`: no hand begins while the clock is stopped, on a break or in a dispute.
    `ready`: so long before play goes on dealers ready their decks. `final_level`: the final table
    begins at the level after the last one.
    `race`: how odd chips are raced off. `late_chips`: those that turn up after their race are
    exchanged at equal value only.
    `payouts`: how many places are paid, and how much of the purse each.
    """

    arrivals: Says[Literal["at-once", "behind-button"]] | None = None
    same_hand: Says[Literal["stack", "share"]] | None = None
    penalties: Says[Literal["rounds", "minutes"]] | None = None
    away: Away | None = None
    no_show: NoShow | None = None
    balance: Balance | None = None
    halt: Halt | None = None
    breaks: Cited | None = None
    redraws: Redraws | None = None
    hand_for_hand: HandForHandRule | None = None
    no_push: Seconds | None = None
    dispute: Seconds | None = None
    stopped: Cited | None = None
    ready: Seconds | None = None
    final_level: Cited | None = None
    race: ChipRace | None = None
    late_chips: Cited | None = None
    payouts: Payouts | None = None
