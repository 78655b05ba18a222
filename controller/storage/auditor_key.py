"""An auditor's pair of keys as text: one line that can be copied, with a checksum against slips.

A wrong key would seal the record for nobody, and nobody would notice before it is needed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable

KEY_BYTES = 32
PUBLIC = "cutcard-audit-public:"
SECRET = "cutcard-audit-secret:"  # noqa: S105 (how one begins)
_CHECK_BYTES = 4


class KeyTextError(ValueError):
    """A text that is no key, or not of the wanted half; one line says why and quotes nothing."""


def public_text(key: bytes) -> str:
    """The line for `table.toml`."""
    return PUBLIC + _written(key, PUBLIC)


def secret_text(key: bytes) -> str:
    """The line of the auditor's own file."""
    return SECRET + _written(key, SECRET)


def read_public(text: str) -> bytes:
    """The key in a text, which may be a whole file's. Raises KeyTextError."""
    lines = _lines(text)
    if any(line.startswith(SECRET) for line in lines):
        raise KeyTextError("this is the private half, which must not be on this machine")
    return _read(lines, PUBLIC)


def read_secret(text: str) -> bytes:
    """The private key in the text of a file. Raises KeyTextError."""
    lines = _lines(text)
    if lines and all(line.startswith(PUBLIC) for line in lines):
        raise KeyTextError("this is the public half, which opens nothing")
    return _read(lines, SECRET)


def _lines(text: str) -> list[str]:
    stripped = (line.strip() for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]


def _read(lines: Iterable[str], begin: str) -> bytes:
    found = [line.removeprefix(begin) for line in lines if line.startswith(begin)]
    if len(found) != 1:
        raise KeyTextError(f"there is no line that begins with {begin}")
    try:
        read = base64.b64decode(found[0], altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        read = b""
    key = read[:KEY_BYTES]
    if len(read) != KEY_BYTES + _CHECK_BYTES or read[KEY_BYTES:] != _check(key, begin):
        raise KeyTextError("a character is missing or wrong: copy the whole line again")
    return key


def _written(key: bytes, begin: str) -> str:
    return base64.urlsafe_b64encode(key + _check(key, begin)).decode()


def _check(key: bytes, begin: str) -> bytes:
    return hashlib.blake2b(begin.encode() + key, digest_size=_CHECK_BYTES).digest()
