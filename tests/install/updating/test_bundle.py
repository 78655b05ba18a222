"""A bundle is used only if every byte of it is what its builders have signed."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from nacl.signing import SigningKey

from controller.install.updating.bundle import BundleError, open_bundle, unpack
from tests.install.updating.bundles import DEB, KEY, NAME, a_bundle, packed, public


def test_its_version_and_its_files(tmp_path: Path) -> None:
    bundle = open_bundle(a_bundle(tmp_path), public())
    assert (bundle.version, bundle.made_for) == ("0.9.0+deb12", "debian12-amd64")
    (tmp_path / "to").mkdir()
    unpack(bundle, tmp_path / "to")
    assert (tmp_path / "to" / DEB).read_bytes() == b"a package"
    assert (tmp_path / "to/manifest.json").exists()


def test_one_that_others_have_signed_is_refused(tmp_path: Path) -> None:
    file = a_bundle(tmp_path, SigningKey(b"o" * 32))
    with pytest.raises(BundleError, match="not signed by those whose cutcard runs here"):
        open_bundle(file, public())


def test_a_file_that_is_not_the_signed_one_is_refused(tmp_path: Path) -> None:
    a_bundle(tmp_path)
    (tmp_path / NAME / DEB).write_bytes(b"a Package")
    bundle = open_bundle(packed(tmp_path / NAME, tmp_path / "b.zip"), public())
    (tmp_path / "to").mkdir()
    with pytest.raises(BundleError, match=r"cutcard_0\.9\.0\+deb12_amd64\.deb is damaged in it"):
        unpack(bundle, tmp_path / "to")


def test_a_manifest_that_was_changed_is_refused(tmp_path: Path) -> None:
    a_bundle(tmp_path)
    manifest = tmp_path / NAME / "manifest.json"
    manifest.write_text(manifest.read_text().replace("debian12", "debian13"))
    file = packed(tmp_path / NAME, tmp_path / "b.zip")
    with pytest.raises(BundleError, match="not signed"):
        open_bundle(file, public())


@pytest.mark.parametrize("name", ["more.deb", f"{NAME}/more.deb", f"{NAME}/sub/more.deb", "../x"])
def test_one_with_more_in_it_than_is_signed_is_refused(tmp_path: Path, name: str) -> None:
    file = a_bundle(tmp_path)
    with ZipFile(file, "a") as archive:
        archive.writestr(name, b"?")
    with pytest.raises(BundleError, match=r"this is no bundle|not what its manifest says"):
        open_bundle(file, public())


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + 18 * b"\0", b"no zip at all"])
def test_what_is_no_bundle_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "b.zip"
    file.write_bytes(content)
    with pytest.raises(BundleError, match="this is no bundle of cutcard"):
        open_bundle(file, public())


@pytest.mark.parametrize("key", ["", public().replace("MC", "??"), public().replace("-----", "")])
def test_a_key_that_is_none_is_said(tmp_path: Path, key: str) -> None:
    with pytest.raises(BundleError, match="the key for bundles: this is no public key"):
        open_bundle(a_bundle(tmp_path), key)


def test_one_cut_off_is_refused(tmp_path: Path) -> None:
    file = a_bundle(tmp_path)
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(BundleError, match="no bundle of cutcard, or it is damaged"):
        open_bundle(file, public(KEY))
