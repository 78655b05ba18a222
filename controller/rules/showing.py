"""Hands that lie face up: all of them once nobody can bet, and the losing ones into the muck.

RR7-T-34, UK-14, UK-EX14, TDA09-09, NL10-HR-12: at a tournament all hands are tabled once betting
is over with a player all-in, before the next street; while a side pot can still be bet on it waits.
Else there is an order (HPT-SHOW-02, RR7-SHOW-8, UK-15A, TDA09-11): who bet or raised last on the
last round shows first, and where nobody did who is first to act; then clockwise, the side pots
before the main one (RRP-SHOW-7). UK-15B, TDA24-17B: who is left alone need not show his hand.
RR7-SHOW-4: the losing hands are killed before the award. UK-12C, TDA09-10a: a tabled hand that
wins stays live wherever its cards go. While the board is in question (RR7-HE-5: until the pot is
awarded) no hand wins or loses. Antennas do not read whether a card lies face up: that a hand is
tabled is the dealer's entry.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules.hand import Hand, HoleCard
from controller.rules.muck_retrieved import Muck
from controller.rules.procedure import STREETS, Burn, Showdown, Turn, clockwise
from controller.rules.standing import Standing, standing
from controller.rules.watcher import REMINDER, Lasting, Lookout, Step

TABLING = 10.0
"""Seconds for which the tabling is asked for: not every dealer enters it."""
KILLING = 20.0
"""Seconds for which the losing hands are asked for: one may not be read in the muck."""


def is_open_showdown(hand: Hand, mode: str) -> bool:
    """Whether the streets that are left, if any, are dealt without betting, and hands are to be
    tabled before them (RR7-T-34, UK-14, TDA09-09, TDA24-16a)."""
    live = hand.betting.live
    return (
        mode == "tournament"
        and not hand.betting.betting_possible
        and any(player.all_in for player in live)
        and not all(player.tabled for player in live)
    )


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, seats))


class Showing(Lasting[int]):
    """Watches the tabled hands."""

    def __init__(self, lookout: Lookout, muck: Muck) -> None:
        """`muck` knows which cards have been in the muck."""
        super().__init__(lookout)
        self._muck = muck
        self._table_until: float | None = None
        self._kill_until: float | None = None
        self._said: set[int] = set()

    def next_step(self, t: float) -> Step | None:
        """What is to be done with the hands before the script goes on."""
        head = self._hand.head
        if isinstance(head, Showdown):
            if self._judge.board_in_question():
                return "board-in-question", {}
            if not all(player.tabled for player in self._hand.betting.contesting):
                return self._last_one() or self._in_order()
            if self._hand.second_board:
                return None
            now = self._standing()
            return self._kill(now, t) or self._award(now)
        if isinstance(head, Burn | Turn) and is_open_showdown(self._hand, self._table.mode):
            begun = self._hand.burns[head.street] or self._hand.board[head.street]
            if begun or self._table_until is None:
                self._table_until = t if begun else t + TABLING
            if t < self._table_until:
                return "table-hands", {}
        return None

    def _last_one(self) -> Step | None:
        """The award to who is left alone and need not show his hand, if nobody is all-in."""
        betting = self._hand.betting
        is_alone = len(betting.contesting) == 1 and not any(p.all_in for p in betting.live)
        if self._table.book.last_shows or not is_alone:
            return None
        return "award-last", {"seat": betting.contesting[0].seat}

    def _in_order(self) -> Step | None:
        """Who shows next of those who have not, where there is an order."""
        order = self._order()
        if not order:
            return None
        seat = next(seat for seat in order if not self._hand.betting.players[seat].tabled)
        return ("show-first" if seat == order[0] else "show-next"), {"seat": seat}

    def _award(self, now: Standing) -> Step | None:
        """Who gets what; side pots come first."""
        shares = now.shares
        if len(shares) > 1:
            said = (f"{share.amount} ▸ {_listed(share.seats)}" for share in reversed(shares))
            return "award-pots", {"pots": " · ".join(said)}
        if shares and shares[0].hand is not None:
            return "award-to", {"seats": _listed(shares[0].seats), "made": shares[0].hand}
        return None

    def _order(self) -> list[int]:
        """In which order they show; empty where all do at once, or where it is not known. Without a
        bet on the last round nobody acted on it who was all-in."""
        betting = self._hand.betting
        all_at_once = self._table.mode == "tournament" and any(p.all_in for p in betting.live)
        is_known = betting.round == STREETS[-1] and self._hand.gap_round != betting.round
        if all_at_once or not is_known or not self._table.book.show_order:
            return []
        bettor, contesting = betting.bettor, {p.seat: p for p in betting.contesting}
        most = max((p.paid for p in contesting.values()), default=0)

        def place(seat: int) -> tuple[bool, bool, int]:
            player = contesting[seat]
            acted = bettor is not None or not player.all_in
            return seat != bettor, not acted, -(player.paid if player.all_in else most)

        return sorted(clockwise(contesting, bettor or betting.button), key=place)

    def doubts_of_award(self) -> list[Step]:
        """What speaks against an award at this moment: the board may not be the right one, or some
        have tabled and others have neither tabled nor given up their hands."""
        doubts: list[Step] = []
        if self._judge.board_in_question():
            doubts.append(("award-in-question", {}))
        untabled = sorted(p.seat for p in self._hand.betting.contesting if not p.tabled)
        if untabled and len(untabled) < len(self._hand.betting.contesting):
            doubts.append(("award-untabled", {"seats": ", ".join(map(str, untabled))}))
        return doubts

    def _kill(self, now: Standing, t: float) -> Step | None:
        waiting = sorted(s for s in now.losing if not self._was_mucked(s))
        if not waiting:
            return None
        if self._kill_until is None:
            reads = self._table.has("muck") and not self._table.was_lost("muck", self._hand.t)
            self._kill_until = t + (KILLING if reads else REMINDER)
        if t >= self._kill_until:
            return None
        return "kill-losers", {"seats": ", ".join(map(str, waiting))}

    def _standing(self) -> Standing:
        walk = self._now
        return standing(self._hand.betting, walk.tabled_cards(), walk.board_cards())

    def _was_mucked(self, seat: int) -> bool:
        return any(self._muck.has_had(tag) for tag in self._hand.tags_of(seat))

    # --- a tabled hand in the muck ---

    def came(self, tag: str, zone: str) -> None:
        """A card came to the muck."""
        role = self._hand.roles.get(tag)
        if zone == "muck" and isinstance(role, HoleCard):
            player = self._hand.betting.players[role.seat]
            if player.tabled and not player.folded and role.seat not in self._said:
                self._due.setdefault(role.seat, self._now.t + self._table.timing.settle)

    def next_deadline(self, after: float) -> float | None:
        """When something of this is over or certain."""
        if self._table_until is None and self._kill_until is None and not self._due:
            return None
        due = (self._table_until, self._kill_until, super().next_deadline(after))
        return min((t for t in due if t is not None and t > after), default=None)

    def _lasted(self, seat: int) -> None:
        """Says of a tabled hand that has stayed in the muck that it is live."""
        lies = any(self._lying.is_present(tag, "muck") for tag in self._hand.tags_of(seat))
        if lies and seat not in self._said and self._stays_live(seat):
            self._said.add(seat)
            self._now.tell.remind("tabled-in-muck", self._now.t, seat=seat)

    def _stays_live(self, seat: int) -> bool:
        """Whether it wins as far as the hands are tabled, or may win yet. Once the others are in
        the muck as well it has its pot and is collected."""
        others = [p.seat for p in self._hand.betting.contesting if p.seat != seat]
        if all(self._was_mucked(other) for other in others):
            return False
        if not isinstance(self._hand.head, Showdown) or self._judge.board_in_question():
            return True
        return seat in self._standing().winning
