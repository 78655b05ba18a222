"""The screen's connection: lost, silent, unreadable, found again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.link import DEADLINE, LONGEST_LINE, RETRY, Link
from tests.display_dealer.bench import Bench, Table, dealer

ReadView = Callable[[str], TableView]


def test_killed_table_is_shown_and_found_again(bench: Bench, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    assert bench.text("banner") == view.prompt
    bench.table.close()
    bench.path.unlink()
    bench.step()
    assert bench.text("banner").startswith("No connection to the table")
    assert bench.window.screen.hatched
    assert bench.window.screen.faces[0].rank == "A"
    bench.tap("call-floor")
    bench.step(65)
    assert "1:05" in bench.text("banner") or "1:06" in bench.text("banner")
    bench.table = Table(bench.path)
    bench.step(RETRY)
    bench.show(replace(view, prompt="Back again"))
    assert bench.text("banner") == "Back again"
    assert not bench.window.screen.hatched
    assert bench.table.lines() == []
    bench.tap("call-floor")
    assert bench.table.lines() == [dealer("call-floor")]


def test_it_waits_half_a_second_between_attempts(tmp_path: Path, read_view: ReadView) -> None:
    path = tmp_path / "dealer.sock"
    link = Link(path, 0.0)
    assert link.poll(0.0) is None
    assert link.connection(0.0).cause == "absent"
    table = Table(path)
    link.poll(0.4)
    assert link.connection(0.4).cause == "absent"
    link.poll(0.5)
    table.show(read_view("waiting"))
    assert link.poll(0.5) == read_view("waiting")
    assert link.connection(0.5).cause == ""
    link.close()


def test_retry_connects_at_once_and_gives_up_a_connection_that_is_silent(
    bench: Bench, read_view: ReadView
) -> None:
    bench.show(read_view("flop_betting"))
    bench.step(DEADLINE + 0.5)
    assert bench.text("banner").startswith("No word from the table")
    bench.path.unlink()
    silent, bench.table = bench.table, Table(bench.path)
    bench.tap("retry")
    bench.show(replace(read_view("flop_betting"), prompt="Here again"))
    assert bench.text("banner") == "Here again"
    silent.close()


def test_what_could_not_be_sent_is_not_sent_later(tmp_path: Path) -> None:
    table = Table(tmp_path / "dealer.sock")
    link = Link(table.path, 0.0)
    link.poll(0.0)
    assert table.peer is not None  # it has been accepted
    taps = 0
    while link.send({"kind": "riffle", "filler": "x" * 4096}, 0.0):
        taps += 1
    assert taps > 10
    table.close()
    table.path.unlink()
    link.poll(0.1)
    assert link.connection(0.1).cause == "closed"
    again = Table(table.path)
    link.poll(1.0)
    assert link.send({"kind": "dealer", "input": "award"}, 1.0)
    assert again.lines() == [dealer("award")]
    link.close()


def test_a_call_that_may_not_have_arrived_is_not_shown_as_sent(
    bench: Bench, read_view: ReadView
) -> None:
    def label() -> str:
        return bench.window.screen.buttons[-1].label

    bench.show(read_view("flop_betting"))
    bench.tap("call-floor")
    assert label() == "Calling…"
    bench.table.close()
    bench.path.unlink()
    bench.step()
    assert label() == "Call floor"


def test_silence_makes_it_stale_and_the_same_view_again_does_not(
    bench: Bench, read_view: ReadView
) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    bench.step(DEADLINE - 1)
    bench.show(view)
    bench.step(DEADLINE - 0.5)
    assert not bench.window.screen.hatched
    bench.step(1)
    assert bench.text("banner").startswith("No word from the table for 0:05")
    assert bench.window.screen.hatched
    bench.show(view)
    assert not bench.window.screen.hatched


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"\xff\xfe",
        b'{"kind":"hand"}',
        b'{"kind":"view","view":{"table":"7"}}',
        b'{"kind":"view","view":{"table":"7","rulebook":"roberts","button":11}}',
        b'{"kind":"view","view":{"table":"7","rulebook":"roberts","board":["Zz"]}}',
        b'{"kind":"view","view":{"table":"7","rulebook":"roberts","board":'
        + json.dumps(["As"] * 9).encode()
        + b"}}",
    ],
)
def test_a_line_that_cannot_be_read_is_counted_and_shown(
    bench: Bench, read_view: ReadView, line: bytes
) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    bench.table.write(line + b"\n")
    bench.step()
    links = next(one for one in bench.window.screen.buttons if one.id == "links")
    assert "Unreadable lines: 1" in links.label
    bench.show(replace(view, prompt="Still here"))
    assert bench.text("banner") == "Still here"


def test_a_table_that_cannot_begin_says_why_and_takes_nothing(
    bench: Bench, read_view: ReadView
) -> None:
    for why, words in (("newer", "newer version"), ("foreign", "another program's")):
        bench.table.write(b'{"kind":"refused","why":"%s"}\n' % why.encode())
        bench.step()
        assert words in bench.text("banner")
        assert bench.window.screen.hatched
        bench.tap("call-floor")
        assert bench.table.lines() == []
    bench.show(replace(read_view("flop_betting"), prompt="It has begun"))
    assert bench.text("banner") == "It has begun"


def test_a_line_without_end_drops_the_connection(tmp_path: Path) -> None:
    table = Table(tmp_path / "dealer.sock")
    link = Link(table.path, 0.0)
    link.poll(0.0)
    for _ in range(LONGEST_LINE // 65536 + 2):
        try:
            table.write(b"x" * 65536)
        except BrokenPipeError:
            break
        link.poll(0.1)
    assert link.connection(0.1).cause == "flood"


def test_lines_in_pieces_and_several_at_once(bench: Bench, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    data = b"".join(
        msgspec.json.encode({"kind": "view", "view": replace(view, prompt=f"Prompt {n}")}) + b"\n"
        for n in range(5)
    )
    for part in (data[:100], data[100:-10], data[-10:]):
        bench.table.write(part)
        bench.step()
    assert bench.text("banner") == "Prompt 4"
