"""What is known of cards and readers at a table: the numbers of the simulated field.

Each has its source; those marked *assumed* have none, and are set so that the effect
comes up often enough to be judged in a million reads.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct


class Span(NamedTuple):
    """From the shortest to the longest, in seconds."""

    least: float
    most: float


class Facts(Struct, frozen=True):
    """Chances are per read unless said otherwise, times in seconds."""

    antenna_s: float = 0.027
    """An antenna's turn: 12 antennas in 0.3 s (ISO 15693 at 26 kbit/s, 5 tags and 16 slots)."""

    miss: float = 0.02
    """A resting card is not read. Assumed."""

    alternating: float = 0.1
    """Stays in which a card answers every second poll only: a selected card ignores REQA
    (NXP thread 481864, Adafruit-PN532 #52, esphome #9875)."""

    gap_every_s: float = 60.0
    """Between gaps in the reads of one resting card, on average. Assumed."""
    gap: Span = Span(0.27, 0.28)
    """Their length (ESPuino PR #444)."""

    stall_every_s: float = 60.0
    """Between stalls of a reader, on average. Assumed."""
    stall: Span = Span(0.7, 0.8)
    """Their length (PN5180, ESPuino PR #428)."""
    stale: float = 0.3
    """The first answer after a stall is the one from before it, a stale IRQ. Rate assumed."""

    dead: float = 0.007
    """Hole cards that are never read where they lie: in 1.4 % of the hole-card pairs
    of 1,496 hands at real RFID tables one or both were not."""

    at_edge: float = 0.04
    """Stays near the border to a neighbouring antenna. Assumed."""
    edge_miss: float = 0.2
    """There, the own antenna misses more often. Assumed."""
    cross_talk: float = 0.3
    """And the neighbour reads it too: six of those hands show one card at two neighbouring
    seats. Rate assumed."""

    stack_iffy: int = 3
    """From this card of a stack on a read is chancy ("2 cards in a stack, 3 is iffy",
    pokerchipforum 88715)."""
    stack_miss: float = 0.3
    """How chancy. Assumed."""

    slots: int = 16
    """Of an inventory round (ISO 15693). Two answers in one slot collide."""
    unresolved: float = 0.05
    """Collisions that stay: the set is incomplete and says so. Assumed."""
    union: float = 0.002
    """Collisions that are read as the bitwise OR of the two UIDs (ST community). Rate assumed."""
    mangled: float = 1e-5
    """Scans with a UID of one byte repeated (NXP thread 784892). Rate assumed."""

    echo: float = 0.02
    """Cards that are read once more after they left (Tiger-Scale PR #40). Rate assumed."""
    echo_within_s: float = 0.3
    """How long after. Assumed."""

    hand_miss: float = 0.35
    """Under a player's hand (HF takes it far better than UHF). Assumed."""

    frame_lost: float = 1e-4
    """Reports that never reach the host. Assumed."""
