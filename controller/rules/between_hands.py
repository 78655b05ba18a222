"""The dealer's routine between two hands: the deck, the button's draw, the next dealer.

RR7-SEAT-6, RR7-T-7, RR7-TIES-2 (the button is drawn for), TDA24-RP20B (the deck is washed),
TDA24-RP15A (the dealer briefs the next one); UK-24, TDA09-17, NL10-HR-15, TDA24-26 (decks change
with dealer and level), RR7-T-29 (only with the dealer), RR7-PROC-22 (a deck plays a full round),
TDA24-23d (a level that begins during a push).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

CHANGE_DECK = "change-deck"


class BetweenHands(Struct, frozen=True, omit_defaults=True):
    """What is `due` once no hand runs, by the ids of its texts. So many `hands` have been seen with
    the deck in play, and `has_new_dealer` since it came. `is_push`: another dealer has sat down
    since the last hand, and `keeps_level`: so that the next one is played at the old level."""

    due: tuple[str, ...] = ()
    hands: int = 0
    has_new_dealer: bool = False
    is_push: bool = False
    keeps_level: bool = False

    def opened(self) -> BetweenHands:
        """The table has opened, and no hand has been played."""
        return self._with("wash", "draw-button")

    def dealer_changed(self, *, is_push: bool) -> BetweenHands:
        """Another dealer has sat down: between two hands, and not on a break."""
        due = self._with("brief-next", CHANGE_DECK)
        return replace(due, has_new_dealer=True, is_push=is_push)

    def level_changed(self, *, push_begins: bool) -> BetweenHands:
        """A level was announced; where a hand begins with the push it is for the one after."""
        return replace(self._with(CHANGE_DECK), keeps_level=self.is_push and push_begins)

    def push_over(self) -> BetweenHands:
        """A hand begins, or nothing is dealt for a while."""
        return replace(self, is_push=False, keeps_level=False)

    def deck_changed(self, players: int) -> BetweenHands:
        """Another deck is in play, and so many play. That a table tells its decks as it starts is
        no change: none has been played with."""
        due = [text_id for text_id in self.due if text_id != CHANGE_DECK]
        if self.hands and not self.has_new_dealer:
            due.append("deck-with-dealer")
        if 0 < self.hands < players:
            due.append("deck-young")
        return replace(self, due=tuple(due), hands=0, has_new_dealer=False)

    def hand_over(self) -> BetweenHands:
        """A hand was played."""
        return replace(self, hands=self.hands + 1)

    def _with(self, *text_ids: str) -> BetweenHands:
        return replace(self, due=tuple(dict.fromkeys((*self.due, *text_ids))))
