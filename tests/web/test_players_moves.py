"""Who is to move, and which table stops, on the players' page: one tap each."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from controller.room.balance import Halted, Mover, ProposedBreak, ProposedMove
from controller.room.rounds import RoundNow
from controller.room.seat_draw import AtSeat
from controller.room.seating import ProposedOut
from tests.web.clockroom import ClockRoom
from tests.web.desk_page import field
from tests.web.players_page import answers, opened, register, row, seated, undo
from tests.web.test_players_conduct import page

__all__ = ["page"]

ANN = Mover("p1", "Ann Lee", AtSeat("T1", 1))
BOB = Mover("p2", "Bob", AtSeat("T1", 2))
TO = AtSeat("T2", 4)


def test_a_move_is_made_and_announced_with_one_tap(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob")
    seen["to_move"] = (ProposedMove(ANN, TO, "hand", ("TDA09-06a",)),)
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("Ann Lee moves from T1, seat 1 to T2, seat 4 (TDA09-06a)")
    line.get_by_role("button", name="Move").click()
    answers(page, "Ann Lee goes to T2, seat 4")
    assert register(room)["Ann Lee"] == ("seated", "T2/4")
    (said,) = room.room.view().moves
    assert (said.player, said.to.table, said.to.seat) == ("Ann Lee", "T2", 4)
    undo(page)
    assert register(room)["Ann Lee"] == ("seated", "T1/1")


def test_another_table_that_is_as_full_may_give_a_player_instead(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob")
    seen["to_move"] = (ProposedMove(ANN, TO, "level", ("NL10-SEAT-04",), (BOB,)),)
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("As the level ends Ann Lee moves")
    expect(line.locator("button.main")).to_have_text("Ann Lee (T1)")
    line.get_by_role("button", name="Bob (T1)").click()
    answers(page, "Bob goes to T2, seat 4")


def test_by_low_card_none_of_them_goes_before_the_others(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """HPT-MOVE-02."""
    seated(room, "Ann Lee", "Bob")
    seen["to_move"] = (ProposedMove(ANN, TO, "all", ("HPT-MOVE-02",), (BOB,), low_card=True),)
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("Deal a card to each of T1, T1: the lowest moves a player")
    expect(line.locator("button.main")).to_have_count(2)


def test_a_table_that_breaks_is_drawn_with_a_second_tap(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """RR7-T-13, UK-09."""
    seated(room, "Ann Lee", "Bob")
    seen["to_break"] = ProposedBreak(("T1",), ("T2",), False, 2, ("RR7-T-13",))
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("T1 can break: its players have room at T2 (RR7-T-13)")
    line.get_by_role("button", name="Draw…").click()
    field(page, "seed").fill("1234")
    page.get_by_test_id("redraw-do").click()
    answers(page, "Players drawn: 2, with the seed 1234")
    assert {where.partition("/")[0] for _, where in register(room).values()} == {"T2"}
    assert sorted(each.player for each in room.room.view().moves) == ["Ann Lee", "Bob"]


def test_what_no_book_says_cites_none(page: Page, room: ClockRoom, seen: dict[str, Any]) -> None:
    """The books of 2010 and of home tournaments are silent on tables that break."""
    seated(room, "Ann Lee", "Bob")
    seen["to_break"] = ProposedBreak(("T1",), ("T2",), False, 2, ())
    opened(page, room)
    words = page.get_by_test_id("moves").locator("li span")
    expect(words).to_have_text("T1 can break: its players have room at T2")


def test_of_many_tables_the_first_and_the_last_are_named(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob")
    stay = tuple(f"T{n}" for n in range(1, 223))
    seen["to_break"] = ProposedBreak(("T223",), stay, False, 9, ("RR7-T-13",))
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("T223 can break: its players have room at T1, T2 … T222")


def test_that_all_seats_are_drawn_anew_is_said_so(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """RR7-T-18, UK-10."""
    seated(room, "Ann Lee", "Bob")
    seen["to_break"] = ProposedBreak(("T2",), ("T1",), True, 2, ("UK-10",))
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("2 left: all seats are redrawn at T1 (UK-10)")
    line.get_by_role("button", name="Draw…").click()
    expect(page.locator("dialog h2")).to_have_text("Redraw the seats of all 2 players?")


def test_a_table_that_stops_may_be_let_play_on(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """UK-09C."""
    seated(room, "Ann Lee", "Bob")
    seen["halted"] = (Halted("T2", 3, ("UK-09C",)),)
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("T2 stops after its hand: 3 players short of the fullest table")
    line.get_by_role("button", name="Let it play on").click()
    answers(page, "T2 plays on")
    assert room.room.view().register.waived == ("T2",)
    expect(line).to_contain_text("T2 plays on though 3 players short")
    line.get_by_role("button", name="Stop it").click()
    answers(page, "T2 stops")
    assert room.room.view().register.waived == ()


def test_how_even_the_tables_are_kept_is_the_houses_to_say(page: Page, room: ClockRoom) -> None:
    """UK-09C, TDA24-11D4."""
    seated(room, "Ann Lee")
    opened(page, room)
    page.get_by_test_id("even").click()
    field(page, "gap").fill("1")
    page.get_by_test_id("even-save").click()
    expect(page.locator("dialog .refusal")).not_to_be_empty()
    field(page, "gap").fill("3")
    page.get_by_test_id("even-save").click()
    answers(page, "Saved")
    assert room.room.view().register.gap == 3
    undo(page)
    assert room.room.view().register.gap is None


def test_who_may_only_look_sees_them_without_a_tap(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    seated(room, "Ann Lee", "Bob")
    seen["to_move"] = (ProposedMove(ANN, TO, "hand", ("TDA09-06a",)),)
    opened(page, room, role="floor")
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("Ann Lee moves")
    expect(line.locator("button")).to_have_count(0)


def test_hand_for_hand_is_announced_and_ended_on_the_page(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """TDA24-RP8C: two minutes a hand, as they are typed here."""
    seated(room, "Ann Lee", "Bob")
    room.act("start")
    opened(page, room)
    page.get_by_test_id("together").click()
    field(page, "minutes").fill("2")
    page.get_by_test_id("together-do").click()
    answers(page, "All tables play hand for hand")
    (said,) = [each for each in room.room.view().history if each.name == "hand-for-hand"]
    assert '"minutes":2' in said.words
    seen["together"] = RoundNow(3, ("T1", "T4"), 120_000, share=True, reached=False)
    room.room.act("notice", {"text": "hello", "actor": "Ann"})
    line = page.get_by_test_id("round").locator("li")
    expect(line).to_contain_text("Hand for hand, hand 3: waiting for T1, T4")
    expect(page.get_by_test_id("together")).to_be_disabled()
    line.get_by_role("button", name="End hand for hand").click()
    answers(page, "Each table plays on by itself")


def test_who_goes_out_hand_for_hand_is_placed_once_all_tables_are_done(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """TDA24-RP8A: all of that hand share, whatever table they sat at."""
    seated(room, "Ann Lee", "Bob", "Cy")
    room.act("start")
    gone = (
        ProposedOut("T1", 1, "p1", "Ann Lee", 7, share=True),
        ProposedOut("T2", 5, "p2", "Bob", 9, share=True),
    )
    seen["proposed"] = gone
    seen["together"] = RoundNow(3, ("T2",), 0, share=True, reached=False)
    opened(page, room)
    expect(page.get_by_test_id("proposed").locator("li")).to_have_count(2)
    expect(page.get_by_test_id("proposed").get_by_role("button")).to_have_count(0)
    seen["together"] = RoundNow(3, (), 0, share=True, reached=False)
    room.room.act("notice", {"text": "hello", "actor": "Ann"})
    expect(page.get_by_test_id("round")).to_contain_text("all tables are done")
    page.get_by_role("button", name="All of this hand out, sharing their places").click()
    answers(page, "Players out: 2")
    places = [(one.place, one.shared) for one in room.room.view().finishes]
    assert places == [(1, 1), (2, 2), (2, 2)]


def test_who_is_on_the_way_has_arrived_with_one_tap(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob")
    room.act("start")
    room.act("sit", player="p1", table="T2", seat=4, announce=True)
    opened(page, room)
    line = page.get_by_test_id("moves").locator("li")
    expect(line).to_contain_text("Ann Lee is on the way from T1, seat 1 to T2, seat 4")
    expect(row(page, "Ann Lee")).to_contain_text("on the way")
    line.get_by_role("button", name="Arrived").click()
    answers(page, "Ann Lee has arrived")
    assert not room.room.view().register.by_id["p1"].coming
    undo(page)
    line.get_by_role("button", name="Enter chips…").click()
    field(page, "chips").fill("7 500")
    page.get_by_test_id("brings-do").click()
    answers(page, "Ann Lee has arrived")


def test_a_final_table_gathers_and_its_button_is_drawn(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob")
    room.act("sit", player="p2", table="T2", seat=1)
    room.act("start")
    room.act("redraw", tables=["T1"], all=True, seed="7")
    opened(page, room)
    lines = page.get_by_test_id("moves").locator("li")
    expect(lines.nth(0)).to_contain_text("T1: no hand until everybody is there; on the way: 1")
    expect(lines.nth(1)).to_contain_text("T1: who has the button?")
    expect(page.get_by_role("button", name="All are there")).to_have_count(0)
    page.get_by_role("button", name="Arrived").click()
    expect(lines.nth(0)).to_contain_text("T1: no hand before there is a button")
    page.get_by_role("button", name="Let it play on").click()
    expect(page.get_by_test_id("moves").locator("li", has_text="no hand")).to_have_count(0)
    assert room.room.view().register.gathers == ()


def test_a_move_as_the_level_ends_and_a_break_put_off(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """NL10-SEAT-04."""
    seated(room, "Ann Lee", "Bob")
    room.act("start")
    seen["to_move"] = (ProposedMove(ANN, TO, "level", ("NL10-SEAT-04",)),)
    opened(page, room)
    page.get_by_role("button", name="Move", exact=True).click()
    answers(page, "Ann Lee goes to T2, seat 4 as the level ends")
    line = page.get_by_test_id("moves").locator("li", has_text="moves to T2, seat 4 as the level")
    line.get_by_role("button", name="Not after all").click()
    answers(page, "Ann Lee stays")
    seen["to_move"] = ()
    seen["to_break"] = ProposedBreak(("T1",), ("T2",), False, 2, ("RR7-T-13",))
    room.act("notice", text="hello")
    page.get_by_role("button", name="Not now").click()
    answers(page, "Put off")
    assert room.room.view().register.put_off == 2


def test_with_the_final_table_the_next_level_begins(
    page: Page, room: ClockRoom, seen: dict[str, Any]
) -> None:
    """NL10-SEAT-05."""
    seated(room, "Ann Lee", "Bob")
    room.act("start")
    level = ("NL10-SEAT-05",)
    seen["to_break"] = ProposedBreak(("T1",), ("T2",), False, 2, ("NL10-SEAT-02",), level)
    opened(page, room)
    page.get_by_test_id("moves").get_by_role("button", name="Draw…").click()
    expect(page.locator("dialog")).to_contain_text("Begin at the next level (NL10-SEAT-05)")
    before = room.room.view().clock.level
    page.get_by_test_id("redraw-do").click()
    answers(page, "The next level has begun")
    assert room.room.view().clock.level == before + 1


def test_all_who_are_on_the_way_arrive_with_one_tap(page: Page, room: ClockRoom) -> None:
    seated(room, "Ann Lee", "Bob", "Cy")
    for player, seat in (("p2", 1), ("p3", 2)):
        room.act("sit", player=player, table="T2", seat=seat)
    room.act("start")
    room.act("redraw", tables=["T1"], all=True, seed="7")
    opened(page, room)
    page.get_by_role("button", name="All are there").click()
    answers(page, "Everybody has arrived")
    expect(page.get_by_test_id("moves").locator("li", has_text="on the way")).to_have_count(0)
    assert not any(each.coming for each in room.room.view().register.players)


def test_tables_that_wait_for_a_move_play_on_with_one_tap(page: Page, room: ClockRoom) -> None:
    """HPT-MOVE-06 has all of them wait."""
    seated(room, "Ann Lee", "Bob")
    room.act("start")
    room.act("sit", player="p1", table="T2", seat=4, announce=True, all=True)
    assert room.room.view().register.gathers == ("T1", "T2")
    opened(page, room)
    page.get_by_role("button", name="Let them play on").click()
    answers(page, "They play on")
    expect(page.get_by_test_id("moves").locator("li", has_text="no hand")).to_have_count(0)
    assert room.room.view().register.gathers == ()
