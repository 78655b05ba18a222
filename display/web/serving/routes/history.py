"""The pages of the room's history and statistics, and their files."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime
from typing import TypeVar
from urllib.parse import quote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.archive.discreet import discreet
from controller.archive.kept import Archive, ArchiveError, HandRecord, Place
from controller.archive.phh import InexpressibleError, phh
from controller.archive.pool import ReadingPool
from controller.archive.statistics import in_pieces, statistics
from controller.people.rights import may_see_dealers
from display.web.downloads import PARTS, Part, json_hand
from display.web.hand import hand_page
from display.web.history import FIELDS, Fault, asked, results
from display.web.serving.access.asking import person_of
from display.web.serving.frame import Frame
from display.web.speech import Speech, speech
from display.web.statistics import SPANS_H, statistics_page
from display.web.ways import address

PAGE_HANDS = 50
MOST_FILES = 4
"""That are being sent at once."""
_HOUR_MS = 3_600_000
_ONE_DAY_H = 24
_USUAL_SPAN = "week"
_DO_ASK = ("from", "until", "table")
T = TypeVar("T")
_HAND = re.compile(r"([1-9]\d{0,9})(?:\.(phh|json))?")
Answer = Callable[[Request], Awaitable[Response]]


class _Shown(Struct, frozen=True):
    """A page that is ready to be sent."""

    html: str
    status: int = 200


class _RefusedError(Exception):
    """The answer to what can't be done is this page."""

    def __init__(self, shown: _Shown) -> None:
        super().__init__()
        self.shown = shown


class HistoryPages:
    """Answers from a store; all reading and writing of pages is done beside the loop."""

    def __init__(self, readers: ReadingPool | None, frame: Frame) -> None:
        """`readers` None: the room keeps no history."""
        self._readers = readers
        self._frame = frame
        self._beside = frame.beside
        self._files = 0

    def routes(self) -> list[Route]:
        """The addresses."""
        files = [
            Route(f"/history.{kind}", self._file(kind), name=f"history-{kind}") for kind in PARTS
        ]
        return [
            Route("/history", self._answer(self._search)),
            *files,
            Route("/history/{table}/{hand}", self._hand),
            Route("/statistics", self._answer(self._statistics)),
        ]

    def _answer(self, page: Callable[[Request, Archive], _Shown]) -> Answer:
        async def answer(request: Request) -> Response:
            return await self._page(request, lambda archive: page(request, archive))

        return answer

    async def _page(self, request: Request, page: Callable[[Archive], _Shown]) -> Response:
        try:
            shown = await self._ask(page)
        except _RefusedError as refused:
            shown = refused.shown
        except ArchiveError as error:
            shown = self._no_history(request, str(error))
        return HTMLResponse(shown.html, shown.status)

    # --- pages, made in a thread ---

    def _search(self, request: Request, archive: Archive) -> _Shown:
        spoke, people = self._speech(request), may_see_dealers(person_of(request))
        tables = archive.tables()
        given = asked(request.query_params.multi_items(), tables, spoke, dealers=people)
        found = None
        faults = dict(given.faults)
        if not faults:
            page = archive.search(given.query, limit=PAGE_HANDS, cursor=given.cursor)
            found = results(page, given, spoke, self._beside(request))
        codes = sorted(spoke.codes.items(), key=lambda each: each[1].casefold())
        return self._shown(
            request,
            "history.html",
            200 if found else 400,
            section="history",
            given=given.given,
            faults=faults,
            others=[each for each in faults if each not in FIELDS],
            fix=lambda field: self._fixed(request, field, faults[field]),
            tables=tables,
            codes=codes,
            people=people,
            found=found,
            is_later=given.cursor is not None,
        )

    def _statistics(self, request: Request, archive: Archive) -> _Shown:
        spoke, people = self._speech(request), may_see_dealers(person_of(request))
        tables = archive.tables()
        pairs = [each for each in request.query_params.multi_items() if each[0] != "span"]
        given = asked(pairs, tables, spoke, dealers=people)
        faults = {
            field: fault
            if field in _DO_ASK
            else Fault(spoke.say("history", "fault-unknown", given=field), "")
            for field, fault in given.faults.items()
        }
        for field in given.given:
            if field not in _DO_ASK:
                faults[field] = Fault(spoke.say("history", "fault-unknown", given=field), "")
        span = request.query_params.get("span", "")
        if span and span not in SPANS_H:
            faults["span"] = Fault(spoke.say("statistics", "fault-span", given=span[:40]), "week")
        chosen = span if span in SPANS_H else ""
        made = None
        if not faults:
            query = given.query
            since, until = query.since_ms, query.until_ms
            if since is None and until is None and not chosen:
                chosen = _USUAL_SPAN
            since, until = _span(archive, chosen, since, until)
            period = in_pieces(since, until, query.table)
            counted = archive.counts(period, dealers=people)
            made = statistics_page(
                statistics(period, counted), spoke, self._beside(request), dealers=people
            )
        return self._shown(
            request,
            "statistics.html",
            200 if made else 400,
            section="statistics",
            given=given.given,
            faults=faults,
            others=[each for each in faults if each not in _DO_ASK],
            fix=lambda field: self._fixed(request, field, faults[field]),
            tables=tables,
            spans=self._spans(request, given.given, spoke),
            chosen=chosen,
            made=made,
        )

    def _one_hand(self, request: Request, archive: Archive, table: str, hand: int) -> _Shown:
        spoke = self._speech(request)
        record = self._record(request, archive, table, hand)
        place = Place(hand, record.hand.journal)
        page = hand_page(record, archive.beside(table, place), spoke, self._beside(request))
        return self._shown(request, "hand.html", 200, section="history", hand=page)

    async def _hand(self, request: Request) -> Response:
        table, named = request.path_params["table"], request.path_params["hand"]
        matched = _HAND.fullmatch(named)

        def page(archive: Archive) -> _Shown:
            if matched is None:
                words = self._say(request, "fault-hand", given=named[:40])
                raise _RefusedError(self._notice(request, words, 404))
            return self._one_hand(request, archive, table, int(matched[1]))

        if matched is None or matched[2] is None:
            return await self._page(request, page)
        return await self._hand_file(request, table, int(matched[1]), matched[2])

    # --- files ---

    async def _hand_file(self, request: Request, table: str, hand: int, kind: str) -> Response:
        def read(archive: Archive) -> bytes:
            record = self._record(request, archive, table, hand)
            return json_hand(record) if kind == "json" else phh(record).encode()

        try:
            text = await self._ask(read)
        except _RefusedError as refused:
            return HTMLResponse(refused.shown.html, refused.shown.status)
        except InexpressibleError as error:
            return PlainTextResponse(f"{error}\n", 409)
        except ArchiveError as error:
            return self._no_file(error)
        media = "application/json" if kind == "json" else "text/plain; charset=utf-8"
        return Response(text, media_type=media, headers=_as_file(f"{table}-{hand:06}.{kind}"))

    def _file(self, kind: str) -> Answer:
        read, media = PARTS[kind]

        async def answer(request: Request) -> Response:
            people, spoke = may_see_dealers(person_of(request)), self._speech(request)
            try:
                tables = await self._ask(lambda archive: archive.tables())
                given = asked(request.query_params.multi_items(), tables, spoke, dealers=people)
                if given.faults:
                    said = [f"{fault.words} {fault.nearest}" for fault in given.faults.values()]
                    return PlainTextResponse("\n".join(said) + "\n", 400)
                if self._files >= MOST_FILES:
                    return PlainTextResponse(f"{self._say(request, 'too-many-files')}\n", 503)
                first = await self._ask(lambda archive: read(archive, given.query, None, 0))
            except ArchiveError as error:
                return self._no_file(error)
            name = f"history-{time.strftime('%Y-%m-%d')}.{kind}"

            def following(part: Part) -> Callable[[Archive], Part]:
                return lambda archive: read(archive, given.query, part.cursor, part.written)

            return StreamingResponse(
                self._stream(first, following), media_type=media, headers=_as_file(name)
            )

        return answer

    async def _stream(
        self, part: Part, following: Callable[[Part], Callable[[Archive], Part]]
    ) -> AsyncIterator[bytes]:
        """A file, each piece when the one before it is gone. Where it can't be read on, the
        browser is told that it is not whole: the connection ends within it."""
        self._files += 1
        try:
            yield part.text.encode()
            while part.cursor is not None:
                part = await self._ask(following(part))
                yield part.text.encode()
                await asyncio.sleep(0)
        finally:
            self._files -= 1

    # --- what they have in common ---

    async def _ask(self, question: Callable[[Archive], T]) -> T:
        if self._readers is None:
            raise ArchiveError("this room keeps no history")
        return await self._readers.ask(question)

    def _record(self, request: Request, archive: Archive, table: str, hand: int) -> HandRecord:
        record = archive.hand(table, hand, request.query_params.get("journal"))
        if record is None:
            words = self._say(request, "unknown-hand", hand=hand, table=table[:40])
            raise _RefusedError(self._notice(request, words, 404))
        return discreet(record, dealers=may_see_dealers(person_of(request)))

    def _speech(self, request: Request) -> Speech:
        return speech(self._frame.language(request))

    def _say(self, request: Request, key: str, **given: object) -> str:
        return self._speech(request).say("history", key, **given)

    def _fixed(self, request: Request, field: str, fault: Fault) -> str:
        """The same address with the value that is nearest to what was given."""
        renames = fault.nearest in FIELDS and field not in FIELDS
        pairs = dict(request.query_params)
        fixed = {fault.nearest: pairs.get(field, "")} if renames else {field: fault.nearest}
        ordered = [fixed if name == field else {name: value} for name, value in pairs.items()]
        return address(request.url.path, {k: v for each in ordered for k, v in each.items()})

    def _spans(
        self, request: Request, given: Mapping[str, str], spoke: Speech
    ) -> list[tuple[str, str, str]]:
        kept = {name: given[name] for name in ("table",) if name in given}
        return [
            (
                name,
                spoke.say("statistics", f"span-{name}"),
                address("/statistics", {"span": name, **kept, **self._beside(request)}),
            )
            for name in SPANS_H
        ]

    def _no_history(self, request: Request, fault: str) -> _Shown:
        if self._readers is None:
            return self._notice(request, self._say(request, "not-kept"), 404)
        return self._notice(request, self._say(request, "unavailable", fault=fault), 503)

    def _no_file(self, error: ArchiveError) -> Response:
        return PlainTextResponse(f"{error}\n", 404 if self._readers is None else 503)

    def _notice(self, request: Request, words: str, status: int) -> _Shown:
        return self._shown(request, "notice.html", status, section="history", words=words)

    def _shown(
        self, request: Request, template: str, status: int, *, section: str, **given: object
    ) -> _Shown:
        spoke = self._speech(request)

        def say(key: str, **words: object) -> str:
            return spoke.say(section, key, **words)

        known = {
            "say": say,
            "history": lambda key, **words: spoke.say("history", key, **words),
            "search": address("/history", self._beside(request)),
            **given,
        }
        return _Shown(self._frame.drawn(request, template, section, known), status)


def _span(archive: Archive, chosen: str, since: int | None, until: int | None) -> tuple[int, int]:
    """From when until when; what is not said is the beginning, and now."""
    now = time.time_ns() // 1_000_000
    reach = archive.reach() or (now - _HOUR_MS, now)
    begun = _round(reach[0], by_day=True)
    hours = SPANS_H.get(chosen)
    if hours is not None:
        return max(begun, _round(now - hours * _HOUR_MS, by_day=hours > _ONE_DAY_H)), now
    last = until if until is not None else max(now, reach[1] + 1)
    return min(begun if since is None else since, last - 1), last


def _round(at_ms: int, *, by_day: bool) -> int:
    """The begin of the hour or the day, as this machine's clock shows it."""
    at = datetime.fromtimestamp(at_ms / 1_000).replace(minute=0, second=0, microsecond=0)
    return int((at.replace(hour=0) if by_day else at).timestamp() * 1_000)


def _as_file(name: str) -> Mapping[str, str]:
    plain = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
    return {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    }
