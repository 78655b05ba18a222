"""The clock's desk in a real browser: levels, structures, the tournament."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from controller.contract.events import Blinds
from controller.files.settings import config_dir
from controller.room.structure import read_structure
from display.web.serving.body import MAX_ACT
from tests.web.desk_page import BY, MINUTE, anew, entry, field, opened, part, view
from tests.web.hall import Hall


@pytest.fixture
def hall(shared: Hall) -> Hall:
    return anew(shared)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


def levels(phone: Page, hall: Hall) -> Page:
    opened(phone, hall)
    part(phone, "levels")
    return phone


def go(hall: Hall, index: int) -> None:
    hall.do(lambda: hall.room.act("start", BY))
    hall.do(lambda: hall.room.act("go", {**BY, "index": index}))
    hall.until(lambda: view(hall).clock.index == index)


def closed(page: Page) -> None:
    expect(page.locator("dialog")).to_have_count(0)


def blinds(hall: Hall) -> list[int | None]:
    """The big blinds of all entries, None for a break."""
    return [each.blinds.big if each.blinds else None for each in view(hall).entries]


def test_the_list_marks_what_runs_and_what_is_past(phone: Page, hall: Hall) -> None:
    go(hall, 1)
    levels(phone, hall)
    expect(phone.locator("#entries [aria-current=step]")).to_have_attribute("data-index", "1")
    assert entry(phone, 1).inner_text().split("\n") == ["2", "50 / 100", "20 min", "NOW"]
    assert entry(phone, 3).inner_text().split("\n") == ["3", "100 / 200", "Ante 200", "20 min"]
    assert phone.locator("#entries .past").count() == 1
    assert phone.inner_text("#figures") == (
        "1 h 30 min · levels: 4 · breaks: 1 · stack 10,000 · chips 25, 100, 500, 1,000"
    )
    hall.do(lambda: hall.room.act("next", BY))
    expect(phone.locator("#entries [aria-current=step]")).to_have_attribute("data-index", "2")


def test_what_comes_is_changed_and_what_runs_keeps_its_time(phone: Page, hall: Hall) -> None:
    go(hall, 1)
    levels(phone, hall)
    entry(phone, 3).tap()
    field(phone, "small").fill("150")
    field(phone, "big").fill("300")
    field(phone, "ante").fill("300")
    field(phone, "minutes").fill("12,5")
    phone.get_by_test_id("entry-save").tap()
    closed(phone)
    changed = view(hall).entries[3]
    assert (changed.blinds, changed.duration_ms) == (Blinds(150, 300, 300), 12.5 * MINUTE)
    expect(entry(phone, 3)).to_contain_text("150 / 300")
    entry(phone, 1).tap()
    expect(phone.locator("dialog .live")).to_contain_text("Running now")
    expect(phone.get_by_test_id("entry-remove")).to_have_count(0)
    field(phone, "minutes").fill("25")
    phone.get_by_test_id("entry-save").tap()
    closed(phone)
    assert 24.5 * MINUTE < view(hall).left_ms <= 25 * MINUTE


def test_a_break_keeps_the_chips_that_are_taken_in_there(phone: Page, hall: Hall) -> None:
    levels(phone, hall)
    entry(phone, 2).tap()
    field(phone, "minutes").fill("15")
    phone.get_by_test_id("entry-save").tap()
    closed(phone)
    assert (view(hall).entries[2].duration_ms, view(hall).entries[2].race_off) == (
        15 * MINUTE,
        (25,),
    )


def test_levels_and_breaks_are_inserted_copied_taken_out_and_gone_to(
    phone: Page, hall: Hall
) -> None:
    go(hall, 0)
    levels(phone, hall)
    entry(phone, 3).tap()
    phone.get_by_test_id("insert-level").tap()
    expect(phone.locator("dialog")).to_contain_text("Before Level 3, 100 / 200")
    field(phone, "small").fill("75")
    field(phone, "big").fill("150")
    phone.get_by_test_id("insert-save").tap()
    closed(phone)
    assert blinds(hall) == [50, 100, None, 150, 200, 400]
    entry(phone, 5).tap()
    phone.get_by_test_id("insert-break").tap()
    field(phone, "minutes").fill("5")
    phone.get_by_test_id("insert-save").tap()
    closed(phone)
    assert blinds(hall) == [50, 100, None, 150, 200, None, 400]
    expect(entry(phone, 6)).to_be_visible()
    entry(phone, 1).tap()
    phone.get_by_test_id("entry-copy").tap()
    closed(phone)
    assert blinds(hall) == [50, 100, 100, None, 150, 200, None, 400]
    expect(entry(phone, 7)).to_be_visible()
    entry(phone, 2).tap()
    phone.get_by_test_id("entry-remove").tap()
    closed(phone)
    assert blinds(hall) == [50, 100, None, 150, 200, None, 400]
    phone.click("#append")
    field(phone, "big").fill("800")
    phone.get_by_test_id("insert-save").tap()
    closed(phone)
    assert blinds(hall)[-1] == 800
    entry(phone, 1).tap()
    phone.get_by_test_id("entry-go").tap()
    phone.get_by_test_id("yes").tap()
    closed(phone)
    assert view(hall).clock.index == 1


def test_two_who_change_one_entry_both_see_it_and_nothing_typed_is_lost(
    phone: Page, hall: Hall
) -> None:
    levels(phone, hall)
    entry(phone, 3).tap()
    field(phone, "ante").fill("175")
    changed = {"duration_ms": 30 * MINUTE, "blinds": {"small": 125, "big": 250}}
    hall.do(lambda: hall.room.act("change", {**BY, "index": 3, "entry": changed}))
    expect(phone.locator("dialog .live")).to_have_text(
        "Changed in the meantime. Now: Level 3, 125 / 250, 30 min"
    )
    phone.get_by_test_id("entry-save").tap()
    expect(phone.locator("dialog .refusal")).to_contain_text(
        "the clock has changed in the meantime"
    )
    assert field(phone, "ante").input_value() == "175"
    assert view(hall).entries[3].blinds == Blinds(125, 250)
    phone.get_by_test_id("entry-save").tap()
    closed(phone)
    assert view(hall).entries[3].blinds == Blinds(100, 200, 175)


def test_what_cannot_be_is_refused_where_it_was_typed(phone: Page, hall: Hall) -> None:
    levels(phone, hall)
    entry(phone, 1).tap()
    field(phone, "small").fill("500")
    phone.get_by_test_id("entry-save").tap()
    expect(phone.locator("dialog .refusal")).to_contain_text(
        "entry 2: the big blind has to be above 0"
    )
    field(phone, "small").fill("many")
    phone.get_by_test_id("entry-save").tap()
    expect(phone.locator("dialog .refusal")).to_have_text("Small blind: type a valid number")
    assert blinds(hall)[1] == 100


# structures, before the start


def test_a_structure_that_comes_along_is_taken_with_its_figures_seen(
    phone: Page, hall: Hall
) -> None:
    levels(phone, hall)
    phone.get_by_test_id("choose").tap()
    turbo = phone.locator("dialog button", has_text="Turbo")
    expect(turbo).to_contain_text("stack 5,000 · chips 50, 100, 500, 1,000, 5,000")
    turbo.tap()
    closed(phone)
    assert view(hall).structure == "Turbo"
    expect(phone.locator("#structure")).to_have_text("Turbo")
    hall.do(lambda: hall.room.act("start", BY))
    expect(phone.get_by_test_id("choose")).to_be_disabled()


def test_one_is_made_to_measure_and_looked_at_before_it_is_taken(phone: Page, hall: Hall) -> None:
    levels(phone, hall)
    phone.get_by_test_id("choose").tap()
    phone.get_by_test_id("fit").tap()
    field(phone, "players").fill("18")
    field(phone, "hours").fill("90")
    phone.get_by_test_id("fit-make").tap()
    expect(phone.locator("dialog .refusal")).to_have_text("90 hours: it has to be between 0 and 48")
    assert field(phone, "players").input_value() == "18"
    field(phone, "hours").fill("3,5")
    phone.get_by_test_id("fit-make").tap()
    preview = phone.get_by_test_id("preview")
    expect(preview).to_contain_text("fitted: 18 players, 3.5 hours")
    assert preview.locator("dt").first.inner_text() == "50 / 100"
    assert view(hall).structure == "Evening"
    phone.get_by_test_id("take-structure").tap()
    closed(phone)
    assert view(hall).schedule.note == "fitted: 18 players, 3.5 hours"


GOOD = (config_dir() / "blinds" / "turbo.toml").read_text(encoding="utf-8")
BAD = GOOD.replace("small = 150\nbig = 300\nante = 300", "small = 20\nbig = 40")


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_the_houses_own_file_is_taken(phone: Page, hall: Hall, tmp_path: Path, kind: str) -> None:
    own = tmp_path / f"own.{kind}"
    if kind == "toml":
        own.write_text("\ufeff" + GOOD.replace('"Turbo"', '"Own"'), encoding="utf-8")
    else:
        shipped = json.loads(asked(hall, "structures.json")[1])["structures"]
        own.write_text(json.dumps(shipped["turbo"] | {"name": "Own"}))
    levels(phone, hall)
    phone.get_by_test_id("choose").tap()
    phone.get_by_test_id("load").tap()
    phone.get_by_test_id("load-read").tap()
    expect(phone.locator("dialog .refusal")).to_have_text("No file chosen")
    field(phone, "file").set_input_files(own)
    phone.get_by_test_id("load-read").tap()
    phone.get_by_test_id("take-structure").tap()
    closed(phone)
    assert view(hall).schedule.entries == read_structure(GOOD.encode()).entries
    assert (view(hall).structure, view(hall).schedule.stack) == ("Own", 5_000)


def test_a_file_that_cannot_be_played_is_refused_with_its_level_and_fault(
    phone: Page, hall: Hall, tmp_path: Path
) -> None:
    (tmp_path / "bad.toml").write_text(BAD)
    levels(phone, hall)
    phone.get_by_test_id("choose").tap()
    phone.get_by_test_id("load").tap()
    field(phone, "file").set_input_files(tmp_path / "bad.toml")
    phone.get_by_test_id("load-read").tap()
    expect(phone.locator("dialog .refusal")).to_have_text(
        "bad.toml: level 3 (20/40) is lower than 100/200 before it"
    )
    assert view(hall).structure == "Evening"


def test_what_is_played_is_saved_as_a_file(phone: Page, hall: Hall) -> None:
    go(hall, 0)
    levels(phone, hall)
    with phone.expect_download() as downloaded:
        phone.get_by_test_id("save").tap()
    assert downloaded.value.suggested_filename == "evening.toml"
    assert read_structure(Path(downloaded.value.path()).read_bytes()) == view(hall).schedule


def test_an_ante_that_falls_is_told_before_it_is_taken(
    phone: Page, hall: Hall, tmp_path: Path
) -> None:
    """TDA24-RP11B."""
    own = tmp_path / "own.toml"
    own.write_text(GOOD.replace("big = 300\nante = 300", "big = 300\nante = 100"))
    levels(phone, hall)
    phone.get_by_test_id("choose").tap()
    phone.get_by_test_id("load").tap()
    field(phone, "file").set_input_files(own)
    phone.get_by_test_id("load-read").tap()
    preview = phone.get_by_test_id("preview")
    expect(preview).to_contain_text("The ante falls at 150 / 300; TDA 2024 (RP-11) keeps it")


def asked(hall: Hall, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
    with hall.client("director", "Bob") as client:
        method = "GET" if body is None else "POST"
        answer = client.request(method, path, content=body, headers=headers)
        good = answer.status_code == 200
        return answer.status_code, answer.text if good else answer.json()["error"]


def test_rubbish_is_refused_over_http_too(hall: Hall) -> None:
    assert asked(hall, "structure-file", GOOD.encode(), Origin="http://elsewhere")[0] == 403
    assert asked(hall, "structure-file", b"#" * (MAX_ACT + 1))[0] == 413
    for body, said in (
        (b"", "missing required field `name`"),
        (b"\xff\xfe", "utf-8"),
        (b"{", "truncated"),
        (b"{" + b'"a":[' * 9_000, ""),
        (b"a = " + b"[" * 20_000, ""),
        (b'{"name":"x","entries":[{"duration_ms":60000,"blinds":null}]}', "only breaks"),
        (b'{"name":"x","entries":7}', "has no levels"),
        (b'{"name":"x","entries":[{"duration":1}]}', "level 1: there is no key 'duration' here"),
    ):
        status, reason = asked(hall, "structure-file", body)
        assert status == 409, body[:20]
        assert said in reason.lower(), (reason, body[:20])
    fit = "structures/fit?"
    assert asked(hall, fit + "players=9&hours=nan&stack=1000")[0] == 409
    assert "there is no 'ours'" in asked(hall, fit + "players=9&ours=3&stack=1000")[1]
    assert "no structure 'turbow'" in asked(hall, fit + "players=9&hours=3&source=turbow")[1]
    assert "are not chips" in asked(hall, fit + "players=9&hours=3&stack=1000&chips=a")[1]
    assert asked(hall, fit + "players=9&hours=3")[0] == 409
    lower = read_structure(GOOD.encode()).entries[::-1]
    entries = [
        {"duration_ms": each.duration_ms, "blinds": {"small": 1, "big": big}}
        for big, each in zip((400, 2), lower, strict=False)
    ]
    act = {**BY, "structure": {"name": "falling", "entries": entries}}
    assert asked(hall, "clock/structure", json.dumps(act).encode()) == (
        409,
        "level 2 (1/2) is lower than 1/400 before it",
    )


# the tournament


def test_players_are_counted_in_one_tap_and_the_last_one_is_asked_about(
    phone: Page, hall: Hall
) -> None:
    hall.do(lambda: hall.room.act("tournament", {**BY, "entries": 5, "players_left": 4}))
    hall.do(lambda: hall.room.act("start", BY))
    opened(phone, hall)
    part(phone, "game")
    expect(phone.get_by_test_id("players")).to_have_text("4")
    less = phone.locator("#players [data-count='-1']")
    less.tap()
    less.tap()
    hall.until(lambda: view(hall).tournament.players_left == 2)
    phone.locator("#players [data-count='1']").tap()
    hall.until(lambda: view(hall).tournament.players_left == 3)
    expect(phone.get_by_test_id("players")).to_have_text("3")
    phone.locator("#entered [data-count='1']").tap()
    hall.until(lambda: view(hall).tournament.entries == 6)
    less.tap()
    hall.until(lambda: view(hall).tournament.players_left == 2)
    less.tap()
    expect(phone.get_by_test_id("last-player")).to_contain_text("That ends the tournament")
    phone.click("dialog .main")
    closed(phone)
    assert view(hall).state == "ended"


def test_more_players_than_entries_are_refused(phone: Page, hall: Hall) -> None:
    hall.do(lambda: hall.room.act("tournament", {**BY, "entries": 5, "players_left": 5}))
    opened(phone, hall)
    part(phone, "game")
    expect(phone.get_by_test_id("players")).to_have_text("5")
    phone.locator("#players [data-count='1']").tap()
    expect(phone.get_by_test_id("refused")).to_contain_text(
        "6 players can't be left out of 5 entries"
    )
    expect(phone.get_by_test_id("players")).to_have_text("5")


def test_the_tournament_is_edited_and_only_what_was_changed_is_sent(
    phone: Page, hall: Hall
) -> None:
    hall.do(lambda: hall.room.act("tournament", {**BY, "entries": 20, "starting_stack": 5_000}))
    opened(phone, hall)
    part(phone, "game")
    expect(phone.locator("#known")).to_contain_text("5,000")
    phone.get_by_test_id("edit").tap()
    field(phone, "name").fill("Friday")
    field(phone, "starting_stack").fill("10,000")
    field(phone, "prizes").fill("1: 500\n\n2: 200")
    hall.do(lambda: hall.room.act("tournament", {**BY, "entries": 21}))
    expect(phone.locator("dialog .live")).to_have_text("Changed in the meantime: Entries 21")
    phone.get_by_test_id("game-save").tap()
    closed(phone)
    told = view(hall).tournament
    assert (told.name, told.entries, told.chips) == ("Friday", 21, 210_000)
    assert told.prizes == ("1: 500", "2: 200")
    expect(phone.locator("#prizes li")).to_have_text(["1: 500", "2: 200"])
    phone.get_by_test_id("edit").tap()
    field(phone, "starting_stack").fill("")
    phone.get_by_test_id("game-save").tap()
    closed(phone)
    assert view(hall).tournament.chips == 210_000  # the structure has a stack


def test_a_notice_for_everyone_comes_and_goes(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    part(phone, "game")
    phone.get_by_test_id("notice").tap()
    phone.get_by_test_id("notice-save").tap()
    expect(phone.locator("dialog .refusal")).to_have_text("There is nothing to read yet")
    field(phone, "text").fill("Dinner at nine")
    field(phone, "count").fill("")
    phone.get_by_test_id("notice-save").tap()
    closed(phone)
    expect(phone.locator("#notices li")).to_contain_text("Dinner at nineuntil removed")
    phone.get_by_test_id("notice").tap()
    field(phone, "text").fill("Bar closes")
    phone.get_by_test_id("notice-save").tap()
    expect(phone.locator("#notices li").last).to_contain_text(
        re.compile(r"for (15:00|14:\d\d) more")
    )
    phone.get_by_label("Remove: Dinner at nine").tap()
    expect(phone.locator("#notices li")).to_have_count(1)
    assert [each.text for each in view(hall).tournament.notices] == ["Bar closes"]


def test_history_says_who_did_what_and_what_was_refused(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    phone.get_by_test_id("add").tap()
    expect(phone.locator("#last")).to_contain_text("Ann added 01:00 to level 1")
    hall.do(lambda: hall.room.act("start", BY))
    hall.until(lambda: view(hall).state == "running")
    taken = json.dumps({**BY, "by_ms": -40 * MINUTE}).encode()
    assert asked(hall, "clock/time", taken)[0] == 409
    part(phone, "log")
    newest = phone.get_by_test_id("history").locator("li").first
    expect(newest.locator("span")).to_have_text("Bob tried to change the time on the clock")
    expect(newest.locator("em")).to_contain_text("Refused: only 20:")
    evening = msgspec.to_builtins(hall.evening)
    hall.do(lambda: hall.room.act("end", BY))
    hall.do(lambda: hall.room.act("reset", BY))
    hall.do(lambda: hall.room.act("structure", {**BY, "structure": evening}))
    expect(newest).to_contain_text("Bob set the structure to Evening (4 levels)")
    opened(phone, hall, query="?lang=fr")
    part(phone, "log")
    expect(newest).to_contain_text("Bob a choisi la structure Evening (4 niveaux)")


def test_who_is_out_gets_the_place_that_follows_and_can_be_taken_back(
    phone: Page, hall: Hall
) -> None:
    hall.do(lambda: hall.room.act("tournament", {**BY, "entries": 9, "players_left": 9}))
    opened(phone, hall)
    part(phone, "game")
    expect(phone.get_by_test_id("players")).to_have_text("9")
    phone.get_by_test_id("bust").tap()
    expect(phone.locator("dialog .live")).to_have_text("Place 9")
    field(phone, "player").fill("Cleo")
    field(phone, "table").fill("T1")
    field(phone, "seat").fill("4")
    phone.get_by_test_id("out-save").tap()
    closed(phone)
    expect(phone.locator("#finishes li")).to_contain_text("Place 9: CleoTable T1, seat 4")
    expect(phone.get_by_test_id("players")).to_have_text("8")
    phone.get_by_test_id("bust").tap()
    field(phone, "player").fill("Dan")
    phone.get_by_test_id("out-together").tap()
    closed(phone)
    assert [each.shared for each in view(hall).tournament.finishes] == [2, 2]
    phone.get_by_label("Back in: Place 8: Dan").tap()
    expect(phone.locator("#finishes li")).to_have_count(1)
    expect(phone.get_by_test_id("players")).to_have_text("8")


def test_the_last_but_one_out_ends_it_and_says_so_before(phone: Page, hall: Hall) -> None:
    hall.do(lambda: hall.room.act("tournament", {**BY, "entries": 9, "players_left": 2}))
    hall.do(lambda: hall.room.act("start", BY))
    opened(phone, hall)
    part(phone, "game")
    phone.get_by_test_id("bust").tap()
    expect(phone.locator("dialog .live")).to_contain_text("That ends the tournament")
    phone.get_by_test_id("out-save").tap()
    closed(phone)
    assert view(hall).state == "ended"


def test_a_move_is_announced_and_taken_away(phone: Page, hall: Hall) -> None:
    opened(phone, hall)
    part(phone, "game")
    phone.get_by_test_id("move").tap()
    phone.get_by_test_id("move-save").tap()
    expect(phone.locator("dialog .refusal")).to_have_text("A name is needed")
    field(phone, "player").fill("Eve")
    field(phone, "from").fill("T1")
    field(phone, "from_seat").fill("3")
    field(phone, "to").fill("T2")
    field(phone, "to_seat").fill("11")
    phone.get_by_test_id("move-save").tap()
    expect(phone.locator("dialog .refusal")).to_contain_text("seat")
    assert field(phone, "player").input_value() == "Eve"
    field(phone, "to_seat").fill("7")
    phone.get_by_test_id("move-save").tap()
    closed(phone)
    expect(phone.locator("#moves li")).to_contain_text("Eve: Table T1, seat 3 → Table T2, seat 7")
    expect(phone.locator("#moves li")).to_contain_text("for 0")
    phone.get_by_label("Remove: Eve").tap()
    expect(phone.locator("#moves li")).to_have_count(0)
