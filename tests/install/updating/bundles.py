"""Bundles as ./run bundle makes them, with packages of a few bytes."""

from __future__ import annotations

import base64
from pathlib import Path
from zipfile import ZipFile

from nacl.signing import SigningKey

from bundle.manifest import write

KEY = SigningKey(b"k" * 32)
MADE_FOR = "debian12 amd64"
NAME = "cutcard-bundle-0.9.0-debian12-amd64"
DEB = "cutcard_0.9.0+deb12_amd64.deb"


def public(key: SigningKey = KEY) -> str:
    """The public half, as openssl writes it."""
    head = bytes.fromhex("302a300506032b6570032100")
    told = base64.b64encode(head + bytes(key.verify_key)).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{told}\n-----END PUBLIC KEY-----\n"


def a_bundle(folder: Path, key: SigningKey = KEY, made_for: str = MADE_FOR) -> Path:
    """A zip in the folder."""
    inside = folder / NAME
    inside.mkdir()
    (inside / DEB).write_bytes(b"a package")
    (inside / "cutcard-table_0.9.0+deb12_all.deb").write_bytes(b"another")
    (inside / "install").write_text("#!/bin/sh\n")
    write(inside, "0.9.0", made_for, key)
    return packed(inside, folder / f"{NAME}.zip")


def packed(inside: Path, file: Path) -> Path:
    """What is in a folder, as a zip."""
    with ZipFile(file, "w") as archive:
        for each in sorted(inside.iterdir()):
            archive.write(each, f"{inside.name}/{each.name}")
    return file
