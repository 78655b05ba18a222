"""What the dealer is looking at: which finding, which of its steps, which question.

Pure: `arrived` takes in a new view, `tapped` a tap on a button, `lost` a lost connection,
and each returns the next state. It is the screen's own memory; what the table knows is in the view.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.events import REMEDY_QUESTIONS
from controller.view import FindingView, TableView
from display.dealer.floor_taps import floor_arrived, tapped_by_floor

Asking = Literal[
    "",
    "tabled",
    "dismiss",
    "misdeal",
    "links",
    "language",
    "more",
    "exposed",
    "exposed-card",
    "boxed",
    "boxed-card",
    "clock",
    "act",
    "act-what",
    "amount",
    "sign-in",
    "unwatched",
    "deck",
    "away",
    "sensors",
    "floor",
    "floor-pin",
    "floor-rule",
    "floor-desk",
]
Line = dict[str, Any]

# What is asked about a moment of the hand, about the hand, and what waits for a new finding.
OF_THE_PHASE = frozenset(("misdeal", "tabled", "clock", "act", "act-what", "amount"))
OF_THE_HAND = frozenset(("exposed", "exposed-card", "boxed", "boxed-card", "unwatched", "deck"))
GIVES_WAY = OF_THE_HAND | {
    *("more", "sign-in", "clock", "act", "act-what", "amount", "away", "sensors")
}
SEAT_ASKED = ("tabled", "exposed", "boxed", "clock", "act", "away")
WITH_AMOUNT = ("bet", "raise", "all-in")
ACCENTS = {"´": "\u0301", "`": "\u0300", "^": "\u0302", "¨": "\u0308"}
LONGEST = {"amount": 9, "sign-in": 20}

REASONS = ("misread", "floor-decided", "other")
ANSWERED_NO = "answered-no"
MUTED_S = 600.0
NOTICED_S = 8.0
DISMISSALS = 3
"""So many of one code from one zone, and it is for the record only."""


class Notice(Struct, frozen=True):
    """What a dismissal means for a zone: so many more of the same, and it is only noted; `left`
    0: it is from now on. Shown until `until`, monotonic seconds."""

    zone: str
    left: int
    until: float


class Looking(Struct, frozen=True):
    """The state of the screen itself.

    `opened` is the finding whose card is shown, `met` the states of findings that have
    opened by themselves already. `floor_at` is when the floor's state was first seen, `seats`
    the highest seat seen. `seat`, `act`, `floor_name` and `typed` are what has been entered so
    far, `wrong` how many PINs were wrong before this one, `page` what is shown of a dialog.
    Sounds are `muted` until then, where that is known, and those of priority 1 in one hand;
    `soundless` is a screen without a sound device.
    """

    opened: int | None = None
    met: frozenset[tuple[int, int, str]] = frozenset()
    advisory: int = 0
    asking: Asking = ""
    seat: int = 0
    act: str = ""
    typed: str = ""
    calling: bool = False
    floor_at: float | None = None
    undoable: bool = False
    seats: int = 0
    language: str | None = None
    floor_name: str = ""
    wrong: int = 0
    page: int = 0
    notice: Notice | None = None
    muted: bool = False
    muted_until: float | None = None
    muted_hand: int = 0
    soundless: bool = False

    def __repr__(self) -> str:
        return f"Looking(opened={self.opened}, asking={self.asking!r})"


def in_order(view: TableView | None) -> tuple[FindingView, ...]:
    """Return the open findings, the worst first, then the oldest."""
    if view is None:
        return ()
    return tuple(sorted(view.findings, key=lambda finding: (finding.priority, finding.id)))


def opened(view: TableView | None, looking: Looking) -> FindingView | None:
    """Return the finding whose card is shown."""
    return next((one for one in in_order(view) if one.id == looking.opened), None)


def position(finding: FindingView) -> int:
    """Return the index of the step to be done next; the number of steps when all are.

    What the antennas have seen done needs no tick. When a ruling changes, the steps that it has
    in common with the old one stay done.
    """
    ticked = Counter(finding.done)
    for at, step in enumerate(finding.ruling.steps):
        if ticked[step.id]:
            ticked[step.id] -= 1
        elif at >= finding.seen:
            return at
    return len(finding.ruling.steps)


def is_question(finding: FindingView, at: int) -> bool:
    """Tell whether the step at index `at` is a question: of a doubtful finding, or about its
    remedy."""
    first = finding.ruling.steps[0].id
    asks = finding.basis == "unseen" and first.startswith("ask-")
    return at == 0 and (asks or first in REMEDY_QUESTIONS)


def arrived(looking: Looking, old: TableView | None, view: TableView, now: float) -> Looking:
    """Take in a new view. A finding of priority 1 or 2 opens its card by itself, once."""
    findings = in_order(view)
    states = frozenset(map(_state, findings))
    current = opened(view, looking)
    shown = current.id if current is not None else None
    for one in findings:
        is_new = _state(one) not in looking.met
        if one.priority < 3 and is_new and (current is None or one.priority < current.priority):
            shown = one.id
            break
    if shown is None and looking.opened is not None:
        shown = next((one.id for one in findings if one.priority < 3), None)
    asking = looking.asking
    same_hand = old is not None and old.hand == view.hand
    same_phase = same_hand and old is not None and old.phase == view.phase
    if (
        (asking in ("dismiss", "floor-rule") and shown != looking.opened)
        or (asking in OF_THE_PHASE and not same_phase)
        or (asking in OF_THE_HAND and not same_hand)
        or (asking in GIVES_WAY and shown not in (None, looking.opened))
    ):
        asking = ""
    floor_at = looking.floor_at
    if old is None or old.floor != view.floor:
        floor_at = now if view.floor else None
    numbers = [seat.seat for seat in view.seats]
    seen = replace(
        looking,
        opened=shown,
        met=states,
        advisory=looking.advisory if shown == looking.opened else 0,
        asking=asking,
        calling=looking.calling and not view.floor,
        floor_at=floor_at,
        undoable=looking.undoable and old is not None and old.hand == view.hand,
        seats=max(looking.seats, view.button, *numbers),
        notice=_noticed(old, view, now) or looking.notice,
    )
    return floor_arrived(seen, view)


def _state(finding: FindingView) -> tuple[int, int, str]:
    """What a finding opens its card for once more: graver, certain, or its remedy asked about."""
    first = finding.ruling.steps[0].id
    return finding.id, finding.priority, first if first in REMEDY_QUESTIONS else finding.basis


def _noticed(old: TableView | None, view: TableView, now: float) -> Notice | None:
    """What has just been dismissed once more means this."""
    if old is None:
        return None
    silent = {one.zone for one in old.silent}
    for one in view.silent:
        if one.code is None and one.zone is not None and one.zone not in silent:
            return Notice(one.zone, 0, now + NOTICED_S)
    before = dict(old.doubted)
    for zone, count in view.doubted:
        if before.get(zone, 0) < count < DISMISSALS:
            return Notice(zone, DISMISSALS - count, now + NOTICED_S)
    return None


def passed(looking: Looking, now: float) -> Looking:
    """Take in that it is `now`: a notice has been read, a mute is over."""
    if looking.notice is not None and now >= looking.notice.until:
        looking = replace(looking, notice=None)
    if looking.muted and looking.muted_until is None:
        looking = replace(looking, muted_until=now + MUTED_S)
    if looking.muted_until is not None and now >= looking.muted_until:
        looking = replace(looking, muted=False, muted_until=None)
    return looking


def lost(looking: Looking) -> Looking:
    """Take in that the connection is gone: a call for the floor may not have arrived."""
    return replace(looking, calling=False)


def tapped(looking: Looking, view: TableView | None, button: str) -> tuple[Looking, Line | None]:
    """Return the next state and the line for the table, if the tap on `button` has one."""
    finding = opened(view, looking)
    if view is not None:
        by_floor = tapped_by_floor(looking, view, finding, button)
        if by_floor is not None:
            return by_floor
    if finding is not None:
        answered = _about_finding(looking, view, finding, button)
        if answered is not None:
            return answered
    ids = [one.id for one in in_order(view)]
    match button.partition(":"):
        case ("call-floor", _, _):
            return replace(looking, calling=True), _input("call-floor")
        case ("new-hand", _, _):
            return replace(looking, undoable=True), {"kind": "riffle"}
        case (("round-closed" | "award") as name, _, _):
            return replace(looking, undoable=True), _input(name)
        case ("undo", _, _):
            return replace(looking, undoable=False), _input("undo")
        case ("note", _, _) if looking.notice is not None and not ids:
            return replace(looking, notice=None), None
        case ("note", _, _) if ids:
            return replace(looking, opened=ids[0], advisory=0), None
        case (("tabled" | "misdeal" | "links" | "language" | "more") as name, "", _):
            return _asked(looking, name), None
        case (("exposed" | "boxed" | "clock" | "act") as name, "", _):
            return _asked(looking, name), None
        case (("sign-in" | "unwatched" | "deck" | "away") as name, "", _):
            return _asked(looking, name), None
        case ("sensors", _, _) if view is not None and not view.sensors:
            return _asked(looking, ""), {"kind": "sensors", "on": True}
        case ("sensors", _, _):
            return _asked(looking, "sensors"), None
        case ("sensors-yes", _, _):
            return _asked(looking, ""), {"kind": "sensors", "on": False}
        case ("mute", _, _):
            muted = replace(_asked(looking, ""), muted=not looking.muted, muted_until=None)
            return replace(muted, muted_hand=view.hand if view is not None else 0), None
        case (("cancel" | "misdeal-no" | "unwatched-no" | "sensors-no"), _, _):
            return _asked(looking, ""), None
        case (("open" | "close") as name, "", _):
            return _asked(looking, ""), {"kind": name}
        case ("pick-language", _, name):
            return replace(looking, asking="", language=name), None
        case ("pick-deck", _, name):
            return _asked(looking, ""), {"kind": "deck-change", "deck": name}
        case ("pick-seat", _, seat):
            return _seat_picked(looking, view, int(seat))
    return _entered(looking, button)


def _about_finding(
    looking: Looking, view: TableView | None, finding: FindingView, button: str
) -> tuple[Looking, Line | None] | None:
    """What a tap on the card of a finding does; None where the button is not the card's."""
    ids = [one.id for one in in_order(view)]
    at = position(finding)
    match button.partition(":"):
        case ("dismiss", _, _):
            return _asked(looking, "dismiss"), None
        case ("to-table", _, _):
            return replace(looking, opened=None, asking=""), None
        case ("next-finding", _, _):
            after = ids[(ids.index(finding.id) + 1) % len(ids)]
            return replace(looking, opened=after, advisory=0), None
        case ("advisory", _, _) if finding.ruling.advisory is not None:
            turn = (looking.advisory + 1) % len(finding.ruling.advisory.steps)
            return replace(looking, advisory=turn), None
        case ("back", _, _):
            return looking, _input("undo")
        case ("reason", _, reason):
            return _sent(looking), _input("dismiss", finding=finding.id, reason=reason)
        case ("no", _, _):
            return _sent(looking), _input("dismiss", finding=finding.id, reason=ANSWERED_NO)
        case ("yes", _, _):
            return _sent(looking), _input("confirm", finding=finding.id)
        case ("done", _, _) if at < len(finding.ruling.steps):
            step = finding.ruling.steps[at].id
            return _sent(looking), _input("done", finding=finding.id, step=step)
    return None


def _seat_picked(
    looking: Looking, view: TableView | None, seat: int
) -> tuple[Looking, Line | None]:
    match looking.asking:
        case "away":
            back = view is not None and seat in view.absent
            line = {"kind": "seat", "seat": seat, "status": "present" if back else "absent"}
            return _asked(looking, ""), line
        case "tabled" | "clock":
            return _sent(looking), _input(looking.asking, seat=seat)
        case "exposed":
            return replace(looking, asking="exposed-card", seat=seat), None
        case "boxed":
            return replace(looking, asking="boxed-card", seat=seat), None
        case "act":
            return replace(looking, asking="act-what", seat=seat), None
    return looking, None


def _entered(looking: Looking, button: str) -> tuple[Looking, Line | None]:
    """What a tap in one of the menu's questions does."""
    match button.split(":"):
        case [("misdeal-yes" | "unwatched-yes") as name]:
            return _sent(looking), _input(name.removesuffix("-yes"))
        case ["reshuffled"]:
            return _sent(looking), _input("reshuffled")
        case ["elsewhere"]:
            return _sent(looking), _input("boxed")
        case ["card", nth, cause]:
            line = _input("exposed", seat=looking.seat, nth=int(nth), cause=cause)
            return _sent(looking), line
        case ["card", nth]:
            return _sent(looking), _input("boxed", seat=looking.seat, nth=int(nth))
        case ["did", act] if act in WITH_AMOUNT:
            return replace(looking, asking="amount", act=act, typed=""), None
        case ["did", act]:
            return _sent(looking), _press(looking.seat, act)
        case ["no-amount"]:
            return _sent(looking), _press(looking.seat, looking.act)
        case ["key", key]:
            typed = _typed(looking.typed, key).lstrip(" 0")
            return replace(looking, typed=typed[: LONGEST.get(looking.asking, 0)]), None
        case ["erase"]:
            return replace(looking, typed=looking.typed[:-1]), None
        case ["enter"] if looking.asking == "amount" and looking.typed:
            return _sent(looking), _press(looking.seat, looking.act, amount=int(looking.typed))
        case ["enter"] if looking.asking == "sign-in" and looking.typed:
            return _sent(looking), _input("sign-in", name=name_typed(looking))
    return looking, None


def _typed(before: str, key: str) -> str:
    """Return what stands after a tap on a key; an accent goes onto the letter before it."""
    if key in ACCENTS:
        with_accent = unicodedata.normalize("NFC", before + ACCENTS[key])
        return with_accent if len(with_accent) == len(before) else before
    return before + (" " if key == "space" else key)


def name_typed(looking: Looking) -> str:
    """Return the name as it is written: the keys are capitals."""
    return looking.typed.rstrip().title()


def _input(entry: str, **fields: object) -> Line:
    return {"kind": "dealer", "input": entry, **fields}


def _press(seat: int, act: str, **fields: object) -> Line:
    return {"kind": "press", "seat": seat, "button": act, "by": "dealer", **fields}


def _asked(looking: Looking, asking: Asking) -> Looking:
    return replace(looking, asking=asking, seat=0, act="", typed="")


def _sent(looking: Looking) -> Looking:
    return replace(_asked(looking, ""), undoable=True)
