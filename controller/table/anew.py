"""Setting the table up anew between two hands: all that is still so is told again.

A `table` record forgets what was known of the table; nothing but the button is to change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from controller.engine.state import EngineState
from controller.observations import Award, Gone, Level, Mute, Observation, Reader, Seen, SignIn
from controller.zones import seat_of


def with_button(
    state: EngineState,
    button: int,
    *,
    deck: Mapping[str, str] | None,
    lying: Sequence[Seen | Gone],
    t: float,
) -> list[Observation]:
    """What to tell the engine so that the button is at this seat and all else as in `state`, with
    the same tags `lying` on the table. `t` is now; `deck` is the one in play.

    Cards that still lie at seats are those of a hand that is over, and begin none.
    """
    cards_out = any(
        isinstance(read, Seen)
        and seat_of(read.zone) is not None
        and read.tag not in state.table.objects
        for read in lying
    )
    whole = None if deck is None else dict(deck)
    told: list[Observation] = [
        replace(state.table, button=button, deck=whole, under_way=cards_out),
        *(replace(read, t=t) for read in lying),
    ]
    if cards_out:
        told.append(Award(kind="dealer", t=t, reason="the room sets the button"))
    told += [Reader(t, zone, "lost") for zone, until in state.unread_until.items() if until is None]
    if state.dealer is not None:
        told.append(SignIn(kind="dealer", t=t, name=state.dealer))
    if state.next_blinds is not None:
        level = state.next_blinds
        told.append(Level(t=t, small=level.small, big=level.big, ante=level.ante))
    for mute in state.trust.mutes:
        hands = mute.last_hand - state.hands
        if hands > 0:
            told.append(Mute(kind="floor", t=t, code=mute.code, zone=mute.zone, hands=hands))
    return told
