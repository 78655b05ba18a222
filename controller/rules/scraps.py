"""Scrap on the board or among the burns: a joker, or a card that lay face up in the deck.

It does not play, and the next card takes its place (RR7-IRR-7, RR7-IRR-8, NL10-MIS-08).
"""

from __future__ import annotations

from controller.rules.dealing import Dealing
from controller.rules.hand import BoardCard, BurnCard, OpenFinding, Scrap
from controller.rules.irregularity import SCRAP_CODES
from controller.rules.procedure import Street, Turn
from controller.rules.watcher import Lookout, Watcher
from controller.rules.wrong_card import CODE as FOREIGN


class Scraps(Watcher):
    """Watches what becomes of scrap."""

    codes = SCRAP_CODES

    def __init__(self, lookout: Lookout, dealing: Dealing) -> None:
        """`dealing` knows what a card is."""
        super().__init__(lookout)
        self._dealing = dealing

    def look_at(self, tag: str) -> bool:
        """A card has come to the board or the burns; True if it is scrap."""
        self._dealing.look_at(tag)
        return self._take_out(tag)

    def entered(self) -> None:
        """The dealer has entered a boxed card. Where there was action on it, it stands."""
        for finding in self._findings():
            for tag in finding.tags:
                role = self._hand.roles.get(tag)
                if isinstance(role, BoardCard | BurnCard) and self._is_fresh(role):
                    self._take_out(tag)
                    if isinstance(role, BoardCard) and Turn(role.street) not in self._hand.script:
                        self._hand.script.insert(0, Turn(role.street))

    def let_be(self, finding: OpenFinding, outcome: str) -> None:
        """What did not play does."""
        if outcome == "stands":
            self._hand.play_scraps(finding.tags)

    def is_played_on(self, street: Street) -> bool:
        """Whether a card of this street does not play, still lies there and is not replaced."""
        return self._hand.awaits_replacement(street) and any(
            role == Scrap(street, "board") and self._lying.is_present(tag, "board")
            for tag, role in self._hand.roles.items()
        )

    def left_pile(self, tag: str) -> None:
        """Scrap has left its pile: it is laid aside."""
        for finding in self._findings():
            if tag in finding.tags:
                finding.under_way = True
        self.settle()

    def settle(self) -> None:
        """Closes what has been put right: the scrap is gone and another card is there. What is
        scrap only by a later ruling is taken out before."""
        hand = self._hand
        if any(finding.code == FOREIGN for finding in self._findings()):
            self.entered()
        for finding in self._findings():
            scraps = self._scraps(finding)
            lying = any(
                self._lying.is_present(tag, pile)
                for tag in finding.tags
                for pile in {role.pile for role in scraps}
            )
            replaced = all(
                hand.is_complete(role.street) if role.pile == "board" else hand.burns[role.street]
                for role in scraps
            )
            if scraps and replaced and not lying:
                self._judge.put_right(finding, self._now.t)

    def _take_out(self, tag: str) -> bool:
        if not any(tag in finding.tags for finding in self._findings()):
            return False
        self._hand.scrap(tag)
        return True

    def _is_fresh(self, role: BoardCard | BurnCard) -> bool:
        """Whether the hand has not gone on since the card came."""
        hand = self._hand
        if isinstance(role, BurnCard):
            return not hand.board[role.street]
        gone_on = role.street in hand.acted_streets or hand.burned_since(role.street)
        return hand.last_street() == role.street and not gone_on

    def _scraps(self, finding: OpenFinding) -> list[Scrap]:
        roles = (self._hand.roles.get(tag) for tag in finding.tags)
        return [role for role in roles if isinstance(role, Scrap)]

    def _findings(self) -> list[OpenFinding]:
        return list(filter(_is_of_scrap, self._hand.findings))


def _is_of_scrap(finding: OpenFinding) -> bool:
    """Also a card of another deck, where the book has it replaced (TDA24-35D2)."""
    is_replaced = finding.ruling.outcome == "replace-card"
    return finding.code in SCRAP_CODES or (finding.code == FOREIGN and is_replaced)
