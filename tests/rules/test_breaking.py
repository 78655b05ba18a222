"""When a table breaks and when all seats are drawn anew, by the sentences of each book."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from controller.rules.breaking import Breaking, breaking


def due(library: Library, book: str, chairs: int, *sizes: int) -> Breaking | None:
    """With so many at each of the tables A, B, C …"""
    there = {chr(65 + n): size for n, size in enumerate(sizes)}
    redraws = library.book(book).tournament.redraws
    return breaking(there, dict.fromkeys(there, chairs), () if redraws is None else redraws.when)


def stays(library: Library, book: str, chairs: int, *sizes: int) -> str | None:
    """The tables that stay; with a `*` where all are drawn anew."""
    found = due(library, book, chairs, *sizes)
    return None if found is None else "".join(found.stay) + "*" * found.all


@pytest.mark.parametrize(
    ("book", "chairs", "sizes", "left"),
    [
        # RR7-T-13: in a set order, as soon as there is room for its players elsewhere
        ("roberts", 9, (9, 9, 9, 9, 1), None),
        ("roberts", 9, (8, 8, 7, 7, 6), "ABCD"),
        # RR7-T-18: redraws at three, two and one tables
        ("roberts", 9, (7, 7, 7, 7), None),
        ("roberts", 9, (7, 7, 7, 6), "ABC*"),
        ("roberts", 9, (6, 6, 6), "AB*"),
        ("roberts", 9, (5, 5), None),
        ("roberts", 9, (5, 4), "A*"),
        # HPT-SEAT-04, HPT-SEAT-05: three tables until 18 are left, two until 9
        ("homepokertourney", 10, (7, 6, 6), None),
        ("homepokertourney", 10, (6, 6, 6), "AB*"),
        ("homepokertourney", 10, (5, 5), None),
        ("homepokertourney", 10, (5, 4), "A*"),
        ("homepokertourney", 10, (8, 8, 7, 7), "ABC"),
        # UK-10: nine, eight where two are out at once at ten; six in six-handed events
        ("uk-tda", 9, (5, 5), None),
        ("uk-tda", 9, (5, 4), "A*"),
        ("uk-tda", 9, (4, 4), "A*"),
        ("uk-tda", 6, (4, 3), None),
        ("uk-tda", 6, (3, 3), "A*"),
        ("uk-tda", 9, (9, 9, 1), None),
        ("uk-tda", 9, (6, 6, 6), "AB"),
        # TDA09-07: ten in flop games, where the table has as many chairs
        ("tda-2009", 10, (6, 5), None),
        ("tda-2009", 10, (5, 5), "A*"),
        ("tda-2009", 9, (5, 5), None),
        # TDA24-RP9A, TDA24-RP9B: from two tables of five to nine, or of four to seven
        ("tda-2024", 9, (5, 5), None),
        ("tda-2024", 9, (5, 4), "A*"),
        ("tda-2024", 8, (5, 4), None),
        ("tda-2024", 7, (4, 4), None),
        ("tda-2024", 7, (4, 3), "A*"),
        ("tda-2024", 6, (4, 3), None),
        # NL10-SEAT-02: whoever has a seat keeps it
        ("nl-2010", 9, (5, 4), "A"),
        # one table, or none, is what it is
        ("uk-tda", 9, (9,), None),
        ("uk-tda", 9, (), None),
    ],
)
def test_how_few_make_fewer_tables(
    library: Library, book: str, chairs: int, sizes: tuple[int, ...], left: str | None
) -> None:
    assert stays(library, book, chairs, *sizes) == left


def test_many_who_are_out_at_once_may_leave_one_table_of_three(library: Library) -> None:
    assert stays(library, "roberts", 9, 3, 3, 3) == "A*"
    assert stays(library, "nl-2010", 9, 3, 3, 3) == "AB", "one after the other"
