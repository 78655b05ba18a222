"""Cards that were dealt to the wrong place: `out-of-sequence`, `empty-seat-dealt`.

RR7-MISDEAL-1f, RR7-MISDEAL-1i, UK-33A3, NL10-MIS-02: a misdeal while one can be called. UK-33A1
to -A6 do not list a card out of sequence, so the floor decides there. Absent and penalised seats
are entitled to cards (UK-28, UK-65C, TDA09-40c, NL10-LATE-03).

A card that came ahead of its turn is read as such. A seat that was skipped in a deal that then
stopped may have a card that was not read, so it is asked about; a gap of one pitch in the dealer's
rhythm says that a card was not read, and then there is no finding.
"""

from __future__ import annotations

from controller.rules.deal_rule import DealRule

EMPTY_DEALT = "empty-seat-dealt"
OUT_OF_SEQUENCE = "out-of-sequence"


class DealSequence(DealRule):
    """An irregularity in where the cards went."""


SEQUENCE = (
    DealSequence(OUT_OF_SEQUENCE, question="ask-order"),
    DealSequence(EMPTY_DEALT, question="ask-empty-dealt"),
)
