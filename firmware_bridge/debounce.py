"""Raw levels of push buttons -> presses. Pure: levels and times in, presses out.

Contacts bounce for nanoseconds to hundreds of milliseconds (Ganssle, "A guide to debouncing"), and
what drivers offer against it either does nothing or drops edges; so this is done here, alike
for every kind of input.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from msgspec import Struct

from firmware_bridge.sensed import Press, SeatButton


class Timings(Struct, frozen=True):
    """Times in seconds. A level counts once it has been stable for `stable`.

    After a press none is taken for `lockout`; held for `long` it is a long press.
    """

    stable: float = 0.02
    lockout: float = 0.15
    long: float = 0.8


class Button(Struct, frozen=True):
    """One push button: its pin, whose it is, what a press and what a long press says."""

    pin: int
    seat: int
    press: SeatButton
    long: SeatButton | None = None


class _Contact:
    """One contact. `down` is its settled state, `raw` the level last told."""

    def __init__(self) -> None:
        self.down: bool | None = None
        self.raw: bool | None = None
        self.first = self.last = inf
        self.held_since = inf
        self.locked_until = -inf

    @property
    def is_settled(self) -> bool:
        return self.first == inf


class Debouncer:
    """The buttons of one board.

    A press has the time of its first edge; on a button with a long press it is known at the
    release only and has that one's time. A button that is down at the beginning was not pressed.
    """

    def __init__(self, buttons: Iterable[Button], timings: Timings | None = None) -> None:
        self._buttons = {button.pin: button for button in buttons}
        self._timings = timings or Timings()
        self.bounced = 0
        self.forget()

    def forget(self) -> None:
        """The levels are unknown again: the board was opened anew."""
        self._contacts = {pin: _Contact() for pin in self._buttons}

    def level(self, pin: int, down: bool, t: float) -> None:
        """A pin's level at `t`, changed or not. Pins without a button are ignored."""
        contact = self._contacts.get(pin)
        if contact is None or down == contact.raw:
            return
        contact.raw = down
        if contact.down is None:
            contact.down = down
            return
        if contact.is_settled:
            contact.first = t
        contact.last = t

    def check(self, now: float) -> list[Press]:
        """Return the presses that are certain at `now`."""
        presses = []
        for pin, contact in self._contacts.items():
            button = self._buttons[pin]
            if not contact.is_settled and now - contact.last >= self._timings.stable:
                presses += self._settle(contact, button)
            until = now if contact.is_settled else contact.first
            if button.long and until - contact.held_since >= self._timings.long:
                at = contact.held_since + self._timings.long
                presses.append(Press(at, button.seat, button.long))
                contact.held_since = inf
        return sorted(presses, key=lambda press: press.t)

    def _settle(self, contact: _Contact, button: Button) -> list[Press]:
        # What has chattered for longer than a press can is not as old as its first edge.
        is_long = contact.last - contact.first > self._timings.lockout
        t = contact.last if is_long else contact.first
        contact.first = inf
        if contact.raw == contact.down:
            self.bounced += 1
            return []
        contact.down = contact.raw
        if contact.down:
            return self._went_down(contact, button, t)
        held, contact.held_since = t - contact.held_since, inf
        if not button.long or held < 0:
            return []
        if held >= self._timings.long:
            return [Press(t - held + self._timings.long, button.seat, button.long)]
        return [Press(t, button.seat, button.press)]

    def _went_down(self, contact: _Contact, button: Button, t: float) -> list[Press]:
        if t < contact.locked_until:
            self.bounced += 1
            return []
        contact.locked_until = t + self._timings.lockout
        if button.long:
            contact.held_since = t
            return []
        return [Press(t, button.seat, button.press)]
