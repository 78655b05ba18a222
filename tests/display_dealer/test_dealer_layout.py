from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import get_args

import pytest
from msgspec.structs import replace

from controller.contract.texts import Texts as EngineTexts
from controller.contract.view import TableView
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.drawn import draw, shapes
from display.dealer.drawn.shapes import fitted, font
from display.dealer.fitting import fit, fits
from display.dealer.geometry import CAPITAL, metrics
from display.dealer.layout import Frame, arrange
from display.dealer.looking import Asking, Looking
from display.dealer.model import build
from display.dealer.screen import Screen
from display.dealer.texts import Texts
from display.drawing.rect import Rect

ReadView = Callable[[str], TableView]
SIZES = [(1280, 800), (800, 480)]
ASKINGS: tuple[Asking, ...] = get_args(Asking)
LANGUAGES = {"en": "English", "de": "Deutsch"}
BAR = {"new-hand", "round-closed", "tabled", "award", "misdeal", "more", "call-floor"}
MAIN = {*BAR, "done", "yes", "no", "misdeal-yes", "misdeal-no"} - {"more"}


def screen_of(view: TableView, asking: Asking, texts: Texts, cause: str = "") -> Screen:
    looking = arrived(Looking(), None, view, 0.0)
    looking = replace(looking, asking=asking, seat=10, act="all-in", typed="123456789")
    connection = Connection(cause=cause, silence=3725)
    return build(
        view, looking, connection, texts, now=3725.0, table_time=900.0, languages=LANGUAGES
    )


def parts(screen: Screen, regions: dict[str, Rect]) -> dict[str, Rect]:
    """The regions of what is shown, without the panels that others lie on."""
    covered = {button.id for button in screen.buttons if not button.label}
    names = [
        *(label.region for label in screen.labels),
        *(button.id for button in screen.buttons if button.id not in covered),
        *(face.region for face in screen.faces),
        *(plate.region for plate in screen.plates),
        *(badge.region for badge in screen.badges),
    ]
    assert len(names) == len(set(names))
    return {name: regions[name] for name in names if name in regions}


def check(screen: Screen, width: int, height: int, density: float | None = None) -> None:
    regions = arrange(width, height, screen.frame, density)
    shown = parts(screen, regions)
    for name, rect in shown.items():
        assert min(rect.x, rect.y) >= 0, name
        assert rect.right <= width, name
        assert rect.bottom <= height, name
        assert min(rect.w, rect.h) > 0, name
    for (one, a), (other, b) in combinations(shown.items(), 2):
        assert not a.overlaps(b), (one, a, other, b)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_and_all_is_inside(
    view_name: str, size: tuple[int, int], texts: Texts, read_view: ReadView
) -> None:
    view = read_view(view_name)
    for asking, cause in product(ASKINGS, ("", "closed")):
        check(screen_of(view, asking, texts, cause), *size)


@pytest.mark.parametrize("size", SIZES)
def test_a_running_capture_has_a_place_of_its_own(
    view_name: str, size: tuple[int, int], texts: Texts, read_view: ReadView
) -> None:
    screen = screen_of(replace(read_view(view_name), capture=True), "", texts)
    assert "capture" in arrange(*size, screen.frame)
    check(screen, *size)
    regions = arrange(*size, screen.frame)
    least = metrics(*size).half
    assert min(regions[one.id].w for one in screen.buttons) >= least


@pytest.mark.parametrize("size", [*SIZES, (1024, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("seats", range(6, 11))
@pytest.mark.parametrize("name", ["flop_betting", "floor_called"])
def test_any_number_of_seats_and_panel_holds(
    size: tuple[int, int], seats: int, name: str, texts: Texts, read_view: ReadView
) -> None:
    screen = screen_of(read_view(name), "", texts)
    plates = [replace(screen.plates[0], region=f"seat:{n + 1}") for n in range(seats)]
    frame = replace(screen.frame, seats=seats)
    screen = replace(screen, frame=frame, plates=tuple(plates))
    regions = arrange(*size, frame)
    if "seat:1" in regions:
        assert f"seat:{seats}" in regions
    check(screen, *size)


def test_seats_run_clockwise_from_the_dealers_left() -> None:
    regions = arrange(1280, 800, Frame(seats=9))
    first, ninth, top = regions["seat:1"], regions["seat:9"], regions["seat:5"]
    assert first.x < 640 < ninth.x
    assert first.y == ninth.y > top.y
    assert regions["seat:4"].x < top.x < regions["seat:6"].x


@pytest.mark.parametrize(("size", "main", "least"), [((1280, 800), 118, 59), ((800, 480), 105, 52)])
def test_targets_are_as_large_as_a_finger(
    view_name: str,
    size: tuple[int, int],
    main: int,
    least: int,
    *,
    texts: Texts,
    read_view: ReadView,
) -> None:
    view = read_view(view_name)
    for asking in ASKINGS:
        screen = screen_of(view, asking, texts)
        regions = arrange(*size, screen.frame)
        for button in screen.buttons:
            rect = regions[button.id]
            is_main = button.id in MAIN or button.id.startswith("reason:")
            assert min(rect.w, rect.h) >= (main if is_main else least), (asking, button.id, rect)


def test_primary_text_can_be_read_at_arms_length() -> None:
    for size, capital in (((1280, 800), 30.1), ((800, 480), 26.8)):
        m = metrics(*size)
        for role in (m.prompt, m.step, m.title, m.button, m.strong):
            assert role[1] * CAPITAL >= capital


def test_capital_height_is_that_of_the_font() -> None:
    picture = font(100, bold=True).render("H", True, (255, 255, 255))
    assert picture.get_bounding_rect().h == pytest.approx(100 * CAPITAL, abs=2)


@cache
def longer(text: str) -> str:
    """`text` grown by two fifths, in its words and between its braces."""
    words = [
        word if "{" in word or len(word) < 3 else word + word[: -(-len(word) * 2 // 5)]
        for word in text.split(" ")
    ]
    return " ".join(words)


@pytest.mark.parametrize("size", SIZES)
def test_texts_two_fifths_longer_are_not_cut_off(
    view_name: str,
    size: tuple[int, int],
    texts: Texts,
    read_view: ReadView,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pygame

    padded = replace(
        texts,
        language="xx",
        engine=EngineTexts({}, {}, {}, {}, {}, {}),
        entries={key: longer(text) for key, text in texts.entries.items()},
        verbs={key: longer(text) for key, text in texts.verbs.items()},
        answers={key: longer(text) for key, text in texts.answers.items()},
    )
    view = read_view(view_name)
    findings = tuple(
        replace(
            finding,
            title=longer(finding.title),
            ruling=replace(
                finding.ruling,
                steps=tuple(replace(s, text=longer(s.text)) for s in finding.ruling.steps),
            ),
        )
        for finding in view.findings
    )
    view = replace(view, prompt=longer(view.prompt), findings=findings)
    written: list[str] = []

    def write(
        _surface: object,
        rect: Rect,
        words: str,
        _colour: object,
        sizes: tuple[int, int],
        *,
        bold: bool = True,
        centred: bool = True,
        one_line: bool = False,
    ) -> None:
        text = fitted(words, (rect.w, rect.h), sizes, bold=bold, one_line=one_line)
        assert "".join("".join(text.lines).split()) == "".join(words.split())
        assert text.height <= rect.h, (words, rect)
        widest = max(font(text.size, bold=bold).size(line)[0] for line in text.lines)
        assert widest <= rect.w, (words, rect, centred)
        assert text.size >= min(14, sizes[1]), (words, rect, text)
        written.append(words)

    monkeypatch.setattr(shapes, "write", write)
    surface = pygame.Surface(size)
    surface.set_clip((0, 0, 0, 0))  # only what is written counts
    for asking, cause in product(ASKINGS, ("", "refused")):
        written.clear()
        screen = screen_of(view, asking, padded, cause)
        draw.paint(surface, screen, arrange(*size, screen.frame))
        assert padded("call-floor") in written or "0" in "".join(written)


def by_letters(text: str, size: int) -> int:
    return len(text) * size


def test_fit_takes_the_largest_size_that_fits() -> None:
    assert fit("aaaa bbbb", (200, 40), (30, 10), by_letters).lines == ("aaaa bbbb",)
    assert fit("aaaa bbbb", (200, 40), (30, 10), by_letters).size == 22
    assert fit("aaaa bbbb", (130, 80), (30, 10), by_letters).lines == ("aaaa", "bbbb")


def test_no_line_begins_with_a_sign_that_ends_a_part_of_a_sentence() -> None:
    for sign in (":", "?", "!", ";", "»"):
        set_out = fit(f"aaaa bb {sign} cc", (90, 200), (22, 20), by_letters)
        assert set_out.lines == ("aaaa", f"bb\u00a0{sign}", "cc")


def test_fit_shrinks_to_the_floor_before_it_wraps_one_line() -> None:
    assert len(fit("aaaa bbbb", (130, 80), (30, 10), by_letters, one_line=True).lines) == 1
    assert len(fit("aaaa bbbb", (130, 80), (30, 20), by_letters, one_line=True).lines) == 2


def test_fit_breaks_a_word_or_goes_below_the_floor_rather_than_cut() -> None:
    broken = fit("abcdefgh", (60, 200), (30, 20), by_letters)
    assert "".join(broken.lines) == "abcdefgh"
    assert broken.size == 20
    tiny = fit("abcdefgh", (90, 14), (30, 20), by_letters)
    assert (tiny.lines, tiny.size) == (("abcdefgh",), 10)
    assert fits("ab cd", (60, 60), 20, by_letters)
    assert not fits("abcd", (60, 60), 20, by_letters)


@pytest.mark.parametrize("size", SIZES)
def test_steps_and_prompts_reach_the_primary_size(
    view_name: str, size: tuple[int, int], texts: Texts, read_view: ReadView
) -> None:
    screen = screen_of(read_view(view_name), "", texts)
    regions = arrange(*size, screen.frame)
    m = metrics(*size)
    primary = [label for label in screen.labels if label.region in ("step", "banner")]
    assert len(primary) == 1
    room = regions[primary[0].region]
    if primary[0].framed:
        room = Rect(room.x + 2 * m.gap, room.y + 4, room.w - 4 * m.gap, room.h - 8)
    limits = draw.sizes(primary[0].role, m)
    assert fitted(primary[0].text, (room.w, room.h), limits, bold=True).size >= limits[1]
