"""Dealing errors: what is done to a hand, and what is to be found then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from tests.sweep.hands import Beat, Hand
from tests.sweep.judging import Want


class Error(msgspec.Struct, frozen=True):
    """A hand with an error in it. `needs` names what the table must have for it to be found."""

    name: str
    hand: Hand
    beats: tuple[Beat, ...]
    want: Want
    needs: tuple[str, ...] = ()
    table: dict[str, Any] = {}


RR = ("homepokertourney", "roberts")


def by_book(rr: str, uk: str, nl: str, tda: str) -> dict[str, tuple[str, ...]]:
    """Outcomes by book; several are joined by `|`, `*` is anything."""
    of = {"homepokertourney": rr, "roberts": rr, "uk-tda": uk, "nl-2010": nl, "tda-2009": tda}
    return {book: tuple(out.split("|")) for book, out in of.items() if out != "*"}


def line(kind: str, wait: float = 1.0, **fields: object) -> Beat:
    return Beat("line", wait=wait, line={"kind": kind, **fields})


def seen(zone: str, card: str, wait: float = 0.4) -> Beat:
    return line("seen", wait, zone=zone, tag=card)


def gone(card: str, wait: float = 0.4) -> Beat:
    return line("gone", wait, tag=card)


class At:
    """Places in a hand's beats."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.beats = hand, list(hand.beats)
        self.n = len(hand.seats)
        self.pitches = [i for i, b in enumerate(self.beats) if b.what == "pitch"]
        self.acts = [i for i, b in enumerate(self.beats) if b.what == "act"]
        self.dealt = self.pitches[-1] + 1

    def burn(self, street: str) -> int:
        return next(i for i, b in enumerate(self.beats) if b.what == "burn" and b.street == street)

    def board(self, street: str) -> list[int]:
        return [i for i, b in enumerate(self.beats) if b.what == "board" and b.street == street]

    def acts_of(self, street: str) -> list[int]:
        return [i for i in self.acts if self.beats[i].street == street]


def moment(acts: Sequence[Beat]) -> tuple[str, str]:
    """How far the action is: for Robert's and NL10 (n0, n1, cut), for UK (n0, n1, cut)."""
    rr = "cut" if len(acts) >= 2 else f"n{len(acts)}"
    chips = any(b.button in ("call", "bet", "raise", "all-in") for b in acts)
    uk = "cut" if len(acts) >= 3 or (len(acts) == 2 and chips) else "n1" if acts else "n0"
    return rr, uk


def misdeal_unless_cut(
    acts: Sequence[Beat], uk: str = "misdeal", tda: str = "floor", late: str = "stands"
) -> dict[str, tuple[str, ...]]:
    rr_at, uk_at = moment(acts)
    rr = late if rr_at == "cut" else "misdeal"
    return by_book(rr, "stands" if uk_at == "cut" else uk, rr, tda)


def acts_in(beats: Sequence[Beat]) -> list[Beat]:
    return [b for b in beats if b.what == "act"]


def stop_or_on(rng: Random, beats: list[Beat], at: int) -> tuple[list[Beat], str]:
    """Ends the log after `at` beats, after a few actions, or lets the hand go on."""
    dice = rng.random()
    if dice < 0.5:
        return beats[:at], "stop"
    if dice < 0.7:
        acts = [i for i, b in enumerate(beats) if b.what == "act" and i >= at]
        if acts:
            return beats[: rng.choice(acts) + 1], "later"
    return beats, "on"


def closing(mode: str) -> tuple[str, ...]:
    if mode == "on":
        return ("expired", "remedied")
    return ("open",) if mode not in {"later", "acted"} else ("open", "expired", "remedied")


# --- the deal ------------------------------------------------------------------------------------


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


# --- cards that do not belong --------------------------------------------------------------------


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


# --- burns and board -----------------------------------------------------------------------------


def _open_round(at: At, street: str) -> bool:
    """Somebody bets on this street."""
    return bool(at.acts_of(street))


def burn_missing(rng: Random, hand: Hand) -> Error:
    at = At(hand)
    street = rng.choice(
        [
            s
            for s in ("flop", "turn", "river")
            if any(b.street == s and b.what == "burn" for b in at.beats)
        ]
    )
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
    street = rng.choice(
        [
            s
            for s in ("flop", "turn", "river")
            if any(b.street == s and b.what == "burn" for b in at.beats)
        ]
    )
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
    street = rng.choice(
        [
            s
            for s in ("flop", "turn", "river")
            if any(b.street == s and b.what == "burn" for b in at.beats)
        ]
    )
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
    street = rng.choice(
        [
            s
            for s in ("flop", "turn", "river")
            if any(b.street == s and b.what == "burn" for b in at.beats)
        ]
    )
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


# --- action --------------------------------------------------------------------------------------


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


type_ = Callable[[Random, Hand], Error | None]

DEAL: tuple[type_, ...] = (
    first_card_wrong_seat,
    two_swapped,
    empty_seat,
    dealt_out,
    too_few,
    lambda r, h: extra_last(r, h, 1),
    lambda r, h: extra_last(r, h, 2),
    lambda r, h: extra_last(r, h, r.randint(2, 10)),
    extra_mid,
    exposed,
    boxed,
    puck_wrong,
    strange,
    strange,
    foreign_in_stub,
    missing_card,
    stub_fouled,
    out_of_turn,
    skipped,
    fouled,
    swept,
    retrieved,
    clock,
)
BOARD: tuple[type_, ...] = (
    burn_missing,
    burn_double,
    premature,
    premature,
    board_count,
    board_count,
    short_flop,
    disturbed,
)
