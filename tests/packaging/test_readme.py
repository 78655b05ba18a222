"""The README's example does what the README says, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

from controller.__main__ import main

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def test_the_example_prints_what_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = re.search(
        r"<<'END'\n(?P<log>.*?)END\n\./run cutcard replay .*?```text\n(?P<shown>.*?)```",
        README,
        re.DOTALL,
    )
    assert found
    log = tmp_path / "hand.jsonl"
    log.write_text(found["log"], encoding="utf-8")
    assert main(["replay", str(log)]) == 0
    assert capsys.readouterr().out.lstrip("\n") == found["shown"]


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (Path(__file__).parents[2] / link).is_file()


@pytest.mark.parametrize("folder", re.findall(r"`([a-z_/]+/)`", README))
def test_folders_are_there(folder: str) -> None:
    assert (Path(__file__).parents[2] / folder).is_dir()
