"""What a floorperson's taps do at the dealer's screen: sign in by PIN, rule, sign out. Pure.

Who decides is the table's affair: a ruling is sent without a name.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from controller.contract.events import rulable
from controller.contract.view import FindingView, TableView
from controller.people.pins import LONGEST_PIN, SHORTEST_PIN
from display.dealer.looking import Asking, Looking

_ON_A_PAGE = 9


def may_sign_in(view: TableView | None) -> bool:
    """Tell whether a floorperson is there, or could type a PIN."""
    return view is not None and bool(view.floor_names or view.floor_in)


def tapped_by_floor(
    looking: Looking, view: TableView, finding: FindingView | None, button: str
) -> tuple[Looking, dict[str, Any] | None] | None:
    """Return what a tap of the floor's does; None where the button is none of the floor's."""
    match button.partition(":"):
        case ("floor", _, _):
            return _begun(looking, view, finding), None
        case ("call-floor" | "floor-sign-in", _, _) if view.floor_in is not None:
            return _asking(looking, "floor-desk"), None
        case ("pick-floor", _, number) if int(number) < len(view.floor_names):
            named = _asking(looking, "floor-pin")
            who = view.floor_names[int(number)]
            return replace(named, floor_name=who, wrong=view.floor_wrong), None
        case ("key", _, digit) if looking.asking == "floor-pin":
            return replace(looking, typed=(looking.typed + digit)[:LONGEST_PIN]), None
        case ("enter", _, _) if looking.asking == "floor-pin" and is_whole(looking):
            line = {"kind": "floor-login", "name": looking.floor_name, "pin": looking.typed}
            return replace(looking, typed="", wrong=view.floor_wrong), line
        case ("floor-sign-out", _, _):
            return _asking(looking, ""), {"kind": "floor-logout"}
        case ("floor-rule", _, _):
            first = min(view.findings, key=lambda one: (one.priority, one.id), default=None)
            shown = finding or first
            if shown is not None:
                return replace(_asking(looking, "floor-rule"), opened=shown.id), None
        case ("floor-page", _, page):
            return replace(looking, page=int(page)), None
        case ("floor-outcome", _, outcome) if finding is not None:
            return _asking(looking, ""), _floor("ruling", finding=finding.id, outcome=outcome)
        case ("floor-dismiss", _, _) if finding is not None:
            return _asking(looking, ""), _floor("dismiss", finding=finding.id)
        case (("floor-misdeal" | "floor-clock-cancel") as name, _, _):
            return _asking(looking, ""), _floor(name.removeprefix("floor-"))
    return None


def is_whole(looking: Looking) -> bool:
    """Tell whether a PIN can be as short as what has been typed."""
    return len(looking.typed) >= SHORTEST_PIN


def floor_arrived(looking: Looking, view: TableView) -> Looking:
    """Take in who is signed in: then there is no PIN to be asked for, or nothing to decide."""
    if looking.asking in ("floor", "floor-pin") and view.floor_in is not None:
        there = any(one.id == looking.opened for one in view.findings)
        return _asking(looking, "floor-rule" if there else "floor-desk")
    if looking.asking in ("floor-rule", "floor-desk") and view.floor_in is None:
        return _asking(looking, "")
    return looking


def choices(finding: FindingView) -> tuple[str, ...]:
    """Return the outcomes that can be ruled: what the book says or is advised, then that play goes
    on, then all others."""
    first, others = rulable(finding.ruling)
    named = (first,) if first else ()
    return tuple(dict.fromkeys((*named, "stands", *others)))


def pages(finding: FindingView) -> tuple[tuple[str, ...], ...]:
    """Return the outcomes as they stand on the pages of the floor's dialog."""
    every = choices(finding)
    return every[:_ON_A_PAGE], every[_ON_A_PAGE:]


def _begun(looking: Looking, view: TableView, finding: FindingView | None) -> Looking:
    if view.floor_in is not None:
        return _asking(looking, "floor-desk" if finding is None else "floor-rule")
    if len(view.floor_names) == 1:
        alone = _asking(looking, "floor-pin")
        return replace(alone, floor_name=view.floor_names[0], wrong=view.floor_wrong)
    return _asking(looking, "floor")


def _floor(entry: str, **fields: object) -> dict[str, Any]:
    return {"kind": "floor", "input": entry, **fields}


def _asking(looking: Looking, asking: Asking) -> Looking:
    return replace(looking, asking=asking, typed="", page=0)
