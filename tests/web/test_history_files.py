"""Files of the history as browsers get them, and what no page and no file ever tells."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
import warnings
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from pokerkit import HandHistory

from controller.archive.files import COLUMNS
from controller.archive.kept import Archive, ArchiveError
from controller.contract.events import Board, Event, Finding, Tabled
from controller.library.books import Library
from controller.people.staff import Role
from display.web import downloads
from display.web.serving.access import revocation
from display.web.serving.routes import history
from tests.web.past import DEALER, FLOOR, PLAYER, Past, as_told, filled, hands_of

MARK = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
CODES = re.compile(r"(?<![A-Za-z0-9])((?:[2-9TJQKA][cdhs])+)(?![A-Za-z0-9])")
LETTER = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


@pytest.fixture(scope="module")
def hands(library: Library) -> list[tuple[Path, list[Event]]]:
    return list(hands_of(library, "clean", "faults", "incidents"))


@pytest.fixture(scope="module")
def past(
    tmp_path_factory: pytest.TempPathFactory, hands: list[tuple[Path, list[Event]]]
) -> Iterator[Past]:
    store = tmp_path_factory.mktemp("files") / "history.sqlite"
    told = as_told([events for _, events in hands])
    with Past(str(filled(store, {"T1": told}))) as running:
        yield running


def get(past: Past, path: str, role: Role | None = "floor") -> tuple[httpx.Response, str]:
    """The answer, whatever it is, and its text."""
    answer = past.answer(path, role)
    return answer, answer.text


def test_findings_are_read_by_csv(past: Past, hands: list[tuple[Path, list[Event]]]) -> None:
    answer, text = get(past, "/history.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert re.search(
        r'filename="history-\d{4}-\d\d-\d\d\.csv"', answer.headers["content-disposition"]
    )
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    found = [e for _, events in hands for e in events if isinstance(e, Finding)]
    assert len(rows) == len(found) > 30
    assert tuple(rows[0]) == COLUMNS
    assert sorted(row["code"] for row in rows) == sorted(each.code for each in found)
    assert [int(row["hand"]) for row in rows] == sorted(int(row["hand"]) for row in rows)
    _, some = get(past, "/history.csv?code=four-card-flop")
    codes = {row["code"] for row in csv.DictReader(io.StringIO(some, newline=""))}
    assert "four-card-flop" in codes
    assert len(some) < len(text)


def test_a_night_is_read_by_pokerkit(past: Past, hands: list[tuple[Path, list[Event]]]) -> None:
    _, text = get(past, "/history.phhs")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = list(HandHistory.loads_all(text))
    left_out = [line for line in text.splitlines() if line.startswith("# T1 hand")]
    assert len(read) >= 50
    assert len(read) + len(left_out) == len(hands)
    assert [int(number) for number in tomllib.loads(text)] == list(range(1, len(read) + 1))
    for each in read[:20]:
        assert not [*each][-1].status


def test_lines_have_every_event(past: Past, hands: list[tuple[Path, list[Event]]]) -> None:
    _, text = get(past, "/history.jsonl")
    lines = [json.loads(line) for line in text.splitlines()]
    assert sum(line["kind"] == "event" for line in lines) == sum(len(e) for _, e in hands)
    assert [line["hand"] for line in lines if line["kind"] == "hand"] == [*range(1, len(hands) + 1)]


def test_one_hand_in_both_forms(past: Past) -> None:
    answer, text = get(past, "/history/T1/1.phh")
    assert 'filename="T1-000001.phh"' in answer.headers["content-disposition"]
    assert tomllib.loads(text)["hand"] == 1
    answer, text = get(past, "/history/T1/1.json")
    assert answer.headers["content-type"] == "application/json"
    made = json.loads(text)
    assert made["hand"]["hand"] == 1
    assert len(made["told"]) == made["hand"]["events"] > 10


def test_what_cannot_be_had_is_said(past: Past) -> None:
    for path, status, words in (
        ("/history.csv?table=T11", 400, "There is no table 'T11'. T1"),
        ("/history/T1/9999.json", 404, "Nothing is known of hand 9999"),
        ("/history/T1/1.pdf", 404, "not a hand number"),
    ):
        answer, text = get(past, path)
        assert answer.status_code == status, path
        assert words in text.replace("&#39;", "'"), path
    number, reason = re.findall(r"# T1 hand (\d+): (.*)", get(past, "/history.phhs")[1])[0]
    answer, text = get(past, f"/history/T1/{number}.phh")
    assert (answer.status_code, text) == (409, f"{reason}\n")


def test_a_night_is_never_read_at_once(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    read = downloads.json_part

    def noted(archive: Archive, *given: object) -> downloads.Part:
        part = read(archive, *given)  # type: ignore[arg-type]
        asked.append(part.text.count('"kind":"hand"'))
        return part

    monkeypatch.setitem(downloads.PARTS, "jsonl", (noted, "application/jsonl"))
    with Past(past.store) as anew:
        get(anew, "/history.jsonl")
    assert len(asked) >= 4
    assert max(asked) <= downloads.PIECE


def test_a_file_that_breaks_off_is_not_taken_for_whole(
    past: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> downloads.Part:
        if given[2] is not None:
            raise ArchiveError("the disk is gone")
        return downloads.Part("begun\n", "1-1-1")

    monkeypatch.setitem(downloads.PARTS, "csv", (broken, "text/csv"))
    incomplete = pytest.raises(httpx.RemoteProtocolError, match="incomplete")
    with Past(past.store) as anew, incomplete:
        get(anew, "/history.csv")


def test_no_more_files_at_once_than_so_many(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_FILES", 0)
    answer, text = get(past, "/history.csv")
    assert answer.status_code == 503
    assert text == "Too many downloads at once; wait for one to finish.\n"


def test_who_dealt_is_for_managers_and_who_played_for_nobody(past: Past) -> None:
    paths = [
        "/history",
        "/history.csv",
        "/history.jsonl",
        "/history.phhs",
        "/statistics?span=all",
        f"/history?person={quote(DEALER)}",
        *(f"/history/T1/{number}{kind}" for number in (1, 70, 80) for kind in ("", ".json")),
    ]
    roles: tuple[Role, ...] = ("floor", "director", "admin")
    for role in roles:
        texts = {path: get(past, path, role)[1] for path in paths}
        assert PLAYER not in "".join(texts.values())
        said = {path for path, text in texts.items() if DEALER in text.replace(quote(DEALER), "")}
        if role == "floor":
            assert said <= {paths[5]}  # the field says what was asked
            assert 'data-testid="hand"' not in texts[paths[5]]
            assert 'data-testid="hand"' not in get(past, "/history?text=dana", role)[1]
        else:
            assert said >= {"/history.csv", "/history.jsonl", "/history/T1/1", paths[4], paths[5]}
            assert 'data-testid="hand"' in texts[paths[5]]
        assert any(FLOOR in text for text in texts.values())


@pytest.mark.parametrize("role", [None, "viewer"])
def test_who_is_not_of_the_floor_gets_nothing(past: Past, role: Role | None) -> None:
    for path in (
        "/history",
        "/history.csv",
        "/history.jsonl",
        "/history.phhs",
        "/history/T1/1",
        "/history/T1/1.json",
        "/history/T1/1.phh",
        "/history/T1/9999",
        "/statistics",
    ):
        answer, text = get(past, path, role)
        said = "sign in first" if role is None else "a viewer is viewer; this needs floor"
        assert (answer.status_code, text) == (
            401 if role is None else 403,
            f'{{"error":"{said}"}}',
        ), path


def test_a_file_ends_with_its_readers_sign_in_and_is_not_whole(
    past: Past, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object) -> downloads.Part:
        return downloads.Part("a line\n" * 1_000, "1-1-1")

    monkeypatch.setattr(revocation, "LOOK_S", 0.1)
    monkeypatch.setitem(downloads.PARTS, "csv", (endless, "text/csv"))
    with Past(past.store) as anew, anew.client("floor", "Leo") as client:
        with client.stream("GET", "/history.csv") as stream:
            pieces = stream.iter_raw()
            assert next(pieces)
            anew.get(lambda: anew.door.store.set_role("Leo", "viewer"))
            with pytest.raises(httpx.RemoteProtocolError, match="incomplete"):
                deque(pieces, 0)
        assert client.get("/history.csv").status_code == 401


def test_nothing_that_lies_face_down_is_told(
    past: Past, hands: list[tuple[Path, list[Event]]]
) -> None:
    hidden_ones = shown_ones = 0
    for number, (log, events) in enumerate(hands, 1):
        public = {
            card
            for event in events
            if isinstance(event, Board | Tabled | Finding)
            for card in event.cards
        }
        dealt = {
            line["tag"]
            for line in map(json.loads, log.read_text().splitlines())
            if line.get("kind") == "seen" and str(line.get("zone")).startswith("seat/")
        }
        hidden = {card for card in dealt if len(card) == 2} - public
        hidden_ones += len(hidden)
        told: set[str] = set()
        page = get(past, f"/history/T1/{number}")[1]
        told |= {rank.replace("10", "T") + LETTER[suit] for rank, suit in MARK.findall(page)}
        for kind in ("json", "phh"):
            answer, text = get(past, f"/history/T1/{number}.{kind}")
            if answer.status_code == 200:
                told |= {
                    run[n : n + 2] for run in CODES.findall(text) for n in range(0, len(run), 2)
                }
        shown_ones += len(told & public)
        assert not told & hidden - {"As"}, log.name
        assert not re.search(r'"As"', text) or "As" in public, log.name
    assert hidden_ones > 500
    assert shown_ones > 200
