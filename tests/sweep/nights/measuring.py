"""The engine against nights of forgetful people: what they do against what is claimed and asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from controller.library.books import Library, open_library
from tests.sweep.nights.counting import Count, count, count_stacks, play
from tests.sweep.nights.evening import night
from tests.sweep.nights.felt import (
    BESIDE_THE_DEALER,
    MIDDLE,
    burns_laid_on_another,
    flown_past,
    gathered_across,
    shuffled_on,
)
from tests.sweep.nights.people import (
    Habit,
    amounts_untold,
    entered_late,
    entered_twice,
    input_forgotten,
    looks,
    no_buttons,
    no_chips,
    no_press,
    pressed_after_the_next,
    pressed_for_nothing,
    pressed_twice,
    riffles_unseen,
    seats_told_late,
    seats_untold,
    stacks_mistyped,
    thinks,
    wrong_button_first,
)
from tests.sweep.nights.tables import log_of
from tests.sweep.nights.trouble import Found, judge, with_errors

CONFIG = Path(__file__).resolve().parents[3] / "config"
HANDS = 600
PEOPLE: dict[str, tuple[Habit, ...]] = {
    "nothing wrong": (),
    "10 % of presses twice": (pressed_twice(0.1),),
    "a press when no action is open": (pressed_for_nothing(0.2),),
    "the wrong button, then the right one": (wrong_button_first(0.03),),
    "award forgotten": (input_forgotten("award", 0.3),),
    "tabled forgotten": (input_forgotten("tabled", 0.3),),
    "award entered late": (entered_late("award", 0.3, 3, 30),),
    "award entered twice": (entered_twice("award", 0.3, 1, 20),),
    "tabled entered late": (entered_late("tabled", 0.3, 2, 25),),
    "New hand pressed late": (entered_late("riffle", 0.3, 3, 8),),
    "New hand pressed twice": (entered_twice("riffle", 0.3, 1, 6),),
    "no shuffle seen": (riffles_unseen,),
    "no shuffle seen, no award entered": (riffles_unseen, input_forgotten("award", 1.0)),
    "cards looked at as they come": (looks(0.2),),
    "cards looked at as they come, no shuffle seen": (riffles_unseen, looks(0.2)),
    "cards are taken in across the seats": (gathered_across(0.2),),
    "shuffled over antennas": (shuffled_on((*MIDDLE, *BESIDE_THE_DEALER)),),
    "cards fly past antennas": (flown_past(0.1),),
    "burns hide each other": (burns_laid_on_another(),),
    "2 % of presses missing": (no_press(0.02),),
    "people who think, 2 % missing": (thinks(4.0), no_press(0.02)),
    "3 % pressed just after the next": (pressed_after_the_next(0.03),),
    "5 % of amounts not told": (amounts_untold(0.05),),
    "no chips told": (no_chips,),
    "no chips, busts not recorded": (no_chips, seats_untold("bust")),
    "no buttons, busts not recorded": (no_buttons, seats_untold("bust")),
    "busts, leaving, coming not recorded": (
        no_chips,
        seats_untold("bust"),
        seats_untold("left"),
        seats_untold("came"),
    ),
    "who comes is told amid the next hand": (seats_told_late("came", 3, 25),),
    "stacks mistyped": (stacks_mistyped(0.2),),
    "seat 3 never presses": (no_press(1.0, (3,)),),
    "all at once": (
        pressed_twice(0.03),
        pressed_for_nothing(0.03),
        pressed_after_the_next(0.03),
        no_press(0.02),
        no_chips,
        seats_untold("bust"),
        input_forgotten("award", 0.1),
        input_forgotten("tabled", 0.1),
    ),
}
PEOPLE["all at once, no shuffle seen"] = (riffles_unseen, *PEOPLE["all at once"])

SLIPS: tuple[Habit, ...] = (
    no_press(0.02),
    pressed_after_the_next(0.03),
    amounts_untold(0.05),
    seats_untold("bust"),
    input_forgotten("award", 0.1),
)
"""What people do in the nights with errors."""


def measure(library: Library, habits: Sequence[Habit], numbers: range, hands: int) -> Count:
    """So many nights of people with these habits."""
    total = Count()
    for number in numbers:
        evening = night(number, hands)
        log, slips = log_of(evening, habits)
        events = play(library, log)
        told = count(events, slips)
        count_stacks(told, events, evening)
        total += told
    return total


def measure_errors(library: Library, habits: Sequence[Habit], numbers: range, hands: int) -> Found:
    """So many nights with an error in every eighth hand."""
    total = Found()
    for number in numbers:
        trouble, injected = with_errors(night(number, hands, mucks=False))
        log, _ = log_of(trouble, habits)
        total += judge(play(library, log), injected)
    return total


def main(nights: int = 1, first: int = 0) -> None:
    """Prints the table over so many nights of each kind."""
    library, numbers = open_library(CONFIG), range(first, first + nights)
    for people, habits in PEOPLE.items():
        c = measure(library, habits, numbers, HANDS)
        codes = ", ".join(f"{code} {n}" for code, n in c.codes.most_common(6))
        known = c.known / max(1, c.stacks)
        a_slip = f"{c.questions / c.slips:.2f}" if c.slips else "-"
        _say(
            f"{people:38} claims {c.claims:4}  asked {c.asked / c.hands:6.1%}  a slip {a_slip:5}"
            f" taken over {c.taken_over:4}  stacks known {known:4.0%} wrong {c.wrong}  {codes}"
        )
    for people, habits in (("errors, nothing forgotten", ()), ("errors among slips", SLIPS)):
        f = measure_errors(library, habits, numbers, HANDS)
        count, found = f.errors.total(), f.found.total()
        least = min((f.found[code] / n, code) for code, n in f.errors.items())
        _say(
            f"{people:38} found {found} of {count} ({found / count:.1%}), least {least[1]}"
            f" {least[0]:.0%}; in the other hands claims {f.claims}, asked {f.asked / f.hands:.1%}"
        )
        for missed, n in f.missed.most_common():
            _say(f"    {n} missed {missed}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
