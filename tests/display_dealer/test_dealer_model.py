from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from controller.contract.events import Step
from controller.contract.view import TableView, position
from display.dealer.arriving import arrived
from display.dealer.connection import Connection, duration
from display.dealer.looking import Looking, is_question
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.taps import tapped
from display.dealer.texts import Texts

ReadView = Callable[[str], TableView]
WELL = Connection(cause="")


def look(view: TableView, looking: Looking | None = None) -> Looking:
    return arrived(looking or Looking(), None, view, 0.0)


def screen_of(
    view: TableView | None, looking: Looking, texts: Texts, connection: Connection = WELL
) -> Screen:
    return build(view, looking, connection, texts, now=75.0, languages={})


def words(screen: Screen, region: str) -> str:
    return next((label.text for label in screen.labels if label.region == region), "")


def enabled(screen: Screen) -> set[str]:
    return {button.id for button in screen.buttons if button.enabled}


ENTRIES = ("new-hand", "round-closed", "tabled", "award", "misdeal", "more", "call-floor")


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("waiting", ["new-hand"]),
        ("mid_deal", ["misdeal"]),
        ("flop_betting", ["round-closed", "misdeal"]),
        ("showdown", ["tabled", "award"]),
    ],
)
def test_the_moment_decides_what_is_live_and_nothing_else_is_there(
    name: str, offered: list[str], texts: Texts, read_view: ReadView
) -> None:
    view = read_view(name)
    screen = screen_of(view, look(view), texts)
    bar = [button.id for button in screen.buttons if button.id in ENTRIES]
    assert bar == [*offered, "more", "call-floor"]
    assert set(bar) <= enabled(screen)
    assert [*screen.frame.large] == offered
    first = next(button for button in screen.buttons if button.id == offered[0])
    assert (first.style == "main") == (name == "waiting"), "New hand is primary when it is next"


def test_hands_may_be_tabled_before_showdown_once_no_betting_is_possible(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("flop_betting")
    seats = tuple(
        replace(seat, state="folded" if seat.seat not in (7, 9) else seat.state)
        for seat in view.seats
    )
    facing = replace(view, seats=seats)
    assert "tabled" not in enabled(screen_of(facing, look(facing), texts))
    done = replace(facing, to_act=None)
    assert "tabled" in enabled(screen_of(done, look(done), texts))


def test_new_hand_is_offered_while_a_misdeal_is_open(texts: Texts, read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    finding = view.findings[0]
    ruled = replace(finding, ruling=replace(finding.ruling, outcome="misdeal"))
    assert "new-hand" not in enabled(screen_of(view, look(view), texts))
    open_misdeal = replace(view, findings=(ruled,))
    looking, _ = tapped(look(open_misdeal), open_misdeal, "to-table")
    assert "new-hand" in enabled(screen_of(open_misdeal, looking, texts))


def test_finding_says_what_where_who_rules_and_one_step(texts: Texts, read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    screen = screen_of(view, look(view), texts)
    assert words(screen, "title") == "FIX · Four-card flop\nA♥ 10♦ 7♣ 2♠"
    assert words(screen, "count") == "1 of 5"
    assert words(screen, "step") == "Put all four flop cards back into the stub"
    assert words(screen, "decides") == "You fix it"


def test_why_says_whose_rules_these_are_and_until_when(texts: Texts, read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    looking, line = tapped(look(view), view, "why")
    assert line is None
    screen = screen_of(view, looking, texts)
    assert words(screen, "dialog-title") == "Robert's Rules"
    said = words(screen, "dialog-text").splitlines()
    assert [one.partition(":")[0] for one in said[:2]] == ["RRP-HE-3", "RRP-HE-7"]
    assert said[0].partition(": ")[2] == texts.rules["RRP-HE-3"]
    assert said[2:] == ["Only until someone acts"]
    back, _ = tapped(looking, view, "cancel")
    assert (back.opened, back.asking) == (looking.opened, "")


def ticked(view: TableView, *steps: str) -> TableView:
    return replace(view, findings=(replace(view.findings[0], done=steps), *view.findings[1:]))


VERBS = {
    "stop": "Stopped",
    "back-to-stub": "Noted",  # a house's own
    "keep-burn": "Noted",
    "shuffle": "Reshuffled",
    "cut": "Cut",
    "new-flop": "Dealt",
}


def test_steps_go_one_at_a_time_forward_and_back(texts: Texts, read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    looking = look(view)
    ids = [step.id for step in view.findings[0].ruling.steps]
    for number, step in enumerate(ids):
        view = ticked(view, *ids[:number])
        screen = screen_of(view, looking, texts)
        assert words(screen, "count") == f"{number + 1} of 5"
        assert {"back", "undo"} & enabled(screen) == ({"back", "undo"} if number else set())
        primary = next(one for one in screen.buttons if one.id == "done")
        assert (primary.label, primary.style) == (VERBS[step], "main")
        _, line = tapped(looking, view, "done")
        done = {"kind": "dealer", "input": "done", "finding": 3, "step": step}
        entered = {"kind": "dealer", "input": "reshuffled"}
        assert line == ((entered, done) if step == "shuffle" else done)
    view = ticked(view, *ids)
    screen = screen_of(view, looking, texts)
    assert "done" not in enabled(screen)
    assert words(screen, "step") == texts("steps-done")
    assert tapped(looking, view, "done")[1] is None
    _, line = tapped(looking, view, "back")
    assert line == {"kind": "dealer", "input": "undo"}


def test_a_changed_ruling_keeps_the_steps_that_both_have(read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    finding = ticked(view, "back-to-stub", "keep-burn").findings[0]
    steps = finding.ruling.steps
    changed = replace(finding, ruling=replace(finding.ruling, steps=(*steps[:1], *steps[2:])))
    assert (position(finding), position(changed)) == (2, 1)


def test_a_step_that_comes_twice_is_done_once_for_each_tick(read_view: ReadView) -> None:
    finding = read_view("four_card_flop_roberts").findings[0]
    steps = finding.ruling.steps
    twice = replace(finding, ruling=replace(finding.ruling, steps=(*steps[:2], *steps[:2])))
    ids = [step.id for step in twice.ruling.steps]
    for count in range(5):
        assert position(replace(twice, done=tuple(ids[:count]))) == count


def test_doubt_is_a_question_answered_yes_or_no(texts: Texts, read_view: ReadView) -> None:
    view = read_view("question_burn")
    looking = look(view)
    screen = screen_of(view, looking, texts)
    assert words(screen, "title").startswith("QUESTION")
    assert {"yes", "no"} < enabled(screen)
    assert not {"done", "dismiss"} & {button.id for button in screen.buttons}
    _, line = tapped(looking, view, "yes")
    assert line == {"kind": "dealer", "input": "confirm", "finding": 5}
    _, line = tapped(looking, view, "no")
    assert line == {
        "kind": "dealer",
        "input": "dismiss",
        "finding": 5,
        "reason": "answered-no",
    }
    known = replace(view.findings[0], basis="seen")
    assert not is_question(known, 0)


def test_a_question_about_a_remedy_opens_the_card_once_more(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("four_card_flop_roberts")
    known = view.findings[0]
    closed = replace(look(view), opened=None)
    assert arrived(closed, view, view, 1.0).opened is None
    steps = (Step("ask-shuffled", "Was the stub shuffled before dealing on?"),)
    asked = replace(known, ruling=replace(known.ruling, steps=steps))
    asks = replace(view, findings=(asked,))
    looking = arrived(closed, view, asks, 2.0)
    assert looking.opened == known.id
    screen = screen_of(asks, looking, texts)
    assert known.basis == "seen"
    assert words(screen, "title").startswith("QUESTION")
    assert {"yes", "no"} < enabled(screen)
    assert tapped(looking, asks, "yes")[1] == {
        "kind": "dealer",
        "input": "confirm",
        "finding": known.id,
    }


def test_silent_book_shows_what_roberts_would_do(texts: Texts, read_view: ReadView) -> None:
    view = read_view("floor_called")
    looking, _ = tapped(look(view), view, "why")
    said = words(screen_of(view, looking, texts), "dialog-text")
    assert "The book is silent. Robert's Rules says: " in said
    advisory = view.findings[0].ruling.advisory
    assert advisory is not None
    assert all(texts.step(step) in said for step in advisory.steps)
    assert all(cite in said for cite in advisory.cites)


def test_worst_opens_first_and_the_others_can_be_seen(texts: Texts, read_view: ReadView) -> None:
    view = read_view("floor_called")
    looking = look(replace(view, findings=view.findings[::-1]))
    assert looking.opened == 8
    later = replace(view, findings=(view.findings[1], replace(view.findings[0], id=10)))
    assert look(later).opened == 10
    put_away = screen_of(later, replace(look(later), opened=None), texts)
    note = next(button for button in put_away.buttons if button.id == "note")
    assert note.label == "No burn card\n2 open"
    assert "next-finding" in enabled(screen_of(view, looking, texts))
    looking, _ = tapped(looking, view, "next-finding")
    assert looking.opened == 9
    title = words(screen_of(view, looking, texts), "title")
    assert (title[:4], title.splitlines()[1]) == ("NOTE", "Seat 5")
    looking, _ = tapped(looking, view, "next-finding")
    assert looking.opened == 8


def test_a_note_does_not_take_the_screen_but_stays_visible(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("record_only")
    looking = look(view)
    screen = screen_of(view, looking, texts)
    assert words(screen, "banner") == "Seat 5 to act"
    note = next(button for button in screen.buttons if button.id == "note")
    assert note.label == "NOTE · Action out of turn"
    opened, _ = tapped(looking, view, "note")
    assert opened.opened == 9


def test_a_card_put_away_stays_away_until_something_worse_comes(read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    looking, _ = tapped(look(view), view, "to-table")
    assert arrived(looking, view, view, 1.0).opened is None
    worse = replace(view.findings[0], priority=1)
    assert arrived(looking, view, replace(view, findings=(worse,)), 1.0).opened == 3


def test_a_closed_finding_gives_way_to_the_next(read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    both = replace(view, findings=(*view.findings, replace(view.findings[0], id=4)))
    looking = look(both)
    assert looking.opened == 3
    looking = arrived(looking, both, replace(both, findings=both.findings[1:]), 1.0)
    assert looking.opened == 4
    assert arrived(looking, both, replace(both, findings=()), 2.0).opened is None


def test_floor_called_then_coming_with_a_timer(texts: Texts, read_view: ReadView) -> None:
    view = read_view("mid_deal")

    def label(state: TableView, looking: Looking) -> str:
        return screen_of(state, looking, texts).buttons[-1].label

    looking, line = tapped(look(view), view, "call-floor")
    assert line == {"kind": "dealer", "input": "call-floor"}
    looking = arrived(looking, view, replace(view, pot=900), 5.0)
    assert label(view, looking) == "Calling…"
    called = replace(view, floor="called")
    looking = arrived(looking, view, called, 10.0)
    assert label(called, looking) == "Called 1:05"
    coming = replace(view, floor="coming")
    looking = arrived(looking, called, coming, 70.0)
    assert label(coming, looking) == "Coming 0:05"
    assert label(view, arrived(looking, coming, view, 75.0)) == "Call floor"


def test_dismiss_asks_for_a_reason(texts: Texts, read_view: ReadView) -> None:
    view = read_view("four_card_flop_uk")
    looking, line = tapped(look(view), view, "dismiss")
    assert line is None
    assert {"reason:misread", "reason:floor-decided", "reason:other", "cancel"} < enabled(
        screen_of(view, looking, texts)
    )
    looking, line = tapped(looking, view, "reason:floor-decided")
    assert line == {
        "kind": "dealer",
        "input": "dismiss",
        "finding": 3,
        "reason": "floor-decided",
    }
    assert not looking.asking


def test_misdeal_is_confirmed_and_a_new_hand_takes_the_question_away(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("mid_deal")
    looking, line = tapped(look(view), view, "misdeal")
    assert line is None
    assert "call-floor" in enabled(screen_of(view, looking, texts))
    assert tapped(looking, view, "misdeal-no")[0].asking == ""
    assert tapped(looking, view, "misdeal-yes")[1] == {"kind": "dealer", "input": "misdeal"}
    assert arrived(looking, view, replace(view, hand=43), 1.0).asking == ""


def test_only_hands_that_are_not_yet_tabled_are_offered(texts: Texts, read_view: ReadView) -> None:
    view = read_view("showdown")
    looking, _ = tapped(look(view), view, "tabled")
    offered = {one for one in enabled(screen_of(view, looking, texts)) if "pick" in one}
    assert offered == {"pick-seat:4", "pick-seat:7"}
    _, line = tapped(looking, view, "pick-seat:7")
    assert line == {"kind": "dealer", "input": "tabled", "seat": 7}


def test_lost_table_says_so_and_sends_nothing(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    lost = Connection(cause="closed", silence=12.7)
    screen = screen_of(view, look(view), texts, lost)
    assert words(screen, "banner").startswith("No connection to the table for 0:12")
    assert screen.hatched == ("table",)
    assert enabled(screen) == {"links", "retry"}
    assert not any(plate.turn for plate in screen.plates)
    assert screen.faces[0].rank == "A"
    never = screen_of(None, Looking(), texts, lost)
    assert words(never, "banner").startswith("No connection")


def test_the_big_words_stay_with_a_finding_open(texts: Texts, read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    screen = screen_of(view, look(view), texts, Connection(cause="refused", silence=3))
    alone = "No connection to the table for 0:03\nDeal by hand. Call the floor by voice."
    assert words(screen, "banner") == alone
    assert enabled(screen) == {"links", "retry"}
    assert words(screen_of(view, look(view), texts), "step").startswith("Put all four")


def test_silent_table_can_still_be_told(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    screen = screen_of(view, look(view), texts, Connection(cause="silent", silence=6))
    assert words(screen, "banner").startswith("No word from the table for 0:06")
    assert "call-floor" in enabled(screen)


def test_links_that_are_not_well_are_always_named(texts: Texts, read_view: ReadView) -> None:
    view = read_view("record_only")

    def links(view: TableView, looking: Looking, connection: Connection = WELL) -> str:
        screen = screen_of(view, looking, texts, connection)
        return next(button.label for button in screen.buttons if button.id == "links")

    assert links(view, look(view)) == "⚠ 2 faults"
    one = replace(view, links=("seat/6 silent",))
    for asking in ("", "tabled", "links"):
        assert links(one, replace(look(one), asking=asking)) == "⚠ seat/6 silent"
    assert links(replace(view, links=()), look(view)) == "✓ Readers OK"
    assert "Unreadable lines: 1" in links(
        replace(view, links=()), look(view), Connection("", bad=1)
    )
    listed = screen_of(view, replace(look(view), asking="links"), texts)
    assert words(listed, "dialog-text") == "seat/6 silent for 12 s\nClock 0.4 s off"


def test_seats_show_state_turn_puck_action_and_bet(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    plates = {plate.number: plate for plate in screen_of(view, look(view), texts).plates}
    assert (plates[1].word, plates[1].style) == ("folded", "plate-folded")
    assert (plates[3].word, plates[3].bet, plates[3].puck) == ("call", "600", "D")
    assert (plates[7].word, plates[7].style) == ("all-in", "plate-all-in")
    assert (plates[9].word, plates[9].turn) == ("to act", True)
    assert [plate.puck for plate in plates.values()].count("D") == 1


def test_undo_is_offered_after_something_was_sent_and_until_the_next_hand(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("flop_betting")
    looking, _ = tapped(look(view), view, "round-closed")
    assert "undo" in enabled(screen_of(view, looking, texts))
    assert not arrived(looking, view, replace(view, hand=43), 1.0).undoable
    looking, line = tapped(looking, view, "undo")
    assert line == {"kind": "dealer", "input": "undo"}
    assert "undo" not in enabled(screen_of(view, looking, texts))


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.9, "0:00"), (65, "1:05"), (3599, "59:59"), (7205.2, "2:00:05")]
)
def test_spans(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_a_capture_is_shown_for_as_long_as_it_runs(texts: Texts, read_view: ReadView) -> None:
    for name in ("waiting", "flop_betting", "four_card_flop_roberts"):
        view = replace(read_view(name), capture=True)
        for looking in (look(view), replace(look(view), asking="more")):
            screen = screen_of(view, looking, texts)
            assert words(screen, "capture") == "● Recording"
            assert screen.frame.capture
        over = replace(view, capture=False)
        assert words(screen_of(over, look(over), texts), "capture") == ""
        assert not screen_of(over, look(over), texts).frame.capture
