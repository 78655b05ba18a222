"""From an alert on the floor's page: who it is about, what there was before, and a penalty."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from controller.contract.events import Closed, Finding, RulingText
from tests.web.floor_page import act, behind, opened, refusal, shut, tap, tells
from tests.web.hall import Hall

BINDING = RulingText("uk-tda", "binding", ("UK-40",), ())


def asks(hall: Hall, name: str, /, **fields: object) -> None:
    hall.do(lambda: hall.room.act(name, {"actor": "Dora", **fields}))


def seats(hall: Hall, *names: str) -> None:
    asks(hall, "tables", tables=[{"table": "T1", "seats": 9}])
    asks(
        hall,
        "import",
        players=[{"name": n, "table": "T1", "seat": s} for s, n in enumerate(names, 1)],
    )


def out_of_turn(hall: Hall, number: int, seat: int) -> None:
    """At a table whose book has penalties in hands and rounds."""
    hall.do(lambda: hall.tables["T1"].show(rulebook="uk-tda"))
    found = Finding(1.0, 12, number, "out-of-turn", 2, "seen", (seat,), (), BINDING)
    tells(hall, "T1", number, found)
    hall.alert("T1", number, "Action out of turn", seats=(seat,), ruling=BINDING)


def test_an_alert_says_who_it_is_about_and_what_there_was_before(phone: Page, hall: Hall) -> None:
    """RR7-DEC-8: a player's past record is considered."""
    seats(hall, "Ann Lee", "Bob")
    asks(hall, "warn", player="p2", reason="phone at the table")
    out_of_turn(hall, 1, 2)
    opened(phone, hall)
    act(phone, "T1/1", "more").tap()
    told = phone.locator("#opened-players li")
    expect(told).to_have_count(1)
    expect(told).to_have_text("Bob, seat 2Action out of turn ×1 · Warning")
    shut(phone)
    tells(hall, "T1", 2, Closed(t=2.0, hand=12, id=1, how="dismissed"))
    out_of_turn(hall, 3, 1)
    act(phone, "T1/3", "more").tap()
    expect(told).to_have_text("Ann Lee, seat 1Action out of turn ×1")


def test_a_warning_is_two_taps_and_the_next_step_stands_first(phone: Page, hall: Hall) -> None:
    seats(hall, "Ann Lee", "Bob")
    out_of_turn(hall, 1, 2)
    opened(phone, hall)
    tap(phone, "T1/1", "conduct")
    expect(phone.locator("#ask-title")).to_have_text("Bob, seat 2")
    expect(phone.locator("#ask-fields input")).to_have_value("Action out of turn")
    choices = phone.locator("#ask-choices button")
    expect(choices.first).to_have_text("Warning")
    choices.first.tap()
    told = phone.locator("#opened-players li")
    expect(told).to_have_text("Bob, seat 2Action out of turn ×1 · Warning")
    (given,) = hall.room.view().conduct.given
    assert (given.name, given.given, given.reason) == ("Bob", "warning", "Action out of turn")
    assert (given.by, given.table, given.seat, given.hand) == ("Ann", "T1", 2, 12)

    behind(phone, "conduct").tap()
    expect(choices.first).to_have_text("Penalty, hands: 1")
    expect(choices.filter(has_text="Disqual")).to_have_count(0)
    choices.filter(has_text="rounds: 2").tap()
    hall.until(lambda: hall.room.view().register.by_id["p2"].status == "penalty")
    given = hall.room.view().conduct.given[-1]
    assert (given.given, given.amount, given.hands) == ("rounds", 2, 4)


def test_a_call_asks_first_for_whom(phone: Page, hall: Hall) -> None:
    seats(hall, "Ann Lee", "Bob")
    hall.do(lambda: hall.tables["T1"].show(floor="called"))
    opened(phone, hall)
    tap(phone, "T1/call", "conduct")
    expect(phone.locator("#ask-choices button")).to_have_text(["Ann Lee, seat 1", "Bob, seat 2"])
    phone.locator("#ask-choices button", has_text="Ann Lee").tap()
    expect(phone.locator("#ask-fields input")).to_have_value("")
    phone.locator("#ask-choices button").first.tap()
    hall.until(lambda: hall.room.view().conduct.given)
    assert hall.room.view().conduct.given[0].name == "Ann Lee"


def test_a_refusal_stands_at_the_alert(phone: Page, hall: Hall) -> None:
    seats(hall, "Ann Lee", "Bob")
    out_of_turn(hall, 1, 2)
    opened(phone, hall)
    tap(phone, "T1/1", "conduct")
    expect(phone.locator("#ask-title")).to_have_text("Bob, seat 2")
    asks(hall, "stand", player="p2")
    phone.locator("#ask-choices button", has_text="hands: 1").tap()
    expect(refusal(phone, "T1/1")).to_contain_text("has no seat")


def test_a_table_of_which_nobody_is_in_the_list_says_so(phone: Page, hall: Hall) -> None:
    hall.alert("T1", 1, "Action out of turn", seats=(2,), ruling=BINDING)
    opened(phone, hall)
    tap(phone, "T1/1", "conduct")
    expect(phone.locator("#ask-text")).to_contain_text("Nobody in the list of players")
    expect(phone.locator("#opened-players")).to_be_hidden()


def test_a_viewer_sees_nothing_of_it(phone: Page, hall: Hall) -> None:
    seats(hall, "Ann Lee", "Bob")
    out_of_turn(hall, 1, 2)
    opened(phone, hall, role="viewer")
    phone.locator(".card[data-key='T1/1'] .open").click()
    expect(phone.locator("#opened-title")).to_contain_text("Action out of turn")
    expect(phone.locator("#opened-players")).to_be_hidden()
    assert phone.request.get(f"{hall.url}players/at/T1").status == 403
