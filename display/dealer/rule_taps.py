"""What a tap does while the rules are looked up: words are typed, a rule is read, and the way back.
Pure, and nothing of it is told to the table."""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.looking import Asking, Looking, Place, opened
from display.dealer.wager_taps import answer_to, cited

TYPED: frozenset[Asking] = frozenset(("rules", "rules-number"))
OF_THE_RULES: frozenset[Asking] = TYPED | {"rules-found", "rule"}
LONGEST_WORDS = 30
_ABOUT_SOMETHING = ("why", "wager-why")
_OTHER_KEYS: dict[Asking, Asking] = {"rules": "rules-number", "rules-number": "rules"}


def tapped_in_rules(looking: Looking, view: TableView | None, button: str) -> Looking | None:
    """Return the next state; None where the button is not of this."""
    name, _, value = button.partition(":")
    if name == "all-rules" and looking.asking in ("why", "wager-why", "more"):
        first = Place("rules", code=_asked_about(looking, view))
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


def _asked_about(looking: Looking, view: TableView | None) -> str:
    """What there are rules behind: a finding or a prompt, or an answer's own."""
    finding, answer = opened(view, looking), answer_to(looking, view)
    match looking.asking:
        case "why" if finding is not None:
            return finding.code
        case "wager-why" if answer is not None:
            return " ".join(cited(answer))
        case "more" if view is not None:
            return view.prompt_id
    return ""


def _on(looking: Looking, place: Place) -> Looking:
    here = Place(looking.asking, looking.typed, looking.code, looking.rule, looking.page)
    return _at(replace(looking, trail=(*looking.trail, here)), place)


def _back(looking: Looking, view: TableView | None) -> Looking:
    *before, place = looking.trail or (Place(""),)
    if place.asking in _ABOUT_SOMETHING and not _asked_about(_at(looking, place), view):
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
