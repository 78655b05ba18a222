"""What a tap does to what the dealer is looking at, and what it says to the table. Pure."""

from __future__ import annotations

import unicodedata

from msgspec.structs import replace

from controller.contract.events import STEP_ENTRIES
from controller.contract.view import FindingView, MoveView, TableView, position
from display.dealer.floor_taps import tapped_by_floor
from display.dealer.looking import (
    NOTHING_SEEN,
    Asking,
    Line,
    Looking,
    Said,
    comers,
    in_order,
    name_typed,
    opened,
)
from display.dealer.rule_taps import LONGEST_WORDS, OF_THE_RULES, tapped_in_rules
from display.dealer.wager_taps import tapped_in_wager

ANSWERED_NO = "answered-no"
WITH_AMOUNT = ("bet", "raise", "all-in")
ACCENTS = {"´": "\u0301", "`": "\u0300", "^": "\u0302", "¨": "\u0308"}
LONGEST = {"amount": 9, "wager-chip": 9, "wager-amount": 9, "sign-in": 20} | dict.fromkeys(
    OF_THE_RULES, LONGEST_WORDS
)


def lines(said: Said) -> tuple[Line, ...]:
    """Return the lines of what is said, in their order."""
    if said is None:
        return ()
    return said if isinstance(said, tuple) else (said,)


def tapped(looking: Looking, view: TableView | None, button: str) -> tuple[Looking, Said]:
    """Return the next state and what the tap on `button` says to the table."""
    finding = opened(view, looking)
    if view is not None:
        by_floor = tapped_by_floor(looking, view, finding, button)
        if by_floor is not None:
            return by_floor
    if finding is not None:
        answered = _about_finding(looking, view, finding, button)
        if answered is not None:
            return answered
    wager = tapped_in_wager(looking, view, button)
    if wager is not None:
        return wager
    rules = tapped_in_rules(looking, view, button)
    if rules is not None:
        return rules, None
    ids = [one.id for one in in_order(view)]
    if looking.asking == "seat":
        sheet = _on_the_sheet(looking, view, button)
        if sheet is not None:
            return sheet
    match button.partition(":"):
        case ("call-floor", _, _):
            return replace(looking, calling=True), _input("call-floor")
        case (("new-hand" | "next-hand"), _, _):
            return _sent(looking), {"kind": "riffle"}
        case ("broke", _, _) if view is not None:
            return _asked(looking, ""), tuple(_seat(seat, "empty") for seat in view.broke)
        case ("here", _, _) if view is not None:
            came = tuple(_comer(each) for each in comers(view))
            return _asked(looking, ""), came
        case ("award-now", _, _):
            return _sent(looking), _input("award")
        case (("round-closed" | "award") as name, _, _):
            return replace(looking, undoable=True), _input(name)
        case (("undo" | "not-so"), _, _):
            return replace(looking, undoable=False), _input("undo")
        case ("note", _, _) if looking.notice is not None and not ids:
            return replace(looking, notice=None), None
        case ("note", _, _) if ids:
            return replace(looking, opened=ids[0]), None
        case (("tabled" | "misdeal" | "links" | "language" | "more") as name, "", _):
            return _asked(looking, name), None
        case (("boxed" | "sign-in" | "unwatched" | "deck") as name, "", _):
            return _asked(looking, name), None
        case ("sensors", _, _) if view is not None and not view.sensors:
            return _asked(looking, ""), {"kind": "sensors", "on": True}
        case ("sensors", _, _):
            return _asked(looking, "sensors"), None
        case ("sensors-yes", _, _):
            return _asked(looking, ""), {"kind": "sensors", "on": False}
        case ("learner", _, _):
            on = view is None or not view.learner
            return _asked(looking, ""), _input("learner", on=on)
        case ("mute", _, _):
            muted = replace(_asked(looking, ""), muted=not looking.muted, muted_until=None)
            return replace(muted, muted_hand=view.hand if view is not None else 0), None
        case ("naming", _, _):
            return _asked(looking, "naming"), None
        case ("naming-yes", _, _):
            return _asked(looking, ""), {"kind": "no-hand"}
        case (("cancel" | "misdeal-no" | "unwatched-no" | "sensors-no" | "naming-no"), _, _):
            return _asked(looking, ""), None
        case (("open" | "close") as name, "", _):
            return _asked(looking, ""), {"kind": name}
        case ("pick-language", _, name):
            return replace(looking, asking="", language=name), None
        case ("pick-deck", _, name):
            return _asked(looking, ""), {"kind": "deck-change", "deck": name}
        case ("pick-seat", _, seat):
            return _seat_picked(looking, int(seat))
    return _entered(looking, button)


def _about_finding(
    looking: Looking, view: TableView | None, finding: FindingView, button: str
) -> tuple[Looking, Said] | None:
    """What a tap on the card of a finding does; None where the button is not the card's."""
    ids = [one.id for one in in_order(view)]
    at = position(finding)
    match button.partition(":"):
        case (("dismiss" | "why") as name, _, _):
            return _asked(looking, name), None
        case (("to-table" | "go-on"), _, _):
            return replace(looking, opened=None, asking=""), None
        case ("next-finding", _, _):
            after = ids[(ids.index(finding.id) + 1) % len(ids)]
            return replace(looking, opened=after), None
        case ("back", _, _):
            last = finding.done[-1] if finding.done else ""
            undo = _input("undo")
            return looking, (undo, undo) if last in STEP_ENTRIES else undo
        case ("reason", _, reason):
            return _sent(looking), _input("dismiss", finding=finding.id, reason=reason)
        case ("no", _, _):
            return _sent(looking), _input("dismiss", finding=finding.id, reason=ANSWERED_NO)
        case ("out", _, _):
            return _asked(looking, ""), tuple(_seat(seat, "empty") for seat in finding.seats)
        case ("yes", _, _):
            return _sent(looking), _input("confirm", finding=finding.id)
        case ("done", _, _) if at < len(finding.ruling.steps):
            step = finding.ruling.steps[at].id
            ticked = _input("done", finding=finding.id, step=step)
            entry = STEP_ENTRIES.get(step)
            if entry == "misdeal" and view is not None and not view.dealer_misdeals:
                return replace(looking, calling=True), _input("call-floor")
            if entry == "misdeal":
                return _sent(looking), _input(entry)
            return _sent(looking), ticked if entry is None else (_input(entry), ticked)
    return None


def _seat_picked(looking: Looking, seat: int) -> tuple[Looking, Line | None]:
    match looking.asking:
        case "":
            return replace(looking, asking="seat", seat=seat), None
        case "tabled":
            return _sent(looking), _input("tabled", seat=seat)
        case "boxed":
            return replace(looking, asking="boxed-card", seat=seat), None
    return looking, None


def _on_the_sheet(
    looking: Looking, view: TableView | None, button: str
) -> tuple[Looking, Line | None] | None:
    """What a tap on a seat's sheet does; None where the button is not the sheet's own."""
    seat = looking.seat
    seats = {} if view is None else {one.seat: one for one in view.seats}
    match button:
        case "did:all-in" if seat in seats and seats[seat].stack is not None:
            return _sent(looking), _press(seat, "all-in")
        case "exposed":
            return replace(looking, asking="exposed-card"), None
        case "away":
            back = view is not None and seat in view.absent
            return _asked(looking, ""), _seat(seat, "present" if back else "absent")
        case "seat-out":
            back = view is not None and seat in view.gone
            return _asked(looking, ""), _seat(seat, "seated" if back else "empty")
        case "clock" | "tabled":
            return _sent(looking), _input(button, seat=seat)
    return None


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
        case ["usual", amount]:
            return _sent(looking), _press(looking.seat, looking.act, amount=int(amount))
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


def _input(entry: str, **fields: object) -> Line:
    return {"kind": "dealer", "input": entry, **fields}


def _press(seat: int, act: str, **fields: object) -> Line:
    return {"kind": "press", "seat": seat, "button": act, "by": "dealer", **fields}


def _seat(seat: int, status: str) -> Line:
    return {"kind": "seat", "seat": seat, "status": status}


def _comer(move: MoveView) -> Line:
    return {**_seat(move.seat or 0, "seated"), "player": move.player}


def _asked(looking: Looking, asking: Asking) -> Looking:
    return replace(looking, asking=asking, seat=0, act="", typed="", wager=NOTHING_SEEN)


def _sent(looking: Looking) -> Looking:
    return replace(_asked(looking, ""), undoable=True)
