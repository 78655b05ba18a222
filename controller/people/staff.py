"""The people of a room: what each may, for how long, and how often somebody may guess. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from controller.people.pins import TRIES, wait_after, wait_left

Role = Literal["viewer", "floor", "director", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may what those before it may."""
Right = Literal["look", "decide", "clock", "people"]
RIGHTS: tuple[Right, ...] = get_args(Right)
"""What each role adds to the one before: to look at everything, to decide at tables, to act on the
clock, to say who the people are."""

MOST_PEOPLE = 200
MOST_SECTION = 100
ADDRESS_TRIES = 10
"""Of one address, behind which may be several people."""
FORGET_S = 24 * 3600.0
MOST_GUESSED = 10_000
CLOCK_BACK_S = 300.0
"""How far the wall clock may be set back before sessions of the time that is gone end."""
HOUR_S = 3600.0
TABLE = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[A-Za-z0-9_-]+$")]


class Person(Struct, frozen=True):
    """Somebody who signs in. `kept` is the PIN's hash, empty for whom a code alone lets in;
    `tables` are the section, empty for all of them."""

    name: str
    role: Role
    kept: str
    tables: tuple[str, ...] = ()

    @property
    def rights(self) -> tuple[Right, ...]:
        """What this person may."""
        return RIGHTS[: ROLES.index(self.role) + 1]

    @property
    def at_tables(self) -> str:
        """The role that tables are told: they know the floor and directors."""
        return "director" if self.role == "admin" else self.role

    def may(self, needed: Role) -> bool:
        """Whether this person has that role or a higher one."""
        return ROLES.index(self.role) >= ROLES.index(needed)


class Session(Struct, frozen=True):
    """Somebody is signed in. Times are the wall clock's, in seconds."""

    id: str
    person: str
    since: float
    used: float


class Holds(Struct, frozen=True):
    """How long a sign-in holds: from its last use, and at all. In seconds."""

    idle_s: float = 12 * HOUR_S
    at_all_s: float = 24 * HOUR_S

    def over(self, session: Session, now: float) -> bool:
        """Whether a session has ended by itself. One from the future has: the clock was wrong."""
        return (
            now - session.used >= self.idle_s
            or now - session.since >= self.at_all_s
            or session.since - now > CLOCK_BACK_S
        )


class Guesses(Struct, frozen=True):
    """So many tries that were wrong, when the `last` was, and `until` when none is looked at."""

    wrong: int
    until: float
    last: float


class Kept(Struct, frozen=True):
    """Somebody's wrong tries as they were kept: `until` by the clock of that run, `at` the wall
    clock's moment of the last."""

    who: str
    wrong: int
    until: float
    at: float


def _forget(_who: str, _guesses: Guesses | None) -> None:
    """Keeps nothing."""


class Tries:
    """Who guesses is made to wait, longer each time. Times are seconds on any one scale.

    A try counts as wrong from its beginning until it is known to be right, so that many at once
    are no more than one after another.
    """

    def __init__(
        self,
        tries: int = TRIES,
        most: int = MOST_GUESSED,
        *,
        keep: Callable[[str, Guesses | None], None] = _forget,
    ) -> None:
        """`keep` is told of all that changes, before anything rests on it: None is as if there
        had been no try."""
        self._tries = tries
        self._most = most
        self._keep = keep
        self._guesses: OrderedDict[str, Guesses] = OrderedDict()

    def go_on(self, kept: Kept, now: float, wall: float) -> None:
        """After a restart the wait goes on. The wall clock may have been set: it shortens no wait,
        and only tells when the tries are forgotten."""
        left = wait_left(kept.wrong, kept.until, now, self._tries)
        last = now - max(0.0, wall - kept.at)
        self._guesses[kept.who] = Guesses(kept.wrong, now + left, last)

    def wait(self, who: str, now: float) -> float:
        """How many seconds no try of theirs is looked at."""
        known = self._guesses.get(who)
        return 0.0 if known is None else max(0.0, known.until - now)

    def begin(self, who: str, now: float) -> None:
        """Somebody tries."""
        known = self._guesses.get(who)
        wrong = 1 if known is None or now - known.last > FORGET_S else known.wrong + 1
        fresh = Guesses(wrong, now + wait_after(wrong, self._tries), now)
        self._keep(who, fresh)
        self._guesses[who] = fresh
        self._guesses.move_to_end(who)
        while len(self._guesses) > self._most:
            self._keep(self._guesses.popitem(last=False)[0], None)

    def right(self, who: str) -> None:
        """It was right: all is forgotten."""
        if self._guesses.pop(who, None) is not None:
            self._keep(who, None)

    def unspent(self, who: str) -> None:
        """It was right, but what was wrong before it stays: an address has many people."""
        known = self._guesses.get(who)
        if known is not None:
            self._guesses[who] = Guesses(known.wrong - 1, 0.0, known.last)
            self._keep(who, self._guesses[who])


class Bucket:
    """So many at once, and so many a second. Times are seconds on any one scale."""

    def __init__(self, per_s: float, most: int, keys: int = MOST_GUESSED) -> None:
        self._per_s, self._most, self._keys = per_s, float(most), keys
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, who: Hashable, now: float) -> bool:
        """Whether there is one more for them; it is taken."""
        left, at = self._left.pop(who, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_s)
        allowed = left >= 1.0
        self._left[who] = (left - 1.0 if allowed else left, now)
        while len(self._left) > self._keys:
            self._left.popitem(last=False)
        return allowed


class Code(Struct, frozen=True):
    """Lets somebody in without a PIN, until `until`; a demo's more than `once`, but only from
    this machine, `here`."""

    person: str
    until: float
    once: bool = True
    here: bool = False


class Codes:
    """The codes that are out. Times are seconds on any one scale; what is kept of a code is what
    `digest` makes of it."""

    def __init__(self, digest: Callable[[str], str], most: int = MOST_PEOPLE) -> None:
        self._digest = digest
        self._most = most
        self._codes: dict[str, Code] = {}

    def give(self, text: str, code: Code) -> None:
        """A new code; the oldest gives way where there are too many."""
        self._codes[self._digest(text)] = code
        while len(self._codes) > self._most:
            del self._codes[next(iter(self._codes))]

    def look(self, text: str, now: float) -> Code | None:
        """Whom it lets in at this moment."""
        code = self._codes.get(self._digest(text))
        return code if code is not None and now < code.until else None

    def use(self, text: str, now: float) -> Code | None:
        """The same, and it is spent."""
        code = self.look(text, now)
        if code is not None and code.once:
            del self._codes[self._digest(text)]
        return code

    def drop(self, person: str) -> None:
        """Codes for somebody who is gone, or is somebody else now."""
        self._codes = {text: each for text, each in self._codes.items() if each.person != person}
