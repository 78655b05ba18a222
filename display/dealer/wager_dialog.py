"""What an action amounted to: what was seen is tapped together, and the table's answer is shown."""

from __future__ import annotations

from itertools import groupby

from controller.contract.view import TableView
from controller.contract.wagered import (
    WagerAnswer,
    WagerQuestion,
    capital,
    option_words,
    verdict,
)
from display.dealer.looking import Looking
from display.dealer.screen import Asked, Button
from display.dealer.texts import Texts
from display.dealer.theme import StyleName
from display.dealer.wager_taps import (
    ALSO,
    ORDERS,
    answer_to,
    cited,
    has_an_order,
    has_been_seen,
    may_be_entered,
    may_matter,
)

CHIPS = (1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000)
MOST_VALUES = 7
"""So many values of chips stand on the screen; any other one is typed."""
DIGITS = ("12345", "67890")

Rows = tuple[tuple[Button, ...], ...]


def wager_dialog(view: TableView | None, looking: Looking, texts: Texts) -> Asked:
    """Return what `looking.asking` asks or shows."""
    seen = seen_words(looking.wager, texts)
    title = texts("wager-title", seat=looking.seat, seen=seen)
    amount = texts.number(int(looking.typed)) if looking.typed else texts("nothing-typed")
    answer = answer_to(looking, view)
    match looking.asking:
        case "wager-chip":
            return Asked(texts("chip-title", amount=amount), _pad(looking, texts))
        case "wager-amount":
            word = _word(looking.wager, texts)
            said = f"{word} {amount}" if word else amount
            return Asked(texts("said-title", seat=looking.seat, said=said), _pad(looking, texts))
        case "wager-answer" if answer is not None:
            main, text = answer_words(answer, texts)
            return Asked(title, (_after(answer, looking.wager, texts),), main, text, flows=True)
        case "wager-otherwise" if answer is not None:
            return Asked(
                texts("otherwise-title", seat=looking.seat, seen=seen),
                _otherwise(answer, looking.wager, texts),
                cancel=texts("back"),
            )
        case "wager-why" if answer is not None:
            return Asked(
                texts.named("book", answer.rulebook),
                ((Button("all-rules", texts("all-rules"), role="entry"),),),
                text="\n".join(map(texts.rule, cited(answer))),
            )
        case "wager-answer" | "wager-why" | "wager-otherwise":
            return Asked(title, (), text=texts("nothing-typed"))
    if not has_been_seen(looking.wager):
        title = texts("wager-what", seat=looking.seat)
    return Asked(title, _seen(view, looking, texts))


def chip_values(view: TableView | None) -> tuple[int, ...]:
    """Return the chips that are the likeliest at these blinds."""
    small = view.blinds.small if view is not None and view.blinds is not None else 0
    first = max((at for at, chip in enumerate(CHIPS) if chip <= small), default=2)
    return CHIPS[min(first, len(CHIPS) - MOST_VALUES) :][:MOST_VALUES]


def seen_words(wager: WagerQuestion, texts: Texts) -> str:
    """Return what was seen, in its order, and what else was so: `“Raise”, 1,000 + 2×100`."""
    said = [word] if (word := _word(wager, texts)) else []
    if wager.amount is not None:
        said = [f"{' '.join(said)} {texts.number(wager.amount)}".strip()]
    chips = [_motion(one, texts) or texts("nothing-typed") for one in wager.motions]
    laid = [f" {texts('then')} ".join(chips)] if chips else []
    seen = (*laid, *said) if wager.first == "chips" else (*said, *laid)
    is_together = wager.first == "together" and has_an_order(wager)
    together = (texts("first-together"),) if is_together else ()
    also = (_also_words(one, texts) for one in ALSO if getattr(wager, one))
    return ", ".join((*seen, *together, *also))


def answer_words(answer: WagerAnswer, texts: Texts) -> tuple[str, str]:
    """Return what it is, and why, what goes back, and what comes next."""
    if answer.judged is None:
        return texts(f"wager-unknown-{answer.unknown}"), ""
    judged, number = answer.judged, texts.number
    lines = [texts.wager.get(f"why-{judged.why}", "")]
    if judged.back:
        lines.append(texts.wager["back"].format(back=number(judged.back)))
    if not judged.cites:
        lines.append(texts.wager["silent"])
    if answer.advice is not None:
        book, what = (
            texts.named("book", answer.advisory),
            verdict(texts.wager, answer.advice, number),
        )
        lines.append(texts.wager["advice"].format(book=book, what=what))
    if answer.next_bet and answer.next_least is not None:
        bet, least = number(answer.next_bet), number(answer.next_least)
        lines.append(texts.wager["next"].format(bet=bet, least=least))
    return verdict(texts.wager, judged, number), "\n".join(filter(None, lines))


def _seen(view: TableView | None, looking: Looking, texts: Texts) -> Rows:
    wager = looking.wager
    is_open = view is not None and view.phase != "preflop" and not any(s.bet for s in view.seats)
    said = [
        Button(
            f"said:{word}",
            texts(f"said-{word}"),
            "main" if wager.word == word else "button",
            role="entry",
        )
        for word in ("bet" if is_open else "raise", "call", "all-in")
    ]
    said.append(Button("said:amount", texts("said-amount"), role="entry"))
    chips = [
        Button(f"key:chip:{value}", texts.number(value), role="entry")
        for value in chip_values(view)
    ]
    chips.append(Button("other-chip", texts("other-chip"), role="text"))
    is_seen, has_chips = has_been_seen(wager), bool(wager.motions and wager.motions[-1])
    has_bet = view is not None and any(s.bet for s in view.seats if s.seat == looking.seat)
    last = (
        Button("second-motion", texts("second-motion"), enabled=has_chips, role="entry"),
        *([_also("pulled_back", wager, texts)] if has_bet else []),
        Button("erase", texts("erase"), enabled=is_seen, role="entry"),
        Button("ask", texts("what-is-it"), "main", enabled=is_seen, role="entry"),
    )
    return tuple(said), tuple(chips), last


def _otherwise(answer: WagerAnswer, wager: WagerQuestion, texts: Texts) -> Rows:
    """What may have been otherwise: in which order it came, and what else was so."""
    orders = tuple(
        Button(
            f"first:{one}",
            capital(texts(f"first-{one}")),
            "main" if wager.first == one else "button",
            role="entry",
        )
        for one in ORDERS
    )
    also = tuple(_also(one, wager, texts) for one in may_matter(wager, answer))
    return (*((orders,) if has_an_order(wager) else ()), *((also,) if also else ()))


def _also(name: str, wager: WagerQuestion, texts: Texts) -> Button:
    style: StyleName = "main" if getattr(wager, name) else "button"
    return Button(f"also:{name}", capital(_also_words(name, texts)), style, role="entry")


def _also_words(name: str, texts: Texts) -> str:
    return texts(f"also-{name.replace('_', '-')}")


def _pad(looking: Looking, texts: Texts) -> Rows:
    typed = bool(looking.typed)
    first, second = (
        tuple(Button(f"key:{one}", one, role="prompt") for one in row) for row in DIGITS
    )
    hundreds = Button("key:00", "00", role="prompt")
    erase = Button("erase", texts("erase"), enabled=typed, role="text")
    if looking.asking == "wager-chip":
        enter = Button("enter", texts("enter"), "main", enabled=typed, role="entry")
        return (*first, erase), (*second, hundreds, enter)
    chips = Button("and-chips", texts("and-chips"), enabled=typed, role="entry")
    ask = Button("ask", texts("what-is-it"), "main", enabled=typed, role="entry")
    return (*first, erase, chips), (*second, hundreds, ask)


def _after(answer: WagerAnswer, wager: WagerQuestion, texts: Texts) -> tuple[Button, ...]:
    """What can be done with an answer: enter it, read its rules, say what was otherwise, ask
    something else."""
    judged = answer.judged
    options = () if judged is None else may_be_entered(judged)
    if judged is not None and judged.kind is not None:
        labels = [texts("enter-it") for _ in options]
    else:
        labels = [capital(option_words(texts.wager, one, texts.number)) for one in options]
    enter = tuple(
        Button(f"enter-it:{at}", label, "main", role="entry") for at, label in enumerate(labels)
    )
    cites = cited(answer)
    words = " ".join(filter(None, (texts("why"), _first(cites))))
    why = Button("wager-why", words, enabled=bool(cites), role="entry")
    matters = has_an_order(wager) or may_matter(wager, answer)
    other = [Button("otherwise", texts("otherwise"), role="entry")] if matters else []
    return (*enter, why, *other, Button("change", texts("change"), role="entry"))


def _first(cites: tuple[str, ...]) -> str:
    """The first of the rules, and how many more there are."""
    more = f" +{len(cites) - 1}" if len(cites) > 1 else ""
    return f"{cites[0]}{more}" if cites else ""


def _word(wager: WagerQuestion, texts: Texts) -> str:
    return texts(f"said-{wager.word}") if wager.word else ""


def _motion(chips: tuple[int, ...], texts: Texts) -> str:
    """The chips of one motion, each value once."""
    parts = []
    for value, same in groupby(sorted(chips, reverse=True)):
        count = len(list(same))
        parts.append(f"{count}×{texts.number(value)}" if count > 1 else texts.number(value))
    return " + ".join(parts)
