"""The dealer's routine between two hands: the deck, the button's draw, the next dealer.

RR7-SEAT-6, RR7-T-7, RR7-TIES-2 (the button is drawn for), TDA24-RP20B (the deck is washed),
TDA24-RP15A (the dealer briefs the next one); UK-24, TDA09-17, NL10-HR-15, TDA24-26 (decks change
with dealer and level), RR7-T-29 (only with the dealer), RR7-PROC-22 (a deck plays a full round).
"""

from __future__ import annotations

from controller.rules.watcher import Step


class BetweenHands:
    """Gathers what is due until a hand is over; it is told to `take` it then."""

    def __init__(self) -> None:
        """Nothing is due."""
        self._due: list[str] = []
        self._hands: int | None = None
        self._has_new_dealer = False

    def opened(self) -> None:
        """The table has opened, and no hand has been played."""
        self._due += ["wash", "draw-button"]

    def dealer_changed(self) -> None:
        """Another dealer has sat down."""
        self._has_new_dealer = True
        self._due += ["brief-next", "change-deck"]

    def level_changed(self) -> None:
        """A level was announced."""
        self._due.append("change-deck")

    def deck_changed(self, players: int) -> None:
        """Another deck is in play, and so many play."""
        self._due = [text_id for text_id in self._due if text_id != "change-deck"]
        if not self._has_new_dealer:
            self._due.append("deck-with-dealer")
        if self._hands is not None and 0 < self._hands < players:
            self._due.append("deck-young")
        self._hands, self._has_new_dealer = 0, False

    def hand_over(self) -> None:
        """A hand was played."""
        if self._hands is not None:
            self._hands += 1

    def take(self) -> list[Step]:
        """What is due, each once."""
        due, self._due = list(dict.fromkeys(self._due)), []
        return [(text_id, {}) for text_id in due]
