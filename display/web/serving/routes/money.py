"""The evening's money: its page and stream, the payout sheet to print, and the same as a file."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.room.payouts_csv import write_payouts
from display.web.money import account, drawn_from, money
from display.web.players import beat
from display.web.room import Event
from display.web.serving.answers import csv_file, encoded, house_time
from display.web.serving.frame import Frame
from display.web.serving.streams import Streams
from display.web.words import marks, page_words


class MoneyPages:
    """What the director sees of the money. It is asked for where the players' acts are."""

    def __init__(self, room: Event, frame: Frame, streams: Streams) -> None:
        self._room = room
        self._frame = frame
        self._streams = streams

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/money", self._page),
            Route("/money/events", self._events),
            Route("/money.json", self._picture),
            Route("/money/sheet", self._sheet),
            Route("/payouts.csv", self._export),
        ]

    def _page(self, request: Request) -> Response:
        return self._shown(request, "money.html")

    async def _events(self, _request: Request) -> Response:
        return self._streams.changes(money, drawn_from, beat)

    async def _picture(self, _request: Request) -> Response:
        return encoded(money(self._room.view()))

    def _sheet(self, request: Request) -> Response:
        room, write = self._room.view(), marks(self._frame.language(request))
        currency = room.money.prices.currency

        def text(cents: int) -> str:
            return write.text(cents, currency)

        return self._shown(request, "money_sheet.html", shown=money(room), text=text)

    async def _export(self, _request: Request) -> Response:
        room = self._room.view()
        return csv_file("payouts", write_payouts(account(room), house_time))

    def _shown(self, request: Request, template: str, **known: object) -> Response:
        language, room = self._frame.language(request), self._room.view()
        sections = ("desk", "players", "money")
        words = {key: text for one in sections for key, text in page_words(one, language).items()}
        name = room.tournament.name or room.screen.name
        return self._frame.page(request, template, "money", {"words": words, "name": name, **known})
