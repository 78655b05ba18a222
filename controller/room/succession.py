"""How a room takes the lead: its clock goes on where the one before has left it."""

from __future__ import annotations

from controller.contract.messages import RoomClock
from controller.room.lead import Lead
from controller.room.other_room import OtherRoom
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import Beat


class Succession:
    """`last_beat` is when a room was last there with the store that this one has."""

    def __init__(
        self, lead: Lead, other: OtherRoom, keeper: RecordKeeper, last_beat: Beat | None
    ) -> None:
        self._lead = lead
        self._other = other
        self._keeper = keeper
        self._last_beat = last_beat

    def tick(self, now_ms: int) -> bool:
        """Time passed: whether nobody else tells the clock, and this room does so from now on."""
        turn = self._lead.tick(now_ms)
        if not turn:
            return False
        said, beat = self._other.clock, self._last_beat
        in_our_time = self._other.clock_in_our_time
        if in_our_time is not None and turn == "takes-over":
            self._keeper.recover(in_our_time, self._lead.heard_ms)
        elif said is not None and self._is_newer(said):
            self._keeper.recover(said, None if beat is None else beat.room_ms)
        return True

    def _is_newer(self, said: RoomClock) -> bool:
        """Whether what the broker has kept of the clock is of after what the store has."""
        keeper, ours = self._keeper, self._keeper.record
        if keeper.acted or not keeper.touched:
            return not keeper.acted
        return said.lineage == ours.lineage and said.revision > ours.revision
