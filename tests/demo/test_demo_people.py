"""The demo's people forget: what they forget is theirs alone, and the table copes with it."""

from __future__ import annotations

import asyncio
import random
import re

import pytest
from playwright.sync_api import expect

from controller.contract.events import Closed, Finding
from controller.contract.observations import Dismiss, Press, Seen
from controller.demo.dealer import Dealer
from controller.demo.people import ATTENTIVE, FORGETFUL, Habits, People
from controller.demo.phh import read_hand
from controller.demo.tally import Tally
from controller.library.books import Library
from tests.demo.runs import demo, running
from tests.engine.simulation import HANDS, EngineFelt, seat_players
from tests.web.chromium import DESKTOP, launched

ALWAYS = {"missing": Habits(missing=1), "late": Habits(late=1), "untold": Habits(untold=1)}
NAMES = ("pl_89_8", "pl_31_48")


def dealt(
    library: Library, habits: Habits, name: str = "pl_89_8", seed: int = 0
) -> tuple[EngineFelt, People]:
    """One hand without an error."""
    rng = random.Random(seed)
    hand = read_hand(HANDS / f"{name}.phh", rng)
    felt = EngineFelt(library, "homepokertourney")
    seats = seat_players(hand, rng)
    felt.set_up(hand, seats)
    people = People(felt, random.Random(f"people {name} {seed}"), lambda: habits)
    asyncio.run(Dealer(felt, felt.pause, rng, people=people).deal_hand(hand, seats, None))
    return felt, people


def presses(felt: EngineFelt) -> list[Press]:
    return [one for one in felt.log if isinstance(one, Press)]


def at_seats(felt: EngineFelt) -> list[tuple[int, str]]:
    return [(one.seat, one.button) for one in presses(felt) if one.by == "seat"]


def test_attentive_people_forget_nothing(library: Library) -> None:
    felt, people = dealt(library, ATTENTIVE)
    assert people.slips == 0
    assert len(at_seats(felt)) == 11
    assert [one.amount for one in presses(felt) if one.by == "dealer"] == [225, 250, 500]


def test_a_press_that_is_missing_never_comes(library: Library) -> None:
    felt, people = dealt(library, ALWAYS["missing"])
    assert at_seats(felt) == []
    assert people.slips == 11


def test_a_late_press_comes_just_after_the_next_players(library: Library) -> None:
    on_time, _ = dealt(library, ATTENTIVE)
    felt, people = dealt(library, ALWAYS["late"])
    assert people.slips > 3
    assert at_seats(felt) != at_seats(on_time)
    assert sorted(at_seats(felt)) == sorted(at_seats(on_time))
    pairs = zip(presses(felt), presses(felt)[1:], strict=False)
    assert any(0 < after.t - before.t < 1 for before, after in pairs)


def test_an_amount_that_is_not_told_is_no_other_amount(library: Library) -> None:
    felt, people = dealt(library, ALWAYS["untold"])
    assert [one.amount for one in presses(felt) if one.by == "dealer"] == [None] * 3
    assert people.slips == 3


@pytest.mark.parametrize("habits", [FORGETFUL, ALWAYS["untold"], ALWAYS["late"]])
def test_who_forgets_changes_no_card(library: Library, habits: Habits) -> None:
    def cards(felt: EngineFelt) -> list[tuple[str, str]]:
        return [(one.zone, one.tag) for one in felt.log if isinstance(one, Seen)]

    assert cards(dealt(library, habits)[0])[:20] == cards(dealt(library, ATTENTIVE)[0])[:20]


@pytest.mark.parametrize("name", NAMES)
def test_the_table_copes_with_forgetful_people(library: Library, name: str) -> None:
    """Nothing is claimed of anybody: at most it is asked, and the dealer's no closes it."""
    slips = 0
    for seed in range(12):
        felt, people = dealt(library, FORGETFUL, name, seed)
        slips += people.slips
        found = [one for one in felt.events if isinstance(one, Finding)]
        assert {one.basis for one in found} <= {"unseen"}
        assert {one.how for one in felt.events if isinstance(one, Closed)} <= {
            "dismissed",
            "expired",
            "remedied",
        }
        assert felt.picture.view.findings == ()
        assert felt.picture.view.phase == "complete"
    assert slips > 6


def test_the_dealer_says_no_to_what_a_missing_press_makes_the_screen_ask(library: Library) -> None:
    felts = [dealt(library, FORGETFUL, seed=seed)[0] for seed in range(12)]
    asked = [e.id for felt in felts for e in felt.events if isinstance(e, Finding)]
    answered = [o.finding for felt in felts for o in felt.log if isinstance(o, Dismiss)]
    assert 0 < len(answered) <= len(asked)


def test_what_is_asked_of_forgetful_people_is_no_false_alarm(library: Library) -> None:
    felts = (dealt(library, ALWAYS["missing"], seed=seed)[0] for seed in range(9))
    asked = next(e for felt in felts for e in felt.events if isinstance(e, Finding))
    for forgetful in (True, False):
        tally = Tally()
        tally.slips = 4
        tally.begin(None, forgetful=forgetful)
        tally.take(asked)
        assert tally.is_right == forgetful
    assert "people forgot 4 ×, asked about 0" in tally.summary()


def test_a_demo_with_forgetful_people_raises_no_false_alarm() -> None:
    done = demo("--headless", "--people", "--hands", "1", "--speed", "5", "--seed", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"1 hand dealt; no error made; people forgot \d+ ×", done.stdout)


def test_a_person_chooses_on_the_control_page_what_is_forgotten() -> None:
    with (
        running("--headless", "--people", "--json", "--speed", "5", "--seed", "7") as show,
        launched(DESKTOP) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(show.ready()["pages"]["control"])
        missing, untold = (
            page.get_by_label("Presses missing"),
            page.get_by_label("Amounts not told"),
        )
        expect(missing).to_have_value(str(FORGETFUL.missing))
        nobody = page.get_by_role("button", name="Nobody forgets")
        nobody.click()
        expect(nobody).to_have_attribute("aria-pressed", "true")
        expect(missing).to_have_value("0")
        untold.select_option("1 in 3")
        expect(nobody).to_have_attribute("aria-pressed", "false")
        expect(untold).to_have_value("0.3")
        expect(missing).to_have_value("0")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
