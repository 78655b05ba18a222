"""Where a demo's pages are: said line by line, and linked from its control page."""

from __future__ import annotations

import re

import httpx
import pytest

from controller.demo.pages import CONTROL, addresses, listed, names, said
from controller.room.pages import PAGES
from tests.demo.runs import running
from tests.waiting import PATIENCE_S

URL = "http://127.0.0.1:8000"
FOUND = {**addresses(URL, "code"), CONTROL: "http://127.0.0.1:8001/"}


def test_each_page_is_said_by_its_own_name_on_a_line_of_its_own() -> None:
    lines = said(FOUND)
    words = names()
    assert [line.split("  ")[1] for line in lines] == [words[page] for page in (*PAGES, CONTROL)]
    assert len({line.index("http") for line in lines}) == 1
    assert "  Wall clock    http://127.0.0.1:8000/screen" in lines
    assert "  Floor         http://127.0.0.1:8000/join?code=code&to=/floor" in lines


def test_a_page_that_did_not_come_up_is_not_said() -> None:
    alone = {**dict.fromkeys(FOUND), CONTROL: FOUND[CONTROL]}
    assert listed(alone) == [(CONTROL, FOUND[CONTROL])]
    assert said(alone) == ["  Control  http://127.0.0.1:8001/"]


@pytest.mark.parametrize(
    ("page", "needs"), [("screen", False), ("pocket", False), ("people", True)]
)
def test_a_code_is_in_the_addresses_that_need_it(page: str, needs: bool) -> None:
    assert ("code=" in FOUND[page]) == needs


def test_the_control_page_leads_to_each_page_by_its_name_and_each_leads_back() -> None:
    with running("--headless", "--seed", "7") as show:
        url = show.wait_for(r"^demo:   Control +(http\S+)$")[1]
        told = {
            m[1]: m[2] for line in show.lines if (m := re.match(r"demo:   (.+?)  +(http\S+)", line))
        }
        html = httpx.get(url, timeout=PATIENCE_S).text
        links = re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', html)
        assert {text: href.replace("&amp;", "&") for href, text in links} == told
        assert list(told) == [names()[page] for page in (*PAGES, CONTROL)]
        assert "<title>Control</title>" in html
        with httpx.Client(follow_redirects=True, timeout=PATIENCE_S) as client:
            home = told["Wall clock"].removesuffix("screen")
            code = told["Floor"].partition("code=")[2].partition("&")[0]
            ours = {"Origin": home.rstrip("/"), "X-Requested-With": "cutcard"}
            assert client.post(f"{home}join", json={"code": code}, headers=ours).is_success
            for page, path in PAGES.items():
                if page != "screen":
                    assert f'<a href="{url}">Control</a>' in client.get(f"{home}{path[1:]}").text
