"""The card of an irregularity: what, where, who rules, and one step of the remedy."""

from __future__ import annotations

from controller.contract.cards import is_joker
from controller.contract.events import RulingText, Step
from controller.contract.view import FindingView, TableView, position
from display.dealer.floor_dialog import short
from display.dealer.floor_taps import may_sign_in
from display.dealer.layout import Column, Frame
from display.dealer.looking import Looking, in_order, is_question
from display.dealer.screen import Badge, Button, Label, Panel, Progress, Screen
from display.dealer.texts import Texts
from display.dealer.theme import SUIT_SIGNS, StyleName

NEEDS_FLOOR = frozenset(("call-floor", "follow-floor", "pick-burn"))
PRIORITY_STYLES: dict[int, StyleName] = {1: "priority-1", 2: "priority-2", 3: "priority-3"}
_ACTING, _SMALL, _FLOOR = 51, 13, 24
"""The shares of the lower edge: to act or answer, each pair of small buttons, and the floor."""
DEALT_OUT = "ask-dealt-out"
"""The question about a seat without cards: it may be out, which the table has not been told."""


def headline(finding: FindingView, texts: Texts) -> str:
    """Return the word of its priority, or that it is a question, and what happened."""
    asks = finding.basis == "unseen" or is_question(finding, 0)
    word = "question" if asks else f"priority-{finding.priority}"
    return f"{texts(word)} · {texts.title(finding)}"


def ruled_words(view: TableView, finding: FindingView, texts: Texts) -> str:
    """Return who of the floor has ruled what."""
    who = short(view.ruled_by.get(finding.id, "")) or texts("floor")
    return texts("ruled-head", who=who, outcome=texts(f"outcome-{finding.ruling.outcome}"))


def card_words(code: str, texts: Texts) -> str:
    """Return a public card as rank and suit sign: `10♥`."""
    if is_joker(code):
        return texts("joker")
    return f"{'10' if code[0] == 'T' else code[0]}{SUIT_SIGNS[code[1]]}"


def where(finding: FindingView, texts: Texts) -> str:
    """Return the seats and the public cards that it concerns; empty if it has neither."""
    parts = []
    if len(finding.seats) == 1:
        parts.append(texts("seat", seat=finding.seats[0]))
    elif finding.seats:
        parts.append(texts("seats", seats=", ".join(map(str, finding.seats))))
    if finding.cards:
        parts.append(" ".join(card_words(code, texts) for code in finding.cards))
    return " · ".join(parts)


def decider(ruling: RulingText) -> str:
    """Return the text that says who decides."""
    if ruling.outcome == "floor":
        return "decides-floor"
    is_needed = any(step.id in NEEDS_FLOOR for step in ruling.steps)
    return "needs-floor" if is_needed else "decides-you"


def finding_card(view: TableView, finding: FindingView, looking: Looking, texts: Texts) -> Screen:
    """Return the card, with the frame that it needs; buttons are enabled as the step allows."""
    ruling, at = finding.ruling, position(finding)
    style = PRIORITY_STYLES[finding.priority]
    findings = in_order(view)
    total = len(ruling.steps)
    asks, is_ruled = is_question(finding, at), finding in view.ruled
    head = ruled_words(view, finding, texts) if is_ruled else headline(finding, texts)
    place = where(finding, texts)
    decides = texts("ruled" if is_ruled else "you-answer" if asks else decider(ruling))
    primary = () if asks else _primary(view, finding, texts)
    step = _waits(view, finding, texts)
    if asks or (primary and at < total):
        step = texts.step(ruling.steps[at])
    labels = [
        Label(
            "title",
            f"{head}\n{place}" if place else head,
            style,
            "title",
            others=(head, texts.title(finding)),
        ),
        Label("decides-only" if asks else "decides", decides, "panel", "strong"),
        Label("step", step, "panel", "step"),
    ]
    if not asks:
        count = texts("step", n=min(at + 1, total), total=total)
        labels.append(Label("count", count, "panel", "strong", centred=True))
    answers = _answers(ruling.steps[0], texts) if asks else ()
    small = [
        Button("back", texts("back"), enabled=bool(finding.done) or looking.undoable, role="text"),
        *(() if is_ruled else (Button("dismiss", texts("dismiss"), role="text"),)),
    ]
    why = f"{texts('why')}\n{texts('unverified')}" if view.unverified else texts("why")
    beside = [Button("why", why, role="text")]
    if may_sign_in(view):
        beside.append(Button("floor", texts("floor"), "floor", role="text"))
    beyond = [Button("to-table", texts("to-table"), role="text")]
    if len(findings) > 1:
        n = findings.index(finding) + 1
        words = texts("next-finding", n=n, total=len(findings))
        beyond.append(Button("next-finding", words, role="text"))
    else:
        beyond.append(Button("more", texts("more-entries"), role="text"))
    columns = [Column(_ACTING // len(answers), (one.id,)) for one in answers]
    if not asks:
        columns = [
            Column(_ACTING - _SMALL, tuple(one.id for one in primary)),
            Column(_SMALL, tuple(one.id for one in small)),
        ]
    columns += [
        Column(_SMALL, tuple(one.id for one in beside)),
        Column(_SMALL, tuple(one.id for one in beyond)),
        Column(_FLOOR, ("call-floor",)),
    ]
    frame = Frame(
        mode="finding",
        seats=max(looking.seats, 6),
        bar=tuple(columns),
    )
    shown = answers if asks else (*primary, *small)
    return Screen(
        frame=frame,
        panels=(Panel("card", "panel"), Panel("card-head", style)),
        labels=tuple(labels),
        buttons=(*shown, *beside, *beyond),
        badges=(Badge("badge", finding.priority),),
        progress=None if asks else Progress("progress", at, total),
    )


def _waits(view: TableView, finding: FindingView, texts: Texts) -> str:
    """Return what is waited for where no step can be tapped, or that nothing is."""
    if position(finding) < len(finding.ruling.steps):
        return texts("floor-misdeals")
    if (awaited := _awaited(view, finding)) is not None:
        return texts("awaited", step=texts.step(awaited))
    return texts("floor-rules" if finding.ruling.outcome == "floor" else "steps-done")


def _awaited(view: TableView, finding: FindingView) -> Step | None:
    """Return the step that no antenna has seen done yet."""
    awaited = dict(view.awaited).get(finding.id)
    return next((one for one in finding.ruling.steps if one.id == awaited), None)


def _primary(view: TableView, finding: FindingView, texts: Texts) -> tuple[Button, ...]:
    """Return the button that does the step, or goes back to the table after the last one; none
    while something is waited for, as the floor is that alone may call a misdeal."""
    at, ruling = position(finding), finding.ruling
    if at == len(ruling.steps):
        if ruling.outcome == "floor" or _awaited(view, finding) is not None:
            return ()
        return (Button("go-on", texts("go-on"), "main"),)
    step = ruling.steps[at]
    if step.id != "call-misdeal" or view.dealer_misdeals:
        return (Button("done", texts.verb(step), "main"),)
    return () if view.floor else (Button("done", texts("call-floor"), "main"),)


def _answers(question: Step, texts: Texts) -> tuple[Button, ...]:
    """Return what may be answered, nothing of it in the place or the colour of a proposal."""
    words = {name: texts.answer(question, name) for name in ("no", "yes")}
    if question.id == DEALT_OUT:
        words = {"out": texts("is-out"), **words}
    return tuple(Button(name, said, "answer") for name, said in words.items())


def why_words(finding: FindingView, texts: Texts) -> tuple[str, str]:
    """Return whose rules a ruling follows, and these, until when it can be carried out, and what
    another book would say where this one is silent."""
    ruling = finding.ruling
    lines = [texts.rule(cite) for cite in ruling.cites]
    if ruling.until:
        lines.append(texts("until", event=texts.named("until", ruling.until)))
    if ruling.advisory is not None:
        book = texts.named("book", ruling.advisory.rulebook)
        steps = " ".join(texts.step(step) for step in ruling.advisory.steps)
        cites = (texts.rule(cite) for cite in ruling.advisory.cites)
        lines += [f"{texts('advisory', book=book)} {steps}", *cites]
    elif ruling.outcome == "floor":
        lines.append(texts("advisory-none"))
    return texts.named("book", ruling.rulebook), "\n".join(lines)
