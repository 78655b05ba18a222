"""The room that stands by: it keeps copies of the stores of the one that leads, and knows when that
one is gone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping

from controller.broker.client import Incoming
from controller.contract.messages import (
    ROOM_STATE,
    ROOM_TIME,
    Message,
    MessageError,
)
from controller.contract.stand_by import (
    STAND_BY_HERE,
    STAND_BY_PART,
    STAND_BY_STORES,
    STAND_BY_TAKEN,
    Here,
    Part,
    Stores,
    Taken,
)
from controller.storage.image import changed

LISTEN_S = 1.5
"""A room tells its time every second."""
SILENT_S = 3.0
"""One that has told it no more for so long is gone."""
LOST_S = 1.0
"""The same where the broker has lost its connection, which may only have been cut."""
ASKS_S = 1.0


class _Copy:
    """A store as far as it has come: `image` is whole, with the change `number`."""

    def __init__(self) -> None:
        self.image: bytes | None = None
        self.number = 0
        self.session = ""
        self._parts: list[Part] = []

    def take(self, part: Part) -> bool:
        """Whether the next change, or the whole, is coming in without a gap."""
        begun = self._parts
        if part.part == 0:
            follows = part.session == self.session and part.number == self.number + 1
            self._parts = [part] if part.whole or (self.image is not None and follows) else []
        elif begun and (begun[-1].number, begun[-1].part + 1) == (part.number, part.part):
            begun.append(part)
        else:
            self._parts = []
        if not self._parts:
            return False
        return self._complete() if part.part + 1 == part.parts else True

    def _complete(self) -> bool:
        parts, self._parts = self._parts, []
        last = parts[-1]
        before = b"" if last.whole or self.image is None else self.image
        runs = [(run.at, run.data) for part in parts for run in part.runs]
        try:
            image = changed(before, last.size, runs)
        except ValueError:
            return False
        if hashlib.sha256(image).hexdigest() != last.sha256:
            return False
        self.image, self.number, self.session = image, last.number, last.session
        return True


class Following:
    """`session` is what this room's will be. `leader` is that of the room that leads, as far as one
    was heard. `malformed` counts what could not be used."""

    def __init__(self, site: str, session: str, now_s: Callable[[], float]) -> None:
        self._site = site
        self._session = session
        self._now_s = now_s
        self.leader = ""
        self.malformed = 0
        self._up_s: float | None = None
        self._heard_s = 0.0
        self._lost_s: float | None = None
        self._asked_s = 0.0
        self._told: Stores | None = None
        self._copies: dict[str, _Copy] = {}
        self._wants: set[str] = set()
        self.filters = tuple(
            each.filter(site)
            for each in (
                *(ROOM_TIME, ROOM_STATE),
                *(STAND_BY_PART, STAND_BY_STORES, STAND_BY_TAKEN, STAND_BY_HERE),
            )
        )

    # what is heard

    def link(self, up: bool) -> None:
        """The broker was reached, or is lost."""
        self._up_s = self._now_s() if up else None
        self._lost_s = None

    def received(self, incoming: Incoming) -> None:
        """Take in what the room that leads says."""
        try:
            self._take(incoming)
        except MessageError:
            self.malformed += 1

    def _take(self, incoming: Incoming) -> None:
        site, topic, payload = self._site, incoming.topic, incoming.payload
        if topic == ROOM_TIME.name(site):
            self._heard(ROOM_TIME.decode(payload).value.session)
        elif topic == ROOM_STATE.name(site):
            said = ROOM_STATE.decode(payload).value if payload else None
            if said is not None and said.session == self.leader and said.state == "lost":
                self._lost_s = self._now_s()
        elif topic == STAND_BY_TAKEN.name(site):
            if payload:  # it begins only now, and will tell the time once it has
                self._heard(STAND_BY_TAKEN.decode(payload).value.session)
        elif topic == STAND_BY_HERE.name(site):
            other = STAND_BY_HERE.decode(payload).value.session
            if not self.leader and other < self._session:
                self._up_s = self._now_s()  # of two that begin together that one leads
        elif topic == STAND_BY_PART.name(site):
            part = STAND_BY_PART.decode(payload).value
            if not self._copies.setdefault(part.store, _Copy()).take(part):
                self._wants.add(part.store)
            elif part.whole:
                self._wants.discard(part.store)
        elif topic == STAND_BY_STORES.name(site):
            self._list(STAND_BY_STORES.decode(payload).value)

    def _heard(self, session: str) -> None:
        if session != self._session:
            self.leader, self._heard_s, self._lost_s = session, self._now_s(), None

    def _list(self, told: Stores) -> None:
        self._told = told
        for name in self._copies.keys() - told.stores.keys():
            del self._copies[name]
        for name, number in told.stores.items():
            copy = self._copies.setdefault(name, _Copy())
            if (copy.session, copy.number) != (told.session, number):
                self._wants.add(name)

    # what is said

    def asks(self) -> Message | None:
        """Once a second, that this room stands by, and what it lacks; None in between."""
        now_s = self._now_s()
        if self._up_s is None or now_s - self._asked_s < ASKS_S:
            return None
        self._asked_s = now_s
        here = Here(self._session, tuple(sorted(self._wants)))
        self._wants.clear()
        return STAND_BY_HERE.message(self._site, payload=here)

    def taken(self) -> Message:
        """That this room leads from now on, in the place of the one that led, if one did: one that
        begins in the same moment knows before the first time is told."""
        return STAND_BY_TAKEN.message(self._site, payload=Taken(self._session, self.leader))

    # what follows

    @property
    def is_due(self) -> bool:
        """Whether nobody leads: who can't be heard because the broker is away may do so."""
        if self._up_s is None:
            return False
        now_s = self._now_s()
        if not self.leader:
            return now_s - self._up_s >= LISTEN_S
        if self._lost_s is not None and now_s - self._lost_s >= LOST_S:
            return True
        return now_s - max(self._heard_s, self._up_s) >= SILENT_S

    @property
    def is_complete(self) -> bool:
        """Whether all is here that the room that leads has told of."""
        return self.named is not None and not self.lacks

    @property
    def named(self) -> Collection[str] | None:
        """The stores of which the room that leads has told; None where it has told of none yet."""
        return None if self._told is None else self._told.stores.keys()

    @property
    def lacks(self) -> tuple[str, ...]:
        """The stores of which nothing whole has come."""
        copies = self._copies
        return tuple(n for n in self.named or () if n not in copies or copies[n].image is None)

    @property
    def images(self) -> Mapping[str, bytes]:
        """The stores as they came last."""
        copies = self._copies.items()
        return {name: copy.image for name, copy in copies if copy.image is not None}

    @property
    def beats(self) -> Mapping[str, bytes]:
        """When the room that led was last there with each."""
        return {} if self._told is None else self._told.beats
