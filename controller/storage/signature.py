"""Whose a file is: an Ed25519 signature over its bytes, checked with a public key as openssl writes
it (RFC 8410)."""

from __future__ import annotations

import base64
import binascii

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

_BEGIN, _END = "-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----"
_ED25519 = bytes.fromhex("302a300506032b6570032100")
"""What comes before the 32 bytes of such a key (RFC 8410, section 4)."""


class SignatureError(ValueError):
    """The key can't be used; one line says why."""


def as_pem(public: bytes) -> str:
    """The 32 bytes of a public key, as openssl writes them."""
    return f"{_BEGIN}\n{base64.b64encode(_ED25519 + public).decode()}\n{_END}\n"


def is_signed(data: bytes, signature: bytes, pem: str) -> bool:
    """Whether the signature over these bytes is one by the holder of the public key `pem`. Raises
    SignatureError for a key that is none."""
    lines = [line.strip() for line in pem.strip().splitlines()]
    if len(lines) < 3 or (lines[0], lines[-1]) != (_BEGIN, _END):
        raise SignatureError("this is no public key")
    try:
        key = base64.b64decode("".join(lines[1:-1]), validate=True)
    except binascii.Error:
        raise SignatureError("this is no public key") from None
    if not key.startswith(_ED25519) or len(key) != len(_ED25519) + 32:
        raise SignatureError("this is no Ed25519 key")
    try:
        VerifyKey(key.removeprefix(_ED25519)).verify(data, signature)
    except (BadSignatureError, ValueError):
        return False
    return True
