"""The passphrase that decks are locked with: typed, or given by whoever starts the command."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from controller.install.backup.manifest import BackupError

VARIABLE = "CUTCARD_PASSPHRASE"


def passphrase(file: Path | None, *, twice: bool) -> str | None:
    """Of a file, the environment or the person at the keyboard, in this order; None where nobody
    is there. Raises BackupError."""
    if file is not None:
        try:
            return file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BackupError(f"{file}: {getattr(error, 'strerror', 'not text')}") from None
    if VARIABLE in os.environ:
        return os.environ[VARIABLE]
    if not sys.stdin.isatty():
        return None
    typed = getpass.getpass("Passphrase for the decks: ")
    if twice and getpass.getpass("Once more: ") != typed:
        raise BackupError("the two are not the same")
    return typed
