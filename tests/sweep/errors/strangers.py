"""Cards that do not belong, or are missing."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from tests.sweep.errors.error import (
    At,
    Error,
    acts_in,
    by_book,
    closing,
    line,
    seen,
)
from tests.sweep.hands import Hand
from tests.sweep.judging import Want


def strange(rng: Random, hand: Hand) -> Error | None:
    """A foreign card, a joker or a twin instead of one of the cards."""
    at = At(hand)
    kind = rng.choice(["foreign", "joker", "twin", "twin"])
    spots = [i for i, b in enumerate(at.beats) if b.what in ("pitch", "burn", "board")]
    i = rng.choice(spots)
    beat = at.beats[i]
    beats = list(at.beats)
    name = {"foreign": "E0FEED", "joker": "X1", "twin": "E0TWIN"}[kind]
    new = msgspec.structs.replace(beat, tag=name)
    beats[i] = new
    extra: dict[str, Any] = {}
    place = i + 1
    if kind == "twin":
        others = [b.tag for j, b in enumerate(at.beats) if j in spots and j < i] or [""]
        later = [(j, b.tag) for j, b in enumerate(at.beats) if j in spots and j > i]
        if rng.random() < 0.5 and later:
            j, of = rng.choice(later)
            place = j + 1
        else:
            if others == [""]:
                return None
            of = rng.choice(others)
        extra = {"twin": of}
    beats, mode = (beats[:place], "stop") if rng.random() < 0.5 else (beats, "on")
    if mode == "stop" and beat.what == "board" and beat.street == "flop":
        k = at.board("flop")[-1] + 1
        beats = [*list(at.beats)[:k]]
        beats[i] = new
        if place > k:
            return None
    acts = acts_in(beats)
    if kind == "joker":
        if beat.what == "pitch":
            acted = any(b.seat == beat.seat for b in acts)
            rr_out = "dead-hand" if acted else "replace-card"
        else:
            rr_out = "replace-card" if mode == "stop" else "*"
        want = Want("joker", by_book(rr_out, "floor", rr_out, "floor"), closed=closing(mode))
    else:
        code = "foreign-card" if kind == "foreign" else "duplicate-card"
        want = Want(code, by_book("void-hand", "floor", "void-hand", "floor"), closed=closing(mode))
    return Error(
        f"{kind}-{beat.what}-{mode}",
        hand,
        tuple(beats),
        want,
        needs=(("opaque",) if kind != "joker" else ())
        + (("burns",) if beat.what == "burn" else ()),
        table=extra,
    )


def foreign_in_stub(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    i = rng.randrange(1, len(at.beats) - 2)
    beats = [*at.beats[:i], seen("stub", "E0FEED", 0.2), *at.beats[i:]]
    beats, mode = (beats[: i + 1], "stop") if rng.random() < 0.5 else (beats, "on")
    return Error(
        f"foreign_stub-{mode}",
        hand,
        tuple(beats),
        Want(
            "foreign-card-in-stub",
            by_book("stands", "floor", "stands", "floor"),
            closed=closing(mode),
        ),
        needs=("stub",),
    )


def missing_card(rng: Random, hand: Hand) -> Error:
    from tests.sweep.hands import CARDS

    at = At(hand)
    short = list(CARDS)
    for _ in range(rng.choice([1, 1, 2, 5])):
        short.remove(rng.choice(short))
    check = line("deck-check", 0.2, tags=short)
    beats = [check, *at.beats] if rng.random() < 0.5 else [check, at.beats[0]]
    return Error(
        f"missing-{'on' if len(beats) > 2 else 'stop'}", hand, tuple(beats), Want("missing-card")
    )
