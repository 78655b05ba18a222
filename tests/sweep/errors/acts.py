"""Errors of the players' acts, and of what becomes of their hands."""

from __future__ import annotations

from random import Random

import msgspec

from tests.sweep.errors.error import (
    At,
    Error,
    by_book,
    closing,
    gone,
    line,
    seen,
)
from tests.sweep.hands import Hand
from tests.sweep.judging import Want


def _ends_hand(at: At, fold: int) -> bool:
    folded = sum(at.beats[i].button == "fold" for i in at.acts if i <= fold)
    return folded >= at.n - 1


def out_of_turn(rng: Random, hand: Hand) -> Error | None:
    """The player behind the one whose turn it is acts first; then that one acts, and so on."""
    at = At(hand)
    pairs = [
        (i, j)
        for i, j in zip(at.acts, at.acts[1:], strict=False)
        if at.beats[i].street == at.beats[j].street and at.beats[i].seat != at.beats[j].seat
    ]
    if not pairs:
        return None
    i, j = rng.choice(pairs)
    a, b = at.beats[i], at.beats[j]
    if (i and at.beats[i - 1].seat == b.seat) or (b.button == "fold" and _ends_hand(at, j)):
        return None
    beats = list(at.beats)
    mode = rng.choice(["stop", "answered"])
    # closer together than the press window they would have no certain order
    beats[i], beats[j] = b, msgspec.structs.replace(a, wait=rng.uniform(3.2, 8.0))
    if mode == "stop":
        beats = beats[: i + 1]
        want = Want("out-of-turn")
    else:
        beats = beats[: j + 1]
        changed = a.button in ("bet", "raise", "all-in")
        ok = "binding" if not changed else "*"
        want = Want(
            "out-of-turn",
            by_book(
                "*" if changed or a.button == "call" else "binding|floor",
                "*" if changed or a.button == "call" else ok,
                "*",
                "*" if changed else ok,
            ),
        )
    return Error(
        f"out_of_turn-{mode}-{b.button}-then-{a.button if mode != 'stop' else ''}",
        hand,
        tuple(beats),
        want,
        needs=("buttons", "presses"),
    )


def skipped(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    runs = []
    for k, i in enumerate(at.acts):
        after = [j for j in at.acts[k + 1 :] if at.beats[j].street == at.beats[i].street]
        seats = {at.beats[j].seat for j in [i, *after[:3]]}
        if len(seats) == 4 and all(at.beats[j].button != "all-in" for j in after[:3]):
            runs.append((i, after))
    if not runs:
        return None
    i, after = rng.choice(runs)
    beats = [b for n, b in enumerate(at.beats[: after[2] + 1]) if n != i]
    return Error(
        "skipped",
        hand,
        tuple(beats),
        Want(
            "skipped-player",
            by_book("floor", "floor|stands|*", "floor", "floor"),
            beside=("out-of-turn",),
        ),
        needs=("buttons", "presses"),
    )


def fouled(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    spot = rng.choice([at.dealt, *at.acts[:3]])
    folded = {b.seat for b in at.beats[:spot] if b.what == "act" and b.button == "fold"}
    live = [s for s in hand.seats if s not in folded]
    if len(live) < 2:
        return None
    a, b = rng.sample(live, 2)
    card = next(x.tag for x in at.beats if x.what == "pitch" and x.seat == a)
    out = [gone(card, 1.0), seen(f"seat/{b}", card, 0.1)]
    beats = [*at.beats[:spot], *out]
    return Error(
        "fouled",
        hand,
        tuple(beats),
        Want(
            "fouled-hand",
            by_book("dead-hand", "restore", "dead-hand", "floor"),
        ),
    )


def swept(rng: Random, hand: Hand) -> Error | None:
    """The dealer takes in the hand of a player who is not to act."""
    at = At(hand)
    spot = rng.choice(at.acts_of(""))
    before = [b for b in at.beats[:spot] if b.what == "act"]
    folded = {b.seat for b in before if b.button == "fold"}
    waiting = [s for s in hand.seats if s not in folded and s != at.beats[spot].seat]
    if len(waiting) < 2 or any(b.button == "all-in" for b in before):
        return None
    seat = rng.choice(waiting)
    cards = [b.tag for b in at.beats if b.what == "pitch" and b.seat == seat]
    out = [beat for c in cards for beat in (gone(c, 3.0), seen("muck", c, 0.1))]
    return Error(
        "swept",
        hand,
        (*at.beats[:spot], *out),
        Want(
            "out-of-turn",
            by_book("*", "floor", "*", "dead-hand"),
            cites={"uk-tda": ("UK-59",), "tda-2009": ("TDA09-39",)},
        ),
        needs=("mucks", "buttons"),
    )


def retrieved(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    folds = [i for i in at.acts if at.beats[i].button == "fold"]
    live = len(hand.seats) - len(folds)
    if live < 2 and folds:
        folds = folds[:-1]
    if not folds:
        return None
    i = rng.choice(folds)
    seat = at.beats[i].seat
    cards = [b.tag for b in at.beats if b.what == "pitch" and b.seat == seat]
    cards = cards[: rng.choice([1, 2])]
    to = seat if rng.random() < 0.8 else rng.choice(hand.seats)
    out = []
    for c in cards:
        out += [gone(c, 1.2), seen(f"seat/{to}", c, 0.05)]
    beats = [*at.beats[: i + 1], *out]
    mode = "stop"
    if rng.random() < 0.4:
        beats, mode = [*beats, *at.beats[i + 1 :]], "on"
    return Error(
        f"retrieved{len(cards)}-{mode}" + ("" if to == seat else "-other"),
        hand,
        tuple(beats),
        Want("muck-retrieved", by_book("floor", "floor", "floor", "floor"), closed=closing(mode)),
        needs=("mucks",),
    )


def clock(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    i = rng.choice(at.acts)
    b = at.beats[i]
    raised = any(at.beats[j].button in ("raise", "all-in") for j in at.acts if j < i)
    may_be_option = b.street == "" and b.button == "raise" and not raised
    if b.button not in ("call", "fold", "raise") or may_be_option:
        return None
    by = rng.choice(["dealer", "floor"])
    call = line(by, 5.0, input="clock", seat=b.seat)
    ticks = [line("tick", 5.0) for _ in range(14)]
    late = rng.random() < 0.6
    beats = [*at.beats[:i], call, *(ticks if late else ticks[:4])]
    if not late:
        beats += at.beats[i:]
    return Error(
        f"clock_{by}-{'late' if late else 'ontime'}",
        hand,
        tuple(beats),
        Want(
            "clock-expired" if late else "",
            by_book("dead-hand", "dead-hand", "dead-hand", "dead-hand"),
        ),
        needs=("buttons", "presses"),
    )
