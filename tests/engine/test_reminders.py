"""What the dealer is reminded of: each thing once, and the next step is said again after it."""

from __future__ import annotations

import pytest

from controller.contract.cards import CARDS
from controller.contract.events import Action, Clock, Event, Finding, Prompt, Result
from controller.contract.picture import Picture
from controller.library.books import Library
from controller.rules.showing import KILLING, TABLING
from controller.rules.watcher import REMINDER
from tests.rules.table_talk import Talk

Said = list[tuple[str, dict[str, object]]]
CHECKED_DOWN = "preflop; burn; board 3; checks; burn; board; checks; burn; board; checks"


def said(events: list[Event]) -> Said:
    return [(e.text_id, e.args) for e in events if isinstance(e, Prompt)]


def ids(talk: Talk) -> list[str]:
    return [text_id for text_id, _ in said(talk.events)]


def last(talk: Talk) -> tuple[str, dict[str, object]]:
    """The last prompt; how far may be raised is told elsewhere."""
    text_id, args = said(talk.events)[-1]
    return text_id, {name: value for name, value in args.items() if name != "min_raise_to"}


def findings(talk: Talk) -> list[str]:
    return [e.code for e in talk.events if isinstance(e, Finding)]


def hand_of(seat: int, seats: int) -> str:
    """The cards of a seat after `deal N`, in table talk."""
    return f"{CARDS[seat - 1]} {CARDS[seat - 1 + seats]}"


def muck(seat: int, seats: int) -> str:
    """A hand is taken in."""
    cards = hand_of(seat, seats)
    return f"lift {cards};" + ";".join(f"lay {card} muck" for card in cards.split())


def stacks(*chips: int, absent: tuple[int, ...] = (), status: str = "absent") -> dict[str, object]:
    return {
        "seats": [
            {"seat": seat, "stack": chip, **({"status": status} if seat in absent else {})}
            for seat, chip in enumerate(chips, 1)
        ]
    }


# --- who is not there ---


@pytest.mark.parametrize("status", ["absent", "penalty"])
def test_hands_of_absent_players_are_killed_after_the_deal(library: Library, status: str) -> None:
    absent = stacks(1000, 1000, 1000, 1000, absent=(4, 1), status=status)
    talk = Talk(library, "uk-tda", **absent)
    talk.tell("deal 4; wait 1")
    assert last(talk) == ("kill-absent", {"seats": "1, 4"})
    talk.tell(muck(4, 4) + "; wait 2")
    assert last(talk) == ("kill-absent", {"seats": "1"})
    talk.tell(muck(1, 4) + "; wait 2")
    assert last(talk) == ("act", {"seat": 3})
    talk.tell("3 call; 2 check; wait 2")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})
    assert findings(talk) == []


def test_an_absent_hand_that_is_still_there_is_passed_by(library: Library) -> None:
    talk = Talk(library, "roberts", **stacks(1000, 1000, 1000, 1000, absent=(4,)))
    talk.tell("deal 4; wait 1; 3 call")
    assert last(talk) == ("act", {"seat": 1})
    assert ids(talk).count("kill-absent") == 1
    talk.tell("1 call; wait 3; " + muck(4, 4) + "; wait 3; 2 check; wait 2")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})
    assert findings(talk) == []


@pytest.mark.parametrize("on", ["2 call", "closed", "award"])
def test_against_an_absent_hand_that_nobody_takes_in_the_other_has_won(
    library: Library, on: str
) -> None:
    talk = Talk(library, "roberts", **stacks(1000, 1000, absent=(1,)))
    talk.tell("deal 2; wait 1; 1 call")
    assert last(talk) == ("kill-absent", {"seats": "1"})
    talk.tell(f"{on}; wait 3")
    assert last(talk) == ("new-hand", {})
    (result,) = (e for e in talk.events if isinstance(e, Result))
    assert result.stacks == {"1": 995, "2": 1005}
    assert findings(talk) == []


def test_an_absent_player_whom_the_blind_put_all_in_is_out_too(library: Library) -> None:
    talk = Talk(library, "roberts", **stacks(1000, 10, 1000, absent=(2,)))
    talk.tell("deal 3; wait 1; " + muck(2, 3) + "; 3 call; 1 fold; wait 1")
    assert ids(talk)[-1] == "new-hand"


def test_the_buttons_of_an_absent_player_say_nothing(library: Library) -> None:
    talk = Talk(library, "roberts", **stacks(1000, 1000, 1000, absent=(3,)))
    talk.tell("deal 3; 3 call; 3 time; wait 2")
    assert last(talk) == ("kill-absent", {"seats": "3"})
    assert not [e for e in talk.events if isinstance(e, Clock)]
    talk.tell("1 call; 3 raise 40; 2 check; wait 2")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})


def test_a_hand_that_is_played_from_a_misplaced_button_is_so_without_them(library: Library) -> None:
    table = {"objects": {"PUCK": "button"}, **stacks(1000, 1000, 1000, 1000, absent=(4,))}
    talk = Talk(library, "uk-tda", **table)
    talk.tell("table 4; puck 3; pitch 4 4 1 2 3 4 1 2 3; wait 3; 2 call; 3 call; 1 check; wait 1")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})
    assert [e.seat for e in talk.events if isinstance(e, Action)] == [4, 2, 3, 1]


NO_SEATS = ["board", "burn", "muck"]


@pytest.mark.parametrize("zones", [NO_SEATS, None], ids=["no antennas at the seats", "all"])
def test_a_player_for_whom_the_dealer_enters_an_action_is_there(
    library: Library, zones: list[str] | None
) -> None:
    table = {} if zones is None else {"zones": zones}
    talk = Talk(library, "roberts", **table, **stacks(1000, 1000, 1000, absent=(3,)))
    talk.tell("deal 3; dealt 3 call; 1 call; 2 check; burn; board 3; wait 2; 1 check; 2 check")
    assert last(talk) == ("act", {"seat": 3})


def test_that_an_absent_hand_is_taken_in_may_be_entered(library: Library) -> None:
    talk = Talk(library, "roberts", zones=NO_SEATS, **stacks(1000, 1000, 1000, absent=(1,)))
    talk.tell("deal 3; 3 call; wait 1")
    assert last(talk) == ("act", {"seat": 2})
    talk = Talk(library, "roberts", zones=NO_SEATS, **stacks(1000, 1000, 1000, absent=(3,)))
    talk.tell("deal 3; dealt 3 fold; wait 1")
    assert last(talk) == ("act", {"seat": 1})


def test_in_a_cash_game_nobody_is_killed_for_being_away(library: Library) -> None:
    talk = Talk(library, "roberts", mode="cash", **stacks(1000, 1000, 1000, absent=(3,)))
    talk.tell("deal 3; wait 1")
    assert last(talk) == ("act", {"seat": 3})


# --- all-ins ---

ALL_IN = "deal 3; 3 all-in 1000; 1 call 1000; 2 fold"


def test_all_hands_are_tabled_before_the_next_street(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(ALL_IN)
    assert last(talk) == ("table-hands", {})
    talk.tell("tabled 3; tabled 1")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})


def test_it_is_in_sight_that_hands_go_up_until_they_all_lie_open(library: Library) -> None:
    """TDA24-16a, and what TDA24-RP8F has wait hand for hand."""
    talk = Talk(library, "tda-2024")
    talk.tell("deal 3")
    seen = [talk.sight.open_showdown]
    talk.tell("3 all-in 1000; 1 call 1000; 2 fold")
    seen.append(talk.sight.open_showdown)
    talk.tell(f"wait {TABLING + 0.1}")
    seen.append(talk.sight.open_showdown)
    talk.tell("tabled 3; tabled 1")
    seen.append(talk.sight.open_showdown)
    assert seen == [False, True, True, False]


def test_a_dealer_who_does_not_enter_it_is_asked_once(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"{ALL_IN}; wait {TABLING + 0.1}")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})
    talk.tell("burn; board 3; wait 2; burn; board; wait 2; burn; board; wait 2")
    assert ids(talk).count("table-hands") == 1


def test_the_next_street_goes_before_the_tabling(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"{ALL_IN}; burn")
    assert last(talk) == ("deal-street", {"street": "flop"})
    talk.tell("board 3; wait 1")
    assert last(talk) == ("burn-and-deal", {"street": "turn"})


def test_a_side_pot_that_can_be_bet_on_waits(library: Library) -> None:
    talk = Talk(library, "uk-tda", **stacks(1000, 1000, 100))
    talk.tell("deal 3; 3 all-in 100; 1 call; 2 call")
    assert last(talk) == ("burn-and-deal", {"street": "flop"})
    talk.tell("burn; board 3; wait 2; 1 all-in 900; 2 call 900")
    assert last(talk) == ("table-hands", {})


def test_hands_that_are_mucked_untabled_are_said_once_and_the_last_one_has_won(
    library: Library,
) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"{ALL_IN}; wait 11; burn; board 3; burn; board; burn; board; wait 2")
    talk.tell(f"{muck(3, 3)}; wait 1; {muck(1, 3)}; wait 1")
    assert [args for text_id, args in said(talk.events) if text_id == "must-table"] == [{"seat": 3}]


def test_in_a_cash_game_hands_are_not_tabled(library: Library) -> None:
    talk = Talk(library, "roberts", mode="cash")
    talk.tell(ALL_IN)
    assert last(talk) == ("burn-and-deal", {"street": "flop"})


# --- the showdown ---


def test_losing_hands_are_mucked_before_the_award(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell(f"deal 3; {CHECKED_DOWN}; tabled 1; tabled 2; tabled 3; wait 1")
    assert last(talk)[0] == "kill-losers"
    losers = [int(seat) for seat in str(last(talk)[1]["seats"]).split(", ")]
    assert 0 < len(losers) < 3
    for seat in losers:
        talk.tell(muck(seat, 3))
    talk.tell("wait 3")
    text_id, args = last(talk)
    assert text_id == "award-to"
    assert {int(seat) for seat in str(args["seats"]).split(", ")} == {1, 2, 3}.difference(losers)
    assert "tabled-in-muck" not in ids(talk)


def test_a_losing_hand_that_is_not_read_in_the_muck_does_not_hold_up_the_award(
    library: Library,
) -> None:
    talk = Talk(library, "roberts")
    talk.tell(f"deal 3; {CHECKED_DOWN}; tabled 1; tabled 2; tabled 3; wait {KILLING + 1}")
    assert ids(talk)[-2:] == ["kill-losers", "award-to"]


def test_a_table_that_cannot_read_the_muck_asks_for_a_moment(library: Library) -> None:
    zones = ["seat/1", "seat/2", "seat/3", "board", "burn"]
    talk = Talk(library, "roberts", zones=zones)
    talk.tell(f"deal 3; {CHECKED_DOWN}; tabled 1; tabled 2; tabled 3; wait {REMINDER + 1}")
    assert ids(talk)[-2:] == ["kill-losers", "award-to"]


def winner(talk: Talk, *seats: int) -> int:
    losers = str(last(talk)[1]["seats"]).split(", ")
    return next(seat for seat in seats if str(seat) not in losers)


def test_a_winning_hand_that_goes_to_the_muck_stays_live(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"deal 3; {CHECKED_DOWN}; tabled 1; tabled 2; tabled 3; wait 1")
    best = winner(talk, 1, 2, 3)
    talk.tell(f"{muck(best, 3)}; wait 2")
    assert last(talk) == ("tabled-in-muck", {"seat": best})
    talk.tell(f"wait {REMINDER}")
    assert last(talk)[0] == "kill-losers"
    talk.tell(f"lift {hand_of(best, 3)}; wait 1; lay {hand_of(best, 3).split()[0]} muck; wait 2")
    assert ids(talk).count("tabled-in-muck") == 1


def test_once_the_others_are_mucked_the_winner_is_collected(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"deal 3; {CHECKED_DOWN}; tabled 1; tabled 2; tabled 3; wait 1")
    best = winner(talk, 1, 2, 3)
    for seat in {1, 2, 3} - {best}:
        talk.tell(muck(seat, 3))
    talk.tell(f"{muck(best, 3)}; wait 3")
    assert "tabled-in-muck" not in ids(talk)


def test_a_hand_that_is_tabled_all_in_stays_live_before_the_river(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"{ALL_IN}; tabled 3; tabled 1; {muck(1, 3)}; wait 2")
    assert last(talk) == ("tabled-in-muck", {"seat": 1})


def test_where_amounts_and_pots_are_unknown_nobody_is_said_to_lose(library: Library) -> None:
    talk = Talk(library, "uk-tda", **stacks(1000, 1000, 100))
    talk.tell("deal 3; 3 all-in; 1 call; 2 call; burn; board 3; 1 bet; 2 call; burn; board; wait 2")
    talk.tell("1 check; 2 check; burn; board; 1 check; 2 check; tabled 1; tabled 2; tabled 3")
    talk.tell("wait 2")
    assert last(talk) == ("award", {})


# --- cards that are not where they should be ---

PLACES = [*(f"seat/{n}" for n in range(1, 5)), *(f"board/{n}" for n in range(1, 6)), "burn", "muck"]
FLOP = "drop burn; wait 1; drop board/1; drop board/2; drop board/3; wait 2; checks"


def test_the_turn_is_to_the_right_of_the_flop(library: Library) -> None:
    talk = Talk(library, "roberts", zones=PLACES)
    talk.tell(f"deal 4; preflop; {FLOP}; drop burn; wait 1; drop board/5; wait 2")
    assert last(talk) == ("board-order", {"street": "turn"})
    talk.tell("checks; drop burn; wait 1; drop board/4; wait 2")
    assert last(talk) == ("board-order", {"street": "river"})
    assert findings(talk) == []


def test_a_board_in_order_needs_no_prompt(library: Library) -> None:
    talk = Talk(library, "roberts", zones=PLACES)
    talk.tell(f"deal 4; preflop; {FLOP}; drop burn; wait 1; drop board/4; wait 2; checks")
    talk.tell(
        "drop burn; wait 1; drop board/4; wait 0.2; ghost x8 board/5; fades x8 board/4; wait 3"
    )
    assert "board-order" not in ids(talk)


def test_cards_that_are_away_for_long_are_asked_about_once(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell(f"deal 4; 3 call; lift {hand_of(1, 4)}; wait 15")
    assert "cards-away" not in ids(talk)
    talk.tell("wait 6")
    assert last(talk) == ("cards-away", {"seat": 1})
    cards = hand_of(1, 4).split()
    talk.tell(f"lay {cards[0]} seat/1; lay {cards[1]} seat/1; lift {hand_of(1, 4)}; wait 40")
    assert ids(talk).count("cards-away") == 1
    assert last(talk) == ("act", {"seat": 4})


@pytest.mark.parametrize(
    "log",
    [
        f"deal 4; 3 call; {muck(4, 4)}; wait 40",
        f"deal 4; 3 fold; lift {hand_of(3, 4)}; wait 40",
        f"deal 4; 3 call; lift {CARDS[0]}; wait 40",
        f"deal 4; 3 call; lost seat/1; lift {hand_of(1, 4)}; wait 40",
        "deal 4; 3 call; lift " + " ".join(hand_of(seat, 4) for seat in (1, 2, 3, 4)) + "; wait 40",
    ],
    ids=["mucked", "folded", "one of them", "not read", "all are collected"],
)
def test_other_cards_are_not_asked_about(library: Library, log: str) -> None:
    talk = Talk(library, "roberts")
    talk.tell(log)
    assert not {"cards-away", "thrown-forward"} & set(ids(talk))


def test_a_player_may_look_at_the_cards_again(library: Library) -> None:
    talk = Talk(library, "roberts")
    one, other = hand_of(1, 4).split()
    look = f"lift {one} {other}; wait 15; lay {one} seat/1; lay {other} seat/1; wait 1"
    talk.tell(f"deal 4; 3 call; {look}; {look}")
    assert "cards-away" not in ids(talk)


def test_cards_thrown_forward_are_asked_about_when_others_act_behind(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell(f"deal 4; lift {hand_of(3, 4)}; wait 3; 4 call; wait 3")
    assert last(talk) == ("thrown-forward", {"seat": 3})


MUCKED = f"deal 4; {muck(3, 4)}; wait 2; {muck(4, 4)}; wait 2"
LOOKED = f"lift {hand_of(3, 4)} {hand_of(4, 4)}"


def test_nobody_looks_through_the_muck(library: Library) -> None:
    talk = Talk(library, "nl-2010")
    talk.tell(f"{MUCKED}; {LOOKED}; wait 4")
    assert last(talk) == ("muck-lifted", {})
    talk.tell(f"wait {REMINDER}")
    assert last(talk) == ("act", {"seat": 1})


def test_a_muck_that_is_pushed_together_or_covered_is_no_problem(library: Library) -> None:
    talk = Talk(library, "nl-2010")
    cards = hand_of(4, 4).split()
    talk.tell(f"{MUCKED}; {LOOKED}; wait 1; lay {cards[0]} muck; wait 9")
    assert "muck-lifted" not in ids(talk)


@pytest.mark.parametrize(
    ("log", "seat"),
    [
        (f"deal 3; {muck(3, 3)}; wait 3; lift {CARDS[2]}; lay {CARDS[2]} seat/3; wait 3", "3"),
        (f"deal 3; {muck(3, 3)}; wait 3; lift {CARDS[2]}; lay {CARDS[2]} seat/1; wait 3", "3"),
        ("deal 3; 3 call; drop muck; wait 3; lift x1; lay x1 seat/3; wait 3", "?"),
    ],
)
@pytest.mark.parametrize("book", ["uk-tda", "roberts"])
def test_the_floor_is_told_where_a_mucked_card_lay(
    library: Library, book: str, log: str, seat: str
) -> None:
    talk = Talk(library, book)
    talk.tell(log)
    assert findings(talk) == ["muck-retrieved"]
    (finding,) = (e for e in talk.events if isinstance(e, Finding))
    steps = [step.text for step in finding.ruling.steps]
    assert f"Before it was mucked, the card was at seat {seat}." in steps


# --- after the hand ---

FLOP_AND_FOLDS = "deal 3; preflop; burn; board 3; wait 2; 1 fold; 2 fold; wait 1"


def test_rabbit_hunting(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"{FLOP_AND_FOLDS}; drop board; wait 2")
    assert last(talk) == ("rabbit", {})
    talk.tell("drop board; wait 2")
    assert ids(talk).count("rabbit") == 1
    talk.tell(f"wait {REMINDER}")
    assert last(talk) == ("new-hand", {})


@pytest.mark.parametrize(
    "log",
    [
        "lift x2 x3 x4; drop board; wait 3",
        "drop board; lift x5; wait 3",
        "drop board; drop board; drop board; wait 3",
        f"lift {CARDS[2]}; lay {CARDS[2]} board; wait 3",
        "lift x1; lay x1 board; wait 3",
        "drop muck; drop burn; wait 3",
    ],
    ids=["board gone", "brushed", "the deck", "a hole card", "the burn", "elsewhere"],
)
def test_cards_being_collected_are_not_rabbit_hunting(library: Library, log: str) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"{FLOP_AND_FOLDS}; {log}")
    assert "rabbit" not in ids(talk)


def test_a_board_that_is_complete_has_no_rabbit(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell(f"deal 3; {CHECKED_DOWN}; award; drop board; wait 3")
    assert "rabbit" not in ids(talk)


# --- levels ---


def test_a_new_level_is_said_as_its_first_hand_begins(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 fold; 1 fold; wait 1")
    talk.say(kind="level", small=50, big=100, ante=10)
    assert "level-waits" not in "".join(ids(talk))
    talk.tell("collect; riffle; wait 1")
    assert last(talk) == ("new-level-ante", {"small": 50, "big": 100, "ante": 10})
    talk.tell(f"wait {REMINDER}")
    assert last(talk) == ("deal", {})


def test_a_level_that_comes_after_the_riffle_is_too_late_for_this_deal(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("table 3; riffle; wait 2")
    talk.say(kind="level", small=50, big=100)
    assert last(talk) == ("level-waits", {"small": 50, "big": 100})
    talk.say(kind="level", small=50, big=100)
    assert ids(talk).count("level-waits") == 1


def test_a_redeal_is_too_early_for_a_new_level(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; misdeal; wait 1")
    talk.say(kind="level", small=50, big=100)
    assert last(talk) == ("level-waits", {"small": 50, "big": 100})
    talk.tell("collect; riffle; wait 1")
    assert last(talk) == ("deal", {})


# --- dead hands, and how a reminder gives way ---


def test_a_dead_hand_is_reported_with_its_cause(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 raise 100; clock 1; wait 75")
    assert findings(talk) == ["clock-expired"]
    talk.tell("rules dead-hand")
    assert last(talk) == ("hand-dead", {"seat": 1, "why": "clock-expired"})
    picture = Picture("T1", "roberts", library.texts)
    picture.take(talk.events)
    assert picture.view.prompt == "Seat 1's hand is dead: Time is up"
    assert picture.view.to_act == 2


def test_a_hand_that_is_to_be_dead_is_so_once_it_is_taken_in(library: Library) -> None:
    talk = Talk(library, "roberts")
    card = CARDS[2]
    talk.tell(f"deal 4; 3 call; 4 call; lift {card}; lay {card} seat/4; wait 3")
    assert findings(talk) == ["fouled-hand"]
    assert "hand-dead" not in ids(talk)
    talk.tell(f"lift {card}; lay {card} muck; wait 2; 1 call; 2 check; wait 2")
    dead = [args for text_id, args in said(talk.events) if text_id == "hand-dead"]
    assert dead == [{"seat": 3, "why": "fouled-hand"}]


def test_the_next_step_is_said_again_and_the_turn_stays(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; tabled 3; wait 1")
    picture = Picture("T1", "roberts", library.texts)
    picture.take(talk.events)
    assert last(talk) == ("betting-open", {"seat": 3})
    assert picture.view.to_act == 3
    talk.tell(f"wait {REMINDER}")
    assert last(talk) == ("act", {"seat": 3})


def test_the_next_step_that_changes_does_not_wait(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; tabled 3; 3 call")
    assert last(talk) == ("act", {"seat": 1})
