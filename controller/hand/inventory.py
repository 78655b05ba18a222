"""What lies on the table after nobody has watched: it tells no order (contract, `gap`)."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.observations import Gap, Gone, Observation, Press, Reader, Seen, Tick
from controller.contract.zones import seat_of
from controller.hand.places import Places
from controller.rules.procedure import SIZE, STREETS, clockwise

COUNTED = 2.0
"""Seconds in which every antenna has told all that lies on it: one that is watched for says so
once a second."""
QUIET = 4.0
"""Seconds after a gap in which nothing is a finding: what is not there may still be read, and a
flop that stays short is one after three."""

_HELD = frozenset((Seen, Gone, Tick, Press, Reader))


class Inventory:
    """What is read in the seconds after a gap, held until all of it is there."""

    def __init__(self, gap: Gap) -> None:
        """Nothing has been read yet."""
        self.t = gap.t
        self.presses: list[Press] = []
        self.readers: list[Reader] = []
        self._last: dict[tuple[str, str], Seen | Gone] = {}

    def holds(self, observation: Observation) -> bool:
        """Takes what sensors tell in these seconds; False for what comes after it, or can't
        wait."""
        if type(observation) not in _HELD or (observation.t or 0.0) > self.t + COUNTED:
            return False
        if isinstance(observation, Seen | Gone):
            self._last[observation.tag, observation.zone] = observation
        elif isinstance(observation, Press):
            self.presses.append(observation)
        elif isinstance(observation, Reader):
            self.readers.append(observation)
        return True

    def tells(self, tag: str, zone: str) -> bool:
        """Whether it has told of this card in this zone."""
        return (tag, zone) in self._last

    def left(
        self, places: Places, cards: Sequence[tuple[str, str]], *, dealt_anew: bool
    ) -> list[Gone]:
        """What lay there before and does no more. Of the `cards` and their zones that were read,
        those of which nothing is told have left too, where most of the others are told of again or
        a hand was `dealt_anew`; and so has one that lies on a pile now."""
        gone = [each for each in self._last.values() if isinstance(each, Gone)]
        told = [placed for placed, each in self._last.items() if isinstance(each, Seen)]
        unsaid = [placed for placed in cards if placed not in self._last]
        again = [placed for placed in told if placed in cards]
        if not (dealt_anew or len(again) > len(unsaid)):
            piled = {tag for tag, zone in told if seat_of(zone) is None}
            unsaid = [placed for placed in unsaid if placed[0] in piled]
        return [
            *(each for each in gone if each.zone in places.zones(each.tag)),
            *(Gone(self.t, zone, tag) for tag, zone in unsaid),
        ]

    def came(self, places: Places) -> list[Seen]:
        """What has come, each card in each zone once."""
        seen = (read for read in self._last.values() if isinstance(read, Seen))
        return [read for read in seen if read.zone not in places.zones(read.tag)]


def as_dealt(
    came: Sequence[Seen], button: int, out: int, burned: int
) -> tuple[list[Seen], list[Seen]]:
    """The same in the order in which a hand puts them there: round by round to the seats, clockwise
    from the `button`, and what was mucked; and the streets, each with its burn before it, where
    `burned` cards are burned and `out` lie on the board."""
    at_seats: dict[int, list[Seen]] = {}
    for read in came:
        if (seat := seat_of(read.zone)) is not None:
            at_seats.setdefault(seat, []).append(read)
    order = clockwise(at_seats, button)
    most = max(map(len, at_seats.values()), default=0)
    dealt = [at_seats[s][n] for n in range(most) for s in order if n < len(at_seats[s])]
    board = [read for read in came if read.zone.partition("/")[0] == "board"]
    burns = [read for read in came if read.zone == "burn"]
    middle: list[Seen] = []
    due = 0
    for number, street in enumerate(STREETS):
        due += SIZE[street]
        if burned <= number and burns:
            middle.append(burns.pop(0))
            burned += 1
        fits = max(0, due - out)
        middle += board[:fits]
        out += len(board[:fits])
        del board[:fits]
        if out < due:
            break
    mucked = [read for read in came if read not in (*dealt, *middle, *board, *burns)]
    return [*dealt, *mucked], [*middle, *burns, *board]
