"""Errors of the deal."""

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
    misdeal_unless_cut,
    moment,
    stop_or_on,
)
from tests.sweep.hands import Beat, Hand
from tests.sweep.judging import Want


def first_card_wrong_seat(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    beats = at.beats
    shift = rng.choice([1, 1, 1, at.n - 1, rng.randrange(1, at.n)])
    ring = list(hand.seats[shift:] + hand.seats[:shift]) * 2
    cards = [beats[i].tag for i in at.pitches]
    for i, seat, card in zip(at.pitches, ring, cards, strict=True):
        beats[i] = Beat("pitch", seat=seat, tag=card, street="sharp")
    if rng.random() < 0.3:
        # heads-up three cards from the button on are a deal of which the first was not read
        beats = beats[: at.pitches[0] + rng.randint(2, 3 if at.n > 2 else 2)]
        mode = "two"
    else:
        beats, mode = stop_or_on(rng, beats, at.dealt)
    return Error(
        f"first_card_wrong_seat-{mode}-{shift if shift < 3 else 'n'}",
        hand,
        tuple(beats),
        Want("first-card-wrong-seat", misdeal_unless_cut(acts_in(beats)), closed=closing(mode)),
    )


def two_swapped(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    beats = at.beats
    if at.n == 2:
        return None
    k = rng.randrange(1, len(at.pitches) - 1)
    i, j = at.pitches[k], at.pitches[k + 1]
    a, b = beats[i], beats[j]
    beats[i] = Beat("pitch", seat=b.seat, tag=a.tag, wait=0.6, street="sharp")
    beats[j] = Beat("pitch", seat=a.seat, tag=b.tag, wait=0.6, street="sharp")
    if k + 2 < len(at.pitches):
        m = at.pitches[k + 2]
        beats[m] = msgspec.structs.replace(beats[m], wait=0.6, street="sharp")
    same = a.seat == b.seat
    if rng.random() < 0.25:
        beats, mode = beats[: j + 1], "mid"
    else:
        beats, mode = stop_or_on(rng, beats, at.dealt)
    # the last of round one and the first of round two swapped: button's card comes late
    return Error(
        f"two_swapped-{mode}" + ("-turnover" if k == at.n - 1 else ""),
        hand,
        tuple(beats),
        Want(
            "out-of-sequence", misdeal_unless_cut(acts_in(beats), uk="floor"), closed=closing(mode)
        ),
        table={"same": same},
    )


def empty_seat(rng: Random, hand: Hand) -> Error | None:
    at = At(hand)
    free = [s for s in range(1, 11) if s not in hand.seats]
    if not free:
        return None
    seat = rng.choice(free)
    ring = sorted([*hand.seats, seat])
    after = ring.index(seat) - 1
    left = ring[after]
    beats: list[Beat] = []
    spare = list(hand.stub)
    rounds = rng.choice([(0,), (1,), (0, 1)])
    taken = 0
    place = 0
    for _i, b in enumerate(at.beats):
        beats.append(b)
        if b.what == "pitch" and b.seat == left:
            # not the first card: the first one after the button would be a wrong first card
            if taken in rounds and not (left == hand.button and taken == 1):
                beats.append(Beat("pitch", seat=seat, tag=spare.pop(0), street="sharp"))
                place = len(beats)
            taken += 1
    if not place:
        return None
    end = max(i for i, b in enumerate(beats) if b.what == "pitch") + 1
    if rng.random() < 0.3:
        beats, mode = beats[:place], "mid"
    else:
        beats, mode = stop_or_on(rng, beats, end)
    return Error(
        f"empty_seat-{mode}-{len(rounds)}",
        hand,
        tuple(beats),
        Want("empty-seat-dealt", misdeal_unless_cut(acts_in(beats)), closed=closing(mode)),
    )


def passed_over(rng: Random, hand: Hand, rounds: tuple[int, ...]) -> tuple[list[Beat], int]:
    """The hand with one seat passed over; not the first in round one. Its only action must be a
    fold before the flop, which is left out with both cards."""
    at = At(hand)
    able = [
        s
        for s in hand.seats[1 if 0 in rounds else 0 :]
        if [at.beats[i].button for i in at.acts if at.beats[i].seat == s] == ["fold"]
        or len(rounds) == 1
    ]
    if not able:
        return [], 0
    seat = rng.choice(able)
    beats, count = [], 0
    for beat in at.beats:
        b = beat
        if b.what == "pitch":
            b = msgspec.structs.replace(b, wait=None, street="sharp")
            if b.seat == seat:
                count += 1
                if count - 1 in rounds:
                    continue
        if b.what == "act" and b.seat == seat and len(rounds) == 2:
            continue
        beats.append(b)
    return beats, seat


def dealt_out(rng: Random, hand: Hand) -> Error | None:
    beats, _seat = passed_over(rng, hand, (0, 1))
    if not beats or len(hand.seats) < 3:
        return None
    end = max(i for i, b in enumerate(beats) if b.what == "pitch") + 1
    first = next(i for i, b in enumerate(beats) if b.what == "act")
    mode = "stop"
    if rng.random() < 0.4:
        beats = beats[:end]
    elif rng.random() < 0.5:
        beats, mode = beats[: first + 1], "acted"
    else:
        mode = "on"
    return Error(
        f"dealt_out-{mode}",
        hand,
        tuple(beats),
        Want("seat-dealt-out", misdeal_unless_cut(acts_in(beats)), closed=closing(mode)),
    )


def too_few(rng: Random, hand: Hand) -> Error | None:
    last = rng.random() < 0.3
    if last:
        at = At(hand)
        beats = [b for i, b in enumerate(at.beats) if i != at.pitches[-1]]
        seat = hand.button
    else:
        beats, seat = passed_over(rng, hand, (1,))
        if not beats:
            return None
        last = seat == hand.button
    end = max(i for i, b in enumerate(beats) if b.what == "pitch") + 1
    acts = [i for i, b in enumerate(beats) if b.what == "act"]
    if rng.random() < 0.4 and not last:
        beats, mode = beats[:end], "stop"
    elif rng.random() < 0.5:
        beats, mode = beats[: acts[0] + 1], "acted"
    else:
        mode = "on"
    done = acts_in(beats)
    rr, uk = moment(done)
    first = "next-card" if last else "misdeal"
    rr_out = {"n0": first, "n1": first if not last else "next-card|misdeal"}.get(
        rr, "dead-hand|stands"
    )
    nl_out = {"n0": "misdeal|next-card" if last else "misdeal", "n1": "misdeal|next-card"}.get(
        rr, "dead-hand|stands"
    )
    uk_out = "stands|dead-hand" if uk == "cut" else ("next-card|floor" if last else "floor")
    return Error(
        f"too_few-{mode}" + "-button" * last,
        hand,
        tuple(beats),
        Want(
            "too-few-cards",
            by_book(rr_out, uk_out, nl_out, "next-card|floor" if last else "floor"),
            closed=closing(mode),
        ),
    )


def extra_last(rng: Random, hand: Hand, seats: int = 1) -> Error | None:
    if seats > len(hand.seats):
        return None
    at = At(hand)
    more = [
        Beat("pitch", seat=hand.seats[n], tag=hand.stub[n], street="sharp") for n in range(seats)
    ]
    beats = at.beats[: at.dealt] + more + at.beats[at.dealt :]
    beats, mode = stop_or_on(rng, beats, at.dealt + seats)
    rr, uk = moment(acts_in(beats))
    code = "extra-card" if seats == 1 else "extra-cards"
    early = "return-as-burn" if seats == 1 else "misdeal"
    late = "dead-hand|stands"
    rr_out = {"n0": early, "n1": "misdeal"}.get(rr, late)
    nl_out = late if rr == "cut" else "misdeal"
    return Error(
        f"extra_last{seats}-{mode}",
        hand,
        tuple(beats),
        Want(
            code,
            by_book(rr_out, late + "|floor" if uk == "cut" else "floor", nl_out, "*"),
            beside=("wrong-card-count",)
            if code == "extra-card"
            else ("wrong-card-count", "extra-card"),
            closed=closing(mode),
        ),
    )


def extra_mid(rng: Random, hand: Hand) -> Error | None:
    """One seat gets two cards running in the deal."""
    at = At(hand)
    k = rng.randrange(1, len(at.pitches) - 1)
    i = at.pitches[k]
    seat = at.beats[i].seat
    if k % at.n == at.n - 1 and k < at.n:
        return None
    beats = [
        *at.beats[: i + 1],
        Beat("pitch", seat=seat, tag=hand.stub[0], street="sharp"),
        *at.beats[i + 1 :],
    ]
    beats, mode = stop_or_on(rng, beats, at.dealt + 1)
    rr, _uk = moment(acts_in(beats))
    out = "misdeal" if rr != "cut" else "dead-hand|stands"
    return Error(
        f"extra_mid-{mode}",
        hand,
        tuple(beats),
        Want(
            "extra-card",
            by_book(out, "dead-hand|stands|floor", out, "floor|stands|dead-hand"),
            beside=("out-of-sequence",),
            closed=closing(mode),
        ),
    )


def exposed(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    which = rng.choice(["first", "other", "other", "two", "player"])
    count = len(at.pitches)
    if which == "first":
        picks = [rng.choice([0, 1])]
    elif which == "two":
        picks = sorted(rng.sample(range(2, count), 2)) if count > 3 else [2, 3]
    else:
        picks = [rng.randrange(2, count)]
    after = rng.random() < 0.5
    beats: list[Beat] = []
    last = 0
    for i, b in enumerate(at.beats):
        beats.append(b)
        if i in at.pitches and at.pitches.index(i) in picks:
            nth = 1 if at.pitches.index(i) < at.n else 2
            how: dict[str, Any] = (
                {"tag": b.tag} if rng.random() < 0.5 else {"seat": b.seat, "nth": nth}
            )
            cause = "player" if which == "player" else "dealer"
            beats.append(
                line(
                    "dealer",
                    0.45 if rng.random() < 0.5 else 1.2,
                    input="exposed",
                    cause=cause,
                    **how,
                )
            )
            last = len(beats)
    end = max(i for i, b in enumerate(beats) if b.what == "pitch") + 2
    if not after:
        beats, mode = beats[:last], "stop"
    else:
        beats, mode = stop_or_on(rng, beats, min(end, len(beats)))
    acts = acts_in(beats)
    name = f"exposed_{which}-{mode}"
    if which == "player":
        return Error(name, hand, tuple(beats), Want(""), needs=("riffle",))
    if which == "first":
        rr, uk = moment(acts)
        out = "stands" if rr == "cut" else "misdeal"
        tda = "misdeal" if not acts else "misdeal|stands|floor"
        want = Want(
            "exposed-first-card",
            by_book(out, "stands" if uk == "cut" else "misdeal", out, tda),
            closed=closing(mode),
        )
    elif which == "two":
        want = Want(
            "exposed-cards",
            misdeal_unless_cut(acts, tda="floor"),
            beside=("exposed-card",),
            closed=closing(mode),
        )
    else:
        rr, uk = moment(acts)
        # a replacement is no misdeal: after the action began the card plays on
        rr_out = "replace-card" if rr == "n0" else "*"
        want = Want(
            "exposed-card",
            by_book(
                rr_out,
                "floor" if uk != "cut" else "floor|stands",
                "stands" if rr == "cut" else "misdeal",
                "floor",
            ),
            closed=closing(mode),
        )
    return Error(name, hand, tuple(beats), want, needs=("riffle",))


def boxed(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    two = rng.random() < 0.5
    picks = sorted(rng.sample(range(len(at.pitches)), 1 + two))
    beats: list[Beat] = []
    last = 0
    for i, b in enumerate(at.beats):
        beats.append(b)
        if i in at.pitches and at.pitches.index(i) in picks:
            nth = 1 if at.pitches.index(i) < at.n else 2
            how: dict[str, Any] = (
                {"tag": b.tag} if rng.random() < 0.5 else {"seat": b.seat, "nth": nth}
            )
            beats.append(line("dealer", 0.45, input="boxed", **how))
            last = len(beats)
    beats, mode = (beats[:last], "stop") if rng.random() < 0.5 else (beats, "on")
    rr, uk = moment(acts_in(beats))
    if two:
        out = "misdeal" if rr != "cut" else "*"
        want = Want(
            "boxed-cards",
            by_book(
                out,
                "misdeal" if uk != "cut" else "stands|floor",
                "replace-card" if rr == "n0" else "*",
                "floor",
            ),
            beside=("boxed-card",),
            closed=closing(mode),
        )
    else:
        want = Want(
            "boxed-card",
            by_book(
                "replace-card" if rr == "n0" else "*",
                "floor",
                "replace-card" if rr == "n0" else "*",
                "floor",
            ),
            closed=closing(mode),
        )
    return Error(f"boxed{1 + two}-{mode}", hand, tuple(beats), want, needs=("riffle",))


def puck_wrong(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    wrong = rng.choice([s for s in range(1, 11) if s != hand.button])
    move = [
        line("gone", 0.1, zone=f"seat/{hand.button}", tag="PUCK"),
        line("seen", 0.2, zone=f"seat/{wrong}", tag="PUCK"),
    ]
    when = rng.choice(["before", "dealt", "on"])
    if when == "before":
        beats = [*move, at.beats[0]] if rng.random() < 0.5 else [at.beats[0], *move]
    elif when == "dealt":
        beats = [*move, *at.beats[: at.dealt]]
    else:
        beats = [*move, *at.beats]
    acts = acts_in(beats)
    rr, _uk = moment(acts)
    first = "restore" if when == "before" else "misdeal"
    out = "stands" if rr == "cut" else first
    return Error(
        f"puck-{when}",
        hand,
        tuple(beats),
        Want(
            "button-misplaced",
            by_book(
                out,
                "restore" if when == "before" else "*",
                out,
                "restore|floor" if when == "before" else "*",
            ),
            closed=closing("on" if when == "on" else "stop"),
        ),
        needs=("puck",),
    )
