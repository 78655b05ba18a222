"""What was sealed is what was observed; nobody but the auditor reads it, and no hand in play."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from controller.audit.opening import Found, OpeningError, chosen, hands_over, opened
from controller.contract.events import Event, Phase, Start, encode_event
from controller.contract.observations import Observation, Seen, Table
from controller.engine.engine import Engine
from controller.library.books import Library
from controller.storage.journal import verify
from controller.storage.journal_reader import JournalReader
from controller.storage.sealing import Opener, new_secret
from tests.audit.tables import UIDS, AuditedTable, Played, play, with_uids
from tests.journal.test_recorder import NO_AWARD
from tests.rules.table_talk import Talk


def found_in(
    journal: Path, secret: bytes, first: int | None = None, last: int | None = None
) -> Found:
    with closing(JournalReader(journal)) as reader:
        hands = chosen(reader.sealed_hands(), first, last)
        return opened(reader, hands, Opener(secret))


def change(journal: Path, sql: str, **values: object) -> None:
    with closing(sqlite3.connect(journal)) as db, db:
        assert db.execute(sql, values).rowcount > 0


def test_what_is_opened_is_what_was_observed(played: Played) -> None:
    found = found_in(played.journal, played.secret)
    assert found.faults == ()
    first, *rest = found.log
    assert isinstance(first, Table)
    assert first.deck == {uid: card for card, uid in UIDS.items()}
    # Then all observations after the table record, up to those of the hand that is in play.
    assert rest == played.observed[1 : len(rest) + 1]
    ended = next(e.t for e in played.said if isinstance(e, Start) and e.hand == 8)
    begun = next(o for o in played.observed[len(rest) + 1 :] if o.t is not None)
    assert (begun.t or 0) <= ended


def account_of(events: list[Event], hand: int) -> list[bytes]:
    """What is said of a hand, by whatever number it goes."""
    said = [encode_event(event) for event in events if event.hand == hand]
    return [each.replace(b'"hand":%d' % hand, b'"hand":0') for each in said]


def read_by_antennas(log: Sequence[bytes]) -> list[Observation]:
    return with_uids([json.loads(line) for line in log])


@pytest.mark.parametrize("hand", [1, 4, 7])
def test_one_hand_can_be_judged_anew_by_itself(library: Library, played: Played, hand: int) -> None:
    found = found_in(played.journal, played.secret, hand, hand)
    assert found.faults == ()
    engine, said = Engine(library.book), list[Event]()
    for observation in found.log:
        said += engine.observe(observation)
    assert account_of(said, 1) == account_of(played.said, hand)


@pytest.mark.parametrize("hand", [1, 2])
def test_a_hand_that_is_over_with_the_next_riffle_has_an_end(
    library: Library, tmp_path: Path, hand: int
) -> None:
    talk = Talk(library, "roberts")
    talk.tell(NO_AWARD)
    secret = new_secret()
    table = AuditedTable(library, tmp_path, secret)
    for observation in read_by_antennas(talk.log):
        table.service.observe(observation)
    table.journal.close()
    found = found_in(tmp_path / "journal", secret, hand, hand)
    assert found.faults == ()
    engine, said = Engine(library.book), list[Event]()
    for observation in found.log:
        said += engine.observe(observation)
    assert any(isinstance(e, Phase) and (e.hand, e.phase) == (1, "complete") for e in said)
    assert account_of(said, 1) == account_of(talk.events, hand)


def test_nothing_in_the_files_names_a_card_or_has_a_tag(
    library: Library, played: Played, tmp_path: Path
) -> None:
    again = play(library, tmp_path, new_secret(), hands=8)
    shown = {card for card in UIDS if any(card in str(e) for e in played.said)}
    # Two letters are among so many sealed bytes now and then, yet not under another key as well.
    assert named_in(played) & named_in(again) - shown == set()


def named_in(played: Played) -> set[str]:
    """The cards whose codes are in the files; none has a tag."""
    kept = b"".join(path.read_bytes() for path in played.folder.iterdir())
    assert len(kept) > 100_000
    assert not any(uid.encode() in kept for uid in UIDS.values())
    return {card for card in UIDS if f'"{card}"'.encode() in kept}


def test_a_boxs_length_tells_nothing_that_its_line_does_not(played: Played) -> None:
    opener = Opener(played.secret)
    lengths: dict[int, set[int]] = {}
    with closing(JournalReader(played.journal)) as reader:
        lines = dict(reader.between(1, 10**6))
        for box in reader.boxes(1, 10**6):
            if opener.open(box.box).line:
                lengths.setdefault(len(lines[box.n]), set()).add(len(box.box))
    assert len(lengths) > 20
    assert all(len(each) == 1 for each in lengths.values())


def test_a_hand_in_play_is_refused_whoever_asks(played: Played) -> None:
    with pytest.raises(OpeningError, match="hand 8 is not over in it"):
        found_in(played.journal, played.secret, 8, 8)
    with pytest.raises(OpeningError, match="hand 9 is not over in it"):
        found_in(played.journal, played.secret, 3, 9)
    with closing(JournalReader(played.journal)) as reader:
        assert hands_over(reader.sealed_hands()) == [*range(1, 8)]
    dealt = [o for o in played.observed[-30:] if isinstance(o, Seen)]
    log = found_in(played.journal, played.secret).log
    assert len(dealt) > 4
    assert not [o for o in dealt if o in log]


def test_a_hand_whose_award_is_taken_back_is_in_play_again(
    library: Library, tmp_path: Path
) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; preflop; burn; board 3; wait 2; award; wait 1; undo; checks; burn; board 1")
    log = read_by_antennas(talk.log)
    until = next(at for at, o in enumerate(log) if type(o).__name__ == "Undo")
    secret = new_secret()
    table = AuditedTable(library, tmp_path, secret)
    for observation in log[:until]:
        table.service.observe(observation)
    assert len(found_in(tmp_path / "journal", secret, 1, 1).log) > 10
    for observation in log[until:]:
        table.service.observe(observation)
    assert table.engine.hand == 1
    with pytest.raises(OpeningError, match="no hand that is over"):
        found_in(tmp_path / "journal", secret, 1, 1)
    for observation in read_on(talk, len(log)):
        table.service.observe(observation)
    found = found_in(tmp_path / "journal", secret, 1, 1)
    table.journal.close()
    assert found.faults == ()
    engine, said = Engine(library.book), list[Event]()
    for observation in found.log:
        said += engine.observe(observation)
    assert {e.hand for e in said} == {1}
    assert account_of(said, 1)[-3:] == account_of(table.engine.said, 1)[-3:]


def read_on(talk: Talk, already: int) -> list[Observation]:
    talk.tell("wait 2; award")
    return read_by_antennas(talk.log)[already:]


def test_after_a_restart_it_goes_on(library: Library, played: Played, tmp_path: Path) -> None:
    secret = new_secret()
    rest = list(played.observed)
    for part in (100, 3, 200, len(rest)):
        table = AuditedTable(library, tmp_path, secret)
        with closing(table.journal):
            for observation in rest[:part]:
                table.service.observe(observation)
        del rest[:part]
    one, other = found_in(tmp_path / "journal", secret), found_in(played.journal, played.secret)
    assert one == other


def test_who_has_another_key_opens_nothing(played: Played) -> None:
    with pytest.raises(OpeningError, match="damaged, or sealed to another key"):
        found_in(played.journal, new_secret())


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE sealed SET box = substr(box, 1, length(box) - 1) WHERE k = :k",
         "sealed line {k}: damaged, or sealed to another key"),
        ("UPDATE sealed SET box = x'' WHERE k IN (:k, :k + 1)",
         "sealed lines {k} to {more}: damaged, or sealed to another key"),
        ("UPDATE sealed SET box = (SELECT box FROM sealed WHERE k = :k - 1) WHERE k = :k",
         "line {n}: differs from what was sealed beside it"),
        ("UPDATE observations SET line = CAST(replace(CAST(line AS TEXT), 'seat/', 'seat/1') AS"
         " BLOB) WHERE n = :n", "line {n}: differs from what was sealed beside it"),
        ("DELETE FROM sealed WHERE k = :k", "line {n}: nothing was sealed beside it"),
        ("DELETE FROM observations WHERE n = :n", "line {n}: does not follow from the one before"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_and_the_rest_opened(
    played: Played, a_copy: Callable[[], Path], sql: str, said: str
) -> None:
    journal = a_copy()
    with closing(sqlite3.connect(journal)) as db:
        k, n = db.execute(
            "SELECT k, n FROM sealed JOIN observations USING (n) WHERE k > 300"
            " AND instr(line, 'seat/') AND instr(line, 'seen') LIMIT 1"
        ).fetchone()
    change(journal, sql, k=k, n=n)
    found = found_in(journal, played.secret)
    assert said.format(k=k, n=n, more=k + 1) in found.faults
    assert len(found.log) >= len(found_in(played.journal, played.secret).log) - 2


def test_no_byte_of_a_box_can_be_changed(played: Played) -> None:
    opener = Opener(played.secret)
    with closing(JournalReader(played.journal)) as reader:
        box = next(reader.boxes(40, 40)).box
    assert opener.open(box).line
    for at in range(len(box)):
        bad = bytearray(box)
        bad[at] ^= 1 << at % 8
        with pytest.raises(ValueError, match="damaged, or sealed to another key"):
            opener.open(bytes(bad))
    for length in (0, 1, 47, 48, 49, len(box) - 1):
        with pytest.raises(ValueError, match="damaged, or sealed"):
            opener.open(box[:length])


def test_a_damaged_box_stops_no_table(
    library: Library, played: Played, a_copy: Callable[[], Path]
) -> None:
    journal = a_copy()
    change(journal, "UPDATE sealed SET box = x'00', link = x'00' WHERE k > 100")
    change(journal, "UPDATE meta SET value = x'ff' WHERE key = 'chain'")
    table = AuditedTable(library, journal.parent, played.secret)
    assert table.engine.hand == 8
    table.service.observe(played.observed[-1])
    table.journal.close()
    assert verify(journal) is None
