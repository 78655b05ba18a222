"""The deal: which card is whose."""

from __future__ import annotations

from math import inf

from controller.rules.faced import Faces
from controller.rules.hand import Discarded, HoleCard
from controller.rules.muck_retrieved import Muck
from controller.rules.procedure import HOLE_CARDS
from controller.rules.replacing import Replacing
from controller.rules.watcher import Lookout, Watcher
from controller.rules.whole_deal import WholeDeal
from controller.rules.wrong_card import Strangers, WrongCards


class Dealing:
    """Watches the deal of one hand."""

    def __init__(self, lookout: Lookout, muck: Muck) -> None:
        """`muck` knows which cards were in it."""
        self.replacing = Replacing(lookout)
        self.strangers = Strangers(lookout)
        self.faces = Faces(lookout, self.replacing)
        self._wrong_cards = WrongCards(
            lookout, replacing=self.replacing, strangers=self.strangers, faces=self.faces
        )
        self.muck = muck
        self.deal = WholeDeal(lookout, self.replacing)
        self.watchers: tuple[Watcher, ...] = (self.replacing, self.strangers, self.deal)
        self._now = lookout.now
        self._hand = lookout.now.hand
        self._judge = lookout.judge
        self._lying = lookout.lying
        self._table = lookout.table

    def at_seat(self, tag: str, seat: int) -> None:
        """A hole card belongs to the seat where it is first seen during the deal. After it, a
        card that was not read may still come up where one is missing."""
        hand = self._hand
        role = hand.roles.get(tag)
        if role is not None:
            self._ends_if_it_seems_over()
            self._seen_again(tag, seat)
            return
        player = hand.betting.players.get(seat)
        if player is None:
            if not hand.played and self._judge.watching:
                self.deal.stray(tag, seat)
            hand.astray.setdefault(tag, self._now.t)
            return
        dealt = len(hand.dealt)
        if self.replacing.takes(tag, seat):
            self.deal.in_line &= len(hand.dealt) == dealt
            self._wrong_cards.look_at(tag)
            self.replacing.got_another(seat)
            return
        if hand.dealt_out:
            enough = hand.played and len(hand.tags_of(seat)) >= HOLE_CARDS
            if player.folded or enough:
                hand.astray.setdefault(tag, self._now.t)
                return
        hand.roles[tag] = HoleCard(seat)
        hand.dealt.append((self._now.t, seat, tag))
        self._wrong_cards.look_at(tag)
        self.deal.watch(seat)

    def left_seat(self, tag: str, role: HoleCard, now: int | None) -> None:
        """A hole card has left its seat, and lies at the seat `now` if at any. During the deal it
        belongs where it comes to rest: a neighbour's antenna may have read it first."""
        hand = self._hand
        self.deal.also.pop(tag, None)
        if now is not None and now != role.seat:
            if now in hand.betting.players and self._comes_to_rest(role.seat, now):
                hand.roles[tag] = HoleCard(now)
                hand.dealt = [(t, now if of == tag else at, of) for t, at, of in hand.dealt]
                self.deal.in_line = False
            return
        if self.replacing.begins(tag):
            return
        if hand.played:
            return
        came = next((t for t, _, of in hand.dealt if of == tag), -inf)
        is_brush = self._now.t - self._table.timing.flicker - came < self._table.timing.flicker
        if self.deal.is_surplus(tag) or (is_brush and self.deal.is_out_of_line(tag)):
            self._forget(tag)  # it only brushed by

    def _seen_again(self, tag: str, seat: int) -> None:
        role = self._hand.roles[tag]
        if self.muck.has_had(tag) and isinstance(role, HoleCard | Discarded):
            self.muck.came_back(tag, seat)
            return
        if role == HoleCard(seat):
            self.replacing.back(tag)
        elsewhere = isinstance(role, HoleCard) and role.seat != seat
        if elsewhere and seat in self._hand.betting.players and not self._hand.played:
            self.deal.also[tag] = seat

    def lies_elsewhere(self, tag: str) -> None:
        """A card came to the board, the burns or the muck. If no card was due to the seat that
        read it before, that one has read it on its way."""
        self._ends_if_it_seems_over()
        if isinstance(self._hand.roles.get(tag), HoleCard) and self.deal.is_surplus(tag):
            self._forget(tag)

    def _ends_if_it_seems_over(self) -> None:
        """A card comes that is no pitch."""
        if self._hand.believed and not self._hand.dealt_out and self.deal.seems_over:
            self.deal.end(None)

    def _comes_to_rest(self, seat: int, now: int) -> bool:
        """Whether a card still slides to where it belongs. Once a seat has its cards, one more
        comes from another's hand."""
        hand = self._hand
        at = [of for _, of, _ in hand.dealt]
        if not hand.dealt_out:
            return True
        return at.count(now) < HOLE_CARDS and (not hand.played or at.count(seat) > HOLE_CARDS)

    def _forget(self, tag: str) -> None:
        hand = self._hand
        hand.roles.pop(tag, None)
        hand.dealt = [pitch for pitch in hand.dealt if pitch[2] != tag]

    def is_astray(self, tag: str) -> bool:
        """Whether a card that is nobody's has lain at a seat in this hand: it is not turned up,
        unless what was found of it puts it into play."""
        known = tag in self._hand.roles or tag in self._hand.strays
        return not known and self._has_lain(tag, self._now.t)

    def _has_lain(self, tag: str, end: float) -> bool:
        """Whether it lay there at least for a flicker until then."""
        since = self._hand.astray.get(tag)
        return since is not None and end - since >= self._table.timing.flicker

    # --- what is asked of it while cards come and go ---

    def mucked(self, tag: str) -> None:
        """A card lies in the muck."""
        self.muck.received(tag)
        self.deal.took_in(tag)

    def left(self, tag: str) -> None:
        """A card has left a seat."""
        end = self._now.t - self._table.timing.flicker
        if self._lying.seat(tag) is None and not self._has_lain(tag, end):
            self._hand.astray.pop(tag, None)
        self.muck.left_seat(tag)
        self.replacing.left_seat(tag)
        self.deal.took_in(tag)

    def look_at(self, tag: str) -> None:
        """A card has come into play."""
        self._wrong_cards.look_at(tag)

    def in_stub(self) -> None:
        """A tag lies in the stub."""
        self.strangers.in_stub()

    def becomes_burn(self, tag: str) -> bool:
        """Whether a card that comes to the burns is one that is put right there."""
        return self.replacing.becomes_burn(tag)

    def end(self, actor: int | None) -> None:
        """Something happened that ends the deal; `actor` is the seat that acted, if one did."""
        self.deal.end(actor)
