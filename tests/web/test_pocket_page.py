"""The page for players in a real browser, as large as phones are."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import segno
from playwright.sync_api import Browser, Locator, Page, Request, expect

from tests.waiting import PATIENCE_S
from tests.web.clockroom import ClockRoom, clock_room
from tests.web.page_time import hears, hears_again, hears_nothing, passes, stands

SIZES = [(320, 568), (430, 932), (844, 390)]
MEASURES = (Path(__file__).parent / "measures.js").read_text()

BROKEN = """[...document.querySelectorAll("#local, #next, #coming .blinds")]
    .filter((element) => element.getBoundingClientRect().height > 40)
    .map((element) => element.id || element.className)"""


@pytest.fixture
def hall() -> Iterator[ClockRoom]:
    with clock_room() as running:
        yield running


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    yield page
    page.close()


def at(page: Page, name: str) -> Locator:
    return page.get_by_test_id(name)


def opened(page: Page, hall: ClockRoom, query: str = "") -> Page:
    page.goto(f"{hall.url}pocket{query}")
    expect(at(page, "clock")).to_have_text(re.compile(r"\d"))
    page.evaluate("document.fonts.ready")
    return page


def seconds(page: Page) -> int:
    total = 0
    for part in at(page, "clock").inner_text().split(":"):
        total = total * 60 + int(part)
    return total


def tell_everything(hall: ClockRoom) -> None:
    hall.act(
        "tournament",
        name="Saturday Night Deep Stack",
        entries=48,
        players_left=31,
        starting_stack=25_000,
        prizes=["1,200 €", "720 €"],
    )
    hall.act("notice", text="Dinner until <b>21:30</b>")


def test_all_that_a_player_wants_to_know(phone: Page, hall: ClockRoom) -> None:
    stands(phone)
    tell_everything(hall)
    opened(phone, hall)
    assert at(phone, "level").inner_text() == "Level 1"
    expect(at(phone, "state")).to_have_text("Running")
    assert at(phone, "blinds").inner_text() == "100 / 200"
    assert phone.inner_text("#ante-part") == "Ante 200"
    first = seconds(phone)
    assert 19 * 60 <= first <= 20 * 60
    assert phone.inner_text("h1") == "Saturday Night Deep Stack"
    facts = [text.split("\n") for text in phone.locator("#facts > div:visible").all_inner_texts()]
    assert facts[0] == ["Next", "5,000 / 10,000", "Ante 10,000"]
    assert facts[1][0] == "Break in"
    assert facts[1][1][:3] in ("39:", "40:")
    assert facts[2:] == [["Players", "31 / 48"], ["Average", "38,709"]]
    assert phone.locator("#prizes li").all_inner_texts() == ["1,200 €", "720 €"]
    assert phone.locator("#notices li").all_inner_texts() == ["Dinner until <b>21:30</b>"]
    coming = [text.split() for text in phone.locator("#coming li").all_inner_texts()]
    assert coming == [
        ["Level", "2", "5,000", "/", "10,000", "(10,000)", "20", "min"],
        ["Break", "10", "min"],
        ["Level", "3", "100,000", "/", "200,000", "(200,000)", "90", "min"],
    ]
    told = hears(phone) / 1_000
    assert phone.inner_text("#local") == time.strftime("%H:%M", time.localtime(told))
    hears_nothing(phone)
    first = seconds(phone)
    passes(phone, 2_200)
    assert first - seconds(phone) in (2, 3)


def test_pause_break_and_end(phone: Page, hall: ClockRoom) -> None:
    stands(phone)
    opened(phone, hall)
    hall.act("pause", reason="Fire alarm")
    expect(at(phone, "state")).to_have_text("PAUSED")
    expect(phone.locator("#why")).to_have_text("Fire alarm")
    first = seconds(phone)
    passes(phone, 1_200)
    assert seconds(phone) == first
    hall.act("go", index=2)
    hall.act("resume")
    expect(at(phone, "level")).to_have_text("Break")
    expect(at(phone, "state")).to_have_text("Break")
    expect(phone.locator("#then")).to_have_text("Then Level 3")
    expect(at(phone, "blinds")).to_have_text("100,000 / 200,000")
    hall.act("end")
    expect(at(phone, "level")).to_have_text("GAME OVER")
    expect(at(phone, "clock")).to_be_hidden()
    expect(phone.locator("#coming-part")).to_be_hidden()


def test_a_lost_room_is_said_within_five_seconds_and_the_clock_goes_on(
    browser: Browser,
) -> None:
    with clock_room() as hall:
        page = browser.new_page()
        stands(page)
        opened(page, hall)
        passes(page, 2_500)  # longer than a beat: nothing is wrong
        expect(page.locator("#stale")).to_be_hidden()
        hears(page)
    first = seconds(page)
    passes(page, 5_000)
    assert page.inner_text("#stale") == "Room offline 00:05, clock keeps running"
    assert first - seconds(page) == 5
    page.close()


def test_a_silence_that_ends_is_forgotten(phone: Page, hall: ClockRoom) -> None:
    stands(phone)
    opened(phone, hall)
    hears_nothing(phone)
    passes(phone, 5_000)
    expect(phone.locator("#stale")).to_be_visible()
    hears_again(phone)
    hears(phone)
    expect(phone.locator("#stale")).to_be_hidden()
    expect(at(phone, "state")).to_have_text("Running")


def test_languages(phone: Page, hall: ClockRoom) -> None:
    opened(phone, hall, "?lang=de")
    assert phone.locator("html").get_attribute("lang") == "de"
    assert at(phone, "state").inner_text() == "Läuft"
    assert phone.locator("#next").inner_text() == "5.000 / 10.000"
    assert phone.locator("#coming-part h2").inner_text() == "Kommende Levels"
    phone.get_by_text("Français").click()
    expect(at(phone, "level")).to_have_text("Niveau 1")
    opened(phone, hall, "?lang=klingon")
    assert phone.locator("html").get_attribute("lang") == "en"


def test_nothing_comes_from_elsewhere_and_nothing_is_wrong(phone: Page, hall: ClockRoom) -> None:
    asked: list[str] = []
    faults: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    phone.on("request", note)
    phone.on("pageerror", lambda error: faults.append(str(error)))
    phone.on("console", lambda message: faults.append(message.text))
    opened(phone, hall)
    assert {url.startswith(hall.url) for url in asked} == {True}
    assert faults == []


def troubles(page: Page, size: tuple[int, int]) -> list[str]:
    """What is too small to read in the hand, too faint, or not whole."""
    texts: list[dict[str, Any]] = page.evaluate(MEASURES)
    found: list[str] = []
    for text in texts:
        if text["capital"] < 10.5:
            found.append(f"{text['id']} is {text['capital']:.1f} high")
        if text["contrast"] < 4.5:
            found.append(f"{text['id']} has contrast {text['contrast']:.1f}")
        if text["left"] < 0 or text["right"] > size[0] or text["clipped"]:
            found.append(f"{text['id']} is cut off: {text['text']}")
    if page.evaluate("document.documentElement.scrollWidth") > size[0]:
        found.append("it scrolls sideways")
    found += [f"{name} is broken into lines" for name in page.evaluate(BROKEN)]
    for name in ("level", "clock", "blinds"):
        box = at(page, name).bounding_box()
        if box is not None and box["y"] + box["height"] > size[1]:
            found.append(f"{name} is below the fold")
    return found


def long_words(hall: ClockRoom) -> None:
    hall.act("tournament", name="The " + "very " * 8 + "long name of a tournament", chips=10**12)
    hall.act("go", index=3)


SCENES: dict[str, Callable[[ClockRoom], None]] = {
    "level": tell_everything,
    "paused": lambda hall: hall.act("pause", reason="Fire alarm"),
    "running": lambda hall: hall.act("resume"),
    "break": lambda hall: hall.act("go", index=2),
    "millions": long_words,
    "last-minute": lambda hall: hall.act("time", by_ms=-89 * 60_000 - 10_000),
    "ended": lambda hall: hall.act("end"),
}
"""One after the other."""


def test_every_text_is_large_clear_and_whole(phone: Page, hall: ClockRoom) -> None:
    opened(phone, hall, "?lang=de")
    found = {}
    for scene, begin in SCENES.items():
        begin(hall)
        if scene not in ("level", "millions"):
            expect(phone.locator("body")).to_have_attribute("data-state", scene)
        for scheme, sizes in (("dark", SIZES), ("light", SIZES[:1])):
            phone.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for size in sizes:
                phone.set_viewport_size({"width": size[0], "height": size[1]})
                phone.wait_for_timeout(30)
                found[scene, scheme, size] = troubles(phone, size)
    assert {case: words for case, words in found.items() if words} == {}


def test_the_scheme_is_the_phones(phone: Page, hall: ClockRoom) -> None:
    opened(phone, hall)
    grounds = set()
    for scheme in ("dark", "light"):
        phone.emulate_media(color_scheme=scheme)
        grounds.add(phone.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_a_camera_reads_the_address_from_the_index(page: Page, tmp_path: Path) -> None:
    address = "http://clock.club.lan:8080/"
    with clock_room(address=address) as hall:
        hall.sign_in(page, "viewer")
        page.goto(hall.url)
        expect(page.get_by_text(f"{address}pocket")).to_be_visible()
        picture = page.locator("#code img")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        with urllib.request.urlopen(f"{hall.url}pocket.svg", timeout=PATIENCE_S) as answer:  # noqa: S310
            assert answer.headers["content-type"].startswith("image/svg+xml")
            drawn = answer.read().decode()
        assert modules(drawn) == matrix(f"{address}pocket")
        if (reader := shutil.which("zbarimg")) is not None:
            picture.screenshot(path=tmp_path / "code.png")
            words = [reader, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"]
            read = subprocess.run(
                [*words, tmp_path / "code.png"], capture_output=True, text=True, check=True
            )
            assert read.stdout.strip() == f"{address}pocket"
        page.click("#about >> text=Pocket clock")
        expect(at(page, "level")).to_have_text("Level 1")


def test_pages_for_this_machine_only_have_no_code_and_say_why(page: Page, hall: ClockRoom) -> None:
    for name in ("pocket.svg", "pocket.json"):
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{hall.url}{name}", timeout=PATIENCE_S)  # noqa: S310
        assert caught.value.code == 404
        assert b"0.0.0.0" in caught.value.read()
        caught.value.close()
    hall.sign_in(page, "viewer")
    page.goto(hall.url)
    expect(page.locator("#no-code")).to_contain_text("set host = '0.0.0.0' under [web]")
    expect(page.locator("#code")).to_have_count(0)
    assert hall.room.health().faults == ()


def matrix(address: str) -> list[list[int]]:
    made = segno.make_qr(address, error="m")
    return [list(row) for row in made.matrix]


def modules(svg: str) -> list[list[int]]:
    """What is dark in a drawn code, row by row, without the quiet zone of four."""
    root = ElementTree.fromstring(svg)  # noqa: S314 (our own)
    size = int(root.attrib["viewBox"].split()[2])
    dark = [[0] * size for _ in range(size)]
    strokes = next(each for each in root if "stroke" in each.attrib).attrib["d"]
    x = y = 0.0
    for order, numbers in re.findall(r"([Mmh])([-\d. ]+)", strokes):
        first, *rest = map(float, numbers.split())
        if order == "h":
            for column in range(int(first)):
                dark[int(y)][int(x) + column] = 1
            x += first
        elif order == "M":
            x, y = first, rest[0]
        else:
            x, y = x + first, y + rest[0]
    return [row[4:-4] for row in dark[4:-4]]
