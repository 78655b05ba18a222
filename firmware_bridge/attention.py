"""Whether this process keeps up with its wires. Pure.

Where it stood still, what the devices have said meanwhile lies there unread: that comes first, and
only then what follows from the time. A press that a device has kept for as long still counts.
"""

from __future__ import annotations

from msgspec import Struct

STALE_PRESS_S = 3.0
STALL_S = 1.0
"""Seconds for which nobody has asked anything of the wires: this process has stood still."""
LATE_STEP_S = 0.25
"""Seconds after which a step is late: there may be bytes that nobody has read meanwhile."""


class Attended(Struct, frozen=True, forbid_unknown_fields=True):
    """What happened last, and when; whether the next step reads first; and from when on until when
    nobody listened the last time. All in seconds."""

    now: float
    stepped: float
    reads_first: bool
    asleep_since: float
    awake_at: float


class Attention:
    """Since `now`, in seconds as all times; nobody listened before, since `asleep_since`. Where
    the time runs `speed` times as fast as the host's own, everything may be so much later."""

    def __init__(self, now: float, asleep_since: float | None, speed: float) -> None:
        self.now = now
        """The time of what happened last."""
        self._stale_after = STALE_PRESS_S * speed
        self._stall = STALL_S * speed
        self._late_step = LATE_STEP_S * speed
        self._stepped = now
        self._reads_first = False
        self._asleep_since = now if asleep_since is None else asleep_since
        self._awake_at = now

    @property
    def attended(self) -> Attended:
        """How it has been until now."""
        return Attended(
            self.now, self._stepped, self._reads_first, self._asleep_since, self._awake_at
        )

    def resume(self, attended: Attended) -> None:
        """Go on from there."""
        self.now = attended.now
        self._stepped, self._reads_first = attended.stepped, attended.reads_first
        self._asleep_since, self._awake_at = attended.asleep_since, attended.awake_at

    def goes_on(self, now: float) -> None:
        """Something happens."""
        if now - self.now > self._stall:
            self._asleep_since, self._awake_at = self.now, now
        self.now = now

    def steps(self, now: float) -> None:
        """A step begins; only the first of several that are late has to wait for the next."""
        self.goes_on(now)
        self._reads_first = self._is_late(now) and not self._reads_first
        self._stepped = now

    def keeps_up(self, now: float) -> bool:
        """Whether all that was said before may be taken to have been read."""
        return not (self._reads_first or self._is_late(now))

    def counts(self, pressed: float, now: float) -> bool:
        """Whether somebody may still mean what was pressed at that time."""
        was_asleep = now - self._awake_at <= self._stale_after
        kept = was_asleep and pressed >= self._asleep_since - self._stale_after
        return kept or now - pressed <= self._stale_after

    def _is_late(self, now: float) -> bool:
        return now - self._stepped > self._late_step
