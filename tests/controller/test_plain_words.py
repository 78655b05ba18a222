"""What people read in English is what they would say in a card room: phrases that puzzled a native
reader, and others of their kind, stay out."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("controller", "display", "firmware_bridge")
PAGES = ("controller/demo/page", "display/web/templates")

PUZZLING = (
    r"(put|puts|putting) (it |this |them )?right",
    r"takes? (it|its hand|the hand) in\b",
    r"\btake in:",
    r"(is|are) taken in\b",
    r"look(s|ed)? (a table|it|everything|\w+ structures) over",
    r"arrows between",
    r"watch on",
    r"nothing is watched\?",
    r"who from the floor",
    r"of the floor is coming",
    r"^flop again$",
    r"deal again",
    r"dealt anew",
    r"not well",
    r"no room for \{",
    r"graver",
    r"^round closed$",
    r"two of one card",
    r"card back from the muck",
    r"has (seat|it) [^.?]*still to act",
    r"the time is over",
    r"no action of seat",
    r"(absent|losing), take",
    r"pages of what was",
    r"is there (again|already)",
    r"(cannot|can't) be heard",
    r" anew\b(?!-| anew-)",
    r"for so long\b",
    r"so many times as",
    r"what runs\b",
    r"what comes\b(?! (in|up|next|back))",
    r"(come|comes) along\b",
    r"made to measure",
    r"one a line",
    r"\bmend(s|ed)?\b",
    r"cards? of another deck",
    r"ninth_s",
)
"""Each with the plain word for it in the texts: fix, muck, check, keep watching, redeal, …"""


@cache
def texts() -> dict[str, list[str]]:
    """Everything that people read in English, by the file that has it."""
    said = {"config/languages/en.toml": list(_values(ROOT / "config/languages/en.toml"))}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        said[str(path.relative_to(ROOT))] = [re.sub(r"\s+", " ", path.read_text("utf-8"))]
    for folder in PAGES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".html", ".js"):
                said[str(path.relative_to(ROOT))] = [_without_comments(path.read_text("utf-8"))]
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            said[str(path.relative_to(ROOT))] = list(_strings(ast.parse(path.read_text("utf-8"))))
    for folder in ("lessons", "blinds"):
        for path in sorted((ROOT / "config" / folder).glob("*.toml")):
            said[str(path.relative_to(ROOT))] = _lines(path)
    for name in ("room.toml", "table.toml", "deck.example.toml"):
        said[f"config/{name}"] = _lines(ROOT / "config" / name)
    return said


def _values(path: Path) -> Iterator[str]:
    inside: list[object] = [tomllib.loads(path.read_text("utf-8"))]
    for each in inside:
        if isinstance(each, dict):
            inside.extend(each.values())
        elif isinstance(each, str):
            yield each


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def _without_comments(page: str) -> str:
    return re.sub(r"(?m)^\s*(//|\*|/\*).*$", "", page)


def _strings(module: ast.Module) -> Iterator[str]:
    """The help, the errors and all else that a program says; docstrings are for programmers."""
    own = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in own:
            yield re.sub(r"\s+", " ", node.value)


@pytest.mark.parametrize("phrase", PUZZLING)
def test_no_text_puzzles_who_reads_it(phrase: str) -> None:
    wanted = re.compile(phrase, re.IGNORECASE)
    found = [
        (name, text[max(0, hit.start() - 40) : hit.end() + 40])
        for name, said in texts().items()
        for text in said
        for hit in wanted.finditer(text)
    ]
    assert found == []


def test_the_texts_are_found() -> None:
    said = {text for lines in texts().values() for text in lines}
    assert "Call floor" in said
    assert "check a table and say what to fix" in said
    assert any("CI enforces the import direction" in text for text in said)
