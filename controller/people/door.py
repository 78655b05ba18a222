"""The door of the room: who comes in, who is in, and what is kept of it."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Literal

from itsdangerous import BadSignature, Signer
from msgspec import Struct

from controller.people.nets import net_of
from controller.people.pins import TRIES, hashed, is_name, is_pin, nobody
from controller.people.staff import (
    ADDRESS_TRIES,
    Bucket,
    Code,
    Codes,
    Guesses,
    Holds,
    Person,
    Session,
    Tries,
)
from controller.people.staff_store import Done, Guesser, StaffError, StaffStore, digest

CODE_S = 600.0
"""How long a code that an admin has made lets somebody in."""
CHECKS = 2
"""So many PINs are looked at at once."""
WAITING = 16
SHORTEST_GIVEN_CODE = 20
_LATEST = 1e12

Why = Literal["wrong", "wait", "busy", "code", "taken", "pin", "name"]


class Refused(Struct, frozen=True):
    """Somebody is not let in; `wait_s` is how long nothing of theirs is looked at."""

    why: Why
    wait_s: float = 0.0


class In(Struct, frozen=True):
    """Somebody is let in: `cookie` is what their browser has to keep."""

    person: Person
    cookie: str


class Door:
    """Lets people in. Whoever was in before on the same browser is out then."""

    def __init__(
        self,
        store: StaffStore,
        holds: Holds,
        *,
        now: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
        fault: str = "",
        is_service: bool = False,
    ) -> None:
        """`now` is the wall clock, `ticks` one that is never set, both in seconds. With a `fault`
        nobody comes in, and no first admin is made. `is_service`: the people are kept where
        systemd's room has them, which only root and its user may write."""
        self.store = store
        self.holds = holds
        self.fault = fault
        self.is_service = is_service
        self.now = now
        self.ticks = ticks
        self._signer = Signer(store.key, salt="cutcard.session", digest_method=hashlib.sha256)
        self._names = self._tries("name", TRIES)
        self._addresses = self._tries("address", ADDRESS_TRIES)
        self._codes = Codes(digest)
        self._noted = Bucket(0.5, 20)
        self._checks = asyncio.Semaphore(CHECKS)
        self._waiting = 0
        self._setup = ""

    # --- who is in ---

    def who(self, cookie: str | None) -> tuple[Session, Person] | None:
        """Who has this cookie. Raises StaffError where that can't be told."""
        token = self._token(cookie)
        if token is None:
            return None
        return self.store.session(token, self.holds, self.now())

    def used(self, session: Session) -> None:
        """Somebody has asked for something."""
        self.store.used(session, self.now())

    def did(
        self,
        person: Person | None,
        address: str,
        what: str,
        about: str = "",
        result: str = "ok",
        *,
        synced: bool = True,
    ) -> None:
        """Keeps who did what. Raises StaffError."""
        name, role = ("", "") if person is None else (person.name, person.role)
        done = Done(self.now(), name, role, address, what, about, result)
        self.store.did(done, synced=synced)

    def refused(self, person: Person | None, address: str, what: str, about: str, why: str) -> None:
        """Keeps what somebody was refused; not each one of thousands."""
        if self._noted.take(address if person is None else (person.name,), self.ticks()):
            self.did(person, address, what, about, why, synced=False)

    # --- coming in ---

    @property
    def is_new(self) -> bool:
        """Whether nobody has a PIN yet; False where that can't be told."""
        try:
            return not self.fault and not any(each.kept for each in self.store.people())
        except StaffError:
            return False

    async def sign_in(self, name: str, pin: str, address: str, before: str | None) -> In | Refused:
        """By name and PIN. An unknown name takes as long as a known one. Raises StaffError."""
        now, name, place = self.ticks(), name[:41], net_of(address)
        if wait := max(self._names.wait(name, now), self._addresses.wait(place, now)):
            self.refused(None, address, "login", name, "wait")
            return Refused("wait", wait)
        if self._waiting >= WAITING:
            return Refused("busy", 1.0)
        self._names.begin(name, now)
        self._addresses.begin(place, now)
        person = self.store.person(name)
        kept = "" if person is None else person.kept
        self._waiting += 1
        try:
            async with self._checks:
                right = await asyncio.to_thread(_check, kept, pin)
        finally:
            self._waiting -= 1
        if not right or person is None or self.store.person(name) != person:
            self.refused(None, address, "login", name, "wrong")
            now = self.ticks()
            return Refused("wrong", max(self._names.wait(name, now), 0.0))
        self._names.right(name)
        self._addresses.unspent(place)
        return self._let_in(person, address, "login", before)

    def join(self, code: str, address: str, before: str | None) -> In | Refused:
        """By a code. Raises StaffError."""
        now, place = self.ticks(), net_of(address)
        if wait := self._addresses.wait(place, now):
            self.refused(None, address, "join", "", "wait")
            return Refused("wait", wait)
        found = self._codes.look(code, now)
        person = None if found is None else self.store.person(found.person)
        if found is None or person is None or (found.here and not _is_here(address)):
            self._addresses.begin(place, now)
            self.refused(None, address, "join", "", "code")
            return Refused("code")
        self._codes.use(code, now)
        return self._let_in(person, address, "join", before)

    def whom(self, code: str) -> str:
        """Whom a code would let in; empty for none."""
        found = self._codes.look(code, self.ticks())
        return "" if found is None else found.person

    def invite(self, person: str) -> str:
        """A code that lets somebody in once, within ten minutes."""
        code = secrets.token_urlsafe(16)
        self._codes.give(code, Code(person, self.ticks() + CODE_S))
        return code

    def expect(self, code: str, name: str) -> None:
        """A demo's own code: it lets `name` in as an admin, from this machine alone and as often
        as it is used. Raises StaffError where the room has people of its own, ValueError for a
        code that could be guessed."""
        if len(code) < SHORTEST_GIVEN_CODE:
            raise ValueError(f"a code has at least {SHORTEST_GIVEN_CODE} letters")
        known = self.store.person(name)
        if known is None and not self.store.people():
            self.store.add(Person(name, "admin", ""))
        elif known is None or known.kept:
            raise StaffError("this room has people of its own: a demo code is not accepted")
        self._codes.give(code, Code(name, _LATEST, once=False, here=True))

    def revoke(self, person: str) -> None:
        """Codes for somebody count no more."""
        self._codes.drop(person)

    def open_setup(self) -> str:
        """The code by which the first admin is made; empty where there is one."""
        if self.fault or self.store.has_admin():
            return ""
        self._setup = self._setup or secrets.token_urlsafe(16)
        return self._setup

    async def set_up(
        self, code: str, name: str, pin: str, address: str, before: str | None
    ) -> In | Refused:
        """Makes the first admin. Raises StaffError."""
        now, place = self.ticks(), net_of(address)
        if wait := self._addresses.wait(place, now):
            return Refused("wait", wait)
        if self.store.has_admin():
            return Refused("taken")
        given = code.encode()
        if not self._setup or not secrets.compare_digest(given, self._setup.encode()):
            self._addresses.begin(place, now)
            self.refused(None, address, "setup", "", "code")
            return Refused("code")
        if not is_name(name):
            return Refused("name")
        try:
            kept = await asyncio.to_thread(hashed, pin)
        except ValueError:
            return Refused("pin")
        if self.store.has_admin():
            return Refused("taken")
        person = Person(name, "admin", kept)
        self.store.add(person, first_admin=True)
        self._setup = ""
        self.did(person, address, "setup")
        return self._let_in(person, address, "login", before)

    def sign_out(self, cookie: str | None, address: str) -> None:
        """Whoever has this cookie is out. Raises StaffError."""
        if (found := self.who(cookie)) is not None:
            session, person = found
            self.store.sign_out(session.id)
            self.did(person, address, "logout")

    def _let_in(self, person: Person, address: str, how: str, before: str | None) -> In:
        if (token := self._token(before)) is not None:
            self.store.sign_out(digest(token))
        token = self.store.sign_in(person.name, address, self.now())
        self.did(person, address, how)
        return In(person, self._signer.sign(token.encode()).decode())

    def _tries(self, kind: Guesser, most: int) -> Tries:
        """As they were before a restart."""
        tries = Tries(most, keep=partial(self._keep_guesses, kind))
        for kept in self.store.guesses(kind):
            tries.go_on(kept, self.ticks(), self.now())
        return tries

    def _keep_guesses(self, kind: Guesser, who: str, guesses: Guesses | None) -> None:
        self.store.keep_guesses(kind, who, guesses, self.now())

    def _token(self, cookie: str | None) -> str | None:
        if not cookie or len(cookie) > 200:
            return None
        try:
            return self._signer.unsign(cookie.encode()).decode()
        except (BadSignature, UnicodeError):
            return None


def _check(kept: str, pin: str) -> bool:
    """Whether it is the PIN. Where nothing is kept it is none, after the same time."""
    other = nobody()
    return is_pin(kept or other, pin) and bool(kept)


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
