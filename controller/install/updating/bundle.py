"""A bundle: the packages of one version with all that they need of Debian, and who built it.

All of it is checked before any of it is used: the manifest's signature, and by the manifest every
file. The key is one that was here before the bundle came.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import msgspec
from msgspec import Struct, field

from controller.files.summed import copy_summed
from controller.storage.signature import SignatureError, is_signed

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
PACKAGES = ("cutcard", "cutcard-table", "cutcard-room", "cutcard-wall")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+~_-]{0,200}")
_DEB = re.compile(r"cutcard_([0-9][0-9A-Za-z.+~]*)_[a-z0-9]+\.deb")
_MOST_MANIFEST = 1 << 20


class BundleError(Exception):
    """It can't be used; one line says why."""


class Manifest(Struct, frozen=True):
    """`made_for` is a Debian and an architecture, such as `debian12 amd64`; `files` has the SHA-256
    of each file by its name."""

    cutcard: str
    made_for: str = field(name="for")
    files: Mapping[str, str]


class Bundle(Struct, frozen=True):
    """A bundle whose manifest is whole and signed; `folder` is the one in the zip."""

    file: Path
    folder: str
    manifest: Manifest

    @property
    def version(self) -> str:
        """Of its packages, as Debian counts them."""
        return next(found[1] for name in self.manifest.files if (found := _DEB.fullmatch(name)))

    @property
    def made_for(self) -> str:
        """As one word, for the name of a file."""
        return self.manifest.made_for.replace(" ", "-")


def open_bundle(file: Path, key: str) -> Bundle:
    """Reads a zip; `key` is the public key that it has to be signed with. Raises BundleError."""
    try:
        with ZipFile(file) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            folders = {name.rpartition("/")[0] for name in names}
            if len(folders) != 1:
                raise BundleError(f"{file}: this is no bundle of cutcard")
            (folder,) = folders
            text = _small(archive, f"{folder}/{MANIFEST}", file)
            signature = _small(archive, f"{folder}/{SIGNATURE}", file)
    except (BadZipFile, zlib.error, EOFError):
        raise BundleError(f"{file}: this is no bundle of cutcard, or it is damaged") from None
    except OSError as error:
        raise BundleError(f"{file}: {error.strerror}") from None
    try:
        if not is_signed(text, signature, key):
            raise BundleError(f"{file}: not signed by those whose cutcard runs here")
        manifest = msgspec.json.decode(text, type=Manifest)
    except SignatureError as error:
        raise BundleError(f"the key for bundles: {error}") from None
    except msgspec.MsgspecError:
        raise BundleError(f"{file}: its manifest can't be read") from None
    there = sorted(f"{folder}/{name}" for name in (*manifest.files, MANIFEST, SIGNATURE))
    if there != sorted(names) or not all(_NAME.fullmatch(name) for name in manifest.files):
        raise BundleError(f"{file}: what is in it is not what its manifest says")
    if sum(_DEB.fullmatch(name) is not None for name in manifest.files) != 1:
        raise BundleError(f"{file}: there is no package of cutcard in it")
    return Bundle(file, folder, manifest)


def unpack(bundle: Bundle, to: Path) -> None:
    """Writes its files into a folder, which is there and empty, each checked. Raises
    BundleError."""
    try:
        with ZipFile(bundle.file) as archive:
            for name in (MANIFEST, SIGNATURE):
                (to / name).write_bytes(archive.read(f"{bundle.folder}/{name}"))
            for name, wanted in bundle.manifest.files.items():
                member = archive.getinfo(f"{bundle.folder}/{name}")
                with archive.open(member) as reading, (to / name).open("xb") as writing:
                    copied = copy_summed(reading, writing, member.file_size)
                if copied != (member.file_size, wanted):
                    raise BundleError(f"{bundle.file}: {name} is damaged in it")
    except (BadZipFile, zlib.error, EOFError, KeyError):
        raise BundleError(f"{bundle.file}: it is damaged") from None
    except OSError as error:
        raise BundleError(f"{error.filename or to}: {error.strerror}") from None


def _small(archive: ZipFile, name: str, file: Path) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise BundleError(f"{file}: this is no bundle of cutcard") from None
    if info.file_size > _MOST_MANIFEST:
        raise BundleError(f"{file}: this is no bundle of cutcard")
    return archive.read(info)
