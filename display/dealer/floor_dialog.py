"""What a floorperson is asked at the dealer's screen: who, the PIN, and the ruling."""

from __future__ import annotations

from controller.contract.view import BETWEEN_HANDS, FindingView, TableView
from display.dealer.floor_taps import choices, is_whole, pages
from display.dealer.looking import Looking, opened
from display.dealer.screen import Button
from display.dealer.texts import Texts
from display.dealer.theme import StyleName

LONGEST_NAME = 16
DOT = "•"

Rows = tuple[tuple[Button, ...], ...]


def floor_dialog(view: TableView | None, looking: Looking, texts: Texts) -> tuple[str, Rows]:
    """Return the question and its answers."""
    if view is None:
        return "", ()
    match looking.asking:
        case "floor":
            names = [
                Button(f"pick-floor:{number}", short(name), role="text")
                for number, name in enumerate(view.floor_names)
            ]
            return texts("floor-who"), _in_rows(names)
        case "floor-pin":
            return _pin_title(view, looking, texts), _pad(view, looking, texts)
        case "floor-rule":
            finding = opened(view, looking)
            return texts("floor-rule-title"), () if finding is None else _outcomes(
                finding, looking, texts
            )
    return texts("floor-in", name=short(view.floor_in or "")), _in_rows(list(_desk(view, texts)))


def short(name: str) -> str:
    """Return as much of a name as there is room for."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def _pin_title(view: TableView, looking: Looking, texts: Texts) -> str:
    if view.floor_wait is not None:
        return texts("floor-wait")
    if looking.typed:
        return texts("floor-pin", name=short(looking.floor_name), dots=DOT * len(looking.typed))
    if view.floor_wrong > looking.wrong:
        return texts("floor-wrong")
    return texts("floor-pin", name=short(looking.floor_name), dots=texts("nothing-typed"))


def _pad(view: TableView, looking: Looking, texts: Texts) -> Rows:
    """The digits; dead while no PIN is taken."""
    on = view.floor_wait is None

    def keys(digits: str) -> tuple[Button, ...]:
        return tuple(Button(f"key:{one}", one, enabled=on, role="prompt") for one in digits)

    erase = Button("erase", texts("erase"), enabled=on and bool(looking.typed), role="text")
    enter = Button("enter", texts("enter"), "main", enabled=on and is_whole(looking), role="text")
    return (*keys("12345"), erase), (*keys("67890"), enter)


def _outcomes(finding: FindingView, looking: Looking, texts: Texts) -> Rows:
    """The book's own outcome first; a page more where they do not all fit."""
    ruling = finding.ruling
    books = {ruling.outcome: ruling.rulebook}
    if ruling.advisory is not None:
        books.setdefault(ruling.advisory.outcome, ruling.advisory.rulebook)

    def button(outcome: str) -> Button:
        words, name = texts(f"outcome-{outcome}"), f"floor-outcome:{outcome}"
        if outcome in books:
            words = f"{texts.named('book', books[outcome])}:\n{words}"
        style: StyleName = "main" if outcome == ruling.outcome else "button"
        if outcome == "misdeal":
            name = "floor-misdeal"
        return Button(name, words, style, role="text")

    first, more = pages(finding)
    if looking.page:
        back = Button("floor-page:0", texts("back"), role="text")
        return _in_rows([*map(button, more), back])
    last = [Button("floor-dismiss", texts("dismiss"), role="text")]
    if "misdeal" not in choices(finding):
        last.insert(0, Button("floor-misdeal", texts("misdeal"), "danger", role="text"))
    last.append(Button("floor-page:1", texts("floor-others"), role="text"))
    return _in_rows([*map(button, first), *last])


def _desk(view: TableView, texts: Texts) -> tuple[Button, ...]:
    running = view.phase not in BETWEEN_HANDS
    return (
        Button("floor-rule", texts("floor-rule"), "main", bool(view.findings), role="entry"),
        Button("floor-misdeal", texts("misdeal"), "danger", running, role="entry"),
        Button(
            "floor-clock-cancel",
            texts("clock-cancel"),
            enabled=view.clock is not None,
            role="entry",
        ),
        Button("naming", texts("naming"), enabled=not running, role="entry"),
        Button("floor-sign-out", texts("floor-sign-out"), role="entry"),
    )


def _in_rows(buttons: list[Button]) -> Rows:
    return tuple(tuple(buttons[at : at + 4]) for at in range(0, len(buttons), 4))
