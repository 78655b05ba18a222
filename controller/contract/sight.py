"""What the engine knows of a table beside its events, as far as everybody there may know it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.contract.events import Pot

TakenFor = Literal["check", "call"]
DISMISSALS = 3
"""So many of one code from one zone, and what that zone shows is for the record only."""


class Silence(Struct, frozen=True, omit_defaults=True):
    """What is for the record only: a zone that is not believed until its reader has been checked,
    or a code, from one zone or from any, until the hand `until` is over."""

    code: str | None = None
    zone: str | None = None
    until: int | None = None


class Price(Struct, frozen=True):
    """What the seat to act has to know: a call costs `call`, 0 where it may check, and it may bet
    or raise to `least` or more. None where that is not known or not allowed."""

    seat: int
    call: int | None
    least: int | None


class CalledOn(Struct, frozen=True):
    """A called clock: on which seat, and the table's time at which it runs out."""

    seat: int
    until: float


class SeatChips(Struct, frozen=True, omit_defaults=True):
    """What a seat has, None where that is not known, and the `player` whom the table was told to
    have there."""

    seat: int
    chips: int | None = None
    player: str | None = None


class Felt(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`learner`: the dealer is learning. `on_board` are the cards that lie on the board of the
    running hand, empty for one that nobody may have seen, and `odd` the places of those that are
    too many or came too soon.
    `backs` says of each seat in play how many of its cards were seen dealt to it, `price` what the
    seat to act faces, `taken_for` as what a missing press counts, unless the cards go in.
    `pots` are those of the showdown, main pot first, where there are several and they are known.
    `awaited` says of each open finding which step the antennas have not seen done yet, and
    `rests_on` on which zone one rests that is about no seat.
    `small` and `big` are the seats of the blinds in the hand that runs or was last, `next_button`
    is where the button belongs in the hand to come, `absent` those whose players are not there,
    `burns` the cards that lie burned. `silent` is what asks nothing of anyone for now, `doubted`
    says of each zone how often of late a finding from there was dismissed, of the code for which
    that was most often. `dead_button`: nobody plays at the button's seat in the running hand.
    `open_showdown`: nobody can bet any more, and hands are to be tabled before the next street.
    `unpressed` are the seats behind which others have acted on this round: their press is missing,
    and nobody needs to do anything about it. Between two hands `stacks` has who sits there with
    what, `left` what was left at empty seats, and in a tournament `broke` are those without chips
    of which nobody has said that their players are out, `gone` those of which somebody has.
    """

    dealer: str | None = None
    learner: bool = False
    on_board: tuple[str, ...] | None = None
    odd: tuple[int, ...] = ()
    backs: tuple[tuple[int, int], ...] = ()
    price: Price | None = None
    taken_for: tuple[tuple[int, TakenFor], ...] = ()
    pots: tuple[Pot, ...] = ()
    awaited: tuple[tuple[int, str], ...] = ()
    rests_on: tuple[tuple[int, str], ...] = ()
    small: int | None = None
    big: int | None = None
    next_button: int | None = None
    absent: tuple[int, ...] = ()
    burns: int = 0
    is_open: bool = True
    is_watched: bool = True
    silent: tuple[Silence, ...] = ()
    doubted: tuple[tuple[str, int], ...] = ()
    clock: CalledOn | None = None
    dead_button: bool = False
    open_showdown: bool = False
    unpressed: tuple[int, ...] = ()
    stacks: tuple[SeatChips, ...] | None = None
    left: tuple[SeatChips, ...] = ()
    broke: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()


class Sight(Felt, frozen=True, omit_defaults=True, kw_only=True):
    """`ticked` says of each remedy that is under way how many of its first steps the antennas have
    seen done."""

    ticked: tuple[tuple[int, int], ...] = ()
