"""The dealer's routine between two hands: the deck, the button's draw, the next dealer.

RR7-SEAT-6, RR7-T-7, RR7-TIES-2 (the button is drawn for), TDA24-RP20B (the deck is washed),
TDA24-RP15A (the dealer briefs the next one); UK-24, TDA09-17, NL10-HR-15, TDA24-26 (decks change
with dealer and level), RR7-T-29 (only with the dealer), RR7-PROC-22 (a deck plays a full round).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

CHANGE_DECK = "change-deck"


class BetweenHands(Struct, frozen=True, omit_defaults=True):
    """What is `due` once no hand runs, by the ids of its texts. So many `hands` have been seen with
    the deck in play, and `has_new_dealer` since it came."""

    due: tuple[str, ...] = ()
    hands: int = 0
    has_new_dealer: bool = False

    def opened(self) -> BetweenHands:
        """The table has opened, and no hand has been played."""
        return self._with("wash", "draw-button")

    def dealer_changed(self) -> BetweenHands:
        """Another dealer has sat down."""
        return replace(self._with("brief-next", CHANGE_DECK), has_new_dealer=True)

    def level_changed(self) -> BetweenHands:
        """A level was announced."""
        return self._with(CHANGE_DECK)

    def deck_changed(self, players: int) -> BetweenHands:
        """Another deck is in play, and so many play. That a table tells its decks as it starts is
        no change: none has been played with."""
        due = [text_id for text_id in self.due if text_id != CHANGE_DECK]
        if self.hands and not self.has_new_dealer:
            due.append("deck-with-dealer")
        if 0 < self.hands < players:
            due.append("deck-young")
        return BetweenHands(tuple(due))

    def hand_over(self) -> BetweenHands:
        """A hand was played."""
        return replace(self, hands=self.hands + 1)

    def _with(self, *text_ids: str) -> BetweenHands:
        return replace(self, due=tuple(dict.fromkeys((*self.due, *text_ids))))
