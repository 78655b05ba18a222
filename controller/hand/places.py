"""Where each tag is. A tag gone for less than `flicker` never left (contract, *timing*)."""

from __future__ import annotations

from collections import deque

from controller.contract.zones import seat_of


class Places:
    """Follows tags through zones. A tag may be in several at once (a neighbour's ghost)."""

    __slots__ = ("_flicker", "_leaving", "_queue", "_zones")

    def __init__(self, flicker: float) -> None:
        """`flicker` in seconds."""
        self._flicker = flicker
        self._zones: dict[str, dict[str, float]] = {}
        self._leaving: dict[tuple[str, str], float] = {}
        self._queue: deque[tuple[float, str, str]] = deque()

    def seen(self, tag: str, zone: str, t: float) -> bool:
        """A tag is in a zone; True if it was not there before."""
        if self._leaving.pop((tag, zone), None) is not None:
            return False
        zones = self._zones.setdefault(tag, {})
        if zone in zones:
            return False
        zones[zone] = t
        return True

    def gone(self, tag: str, zone: str, t: float) -> None:
        """A tag left a zone's field, perhaps only for a moment."""
        if zone not in self._zones.get(tag, {}) or (tag, zone) in self._leaving:
            return
        until = t + self._flicker
        self._leaving[tag, zone] = until
        self._queue.append((until, tag, zone))

    def forget(self, tag: str, zone: str) -> None:
        """A tag has left a zone's field for good."""
        self._leaving.pop((tag, zone), None)
        zones = self._zones.get(tag, {})
        zones.pop(zone, None)
        if not zones:
            self._zones.pop(tag, None)

    @property
    def next_departure(self) -> float | None:
        """When the next pending departure becomes certain."""
        while self._queue:
            until, tag, zone = self._queue[0]
            if self._leaving.get((tag, zone)) == until:
                return until
            self._queue.popleft()
        return None

    def depart(self) -> tuple[str, str]:
        """Makes the next pending departure certain; returns its tag and zone."""
        _, tag, zone = self._queue.popleft()
        del self._leaving[tag, zone]
        zones = self._zones[tag]
        del zones[zone]
        if not zones:
            del self._zones[tag]
        return tag, zone

    def at_seats(self) -> dict[str, int]:
        """Tags that lie at a seat, and at which; a lifted card still counts until it departs."""
        return {
            tag: seat
            for tag, zones in self._zones.items()
            for zone in zones
            if (seat := seat_of(zone)) is not None
        }

    def seat(self, tag: str) -> int | None:
        """The seat at which a tag lies right now, if it does."""
        for zone in self._zones.get(tag, ()):
            if (tag, zone) not in self._leaving and (seat := seat_of(zone)) is not None:
                return seat
        return None

    def seats(self, tag: str) -> list[int]:
        """All the seats whose antennas read a tag, the one that has done so longest first."""
        at = [(t, seat) for zone, t in self._zones.get(tag, {}).items() if (seat := seat_of(zone))]
        return [seat for _, seat in (sorted(at) if len(at) > 1 else at)]

    def only_at(self, seat: int) -> list[str]:
        """The tags that are read at a seat and nowhere else, and lie there right now."""
        zone, leaving = f"seat/{seat}", self._leaving
        return [
            tag
            for tag, zones in self._zones.items()
            if zone in zones and len(zones) == 1 and (tag, zone) not in leaving
        ]

    def since(self, tag: str, seat: int) -> float | None:
        """Since when the antenna of a seat has read a tag, if it does."""
        return self._zones.get(tag, {}).get(f"seat/{seat}")

    def zones(self, tag: str) -> list[str]:
        """All the zones in which a tag is read."""
        return list(self._zones.get(tag, ()))

    def tags(self) -> list[str]:
        """Every tag on the table."""
        return list(self._zones)

    def on(self, pile: str) -> list[str]:
        """The tags on a pile."""
        return [tag for tag in self._zones if self.is_present(tag, pile)]

    def lying(self) -> list[tuple[str, str, float]]:
        """Every tag with its zone and since when, in the order of arrival."""
        found = [(tag, zone, t) for tag, at in self._zones.items() for zone, t in at.items()]
        return sorted(found, key=lambda placed: placed[2])

    def leaving(self) -> list[tuple[str, str, float]]:
        """Every tag that is not read at this moment, with its zone and since when."""
        found = [(*placed, until - self._flicker) for placed, until in self._leaving.items()]
        return sorted(found, key=lambda placed: placed[2])

    def has_left(self, tag: str, pile: str) -> bool:
        """Whether a tag is certainly not on a pile any more."""
        return all(zone.partition("/")[0] != pile for zone in self._zones.get(tag, ()))

    def lies(self, tag: str) -> bool:
        """Whether a tag is anywhere right now."""
        return any((tag, zone) not in self._leaving for zone in self._zones.get(tag, ()))

    def is_present(self, tag: str, pile: str) -> bool:
        """Whether a tag is on a pile (`board` with all its positions, `burn`, …) right now."""
        return any(
            zone.split("/")[0] == pile and (tag, zone) not in self._leaving
            for zone in self._zones.get(tag, ())
        )
