"""The dealer's screen from the table's view: a pure function, words and style names only."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from controller.contract.texts import zone_in_words
from controller.contract.view import BETWEEN_HANDS, TableView
from display.dealer import passing
from display.dealer.connection import Connection, duration, faults
from display.dealer.dialog import BETTING, dialog
from display.dealer.finding_card import finding_card
from display.dealer.floor_dialog import short
from display.dealer.layout import MOST_ACTIONS, Frame, lower_edge
from display.dealer.looking import SEAT_ASKED, Looking, Notice, comers, opened
from display.dealer.screen import Button, Label, Role, Screen
from display.dealer.table_picture import (
    first_name,
    is_taken_over,
    on_board,
    seat_question,
    table_picture,
    with_table,
)
from display.dealer.texts import Texts
from display.dealer.theme import StyleName

# These send nothing and lead to nothing that does, so they work without a connection.
LOCAL = frozenset(
    (
        "to-table",
        "go-on",
        "retry",
        "note",
        "next-finding",
        "why",
        "all-rules",
        "all-found",
        "rule",
        "behind",
        "page",
        "key",
        "other-keys",
        "erase",
        "links",
        "language",
        "cancel",
        "misdeal-no",
        "unwatched-no",
        "sensors-no",
        "naming-no",
        "pick-language",
    )
)

_LEVEL_STYLES: Mapping[bool, tuple[StyleName, Role]] = {
    True: ("bar", "text"),
    False: ("paused", "text"),
}


def build(
    view: TableView | None,
    looking: Looking,
    connection: Connection,
    texts: Texts,
    *,
    now: float,
    languages: Mapping[str, str],
    table_time: float = 0.0,
) -> Screen:
    """Return the screen for this state of the table, the link and the dealer's attention.

    `now` is monotonic seconds as in `looking`, `table_time` seconds as in `view`.
    """
    finding = opened(view, looking)
    if looking.asking in SEAT_ASKED:
        screen = seat_question(view, looking, texts)
    elif looking.asking:
        screen = dialog(view, looking, connection, texts, languages, t=table_time)
    elif view is not None and finding is not None and not connection.cause:
        screen = finding_card(view, finding, looking, texts)
    else:
        told_s = now - looking.told_at
        screen = table_picture(view, looking, connection, texts, table_time, told_s=told_s)
    if looking.notice is not None and screen.frame.mode == "table" and not screen.frame.asks:
        screen = _with_notice(screen, looking.notice, texts)
    if screen.frame.mode != "dialog":
        places = max(5, len(on_board(view)))
        screen = replace(screen, frame=replace(screen.frame, places=places))
        screen = with_table(screen, view, texts, connection, table_time, finding=finding)
    if screen.frame.mode == "table" and not screen.frame.asks and view is not None:
        seats = tuple(Button(f"pick-seat:{seat.seat}", "") for seat in view.seats)
        screen = replace(screen, buttons=(*screen.buttons, *seats))
    is_recorded = view is not None and view.capture
    actions: tuple[Button, ...] = ()
    bar = screen.frame.bar
    if not bar:
        actions = tuple(_action(*one, view, texts) for one in moment(view))
        bar = lower_edge([one.id for one in actions])
        actions += (_more(view, looking, texts),)
    frame = replace(screen.frame, bar=bar, languages=len(languages) > 1, capture=is_recorded)
    buttons = (
        *_top_buttons(view, looking, texts, frame, _links(view, connection, texts, table_time)),
        *screen.buttons,
        *actions,
        _floor_button(view, looking, texts, now),
    )
    if not connection.is_open:
        buttons = tuple(
            one if one.id.partition(":")[0] in LOCAL else replace(one, enabled=False)
            for one in buttons
        )
    if looking.asking:
        keep = {"call-floor", "links"} | {one.id for one in screen.buttons}
        buttons = tuple(one if one.id in keep else replace(one, enabled=False) for one in buttons)
    labels = (*_top_labels(view, connection, texts, screen.frame, table_time), *screen.labels)
    hatched = screen.hatched
    if view is not None and view.room_lost is not None:
        hatched = (*hatched, *(one.region for one in labels if one.region == "level"))
    return replace(screen, frame=frame, buttons=buttons, labels=labels, hatched=hatched)


def _with_notice(screen: Screen, notice: Notice, texts: Texts) -> Screen:
    """Return the table with what a dismissal means, where nothing else has to be said."""
    if screen.frame.beside:
        return screen
    zone = zone_in_words(notice.zone, texts.engine.zones)
    if notice.left:
        words = texts("doubted", zone=zone, count=notice.left)
    else:
        words = texts("not-believed", zone=zone)
    said = Button("note", words[:1].upper() + words[1:], "priority-3", role="text")
    frame = replace(screen.frame, beside="note")
    return replace(screen, frame=frame, buttons=(*screen.buttons, said))


def _top_labels(
    view: TableView | None, connection: Connection, texts: Texts, frame: Frame, t: float
) -> tuple[Label, ...]:
    if connection.cause and frame.mode != "table":
        return (Label("alarm", texts("lost-help"), "lost", "entry", framed=True),)
    if view is None:
        return ()
    if not view.sensors and frame.mode != "table":
        return (Label("alarm", texts("manual"), "warning", "entry", framed=True),)
    hand = texts("hand", hand=view.hand) if view.hand else texts("no-hand")
    whole = f"{texts('table', table=view.table)} · {hand}"
    phase = Label("phase", texts(f"phase-{view.phase or 'none'}"), "bar", "title", centred=True)
    runs = passing.clock(view, t, texts)
    if runs is not None and frame.mode != "table":
        words = f"{runs.whose}\n{runs.left}"
        phase = Label(
            "phase", words, runs.style, "strong", centred=True, framed=True, others=(runs.left,)
        )
    labels = [
        Label("hand-upper" if view.dealer else "hand", whole, "quiet", "text", others=(hand,)),
        phase,
    ]
    if view.dealer:
        dealing = texts("dealing", dealer=view.dealer)
        labels.append(Label("dealer", dealing, "quiet", "text", others=(first_name(view.dealer),)))
    level, in_short = passing.level(view, t, texts)
    if level:
        runs_on = view.level is not None and view.level.ends is not None
        style, role = _LEVEL_STYLES[runs_on]
        labels.append(
            Label("level", level, style, role, centred=True, others=(in_short,) if in_short else ())
        )
    no_room = passing.room(view, t, texts)
    if no_room and level:
        since = f"⚠ {passing.spent(view.room_lost or 0.0, t)}"
        one = Label("blinds-upper", no_room, "paused", "detail", centred=True, others=(since,))
        labels.append(one)
    elif view.level is not None and view.level.on_break:
        labels.append(Label("blinds-upper", texts("break"), "paused", "text", centred=True))
    elif view.blinds is not None:
        small, big = texts.number(view.blinds.small), texts.number(view.blinds.big)
        text = short = texts("blinds", small=small, big=big)
        if view.blinds.ante:
            ante = texts.number(view.blinds.ante)
            text = texts("blinds-ante", small=small, big=big, ante=ante)
        if level:
            one = Label("blinds-upper", text, "quiet", "detail", centred=True, others=(short,))
            labels.append(one)
        else:
            labels.append(Label("blinds", text, "quiet", "entry", centred=True, others=(short,)))
    if view.capture:
        text = f"● {texts('capture')}"
        labels.append(Label("capture", text, "warning", "text", centred=True, framed=True))
    return tuple(labels)


def _top_buttons(
    view: TableView | None,
    looking: Looking,
    texts: Texts,
    frame: Frame,
    links: Button,
) -> tuple[Button, ...]:
    ticked = view is not None and any(finding.done for finding in view.findings)
    undoable = looking.undoable or ticked or is_taken_over(view)
    buttons = [Button("undo", texts("undo"), enabled=undoable, role="entry"), links]
    if frame.languages:
        buttons.append(Button("language", texts.language.upper(), role="text"))
    return tuple(buttons)


def _links(view: TableView | None, connection: Connection, texts: Texts, t: float) -> Button:
    """Return the button that says whether all is well, and whether something is silent."""
    if connection.cause:
        return Button("links", f"⚠ {texts('lost')}", "lost", role="detail")
    down, no_room = faults(view, connection, texts), passing.room(view, t, texts)
    down = (*((no_room,) if no_room else ()), *down)
    style: StyleName = "warning" if down else "ground"
    words = f"✓ {texts('links-well')}"
    if down:
        words = f"⚠ {down[0] if len(down) == 1 else texts('links-down', count=len(down))}"
    if view is not None and view.silent:
        words = f"{words}\n{texts('silenced', count=len(view.silent))}"
    return Button("links", words, style, role="detail")


def moment(view: TableView | None) -> tuple[tuple[str, StyleName], ...]:
    """Return the one or two entries that the moment allows; the first is the more likely one."""
    if view is None:
        return ()
    here: tuple[tuple[str, StyleName], ...] = (("here", "main"),) if comers(view) else ()
    if not view.is_open:
        return here
    if view.phase in BETWEEN_HANDS:
        broke: tuple[tuple[str, StyleName], ...] = (("broke", "button"),) if view.broke else ()
        return (("new-hand", "main"), *broke, *here)[:MOST_ACTIONS]
    is_ruled = any(one.ruling.outcome == "misdeal" for one in view.findings)
    may = view.dealer_misdeals and (view.may_misdeal or is_ruled)
    misdeal: tuple[tuple[str, StyleName], ...] = (("misdeal", "caution"),) if may else ()
    if is_ruled:
        return (*misdeal, ("new-hand", "button"))[:MOST_ACTIONS]
    if view.phase == "showdown":
        return ("tabled", "button"), ("award", "button")
    if _may_table(view):
        return ("tabled", "button"), *misdeal
    if view.phase in BETTING:
        return ("round-closed", "button"), *misdeal
    return misdeal


def _action(name: str, style: StyleName, view: TableView | None, texts: Texts) -> Button:
    if name == "broke" and view is not None:
        seats = ", ".join(map(str, view.broke))
        return Button(name, texts("broke" if len(view.broke) == 1 else "broke-all", seats=seats))
    if name == "here" and view is not None:
        who = [first_name(each.player) for each in comers(view)]
        seats = ", ".join(str(each.seat) for each in comers(view))
        if len(who) > 1:
            return Button(name, texts("here-all", seats=seats))
        return Button(name, texts("here", player=who[0], seat=seats))
    return Button(name, texts(name), style)


def _more(view: TableView | None, looking: Looking, texts: Texts) -> Button:
    words = texts("more-entries")
    if looking.muted:
        words = f"{words}\n{texts('muted')}"
    return Button("more", words, enabled=view is not None, role="entry")


def _may_table(view: TableView) -> bool:
    """Tell whether hands may be tabled: at showdown, or once no betting is possible."""
    if view.phase == "showdown":
        return True
    states = [seat.state for seat in view.seats]
    over = view.to_act is None and states.count("live") <= 1 and "all-in" in states
    return view.phase in BETTING and over


def _floor_button(view: TableView | None, looking: Looking, texts: Texts, now: float) -> Button:
    since = duration(now - looking.floor_at) if looking.floor_at is not None else ""
    if view is not None and view.floor_in is not None:
        return Button(
            "call-floor", texts("floor-in", name=short(view.floor_in)), "floor-coming", role="entry"
        )
    match view.floor if view is not None else "":
        case "called" if view is not None and not view.floor_heard:
            return Button(
                "call-floor", texts("floor-unheard", since=since), "floor-called", role="entry"
            )
        case "called":
            return Button(
                "call-floor", texts("floor-called", since=since), "floor-heard", role="entry"
            )
        case "coming" if view is not None and view.floor_by:
            words = texts("floor-coming-by", name=first_name(view.floor_by), since=since)
            return Button("call-floor", words, "floor-coming", role="entry")
        case "coming":
            return Button(
                "call-floor", texts("floor-coming", since=since), "floor-coming", role="entry"
            )
    if looking.calling:
        return Button("call-floor", texts("floor-calling"), "floor-called", role="entry")
    return Button("call-floor", texts("call-floor"), "floor")
