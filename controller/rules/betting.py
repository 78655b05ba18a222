"""Betting: who has put in what, who must still act, when a round is complete.

Amounts may be unknown at any point: then everything that does not need them still works. What
contradicts a stack or the bets before it makes them unknown.
Sources: RR7-BLIND-0, HPT-PLAY-04, RR7-NL-1, RR7-NL-2 (a short big blind is acted on as a
full one), RR7-T-20 and HPT-POT-06 (contribution layers); RR7-NL-4 to -6, UK-42A, UK-43,
TDA09-31a and -31c, NL10-BET-07 (who may raise, and to what; short all-ins that add up to a
full raise reopen the betting under every book).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Blinds
from controller.rules.procedure import RoundName, clockwise


class Player(Struct):
    """One seat of a hand. `stack` is what the seat began the hand with, if known; `bet` what
    it has in on this round and `paid` what it has in altogether, of which `dead` matches nothing;
    `acted` since the last bet or raise, `has_acted` at any time of the hand; `answered` the bet to
    be matched when it last acted on this round; `unsure` whether it has to act again, since an
    all-in without an amount may have been no raise; `vague` once what it has put in is not known.
    """

    seat: int
    stack: int | None = None
    name: str | None = None
    folded: bool = False
    all_in: bool = False
    acted: bool = False
    has_acted: bool = False
    unsure: bool = False
    vague: bool = False
    answered: int | None = None
    bet: int = 0
    paid: int = 0
    dead: int = 0
    tabled: bool = False
    mucked: bool = False

    @property
    def behind(self) -> int | None:
        """Chips the player still has to bet with, if known."""
        return None if self.stack is None else self.stack - self.paid

    def put_in(self, chips: int) -> None:
        """Adds chips to this round's bet, as far as the stack goes."""
        if self.behind is not None and chips >= self.behind:
            chips = self.behind
            self.all_in = True
        self.bet += chips
        self.paid += chips

    def post_for_all(self, ante: int) -> None:
        """Posts the antes of all players, of what the blind has left (TDA24-RP11A)."""
        blind = self.bet
        self.put_in(ante)
        self.dead, self.bet = self.bet - blind, blind


class Betting:
    """The betting of one hand.

    `players` in the order of play from left of the button. `actions` are the actions in turn,
    each with whether it put chips in. `away` are seats that play without having acted: nobody
    waits for them until they act. `to_call` is the bet to be matched on this round, or None
    once an amount was not told; `known` says whether every amount so far was. `increment` is
    the last full bet or raise of the round, the big blind before there is one; None once one
    was not told. `first` is the seat that was first to act in the hand. `bettor` made the
    last bet or raise of the round; `raises` counts those of the hand; `before` is what was to
    be matched before it, and the increment.
    """

    def __init__(
        self,
        players: list[Player],
        *,
        button: int,
        blinds: tuple[int | None, int | None],
        level: Blinds,
        posts: tuple[int, ...] = (),
    ) -> None:
        """`blinds` are the seats of the small and the big blind."""
        self.players = {p.seat: p for p in players}
        self.button = button
        self.big = level.big
        self.chip = level.chip
        self._matching: list[int] = []
        self.round: RoundName = "preflop"
        self.acted_on = False
        self.actions: list[bool] = []
        self.away: set[int] = set()
        small, big = level.small, level.big
        if level.ante_by == "each":
            for player in players:
                player.put_in(level.ante)
                player.bet = 0
        for seat, blind in ((blinds[0], small), (blinds[1], big), *((p, big) for p in posts)):
            poster = self.players.get(seat) if seat is not None else None
            if poster is not None:
                poster.put_in(blind - poster.bet)
        if level.ante_by == "big-blind" and blinds[1] in self.players:
            self.players[blinds[1]].post_for_all(level.ante)
        self.to_call: int | None = big
        self.increment: int | None = big
        self.bettor: int | None = None
        self.raises = 0
        self.before: tuple[int | None, int | None] = (big, big)
        after = blinds[1] if blinds[1] is not None else button
        self.turn = clockwise(self.players, after)
        self.first = self.turn[0]

    def copy(self) -> Betting:
        """The betting as it stands, for a case in which what follows does not count."""
        other = Betting.__new__(Betting)
        other.__dict__.update(self.__dict__)
        other.players = {seat: replace(player) for seat, player in self.players.items()}
        other.actions = list(self.actions)
        other._matching = list(self._matching)
        other.away = set(self.away)
        other.turn = list(self.turn)
        return other

    # --- what is so ---

    @property
    def known(self) -> bool:
        """Whether every amount is known, and every stack."""
        return not any(p.vague or p.stack is None for p in self.players.values())

    def lose_track(self) -> None:
        """From here on it is not known what those who have not folded have put in."""
        for player in self.live:
            player.vague = True

    @property
    def live(self) -> list[Player]:
        """Who has not folded, in seat order from left of the button."""
        return [p for p in self.players.values() if not p.folded]

    @property
    def is_won(self) -> bool:
        """Whether fewer than two have not folded."""
        others = False
        for player in self.players.values():
            if not player.folded:
                if others:
                    return False
                others = True
        return True

    @property
    def contesting(self) -> list[Player]:
        """Who has neither folded nor mucked untabled, in the same order."""
        return [p for p in self.live if not p.mucked]

    @property
    def can_bet(self) -> list[Player]:
        """Who could still put chips in."""
        away = self.away
        return [p for p in self.players.values() if not (p.folded or p.all_in or p.seat in away)]

    def must_act(self) -> list[Player]:
        """Who has to act before the round is complete, in no order."""
        able = self.can_bet
        if len(able) == 1:
            return able if self._owes(able[0]) else []
        return [p for p in able if not p.acted]

    def awaits(self, seat: int) -> bool:
        """Whether this seat has to act before the round is complete."""
        player = self.players.get(seat)
        if player is None or player.acted or player.folded or player.all_in or seat in self.away:
            return False
        return not self._is_lone(player) or self._owes(player)

    def next_to_act(self) -> int | None:
        """The seat whose turn it is, or None when the round is complete."""
        players, away = self.players, self.away
        for seat in self.turn:
            player = players[seat]
            if not (player.acted or player.folded or player.all_in or seat in away):
                return seat if not self._is_lone(player) or self._owes(player) else None
        return None

    def _is_lone(self, player: Player) -> bool:
        """Whether nobody else could still put chips in."""
        away = self.away
        for p in self.players.values():
            if not (p.folded or p.all_in or p is player or p.seat in away):
                return False
        return True

    def _owes(self, lone: Player) -> bool:
        """Whether he has to act whom nobody is left to bet against: he only has to answer what he
        has not matched."""
        if lone.acted or self.is_won:
            return False
        others = max((p.bet for p in self.players.values() if p is not lone), default=0)
        return self.to_call is None or others > lone.bet

    def calls_what_nobody_bet(self, seat: int, button: str, amount: int | None) -> bool:
        """Whether a call is of more than what is known to have been bet."""
        if button != "call" or self.to_call is None:
            return False
        bet = self.players[seat].bet
        return self.to_call <= bet if amount is None else amount > max(self.to_call, bet)

    def answers_what_nobody_bet(self, seat: int, button: str, amount: int | None) -> bool:
        """Whether an action tells of a bet or raise that is not known: a call of more, or a raise
        where there is nothing to raise."""
        raises = button == "raise" and self.to_call == 0
        return raises or self.calls_what_nobody_bet(seat, button, amount)

    def faces_bet(self, seat: int) -> bool:
        """Whether this seat has not matched the bet, as far as that is known."""
        return self.to_call is None or self.to_call > self.players[seat].bet

    @property
    def opener(self) -> int | None:
        """Who will be the first to act on the next street, if anybody can."""
        able = clockwise((player.seat for player in self.can_bet), self.button)
        return able[0] if able else None

    def may_raise(self, seat: int) -> bool | None:
        """Whether the betting is open to this seat: it has not acted on this round, or has come
        to face a full raise since. None where that is not known."""
        player = self.players[seat]
        if player.folded or player.all_in:
            return False
        if not self._can_be_called(player):
            return False
        if player.answered is None:
            return True if not player.acted else None
        if self.to_call is None or self.increment is None:
            return None
        return self.is_open_to(seat)

    def is_open_to(self, seat: int) -> bool:
        """Whether this seat has not acted on the round or has come to face a full raise since, as
        far as that is known; whoever could call it."""
        answered = self.players[seat].answered
        if answered is None or self.to_call is None or self.increment is None:
            return True
        return self.to_call - answered >= self.increment

    def to_match(self, seat: int) -> int | None:
        """What a call costs this seat, which is all that it has left where that is less; None
        where it is not known."""
        player = self.players[seat]
        if self.to_call is None or player.vague:
            return None
        owes = max(0, self.to_call - player.bet)
        return owes if player.behind is None else min(owes, player.behind)

    def min_raise_to(self, seat: int) -> int | None:
        """The least that this seat may bet or raise to, which is all that it has where that is
        less; None where it may not, or where it is not known."""
        player = self.players[seat]
        if self.to_call is None or self.increment is None or not self.may_raise(seat):
            return None
        least = self.to_call + self.increment
        if player.behind is None:
            return least
        if not self.known:
            return None
        reach = player.bet + player.behind
        return min(least, reach) if reach > self.to_call else None

    def may_have_straddled(self, seat: int) -> bool:
        """Whether the bet on the first round is twice the big blind, and may have been a live
        straddle of this seat, which acts last on it (RR7-NL-15). Where it is the first to act on
        the flop that is not said of it; heads-up the small blind is first, and can't straddle."""
        live = clockwise((p.seat for p in self.live), self.button)
        could = self.round == "preflop" and len(self.players) > 2
        straddle = could and self.to_call == 2 * self.big
        return straddle and seat == self.first and live[:1] != [seat]

    @property
    def betting_possible(self) -> bool:
        """Whether another round could see a bet."""
        return len(self.can_bet) > 1

    def must_table(self, seat: int) -> bool:
        """Whether this hand may not be mucked unseen: it is all-in or has called, and nobody can
        bet any more (UK-14, TDA09-09, RR7-T-34, NL10-HR-12)."""
        player = self.players[seat]
        is_over = not (self.betting_possible or self.must_act())
        played = player.all_in or player.has_acted
        return is_over and played and not player.folded and any(p.all_in for p in self.live)

    # --- what happens ---

    def open_round(self, name: RoundName) -> None:
        """Begins the round after the blinds' one."""
        self.round = name
        self.to_call = 0
        self.increment = self.big
        self.bettor = None
        self.acted_on = False
        self._matching = []
        for player in self.players.values():
            player.acted = player.unsure = False
            player.answered = None
            player.bet = 0
        self.turn = clockwise(self.players, self.button)

    def turn_to(self, seat: int) -> None:
        """It is this seat's turn, if it has to act, and then that of those to its left."""
        place = self.turn.index(seat)
        self.turn = self.turn[place:] + self.turn[:place]

    def fold(self, seat: int) -> None:
        """The seat gives up its hand."""
        self.away.discard(seat)
        player = self.players[seat]
        in_turn = self.next_to_act() == seat
        player.folded = player.acted = player.has_acted = True
        if in_turn:
            self.actions.append(False)
        self._moved_on(seat, in_turn)

    def kill(self, seat: int) -> None:
        """The hand is dead: its player has not acted."""
        self.away.discard(seat)
        player = self.players[seat]
        in_turn = self.next_to_act() == seat
        player.folded = player.acted = True
        self._pass_turn(seat, in_turn)

    def is_brought_up(self, seat: int, button: str, amount: int | None) -> bool:
        """Whether this is the last bet or raise of the round once more, and more of it: it was too
        small and is corrected (RR7-BET-16). So is a call of less than the bet (UK-38B)."""
        if amount is None or self.to_call is None or self.next_to_act() == seat:
            return False
        if button == "call":
            player = self.players[seat]
            return player.has_acted and player.bet < amount <= self.to_call
        return button in ("bet", "raise") and seat == self.bettor and amount > self.to_call

    def bring_up(self, seat: int, total: int) -> list[int]:
        """The last bet or raise is `total`, as far as the stack goes. Who has called it owes that
        as well, and nobody may raise for it who has acted; returns those seats: none if it was a
        call."""
        player, was = self.players[seat], self.to_call
        player.put_in(total - player.bet)
        if was is not None and total <= was:
            return []
        player.answered = self.to_call = player.bet
        before, increment = self.before
        if before is not None and increment is not None:
            self.increment = max(increment, player.bet - before)
        callers = [p for p in self.live if p is not player and p.answered == was and not p.all_in]
        for caller in callers:
            caller.put_in(max(0, self.to_call - caller.bet))
            caller.answered = self.to_call
        return [caller.seat for caller in callers]

    def answer_again(self, seat: int) -> None:
        """A bet has come since this seat acted before its turn: it has to answer that as well."""
        player = self.players[seat]
        if self.faces_bet(seat) and not (player.folded or player.all_in):
            player.acted = False
            player.answered = player.bet

    def revive(self, seat: int) -> None:
        """The hand of this seat is live again; whatever it has not answered it has to."""
        player = self.players[seat]
        player.folded = False
        player.acted = self._has_answered(player)
        if not player.acted:
            self.turn_to(seat)

    def uncalled(self, seat: int) -> int | None:
        """How much nobody has called of a bet or raise that this seat made last on the round;
        None where that is not known."""
        if seat != self.bettor:
            return 0
        matched = [p.bet for other, p in self.players.items() if other != seat]
        if self.to_call is None or self.before[0] is None:
            return None
        return max(0, self.players[seat].bet - max(self.before[0], *matched))

    def withdraw(self, seat: int) -> None:
        """What nobody has called of this seat's bet goes back: there is less to match, and who
        had acted on that before has acted."""
        back = self.uncalled(seat)
        if back == 0:
            return
        player = self.players[seat]
        player.bet -= back or 0
        player.paid -= back or 0
        self.to_call, self.increment = self.before
        if self.to_call is not None:
            self.to_call = max(self.to_call, *(p.bet for p in self.players.values()))
        for other in self.players.values():
            if other is not player and not other.folded:
                other.acted = self._has_answered(other)

    def _has_answered(self, player: Player) -> bool:
        """Whether a player has acted on the bet that is to be matched now."""
        return player.answered is not None and player.answered == self.to_call

    def act(self, seat: int, button: str, amount: int | None) -> int | None:
        """Takes a check, call, bet, raise or all-in, and returns what the seat now has in on
        this round, if that is known."""
        self.away.discard(seat)
        player = self.players[seat]
        in_turn = self.next_to_act() == seat
        total = self._total(player, button, amount)
        self._compare(player, button, total)
        raised = self._raises(player, button, total)
        unsure = button == "all-in" and total is None and self.to_call != 0
        if raised:
            self.raises += 1
            self.bettor, self.before = seat, (self.to_call, self.increment)
            self._matching = []
        if total is None:
            if not player.vague and (raised or button == "call"):
                self._matching.append(seat)
            player.vague = True
            if raised:
                self.to_call = self.increment = None
        else:
            player.put_in(max(0, total - player.bet))
            if button == "call" and self.to_call is None:
                self._settle_bet(total)
            if raised:
                self._raised_to(total)
            elif self.to_call is not None and total > self.to_call:
                self.to_call, self.increment = total, None
                self.lose_track()
        if button == "all-in":
            player.all_in = True
        if raised:
            for other in self.players.values():
                other.unsure = unsure and (other.acted or other.unsure)
                other.acted = False
        player.acted = player.has_acted = True
        player.unsure = False
        player.answered = self.to_call
        if in_turn:
            self.actions.append(button != "check")
        self._moved_on(seat, in_turn or raised)
        return total

    def would_complete(
        self, name: RoundName, actions: Iterable[tuple[int, str, int | None]]
    ) -> bool:
        """Whether these would be all actions of the next round: seat, button and amount of each."""
        trial = self.copy()
        trial.open_round(name)
        for seat, button, amount in actions:
            if seat == trial.next_to_act():
                if button == "fold":
                    trial.fold(seat)
                else:
                    trial.act(seat, button, amount)
        return trial.acted_on and not trial.must_act()

    def _total(self, player: Player, button: str, amount: int | None) -> int | None:
        if amount is not None:
            return amount
        if button == "check":
            return player.bet
        if button == "all-in" and player.behind is not None and not player.vague:
            return player.bet + player.behind
        if button == "call" and self.to_call is not None:
            if player.behind is None:
                return self.to_call
            return min(self.to_call, player.bet + player.behind)
        return None

    def _compare(self, player: Player, button: str, total: int | None) -> None:
        """What was told can't be so if the player had this stack, or owed this bet."""
        if button == "check" and self.to_call is not None and self.to_call > player.bet:
            self.lose_track()
        if total is None or player.behind is None:
            return
        put_in = total - player.bet
        if put_in > player.behind or (button == "all-in" and put_in != player.behind):
            player.stack = None

    def _settle_bet(self, total: int) -> None:
        """A call tells what the bet was: those who have made it and called it have put in so much.
        Who could not was all-in, and has said so."""
        self.to_call = total
        for seat in self._matching:
            player = self.players[seat]
            player.vague = False
            player.put_in(max(0, total - player.bet))
        self._matching = []

    def _raised_to(self, total: int) -> None:
        if self.to_call is None or self.increment is None:
            self.increment = None
        else:
            self.increment = max(self.increment, total - self.to_call)
        self.to_call = total

    def _raises(self, player: Player, button: str, total: int | None) -> bool:
        if button == "call":
            return False
        if total is not None and self.to_call is not None:
            return total > self.to_call
        if button == "all-in":
            return any(p is not player for p in self.can_bet)
        return button in ("bet", "raise")

    def _can_be_called(self, player: Player) -> bool:
        """Whether somebody else could put in more than there is to call."""
        most, away = self.to_call, self.away
        for p in self.players.values():
            if p.folded or p.all_in or p is player or p.seat in away:
                continue
            if most is None or p.stack is None or p.bet + p.stack - p.paid > most:
                return True
        return False

    def _moved_on(self, seat: int, turn_passes: bool) -> None:
        self.acted_on = True
        self._pass_turn(seat, turn_passes)

    def _pass_turn(self, seat: int, turn_passes: bool) -> None:
        if turn_passes:
            place = self.turn.index(seat)
            self.turn = self.turn[place + 1 :] + self.turn[: place + 1]
