"""What the screen asks before it sends: who tables, why dismissed, whether it is a misdeal."""

from __future__ import annotations

from collections.abc import Mapping

from controller.view import SeatView, TableView
from display.dealer.connection import Connection, faults
from display.dealer.layout import Frame
from display.dealer.looking import REASONS, Looking
from display.dealer.screen import Button, Label, Panel, Screen
from display.dealer.texts import Texts


def dialog(
    view: TableView | None,
    looking: Looking,
    connection: Connection,
    texts: Texts,
    languages: Mapping[str, str],
) -> Screen:
    """Return the question that `looking.asking` names, with its answers as big buttons."""
    title, text, cancel = "", "", True
    choices: tuple[Button, ...] = ()
    match looking.asking:
        case "misdeal":
            title, cancel = texts("misdeal-sure"), False
            choices = (
                Button("misdeal-yes", texts("misdeal-yes"), "danger", role="title"),
                Button("misdeal-no", texts("misdeal-no"), role="title"),
            )
        case "dismiss":
            title = texts("dismiss-why")
            choices = tuple(
                Button(f"reason:{one}", texts(f"reason-{one}"), role="title") for one in REASONS
            )
        case "tabled":
            title = texts("tabled-who")
            choices = tuple(
                Button(
                    f"pick-seat:{seat.seat}", str(seat.seat), enabled=_has_hand(seat), role="prompt"
                )
                for seat in (view.seats if view is not None else ())
            )
        case "language":
            title = texts("choose-language")
            choices = tuple(Button(f"pick-language:{one}", name) for one, name in languages.items())
        case _:
            title = texts("links-title")
            text = "\n".join(faults(view, connection, texts)) or texts("links-well")
    buttons = (*choices, Button("cancel", texts("cancel"))) if cancel else choices
    labels = [Label("dialog-title", title, "panel", "title")]
    if text:
        labels.append(Label("dialog-text", text, "panel", "title"))
    return Screen(
        frame=Frame(mode="dialog", choices=tuple(one.id for one in choices)),
        panels=(Panel("dialog", "panel"),),
        labels=tuple(labels),
        buttons=buttons,
    )


def _has_hand(seat: SeatView) -> bool:
    return seat.state in ("live", "all-in") and not seat.tabled
