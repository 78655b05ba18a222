"""A file in place of a person, for a table without a screen: where the room is, what code it gave,
and by what fingerprint it is known."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from controller.files.toml_file import ConfigError, convert, read_toml
from controller.install.pair.meeting import Address, RefusedError, address_of
from controller.pairing.codes import typed

_DIGITS = 64


class AnswersFile(Struct, frozen=True, kw_only=True):
    """The file. Without an `address` the room is looked for."""

    code: str
    fingerprint: str
    address: str | None = None


class Answers(Struct, frozen=True):
    """What it says, checked; the fingerprint has no spaces."""

    code: str
    fingerprint: str
    address: Address | None

    def __repr__(self) -> str:
        return f"Answers({self.address!r})"


def read_answers(path: Path) -> Answers:
    """Raises ConfigError, which quotes neither code nor fingerprint."""
    file = convert(path, read_toml(path), AnswersFile)
    code = typed(file.code)
    if code is None:
        raise ConfigError(f"{path}: code: this is no code of a room's: two groups of four")
    digits = re.sub(r"[\s:]", "", file.fingerprint).lower()
    if len(digits) != _DIGITS or not re.fullmatch("[0-9a-f]+", digits):
        raise ConfigError(f"{path}: fingerprint: {_DIGITS} hex digits, as the room's page shows it")
    try:
        address = None if file.address is None else address_of(file.address)
    except RefusedError as error:
        raise ConfigError(f"{path}: address: {error}") from None
    return Answers(code, digits, address)
