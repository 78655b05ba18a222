"""What the seats' lamps show of a table's picture."""

from __future__ import annotations

from controller.view import TableView
from firmware_bridge.seat_lamps import Signal


def signals(view: TableView) -> dict[int, Signal]:
    """The signal of each seat whose lamp is lit.

    Whose turn it is; above that the seats that something has to be put right at, which call for
    the floor once it has been called. Called without a finding, it is all seats of the hand.
    """
    lit = {} if view.to_act is None else {view.to_act: Signal.TURN}
    for finding in view.findings:
        if finding.priority < 3:
            lit |= dict.fromkeys(finding.seats, Signal.FLOOR if view.floor else Signal.ATTENTION)
    if view.floor and not view.findings:
        lit |= dict.fromkeys((seat.seat for seat in view.seats), Signal.FLOOR)
    return lit
