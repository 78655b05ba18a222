"""What the screen asks before it sends: why dismissed, which card, how much, who deals."""

from __future__ import annotations

from collections.abc import Mapping

from controller.contract.view import BETWEEN_HANDS, TableView
from display.dealer import passing
from display.dealer.connection import Connection, faults, reader_words, silent_words
from display.dealer.finding_card import why_words
from display.dealer.floor_dialog import floor_dialog
from display.dealer.floor_taps import may_sign_in
from display.dealer.layout import Above, Frame
from display.dealer.looking import REASONS, Looking, name_typed, opened
from display.dealer.rule_dialog import rule_dialog
from display.dealer.rule_taps import OF_THE_RULES
from display.dealer.screen import Asked, Button, Label, Panel, Role, Screen
from display.dealer.texts import Texts
from display.dealer.wager_dialog import wager_dialog
from display.dealer.wager_taps import OF_A_WAGER

_ALSO_BELOW = {"next-hand": "new-hand", "award-now": "award"}
"""Entries that stand at the lower edge at their usual moment."""
MENU = ("next-hand", "award-now", "boxed", "reshuffled", "unwatched", "sign-in")
ACTS = ("fold", "check", "call", "all-in", "bet", "raise")
BETTING = ("preflop", "flop", "turn", "river")

_FEW = 9
_MOST_SILENT = 5
Rows = tuple[tuple[Button, ...], ...]


def dialog(
    view: TableView | None,
    looking: Looking,
    connection: Connection,
    texts: Texts,
    languages: Mapping[str, str],
    *,
    t: float = 0.0,
) -> Screen:
    """Return the question that `looking.asking` names, with its answers as big buttons. `t` is
    the table's time."""
    title, text, cancel = "", "", True
    rows: Rows = ()
    match looking.asking:
        case "misdeal" | "unwatched" | "sensors" | "naming" as name:
            title, cancel = texts(f"{name}-sure"), False
            rows = (
                (
                    Button(f"{name}-yes", texts(f"{name}-yes"), "danger", role="entry"),
                    Button(f"{name}-no", texts(f"{name}-no"), role="entry"),
                ),
            )
        case "dismiss":
            title = texts("dismiss-why")
            rows = (_answers("reason", REASONS, "reason", texts),)
        case "language":
            title = texts("choose-language")
            rows = (
                tuple(
                    Button(f"pick-language:{one}", name, role="entry")
                    for one, name in languages.items()
                ),
            )
        case "deck":
            title, rows = texts("deck-title"), _decks(view)
        case "why":
            finding = opened(view, looking)
            title, text = why_words(finding, texts) if finding is not None else ("", "")
            rows = ((Button("all-rules", texts("all-rules"), role="entry"),),)
        case "more":
            title, rows = texts("more-title"), _menu(view, looking, texts)
        case "floor" | "floor-pin" | "floor-rule" | "floor-desk":
            title, rows = floor_dialog(view, looking, texts)
        case "exposed-card":
            title = texts("exposed-which", seat=looking.seat)
            rows = tuple(
                tuple(_card(nth, cause, texts) for nth in (1, 2)) for cause in ("dealer", "player")
            )
        case "boxed-card":
            title = texts("boxed-which", seat=looking.seat)
            rows = (_answers("card", ("1", "2"), "nth", texts),)
        case "seat":
            title, rows = _sheet(view, looking, texts)
        case asking if asking in OF_A_WAGER:
            return _asked(wager_dialog(view, looking, texts), texts)
        case asking if asking in OF_THE_RULES:
            return _asked(rule_dialog(view, looking, texts), texts)
        case "amount":
            amount = texts.number(int(looking.typed)) if looking.typed else texts("nothing-typed")
            act = texts(f"did-{looking.act}").removesuffix("…").rstrip()
            title = texts("amount-title", seat=looking.seat, action=act, amount=amount)
            rows = (*_digits(looking, texts), *_usual(view, looking, texts))
        case "sign-in":
            typed = name_typed(looking) or texts("nothing-typed")
            title, rows = texts("sign-in-title", name=typed), _letters(looking, texts)
            if view is not None and view.dealer and not looking.typed:
                title = texts("sign-in-now", dealer=view.dealer)
        case _:
            down, silent = _down(view, connection, texts, t), _silent(view, texts)
            soundless = (texts("no-sound"),) if looking.soundless else ()
            title = texts("links-title" if down else "links-well")
            text = "\n".join((*down, *reader_words(view, texts), *silent, *soundless))
    return _asked(Asked(title, rows, text=text), texts, cancel=cancel)


def _asked(asked: Asked, texts: Texts, *, cancel: bool = True) -> Screen:
    """The dialog on the screen."""
    labels = [Label("dialog-title", asked.title, "panel", "entry")]
    above: Above = "answer" if asked.main else "text" if asked.text else ""
    if asked.main:
        labels.append(Label("dialog-main", asked.main, "panel", "step"))
    if asked.text:
        role: Role = "entry" if asked.flows or asked.text.count("\n") < _FEW else "text"
        labels.append(Label("dialog-text", asked.text, "panel", role, flows=asked.flows))
    buttons = tuple(button for row in asked.rows for button in row)
    if cancel:
        buttons += (Button("cancel", asked.cancel or texts("cancel"), role="entry"),)
    ids = tuple(tuple(button.id for button in row) for row in asked.rows)
    return Screen(
        frame=Frame(mode="dialog", rows=ids, above=above, keys=asked.keys),
        panels=(Panel("dialog", "panel"),),
        labels=tuple(labels),
        buttons=buttons,
    )


def _down(
    view: TableView | None, connection: Connection, texts: Texts, t: float
) -> tuple[str, ...]:
    """Return what is not well."""
    no_room = passing.room(view, t, texts)
    return (*((no_room,) if no_room else ()), *faults(view, connection, texts))


def _silent(view: TableView | None, texts: Texts) -> tuple[str, ...]:
    """Return what is silent until when, as far as there is room."""
    silent = silent_words(view, texts)
    more = len(silent) - _MOST_SILENT
    return (
        *silent[:_MOST_SILENT],
        *((texts("silent-more", count=more),) if more > 0 else ()),
    )


def _answers(group: str, values: tuple[str, ...], key: str, texts: Texts) -> tuple[Button, ...]:
    return tuple(
        Button(f"{group}:{value}", texts(f"{key}-{value}"), role="entry") for value in values
    )


def _card(nth: int, cause: str, texts: Texts) -> Button:
    words = f"{texts(f'nth-{nth}')}\n{texts(f'by-{cause}')}"
    return Button(f"card:{nth}:{cause}", words, role="entry")


def _menu(view: TableView | None, looking: Looking, texts: Texts) -> Rows:
    phase = view.phase if view is not None else None
    running = phase not in BETWEEN_HANDS
    enabled = dict.fromkeys(MENU, running) | {
        "next-hand": phase == "showdown",
        "award-now": phase in BETTING and view is not None and view.to_act is None,
        "sign-in": True,
    }
    buttons = [
        Button(
            name,
            texts(_ALSO_BELOW.get(name, name)),
            "caution" if name == "unwatched" else "button",
            enabled[name],
            role="entry",
        )
        for name in MENU
    ]
    if view is not None and len(view.decks) > 1 and not running:
        # Nothing is reshuffled between hands: one place does for both, and there are twelve.
        deck = Button("deck", texts("deck"), role="entry")
        buttons = [deck if one.id == "reshuffled" else one for one in buttons]
    if view is not None:
        name = "close" if view.is_open else "open"
        buttons.append(Button(name, texts(name), enabled=not running, role="entry"))
    on = view is None or view.sensors
    words = texts("sensors" if on else "sensors-on")
    learns = view is not None and view.learner
    buttons += [
        Button("learner", texts("learner-off" if learns else "learner"), role="entry"),
        Button("mute", texts("unmute" if looking.muted else "mute"), role="entry"),
        Button("sensors", words, "caution" if on else "main", role="entry"),
    ]
    if may_sign_in(view):
        buttons.append(Button("floor", texts("floor"), "floor", role="entry"))
    buttons.append(Button("all-rules", texts("all-rules"), role="entry"))
    return tuple(tuple(buttons[at : at + 4]) for at in range(0, len(buttons), 4))


def _sheet(view: TableView | None, looking: Looking, texts: Texts) -> tuple[str, Rows]:
    """All that can be entered of one seat."""
    found = [one for one in view.seats if one.seat == looking.seat] if view is not None else []
    if view is None or not found:
        return texts("seat", seat=looking.seat), ()
    seat, betting = found[0], view.phase in BETTING
    title = [texts("seat", seat=seat.seat), *([seat.player] if seat.player else [])]
    if seat.seat in view.unpressed:
        taken_for = dict(view.taken_for).get(seat.seat)
        title.append(texts(f"unpressed-{taken_for}" if taken_for else "unpressed"))
    may_act = betting and (seat.state == "live" or is_in_doubt(view, seat.seat))
    may_ask = betting and seat.state == "live" and view.to_act is not None and not view.findings
    acts = [
        Button(one.id, one.label, enabled=may_act, role="entry")
        for one in _answers("did", ACTS, "did", texts)
    ]
    running = view.phase not in BETWEEN_HANDS
    away = texts("back-again" if seat.seat in view.absent else "away-now")
    out = "not-out" if seat.seat in view.gone else "is-out"
    may_table = view.phase == "showdown" and seat.state in ("live", "all-in") and not seat.tabled
    has_cards = running and seat.state != "out"
    buttons = (
        *acts,
        Button("exposed", texts("exposed"), enabled=has_cards, role="entry"),
        Button("tabled", texts("tabled"), "main", role="entry")
        if may_table
        else Button("clock", texts("clock"), enabled=may_act, role="entry"),
        Button("away", away, role="entry"),
        Button("seat-out", texts(out), enabled=not running, role="entry"),
        Button("what-is-it", texts("what-is-it"), enabled=may_ask, role="entry"),
    )
    return " · ".join(title), (buttons[:4], buttons[4:8], buttons[8:])


def is_in_doubt(view: TableView, seat: int) -> bool:
    """Whether a seat may be out, or may have folded or not: what it did may be entered."""
    return seat in view.absent or any(seat in finding.seats for finding in view.findings)


def _decks(view: TableView | None) -> Rows:
    """The decks by name; the one in play is there already, and none changes during a hand."""
    if view is None:
        return ()
    idle = view.phase in BETWEEN_HANDS
    buttons = [
        Button(f"pick-deck:{name}", name, enabled=idle and name != view.deck, role="entry")
        for name in view.decks
    ]
    return tuple(tuple(buttons[at : at + 4]) for at in range(0, len(buttons), 4))


def _digits(looking: Looking, texts: Texts) -> Rows:
    def keys(*names: str) -> tuple[Button, ...]:
        return tuple(Button(f"key:{name}", name, role="prompt") for name in names)

    return (
        (*keys("1", "2", "3", "4", "5"), _erase(looking, texts), _no_amount(texts)),
        (*keys("6", "7", "8", "9", "0", "00"), _enter(looking, texts)),
    )


def _usual(view: TableView | None, looking: Looking, texts: Texts) -> Rows:
    """The least that the seat to act may bet or raise to, and twice and three times that."""
    price = view.price if view is not None else None
    if price is None or price.seat != looking.seat or price.least is None:
        return ()
    if looking.act not in ("bet", "raise"):
        return ()
    amounts = [price.least * times for times in (1, 2, 3)]
    return (tuple(Button(f"usual:{one}", texts.number(one), role="title") for one in amounts),)


def _letters(looking: Looking, texts: Texts) -> Rows:
    rows = [
        tuple(Button(f"key:{letter}", letter, role="title") for letter in row)
        for row in texts("letters").split()
    ]
    rows[1] += (_erase(looking, texts),)
    rows[-1] += (Button("key:space", texts("space"), role="text"), _enter(looking, texts))
    return tuple(rows)


def _no_amount(texts: Texts) -> Button:
    return Button("no-amount", texts("no-amount"), role="entry")


def _erase(looking: Looking, texts: Texts) -> Button:
    return Button("erase", texts("erase"), enabled=bool(looking.typed), role="text")


def _enter(looking: Looking, texts: Texts) -> Button:
    return Button("enter", texts("enter"), "main", enabled=bool(looking.typed), role="entry")
