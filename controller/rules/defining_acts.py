"""What makes a remedy what its rule wants, where no antenna sees it: the act that defines it.

RR7-HE-7, RR7-HE-8, UK-RP5, NL10-MIS-06, -07: what went back is shuffled into the stub. UK-35,
TDA09-28: the cards are scrambled and the floor picks one. Where a book leaves it to the floor
(UK-01, TDA09-01, RR7-DEC-3), the floor was there. RR7-IRR-17, UK-RP4: a stub that fell apart is
put in its old order, or scrambled. Antennas follow the cards only: these acts are shown by what
somebody enters, `reshuffled`, a riffle, the floor's pick, the call for the floor, or the step
ticked. A remedy of which none has been entered is not certified, however its cards have moved:
the dealer is asked, or the step stays open.
"""

from __future__ import annotations

from controller.contract.events import REMEDY_QUESTIONS
from controller.rules.hand import OpenFinding

SHUFFLE = "shuffle"
PICK = "pick-burn"
FLOOR = "call-floor"
SCRAMBLE = "scramble"
REBUILD = frozenset({"rebuild-stub", "scramble-stub", "scramble-all", "scramble-mixed"})
"""The steps of which one makes a stub good again."""

QUESTIONS = {SHUFFLE: "ask-shuffled", PICK: "ask-picked"}
"""What is asked once it is too late for an act; the others may still be done."""

AFTER_NO = ("stop", FLOOR)
"""What is to be done once it is known that an act was left out."""

ENTERED = frozenset({SHUFFLE, PICK, FLOOR, *REBUILD})
"""The steps that are known to be done by an entry."""


def missing(finding: OpenFinding) -> str | None:
    """The act of a remedy that nothing has shown yet, though all its cards have moved."""
    wanted = [act for act in (PICK, SHUFFLE) if act in finding.moves]
    if finding.ruling.outcome == "floor":
        wanted.append(FLOOR)
    return next((act for act in wanted if act not in finding.shown), None)


def is_asked(finding: OpenFinding) -> bool:
    """Whether the dealer is asked if an act was done."""
    return finding.ruling.steps[0].id in REMEDY_QUESTIONS
