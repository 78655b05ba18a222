"""The card of an irregularity: what, where, who rules, and one step of the remedy."""

from __future__ import annotations

from controller.contract.cards import is_joker
from controller.contract.events import RulingText, Step
from controller.contract.view import FindingView, TableView, position
from display.dealer.floor_dialog import short
from display.dealer.floor_taps import may_sign_in
from display.dealer.layout import Frame
from display.dealer.looking import Looking, in_order, is_question
from display.dealer.screen import Badge, Button, Label, Panel, Role, Screen
from display.dealer.texts import Texts
from display.dealer.theme import SUIT_SIGNS, StyleName

NEEDS_FLOOR = frozenset(("call-floor", "follow-floor", "pick-burn"))
PRIORITY_STYLES: dict[int, StyleName] = {1: "priority-1", 2: "priority-2", 3: "priority-3"}
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
    return f"{who}: {texts(f'outcome-{finding.ruling.outcome}')}"


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


def rules(ruling: RulingText, texts: Texts) -> tuple[str, str]:
    """Return who rules, the book and the rules it is found in; and the same in short, where
    that is shorter."""
    book = texts.named("book", ruling.rulebook)
    if not ruling.cites:
        return book, ""
    first, *others = ruling.cites
    whole = texts("who-rules", book=book, cites=", ".join(ruling.cites))
    return whole, texts("who-rules", book=book, cites=f"{first} …") if others else ""


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
    asks = is_question(finding, at)
    place, (who, in_short) = where(finding, texts), rules(ruling, texts)
    is_ruled = finding in view.ruled
    head = ruled_words(view, finding, texts) if is_ruled else headline(finding, texts)
    labels = [Label("title", head, style, "title")]
    if place:
        labels.append(Label("where", place, "panel", "strong"))
    decides = texts("ruled" if is_ruled else "you-answer" if asks else decider(ruling))
    labels.append(Label("decides" if place else "decides-only", decides, "panel", "strong"))
    if not asks:
        count = texts("step", n=min(at + 1, total), total=total)
        labels.append(Label("count", count, "panel", "title"))
    labels.append(
        Label("rules-only" if asks else "rules", who, "panel-quiet", "text", other=in_short)
    )
    seen = texts("step-seen", count=min(finding.seen, total)) if finding.seen else ""
    if seen:
        labels.append(Label("seen", seen, "panel", "strong"))
    if ruling.until:
        until = texts("until", event=texts.named("until", ruling.until))
        labels.append(Label("until" if seen else "until-only", until, "panel-quiet", "text"))
    step = texts.step(ruling.steps[at]) if at < total else texts("steps-done")
    primary = () if at == total else _primary(view, ruling.steps[at], texts)
    if at < total and not primary:
        step = texts("floor-misdeals")
    labels.append(Label("step", step, "panel", "step"))
    buttons = [Button("to-table", texts("to-table"), role="text")]
    if len(findings) > 1:
        n = findings.index(finding) + 1
        label = texts("next-finding", n=n, total=len(findings))
        buttons.append(Button("next-finding", label, role="text"))
    if asks:
        actions = [*_answers(ruling.steps[0], texts)]
    else:
        actions = [
            *primary,
            Button("back", texts("back"), enabled=bool(finding.done) or looking.undoable),
            *(() if is_ruled else (Button("dismiss", texts("dismiss")),)),
        ]
    if may_sign_in(view):
        actions.append(Button("floor", texts("floor"), "floor"))
    buttons += actions
    advisory = ruling.outcome == "floor"
    if ruling.advisory is not None and advisory:
        whole, one = advisory_words(ruling.advisory, looking.advisory, texts)
        labels.append(Label("advisory", whole, "advisory", "advice", framed=True, other=one))
        buttons.append(Button("advisory", ""))
    elif advisory:
        text = texts("advisory-none")
        labels.append(Label("advisory", text, "advisory", "advice", framed=True))
    frame = Frame(
        mode="finding",
        seats=max(looking.seats, 6),
        advisory=advisory,
        several=len(findings) > 1,
        third=bool(seen or ruling.until),
        actions=tuple(one.id for one in actions),
        proposes=not asks and bool(primary),
    )
    return Screen(
        frame=frame,
        panels=(Panel("card", "panel"), Panel("card-head", style)),
        labels=tuple(labels),
        buttons=tuple(buttons),
        badges=(Badge("badge", finding.priority),),
    )


def _primary(view: TableView, step: Step, texts: Texts) -> tuple[Button, ...]:
    """Return the button that does the step; none while the floor is awaited, which the house lets
    call a misdeal."""
    if step.id != "call-misdeal" or view.dealer_misdeals:
        return (Button("done", texts.verb(step), "main"),)
    return () if view.floor else (Button("done", texts("call-floor"), "main"),)


def _answers(question: Step, texts: Texts) -> tuple[Button, ...]:
    """Return what may be answered, nothing of it in the place or the colour of a proposal."""
    words = {name: texts.answer(question, name) for name in ("no", "yes")}
    if question.id == DEALT_OUT:
        words = {"out": texts("is-out"), **words}
    role: Role = "button" if len(words) == 2 else "text"
    return tuple(Button(name, said, "answer", role=role) for name, said in words.items())


def advisory_words(advisory: RulingText, turn: int, texts: Texts) -> tuple[str, str]:
    """Return the advice whole, and with the one step at `turn`, for where there is no room."""
    heading = texts("advisory", book=texts.named("book", advisory.rulebook))
    total = len(advisory.steps)
    lines = [
        texts("advisory-step", n=number, total=total, step=texts.step(step))
        for number, step in enumerate(advisory.steps, start=1)
    ]
    return "\n".join([heading, *lines]), f"{heading}\n{lines[turn % total]} ›"
