"""What the dealer is looking at: which finding, which of its steps, which question.

Pure: `arrived` takes in a new view, `tapped` a tap on a button, `lost` a lost connection,
and each returns the next state. It is the screen's own memory; what the table knows is in the view.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.view import FindingView, TableView

Asking = Literal["", "tabled", "dismiss", "misdeal", "links", "language"]
Line = dict[str, Any]

REASONS = ("misread", "floor-decided", "other")
ANSWERED_NO = "answered-no"


class Looking(Struct, frozen=True):
    """The state of the screen itself.

    `opened` is the finding whose card is shown, `met` the states of findings that have
    opened by themselves already, `done` the ids of the steps done of each finding.
    `floor_at` is when the floor's state was first seen, `seats` the highest seat seen.
    """

    opened: int | None = None
    met: frozenset[tuple[int, int, str]] = frozenset()
    done: Mapping[int, tuple[str, ...]] = {}
    advisory: int = 0
    asking: Asking = ""
    calling: bool = False
    floor_at: float | None = None
    undoable: bool = False
    seats: int = 0
    language: str | None = None


def in_order(view: TableView | None) -> tuple[FindingView, ...]:
    """Return the open findings, the worst first, then the oldest."""
    if view is None:
        return ()
    return tuple(sorted(view.findings, key=lambda finding: (finding.priority, finding.id)))


def opened(view: TableView | None, looking: Looking) -> FindingView | None:
    """Return the finding whose card is shown."""
    return next((one for one in in_order(view) if one.id == looking.opened), None)


def position(finding: FindingView, looking: Looking) -> int:
    """Return the index of the step to be done next; the number of steps when all are.

    When a ruling changes, the steps that it has in common with the old one stay done.
    """
    done = looking.done.get(finding.id, ())
    same = takewhile(
        lambda pair: pair[0].id == pair[1], zip(finding.ruling.steps, done, strict=False)
    )
    return len(list(same))


def is_question(finding: FindingView, at: int) -> bool:
    """Tell whether the step at index `at` is the question of a doubtful finding."""
    steps = finding.ruling.steps
    return finding.basis == "unseen" and at == 0 and steps[0].id.startswith("ask-")


def arrived(looking: Looking, old: TableView | None, view: TableView, now: float) -> Looking:
    """Take in a new view. A finding of priority 1 or 2 opens its card by itself, once."""
    findings = in_order(view)
    states = frozenset((one.id, one.priority, one.basis) for one in findings)
    current = opened(view, looking)
    shown = current.id if current is not None else None
    for one in findings:
        is_new = (one.id, one.priority, one.basis) not in looking.met
        if one.priority < 3 and is_new and (current is None or one.priority < current.priority):
            shown = one.id
            break
    if shown is None and looking.opened is not None:
        shown = next((one.id for one in findings if one.priority < 3), None)
    asking = looking.asking
    same_hand = old is not None and (old.hand, old.phase) == (view.hand, view.phase)
    if (asking == "dismiss" and shown != looking.opened) or (
        asking in ("misdeal", "tabled") and not same_hand
    ):
        asking = ""
    floor_at = looking.floor_at
    if old is None or old.floor != view.floor:
        floor_at = now if view.floor else None
    numbers = [seat.seat for seat in view.seats]
    return msgspec.structs.replace(
        looking,
        opened=shown,
        met=states,
        done={one.id: looking.done[one.id] for one in findings if one.id in looking.done},
        advisory=looking.advisory if shown == looking.opened else 0,
        asking=asking,
        calling=looking.calling and not view.floor,
        floor_at=floor_at,
        undoable=looking.undoable and old is not None and old.hand == view.hand,
        seats=max(looking.seats, view.button, *numbers),
    )


def lost(looking: Looking) -> Looking:
    """Take in that the connection is gone: a call for the floor may not have arrived."""
    return msgspec.structs.replace(looking, calling=False)


def tapped(looking: Looking, view: TableView | None, button: str) -> tuple[Looking, Line | None]:
    """Return the next state and the line for the table, if the tap on `button` has one."""
    change = msgspec.structs.replace
    finding = opened(view, looking)
    ids = [one.id for one in in_order(view)]
    match button.partition(":"):
        case ("call-floor", _, _):
            return change(looking, calling=True), _input("call-floor")
        case ("new-hand", _, _):
            return change(looking, undoable=True), {"kind": "riffle"}
        case (("round-closed" | "award") as name, _, _):
            return change(looking, undoable=True), _input(name)
        case (("tabled" | "misdeal" | "dismiss" | "links" | "language") as name, "", _):
            return change(looking, asking=name), None
        case ("undo", _, _):
            return change(looking, undoable=False), _input("undo")
        case (("cancel" | "misdeal-no"), _, _):
            return change(looking, asking=""), None
        case ("pick-seat", _, seat):
            return _close_asking(looking), _input("tabled", seat=int(seat))
        case ("misdeal-yes", _, _):
            return _close_asking(looking), _input("misdeal")
        case ("pick-language", _, name):
            return change(looking, asking="", language=name), None
        case ("note", _, _) if ids:
            return change(looking, opened=ids[0], advisory=0), None
        case ("to-table", _, _):
            return change(looking, opened=None, asking=""), None
        case ("next-finding", _, _) if finding is not None:
            after = ids[(ids.index(finding.id) + 1) % len(ids)]
            return change(looking, opened=after, advisory=0), None
        case ("advisory", _, _) if finding is not None and finding.ruling.advisory is not None:
            turn = (looking.advisory + 1) % len(finding.ruling.advisory.steps)
            return change(looking, advisory=turn), None
        case ("back", _, _) if finding is not None:
            return _with_done(looking, finding, position(finding, looking) - 1), None
        case ("reason", _, reason) if finding is not None:
            line = _input("dismiss", finding=finding.id, reason=reason)
            return _close_asking(looking), line
        case ("no", _, _) if finding is not None:
            line = _input("dismiss", finding=finding.id, reason=ANSWERED_NO)
            return change(looking, undoable=True), line
        case ("yes", _, _) if finding is not None:
            state = change(_with_done(looking, finding, 1), undoable=True)
            return state, _input("confirm", finding=finding.id)
        case ("done", _, _) if finding is not None:
            at = position(finding, looking)
            state = change(_with_done(looking, finding, at + 1), undoable=True)
            return state, _input("done", finding=finding.id, step=finding.ruling.steps[at].id)
    return looking, None


def _input(name: str, **fields: object) -> Line:
    return {"kind": "dealer", "input": name, **fields}


def _close_asking(looking: Looking) -> Looking:
    return msgspec.structs.replace(looking, asking="", undoable=True)


def _with_done(looking: Looking, finding: FindingView, count: int) -> Looking:
    ids = tuple(step.id for step in finding.ruling.steps[:count])
    return msgspec.structs.replace(looking, done={**looking.done, finding.id: ids})
