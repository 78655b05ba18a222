"""Every page by links alone, as each role walks them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from controller.files.settings import config_dir
from controller.library.books import Library
from controller.library.languages import languages, path_of, read
from controller.people.rights import needed
from controller.people.staff import ROLES, Role
from controller.room.pages import PAGES
from tests.web.past import Past, as_told, filled, hands_of

CONTROL = "http://127.0.0.1:9/"


class Links(HTMLParser):
    """The links of a page, each with its text; `bar` are those of its header's menu."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.all: list[tuple[str, str]] = []
        self.bar: list[tuple[str, str]] = []
        self._href: str | None = None
        self._text = ""
        self._in_bar = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._in_bar |= tag == "nav" and given.get("id") == "ways"
        if tag == "a" and "download" not in given:
            self._href, self._text = given["href"] or "", given.get("aria-label") or ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        self._in_bar &= tag != "nav"
        if tag == "a" and self._href is not None:
            link = (" ".join(self._text.split()), self._href)
            self.all.append(link)
            self.bar += [link] if self._in_bar else []
            self._href = None


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Iterator[Past]:
    """Two tables have played, so that the history has pages of hands."""
    told = [events for _, events in hands_of(library, "faults")][:40]
    tables = {"T1": as_told(told[:20]), "T2": as_told(told[20:], "T2")}
    store = filled(tmp_path_factory.mktemp("ways") / "history.sqlite", tables)
    with Past(str(store), control=CONTROL) as running:
        yield running


def open_to(role: Role | None) -> set[str]:
    """The addresses of the pages that a role may open."""
    paths = {*PAGES.values(), "/login"}
    may = {None: 0} | {role: rank for rank, role in enumerate(ROLES, 1)}
    return {path for path in paths if may[needed("GET", path)] <= may[role]}


def walked(client: httpx.Client, starts: set[str]) -> dict[str, Links]:
    """All pages that links lead to, by the paths at which they are in the end."""
    found: dict[str, Links] = {}
    ahead, tried = sorted(starts), set[str]()
    while ahead:
        asked = ahead.pop()
        if asked in tried or asked.startswith(CONTROL):
            continue
        tried.add(asked)
        answer = client.get(asked, follow_redirects=True, headers={"Accept": "text/html"})
        assert answer.status_code == 200, asked
        links = found.setdefault(answer.url.path, Links(answer.text))
        ahead += [urljoin(str(answer.url), href) for _, href in links.all]
    return found


def led_to(start: str, pages: dict[str, Links], moved: dict[str, str]) -> set[str]:
    """All paths to which one comes from a page."""
    reached, ahead = set[str](), [start]
    while ahead:
        path = ahead.pop()
        if path in reached or path not in pages:
            continue
        reached.add(path)
        ahead += [moved.get(to, to) for _, href in pages[path].all if (to := urlsplit(href).path)]
    return reached


@pytest.mark.parametrize("role", [None, *ROLES])
def test_from_every_page_one_comes_to_every_other_that_one_may_open(
    past: Past, role: Role | None
) -> None:
    with past.client(role, f"walking {role}") as client:
        mine = open_to(role)
        pages = walked(client, mine)
        assert mine <= pages.keys()
        # The way back from the wall leads a stranger to sign in.
        moved = {} if role else {"/": "/login"}
        for path in pages:
            assert mine - led_to(path, pages, moved) == set(), path


@pytest.mark.parametrize("role", [None, *ROLES])
def test_links_of_one_text_lead_to_one_place(past: Past, role: Role | None) -> None:
    with past.client(role, f"reading {role}") as client:
        pages = walked(client, open_to(role))
    if role in {"floor", "director", "admin"}:
        assert sum(path.startswith("/history/") for path in pages) > 30
    for path, links in pages.items():
        assert all(text for text, _ in links.all), path
        texts = {text for text, _ in links.all}
        assert len(texts) == len(set(links.all)), (path, sorted(links.all))


@pytest.mark.parametrize("role", ROLES)
def test_the_header_is_the_same_on_every_page_but_the_wall(past: Past, role: Role) -> None:
    words = read(path_of(config_dir(), "en"), ("pages",))["pages"]
    with past.client(role, f"seeing {role}") as client:
        pages = walked(client, open_to(role))
        assert pages.pop("/screen").bar == []
        bars = {tuple(links.bar) for links in pages.values()}
        assert len(bars) == 1
        expected = [(words[name], path) for name, path in PAGES.items() if path in open_to(role)]
        assert [*bars.pop()] == [*expected, (words["control"], CONTROL)]
        for _, path in expected:
            assert client.get(path).status_code == 200  # not led away to sign in


@pytest.mark.parametrize("role", ["viewer", None])
def test_a_page_has_the_name_of_the_links_that_lead_to_it(past: Past, role: Role | None) -> None:
    with past.client(role, f"naming {role}") as client:
        for path in open_to(role) - {"/screen", "/", "/login"}:
            html = client.get(path).text
            (name,) = [text for text, href in Links(html).bar if href == path]
            assert f"<title>{name}</title>" in html
            assert 'aria-current="page">' + name in html


@pytest.mark.parametrize("language", languages(config_dir()))
def test_the_index_speaks_the_houses_language(language: str) -> None:
    words = read(path_of(config_dir(), language), ("pages", "index"))
    with Past(None, language) as house:
        html = house.answer("/", "admin").text
        other = house.answer("/?lang=es", "admin")
    assert f'<html lang="{language}">' in html
    for name in PAGES:
        assert words["pages"][name] in _plain(html)
    for name in ("about-floor", "about-people", "tables", "none"):
        assert words["index"][name] in _plain(html)
    assert "Reloj de pared" in other.text
    assert 'href="/floor?lang=es"' in other.text


def _plain(html: str) -> str:
    return html.replace("&#39;", "'")


def test_nothing_of_the_index_is_in_one_language_for_all() -> None:
    with Past(None, "de") as house:
        found = _plain(house.answer("/", "admin").text)
    english = read(path_of(config_dir(), "en"), ("pages", "index"))
    german = read(path_of(config_dir(), "de"), ("pages", "index"))
    for section, texts in english.items():
        for key, text in texts.items():
            assert text == german[section][key] or f">{text}<" not in found, text


def test_each_page_is_described_on_the_first_one(past: Past) -> None:
    with past.client("admin", "reading what there is") as client:
        listed = client.get("/").text.partition('<ul id="about">')[2].partition("</ul>")[0]
    told = dict(re.findall(r"<strong>(.*?)</strong><span>(.*?)</span>", listed))
    assert len(told) == len(PAGES)  # the page itself is not there, and the demo's control page is
    assert [name for name, text in told.items() if not text.strip()] == []
