"""The page of the rules: what the books say, and what an action amounts to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.files.settings import config_dir
from controller.library.books import open_library
from controller.library.catalogue import read_catalogue, read_summaries
from controller.library.citations import read_citations
from controller.rule_desk.coverage import met_by
from controller.rule_desk.search import RuleDesk
from controller.rule_desk.typed import USUAL_BOOK, WORDS
from controller.rule_desk.wager_words import Words
from display.web.room import Room
from display.web.rules import LONGEST, Answer, Rules
from display.web.serving.answers import encoded, no
from display.web.serving.frame import Frame
from display.web.speech import speech
from display.web.wager_form import FLAGS, Faults, wager_answer
from display.web.words import page_words

T = TypeVar("T")


class RulePages:
    """Answers from the rules, which are read when they are first asked for. All of it is done in
    one thread beside the loop: one question at a time, and none keeps the clock waiting."""

    def __init__(self, room: Room, frame: Frame) -> None:
        self._room = room
        self._frame = frame
        self._thread = ThreadPoolExecutor(1, "rules")

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/rules", self._page),
            Route("/rules.json", self._find),
            Route("/rules/bet.json", self._bet),
        ]

    @cached_property
    def _rules(self) -> Rules:
        library = open_library(config_dir())
        names = [USUAL_BOOK, *(name for name in library.ids if name != USUAL_BOOK)]
        books = {name: library.book(name) for name in names}
        catalogue = read_catalogue(config_dir())
        desk = RuleDesk(catalogue, read_citations(config_dir()).values(), met_by())
        return Rules(desk, catalogue, books)

    async def _page(self, request: Request) -> Response:
        language = self._frame.language(request)
        blinds = self._room.view().clock.blinds

        def known() -> dict[str, object]:
            spoke = speech(language)
            return {"books": [(book, spoke.called(book)) for book in self._rules.books]}

        given = {
            "words": page_words("rules", language),
            "longest": LONGEST,
            "said": WORDS,
            "flags": FLAGS,
            "big": blinds.big if blinds else "",
            **await self._ask(known),
        }
        return self._frame.page(request, "rules.html", "rules", given)

    async def _find(self, request: Request) -> Response:
        """The rules that have some words, or behind an id."""
        language, query = self._frame.language(request), request.query_params
        asked, book = query.get("q", "").strip(), query.get("book", "")

        def find() -> Answer | str:
            spoke = speech(language)
            if len(asked) > LONGEST:
                return spoke.say("rules", "fault-long")
            if book and book not in self._rules.books:
                return spoke.say("rules", "fault-choice", given=book[:40])
            return self._rules.answer(asked, book, spoke)

        found = await self._ask(find)
        return no(found, 400) if isinstance(found, str) else encoded(found)

    async def _bet(self, request: Request) -> Response:
        """What an action amounts to."""
        language, given = self._frame.language(request), dict(request.query_params)
        found = await self._ask(
            lambda: wager_answer(given, self._rules.books, _wager_words(language), speech(language))
        )
        return encoded(found, 400 if isinstance(found, Faults) else 200)

    async def _ask(self, question: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)


def _wager_words(language: str) -> Words:
    apart = page_words("screen", language)["thousands"]
    return Words(page_words("wager", language), read_summaries(config_dir()), apart)
