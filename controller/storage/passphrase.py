"""What only somebody with a passphrase can read: locked with XSalsa20-Poly1305, by a key that
Argon2id makes of it."""

from __future__ import annotations

from nacl import pwhash
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox
from nacl.utils import random

HEAD = b"cutcard locked 1\n"
SHORTEST = 10
_SALT = pwhash.argon2id.SALTBYTES
_MEMORY = 128 << 20
_PASSES = 4


class PassphraseError(ValueError):
    """A passphrase that is too short, or not the right one; one line says which."""


def lock(data: bytes, passphrase: str) -> bytes:
    """Raises PassphraseError for one that is too short."""
    if len(passphrase) < SHORTEST:
        raise PassphraseError(f"a passphrase has at least {SHORTEST} characters")
    salt = random(_SALT)
    return HEAD + salt + bytes(_box(passphrase, salt).encrypt(data))


def unlock(locked: bytes, passphrase: str) -> bytes:
    """Raises PassphraseError."""
    if not locked.startswith(HEAD):
        raise PassphraseError("this was not locked by cutcard")
    rest = locked.removeprefix(HEAD)
    try:
        return bytes(_box(passphrase, rest[:_SALT]).decrypt(rest[_SALT:]))
    except (CryptoError, ValueError):
        raise PassphraseError("not the right passphrase, or it is damaged") from None


def _box(passphrase: str, salt: bytes) -> SecretBox:
    key = pwhash.argon2id.kdf(
        SecretBox.KEY_SIZE, passphrase.encode(), salt, opslimit=_PASSES, memlimit=_MEMORY
    )
    return SecretBox(key)
