"""The states of the dealer's screen that are looked at, from an empty table to a lost one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.library.books import Library
from display.dealer.connection import Connection
from tests.display_dealer.tapped_table import WELL, Table

FLOP = "deal 9; preflop; burn; board 3"
RAISED = "deal 9; 3 raise 40; wait 2"
ASKS = ("pick-seat:4", "what-is-it")
FOUR = "deal 9; preflop; burn; board 4; wait 3"
NINE = {"seats": [{"seat": n, "stack": 50 * n * n + 500, "player": p} for n, p in enumerate(
    ("Ann", "Bernhard", "Chloe", "Dmitri", "Eva", "Fatima", "Gus", "Henrietta", "Ida"), 1
)]}  # fmt: skip


def typed(letters: str) -> tuple[str, ...]:
    """The keys of these."""
    return tuple(f"key:{letter}" for letter in letters)


class State(Struct, frozen=True):
    """What happened at the table (`Talk`), what the floor then ruled, what the dealer tapped, and
    what happened after that."""

    log: str
    book: str = "roberts"
    rules: str = ""
    taps: tuple[str, ...] = ()
    then: str = ""
    link: Connection = WELL
    learner: bool = False
    without_chips: tuple[int, ...] = ()

    def table(self, library: Library) -> Table:
        """The table in this state."""
        learns = {"routine": {"learner": True}} if self.learner else {}
        seats = [
            {**seat, "stack": 0} if seat["seat"] in self.without_chips else seat
            for seat in NINE["seats"]
        ]
        table = Table(library, self.book, self.log, seats=seats, **learns)
        if self.rules:
            table.rules(self.rules)
        table.tap(*self.taps)
        table.tell(self.then)
        return table


LOST = Connection("closed", 12.0, 0)
STATES: Mapping[str, State] = {
    "before-the-first-hand": State(""),
    "deal": State("pitch 9 1 2 3 4 5 6 7 8 9 1 2"),
    "learner-deal": State("table 9; wait 2; riffle", "homepokertourney", learner=True),
    "learner-raise": State(
        "deal 9; 3 call; 4 fold; 5 raise 40; wait 2", "homepokertourney", learner=True
    ),
    "learner-all-in": State("deal 9; 3 call; 4 all-in; wait 2", "uk-tda", learner=True),
    "learner-round-over": State(f"{FLOP}; wait 3; checks", "homepokertourney", learner=True),
    "learner-showdown": State(
        f"{FLOP}; checks; burn; board; checks; burn; board; checks; wait 2",
        "homepokertourney",
        learner=True,
    ),
    "preflop": State("deal 9; 3 call; 4 fold; 5 raise 40; 6 fold; wait 2"),
    "flop": State(f"{FLOP}; wait 3; 1 bet 30; 2 call; wait 2"),
    "all-in": State(f"{FLOP}; wait 3; 1 all-in 400; 2 call; 3 fold; wait 2"),
    "river": State(f"{FLOP}; checks; burn; board; checks; burn; board; wait 3"),
    "showdown": State(
        f"{FLOP}; checks; burn; board; checks; burn; board; checks; tabled 1; wait 2"
    ),
    "side-pots": State(
        "deal 9; 3 call; 4 call; 5 call; 6 fold; 7 fold; 8 fold; 9 fold; 1 all-in; 2 all-in; "
        "3 call; 4 call; 5 fold; burn; board 3; wait 3; 3 bet 100; 4 call; burn; "
        "board; wait 2; 3 check; "
        "4 check; burn; board; wait 2; 3 check; 4 check; wait 2"
    ),
    "award": State(f"{FLOP}; checks; burn; board; checks; burn; board; checks; award; wait 3"),
    "two-without-chips": State("table 9; wait 2", without_chips=(4, 7)),
    "misdeal-first-step": State("pitch 9 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1; wait 3"),
    "misdeal-to-call": State("pitch 4 2 3; wait 3", taps=("yes", "done")),
    "four-card-flop": State(FOUR),
    "four-card-flop-uk": State(FOUR, "uk-tda"),
    "four-card-flop-floor-called": State(FOUR, "uk-tda", taps=("done", "done")),
    "four-card-flop-back": State(FOUR, taps=("done",), then="lift x2 x3 x4 x5; wait 1"),
    "four-card-flop-scrambled": State(
        FOUR, "uk-tda", taps=("done", "done"), then="lift x2 x3 x4 x5; wait 1; lay x3 board; wait 1"
    ),
    "floor-has-ruled": State(f"{FOUR}; floor", "uk-tda", rules="floor-pick"),
    "floor-ruled-on-doubt": State(
        "deal 9; preflop; board 3; wait 3", "homepokertourney", rules="redeal-flop"
    ),
    "floor-awaited": State(
        "deal 9; preflop; board 3; wait 3", "tda-2009", taps=("yes", "done", "done")
    ),
    "steps-done": State(
        "deal 9; preflop; board 3; wait 3; 1 check; 2 check; wait 2", taps=("yes", "done", "done")
    ),
    "burn-missing-asked": State("deal 9; preflop; board 3; wait 3"),
    "burn-missing": State("deal 9; preflop; board 3; wait 3", taps=("yes",)),
    "two-burns": State("deal 9; preflop; burn; burn; wait 3"),
    "premature-turn-asked": State(f"{FLOP}; wait 3; 1 check; burn; board; wait 3"),
    "premature-turn": State(f"{FLOP}; wait 3; 1 check; burn; board; wait 3", taps=("yes", "done")),
    "premature-turn-waits": State(
        f"{FLOP}; wait 3; 1 check; burn; board; wait 3", taps=("yes", "done", "done")
    ),
    "first-card": State("pitch 9 2 3 4 5; wait 3"),
    "seat-forgotten": State("pitch 9 1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8; wait 3"),
    "exposed": State("deal 9; exposed 4 1; wait 2"),
    "two-findings": State("deal 9; exposed 4 1; wait 2; preflop; board 3; wait 3"),
    "seat": State(f"{FLOP}; wait 3; 1 bet 30", taps=("pick-seat:2",)),
    "wager": State(RAISED, "uk-tda", taps=("pick-seat:4", "what-is-it")),
    "wager-seen": State(
        RAISED, "uk-tda", taps=(*ASKS, "said:raise", *["key:chip:100"] * 3, "second-motion")
    ),
    "wager-pulled-back": State(
        "deal 9; 3 raise 40; 4 call; 5 raise 100; 6 fold; 7 fold; 8 fold; 9 fold; 1 fold; 2 fold; "
        "3 fold; wait 2",
        "uk-tda",
        taps=(*ASKS, "also:pulled_back"),
    ),
    "wager-otherwise": State(
        RAISED,
        "uk-tda",
        taps=(
            *ASKS,
            "said:raise",
            "said:amount",
            "key:5",
            "and-chips",
            "key:chip:25",
            "ask",
            "first:chips",
            "otherwise",
        ),
    ),
    "wager-unclear": State(
        RAISED,
        "uk-tda",
        taps=(*ASKS, "said:raise", "said:amount", "key:5", "ask", "otherwise", "also:unclear"),
    ),
    "wager-unaware": State(
        RAISED, "roberts", taps=(*ASKS, "key:chip:25", "ask", "otherwise", "also:unaware")
    ),
    "wager-chip": State(RAISED, "uk-tda", taps=(*ASKS, "other-chip", "key:2", "key:00")),
    "wager-amount": State(
        RAISED, "uk-tda", taps=(*ASKS, "said:raise", "said:amount", "key:2", "key:5")
    ),
    "wager-call": State(RAISED, "uk-tda", taps=(*ASKS, "key:chip:1000", "ask")),
    "wager-made-up": State(
        RAISED, "uk-tda", taps=(*ASKS, "key:chip:25", "key:chip:25", "key:chip:5", "ask")
    ),
    "wager-why": State(
        RAISED,
        "uk-tda",
        taps=(*ASKS, "key:chip:25", "key:chip:25", "key:chip:5", "ask", "wager-why"),
    ),
    "wager-ask-player": State(RAISED, "uk-tda", taps=(*ASKS, "said:raise", "ask")),
    "wager-floor": State(RAISED, "uk-tda", taps=(*ASKS, "key:chip:25", "ask")),
    "wager-silent": State(RAISED, "tda-2009", taps=(*ASKS, "key:chip:25", "ask")),
    "wager-string": State(
        RAISED,
        "tda-2024",
        taps=(*ASKS, *["key:chip:25"] * 3, "second-motion", "key:chip:25", "ask"),
    ),
    "wager-unknown": State(
        "deal 9; 3 raise; wait 2", "uk-tda", taps=(*ASKS, "key:chip:1000", "ask")
    ),
    "menu": State(f"{FLOP}; wait 3", taps=("more",)),
    "amount": State(f"{FLOP}; wait 3", taps=("pick-seat:1", "did:bet", "key:4")),
    "dismiss": State(FOUR, taps=("dismiss",)),
    "why": State(FOUR, taps=("why",)),
    "rules": State(FOUR, taps=("why", "all-rules")),
    "rules-typed": State(FOUR, taps=("why", "all-rules", *typed("STRING"))),
    "rules-nothing": State(FOUR, taps=("why", "all-rules", *typed("XYLO"))),
    "rules-number": State(
        f"{FLOP}; wait 3", taps=("more", "all-rules", "other-keys", "key:UK-", "key:4")
    ),
    "rules-found": State(FOUR, taps=("why", "all-rules", *typed("STRING"), "all-found")),
    "rule": State(FOUR, taps=("why", "all-rules", *typed("STRING"), "rule:UK-50")),
    "rule-long": State(FOUR, taps=("why", "all-rules", "rule:NL10-SEAT-04")),
    "readers": State(f"{FLOP}; wait 3", taps=("links",)),
    "readers-with-the-table-lost": State(f"{FLOP}; wait 3", taps=("links",), link=LOST),
    "table-lost": State(f"{FLOP}; wait 3", link=LOST),
    "table-lost-with-a-finding": State(FOUR, link=LOST),
}
