"""Errors of burns, board and stub."""

from __future__ import annotations

from random import Random

import msgspec

from tests.sweep.errors.error import (
    At,
    Error,
    by_book,
    closing,
    gone,
    seen,
)
from tests.sweep.hands import Beat, Hand
from tests.sweep.judging import Want


def _open_round(at: At, street: str) -> bool:
    """Somebody bets on this street."""
    return bool(at.acts_of(street))


def burn_missing(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    street = rng.choice(at.streets())
    b, last = at.burn(street), at.board(street)[-1]
    beats = [
        *at.beats[:b],
        *[
            msgspec.structs.replace(x, wait=2.0) if n == 0 else x
            for n, x in enumerate(at.beats[b + 1 :])
        ],
    ]
    acts = at.acts_of(street)
    betting = bool(acts)
    mode = rng.choice(["stop", "acted", "on"])
    if mode == "acted" and not betting:
        mode = "stop"
    if mode == "stop":
        beats = beats[:last]
    elif mode == "acted":
        beats = beats[: rng.choice(acts)]
    first = {"flop": "redeal-flop"}.get(street, "correct-burn")
    nl = {"flop": "redeal-flop"}.get(street, "reshuffle-street")
    floor = "floor"
    if mode == "stop":
        out = by_book(first, floor, nl, floor)
        if not betting:
            out = by_book(first, floor, f"{nl}|{first}", floor)
    elif betting:
        out = by_book("stands", floor, "stands", floor)
    else:
        out = by_book("*", floor, "*", floor)
    tail = "" if betting else "-allin"
    return Error(
        f"burn_missing_{street}-{mode}{tail}",
        hand,
        tuple(beats),
        Want("burn-missing", out, closed=closing(mode)),
        needs=("burns",),
    )


def burn_double(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    street = rng.choice(at.streets())
    b, last = at.burn(street), at.board(street)[-1]
    more = Beat("burn", tag=hand.stub[0], street=street, wait=0.9)
    beats = [*at.beats[: b + 1], more, *at.beats[b + 1 :]]
    acts = at.acts_of(street)
    # ignored, the second burn counts again on the next street: only the river's goes on
    mode = rng.choice(["burns", "stop", "acted", "on" if street == "river" else "stop"])
    if mode == "acted" and not acts:
        mode = "stop"
    if mode == "burns":
        beats = beats[: b + 2]
        out = by_book("correct-burn", "floor", "correct-burn", "floor")
    elif mode == "stop":
        beats = beats[: last + 2]
        rr = "redeal-flop" if street == "flop" else "correct-burn"
        out = by_book(rr, "floor", rr, "floor")
    else:
        if mode == "acted":
            beats = beats[: rng.choice(acts) + 2]
        out = by_book(
            "stands|correct-burn" if acts else "*",
            "floor",
            "stands|correct-burn" if acts else "*",
            "floor",
        )
    return Error(
        f"burn_double_{street}-{mode}" + ("" if acts else "-allin"),
        hand,
        tuple(beats),
        Want("burn-double", out, closed=closing("stop" if mode == "burns" else mode)),
        needs=("burns",),
    )


def _cut_round(rng: Random, at: At, street: str) -> int | None:
    """A place in the round before `street` where somebody still has to act; None if none."""
    before = {"flop": "", "turn": "flop", "river": "turn"}[street]
    acts = at.acts_of(before)
    if len(acts) < 2:
        return None
    return rng.choice(acts[1:])


def premature(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    street = rng.choice(at.streets())
    cut = _cut_round(rng, at, street)
    if cut is None:
        return None
    b = at.burn(street)
    last = at.board(street)[-1]
    burn_too = rng.random() < 0.8
    cards = at.beats[b + (0 if burn_too else 1) : last + 1]
    kind = rng.choice(["cards", "cards", "burn"])
    if kind == "burn":
        cards = at.beats[b : b + 1]
    cards = [msgspec.structs.replace(cards[0], wait=1.5), *cards[1:]]
    mode = rng.choice(["stop", "acted", "on"])
    beats = [*at.beats[:cut], *cards]
    if mode == "acted":
        beats += at.beats[cut : cut + 1]
    elif mode == "on":
        if kind == "cards":
            mode = "stop"
        else:
            beats += [*at.beats[cut:b], *at.beats[b + 1 :]]
    if kind == "burn":
        want = Want(
            "burn-premature",
            by_book("hold-burn", "hold-burn|floor", "hold-burn", "hold-burn|floor"),
            closed=("remedied", "expired") if mode == "on" else (),
        )
        return Error(
            f"premature_burn_{street}-{mode}", hand, tuple(beats), want, needs=("burns", "buttons")
        )
    rr = {"flop": "redeal-flop", "turn": "set-aside", "river": "reshuffle-street"}[street]
    if rng.random() < 0.3 and mode == "stop":
        # nobody still to act folds: the hand goes on with the rest
        pass
    return Error(
        f"premature_{street}-{mode}" + ("" if burn_too else "-noburn"),
        hand,
        tuple(beats),
        Want(f"premature-{street}", by_book(rr, rr, rr, "floor"), beside=("burn-premature",)),
        needs=("buttons",),
    )


def board_count(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    street = rng.choice(at.streets())
    last = at.board(street)[-1]
    count = rng.choice([1, 1, 1, 2])
    more = [
        Beat(
            "board",
            tag=hand.stub[n],
            street=street,
            wait=0.15 if street == "flop" else rng.choice([0.15, 0.5, 0.9]),
        )
        for n in range(count)
    ]
    beats = [*at.beats[: last + 1], *more, *at.beats[last + 1 :]]
    acts = at.acts_of(street)
    mode = rng.choice(["stop", "stop", "acted", "on"])
    if mode == "acted" and not acts:
        mode = "stop"
    if mode == "stop":
        beats = beats[: last + 1 + count]
    elif mode == "acted":
        beats = beats[: rng.choice(acts) + 1 + count]
    if street == "flop":
        code = "four-card-flop"
        pick = "floor-pick" if count == 1 else "floor|floor-pick"
        rr = "redeal-flop" if mode == "stop" else "floor|redeal-flop"
        out = by_book(rr, pick, rr, pick)
    else:
        code = f"too-many-{street}"
        out = by_book("floor", "floor", "reshuffle-street" if mode == "stop" else "*", "floor")
    return Error(
        f"board{count}_{street}-{mode}" + ("" if acts else "-allin"),
        hand,
        tuple(beats),
        Want(code, out, closed=closing(mode)),
    )


def short_flop(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    flop = at.board("flop")
    drop = rng.choice([1, 2])
    acts = at.acts_of("flop")
    mode = rng.choice(["stop", "acted"])
    if mode == "acted" and not acts:
        mode = "stop"
    cut = set(flop[3 - drop :])
    end = flop[-1] if mode == "stop" else acts[0]
    beats = [b for i, b in enumerate(at.beats[: end + 1]) if i not in cut]
    out = (
        by_book("next-card|floor", "next-card|floor", "next-card|floor", "next-card|floor")
        if mode == "stop"
        else by_book("floor", "floor", "floor", "floor")
    )
    return Error(f"short_flop{3 - drop}-{mode}", hand, tuple(beats), Want("short-flop", out))


def disturbed(rng: Random, hand: Hand) -> Error | None:
    """A board or burn card leaves and comes back or not, while there is still something to come:
    after that cards are collected."""
    at = At(hand)
    over = max(i for i, b in enumerate(at.beats) if b.what in ("act", "board"))
    places = [i for i, b in enumerate(at.beats) if b.what in ("board", "burn")]
    places = [i for i in places if at.board(at.beats[i].street)[-1] < over]
    if not places:
        return None
    which = rng.choice(places)
    card = at.beats[which]
    street = card.street
    end = at.board(street)[-1] + 1
    spots = [i for i in range(end, over + 1) if at.beats[i].what in ("act", "burn")] or [end]
    spot = rng.choice(spots)
    out = [gone(card.tag, 1.3)]
    back = rng.random() < 0.5
    if back:
        out += [seen(card.what, card.tag, rng.choice([1.5, 4.0]))]
    beats = [*at.beats[:spot], *out, *at.beats[spot:]]
    mode = "on"
    if rng.random() < 0.5:
        beats, mode = beats[: spot + len(out)], "stop"
    code = f"{card.what}-disturbed"
    closed = ("remedied",) if back else closing(mode)
    beside: tuple[str, ...] = ()
    return Error(
        f"{code}-{'back' if back else 'away'}-{mode}",
        hand,
        tuple(beats),
        Want(code, by_book("restore", "restore|floor", "restore", "restore|floor"), beside, closed),
        needs=("burns",),
    )


def stub_fouled(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    spot = rng.choice([at.dealt, *at.acts])
    zone = rng.choice(["muck", "muck", "stub-spill"])
    zones = ["muck"] * 3 if zone == "muck" else [f"seat/{hand.seats[0]}", "board", "muck"]
    zones = ["muck"] * rng.randint(3, 8)
    cards = [seen(z, c, 0.08) for z, c in zip(zones, hand.stub, strict=False)]
    beats = [
        *at.beats[:spot],
        msgspec.structs.replace(cards[0], wait=1.0),
        *cards[1:],
        *at.beats[spot:],
    ]
    mode = "on"
    if rng.random() < 0.5:
        beats, mode = beats[: spot + len(cards)], "stop"
    return Error(
        f"stub_fouled-{mode}",
        hand,
        tuple(beats),
        Want(
            "stub-fouled",
            by_book("*", "*", "*", "floor"),
            closed=closing(mode) if mode == "stop" else ("expired", "remedied"),
        ),
    )
