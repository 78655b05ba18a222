"""The rules as they are looked up: typed on the screen's own keys, found, and read whole.

What is found says the rule desk; the rules are in English in every language.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from controller.contract.view import TableView
from controller.library.catalogue import BOOK_OF
from controller.rule_desk.search import Found
from display.dealer.looking import Looking, opened
from display.dealer.rule_taps import TYPED
from display.dealer.screen import Asked, Button
from display.dealer.texts import Texts

AS_TYPED = 2
"""So many rules stand above the keys."""
ON_A_PAGE = 4
SHORTER = (120, 95, 75, 60, 45, 30, 20)
"""To so many characters words are cut where there is no more room."""
LINES, IN_A_LINE = 7, 70
"""So much of a rule is read at once on the smallest panel."""
MOST_BEHIND, MOST_NAMED = 2, 4
"""So many findings and prompts are named with a rule, and so many with other rules."""
LONGEST_TITLE = 60
BEFORE, NEXT = "◀", "▶"

Rows = tuple[tuple[Button, ...], ...]


def rule_dialog(view: TableView | None, looking: Looking, texts: Texts) -> Asked:
    """Return what is found of the rules, or the one that is read."""
    if looking.asking == "rule":
        return _whole(looking, texts)
    found = found_rules(view, looking, texts)
    title = _title(looking, len(found), texts)
    if looking.asking in TYPED:
        keys = _letters if looking.asking == "rules" else _numbers
        row = tuple(_button(one, texts) for one in found[:AS_TYPED])
        rows = (row or (_hint(looking, texts),), *keys(looking, len(found), texts))
        return Asked(title, rows, keys=3, cancel=texts("back"))
    pages = [found[at : at + ON_A_PAGE] for at in range(0, len(found), ON_A_PAGE)] or [[]]
    shown = [_button(one, texts) for one in pages[looking.page]]
    rows = tuple(tuple(shown[at : at + 2]) for at in range(0, len(shown), 2))
    if len(pages) == 1:
        return Asked(title, rows, cancel=texts("back"))
    leads = (
        Button(f"page:{looking.page - 1}", BEFORE, enabled=looking.page > 0, role="entry"),
        Button(
            f"page:{looking.page + 1}", NEXT, enabled=looking.page + 1 < len(pages), role="entry"
        ),
    )
    title = f"{title} · {looking.page + 1}/{len(pages)}"
    return Asked(title, (*rows, leads), keys=1, cancel=texts("back"))


def found_rules(view: TableView | None, looking: Looking, texts: Texts) -> list[Found]:
    """Return the rules that have what is typed; before that those that an answer cites, or behind
    a finding or a prompt: the first are those of the finding's ruling, then the others of the
    table's book."""
    desk, words = texts.desk(), looking.typed.split()
    if words:
        return desk.find(words)
    behind = looking.code.split()
    if not (desk.codes(behind) or desk.rules_in(looking.code)):
        return []
    finding = opened(view, looking)
    book = view.rulebook if view is not None else ""
    cites = finding.ruling.cites if finding is not None else ()

    def order(found: Found) -> tuple[bool, bool]:
        return found.rule.id not in cites, found.rule.book != book

    return sorted(desk.find(behind), key=order)


def _title(looking: Looking, count: int, texts: Texts) -> str:
    if looking.typed:
        return texts("rules-with", typed=looking.typed, count=count)
    if count:
        return texts("rules-behind", what=_short(texts.behind(looking.code)), count=count)
    return texts("rules-ask")


def _hint(looking: Looking, texts: Texts) -> Button:
    """What stands in the place of rules where there are none."""
    words = texts("rules-none" if looking.typed else "rules-hint")
    return Button("rule:", words, enabled=False, role="text")


def _button(found: Found, texts: Texts) -> Button:
    """A rule with how others have it, or as much of it as there is room for."""
    rule = found.rule
    whole = (f"{rule.id} · {texts.named('book', rule.book)}", rule.summary, *_differences(found))
    others = ["\n".join(whole[:count]) for count in range(len(whole) - 1, 1, -1)]
    line = f"{rule.id}: {rule.summary}"
    others += [line, *(_short(line, width) for width in SHORTER)]
    return Button(
        f"rule:{rule.id}", "\n".join(whole), role="text", centred=False, others=tuple(others)
    )


def _differences(found: Found) -> list[str]:
    return [f"≠ {one.rules.replace('/', ', ')}: {one.how}" for one in found.differs]


def _letters(looking: Looking, count: int, texts: Texts) -> Rows:
    """The keys of plain letters: the rules have no others."""
    first, second, third = (
        tuple(_key(letter) for letter in row if letter.isascii() and letter.isalpha())
        for row in texts("letters").split()
    )
    erase, last = _erase(looking, texts), _last("123", count, texts)
    if len(second) < len(first):
        return first, (*second, erase), (*third, *last)
    return first, second, (*third, erase, *last)


def _numbers(looking: Looking, count: int, texts: Texts) -> Rows:
    """The keys of a rule's number, which begins with its book."""
    books = tuple(Button(f"key:{one}-", f"{one}-", role="text") for one in BOOK_OF)
    digits = tuple(map(_key, "1234567890"))
    return digits, (*books, _erase(looking, texts)), (_key("-"), *_last("ABC", count, texts))


def _last(others: str, count: int, texts: Texts) -> tuple[Button, ...]:
    return (
        Button("key:space", texts("space"), role="text"),
        Button("other-keys", others, role="text"),
        Button("all-found", texts("rules-all", count=count), "main", bool(count), role="text"),
    )


def _key(letter: str) -> Button:
    return Button(f"key:{letter}", letter, role="entry")


def _erase(looking: Looking, texts: Texts) -> Button:
    return Button("erase", texts("erase"), enabled=bool(looking.typed), role="text")


def _whole(looking: Looking, texts: Texts) -> Asked:
    """A rule, where other books differ, and what rests on it."""
    desk = texts.desk()
    found = next((one for one in desk.find([looking.rule]) if one.rule.id == looking.rule), None)
    if found is None:
        return Asked(looking.rule, text=texts("rules-none"), cancel=texts("back"))
    rule = found.rule
    place = ", ".join(filter(None, (rule.section, rule.rule_no)))
    title = f"{rule.id} · {texts.named('book', rule.book)} · {_short(place)}"
    lines = [rule.summary, *_differences(found)]
    if found.findings:
        titles = _few([texts.code(code) for code in found.findings], ", ")
        lines.append(texts("rule-decides", findings=titles))
    if found.prompts:
        told = _few([texts.behind(code) for code in found.prompts], " · ")
        lines.append(texts("rule-told", prompts=told))
    pages = _pages(lines)
    others = dict.fromkeys(name for one in found.differs for name in desk.rules_in(one.rules))
    behind = (*found.findings[:MOST_BEHIND], *found.prompts)[:MOST_BEHIND]
    named = [*others][: MOST_NAMED - len(behind)]
    row = [Button(f"rule:{name}", name, role="text") for name in named]
    row += [_behind(code, texts) for code in behind]
    if len(pages) > 1:
        after = (looking.page + 1) % len(pages)
        words = f"{looking.page + 1}/{len(pages)} {NEXT}"
        row.append(Button(f"page:{after}", words, "main", role="entry"))
    text = "\n".join(pages[looking.page])
    return Asked(title, (tuple(row),) if row else (), text=text, flows=True, cancel=texts("back"))


def _behind(code: str, texts: Texts) -> Button:
    words = texts.behind(code)
    return Button(
        f"behind:{code}",
        words,
        role="text",
        others=tuple(_short(words, width) for width in SHORTER),
    )


def _few(words: Sequence[str], between: str) -> str:
    """The first of them, and how many more there are."""
    more = len(words) - MOST_BEHIND
    return between.join(words[:MOST_BEHIND]) + (f" +{more}" if more > 0 else "")


def _pages(lines: Sequence[str]) -> list[list[str]]:
    """As many lines on each as can be read at once."""
    pages: list[list[str]] = [[]]
    left = LINES
    for line in lines:
        takes = -(-len(line) // IN_A_LINE)
        if takes > left and pages[-1]:
            pages.append([])
            left = LINES
        pages[-1].append(line)
        left -= takes
    return pages


def _short(words: str, width: int = LONGEST_TITLE) -> str:
    return shorten(words, width, placeholder="…")
