"""How room and table show each other that they know the code, without saying it.

Both make a key of the code and of the authority that each of them sees. Whoever stands between them
with another authority gets a proof that is good for nothing, and can't find the code from it in the
minutes that it is good for: each try takes what argon2 takes (RFC 9106). So the code holds even
where nobody compared the fingerprints.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Literal

from argon2.low_level import Type, hash_secret_raw


def key_of(code: str, fingerprint: str) -> bytes:
    """The key of a code and the SHA-256 of an authority, in hex. A tenth of a second, so not in
    the loop."""
    salt = bytes.fromhex(fingerprint)
    return hash_secret_raw(
        code.encode(), salt, time_cost=4, memory_cost=16 * 1024, parallelism=1, hash_len=32,
        type=Type.ID,
    )  # fmt: skip


def proof(key: bytes, by: Literal["table", "room"]) -> str:
    """What one of them shows the other."""
    return hmac.new(key, f"cutcard pairing 1: {by}".encode(), hashlib.sha256).hexdigest()


def in_rows(fingerprint: str) -> tuple[str, ...]:
    """An authority's fingerprint as it is compared: four rows of four groups of four."""
    digits = "".join(fingerprint.split()).lower()
    groups = [digits[at : at + 4] for at in range(0, len(digits), 4)]
    return tuple(" ".join(groups[at : at + 4]) for at in range(0, len(groups), 4))
