"""Families of readers: each is in the list, and people can read what its value says."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.families import FAMILIES, PROTOCOLS, READERS
from firmware_bridge.family import Family

ROOT = Path(__file__).parents[2]
FOLDERS = ROOT / "firmware_bridge" / "readers"


def test_every_folder_of_readers_is_in_the_list() -> None:
    assert {each.parent.name for each in FOLDERS.glob("*/family.py")} == set(FAMILIES)
    assert len(FAMILIES) == len(PROTOCOLS) == len(READERS) + 1


@pytest.mark.parametrize("family", READERS, ids=repr)
def test_the_page_of_readers_has_its_figures(family: Family) -> None:
    line = f"{family.baud} 8{family.parity[0].upper()}1"
    zones = f"1 to {family.most_zones} antennas" if family.most_zones > 1 else "1"
    page = (ROOT / "docs" / "readers.md").read_text("utf-8")
    assert f"\n| `{family.name}` | {line} | {zones} | " in page


@pytest.mark.parametrize("family", FAMILIES.values(), ids=repr)
def test_the_settings_name_it(family: Family) -> None:
    settings = (ROOT / "config" / "table.toml").read_text("utf-8")
    [line] = [line for line in settings.splitlines() if line.startswith("# reader = ")]
    assert family.name in line
    [baud] = [line for line in settings.splitlines() if line.startswith("# baud = ")]
    assert str(family.baud) in baud
