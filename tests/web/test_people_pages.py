"""Signing in with a thumb, and the people of a room, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.people.pins import hashed
from display.web.serving.access.who import COOKIE
from tests.web.hall import Hall

KEPT = hashed("471142")
PHONE, SMALL = {"width": 390, "height": 844}, {"width": 320, "height": 568}


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def taps(page: Page, pin: str) -> None:
    for digit in pin:
        page.tap(f"[data-key='{digit}']")


def test_a_person_signs_in_with_a_thumb_and_out_again(phone: Page, fresh_hall: Hall) -> None:
    fresh_hall.cookie("floor", "Ann", KEPT)
    phone.goto(f"{fresh_hall.url}floor?lang=en")
    assert "/login?to=" in phone.url
    phone.fill("#name", "Ann")
    taps(phone, "47119")
    phone.tap("[data-key=delete]")
    taps(phone, "42")
    assert phone.inner_text("#dots") == "●" * 6
    phone.tap("#enter")
    phone.wait_for_url("**/floor?lang=en")
    expect(phone.locator("#who")).to_have_text("Ann")
    phone.tap("#who")
    expect(phone.locator("#in-as")).to_have_text("Signed in: Ann, floor")
    phone.tap("#sign-out")
    expect(phone.locator("#in")).to_be_hidden()
    expect(phone.locator("#names .chip").first).to_have_text("Ann")  # no list of others
    phone.goto(f"{fresh_hall.url}floor")
    assert "/login?to=" in phone.url
    taps(phone, "471142")
    phone.tap("#enter")  # the name is remembered
    phone.wait_for_url("**/floor")


def test_a_wrong_pin_is_said_and_then_there_is_a_wait(phone: Page, fresh_hall: Hall) -> None:
    fresh_hall.cookie("floor", "Ann", KEPT)
    phone.goto(f"{fresh_hall.url}login")
    phone.fill("#name", "Ann")
    for _ in range(3):
        expect(phone.locator("#dots")).to_have_text("")
        taps(phone, "0000")
        phone.tap("#enter")
        expect(phone.locator("#told")).to_be_visible()
        expect(phone.locator("#dots")).to_have_text("")
    expect(phone.locator("#told")).to_have_text(re.compile(r"wait 1\d s"))
    taps(phone, "471142")
    expect(phone.locator("#enter")).to_be_disabled()


def test_who_may_too_little_is_told_what_the_page_needs(phone: Page, fresh_hall: Hall) -> None:
    fresh_hall.sign_in(phone, "floor", "Ann")
    phone.goto(f"{fresh_hall.url}people")
    expect(phone.locator("#told")).to_have_text("This page needs the role admin.")
    expect(phone.locator("#go-on")).to_be_hidden()


def test_the_first_admin_lets_the_others_in(
    phone: Page, browser: Browser, fresh_hall: Hall
) -> None:
    phone.goto(fresh_hall.setup)
    phone.fill("#name", "Ada")
    for pin in ("4711", "4712", "4711", "4711"):
        taps(phone, pin)
        phone.tap("#enter")
    phone.wait_for_url("**/people")
    phone.tap("#add")
    phone.fill("[name=name]", "Bob")
    phone.select_option("[name=role]", "floor")
    phone.fill("[name=pin]", "12")
    phone.tap("#ask-yes")
    expect(phone.locator("#ask-told")).to_have_text("a PIN has 4 to 12 digits")
    phone.fill("[name=pin]", "4712")
    phone.fill("[name=tables]", "T1 T2")
    phone.tap("#ask-yes")
    bob = phone.locator("[data-person=Bob]")
    expect(bob).to_contain_text("Tables T1, T2")
    bob.locator("[data-act=code]").tap()
    expect(phone.locator("#ask-text")).to_contain_text("set host = '0.0.0.0' under [web]")
    expect(phone.locator(".qr")).to_have_count(0)  # no phone finds this room
    link = phone.inner_text(".url")
    phone.tap("#ask-no")

    other = browser.new_context().new_page()
    other.goto(link)
    other.wait_for_url(fresh_hall.url)
    other.goto(f"{fresh_hall.url}floor")
    expect(other.locator("#who")).to_have_text("Bob")
    phone.reload()
    expect(bob).to_contain_text("Signed in, devices: 1")
    bob.locator("[data-act=remove]").tap()
    phone.tap("#ask-yes")
    expect(bob).to_have_count(0)
    other.wait_for_url("**/login?to=*")  # out at once
    other.context.close()
    lines = phone.locator("#record tr")
    expect(lines.first).to_contain_text("Ada removed Bob")
    expect(lines.filter(has_text="Ada tried to add a person (Bob)")).to_contain_text(
        "Refused: a PIN has 4 to 12 digits"
    )
    assert "Ada became the first admin" in phone.inner_text("#record")
    phone.goto(f"{fresh_hall.url}people?lang=de")
    expect(lines.first).to_contain_text("Ada hat Bob entfernt")
    expect(lines.first).to_contain_text("Verwaltung")


def test_a_code_asks_before_it_signs_in_somebody_else(phone: Page, fresh_hall: Hall) -> None:
    fresh_hall.cookie("floor", "Bob")
    fresh_hall.sign_in(phone, "admin", "Ada")
    code = fresh_hall.get(lambda: fresh_hall.door.invite("Bob"))
    link = f"{fresh_hall.url}join?code={code}&to=/floor"
    phone.goto(link)
    expect(phone.locator("#told")).to_have_text("This browser is signed in as Ada.")
    phone.tap("#no")
    expect(phone.locator("#who")).to_have_text("Ada")
    phone.goto(link)
    phone.tap("#yes")
    expect(phone.locator("#who")).to_have_text("Bob")
    phone.goto("about:blank")  # Bob's page would go to sign in by itself
    phone.context.clear_cookies()
    phone.goto(link)
    expect(phone.locator("#told")).to_contain_text("has been used")


@pytest.mark.parametrize("size", [SMALL, {"width": 740, "height": 360}])
@pytest.mark.parametrize("path", ["login", "setup", "people", "join?code=x"])
def test_every_key_fits_a_thumb(
    phone: Page, one_hall: Hall, size: dict[str, int], path: str
) -> None:
    phone.set_viewport_size(size)  # type: ignore[arg-type]
    one_hall.sign_in(phone, "admin", "Ada")
    if path in ("login", "setup"):
        phone.context.clear_cookies()
    for language in ("fr", "de"):
        phone.goto(f"{one_hall.url}{path}{'&' if '?' in path else '?'}lang={language}")
        phone.evaluate("document.fonts.ready")
        phone.wait_for_timeout(100)
        assert phone.evaluate("document.documentElement.scrollWidth") <= size["width"]
        if path in ("login", "setup") and size != SMALL:
            assert phone.evaluate("document.documentElement.scrollHeight") <= size["height"] + 60
        small = phone.evaluate(
            """() => [...document.querySelectorAll("button, a.button, input")]
            .filter((b) => b.getClientRects().length)
            .map((b) => [b.textContent || b.id, b.getBoundingClientRect()])
            .filter(([, r]) => r.width < 44 || r.height < 44 || r.left < 0 || r.right > innerWidth)
            .map(([name, r]) => `${name} ${r.width}x${r.height}`)"""
        )
        assert small == []


def test_the_browser_keeps_names_and_never_a_pin(phone: Page, fresh_hall: Hall) -> None:
    fresh_hall.cookie("floor", "Ann", KEPT)
    phone.goto(f"{fresh_hall.url}login")
    phone.fill("#name", "Ann")
    taps(phone, "471142")
    phone.tap("#enter")
    phone.wait_for_url(fresh_hall.url)
    kept = phone.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    )
    assert "Ann" in kept
    assert "4711" not in kept
    assert COOKIE not in kept.replace("cutcard-names", "")


def test_a_room_without_an_authority_says_so_in_words(phone: Page, one_hall: Hall) -> None:
    for language, said in (("en", "no certificate of its own"), ("de", "kein eigenes Zertifikat")):
        answer = phone.goto(f"{one_hall.url}trust?lang={language}")
        assert answer is not None
        assert answer.status == 404
        expect(phone.get_by_role("alert")).to_contain_text(said)
        expect(phone.locator("main :is(a, .print, .qr)")).to_have_count(0)
    with one_hall.client() as client:
        assert client.get("ca.crt").status_code == 404
