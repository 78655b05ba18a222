"""Board and seats, with the next step in words above them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec.structs import replace

from controller.contract.cards import is_joker
from controller.contract.events import Pot
from controller.contract.sight import Price
from controller.contract.texts import TAKEN_OVER
from controller.contract.view import BETWEEN_HANDS, FindingView, MoveView, SeatView, TableView, Told
from display.dealer import passing
from display.dealer.connection import REFUSED, Connection, lost_words
from display.dealer.finding_card import PRIORITY_STYLES, headline, ruled_words
from display.dealer.fitting import in_parts
from display.dealer.layout import Frame
from display.dealer.looking import Asking, Looking, comers, in_order, waits
from display.dealer.screen import Button, Face, Label, Panel, Plate, Screen
from display.dealer.texts import Texts
from display.dealer.theme import StyleName

_BURN = "▮"
_MOST_BURNS = 3
_ZONES = {"board": "board", "burn": "pot"}
"""Where a zone is shown: burns are counted where the pot stands later."""
LONGEST_NAME = 12
_SHORT = {"folded": "✕", "unpressed": "?", "absent": "–", "check": "✓", "to-act": "▶"}
"""What stands for a word at a seat that has no room for it."""
MOVE_S = 5.0
"""So long one of several moves is shown."""
POT_S = 3.0
"""So long one of several pots is."""
STEP_S = 6.0
"""So long one of the steps of a race is."""
TIP_S = 6.0
"""So long one of several tips of the routine is, with all its parts."""


def table_picture(
    view: TableView | None,
    looking: Looking,
    connection: Connection,
    texts: Texts,
    t: float,
    *,
    told_s: float,
) -> Screen:
    """Return the next step in big words, or that the table is lost, and beside it a note of what is
    open, else what runs or comes; `with_table` adds the rest. `t` is the table's time, `told_s` for
    how long the routine has been told that is told now."""
    findings = in_order(view)
    frame = Frame(mode="table", seats=max(looking.seats, 6))
    banner = _banner(view, connection, texts, t)
    if connection.cause:
        again = Button("retry", texts("retry"), role="title")
        return Screen(frame=replace(frame, beside="retry"), labels=(banner,), buttons=(again,))
    if view is not None and not view.is_open:
        open_it = Button("open", texts("open"), "main", role="title")
        return Screen(frame=replace(frame, beside="open"), labels=(banner,), buttons=(open_it,))
    runs = passing.clock(view, t, texts) if view is not None else None
    if runs is not None and findings:
        banner = replace(banner, text=runs.line, style=runs.style)
    if not findings and banner.style == "banner" and is_taken_over(view):
        take_back = Button("not-so", texts("not-so"), role="title")
        return Screen(frame=replace(frame, beside="not-so"), labels=(banner,), buttons=(take_back,))
    if not findings:
        aside = _aside(view, runs, texts, t, told_s)
        panels = (Panel("aside", runs.style),) if runs is not None else ()
        frame = replace(frame, beside="aside" if aside else "")
        return Screen(frame=frame, labels=(banner, *aside), panels=panels)
    worst = findings[0]
    is_ruled = view is not None and worst in view.ruled
    words = ruled_words(view, worst, texts) if view and is_ruled else headline(worst, texts)
    if len(findings) > 1:
        title = words if is_ruled else texts.title(worst)
        words = f"{title}\n{texts('more', count=len(findings))}"
    note = Button(
        "note", words, PRIORITY_STYLES[worst.priority], role="entry", priority=worst.priority
    )
    if view is not None and waits(view, worst):
        title, word = texts.title(worst), texts("waits")
        note = Button("note", f"{word}\n{title}", "warning", role="title", others=(title, word))
    return Screen(frame=replace(frame, beside="note"), labels=(banner,), buttons=(note,))


def _banner(view: TableView | None, connection: Connection, texts: Texts, t: float) -> Label:
    """Return the next step; in its place, that the table is lost, closed or not watched."""
    style: StyleName = "banner"
    text, short = _prompt(view, texts), ""
    if connection.cause:
        why, help_ = lost_words(connection, texts), texts("lost-help")
        style, short = "lost", why if connection.cause in REFUSED else help_
        text = f"{why}\n{help_}"
    elif view is not None and not view.sensors:
        style, text = "warning", texts("manual")
    elif view is not None and not view.is_open:
        style, text = "notice", texts(_why_closed(view))
        text, short = _race(view, texts, t) or (text, "")
    elif view is not None and not view.is_watched:
        style, text = "notice", texts("watched-later")
    elif view is not None and _is_face_down(view):
        style, text = "notice", texts("together-face-down")
    elif view is not None and (rests := _rests(view)):
        style = "notice"
        text, short = _race(view, texts, t) or (texts(rests), "")
    elif view is not None and view.phase in BETWEEN_HANDS and (race := _race(view, texts, t)):
        style, (text, short) = "notice", race
    return Label("banner", text, style, "prompt", centred=True, framed=True, others=(short,))


def _race(view: TableView, texts: Texts, t: float) -> tuple[str, str] | None:
    """Return one step after the other of a race that is due, with its rules, and without them."""
    race = view.race
    if race is None or not race.steps:
        return None
    number = int(t // STEP_S) % len(race.steps)
    text_id, cites = race.steps[number]
    words = texts.told(Told(text_id, {"goes": race.goes, "into": race.into}))
    step = f"{number + 1}/{len(race.steps)} · {words}"
    return f"{step} ({', '.join(cites)})", step


def _rests(view: TableView) -> str:
    """Return why no hand is to begin once the one that was under way is over, by the room's clock;
    empty where one may."""
    if view.level is None or view.phase not in BETWEEN_HANDS:
        return ""
    if view.level.on_break:
        return "no-new-hand"
    return "clock-stopped" if view.level.stopped else ""


def _why_closed(view: TableView) -> str:
    """Return why a table deals no hand for now, as far as the room has said."""
    if comers(view):
        return "gathers"
    return "together-wait" if _is_together(view) else "table-closed"


def _is_together(view: TableView) -> bool:
    """Whether all tables of the room play one hand each, and wait for one another."""
    return view.level is not None and view.level.round is not None


def _is_face_down(view: TableView) -> bool:
    """Whether no card is dealt and no hand tabled until the floor says so."""
    return view.open_showdown and view.level is not None and view.level.face_down


def is_taken_over(view: TableView | None) -> bool:
    """Tell whether it has just been said what a deal has shown, which can be taken back."""
    return view is not None and view.prompt_id == TAKEN_OVER


def first_name(name: str) -> str:
    """Return what there is room for of a name."""
    first = name.strip().partition(" ")[0]
    return first if len(first) <= LONGEST_NAME else f"{first[: LONGEST_NAME - 1]}…"


def _aside(
    view: TableView | None, runs: passing.Clock | None, texts: Texts, t: float, told_s: float
) -> tuple[Label, ...]:
    """Return a called clock, between two hands where the button goes, or who comes and goes."""
    if runs is not None:
        return (
            Label("aside-head", runs.whose, runs.style, "strong", centred=True),
            Label("aside-main", runs.left, runs.style, "prompt", centred=True),
        )
    if view is not None and (pages := _before_next(view, texts, t)):
        return (pages[int(t // MOVE_S) % len(pages)],)
    if view is not None and (tip := _tip(view, texts, told_s)):
        return (_note(tip, told_s % TIP_S / TIP_S),)
    if view is not None and view.pots:
        words, others = _pots(view.pots, texts, t)
        one = Label("aside", words, "banner", "title", centred=True, framed=True, others=others)
        return (one,)
    if view is not None and view.price is not None and view.price.call is not None:
        words, short = _price(view.price, texts)
        one = Label("aside", words, "banner", "title", centred=True, framed=True, others=(short,))
        return (one,)
    if view is not None and view.moves:
        return (_moving(view.moves[int(t // MOVE_S) % len(view.moves)], texts),)
    if view is not None and _is_together(view):
        words = texts("together")
        return (Label("aside", words, "notice", "title", centred=True, framed=True),)
    return ()


def _before_next(view: TableView, texts: Texts, t: float) -> tuple[Label, ...]:
    """Return what is to be known before the next hand, one after the other: where the button goes,
    who comes and goes, and what the room's clock makes of the time."""
    note, seat = _from_room(view, texts, t), _comes(view)
    if not note and seat is None:
        return ()
    words = () if seat is None else (texts("button-to", seat=seat),)
    return (
        *(Label("aside", w, "banner", "title", centred=True, framed=True) for w in words),
        *(_moving(move, texts) for move in view.moves),
        *(_note(w, t % MOVE_S / MOVE_S) for w in (note,) if w),
    )


def _note(words: str, past: float) -> Label:
    """One part after the other where there is no room for all of it; `past` is the share of its
    time that has gone by, 0 to 1."""
    parts = tuple(in_parts(words, count, past) for count in (2, 3))
    return Label("aside", words, "notice", "title", centred=True, framed=True, others=parts)


def _moving(move: MoveView, texts: Texts) -> Label:
    return Label("aside", _moves(move, texts), "notice", "title", centred=True, framed=True)


def _from_room(view: TableView, texts: Texts, t: float) -> str:
    """Return what the room's clock makes of this moment between two hands: how long a pot may still
    be disputed on a break, that play goes on soon, or that no dealer is pushed any more."""
    level = view.level
    if level is None or view.phase not in BETWEEN_HANDS:
        return ""
    if level.on_break and level.dispute is not None and view.awarded is not None:
        left = view.awarded + level.dispute - t
        if left > 0:
            return texts("dispute-left", left=ceil(left))
    if level.ready is not None and t >= level.ready:
        return texts("deck-ready")
    return texts("no-push") if level.no_push is not None and t >= level.no_push else ""


def _tip(view: TableView, texts: Texts, told_s: float) -> str:
    """Return what belongs to this moment of every hand, one after the other; empty while it is what
    the seat to act faces that takes its turn."""
    pages = [words for one in view.routine if (words := texts.told(one))]
    if pages and view.price is not None and view.price.call is not None:
        pages.append("")
    return pages[int(told_s // TIP_S) % len(pages)] if pages else ""


def _pots(pots: Sequence[Pot], texts: Texts, t: float) -> tuple[str, tuple[str, ...]]:
    """Return each pot with the seats that contest it, side pots first, as they are awarded; and one
    after the other of them, for where there is no room for all."""
    lines = [
        (
            "main-pot" if pot is pots[0] else "side-pot",
            texts.number(pot.amount),
            ", ".join(map(str, pot.seats)),
        )
        for pot in reversed(pots)
    ]
    every = "\n".join(texts(key, amount=amount, seats=seats) for key, amount, seats in lines)
    key, amount, seats = lines[int(t // POT_S) % len(lines)]
    return every, (texts(key, amount=amount, seats=f"\n{seats}"), f"{amount}\n{seats}")


def _price(price: Price, texts: Texts) -> tuple[str, str]:
    """Return what a call costs, and what the least raise is where one is allowed; and the same in
    short."""
    call = texts("costs", amount=texts.number(price.call)) if price.call else texts("may-check")
    if price.least is None:
        return call, call
    least = texts("least-raise" if price.call else "least-bet", amount=texts.number(price.least))
    return f"{call}\n{least}", f"{call}\n{texts.number(price.least)}+"


def _moves(move: MoveView, texts: Texts) -> str:
    name = first_name(move.player)
    if move.leaves:
        return texts("leaves", player=name, table=move.other)
    if move.seat is None:
        return texts("comes", player=name)
    return texts("comes-seat", player=name, seat=move.seat)


def _comes(view: TableView) -> int | None:
    """Return to which seat the button goes now, if to another."""
    is_between = view.phase in BETWEEN_HANDS and view.is_open
    return view.next_button if is_between and view.next_button != view.button else None


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
    answers = tuple(Button(name, texts(name), role="entry") for name in asks)
    return Screen(frame=frame, labels=(banner,), buttons=(*picks, *answers))


def _may_be(seat: SeatView, asking: Asking) -> bool:
    """Whether the question may be about a seat."""
    if asking == "tabled":
        return seat.state in ("live", "all-in") and not seat.tabled
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
    screen: Screen,
    view: TableView | None,
    texts: Texts,
    connection: Connection,
    t: float,
    *,
    finding: FindingView | None = None,
) -> Screen:
    """Return `screen` with board and seats, those of the open `finding` marked. `t` is the table's
    time."""
    stale = bool(connection.cause) or (view is not None and not view.sensors)
    cards = on_board(view)
    odd = view.odd if view is not None and view.on_board is not None else ()
    lying = (_face(f"board:{n}", card, texts) for n, card in enumerate(cards, 1))
    faces = tuple(
        replace(face, hidden=not card, odd=place in odd)
        for place, (face, card) in enumerate(zip(lying, cards, strict=True))
    )
    empty = range(len(faces) + 1, screen.frame.places + 1)
    faces += tuple(Face(f"board:{number}") for number in empty)
    seats = {seat.seat: seat for seat in view.seats} if view is not None else {}
    plates = tuple(
        _plate(number, seats.get(number), view, texts, t, stale=stale)
        for number in range(1, screen.frame.seats + 1)
    )
    if screen.frame.asks:
        picks = {button.id for button in screen.buttons}
        plates = tuple(_pickable(plate, f"pick-{plate.region}" in picks) for plate in plates)
    outlined: tuple[str, ...] = ()
    if finding is not None and screen.frame.mode == "finding":
        plates = tuple(replace(one, marked=one.number in finding.seats) for one in plates)
        zone = dict(view.rests_on).get(finding.id, "") if view is not None else ""
        outlined = (_ZONES[zone],) if zone in _ZONES else ()
    labels = screen.labels
    if view is not None:
        labels += _pot(view, texts)
    return replace(
        screen,
        panels=(Panel("felt", "felt"), *screen.panels),
        faces=faces,
        plates=plates,
        labels=labels,
        hatched=(*screen.hatched, *(("table",) if stale else ())),
        outlined=outlined,
    )


def _pot(view: TableView, texts: Texts) -> tuple[Label, ...]:
    """Return the pot once it is known, before that what is burned."""
    whole = short = ""
    if view.pot is not None:
        whole, short = texts("pot", amount=texts.number(view.pot)), texts.number(view.pot)
    elif view.burns:
        marks = _BURN * min(view.burns, _MOST_BURNS)
        whole, short = f"{marks} {texts('burned', count=view.burns)}", f"{marks} {view.burns}"
        whole = whole.replace(" ", "\u00a0")  # rather the short one than two lines
    label = Label("pot", whole, "felt", "strong", centred=True, others=(short,))
    return (label,) if whole else ()


def on_board(view: TableView | None) -> tuple[str, ...]:
    """Return what lies on the board, or stands there where no more is known; an empty text is a
    card that is not named."""
    if view is None:
        return ()
    return view.board if view.on_board is None else view.on_board


def _face(region: str, code: str, texts: Texts) -> Face:
    if not code:
        return Face(region)
    if is_joker(code):
        return Face(region, texts("joker"))
    rank, suit = code[0], code[1:]
    return Face(region, "10" if rank == "T" else rank, suit, texts.named("suit", suit))


def _plate(
    number: int,
    seat: SeatView | None,
    view: TableView | None,
    texts: Texts,
    t: float,
    *,
    stale: bool,
) -> Plate:
    region = f"seat:{number}"
    if view is None:
        return Plate(region, number, "plate-folded")
    puck = texts("puck") if view.button == number else ""
    coming = texts("puck") if _comes(view) == number else ""
    if seat is None:
        return Plate(region, number, "plate-folded", puck=puck, coming=coming)
    is_absent = number in view.absent and seat.state in ("live", "folded")
    turn = view.to_act == number
    styles: dict[str, StyleName] = {
        "live": "plate-turn" if turn else "plate-absent" if is_absent else "plate",
        "all-in": "plate-all-in",
        "folded": "plate-absent" if is_absent else "plate-folded",
        "out": "plate-folded",
    }
    key: str = seat.state
    word = texts(key)
    is_unpressed = number in view.unpressed and seat.state == "live"
    backs = dict(view.backs).get(number, 0)
    if is_unpressed:
        word, key = texts("unpressed"), "unpressed"
    elif is_absent and seat.state == "live":
        word, key = texts("absent"), "absent"
    elif seat.state == "live" and seat.last_action:
        word, key = texts.named("action", seat.last_action), seat.last_action
    elif seat.state == "live" and (view.backs or view.phase in BETWEEN_HANDS):
        word = ""
    is_quiet = is_unpressed and not turn
    if turn:
        word, key = texts("to-act"), "to-act"
    return Plate(
        region,
        number,
        "plate-folded" if stale else styles[seat.state],
        name=seat.player or "",
        word=word,
        vital=seat.state == "all-in",
        short=texts("all-in-short") if seat.state == "all-in" else _SHORT.get(key, ""),
        bet=texts.number(seat.bet) if seat.bet and not is_quiet else "",
        stack=texts.number(seat.stack) if seat.stack is not None else "",
        puck=puck,
        coming=coming,
        blind=_blind(view, number, texts),
        time=passing.turn(view, t) if turn and not stale else "",
        turn=turn and not stale,
        quiet=is_quiet,
        backs=0 if stale else backs,
        faces=tuple(_face(region, code, texts) for code in seat.tabled[:2]),
    )


def _blind(view: TableView, number: int, texts: Texts) -> str:
    """Return which blind the seat has; it says nothing once the hand is over."""
    if view.phase in BETWEEN_HANDS or number not in (view.small, view.big):
        return ""
    return texts("blind-small" if number == view.small else "blind-big")


def _pickable(plate: Plate, may_be: bool) -> Plate:
    return replace(plate, style="plate-pick" if may_be else "plate-folded", turn=False, time="")
