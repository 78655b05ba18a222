"""Which columns a club's file of players has, and where its rows begin: pure.

Clubs name them in their own language, and keep more in such a file than who plays: what is not
known here is left out, and named.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from msgspec import Struct

COLUMNS = ("name", "id", "table", "seat", "paid")
FIRST, LAST = "first name", "last name"
"""A name in two columns; either may stand beside `name` for the other part of it."""

_WORDS: Mapping[str, str] = {
    "name": """name, names, full name, player, players, player name, spieler, spielername,
        teilnehmer, nombre, nombre completo, nombre y apellidos, jugador, jugadora, nom,
        nom complet, nom et prenom, joueur, joueuse, nom du joueur, participant, participante""",
    FIRST: "first name, firstname, given name, vorname, prenom, nombre de pila",
    LAST: """last name, lastname, surname, family name, nachname, familienname, apellido,
        apellidos, nom de famille""",
    "id": """id, player id, member, member id, membership, mitglied, mitglieds id, mitgliedsnummer,
        kennung, spielernummer, socio, de socio, identificador, membre, de membre, adherent,
        d adherent, identifiant""",
    "table": "table, tables, tisch, mesa",
    "seat": "seat, sitz, sitzplatz, platz, asiento, puesto, plaza, silla, siege, place",
    "paid": """paid, has paid, bezahlt, gezahlt, pagado, pagada, ha pagado, paye, payee, a paye,
        regle""",
}
_MEANT = {word.strip(): column for column, words in _WORDS.items() for word in words.split(",")}
_NUMBER = frozenset({"no", "nr", "n", "num", "number", "nummer", "numero"})
"""Beside another word it says nothing; alone it is the id."""
_LOOKED_AT = 12
"""Lines among which the names of the columns are."""
_BETWEEN = ",;\t"


class Header(Struct, frozen=True):
    """The columns by their places, of which None is left out; `names` is what the file calls them.
    Rows begin after so many `lines`, and `between` is what separates their values."""

    columns: tuple[str | None, ...]
    names: tuple[str, ...]
    lines: int
    between: str

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of columns that are not taken in."""
        each = zip(self.columns, self.names, strict=True)
        return tuple(name for name, column in ((n, c) for c, n in each) if name and column is None)


def header(text: str) -> Header | None:
    """The line that names the columns; None where no line near the top names players. A title
    and what only a spreadsheet reads (`sep=;`) may stand before it."""
    said = re.match(r"sep=(.)\r?\n", text, re.IGNORECASE)
    skipped = 0 if said is None else 1
    found = (
        each
        for between in (_BETWEEN if said is None else said[1])
        for each in _headers(text.split("\n", skipped)[skipped], between, skipped)
    )
    return max(found, key=lambda each: sum(c is not None for c in each.columns), default=None)


def _headers(text: str, between: str, skipped: int) -> Iterator[Header]:
    reader = csv.reader(islice(io.StringIO(text, newline=""), _LOOKED_AT), delimiter=between)
    with suppress(csv.Error):  # of a line that is no header
        for values in reader:
            names = tuple(_shown(each) for each in trimmed(values))
            columns = _columns(names)
            if {"name", FIRST, LAST} & {*columns}:
                yield Header(columns, names, skipped + reader.line_num, between)


def trimmed(values: Sequence[str]) -> list[str]:
    """The values of a line without blanks, and without the empty ones at its end, which are of
    columns that were emptied."""
    cells = [each.strip() for each in values]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def plain(text: str) -> str:
    """As people type it: without capitals, accents and marks."""
    letters = unicodedata.normalize("NFKD", re.sub("[º°]", "", text)).casefold()
    bare = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(re.split(r"[\W_]+", bare.replace("#", " nr "))).strip()


def _columns(names: Sequence[str]) -> tuple[str | None, ...]:
    """Where the whole name has a column, its parts are left out; a part alone is joined to it."""
    columns = [_column(name) for name in names]
    if {"name", FIRST, LAST} <= {*columns}:
        columns = [None if each in (FIRST, LAST) else each for each in columns]
    return tuple(columns)


def _column(name: str) -> str | None:
    words = plain(name).split()
    others = [each for each in words if each not in _NUMBER]
    if words and not others:
        return "id"
    return _MEANT.get(" ".join(others))


def _shown(name: str) -> str:
    return "".join(filter(str.isprintable, name))[:40]
