"""Board and seats, with the next step in words above them."""

from __future__ import annotations

from msgspec.structs import replace

from controller.cards import is_joker
from controller.view import SeatView, TableView
from display.dealer.connection import Connection, lost_words
from display.dealer.finding_card import PRIORITY_STYLES, headline
from display.dealer.layout import Frame
from display.dealer.looking import Asking, Looking, in_order
from display.dealer.screen import Button, Face, Label, Panel, Plate, Screen
from display.dealer.texts import Texts
from display.dealer.theme import StyleName


def table_picture(
    view: TableView | None, looking: Looking, connection: Connection, texts: Texts
) -> Screen:
    """Return the next step in big words and a note of what is open; `with_table` adds the rest."""
    findings = in_order(view)
    frame = Frame(mode="table", seats=max(looking.seats, 6), note=bool(findings))
    style: StyleName = "lost" if connection.cause else "banner"
    text = _prompt(view, texts)
    short = ""
    if connection.cause:
        short = lost_words(connection, texts)
        text = f"{short}\n{texts('lost-help')}"
    banner = Label("banner", text, style, "prompt", centred=True, framed=True, other=short)
    if not findings:
        return Screen(frame=frame, labels=(banner,))
    worst = findings[0]
    words = headline(worst, texts)
    if len(findings) > 1:
        words = f"{words}\n{texts('more', count=len(findings))}"
    note = Button(
        "note", words, PRIORITY_STYLES[worst.priority], role="text", priority=worst.priority
    )
    return Screen(frame=frame, labels=(banner,), buttons=(note,))


def seat_question(view: TableView | None, looking: Looking, texts: Texts) -> Screen:
    """Return the question which seat it is; it is answered by a tap on the seat."""
    asks = ("elsewhere", "cancel") if looking.asking == "boxed" else ("cancel",)
    frame = Frame(mode="table", seats=max(looking.seats, 6), asks=asks)
    question = texts(f"{looking.asking}-who")
    banner = Label("banner", question, "banner", "prompt", centred=True, framed=True)
    seats = view.seats if view is not None else ()
    picks = tuple(
        Button(f"pick-seat:{seat.seat}", "") for seat in seats if _may_be(seat, looking.asking)
    )
    answers = tuple(Button(name, texts(name), role="title") for name in asks)
    return Screen(frame=frame, labels=(banner,), buttons=(*picks, *answers))


def _may_be(seat: SeatView, asking: Asking) -> bool:
    match asking:
        case "tabled":
            return seat.state in ("live", "all-in") and not seat.tabled
        case "clock" | "act":
            return seat.state == "live"
    return seat.state != "out"


def _prompt(view: TableView | None, texts: Texts) -> str:
    if view is None:
        return ""
    if prompt := texts.prompt(view):
        return prompt
    if view.to_act is not None:
        return f"{texts('seat', seat=view.to_act)}: {texts('to-act')}"
    return texts(f"phase-{view.phase or 'none'}")


def with_table(
    screen: Screen, view: TableView | None, texts: Texts, connection: Connection
) -> Screen:
    """Return `screen` with board and seats, which regions it has for them."""
    board = view.board if view is not None else ()
    faces = tuple(
        _face(f"board:{n + 1}", board[n] if n < len(board) else "", texts)
        for n in range(screen.frame.places)
    )
    seats = {seat.seat: seat for seat in view.seats} if view is not None else {}
    plates = tuple(
        _plate(number, seats.get(number), view, texts, stale=bool(connection.cause))
        for number in range(1, screen.frame.seats + 1)
    )
    if screen.frame.asks:
        picks = {button.id for button in screen.buttons}
        plates = tuple(_pickable(plate, f"pick-{plate.region}" in picks) for plate in plates)
    labels = screen.labels
    if view is not None and view.pot is not None:
        pot = texts("pot", amount=texts.number(view.pot))
        labels += (Label("pot", pot, "felt", "title", centred=True),)
    if view is not None and screen.frame.mode == "finding":
        prompt = _prompt(view, texts)
        labels += (Label("banner-side", prompt, "felt", "advice", centred=True),)
    return replace(
        screen,
        panels=(Panel("felt", "felt"), *screen.panels),
        faces=faces,
        plates=plates,
        labels=labels,
        hatched=("table",) if connection.cause else (),
    )


def _face(region: str, code: str, texts: Texts) -> Face:
    if not code:
        return Face(region)
    if is_joker(code):
        return Face(region, texts("joker"))
    rank, suit = code[0], code[1:]
    return Face(region, "10" if rank == "T" else rank, suit, texts.named("suit", suit))


def _plate(
    number: int, seat: SeatView | None, view: TableView | None, texts: Texts, *, stale: bool
) -> Plate:
    region = f"seat:{number}"
    puck = texts("puck") if view is not None and view.button == number else ""
    if view is None or seat is None:
        return Plate(region, number, "plate-folded", puck=puck)
    turn = view.to_act == number
    styles: dict[str, StyleName] = {
        "live": "plate-turn" if turn else "plate",
        "all-in": "plate-all-in",
        "folded": "plate-folded",
        "out": "plate-folded",
    }
    word = texts(seat.state)
    if turn:
        word = texts("to-act")
    elif seat.state == "live" and seat.last_action:
        word = texts.named("action", seat.last_action)
    return Plate(
        region,
        number,
        "plate-folded" if stale else styles[seat.state],
        name=seat.player or "",
        word=word,
        bet=texts.number(seat.bet) if seat.bet else "",
        stack=texts.number(seat.stack) if seat.stack is not None else "",
        puck=puck,
        turn=turn and not stale,
        faces=tuple(_face(region, code, texts) for code in seat.tabled[:2]),
    )


def _pickable(plate: Plate, may_be: bool) -> Plate:
    return replace(plate, style="plate-pick" if may_be else "plate-folded", turn=False)
