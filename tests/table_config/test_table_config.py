"""`table.toml`: what it gives, its defaults, and every mistake in one line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from controller.broker.client import Endpoint
from controller.contract.observations import MalformedObservationError, Table, decode, encode
from controller.contract.zones import ZONES
from controller.files.toml_file import ConfigError
from controller.library.books import Library
from controller.storage.auditor_key import public_text, secret_text
from controller.table.attached import LABELS
from controller.table.config import load_table_config, with_port
from controller.table.sections import TableFile
from firmware_bridge.bridge import Bridge, Wiring
from firmware_bridge.presence import Thresholds

SHIPPED = Path(__file__).parents[2] / "config"
SMALL = """
[table]
id = "7"
rulebook = "uk-tda"
seats = 3
blinds = { small = 5, big = 10 }
[[port]]
device = "/dev/ttyACM0"
zones = ["seat/1", "seat/2", "seat/3", "board"]
buttons = { seats = [1, 2], labels = ["fold", "call"] }
"""
PUBLIC_KEY = public_text(bytes(range(32)))
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a table.toml and gives its path."""

    def write(text: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_small_table(write: Write) -> None:
    config = load_table_config(write(SMALL + '[[port]]\ndevice = "/dev/b"\nzones = ["burn"]\n'))
    assert config.wirings() == [
        Wiring(
            "/dev/ttyACM0",
            ("seat/1", "seat/2", "seat/3", "board"),
            ((1, "fold"), (1, "call"), (2, "fold"), (2, "call")),
        ),
        Wiring("/dev/b", ("burn",)),
    ]
    record = config.table_record({"AA": "As"})
    assert decode(encode(record)) == record
    assert record.zones == ("seat/1", "seat/2", "seat/3", "board", "burn")
    assert record.buttons == (1, 2)
    assert [seat.seat for seat in record.seats] == [1, 2, 3]
    assert (record.table, record.rulebook, record.button, record.mode) == (
        "7",
        "uk-tda",
        1,
        "tournament",
    )
    assert (record.blinds.small, record.blinds.big, record.deck) == (5, 10, {"AA": "As"})
    assert config.endpoint() is None
    assert config.read_decks() == {}
    assert (config.socket, config.journal, config.keys) == (
        Path("/run/cutcard/dealer.sock"),
        Path("/var/lib/cutcard/journal.sqlite"),
        Path("/run/cutcard/keys"),
    )


def test_everything_set(write: Write, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    (tmp_path / "pw").write_text("secret\nmore\n")
    house = tmp_path / "house.toml"
    house.touch()
    text = SMALL.replace('"uk-tda"', '"house.toml"').replace("seats = 3", "seats = [2, 1, 5]")
    text = text.replace("[[port]]", 'mode = "cash"\nstack = 900\nbutton = 5\n[[port]]\nbaud = 9600')
    text = re.sub("buttons = .*", 'buttons = [[2, "time"], [1, "all-in"]]', text)
    text += """
    [timing]
    settle = 2
    [presence]
    hits_to_arrive = 1
    [deck]
    file = "deck.toml"
    [deck.objects]
    "04:0a:bb:cc" = "button"
    "04-0A-BB-CD" = "badge:Ann"
    [broker]
    host = "room"
    site = "main"
    ca_file = "ca.pem"
    password_file = "pw"
    [screen]
    socket = "s"
    [journal]
    path = "j"
    keys = "/k"
    """
    config = load_table_config(write(text))
    record = config.table_record(None)
    assert (record.rulebook, record.mode, record.button) == (str(house), "cash", 5)
    assert [(seat.seat, seat.stack) for seat in record.seats] == [(2, 900), (1, 900), (5, 900)]
    assert record.buttons == (1,)  # a seat that can only ask for time can't act
    assert (record.timing.settle, record.timing.flicker) == (2.0, 0.5)
    assert record.objects == {"040ABBCC": "button", "040ABBCD": "badge:Ann"}
    assert config.thresholds == Thresholds(hits_to_arrive=1)
    assert config.wirings()[0].baud == 9600
    assert config.endpoint() == Endpoint(
        "room", 8883, "table-7", "secret", str(tmp_path / "ca.pem")
    )
    assert config.broker
    assert config.broker.site == "main"
    assert (config.socket, config.journal, config.keys) == (
        tmp_path / "s",
        tmp_path / "j",
        Path("/k"),
    )
    assert config.decks == {"deck": tmp_path / "deck.toml"}


def test_a_reader_has_thresholds_of_its_own_and_zones_have_neighbours(write: Write) -> None:
    text = (
        SMALL
        + """
    id = "e6616407e3a12b2f"
    cycle_ms = 300
    presence = { absent_s = 1 }
    [presence]
    hits_to_arrive = 3
    neighbours = { board = ["seat/2"] }
    """
    )
    config = load_table_config(write(text))
    [port] = config.wirings()
    assert (port.id, port.cycle_ms) == ("E6616407E3A12B2F", 300)
    assert port.thresholds == Thresholds(hits_to_arrive=3, absent_s=1)
    assert config.thresholds == Thresholds(hits_to_arrive=3)
    assert config.neighbours == {
        "seat/1": {"seat/2"},
        "seat/2": {"seat/1", "seat/3", "board"},
        "seat/3": {"seat/2"},
        "board": {"seat/2"},
    }


def test_systemds_directories_are_the_defaults(write: Write, tmp_path: Path) -> None:
    (tmp_path / "cutcard.deck").touch()
    (tmp_path / "cutcard.mqtt-password").write_text("pw\n")
    environment = {
        "RUNTIME_DIRECTORY": "/run/t:/run/t/keys:/run/t/bench",
        "STATE_DIRECTORY": "/var/lib/t",
        "CREDENTIALS_DIRECTORY": str(tmp_path),
    }
    text = SMALL + '[broker]\nhost = "127.0.0.1"\nsite = "a"\n'
    config = load_table_config(write(text), environment)
    assert (config.socket, config.bench, config.journal, config.keys) == (
        Path("/run/t/dealer.sock"),
        Path("/run/t/bench/bench.sock"),
        Path("/var/lib/t/journal.sqlite"),
        Path("/run/t/keys"),
    )
    assert config.decks == {"deck": tmp_path / "cutcard.deck"}
    assert config.endpoint() == Endpoint("127.0.0.1", 1883, "table-7", "pw")
    assert config.warnings() == []


def test_a_bench_beside_the_dealers_socket_goes_on_and_is_warned_of(
    write: Write, tmp_path: Path
) -> None:
    text = SMALL + '[screen]\nsocket = "s"\nbench = "bench.sock"\n'
    config = load_table_config(write(text))
    assert config.bench == tmp_path / "bench.sock"
    assert any("[screen] bench: beside the dealer's socket" in line for line in config.warnings())
    apart = load_table_config(write(SMALL + '[screen]\nsocket = "s"\n'))
    assert apart.bench == tmp_path / "bench" / "bench.sock"
    assert not any("[screen] bench" in line for line in apart.warnings())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seats = 3", "seatz = 3", "[table] no key 'seatz' here; did you mean 'seats'?"),
        ("[table]", "[tabel]", "no section 'tabel' here; did you mean 'table'?"),
        ("[[port]]", "[[port]]\nbuad = 1", "[[port]] 1 no key 'buad' here; did you mean 'baud'?"),
        ("[[port]]", "[timing]\nsetle = 1\n[[port]]", "[timing] no key 'setle' here; did you"),
        ("[[port]]", "[presence]\nabsent = 1\n[[port]]", "here; did you mean 'absent_s'?"),
        ("big = 10", "bigg = 10", "[table] blinds no key 'bigg' here; did you mean 'big'?"),
        ("uk-tda", "uk-tad", "rulebook: unknown rule book 'uk-tad'; did you mean 'uk-tda'?"),
        ("uk-tda", "none.toml", "[table] rulebook: "),
        ("seats = 3", 'seats = 3\nlanguage = "enn"', "unknown language 'enn'; did you mean 'en'?"),
        ("seats = 3", 'seats = 3\nmode = "cahs"', "[table] mode: Invalid enum value 'cahs'"),
        ("seats = 3", "seats = 11", "[table] seats is more than 10"),
        ("seats = 3", "seats = [1, 12]", "[table] seats 2 is more than 10"),
        ("seats = 3", "seats = [2, 2]", "[table] seats: seat 2 is listed twice"),
        ("seats = 3", "seats = [2]", "[table] seats: a hand needs two seats"),
        ("seats = 3", "seats = 3\nbutton = 4", "[table] button: there is no seat 4"),
        ("labels", "label", "[[port]] 1 buttons no key 'label' here; did you mean 'labels'?"),
        ('id = "7"', 'id = "7/8"', "[table] id: '7/8' is not a name"),
        ('id = "7"\n', "", "[table]: lacks id"),
        ("small = 5", "small = 50", "the small blind is more than the big one"),
        ("big = 10", f"big = {10**30}", "[table] blinds.big is more than 1,000,000,000,000"),
        ("seats = 3", f"seats = 3\nstack = {10**12 + 1}", "stack is more than 1,000,000,000,000"),
        ('"seat/3"', '"seat/2"', "[[port]] zones: seat/2 is listed twice"),
        ('"seat/3"', '"seat3"', "[[port]] 1 zones: unknown zone 'seat3'; did you mean 'seat/3'?"),
        ('"fold"', '"flod"', "[[port]] 1 buttons: unknown label 'flod'; did you mean 'fold'?"),
        ('"fold"', '"call"', "[[port]] buttons: seat 1 call is listed twice"),
        ("buttons =", "lamps = [3, 3]\nbuttons =", "[[port]] lamps: seat 3 is listed twice"),
        ("buttons =", "lamps = [4]\nbuttons =", "[[port]] lamps: there is no seat 4"),
        ("buttons =", "lamps = [11]\nbuttons =", "[[port]] 1 lamps 1 is more than 10"),
        ("[1, 2]", "[0, 2]", "[[port]] 1 buttons.seats 1: expected int >= 1"),
        ("/dev/ttyACM0", "ttyACM0", "[[port]] device: 'ttyACM0' is not an absolute path"),
        (
            "[[port]]",
            '[[port]]\ndevice = "/dev/ttyACM0"\nzones = []\n[[port]]',
            "[[port]] device: /dev/ttyACM0 is listed twice",
        ),
        ("[[port]]", "[[port]]\nbaud = 12", "[[port]] 1 baud: expected int >= 1200"),
        ("[[port]]", "[timing]\nsettle = 99\n[[port]]", "[timing] settle: 99 is not in 0 … 60"),
        ("[[port]]", "[timing]\nsettle = -1\n[[port]]", "[timing] settle: expected float >= 0"),
        ("[[port]]", "[presence]\nsilent_s = 1\n[[port]]", "a zone reports once a second"),
        (
            "zones =",
            'id = "E66"\nzones =',
            "[[port]] 1 id: 'E66' is not a board's id, 16 hex digits",
        ),
        ("zones =", "cycle_ms = -1\nzones =", "[[port]] 1 cycle_ms: expected int >= 0"),
        (
            "zones =",
            "presence = { absent = 1 }\nzones =",
            "[[port]] 1 presence: no key 'absent' here; did you mean 'absent_s'?",
        ),
        (
            "zones =",
            "presence = { hits_to_move = 0 }\nzones =",
            "[[port]] 1 presence hits_to_move: 0 is not in 0 … 60",
        ),
        (
            "zones =",
            "presence = { hits_to_move = 1.5 }\nzones =",
            "[[port]] 1 presence hits_to_move: expected int, got float",
        ),
        (
            "[[port]]",
            '[presence]\nneighbours = { board = ["seat/9"] }\n[[port]]',
            "[presence] neighbours: this table has no zone 'seat/9'; did you mean 'seat/",
        ),
        (
            "[[port]]",
            '[presence]\nneighbours = { board = ["board"] }\n[[port]]',
            "[presence] neighbours: board can't be its own neighbour",
        ),
        ("[[port]]", "[presence]\nhits_to_arrive = 0\n[[port]]", "hits_to_arrive: 0 is not in"),
        ("[[port]]", "[presence]\nabsent_s = nan\n[[port]]", "absent_s: nan is not in"),
        ("[[port]]", '[broker]\nhost = "h"\nsite = "a/b"\n[[port]]', "[broker] site: 'a/b' is"),
        ("[[port]]", '[broker]\nhost = "h"\n[[port]]', "[broker]: lacks site"),
        (
            "[[port]]",
            '[broker]\nhost = "h"\nsite = "s"\nport = 0\n[[port]]',
            "[broker] port: expected int >= 1",
        ),
        (
            "[[port]]",
            '[broker]\nhost = "h"\nsite = "s"\nca_file = "no.pem"\n[[port]]',
            "[broker] ca_file: ",
        ),
        ("[[port]]", f'[screen]\nsocket = "/{"x" * 120}"\n[[port]]', "[screen] socket: longer"),
        (
            "[[port]]",
            '[audit]\nkeys = "k"\n[[port]]',
            "[audit] no key 'keys' here; did you mean 'key'?",
        ),
        ("[[port]]", '[audit]\nkey = "no.pub"\n[[port]]', "no.pub: no such file"),
        (
            "[[port]]",
            "[audit]\nkeep_hands = 9\n[[port]]",
            "[audit] keep_hands: expected int >= 500",
        ),
        (
            "[[port]]",
            f'[audit]\nkey = "{PUBLIC_KEY[:-9]}AAAAAAAAA"\n[[port]]',
            "[audit] key: a character is missing or wrong: copy the whole line again",
        ),
        (
            "[[port]]",
            f'[audit]\nkey = "{secret_text(bytes(32))}"\n[[port]]',
            "[audit] key: this is the private half, which must not be on this machine",
        ),
        ("[table]", "table]", "line 2, column 6: not TOML"),
    ],
)
def test_a_mistake_is_one_line(write: Write, old: str, new: str, said: str) -> None:
    assert SMALL.count(old) >= 1
    path = write(SMALL.replace(old, new, 1))
    with pytest.raises(ConfigError) as caught:
        load_table_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", [PUBLIC_KEY, f"# Ann's\n\n{PUBLIC_KEY}\n"])
def test_an_auditors_key_is_a_file_or_a_line(write: Write, tmp_path: Path, text: str) -> None:
    (tmp_path / "auditor.pub").write_text(text)
    for key in ("auditor.pub", PUBLIC_KEY):
        config = load_table_config(write(f'{SMALL}[audit]\nkey = "{key}"\n'))
        assert config.auditor == bytes(range(32))
    assert load_table_config(write(SMALL)).auditor is None


def test_a_private_key_in_a_file_is_refused_and_not_quoted(write: Write, tmp_path: Path) -> None:
    secret = secret_text(bytes(range(32)))
    (tmp_path / "auditor.key").write_text(secret)
    with pytest.raises(ConfigError, match=r"auditor\.key: this is the private half") as caught:
        load_table_config(write(f'{SMALL}[audit]\nkey = "auditor.key"\n'))
    assert secret[25:] not in str(caught.value)


@pytest.mark.parametrize("given", [b"\xff", b"#" * (1 << 20) + b"#", None, b"", b"port = []"])
def test_a_file_that_is_none(tmp_path: Path, given: bytes | None) -> None:
    path = tmp_path / "t.toml"
    if given is not None:
        path.write_bytes(given)
    with pytest.raises(ConfigError, match=re.escape(f"{path}: ")):
        load_table_config(path)


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        ('"04AABBCC" = "buton"', "number 1: unknown object 'buton'; did you mean 'button'?"),
        ('"04AABBC" = "button"', "number 1 is not a tag"),
        ('"04AABBCC" = "button"\n"04aabbcc" = "all-in"', "number 2 is a tag already listed"),
        ('"04AABBCC" = 3', "[deck] objects: expected str, got int"),
        ('"04AABBCC" = "button"\n"04AABBCC" = "button"', "not TOML"),
        ('04AABBCC.x = "button"\n[deck.objects.04AABBCC]', "not TOML"),
        ('[deck.objects.04AABBCC]\nx = "button"', "[deck] objects: expected str, got object"),
    ],
)
def test_a_mistake_in_objects_names_no_tag(write: Write, objects: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_table_config(write(f"{SMALL}\n[deck.objects]\n{objects}\n"))
    assert said in str(caught.value)
    assert "04AABBC" not in str(caught.value).upper()


def test_no_repr_names_a_tag_or_password(write: Write, tmp_path: Path) -> None:
    (tmp_path / "pw").write_text("hunter2")
    broker = '[broker]\nhost = "h"\nsite = "s"\npassword_file = "pw"\n'
    config = load_table_config(write(f'{SMALL}{broker}\n[deck.objects]\n"04AABBCC" = "button"\n'))
    assert "04AABBCC" not in repr(config)
    assert "hunter2" not in f"{config!r} {config.endpoint()!r}"
    assert "04AABBCC" not in repr(config.table_record({"04AABBDD": "As"}))


@pytest.mark.parametrize("content", [None, "", "\nsecond line\n"])
def test_a_password_that_is_not_there(write: Write, tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "pw").write_text(content)
    text = SMALL + '[broker]\nhost = "h"\nsite = "s"\npassword_file = "pw"\n'
    config = load_table_config(write(text))
    with pytest.raises(ConfigError, match=re.escape(f"{tmp_path / 'pw'}: ")):
        config.endpoint()


def test_what_is_not_wise_is_said(write: Write, tmp_path: Path) -> None:
    (tmp_path / "deck.toml").touch(0o600)
    text = SMALL + '[broker]\nhost = "room.local"\nsite = "s"\n'
    text += '[deck]\nfile = "deck.toml"\nobjects = { 04AABBCC = "badge:Ann" }\n'
    path = write(text)
    path.chmod(0o644)
    config = load_table_config(path)
    said = "\n".join(config.warnings())
    assert "badges" in said
    assert "nothing is encrypted" in said
    assert "no password is set" in said
    assert "deck.toml" not in said
    (tmp_path / "deck.toml").chmod(0o640)
    assert f"chmod 600 {tmp_path / 'deck.toml'}" in "\n".join(config.warnings())
    path.chmod(0o600)
    assert "badges" not in "\n".join(config.warnings())
    assert ["own card code" in line for line in load_table_config(write(SMALL)).warnings()] == [
        True
    ]


def test_another_device(write: Write) -> None:
    two = SMALL + '[[port]]\ndevice = "/dev/b"\nzones = ["burn"]\n'
    config = load_table_config(write(two))
    changed = with_port(config, "/dev/pts/9")
    assert [wiring.port for wiring in changed.wirings()] == ["/dev/pts/9", "/dev/b"]
    assert changed.wirings()[0].zones == config.wirings()[0].zones
    for device in ("/dev/b", "pts/9"):
        with pytest.raises(ConfigError):
            with_port(config, device)


def test_zones_and_labels_are_the_logs() -> None:
    line = (
        '{"kind":"table","v":1,"table":"1","rulebook":"x","seats":[],"button":1,'
        '"blinds":{"small":1,"big":2},"zones":["%s"]}'
    )
    for zone in ZONES:
        assert isinstance(decode((line % zone).encode()), Table)
    with pytest.raises(MalformedObservationError):
        decode((line % "seat/11").encode())
    for label in LABELS:
        decode(f'{{"kind":"press","t":1,"seat":1,"button":"{label}"}}'.encode())
    assert len(LABELS) == 7


def test_the_example_names_every_key(library: Library) -> None:
    text = (SHIPPED / "table.toml").read_text(encoding="utf-8")
    config = load_table_config(SHIPPED / "table.toml")
    Bridge(
        config.wirings(),
        lambda _: None,
        clock=lambda: 0.0,
        registered=lambda _: True,
        notice=lambda _: None,
        thresholds=config.thresholds,
    )
    assert library.book(config.table.rulebook).id == "homepokertourney"
    sections = re.split(r"(?m)^#? ?\[+([a-z]+)(?:\.red|\.blue|\.A)?\]+", text)
    found = dict(zip(sections[1::2], sections[2::2], strict=True))
    kinds = {field.name: field.type for field in msgspec.structs.fields(TableFile)}
    assert found.keys() == kinds.keys()
    for section, kind in kinds.items():
        for key in _keys(kind):
            if key != "objects":
                assert re.search(rf"(?m)^(# )?{key} = ", found[section]), key


def _keys(kind: object) -> tuple[str, ...]:
    """The keys of a section, which is a struct, or an optional one, or an array of them."""
    if hasattr(kind, "__struct_encode_fields__"):
        return tuple(kind.__struct_encode_fields__)
    return next((keys for part in get_args(kind) if (keys := _keys(part))), ())


def test_the_examples_comments_hold(tmp_path: Path) -> None:
    text = (SHIPPED / "table.toml").read_text(encoding="utf-8")
    for name in ("ca.pem", "password", "deck.toml"):
        (tmp_path / name).touch()
    (tmp_path / "auditor.pub").write_text(public_text(bytes(range(32))))
    alternative = '# buttons = [[1, "fold"]'
    assert alternative in text
    text, several = re.subn(r"(?ms)^# \[decks\.red\].*?\n\n", "", text)
    assert several == 1
    uncommented = re.sub(
        r"(?m)^# (?=\[broker\]|\[boards\.A\]|\[\[gpio\]\]|[\"a-zA-Z_0-9 ]+ = )", "", text
    )
    uncommented = re.sub(r"(?m)^buttons = \[\[1.*\n", "", uncommented)
    path = tmp_path / "table.toml"
    path.write_text(uncommented, encoding="utf-8")
    config, plain = load_table_config(path), load_table_config(SHIPPED / "table.toml")
    assert config.broker
    assert (config.broker.port, config.broker.user) == (8883, "table-7")
    assert config.table.stack == 10000
    assert config.objects.popitem()[1] == "button"
    # Ids, scan cycles and lamps have no default to show.
    ports = tuple(
        msgspec.structs.replace(port, id="", cycle_ms=None, lamps=()) for port in config.ports
    )
    assert ports == plain.ports
    assert config.ports[0].id == "E6616407E3A12B2F"
    assert (config.auditor, plain.auditor) == (bytes(range(32)), None)
    assert config.neighbours["burn"] == {"muck", "stub"}
    for name in ("timing", "thresholds", "socket", "journal", "keys", "keep_sealed"):
        assert getattr(config, name) == getattr(plain, name), name
