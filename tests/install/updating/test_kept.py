"""What is kept for the way back."""

from __future__ import annotations

from pathlib import Path

from controller.install.updating.kept import Kept, Last


def test_the_last_update_is_known_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "update")
    assert kept.last is None
    last = Last("0.8.0", "0.9.0", "begun", "/b.zip")
    kept.say(last)
    assert Kept(tmp_path / "update").last == last
    (tmp_path / "update/last.json").write_text("{")
    assert kept.last is None


def test_only_what_leads_back_stays(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    package = tmp_path / "cutcard_1_all.deb"
    package.write_bytes(b"p")
    for version in ("0.7.0", "0.8.0", "0.9.0"):
        kept.keep(version, [package])
        kept.backup(version).write_bytes(b"z")
    kept.forget_all_but(("0.8.0", "0.9.0"))
    assert [kept.packages(each) != [] for each in ("0.7.0", "0.8.0", "0.9.0")] == [0, 1, 1]
    assert [each.name for each in sorted(tmp_path.glob("before-*"))] == [
        "before-0.8.0.zip",
        "before-0.9.0.zip",
    ]
