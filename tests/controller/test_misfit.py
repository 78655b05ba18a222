"""What msgspec says of each fault, which it says in prose only: another wording fails here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from controller.contract.misfit import Misfit, Place, misfit, unknown_field


class Inner(Struct, forbid_unknown_fields=True):
    count: int
    how: Literal["left", "right"] = "left"


class Outer(Struct, forbid_unknown_fields=True):
    name: str
    one: Inner | None = None
    many: tuple[Inner, ...] = ()
    seats: Annotated[tuple[Annotated[int, Meta(le=10)], ...], Meta(max_length=3)] = ()
    by_tag: dict[Annotated[str, Meta(max_length=8)], Inner] = {}
    said: Annotated[Literal["yes", "no"] | None, Meta(description="an answer")] = None
    end: str = msgspec.field(default="", name="break")


class Lenient(Struct):
    inner: tuple[Inner, ...] = ()
    by_name: Annotated[dict[str, Inner], Meta(max_length=2)] = {}
    end: str = msgspec.field(default="", name="break")


OUTER = ("name", "one", "many", "seats", "by_tag", "said", "break")
INNER = ("count", "how")
WAYS: dict[str, Callable[[object], object]] = {
    "convert": lambda given: msgspec.convert(given, Outer),
    "json": lambda given: msgspec.json.decode(msgspec.json.encode(given), type=Outer),
    "toml": lambda given: msgspec.toml.decode(toml(given), type=Outer),
}


def toml(given: object) -> bytes:
    """The same as TOML, whose inline tables are JSON's but for the colons."""
    assert isinstance(given, dict)
    lines = [
        f"{msgspec.json.encode(key).decode()} = {msgspec.json.encode(value).decode()}"
        for key, value in given.items()
    ]
    return "\n".join(lines).replace('":', '"=').encode()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("given", "at", "set_", "said"),
    [
        ({"nmae": "x"}, (), {"unknown": "nmae", "names": OUTER}, ""),
        ({"one": {"cuont": 1}}, ("one",), {"unknown": "cuont", "names": INNER}, ""),
        (
            {"many": [{"count": 1}, {"count": 2, "hwo": 3}]},
            ("many", 1),
            {"unknown": "hwo", "names": INNER},
            "Object contains unknown field `hwo` - at `$.many[1]`",
        ),
        ({"end": ""}, (), {"unknown": "end", "names": OUTER}, ""),
        ({"said": "no"}, (), {"missing": "name"}, "Object missing required field `name`"),
        ({"name": "x", "many": [{}]}, ("many", 0), {"missing": "count"}, ""),
        ({"said": "nein"}, ("said",), {"value": "nein", "names": ("yes", "no")}, ""),
        ({"said": "it's"}, ("said",), {"value": "it's", "names": ("yes", "no")}, ""),
        (
            {"one": {"how": "x' - at `$.name`"}},
            ("one", "how"),
            {"value": "x' - at `$.name`", "names": ("left", "right")},
            "",
        ),
        ({"name": 7}, ("name",), {}, "Expected `str`, got `int` - at `$.name`"),
        ({"seats": [1, 11]}, ("seats", 1), {}, "Expected `int` <= 10 - at `$.seats[1]`"),
        ({"seats": [1, 2, 3, 4]}, ("seats",), {}, ""),
        ({"break": 1}, ("break",), {}, ""),
    ],
)
def test_what_is_wrong_and_where(
    way: str, given: object, at: Place, set_: dict[str, object], said: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        WAYS[way](given)
    found = misfit(caught.value, Outer)
    plain = {name: getattr(found, name) for name in ("unknown", "missing", "value", "names")}
    usual = {"unknown": None, "missing": None, "value": None, "names": ()}
    assert (found.at, plain) == (at, {**usual, **set_})
    assert str(found) == str(caught.value)
    assert str(found) == said or not said


@pytest.mark.parametrize(
    ("given", "at", "what"),
    [
        ({"by_tag": {"E004": {"count": "x"}}}, ("by_tag", "count"), "Expected `int`, got `str`"),
        ({"by_tag": {"E004": {"E005": 1}}}, ("by_tag",), "Object contains unknown field `E005`"),
        ({"by_tag": {"E0042A17C3D4": {}}}, ("by_tag",), "Expected `str` of length <= 8"),
    ],
)
def test_no_key_of_a_map_is_told(given: object, at: Place, what: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(given, Outer)
    assert "E004" not in str(caught.value), "msgspec itself tells none"
    found = misfit(caught.value, Outer)
    assert (found.what, found.at) == (what, at)
    hidden = msgspec.ValidationError("Expected `int` - at `$.by_tag['E004'].count`")
    assert str(misfit(hidden, Outer)) == "Expected `int` - at `$.by_tag.count`"


class Bounded(Struct):
    count: Annotated[int, Meta(ge=0, le=1_000)] = 0
    share: Annotated[float, Meta(le=0.5)] | None = None
    many: tuple[Annotated[int, Meta(le=9)], ...] = ()


@pytest.mark.parametrize(
    ("given", "too_much", "words"),
    [
        ({"count": 1_001}, "is more than 1,000", "count is more than 1,000"),
        ({"count": 10**30}, "is more than 1,000", "count is more than 1,000"),
        ({"share": 0.6}, "is more than 0.5", "share is more than 0.5"),
        ({"many": [1, 10]}, "is more than 9", "many[1] is more than 9"),
        ({"count": -1}, "", "Expected `int` >= 0 - at `$.count`"),
        ({"count": "x"}, "", "Expected `int`, got `str` - at `$.count`"),
        (10**30, "", "Expected `object`, got `int`"),
    ],
)
def test_a_number_that_is_too_great_is_said_in_words(
    given: object, too_much: str, words: str
) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(given, Bounded)
    found = misfit(caught.value, Bounded)
    assert (found.too_much, found.words) == (too_much, words)


def test_what_is_not_even_json_has_no_place() -> None:
    for wrong in (b"{", b"[1,]", b"\xff"):
        with pytest.raises(msgspec.DecodeError) as caught:
            msgspec.json.decode(wrong, type=Outer)
        assert misfit(caught.value, Outer) == Misfit(str(caught.value))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"inner": [{"count": 1}], "by_name": {"x": {"how": "left"}}, "break": 7}, None),
        ({"iner": []}, ((), "iner", ("inner", "by_name", "break"))),
        ({"end": ""}, ((), "end", ("inner", "by_name", "break"))),
        ({"inner": [{"count": 1}, {"cnt": 1}]}, (("inner", 1), "cnt", INNER)),
        ({"by_name": {"x": {"count": 1}, "y": {"hwo": 1}}}, (("by_name", "y"), "hwo", INNER)),
        ({"inner": 7, "by_name": [1]}, None),
        ([], None),
    ],
)
def test_unknown_fields_are_found_at_any_depth(
    given: object, found: tuple[Place, str, tuple[str, ...]] | None
) -> None:
    first = unknown_field(given, Lenient)
    assert (first and (first.at, first.unknown, first.names)) == found
    if first is not None:
        with pytest.raises(msgspec.ValidationError) as caught:
            msgspec.convert({first.unknown: 1}, Inner)
        assert first.what == misfit(caught.value, Inner).what
