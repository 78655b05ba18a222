"""Whether an older version can read what a newer one has written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from controller.install.backup.manifest import BackupError, read_manifest
from controller.install.backup.places import under
from controller.storage.database import Database, DatabaseError
from controller.storage.opening import user_version


def has_newer_stores(backup: Path, root: Path) -> bool:
    """Whether a store is of another version now than in the backup from before the update. Raises
    BackupError where that can't be read."""
    try:
        with ZipFile(backup) as archive:
            told = read_manifest(archive, backup)
    except BadZipFile:
        raise BackupError(f"{backup}: it is damaged") from None
    except OSError as error:
        raise BackupError(f"{backup}: {error.strerror}") from None
    stores = [each for each in told.files if each.store is not None]
    return any(_version(under(root, each.at)) not in (None, each.store) for each in stores)


def _version(file: Path) -> int | None:
    """None for one that is gone, or can't be read: an older version could do no better."""
    try:
        with closing(Database(file, read_only=True)) as database:
            return user_version(database)
    except (DatabaseError, OSError):
        return None
