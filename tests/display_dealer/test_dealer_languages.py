"""In every language every text fits where it stands: whole, no word broken, none too small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any, get_args

import pygame
import pytest
from msgspec.structs import replace

from controller.contract.events import OUTCOMES, PhaseName, Prompt, Step
from controller.contract.picture import Picture
from controller.contract.view import FindingView, MoveView, TableView
from controller.files.settings import config_dir
from controller.library.languages import languages
from controller.rules.rulebook import UNTIL
from display.dealer.arriving import arrived
from display.dealer.connection import REFUSED, Connection
from display.dealer.drawn.shapes import font
from display.dealer.looking import REASONS, Asking, Looking, Notice
from display.dealer.model import build
from display.dealer.taps import tapped
from display.dealer.texts import KEYS
from tests.display_dealer.bench import Bench
from tests.display_dealer.paper import NAMES, Paper
from tests.display_dealer.spoken import spoken

ReadView = Callable[[str], TableView]
CONFIG = config_dir()
LANGUAGES = languages(CONFIG)
BOOKS = ("homepokertourney", "uk-tda", "roberts", "nl-2010", "tda-2009", "tda-2024")
STEP_WORDS = {
    "street": "river",
    "next": "showdown",
    "seats": "9, 10",
    "due": "10",
    "owner": "10",
    "uncalled": "1000000",
}
PROMPT_ARGS: dict[str, Any] = {
    "seat": 10,
    "seats": "9, 10",
    "street": "river",
    "seconds": 30,
    "small": 10_000,
    "big": 20_000,
    "ante": 20_000,
    "finding": 12,
    "entry": "round-closed",
    "zone": "seat/10",
    "why": "fouled-hand",
    "out": [10],
    "in": [9],
    "button": 10,
}
# Two ways out of which the floor chooses, at rest and close by: smaller on seven inches.
LONG = {"offer-first-card", "offer-set-aside"}


@pytest.fixture(params=[(1280, 800), (800, 480)], ids=["large", "small"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    chosen: tuple[int, int] = request.param
    return chosen


@pytest.fixture
def paper(language: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[Paper]:
    made = Paper(spoken(language), size)
    made.under(monkeypatch)
    yield made
    assert made.written
    assert made.faults == []


in_each = pytest.mark.parametrize("language", LANGUAGES)


@in_each
def test_every_view_with_every_question(paper: Paper, view_name: str, read_view: ReadView) -> None:
    view = read_view(view_name)
    seen = arrived(Looking(), None, view, 0.0)
    for asking, lost in zip(get_args(Asking), cycle(("closed", "silent")), strict=False):
        for act in ("all-in", "bet", "raise") if asking == "amount" else ("",):
            looking = replace(seen, asking=asking, seat=10, act=act, typed="123456789")
            for cause in ("", lost):
                paper.look(view, looking, cause)


@in_each
def test_every_cause_and_the_table_not_seen_yet(paper: Paper) -> None:
    for cause in ("absent", "refused", "closed", "flood", "other", "silent", *REFUSED):
        for asking in ("", "links"):
            paper.look(None, Looking(asking=asking), cause)


def of(read_view: ReadView, name: str, **fields: object) -> tuple[TableView, FindingView]:
    view = read_view(name)
    return view, replace(view.findings[0], **fields)


@in_each
def test_every_step(paper: Paper, read_view: ReadView) -> None:
    view, finding = of(read_view, "four_card_flop_roberts")
    for name in paper.texts.engine.steps:
        basis = "unseen" if name.startswith("ask-") else "seen"
        step = Step(name, "?", STEP_WORDS)
        ruling = replace(finding.ruling, steps=(step, step))
        one = replace(finding, ruling=ruling, basis=basis)
        for findings in ((one,), (one, replace(one, id=99))):
            paper.look(replace(view, findings=findings))
        if name in LONG and paper.size == (800, 480):
            said = paper.texts.step(step)
            paper.faults = [
                fault
                for fault in paper.faults
                if fault[1] != said or fault[3] < 27  # type: ignore[index]
            ]


@in_each
def test_every_finding_open_and_put_away(paper: Paper, read_view: ReadView) -> None:
    view, known = of(read_view, "four_card_flop_roberts", seats=(9, 10), cards=())
    for code in paper.texts.engine.findings:
        for priority, basis in ((1, "seen"), (2, "seen"), (2, "unseen"), (3, "seen")):
            one = replace(known, code=code, priority=priority, basis=basis)
            shown = replace(view, findings=(one, replace(one, id=99)))
            paper.look(shown)
            paper.look(shown, replace(arrived(Looking(), None, shown, 0.0), opened=None))


@in_each
def test_every_prompt_alone_beside_a_note_and_beside_a_card(
    paper: Paper, read_view: ReadView
) -> None:
    for name in ("flop_betting", "record_only", "four_card_flop_roberts"):
        view = read_view(name)
        for text_id in paper.texts.engine.prompts:
            paper.look(replace(view, prompt_id=text_id, prompt_args=PROMPT_ARGS))


@in_each
def test_every_book_and_limit(paper: Paper, read_view: ReadView) -> None:
    view, known = of(read_view, "four_card_flop_uk", seats=(9, 10), cards=())
    advice = tuple(Step(n, "?", STEP_WORDS) for n in ("stop", "cards-back-in", "cut", "new-card"))
    for book in BOOKS:
        for until in UNTIL:
            ruled = replace(known.ruling, rulebook=book, outcome="redeal-flop", until=until)
            for basis in ("seen", "unseen"):
                step = Step("ask-burn", "?", STEP_WORDS)
                one = replace(known, basis=basis, ruling=replace(ruled, steps=(step, step)))
                paper.look(replace(view, findings=(one,)))
        steps = (Step("stop", "?"), Step("call-floor", "?"))
        silent = replace(known.ruling, rulebook=book, outcome="floor", steps=steps)
        advised = replace(silent, advisory=replace(silent, steps=advice))
        for ruling in (replace(silent, advisory=None), advised):
            for done in ((), ("stop", "call-floor")):
                one = replace(known, ruling=ruling, done=done)
                paper.look(replace(view, findings=(one,)))


@in_each
def test_every_phase_and_action(paper: Paper, read_view: ReadView) -> None:
    view = replace(read_view("flop_betting"), prompt="", prompt_id="")
    for phase in (*get_args(PhaseName), None):
        paper.look(replace(view, phase=phase))
        paper.look(replace(view, phase=phase, to_act=None))
    for action in ("check", "call", "bet", "raise", "fold", "all-in"):
        for state in ("live", "folded", "all-in"):
            seats = tuple(
                replace(seat, last_action=action, state=state, bet=12500) for seat in view.seats
            )
            paper.look(replace(view, to_act=None, seats=seats))


@in_each
def test_the_font_has_every_letter(language: str) -> None:
    texts = spoken(language)
    engine = texts.engine
    said = [*texts.entries.values(), *engine.steps.values(), *engine.prompts.values()]
    for more in (engine.findings, engine.streets, engine.entries, engine.zones):
        said += more.values()
    for bold in (True, False):

        def drawn(letter: str, *, bold: bool = bold) -> bytes:
            picture = font(30, bold=bold).render(letter, True, (255, 255, 255))
            return pygame.image.tobytes(picture, "RGBA")

        nothing = drawn("\u0f00")  # a Tibetan letter, which it has not
        assert nothing == drawn("\u0f40")
        assert [letter for letter in sorted(set("".join(said))) if drawn(letter) == nothing] == []


def test_amounts_are_grouped_as_the_country_does() -> None:
    said = {name: spoken(name).number(1234567) for name in LANGUAGES}
    assert said == {
        "en": "1,234,567",
        "es": "1.234.567",
        "fr": "1\u202f234\u202f567",
        "de": "1.234.567",
    }


@in_each
def test_the_letters_of_the_language_can_be_typed(language: str, read_view: ReadView) -> None:
    names = {
        "en": "Zoe Quinn",
        "es": "José Núñez",
        "fr": "Loïc Désirée",
        "de": "Jürgen Groß",
    }
    typed = {
        "en": "ZOE_QUINN",
        "es": "JOSE´_NU´ÑEZ",
        "fr": "LOI¨C_DÉSIRÉE",
        "de": "JÜRGEN_GROß",
    }
    view = read_view("waiting")
    texts = spoken(language)
    looking = replace(arrived(Looking(), None, view, 0.0), asking="sign-in")
    line = None
    for letter in [*typed[language], "enter"]:
        tap = {"_": "key:space", "enter": "enter"}.get(letter, f"key:{letter}")
        screen = build(view, looking, Connection(""), texts, now=0.0, languages=NAMES)
        assert tap in {button.id for button in screen.buttons if button.enabled}
        looking, line = tapped(looking, view, tap)
    assert line == {"kind": "dealer", "input": "sign-in", "name": names[language]}


def test_two_taps_change_the_language_of_all_that_is_said(
    bench: Bench, read_view: ReadView
) -> None:
    view, finding = of(read_view, "four_card_flop_roberts")
    ruling = replace(finding.ruling, steps=(Step("deal-street", "?", {"street": "turn"}),))
    bench.show(replace(view, findings=(replace(finding, ruling=ruling),)))
    assert bench.text("title").splitlines()[0] == "FIX · Four-card flop"
    assert bench.text("step") == "Deal the turn."
    for language, title, step in (
        ("de", "BEHEBEN · Flop mit vier Karten", "Turn geben."),
        ("fr", "À CORRIGER · Flop de quatre cartes", "Donner le turn."),
        ("es", "CORREGIR · Flop de cuatro cartas", "Dar el turn."),
    ):
        bench.tap("language")
        bench.tap(f"pick-language:{language}")
        assert (bench.text("title").splitlines()[0], bench.text("step")) == (title, step)
    bench.tap("why")
    assert "Solo hasta: habla un jugador" in bench.text("dialog-text")


def test_what_the_language_has_no_text_for_stays_as_the_table_said_it(
    read_view: ReadView,
) -> None:
    texts = spoken("de")
    assert texts.step(Step("ring-the-bell", "Ring the bell.")) == "Ring the bell."
    assert texts.step(Step("deal-street", "Deal the turn.")) == "Deal the turn."
    view, finding = of(read_view, "four_card_flop_roberts", code="house-code", title="Odd")
    assert texts.title(finding) == "Odd"
    assert texts.prompt(replace(view, prompt="Ring it", prompt_id="ring")) == "Ring it"


def test_the_picture_of_a_table_carries_what_any_language_needs() -> None:
    english, german = spoken("en"), spoken("de")
    picture = Picture("T1", "roberts", english.engine)
    picture.take([Prompt(1.0, 1, "act", {"seat": 3, "min_raise_to": 40})])
    assert picture.view.prompt == english.prompt(picture.view) == "Seat 3 to act"
    assert picture.view.prompt_args == {"seat": 3}
    assert german.prompt(picture.view) == "Platz 3 ist am Zug"
    assert not picture.take([Prompt(2.0, 1, "act", {"seat": 3, "min_raise_to": 80})])


def test_what_the_screen_calls_by_its_id_has_a_word() -> None:
    assert {f"until-{one}" for one in UNTIL} <= set(KEYS)
    assert {f"reason-{one}" for one in REASONS} <= set(KEYS)
    assert {f"book-{one}" for one in BOOKS} <= set(KEYS)
    assert {f"outcome-{one}" for one in OUTCOMES if one != "floor"} <= set(KEYS)


FLOOR: dict[str, Any] = {"floor_names": ("Ann", "Maximilian von Hohenlohe-Langenburg")}


@in_each
def test_every_question_of_the_floor(paper: Paper, read_view: ReadView) -> None:
    for name in ("four_card_flop_uk", "question_burn", "flop_betting", "floor_called"):
        for names in (FLOOR["floor_names"], tuple(f"Floorperson {n}" for n in range(12))):
            view = replace(read_view(name), floor_names=names)
            there = replace(view, floor_in=names[-1])
            wrong = replace(view, floor_wrong=2)
            waits = replace(wrong, floor_wait=90.0)
            seen = arrived(Looking(), None, view, 0.0)
            paper.look(view)
            paper.look(there)
            for typed in ("", "123456789012"):
                asked = replace(seen, asking="floor-pin", floor_name=names[-1], typed=typed)
                for each in (view, wrong, waits):
                    paper.look(each, asked)
            for asking in ("more", "floor", "floor-desk", "floor-rule"):
                for page in (0, 1):
                    paper.look(there, replace(seen, asking=asking, page=page))


@in_each
def test_every_outcome_that_can_be_ruled(paper: Paper, read_view: ReadView) -> None:
    view, known = of(read_view, "four_card_flop_uk")
    for book in BOOKS:
        for outcome in OUTCOMES:
            advice = replace(known.ruling, rulebook=book, outcome=outcome)
            silent = replace(advice, rulebook="roberts", outcome="floor", advisory=advice)
            for ruling in (advice, silent):
                shown = replace(view, findings=(replace(known, ruling=ruling),), floor_in="Ann")
                asked = replace(arrived(Looking(), None, shown, 0.0), asking="floor-rule")
                paper.look(shown, asked)
                paper.look(shown, replace(asked, page=1))


@in_each
def test_what_a_call_has_come_to(paper: Paper, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    for name in (None, "Ann", "Maximilian von Hohenlohe-Langenburg"):
        for heard in (True, False):
            for floor in ("called", "coming"):
                paper.look(replace(view, floor=floor, floor_by=name, floor_heard=heard))


@in_each
def test_what_is_muted_off_and_not_believed(paper: Paper, read_view: ReadView) -> None:
    view = replace(read_view("flop_betting"), decks=("red", "blue"), sensors=False, **FLOOR)
    seen = arrived(Looking(), None, view, 0.0)
    for zone in ("seat/10", "burn", "board/5"):
        for left in (0, 1, 2):
            paper.look(view, replace(seen, notice=Notice(zone, left, 1e9)))
    for asking in ("", "more", "sensors", "links", "away"):
        paper.look(view, replace(seen, asking=asking, muted=True, soundless=True))


@in_each
def test_who_comes_and_who_leaves(paper: Paper, read_view: ReadView) -> None:
    long = "Maximilian von Hohenlohe-Langenburg"
    for name in ("Anna", long):
        moves = tuple(
            MoveView(name, "Stage", seat, leaves=leaves)
            for seat in (10, None)
            for leaves in (False, True)
        )
        for one in moves:
            paper.look(replace(read_view("flop_betting"), findings=(), moves=(one,)))
