"""Pages of the first evening: one command a question, each understood; what is computed, right."""

from __future__ import annotations

import argparse
import ast
import math
import re
import shlex
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS
from controller.install.pico.boards import board
from firmware_bridge.pico import SHIPPED
from firmware_bridge.pico.sim import wiring
from tests.install.test_drawings import PICO

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("hardware", "one-seat", "coil", "power", "computer", "first-capture")
PAGES = {name: (DOCS / f"{name}.md").read_text("utf-8") for name in NAMES}
CODE = re.compile(r"`([^`\n]+)`")


class UnderstoodError(Exception):
    """The arguments were read, and nothing was done."""


@pytest.fixture(autouse=True)
def only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = argparse.ArgumentParser.parse_args

    def read_and_stop(self: argparse.ArgumentParser, words: Sequence[str]) -> None:
        read(self, words)
        raise UnderstoodError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", read_and_stop)


def understood(command: str) -> bool:
    """Whether `cutcard` takes this command line; it is not run."""
    words = shlex.split(command)
    words = words[1:] if words[0] == "sudo" else words
    assert words[0] == "cutcard", command
    if len(words) < 2 or words[1] not in COMMANDS:
        return False
    try:
        import_module(COMMANDS[words[1]].module).main(words[2:])
    except UnderstoodError:
        return True
    except SystemExit:
        return False
    raise AssertionError(command)


def rows(page: str) -> list[list[str]]:
    """The cells of each line of a page's tables, without heads and rules."""
    lines = [line.strip().split("|")[1:-1] for line in page.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line] for line in lines if set("".join(line)) - set("- ")]


QUESTIONS = [row for row in rows(PAGES["hardware"]) if row[0] != "Question"]


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row[0][:40])
def test_each_question_has_one_command_that_is_understood(row: list[str]) -> None:
    question, command, seen = row
    assert question
    assert seen
    (line,) = CODE.findall(command)
    assert command == f"`{line}`"
    assert understood(line), line


def test_each_question_is_asked_once_and_on_this_page_alone() -> None:
    asked = [row[0].partition("?")[0].casefold() for row in QUESTIONS]
    assert sorted(asked) == sorted(set(asked))
    about = ("WRITE_REGISTER_MULTIPLE", "SPI clock", "ANT1356", "eight antennas", "multiplexer")
    for word in about:
        assert len([one for one in asked if word.casefold() in one]) == 1, word
    others = [page for page in DOCS.glob("*.md") if page.name != "hardware.md"]
    assert len(others) > 20
    assert [page.name for page in others if "| Question |" in page.read_text("utf-8")] == []


def test_nobody_is_told_to_edit_what_is_generated() -> None:
    """`wiring.py` is made from boards.toml and lies in the UF2 file: a change there is lost."""
    texts = {page.name: page.read_text("utf-8") for page in DOCS.glob("*.md")}
    texts["wiring.py"] = ast.get_docstring(ast.parse(SHIPPED.read_text("utf-8"))) or ""
    told = re.compile(
        r"[Cc]hange it to|([Rr]aise|[Cc]hange|[Ss]et)[^.|\n]* `wiring\.py`|py` was changed"
    )
    assert {name: found[0] for name, text in texts.items() if (found := told.search(text))} == {}
    assert "boards.toml" in texts["wiring.py"]
    for name in ("build.md", "pico.md", "hardware.md"):
        assert "boards.toml" in texts[name]
        assert "cutcard pico build" in texts[name]


@pytest.mark.parametrize(("page", "label"), [("one-seat", "one-seat"), ("build", "A")])
def test_commands_stand_in_the_order_in_which_they_are_typed(page: str, label: str) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    steps = ("sudo usermod -aG dialout", "cutcard pico build", f"cutcard pico flash {label}\n")
    places = [text.index(step) for step in (*steps, "```sh\ncutcard init\n")]
    assert places == sorted(places)


def test_each_question_is_understood_alone() -> None:
    """It names what it is about: no *it* whose noun is in another line, or nowhere."""
    nameless = re.compile(r"^(Does|Is|May|How \w+ (is|may)) (it|its|they)\b")
    assert [row[0] for row in QUESTIONS if nameless.match(row[0])] == []


def test_what_is_not_understood_is_found() -> None:
    for wrong in ("cutcard doktor", "cutcard doctor --only nothing", "cutcard capture --for 2m"):
        assert not understood(wrong)


def test_there_are_questions_of_all_kinds() -> None:
    assert len(QUESTIONS) > 25
    parts = " ".join(row[1] for row in QUESTIONS)
    for part in ("readers", "antennas", "buttons", "lamps", "screen", "broker", "room", "ports"):
        assert part in parts


def commands(page: str) -> list[str]:
    """All of `cutcard` that a page has to type."""
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL))
    lines = [line.strip() for line in blocks.replace("\\\n", " ").splitlines()]
    spans = CODE.findall(re.sub(r"```.*?```", "", page, flags=re.DOTALL))
    whole = [line for line in spans if len(line.split()) > 2]
    return [line for line in (*lines, *whole) if re.match(r"(sudo )?cutcard ", line)]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "hardware"])
def test_every_command_of_the_other_pages_is_understood(name: str) -> None:
    for line in commands(PAGES[name]):
        assert understood(line), line
    assert commands(PAGES[name]) or name == "power"


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGES[name])
    assert links
    assert [link for link in links if not (DOCS / link).is_file()] == []


@pytest.mark.parametrize("page", ["build", "pico", "readers", "install", "presence", "broker"])
def test_pages_with_open_questions_lead_to_the_table(page: str) -> None:
    assert "(hardware.md" in (DOCS / f"{page}.md").read_text("utf-8")


# --- the coil: MFRC631 data sheet, rev. 3.3, 14.1.4; resonance at 13.56 MHz ---

HZ = 13.56e6


def inductance_nh(diameter_cm: float, turns: int, wire_cm: float = 0.05) -> float:
    turn_cm = math.pi * diameter_cm
    return 2 * turn_cm * (math.log(turn_cm / wire_cm) - 1.07) * math.pow(turns, 1.8)


def resonant_pf(nh: float) -> float:
    return 1e12 / ((2 * math.pi * HZ) ** 2 * nh * 1e-9)


def test_the_coils_are_those_of_the_formula() -> None:
    told = re.findall(
        r"^\| ([\d.]+) cm \| (\d) \| ([\d.]+) µH \| (\d+) pF \|$", PAGES["coil"], re.M
    )
    assert {(diameter, turns) for diameter, turns, *_ in told} == {
        (diameter, turns) for diameter in ("7.0", "7.5", "8.0") for turns in "234"
    }
    for diameter, turns, uh, pf in told:
        nh = inductance_nh(float(diameter), int(turns))
        assert f"{nh / 1000:.2f}" == uh
        assert f"{resonant_pf(nh):.0f}" == pf


def test_fixed_capacitor_and_trimmer_reach_what_was_computed() -> None:
    (found,) = re.findall(
        r"(\d+) pF\s+fixed and a trimmer of (\d+) to\s+(\d+) pF: together (\d+) to (\d+) pF",
        PAGES["coil"],
    )
    fixed, least, most, low, high = map(int, found)
    assert (fixed + least, fixed + most) == (low, high)
    told = [int(pf) for pf in re.findall(r"and (\d+) pF with", PAGES["coil"])]
    assert len(told) == 2
    assert low < resonant_pf(inductance_nh(7.5, 3)) < high
    assert all(low < pf < high for pf in told)
    drawing = (DOCS / "drawings" / "coil.svg").read_text("utf-8")
    assert f"{fixed} pF fixed" in drawing
    assert f"trimmer of {least} to {most} pF" in drawing
    assert "computed, not tried" in drawing


# --- the 5 V ---


def test_the_budget_adds_up() -> None:
    for part in PAGES["power"].split("\n## ")[1:3]:
        total = 0.0
        for name, number, each, sum_a in (row for row in rows(part) if row[0] != "Draws"):
            if name.startswith("**"):
                assert float(sum_a) == pytest.approx(total), part
                break
            assert float(number) * float(each) == pytest.approx(float(sum_a)), name
            total += float(sum_a)
        else:
            raise AssertionError(part)


# --- one seat ---


def test_the_nine_wires_of_one_seat_are_those_of_its_wiring(tmp_path: Path) -> None:
    page = PAGES["one-seat"]
    (flash,) = (line for line in commands(page) if line.startswith("cutcard pico flash "))
    file = tmp_path / "wiring.py"
    file.write_text(board(flash.split()[-1], None).wiring, encoding="utf-8")
    told = wiring.load(file)
    wires = dict(re.findall(r"^\| (\+?\w+) \| (GP\d+|VBUS|3V3|GND) \| \d+ \|$", page, re.M))
    assert len(wires) == 9
    assert told.spi
    (reader,) = told.readers
    assert {name: int(pin[2:]) for name, pin in wires.items() if pin.startswith("GP")} == {
        "NSS": reader["nss"],
        "BUSY": reader["busy"],
        "RST": reader["reset"],
        **dict(zip(("SCK", "MOSI", "MISO"), told.spi[1:], strict=True)),
    }
    pins = dict(re.findall(r"^\| \+?\w+ \| (GP\d+|VBUS|3V3|GND) \| (\d+) \|$", page, re.M))
    assert {pin: PICO[int(number) - 1] for pin, number in pins.items()} == {p: p for p in pins}
    assert told.zones == ((0, 0),)
    assert not told.buttons
