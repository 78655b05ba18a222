"""Errors that are put right as the book in force says: the finding closes, and nothing more comes.

Each gives the hand as it is played to its end, the books for which that is the remedy, and how the
finding is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from tests.sweep.errors.error import RR, At, gone, line, seen
from tests.sweep.hands import Beat, Hand
from tests.sweep.judging import BOOKS

replace = msgspec.structs.replace


class Righted(msgspec.Struct, frozen=True):
    name: str
    beats: tuple[Beat, ...]
    code: str
    books: tuple[str, ...]
    closed: str = "remedied"
    beside: tuple[str, ...] = ()
    starts: int = 1
    finding: int = 0
    buttons: bool = False


def shuffled(rng: Random) -> list[Beat]:
    how = rng.choice(["riffle", "reshuffled", "ticked", "both"])
    beats = []
    if how in ("riffle", "both"):
        beats.append(line("riffle", 3.0))
    if how in ("reshuffled", "both"):
        beats.append(line("dealer", 2.0, input="reshuffled"))
    if how == "ticked":
        ticks = [line("dealer", 1.0, input="done", finding=n, step="shuffle") for n in (1, 2)]
        beats.extend(ticks)  # the second where a burn was found first
    return beats


def flop_of(at: At) -> list[str]:
    return [at.beats[i].tag for i in at.board("flop")]


def new_flop(rng: Random, at: At, old: list[str]) -> list[Beat]:
    """Three cards from what was reshuffled: some may be the same."""
    cards = rng.sample([*at.hand.stub[5:12], *old], 3)
    return [
        Beat("board", tag=c, street="flop", wait=2.0 if n == 0 else 0.15)
        for n, c in enumerate(cards)
    ]


def four_card_flop(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    last = at.board("flop")[-1]
    extra = hand.stub[0]
    start = [*at.beats[: last + 1], Beat("board", tag=extra, street="flop")]
    rest = at.beats[last + 1 :]
    flop = flop_of(at)
    four = [*flop, extra]
    rng.shuffle(four)
    back = [gone(c, 3.0 if n == 0 else 0.3) for n, c in enumerate(four)]
    again = [*back, *shuffled(rng)]
    nl = [Beat("burn", tag=hand.stub[15], street="flop", wait=2.0)]
    out = [
        Righted(
            "four-redeal", (*start, *again, *new_flop(rng, at, four), *rest), "four-card-flop", RR
        ),
        Righted(
            "four-redeal-nl",
            (*start, *again, *nl, *new_flop(rng, at, four), *rest),
            "four-card-flop",
            ("nl-2010",),
        ),
    ]
    out.append(
        Righted(
            "four-redeal-unshuffled",
            (*start, *back, line("tick", 2.0), *new_flop(rng, at, four), *rest),
            "four-card-flop",
            RR,
            closed="expired",
        )
    )
    # the floor picks one: it is the turn's burn
    picked = rng.choice(four)
    three = [c for c in four if c != picked]
    no_burn = [b for b in rest if not (b.what == "burn" and b.street == "turn")]
    no_burn = [
        replace(b, wait=3.0) if b.what == "board" and b.street == "turn" else b for b in no_burn
    ]
    pick = rng.choice(
        [[line("floor", 4.0, input="pick", tag=picked)], [line("floor", 4.0, input="pick")], []]
    )
    style = rng.choice(["all", "all", "one"])
    if style == "all":
        moves = [*back, *pick, seen("burn", picked), *[seen("board", c) for c in three]]
    else:
        moves = [*pick, gone(picked, 3.0), seen("burn", picked)]
    out.append(
        Righted(
            f"four-pick-{style}-{len(pick) and len(pick[0].line)}",
            (*start, *moves, *no_burn),
            "four-card-flop",
            ("uk-tda", "tda-2009"),
            closed="remedied" if pick else "expired",
        )
    )
    return out


def premature_flop(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    cut = at.acts_of("")[-rng.choice([1, 1, 2]) :][0]
    b, last = at.burn("flop"), at.board("flop")[-1]
    flop = flop_of(at)
    early = [replace(at.beats[b], wait=1.5), *at.beats[b + 1 : last + 1]]
    back = [gone(c, 2.0 if n == 0 else 0.2) for n, c in enumerate(flop)]
    first = rng.random() < 0.5
    finish = [replace(x, wait=3.0) if n == 0 else x for n, x in enumerate(at.beats[cut:b])]
    middle = [*finish, *back] if first else [*back, *finish]
    beats = [
        *at.beats[:cut],
        *early,
        *middle,
        *shuffled(rng),
        *new_flop(rng, at, flop),
        *at.beats[last + 1 :],
    ]
    return [
        Righted(
            "premature-flop",
            tuple(beats),
            "premature-flop",
            (*RR, "uk-tda", "nl-2010"),
            beside=("burn-premature",),
            buttons=True,
        )
    ]


def premature_turn(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    cut = at.acts_of("flop")[-1]
    b, t = at.burn("turn"), at.board("turn")[-1]
    rb, r = at.burn("river"), at.board("river")[-1]
    card = at.beats[t].tag
    early = [replace(at.beats[b], wait=1.5), at.beats[t]]
    rest_flop = [replace(x, wait=3.0) if n == 0 else x for n, x in enumerate(at.beats[cut:b])]
    aside_first = rng.random() < 0.5
    aside = [gone(card, 2.0)]
    if rng.random() < 0.3:
        aside = [gone(card, 2.0)]
    new = [
        replace(at.beats[rb], street="turn", wait=2.0),
        replace(at.beats[r], street="turn", wait=0.7),
    ]
    betting = at.beats[t + 1 : rb]
    river = Beat("board", tag=rng.choice([card, *hand.stub[5:9]]), street="river", wait=2.0)
    beats = [
        *at.beats[:cut],
        *early,
        *(aside + rest_flop if aside_first else rest_flop + aside),
        *new,
        *betting,
        *shuffled(rng),
        river,
        *at.beats[r + 1 :],
    ]
    return [
        Righted(
            "premature-turn",
            tuple(beats),
            "premature-turn",
            (*RR, "uk-tda", "nl-2010"),
            beside=("burn-premature",),
            buttons=True,
        )
    ]


def premature_river(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    cut = at.acts_of("turn")[-1]
    b, r = at.burn("river"), at.board("river")[-1]
    card = at.beats[r].tag
    early = [replace(at.beats[b], wait=1.5), at.beats[r]]
    rest = [replace(x, wait=3.0) if n == 0 else x for n, x in enumerate(at.beats[cut:b])]
    back = [gone(card, 2.0)]
    river = Beat("board", tag=rng.choice([card, *hand.stub[5:9]]), street="river", wait=2.0)
    beats = [
        *at.beats[:cut],
        *early,
        *(rest + back if rng.random() < 0.5 else back + rest),
        *shuffled(rng),
        river,
        *at.beats[r + 1 :],
    ]
    return [
        Righted(
            "premature-river",
            tuple(beats),
            "premature-river",
            (*RR, "uk-tda", "nl-2010"),
            beside=("burn-premature",),
            buttons=True,
        )
    ]


def no_burn(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    out = []
    b, last = at.burn("flop"), at.board("flop")[-1]
    flop = flop_of(at)
    start = [
        *at.beats[:b],
        *[replace(x, wait=2.0) if n == 0 else x for n, x in enumerate(at.beats[b + 1 : last + 1])],
    ]
    back = [gone(c, 2.5 if n == 0 else 0.2) for n, c in enumerate(flop)]
    burn = replace(at.beats[b], wait=2.0)
    new = new_flop(rng, at, flop)
    beats = [*start, *back, *shuffled(rng), burn, *new, *at.beats[last + 1 :]]
    out.append(Righted("no-burn-flop", tuple(beats), "burn-missing", (*RR, "nl-2010")))
    # after action: two burns before the turn
    tb = at.burn("turn")
    more = Beat("burn", tag=hand.stub[0], street="turn", wait=0.9)
    beats = [*start, *at.beats[last + 1 : tb + 1], more, *at.beats[tb + 1 :]]
    out.append(
        Righted("no-burn-flop-late", tuple(beats), "burn-missing", (*RR, "nl-2010"), buttons=True)
    )
    for street in ("turn", "river"):
        b, last = at.burn(street), at.board(street)[-1]
        card = at.beats[last].tag
        start = [*at.beats[:b], replace(at.beats[last], wait=2.0)]
        nxt = at.beats[b].tag
        beats = [
            *start,
            gone(card, 2.5),
            seen("burn", card, 0.3),
            Beat("board", tag=nxt, street=street, wait=1.0),
            *at.beats[last + 1 :],
        ]
        out.append(Righted(f"no-burn-{street}", tuple(beats), "burn-missing", RR))
        beats = [
            *start,
            gone(card, 2.5),
            *shuffled(rng),
            Beat("burn", tag=hand.stub[1], street=street, wait=2.0),
            Beat("board", tag=hand.stub[2], street=street),
            *at.beats[last + 1 :],
        ]
        out.append(Righted(f"no-burn-{street}-nl", tuple(beats), "burn-missing", ("nl-2010",)))
    return out


def two_burns(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    out = []
    for street in ("flop", "turn", "river"):
        b, last = at.burn(street), at.board(street)[-1]
        second = hand.stub[0]
        more = Beat("burn", tag=second, street=street, wait=1.0)
        # noticed before any card: the second goes back and is the first of the street
        begun = [*at.beats[: b + 1], more]
        first = replace(at.beats[b + 1], tag=second, wait=2.0)
        beats = [*begun, gone(second, 3.0), first, *at.beats[b + 2 :]]
        out.append(
            Righted(f"two-burns-{street}-early", tuple(beats), "burn-double", (*RR, "nl-2010"))
        )
    b, last = at.burn("turn"), at.board("turn")[-1]
    begun = [
        *at.beats[: b + 1],
        Beat("burn", tag=hand.stub[0], street="turn", wait=1.0),
        *at.beats[b + 1 : last + 1],
    ]
    third = at.beats[last].tag
    rb = at.burn("river")
    river_burn = replace(at.beats[rb], tag=third)
    beats = [
        *begun,
        gone(hand.stub[0], 3.0),
        gone(third, 0.5),
        seen("board", hand.stub[0], 0.5),
        *at.beats[last + 1 : rb],
        river_burn,
        *at.beats[rb + 1 :],
    ]
    out.append(Righted("two-burns-turn", tuple(beats), "burn-double", (*RR, "nl-2010")))
    # flop before action: redeal
    b, last = at.burn("flop"), at.board("flop")[-1]
    begun = [
        *at.beats[: b + 1],
        Beat("burn", tag=hand.stub[0], street="flop", wait=1.0),
        *at.beats[b + 1 : last + 1],
    ]
    back = [gone(hand.stub[0], 2.0), *[gone(c, 0.3) for c in flop_of(at)]]
    beats = [*begun, *back, *shuffled(rng), *new_flop(rng, at, flop_of(at)), *at.beats[last + 1 :]]
    out.append(Righted("two-burns-flop", tuple(beats), "burn-double", (*RR, "nl-2010")))
    # flop after action: the second burn is the turn's
    tb = at.burn("turn")
    turn = replace(at.beats[tb + 1], wait=2.0)
    beats = [
        *begun,
        *at.beats[last + 1 : tb],
        gone(hand.stub[0], 1.0),
        seen("burn", hand.stub[0], 1.5),
        turn,
        *at.beats[tb + 2 :],
    ]
    out.append(
        Righted("two-burns-flop-late", tuple(beats), "burn-double", (*RR, "nl-2010"), buttons=True)
    )
    return out


def in_the_deal(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    out = []
    b = at.burn("flop")
    extra = hand.stub[0]
    begun = [*at.beats[: at.dealt], Beat("pitch", seat=hand.seats[0], tag=extra, street="sharp")]
    burn = replace(at.beats[b], tag=extra)
    acts = at.beats[at.dealt : b]
    beats = [
        *begun,
        gone(extra, 4.0),
        *[replace(a, wait=4.0) if n == 0 else a for n, a in enumerate(acts)],
        burn,
        *at.beats[b + 1 :],
    ]
    out.append(Righted("extra-as-burn", tuple(beats), "extra-card", RR))
    # exposed: replaced after the deal, the exposed one is the flop's burn
    k = rng.randrange(2, len(at.pitches))
    i = at.pitches[k]
    card, seat = at.beats[i].tag, at.beats[i].seat
    told = line("dealer", 0.4, input="exposed", cause="dealer", tag=card)
    moves = [Beat("pitch", seat=seat, tag=hand.stub[1], wait=3.0), gone(card, 1.0)]
    if rng.random() < 0.5:
        moves.reverse()
        moves[0] = replace(moves[0], wait=3.0)
    early = rng.random() < 0.5
    burn = replace(at.beats[b], tag=card)
    to_burn = [seen("burn", card, 0.5)] if early else []
    rest = [replace(acts[0], wait=4.0), *acts[1:]]
    flop = at.beats[b + 1 :] if early else [burn, *at.beats[b + 1 :]]
    if early:
        flop = [replace(flop[0], wait=2.0), *flop[1:]]
    beats = [
        *at.beats[:i],
        replace(at.beats[i], street="sharp"),
        told,
        *at.beats[i + 1 : at.dealt],
        *moves,
        *to_burn,
        *rest,
        *flop,
    ]
    out.append(
        Righted(f"exposed-swap-{'early' if early else 'late'}", tuple(beats), "exposed-card", RR)
    )
    # too few: the button gets the next card
    beats = [*[x for n, x in enumerate(at.beats) if n != at.pitches[-1]]]
    # joker replaced
    joker = replace(at.beats[i], tag="X1")
    given = Beat("pitch", seat=seat, tag=hand.stub[1], wait=3.0)
    beats = [
        *at.beats[:i],
        joker,
        *at.beats[i + 1 : at.dealt],
        gone("X1", 3.0),
        given,
        *rest,
        *at.beats[b:],
    ]
    out.append(Righted("joker-replaced", tuple(beats), "joker", (*RR, "nl-2010")))
    told = line("dealer", 0.4, input="boxed", tag=card)
    beats = [
        *at.beats[:i],
        replace(at.beats[i], street="sharp"),
        told,
        *at.beats[i + 1 : at.dealt],
        gone(card, 3.0),
        given,
        *rest,
        *at.beats[b:],
    ]
    out.append(Righted("boxed-replaced", tuple(beats), "boxed-card", (*RR, "nl-2010")))
    return out


def small_things(rng: Random, hand: Hand) -> list[Righted]:
    at = At(hand)
    out = []
    flop = at.board("flop")
    third = replace(at.beats[flop[2]], wait=5.0)
    beats = [*at.beats[: flop[2]], third, *at.beats[flop[2] + 1 :]]
    out.append(Righted("short-flop", tuple(beats), "short-flop", BOOKS))
    for street, before in (("flop", ""), ("turn", "flop"), ("river", "turn")):
        cut = at.acts_of(before)[-1]
        b = at.burn(street)
        burn = replace(at.beats[b], wait=1.5)
        after = at.beats[b + 1 :]
        beats = [
            *at.beats[:cut],
            burn,
            replace(at.beats[cut], wait=3.0),
            *at.beats[cut + 1 : b],
            replace(after[0], wait=3.0),
            *after[1:],
        ]
        out.append(
            Righted(
                f"burn-held-{street}",
                tuple(beats),
                "burn-premature",
                (*RR, "nl-2010"),
                buttons=True,
            )
        )
    what = rng.choice(["board", "burn"])
    i = rng.choice([n for n, x in enumerate(at.beats) if x.what == what and x.street != "river"])
    card = at.beats[i].tag
    spot = next(n for n in at.acts if n > i)
    beats = [*at.beats[:spot], gone(card, 1.5), seen(what, card, 2.0), *at.beats[spot:]]
    out.append(Righted(f"{what}-back", tuple(beats), f"{what}-disturbed", BOOKS))
    return out


REMEDIES: tuple[Callable[[Random, Hand], list[Righted]], ...] = (
    four_card_flop,
    premature_flop,
    premature_turn,
    premature_river,
    no_burn,
    two_burns,
    in_the_deal,
    small_things,
)
