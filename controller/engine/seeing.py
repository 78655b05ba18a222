"""What everybody at the table may know of the game beside its events."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from controller.contract.events import Pot
from controller.contract.observations import TableSeat
from controller.contract.sight import Price, SeatChips, Sight
from controller.contract.wagered import WagerAnswer, WagerQuestion
from controller.hand.setup import Setup
from controller.hand.watch import Watch
from controller.rules.asked import answered
from controller.rules.button import Positions, is_dead
from controller.rules.pots import pots
from controller.rules.procedure import Burn, Round, Showdown, Turn
from controller.rules.showing import is_open_showdown
from controller.rules.ticked import ticked


def between_hands(setup: Setup, hand: int, due: Positions | None, *, is_open: bool) -> Sight:
    """`hand` is the number of the hand that begins next, `due` its positions if it can begin."""
    seats = sorted(setup.seats.values(), key=lambda one: one.seat)
    last = setup.positions
    without_chips = [s for s in seats if s.stack == 0 and setup.mode != "cash"]
    return Sight(
        dealer=setup.dealer,
        learner=setup.routine.learner,
        small=last.small if last else None,
        big=last.big if last else None,
        next_button=due.button if due else None,
        absent=tuple(s.seat for s in seats if s.status in ("absent", "penalty")),
        is_open=is_open,
        silent=setup.trust.silent(hand),
        doubted=setup.trust.doubted(hand),
        stacks=_chips(s for s in seats if s.status != "empty"),
        left=_chips(s for s in seats if s.status == "empty" and s.stack is not None),
        broke=tuple(s.seat for s in without_chips if s.status != "empty"),
        gone=tuple(s.seat for s in without_chips if s.status == "empty"),
    )


def _chips(seats: Iterable[TableSeat]) -> tuple[SeatChips, ...]:
    return tuple(SeatChips(s.seat, s.stack, s.player) for s in seats)


def in_hand(setup: Setup, watch: Watch, *, is_open: bool) -> Sight:
    """`watch` is over the running hand."""
    hand = watch.hand
    lies = watch.on_board()
    done = {finding.id: ticked(hand, finding) for finding in (*hand.findings, *hand.unshown)}
    steps = [(number, first) for number, (first, _) in done.items()] + watch.decisions.followed()
    return replace(
        between_hands(setup, hand.number, None, is_open=is_open),
        on_board=lies.cards,
        odd=lies.odd,
        backs=tuple(hand.backs().items()),
        price=_price(watch),
        pots=_pots(watch),
        awaited=tuple((f.id, step) for f in hand.findings if (step := done[f.id][1])),
        rests_on=tuple((f.id, f.zones[0]) for f in hand.findings if f.zones and not f.seats),
        taken_for=tuple(
            (seat, "call" if hand.betting.faces_bet(seat) else "check")
            for seat in sorted(hand.passed_over)
        ),
        small=hand.positions.small,
        big=hand.positions.big,
        burns=sum(map(len, hand.burns.values())),
        is_watched=watch.judge.watching,
        clock=watch.clock.running,
        dead_button=is_dead(hand.positions, hand.betting.players),
        open_showdown=isinstance(hand.head, Burn | Turn) and is_open_showdown(hand, setup.mode),
        unpressed=tuple(sorted(hand.passed_over)),
        stacks=None,
        left=(),
        broke=(),
        gone=(),
        ticked=tuple((number, first) for number, first in steps if first),
    )


def _pots(watch: Watch) -> tuple[Pot, ...]:
    """Where there are several at the showdown, and they are known."""
    betting = watch.hand.betting
    if not isinstance(watch.hand.head, Showdown) or not betting.known:
        return ()
    made = pots(list(betting.players.values()))
    return made if len(made) > 1 else ()


def amounts_to(setup: Setup, watch: Watch | None, question: WagerQuestion) -> WagerAnswer:
    """What an action amounted to by the book in force. While a finding is open nobody acts."""
    hand = None if watch is None else watch.hand
    if hand is None or hand.findings or not isinstance(hand.head, Round):
        return answered(setup.book, None, question)
    betting = hand.betting if hand.betting.next_to_act() is not None else None
    return answered(setup.book, betting, question, cash=setup.mode == "cash")


def _price(watch: Watch) -> Price | None:
    betting = watch.hand.betting
    seat = betting.next_to_act() if isinstance(watch.hand.head, Round) else None
    if seat is None:
        return None
    return Price(seat, betting.to_match(seat), watch.least_raise(seat))
