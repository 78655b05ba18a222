"""The first admin's PIN: typed, or from a file; never an argument."""

from __future__ import annotations

from pathlib import Path

from controller.files.toml_file import ConfigError, read_text
from controller.people.pin_typed import typed
from controller.people.pins import hashed


def admin_pin(name: str, pin_file: str | None, answers: Path | None) -> str:
    """The hash of the PIN of `name`: the first line of a file that is named in the answers, whose
    folder its path counts from, or else typed. Raises ConfigError, PinError."""
    if answers is None:
        return typed(name)
    where = f"{answers}: [admin] pin_file"
    if pin_file is None:
        raise ConfigError(f"{where}: {name} needs a PIN, the first line of a file")
    lines = read_text(answers.parent / pin_file).splitlines() or [""]
    try:
        return hashed(lines[0].strip())
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None
