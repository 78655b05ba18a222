"""What the seats' lamps show of a table's picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.contract.view import TableView
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


class Lamps:
    """The seats' lamps: the table's own signals, and over them what a lamp is lent for."""

    def __init__(self, light: Callable[[Mapping[int, Signal]], None]) -> None:
        """`light` lets every seat's lamp show its signal, and dark where none is named."""
        self._light = light
        self._own: Mapping[int, Signal] = {}
        self._lent: dict[int, Signal] = {}

    def show(self, own: Mapping[int, Signal]) -> None:
        """From now on these are the table's own."""
        self._own = own
        self._light({**own, **self._lent})

    def lend(self, seat: int, signal: Signal | None) -> None:
        """A seat's lamp shows `signal` until it is given back, which is None."""
        if signal is None:
            self._lent.pop(seat, None)
        else:
            self._lent[seat] = signal
        self.show(self._own)
