"""How a room takes the lead: its clock goes on where the one before has left it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.contract.messages import RoomClock
from controller.room.lead import Lead
from controller.room.other_room import OtherRoom
from controller.room.record_keeper import RecordKeeper
from controller.room.room_time import Beat


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Succession:
    """`last_beat` is when a room was last there with the store that this one has."""

    lead: Lead
    other: OtherRoom
    keeper: RecordKeeper
    last_beat: Beat | None

    def tick(self, now_ms: int) -> bool:
        """Time passed: whether nobody else tells the clock, and this room does so from now on."""
        turn = self.lead.tick(now_ms)
        if not turn:
            return False
        said, beat = self.other.clock, self.last_beat
        in_our_time = self.other.clock_in_our_time
        if in_our_time is not None and turn == "takes-over":
            self.keeper.recover(in_our_time, self.lead.heard_ms)
        elif said is not None and self._is_newer(said):
            self.keeper.recover(said, None if beat is None else beat.room_ms)
        return True

    def _is_newer(self, said: RoomClock) -> bool:
        """Whether what the broker has kept of the clock is of after what the store has."""
        keeper, ours = self.keeper, self.keeper.record
        if keeper.acted or not keeper.touched:
            return not keeper.acted
        return said.lineage == ours.lineage and said.revision > ours.revision
