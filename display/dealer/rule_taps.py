"""What a tap does while the rules are looked up: words are typed, a rule is read, and the way back.
Pure, and nothing of it is told to the table."""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.looking import Asking, Looking, Place, opened

TYPED: frozenset[Asking] = frozenset(("rules", "rules-number"))
OF_THE_RULES: frozenset[Asking] = TYPED | {"rules-found", "rule"}
LONGEST_WORDS = 30
_OTHER_KEYS: dict[Asking, Asking] = {"rules": "rules-number", "rules-number": "rules"}


def tapped_in_rules(looking: Looking, view: TableView | None, button: str) -> Looking | None:
    """Return the next state; None where the button is not of this."""
    name, _, value = button.partition(":")
    if name == "all-rules" and looking.asking in ("why", "more"):
        finding = opened(view, looking) if looking.asking == "why" else None
        prompt = view.prompt_id if view is not None else ""
        first = Place("rules", code=prompt if finding is None else finding.code)
        return _at(replace(looking, trail=(Place(looking.asking),)), first)
    if looking.asking not in OF_THE_RULES:
        return None
    match name:
        case "cancel":
            return _back(looking, view)
        case "other-keys" if looking.asking in TYPED:
            return replace(looking, asking=_OTHER_KEYS[looking.asking])
        case "all-found":
            return _on(looking, Place("rules-found", looking.typed, looking.code))
        case "behind":
            return _on(looking, Place("rules-found", code=value))
        case "rule":
            return _on(looking, Place("rule", rule=value))
        case "page":
            return replace(looking, page=int(value))
    return None


def _on(looking: Looking, place: Place) -> Looking:
    here = Place(looking.asking, looking.typed, looking.code, looking.rule, looking.page)
    return _at(replace(looking, trail=(*looking.trail, here)), place)


def _back(looking: Looking, view: TableView | None) -> Looking:
    *before, place = looking.trail or (Place(""),)
    if place.asking == "why" and opened(view, looking) is None:
        place = Place("")
    return _at(replace(looking, trail=tuple(before)), place)


def _at(looking: Looking, place: Place) -> Looking:
    return replace(
        looking,
        asking=place.asking,
        typed=place.typed,
        code=place.code,
        rule=place.rule,
        page=place.page,
    )
