"""Players as a file of comma-separated values: what comes in, and what goes out."""

from __future__ import annotations

import pytest

from controller.room.entering import Entrant
from controller.room.players_csv import CsvError, PlayersFile, read_players, write_players
from controller.room.register import Player
from controller.room.seat_draw import AtSeat


def read(text: str) -> list[tuple[str, str | None, str | None, int | None, bool, int | None]]:
    return [
        (each.name, each.id, each.table, each.seat, each.paid, each.line)
        for each in read_players(text.encode()).players
    ]


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_come_in_any_order_and_with_any_mark_between(between: str, end: str) -> None:
    lines = ["Paid,NAME, seat ,Table,id", "x,Ann,4,T2,a1", "", ",Bob,,,", "nein,Cleo,,,c"]
    assert read(end.join(line.replace(",", between) for line in lines)) == [
        ("Ann", "a1", "T2", 4, True, 2),
        ("Bob", None, None, None, False, 4),
        ("Cleo", "c", None, None, False, 5),
    ]


def test_columns_that_were_emptied_are_none() -> None:
    """A spreadsheet goes on writing what lies right of a column that it has had once."""
    assert read("Name;Paid;;\r\nAnn;ja;;\r\nBob;;;\r\n") == [
        ("Ann", None, None, None, True, 2),
        ("Bob", None, None, None, False, 3),
    ]


def test_a_name_may_have_the_mark_and_a_line_may_lack_its_last_values() -> None:
    assert read('name,id\n"Lee, Ann"\n') == [("Lee, Ann", None, None, None, False, 2)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: there is no player in this file"),
        ("name\n", "line 1: there is no player in this file"),
        ("id\n7\n", "line 1: the column 'name' is missing"),
        ("name,seat\nAnn,4\n", "line 1: the column 'table' is missing"),
        ("nmae\nAnn\n", "line 1: the column 'name' is missing"),
        ("email,club\na@b,c\n", "line 1: the column 'name' is missing"),
        ("Name;Spieler\nAnn;Ann\n", "line 1: 'Name' and 'Spieler' are both the column 'name'"),
        ("Meister 2026\nName;Tisch\n", "line 2: the column 'seat' is missing"),
        ("sep=;\nName;Bezahlt\nAnn;vielleicht\n", "line 3: 'vielleicht' is neither yes nor no"),
        ("name,name\nAnn,Ann\n", "line 1: the column 'name' is there twice"),
        ("name\nAnn\nBob,7\n", "line 3: 2 values, but 1 columns"),
        ("name,id\n,7\n", "line 2: a player without a name"),
        ("name,table,seat\nAnn,T1,\n", "line 2: a seat needs its table, and a table a seat"),
        ("name,table,seat\nAnn,T1,four\n", "line 2: 'four' is no seat"),
        ("name,table,seat\nAnn,T1,²\n", "line 2: '²' is no seat"),
        ("name,table,seat\nAnn,T1,11\n", "line 2: '11' is no seat: they go from 1 to 10"),
        ("name,table,seat\nAnn,T1,0\n", "line 2: '0' is no seat"),
        ("name,table,seat\nAnn,Tisch 1,4\n", "line 2: 'Tisch 1' is no table: it takes letters"),
        ("name,id\nAnn,a b\n", "line 2: 'a b' is no id: it takes 40 characters at most, and no"),
        (f"name\n{'x' * 200}\n", f"line 2: '{'x' * 40}' is no name: it takes one line of 80"),
        ('name\n"Ann\nLee"\n', "line 3: 'AnnLee' is no name"),
        ("name,paid\nAnn,maybe\n", "line 2: 'maybe' is neither yes nor no"),
        ('name\n"Ann\n', "line 2: "),
        ("name\nAnn\0\n", "line 2: 'Ann' is no name"),
    ],
)
def test_the_first_fault_is_one_line_with_the_line_of_the_file(text: str, fault: str) -> None:
    with pytest.raises(CsvError) as error:
        read(text)
    assert str(error.value).startswith(fault)
    assert "\n" not in str(error.value)


def test_what_goes_out_comes_in_again() -> None:
    players = [
        Player(
            id="p1", name="Jörg; Müller", number=1, paid=True, status="seated", at=AtSeat("T1", 4)
        ),
        Player(id="p2", name="=1+1", number=2, status="out", last=AtSeat("T1", 5), finish=1),
        Player(id="p3", name="'tis", number=3),
    ]
    file = write_players(players, {"p1": 12_350})
    assert file.splitlines()[0] == "name,id,table,seat,paid,status,chips"
    assert file.splitlines()[1].endswith(",12350")
    assert file.splitlines()[2] == "'=1+1,p2,,,no,out,"
    assert read_players(file.encode()) == PlayersFile(
        (
            Entrant(name="Jörg; Müller", id="p1", table="T1", seat=4, paid=True, line=2),
            Entrant(name="=1+1", id="p2", line=3),
            Entrant(name="'tis", id="p3", line=4),
        ),
        left_out=("status", "chips"),
    )


@pytest.mark.parametrize(
    ("head", "paid"),
    [
        ("Spieler;Nr.;Tisch;Platz;Bezahlt", "WAHR"),
        ("NAME;Mitgliedsnummer;Tisch-Nr.;Sitz;bezahlt?", "ja"),
        ("Nombre;Número;Mesa;Asiento;Pagado", "VERDADERO"),
        ("Jugador;N.º de socio;mesa;PLAZA;pagado", "sí"),
        ("Nom;Numéro;Table;Siège;Payé", "VRAI"),
        ("Joueur;N°;table;Place;paye", "oui"),
        ("Player name;Member no;Table no.;Seat #;Paid", "TRUE"),
    ],
)
def test_clubs_name_the_columns_in_their_own_language(head: str, paid: str) -> None:
    no = {"WAHR": "FALSCH", "VERDADERO": "FALSO", "VRAI": "FAUX"}.get(paid, "no")
    assert read(f"{head}\nAnn;17;T1;4;{paid}\nBob;18;T1;5;{no}\n") == [
        ("Ann", "17", "T1", 4, True, 2),
        ("Bob", "18", "T1", 5, False, 3),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Vorname;Name\nAnn;Lee\n",
        "Nachname;Vorname\nLee;Ann\n",
        "Nom;Prénom\nLee;Ann\n",
        "Nombre;Apellidos\nAnn;Lee\n",
        "First name;Last name\nAnn;Lee\n",
    ],
)
def test_a_name_in_two_columns_is_one(text: str) -> None:
    assert read(text) == [("Ann Lee", None, None, None, False, 2)]


def test_columns_that_are_not_known_are_left_out_and_named() -> None:
    file = read_players(b"E-Mail;Name;;Telefon\na@b.c;Ann;;0170\n")
    assert [each.name for each in file.players] == ["Ann"]
    assert file.left_out == ("E-Mail", "Telefon")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sep=;\r\nName;Tisch;Platz\r\nAnn;T1;4\r\n", 3),
        ("SEP=,\nname,table,seat\nAnn,T1,4\n", 3),
        ("Montagsturnier, 7. Dezember\n\nName;Tisch;Platz\nAnn;T1;4\n", 4),
        ("Spieler;;\nName;Tisch;Platz\nAnn;T1;4\n", 3),
        ("sep=;\nTurnier;;\nName;Tisch;Platz\nAnn;T1;4\n", 4),
    ],
)
def test_a_line_for_the_spreadsheet_and_a_title_may_come_first(text: str, line: int) -> None:
    assert read(text) == [("Ann", None, "T1", 4, False, line)]
