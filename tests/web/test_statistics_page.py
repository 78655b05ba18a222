"""Statistics as they are seen: each bar is what was counted, and too little says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.archive.opening import open_archive
from controller.archive.statistics import in_pieces, statistics
from controller.library.books import Library
from tests.web.past import BEGAN_MS, Past, as_told, filled, hands_of

TABLES = ("T1", "T2", "T10")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """T1 and T2 play 160 hands each, every sixth or fourth with an error; T10 plays 12."""
    clean = [events for _, events in hands_of(library, "clean")]
    faults = [events for _, events in hands_of(library, "faults")]

    def night(count: int, every: int) -> list[list[object]]:
        return [
            faults[n // every % len(faults)] if n % every == 0 else clean[n % len(clean)]  # type: ignore[misc]
            for n in range(count)
        ]

    path = tmp_path_factory.mktemp("statistics") / "history.sqlite"
    counts = dict(zip(TABLES, ((160, 6), (160, 4), (12, 3)), strict=True))
    told = {name: as_told(night(*count), name) for name, count in counts.items()}  # type: ignore[arg-type]
    return filled(path, told)


@pytest.fixture(scope="module")
def past(store: Path) -> Iterator[Past]:
    with Past(str(store)) as running:
        yield running


@pytest.fixture
def page(page: Page, past: Past) -> Page:
    """Of somebody of the floor."""
    past.sign_in(page)
    return page


def test_every_bar_is_what_was_counted(page: Page, past: Past, store: Path) -> None:
    archive = open_archive(store, read_only=True)
    period = in_pieces(BEGAN_MS - 90_000_000, BEGAN_MS + 90_000_000)
    made = statistics(period, archive.counts(period))
    archive.close()
    page.goto(f"{past.url}/statistics?span=all")
    for name, wanted in (
        ("irregular-table", {each.name: each.per_1000 for each in made.tables}),
        ("asked-table", {each.name: each.asked_per_1000 for each in made.tables}),
        ("pace-table", {each.name: each.hands_per_hour for each in made.tables}),
    ):
        rows = page.get_by_test_id(f"plot-{name}").locator(".wide .row")
        drawn = {
            row.get_attribute("data-name"): row.get_attribute("data-value") for row in rows.all()
        }
        assert list(drawn) == ["T1", "T2", "T10"]
        for table, value in wanted.items():
            said = drawn[table]
            assert (said is None) == (value is None), (name, table)
            if said is not None and value is not None:
                assert float(said) == pytest.approx(value, rel=1e-4)
    codes = page.get_by_test_id("plot-irregular-code").locator(".wide .row")
    values = [float(each.get_attribute("data-value") or "nan") for each in codes.all()]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(1_000 * made.whole.irregular / made.whole.hands, rel=1e-3)
    headline = page.get_by_test_id("headline").inner_text()
    assert f"{made.whole.per_1000:.1f}" in headline


def test_axes_have_words_and_tables_the_same_figures(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/statistics?span=all")
    plots = page.locator(".plotted")
    assert plots.count() == 8
    for plot in plots.all():
        if plot.locator("svg").count():
            assert plot.locator(".wide .axis").first.text_content()
            assert plot.locator(".wide .tick").count() >= 2
            assert plot.locator(".wide svg").get_attribute("aria-label")
    plot = page.get_by_test_id("plot-irregular-table")
    drawn = plot.locator(".wide .value").all_text_contents()
    cells = plot.locator("tbody tr").all()
    table = [cell.locator("td").last.inner_text() for cell in cells]
    assert [text.startswith(cell) for text, cell in zip(drawn, table, strict=False)] == [True] * 2
    assert table[2] == "hands: only 12"
    expect(plot.locator(".wide .row").nth(2)).to_have_text("T10hands: only 12")
    assert plot.locator(".wide .row").nth(2).locator("rect").count() == 0


def test_a_figure_leads_to_its_hands(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/statistics?span=all")
    page.get_by_test_id("table-irregular-table").locator("a", has_text="T2").click()
    page.wait_for_url(re.compile(r"/history\?table=T2&found=1&from="))
    assert page.locator(".where b").first.inner_text() == "T2"


def test_a_period_and_a_table_are_chosen(page: Page, past: Past) -> None:
    page.goto(f"{past.url}/statistics")
    expect(page.locator("[aria-current=true]")).to_have_text("7 days")
    expect(page.get_by_test_id("none")).to_have_text("No hands in this period")
    page.fill("#from", "2023-11-01T00:00")
    page.fill("#until", "2023-12-01T00:00")
    page.fill("#table", "T1")
    page.click("button[type=submit]")
    expect(page.get_by_test_id("period")).to_have_text("2023-11-01 00:00 – 2023-12-01 00:00")
    page.wait_for_load_state()
    names = page.get_by_test_id("plot-pace-table").locator(".wide .name").all_text_contents()
    assert names == ["T1"]
    expect(page.get_by_test_id("headline")).to_contain_text("160")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("span=fortnight", "There is no period 'fortnight'."),
        ("table=T3", "There is no table 'T3'."),
        ("from=2026-11-21&until=2026-11-20", "The end has to be after the start."),
        ("code=joker", "There is no field 'code'."),
    ],
)
def test_what_cannot_be_is_refused_in_words(page: Page, past: Past, query: str, words: str) -> None:
    answer = page.goto(f"{past.url}/statistics?{query}")
    assert answer is not None
    assert answer.status == 400
    expect(page.locator(".fault").first).to_contain_text(words)


def test_a_phone_gets_plots_of_its_own(page: Page, past: Past) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{past.url}/statistics?span=all")
    plot = page.get_by_test_id("plot-irregular-table")
    expect(page.locator("#table")).to_be_visible()
    expect(plot.locator(".wide")).to_be_hidden()
    expect(plot.locator(".narrow svg")).to_be_visible()
    sizes = page.evaluate(
        "[...document.querySelectorAll('.narrow text')].map(e => e.getBoundingClientRect().height)"
    )
    assert min(sizes) > 14
