"""What a table observed, sealed for an auditor, and the only file that knows PyNaCl.

A box is a libsodium sealed box: a key made for it alone and forgotten at once, so that not even who
made it can open it again. In it is JSON and then spaces: `o` is the observation as it was, tags
and all, and `of` the digest of the journal's line beside it; or `begins` is all that an engine has
to be told to play the hand from there, of which `again` are lines that the journal repeats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox

from controller.contract.observations import (
    MalformedObservationError,
    Observation,
    decode,
    encode,
)

_STEP = 64
_ROOM = 128
"""A line of the journal and so many bytes more have room for the observation, whatever its tag."""
_LONG_STEP = 1_024


class BoxError(ValueError):
    """A box that can't be opened, or that makes no sense: one line says why."""


class _Content(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    o: Raw = Raw()
    of: str = ""
    begins: tuple[Raw, ...] = ()
    again: int = 0

    def __repr__(self) -> str:
        return "_Content(…)"


class Opened(Struct, frozen=True):
    """What was in a box: one observation with the digest of its `line`, or, where that is empty,
    what a hand begins with, and how many of the journal's lines are `repeated` for it."""

    observations: tuple[Observation, ...]
    line: str = ""
    repeated: int = 0

    def __repr__(self) -> str:
        return f"Opened({len(self.observations)} observations)"


class Sealer:
    """Seals for whoever has the private half of a key. Prints redacted."""

    __slots__ = ("_box",)

    def __init__(self, public: bytes) -> None:
        self._box = SealedBox(PublicKey(public))

    def observation(self, observation: Observation, line: bytes) -> bytes:
        """The box for an observation and its line in the journal. Its length tells what the line's
        does, and nothing of the tag."""
        content = _Content(Raw(encode(observation)), line_digest(line))
        return self._sealed(content, _up_to(_STEP, len(line) + _ROOM))

    def beginning(self, observations: Sequence[Observation], repeated: int) -> bytes:
        """The box for what a hand begins with."""
        told = tuple(Raw(encode(observation)) for observation in observations)
        return self._sealed(_Content(begins=told, again=repeated), 0)

    def _sealed(self, content: _Content, room: int) -> bytes:
        text = msgspec.json.encode(content)
        size = room if len(text) <= room else _up_to(_LONG_STEP, len(text))
        return bytes(self._box.encrypt(text.ljust(size)))


class Opener:
    """Opens what was sealed to the other half. Prints redacted."""

    __slots__ = ("_box", "public")

    def __init__(self, secret: bytes) -> None:
        key = PrivateKey(secret)
        self.public = bytes(key.public_key)
        self._box = SealedBox(key)

    def open(self, box: bytes) -> Opened:
        """What is in a box. Raises BoxError."""
        try:
            text = self._box.decrypt(box)
        except (CryptoError, TypeError, ValueError):
            raise BoxError("damaged, or sealed to another key") from None
        try:
            content = msgspec.json.decode(text, type=_Content)
            told = (content.o,) if content.of else content.begins
            observations = tuple(decode(bytes(each)) for each in told)
        except (msgspec.MsgspecError, UnicodeDecodeError, MalformedObservationError):
            raise BoxError("not of this version, or no work of a table") from None
        return Opened(observations, content.of, content.again)


def new_secret() -> bytes:
    """A private key."""
    return bytes(PrivateKey.generate())


def line_digest(line: bytes) -> str:
    """By which a box names the journal's line beside it."""
    return hashlib.blake2b(line, digest_size=16).hexdigest()


def _up_to(step: int, size: int) -> int:
    return -(-size // step) * step
