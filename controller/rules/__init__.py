"""Any rule of poker is here and nowhere else.

`procedure` is how a hand goes when nothing is wrong, `betting`, `button`, `pots` and `standing` are
what their names say, `rulebook` reads the books, `remedies` knows what the steps of a remedy mean
on the table. Every irregularity has a file of its own, with the `watcher` that finds it; so has
what the dealer is told beside the next step.
"""

from __future__ import annotations

from controller.rules.board_order import BoardOrder
from controller.rules.burn_double import BurnDouble
from controller.rules.burn_missing import BurnMissing
from controller.rules.burn_premature import BurnPremature
from controller.rules.button_misplaced import ButtonMisplaced
from controller.rules.card_count import CARD_COUNT
from controller.rules.clock_expired import ClockExpired
from controller.rules.disturbed import PileDisturbed
from controller.rules.faced import FACED
from controller.rules.first_card_wrong_seat import FirstCardWrongSeat
from controller.rules.fouled_hand import FouledHand, Fouling
from controller.rules.four_card_flop import FourCardFlop
from controller.rules.irregularity import Irregularity
from controller.rules.muck_lifted import MuckLifted
from controller.rules.muck_retrieved import MuckRetrieved
from controller.rules.out_of_turn import OUT_OF_TURN
from controller.rules.premature import Premature
from controller.rules.second_board import SecondBoard
from controller.rules.sequence import SEQUENCE
from controller.rules.short_flop import ShortFlop
from controller.rules.stub_fouled import StubFouled
from controller.rules.too_many import TooMany
from controller.rules.untabled import Untabled
from controller.rules.watcher import Watcher
from controller.rules.wrong_card import WRONG_CARD
from controller.rules.wrong_card_count import Counting, WrongCardCount

IRREGULARITIES: tuple[Irregularity, ...] = (
    FirstCardWrongSeat(),
    FourCardFlop(),
    TooMany("turn"),
    TooMany("river"),
    BurnMissing(),
    BurnDouble(),
    ShortFlop(),
    BurnPremature(),
    Premature("flop"),
    Premature("turn"),
    Premature("river"),
    *SEQUENCE,
    *CARD_COUNT,
    *FACED,
    *WRONG_CARD,
    ButtonMisplaced(),
    MuckRetrieved(),
    *OUT_OF_TURN,
    ClockExpired(),
    FouledHand(),
    StubFouled(),
    WrongCardCount(),
    PileDisturbed("board"),
    PileDisturbed("burn"),
)

WATCHERS: tuple[type[Watcher], ...] = (
    Fouling,
    Counting,
    Untabled,
    BoardOrder,
    MuckLifted,
    SecondBoard,
)
"""Those that only have to be told what happens. The others are asked as well, or ask one another:
they are put together in `controller/hand/`."""
