"""The pages of the history as a person uses them, over hands that tables have played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from controller.archive.kept import Gap
from controller.archive.opening import open_archive
from controller.library.books import Library
from tests.web.past import BEGAN_MS, FLOOR, Past, as_told, filled, hands_of


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """T1: 40 clean hands. T2: 39 with faults. Feature: 3 hands, one with a hole, one dealt anew."""
    path = tmp_path_factory.mktemp("past") / "history.sqlite"
    clean = [events for _, events in hands_of(library, "clean")][:40]
    faults = [events for _, events in hands_of(library, "faults")][:40]
    feature = as_told(clean[:3], "Feature", began_ms=BEGAN_MS + 90_000_000)
    holed = [each for each in feature if not 5 <= each.seq <= 8]
    anew = [
        replace(each, event=replace(each.event, redeal_of=1))
        if each.event.__struct_config__.tag == "start" and each.event.hand == 2
        else each
        for each in holed
    ]
    return filled(path, {"T1": as_told(clean), "T2": as_told(faults, "T2"), "Feature": anew})


@pytest.fixture(scope="module")
def past(store: Path) -> Iterator[Past]:
    with Past(str(store)) as running:
        yield running


@pytest.fixture
def page(page: Page, past: Past) -> Page:
    """Of somebody of the floor."""
    past.sign_in(page)
    return page


def faults_of(page: Page) -> list[str]:
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text))
    return said


def hands(page: Page) -> list[str]:
    return [str(each) for each in page.locator(".where").all_inner_texts()]


def test_the_newest_come_first_and_pages_follow(page: Page, past: Past) -> None:
    said = faults_of(page)
    page.goto(f"{past.url}/history")
    assert hands(page)[:3] == ["Feature hand 3", "Feature hand 2", "Feature hand 1"]
    seen = hands(page)
    assert len(seen) == 50
    page.get_by_test_id("next").click()
    expect(page.locator("#newest")).to_have_text("Older hands")
    page.wait_for_load_state()
    seen += hands(page)
    assert page.get_by_test_id("next").count() == 0
    assert len(set(seen)) == len(seen) == 40 + 39 + 3
    assert said == []


def test_a_search_is_an_address_that_can_be_shared(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/history")
    page.fill("#table", "T2")
    page.select_option("#code", label="Four-card flop")
    page.click("button[type=submit]")
    page.wait_for_url(re.compile(r"/history\?table=T2&code=four-card-flop$"))
    assert len(hands(page)) >= 3
    badges = page.locator(".badge[data-code=four-card-flop]")
    assert badges.count() == len(hands(page))
    expect(badges.first).to_contain_text("Four-card flop")
    expect(page.locator("#table")).to_have_value("T2")
    expect(page.locator("#code")).to_have_value("four-card-flop")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("hand=7", 2),
        ("person=fay+floor&table=T1", 0),
        ("text=cards+shown&table=T1", 0),
        ("found=1&table=T1", 0),
        ("table=Feature&hand=2", 1),
        (f"table=T1&from={datetime.fromtimestamp(BEGAN_MS / 1000 + 4560):%Y-%m-%dT%H:%M:%S}", 3),
    ],
)
def test_each_field_narrows(page: Page, past: Past, query: str, count: int) -> None:
    page.goto(f"{past.url}/history?{query}")
    assert len(hands(page)) == count
    assert page.get_by_test_id("none").count() == (count == 0)


def test_a_mistake_is_put_right_with_one_tap(page: Page, past: Past) -> None:
    answer = page.goto(f"{past.url}/history?table=T22&hand=x7&found=1")
    assert answer is not None
    assert answer.status == 400
    expect(page.locator("#fault-table")).to_contain_text("There is no table 'T22'.")
    assert page.get_attribute("#table", "aria-describedby") == "fault-table"
    assert page.get_by_test_id("hands").count() == 0
    page.click("#fault-table a")
    page.click("#fault-hand a")
    page.wait_for_url(re.compile("table=T2&hand=7&found=1"))
    assert hands(page) == ["T2 hand 7"]


def test_a_hand_tells_what_happened_was_found_and_was_ruled(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/history?table=T2&code=four-card-flop")
    page.get_by_test_id("hand").last.click()
    finding = page.get_by_test_id("finding").first
    expect(finding).to_contain_text("Four-card flop")
    expect(finding.locator(".rules li").first).to_contain_text(re.compile(r"[A-Z0-9]+-\S+ .*flop"))
    account = page.get_by_test_id("account")
    expect(account).to_contain_text("More than three cards were turned up for the flop")
    expect(account).to_contain_text(re.compile(r"Seat \d+ (folds|calls|raises|checks)"))
    number = int(re.findall(r"\d+", page.inner_text("h1"))[-1])
    page.get_by_test_id("after").click()
    expect(page.locator("h1")).to_have_text(f"Table T2, hand {number + 1}")
    page.get_by_test_id("before").click()
    expect(page.locator("h1")).to_have_text(f"Table T2, hand {number}")


def test_a_table_with_a_new_journal_has_two_hands_of_one_number(
    laptop: Page, tmp_path: Path, library: Library
) -> None:
    played = [events for _, events in hands_of(library, "clean")][:3]
    before = [replace(each, journal="0a" * 8) for each in as_told(played[:2])]
    later = as_told(played[2:], began_ms=BEGAN_MS + 90_000_000)
    after = [replace(each, session="1-18b0", journal="0b" * 8) for each in later]
    store = filled(tmp_path / "history.sqlite", {"T1": [*before, *after]})
    with Past(str(store)) as past:
        past.sign_in(laptop)
        laptop.goto(f"{past.url}/history?hand=1")
        assert hands(laptop) == ["T1 hand 1", "T1 hand 1"]
        laptop.get_by_test_id("hand").last.click()
        began = laptop.locator("dd").first.inner_text()
        laptop.get_by_test_id("after").click()
        expect(laptop.locator("h1")).to_have_text("Table T1, hand 2")
        laptop.get_by_test_id("after").click()
        expect(laptop.locator("h1")).to_have_text("Table T1, hand 1")
        assert laptop.locator("dd").first.inner_text() != began
        with laptop.expect_download() as file:
            laptop.get_by_test_id("json").click()
        told = json.loads(file.value.path().read_text())
        assert told["hand"]["journal"] == "0b" * 8
        laptop.goto(f"{past.url}/history/T1/1")  # as alerts say it: the newest
        assert laptop.locator("dd").first.inner_text() != began
        laptop.close()


def test_who_closed_it_and_why_is_said(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/history?person={FLOOR}")
    page.get_by_test_id("hand").first.click()
    decision = page.get_by_test_id("decision").filter(has_text=FLOOR).first
    expect(decision).to_contain_text("Reason: cards shown")


def test_what_is_missing_is_marked_where_it_is_missing(page: Page, past: Past, store: Path) -> None:
    archive = open_archive(store)
    gap = Gap("Feature", "1-18a0", 5, 8)
    page.goto(f"{past.url}/history/Feature/1")
    expect(page.get_by_test_id("gap")).to_contain_text("Events missing here: 4. The table has")
    expect(page.get_by_test_id("note").first).to_contain_text(
        "Some events of this hand are missing"
    )
    assert page.get_by_test_id("phh").count() == 0
    archive.lost(gap)
    archive.close()
    page.reload()
    expect(page.get_by_test_id("gap")).to_contain_text("Events missing here for good: 4")


def test_a_hand_leads_to_the_one_that_it_was_dealt_again_as(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/history/Feature/1")
    page.get_by_test_id("redeal").click()
    expect(page.locator("h1")).to_have_text("Table Feature, hand 2")
    expect(page.get_by_test_id("redeal")).to_have_text("Redeal of hand 1")


def test_what_is_not_there_is_said(page: Page, past: Past) -> None:
    for where, words in (
        ("/history/T2/4711", "Nothing is known of hand 4711 at table T2"),
        ("/history/T9/1", "Nothing is known of hand 1 at table T9"),
        ("/history/T2/x", "'x' is not a hand number"),
    ):
        answer = page.goto(f"{past.url}{where}")
        assert answer is not None
        assert answer.status == 404
        expect(page.get_by_test_id("notice")).to_contain_text(words)


@pytest.mark.parametrize(
    ("language", "title", "fault"),
    [
        ("de", "Verlauf", "Es gibt keinen Tisch"),
        ("es", "Historial", "No hay mesa"),
        ("fr", "Historique", "Il n'y a pas de table"),
    ],
)
def test_it_speaks_four_languages_and_goes_on_in_the_same(
    page: Page, past: Past, language: str, title: str, fault: str
) -> None:
    page.goto(f"{past.url}/history?lang={language}&table=T22")
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator("#fault-table")).to_contain_text(fault)
    page.click("#fault-table a")
    page.get_by_test_id("hand").first.click()
    assert page.get_attribute("html", "lang") == language
    page.locator("header a").nth(2).click()
    assert page.get_attribute("html", "lang") == language


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 640)])
def test_nothing_runs_out_of_the_screen(page: Page, past: Past, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for where in ("/history", "/history?table=x&from=y", "/history/T2/5", "/statistics?span=all"):
        page.goto(f"{past.url}{where}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], where


def test_markup_in_an_address_is_text(page: Page, past: Past) -> None:
    said = faults_of(page)
    page.goto(f"{past.url}/history?text=%3Cimg+src=x+onerror=alert(1)%3E")
    assert page.locator("img").count() == 0
    assert page.input_value("#text") == "<img src=x onerror=alert(1)>"
    assert said == []


def test_without_a_history_it_is_said(page: Page, tmp_path: Path) -> None:
    with Past(None) as none:
        none.sign_in(page)
        page.goto(f"{none.url}/history")
        expect(page.get_by_test_id("notice")).to_have_text("This room keeps no history")
    with Past(str(tmp_path / "none.sqlite")) as missing:
        missing.sign_in(page)
        answer = page.goto(f"{missing.url}/statistics")
        assert answer is not None
        assert answer.status == 503
        expect(page.get_by_test_id("notice")).to_contain_text("no such file")
    open_archive(tmp_path / "new.sqlite").close()
    with Past(str(tmp_path / "new.sqlite")) as empty:
        empty.sign_in(page)
        page.goto(f"{empty.url}/history")
        expect(page.get_by_test_id("none")).to_have_text("No hands recorded yet")
        page.goto(f"{empty.url}/statistics")
        expect(page.get_by_test_id("none")).to_have_text("No hands in this period")
