"""Writes what is in a bundle into its `manifest.json`, with the SHA-256 of each file, and signs it.

The signature, `manifest.sig`, is Ed25519 over the bytes of the manifest. The public key is written
beside the private one, in the form that openssl reads, and is not in the bundle: who brings a
bundle must not also bring what it is checked with.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from pathlib import Path

from nacl.signing import SigningKey

from controller.storage.signature import as_pem


def write(folder: Path, version: str, made_for: str, key: SigningKey) -> None:
    """Writes `manifest.json` and `manifest.sig` into the folder."""
    files = {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest()
        for each in sorted(folder.iterdir())
        if not each.name.startswith("manifest.")
    }
    manifest = {"cutcard": version, "for": made_for, "files": files}
    text = json.dumps(manifest, indent=2).encode() + b"\n"
    (folder / "manifest.json").write_bytes(text)
    (folder / "manifest.sig").write_bytes(key.sign(text).signature)


def key_in(file: Path) -> SigningKey:
    """Returns the key of a file, which is made where there is none, with its public half beside."""
    if not file.exists():
        key = SigningKey.generate()
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as made:
            made.write(f"{bytes(key).hex()}\n")
    key = SigningKey(bytes.fromhex(file.read_text("ascii").strip()))
    pem = as_pem(bytes(key.verify_key))
    file.with_name(f"{file.name}.pub").write_text(pem, encoding="ascii")
    return key


def main() -> None:
    """Signs a bundle, or only makes the key."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    doing = parser.add_subparsers(dest="doing", required=True)
    signing = doing.add_parser("sign", help="write manifest.json and manifest.sig into a folder")
    signing.add_argument("folder", type=Path)
    signing.add_argument("--version", required=True)
    signing.add_argument("--for", dest="made_for", required=True, help="such as: debian12 amd64")
    making = doing.add_parser("key", help="make the key where there is none, and its public half")
    for each in (signing, making):
        each.add_argument("--key", type=Path, required=True)
    args = parser.parse_args()
    key = key_in(args.key)
    if args.doing == "sign":
        write(args.folder, args.version, args.made_for, key)


if __name__ == "__main__":
    main()
