"""docs/rules.md: its book is a book, and what it shows is what is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from controller.__main__ import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def test_the_houses_book_of_the_page_is_well(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    [book] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "riverside.toml"
    path.write_text(book, encoding="utf-8")
    assert main(["rules", "check", str(path)]) == 0
    assert "Riverside Card Club" in capsys.readouterr().out


def test_the_page_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    [(asked, shown)] = re.findall(r"```\n\$ cutcard (.*?)\n(.*?)```", PAGE, re.DOTALL)
    assert main(shlex.split(asked)) == 0
    assert capsys.readouterr().out == shown


def test_every_option_is_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rules", "bet", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert options - set(re.findall(r"--[a-z-]+", PAGE)) == {"--help", "--language", "--book"} - {
        name for name in ("--book",) if name in PAGE
    }
