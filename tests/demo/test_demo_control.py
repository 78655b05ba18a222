"""The control page in a real browser: what a person does on it happens at the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.demo.runs import Running, running
from tests.waiting import PATIENCE_S
from tests.web.chromium import DESKTOP, launched


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched(DESKTOP) as browser:
        yield browser


@pytest.fixture
def show() -> Iterator[Running]:
    with running("--headless", "--json", "--speed", "5", "--seed", "7") as started:
        yield started


@pytest.fixture
def page(chromium: Browser, show: Running) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(show.ready()["pages"]["control"])
    yield page
    page.close()


def kinds(show: Running, kind: str) -> list[dict[str, object]]:
    found = [json.loads(line) for line in list(show.lines) if line.startswith('{"kind"')]
    return [event for event in found if event["kind"] == kind]


@pytest.mark.long
def test_a_person_orders_an_error_answers_and_rules(page: Page, show: Running) -> None:
    page.set_default_timeout(20_000)
    page.locator("#errors").select_option("four-card-flop")
    for part in ("answers", "floor"):
        page.locator(f"#part-{part} .part").click()
    expect(page.locator("#hand")).to_have_text("Hand 2")
    expect(page.locator("#now")).to_contain_text("In this hand: Four-card flop")
    finding = page.locator("article")
    expect(finding).to_contain_text("Four-card flop")
    expect(page.locator("#part-answers .hint")).to_have_text("The dealer waits for the next step.")
    page.locator("#part-floor").get_by_role("button", name="Coming").click()
    expect(page.locator("#given")).to_contain_text("coming: accepted")
    page.locator("#part-answers").get_by_label("Dismiss…").select_option("misread")
    expect(finding).to_have_count(0)
    show.wait_for(r'"kind":"closed".*"how":"dismissed"')
    assert kinds(show, "finding")[0]["code"] == "four-card-flop"
    assert kinds(show, "floor-coming")[0]["by"] == "floor"


def test_a_person_plays_the_seats_to_the_end_and_hands_them_back(page: Page, show: Running) -> None:
    page.set_default_timeout(20_000)
    page.locator("#part-seats .part").click()
    page.get_by_role("button", name="Pause after this hand").click()
    presses = page.locator("#presses")
    for _ in range(3):
        whose = presses.locator(".whose")
        expect(whose).to_be_visible()
        seat = whose.inner_text()
        presses.get_by_role("button", name="Fold").click()
        expect(whose).not_to_have_text(seat)
    seat = presses.locator(".whose").inner_text()
    page.locator("#amount").fill("600")
    presses.get_by_role("button", name="Raise to").click()
    expect(presses.locator(".whose")).not_to_have_text(seat)
    show.wait_for(r'"action":"raise","by":"dealer","amount":600')
    page.locator("#part-seats .part").click()
    show.wait_for(r'"kind":"result"')
    expect(page.locator("#now")).to_contain_text("Paused.")
    assert kinds(show, "finding") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"X-Requested-With": "cutcard"}, 403),
        ({"X-Requested-With": "cutcard", "Origin": "http://evil.example"}, 403),
        ({"X-Requested-With": "cutcard", "Origin": "http://evil.example", "Host": "evil:80"}, 403),
        ({"X-Requested-With": "cutcard", "Origin": "SELF"}, 409),
    ],
)
def test_another_site_can_do_nothing(headers: dict[str, str], status: int, standing: str) -> None:
    given = {name: value.replace("SELF", standing.rstrip("/")) for name, value in headers.items()}
    request = Request(f"{standing}do/step", data=b"{}", headers=given, method="POST")  # noqa: S310
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=PATIENCE_S)  # noqa: S310
    assert refused.value.code == status
    refused.value.close()


@pytest.fixture(scope="module")
def standing() -> Iterator[str]:
    with running("--headless", "--json") as started:
        yield started.ready()["pages"]["control"]
