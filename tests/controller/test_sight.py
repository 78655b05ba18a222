"""What everybody at a table may know beside the events, and how the picture shows it."""

from __future__ import annotations

from msgspec.structs import replace

from controller.contract.observations import decode
from controller.contract.picture import Picture
from controller.contract.sight import CalledOn, SeatChips, Sight, Silence
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.rules.table_talk import Talk


def chips(*stacks: int) -> tuple[SeatChips, ...]:
    return tuple(SeatChips(seat, each) for seat, each in enumerate(stacks, 1))


def ticked(talk: Talk) -> dict[int, int]:
    return dict(talk.sight.ticked)


def test_the_blinds_the_next_button_and_the_burns(library: Library) -> None:
    talk = Talk(library, "roberts")
    assert talk.sight == Sight()
    talk.tell("table 4")
    full = chips(1_000, 1_000, 1_000, 1_000)
    assert talk.sight == Sight(next_button=4, stacks=full)
    talk.tell("deal 4")
    assert (talk.sight.small, talk.sight.big, talk.sight.next_button) == (1, 2, None)
    talk.tell("preflop; burn; board 3; checks; burn")
    assert talk.sight.burns == 2
    talk.tell("board; checks; award")
    after = tuple(SeatChips(n) for n in range(1, 5))
    assert talk.sight == Sight(small=1, big=2, next_button=1, stacks=after)


def test_heads_up_the_button_is_the_small_blind(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 2")
    assert (talk.sight.small, talk.sight.big) == (2, 1)


def test_a_redeal_keeps_the_button(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 4; misdeal")
    assert talk.sight.next_button == 4


def test_the_antennas_tick_the_steps_of_a_remedy(library: Library) -> None:
    talk = Talk(library, "nl-2010")
    talk.tell("deal 4; preflop; burn; board 4; wait 2")
    assert ticked(talk) == {}
    talk.tell("lift x2 x3 x4 x5; wait 1")  # stop, flop-back, shuffle, burn-one, new-flop
    assert ticked(talk) == {1: 2}
    talk.tell("reshuffled; burn; wait 1")
    assert ticked(talk) == {1: 4}
    talk.tell("board 3; wait 2")
    assert ticked(talk) == {}


def test_the_steps_of_a_premature_turn_go_as_they_are_done(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; preflop; burn; board 3; 1 check; 2 check; burn; board; wait 2; confirm")
    seen = []
    for done in ("lift x6; wait 1", "3 check", "burn", "board", "checks", "reshuffled"):
        talk.tell(done)
        seen.append(ticked(talk)[1])
    assert seen == [2, 3, 4, 5, 5, 7]  # the cut leaves no trace
    talk.tell("board; wait 1")
    assert ticked(talk) == {}


def test_what_the_floor_has_heard_needs_no_tick(library: Library) -> None:
    talk = Talk(library, "uk-tda")
    talk.tell("deal 4; preflop; burn; board 4; wait 2; floor")
    assert ticked(talk) == {1: 1}


def test_the_picture_shows_what_was_ticked(library: Library) -> None:
    talk = Talk(library, "nl-2010")
    picture = Picture("T1", "nl-2010", library.texts)
    talk.tell("deal 4; preflop; burn; board 4; wait 2; lift x2 x3 x4 x5; wait 1")
    picture.take(talk.events)
    assert [finding.seen for finding in picture.view.findings] == [0]
    assert picture.with_sight(talk.sight)
    assert [finding.seen for finding in picture.view.findings] == [2]
    assert not picture.with_sight(talk.sight)


def test_a_clock_is_in_sight_as_long_as_it_runs(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; 3 raise 100; clock 1")
    clock = talk.sight.clock
    assert clock is not None
    assert clock.seat == 1
    assert clock == CalledOn(1, clock.until)
    talk.tell("stop-clock")
    assert talk.sight.clock is None


def test_what_is_silent_is_said_with_its_end(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; mute burn-missing 2")
    assert list(talk.sight.silent) == [Silence("burn-missing", None, 2)]
    talk.tell("misdeal; deal 3")
    assert len(talk.sight.silent) == 1
    talk.tell("misdeal; deal 3")
    assert len(talk.sight.silent) == 0


def test_who_has_no_chips_left_and_who_was_said_to_be_out(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("table 4")
    for seat in (2, 3):
        talk.say(kind="seat", seat=seat, status="seated", stack=0)
    talk.say(kind="seat", seat=4, status="empty")
    assert (talk.sight.broke, talk.sight.gone) == ((2, 3), ())
    talk.say(kind="seat", seat=3, status="empty")
    assert (talk.sight.broke, talk.sight.gone) == ((2,), (3,))
    talk.say(kind="seat", seat=2, status="seated", stack=500)
    talk.say(kind="seat", seat=3, status="seated")
    assert (talk.sight.broke, talk.sight.gone) == ((), ()), "who sits down has brought some"


def test_in_a_hand_and_in_cash_games_nobody_is_out(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("table 5")
    talk.say(kind="seat", seat=2, status="seated", stack=0)
    assert list(talk.sight.broke) == [2]
    talk.tell("pitch 5 1 3 4 5 1 3 4 5")
    assert list(talk.sight.broke) == []
    cash = Talk(library, "roberts")
    cash.say(
        kind="table",
        v=1,
        table="c",
        rulebook="roberts",
        seats=[{"seat": 1}, {"seat": 2, "stack": 0}],
        button=1,
        blinds={"small": 1, "big": 2},
        mode="cash",
    )
    assert cash.sight.broke == ()


def test_who_is_away_and_who_deals(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("table 4")
    talk.say(kind="dealer", input="sign-in", name="Ada")
    talk.say(kind="seat", seat=3, status="absent")
    talk.say(kind="close")
    assert talk.sight == Sight(
        dealer="Ada",
        absent=(3,),
        is_open=False,
        next_button=4,
        stacks=chips(1_000, 1_000, 1_000, 1_000),
    )
    talk.say(kind="open")
    talk.say(kind="seat", seat=3, status="present")
    assert replace(talk.sight, stacks=None) == Sight(dealer="Ada", next_button=4)


def test_a_hand_that_nobody_watches_is_said_to_be_so(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell("deal 3; unwatched")
    assert not talk.sight.is_watched
    talk.tell("misdeal; deal 3")
    assert talk.sight.is_watched
    under_way = Talk(library, "roberts", under_way=True)
    under_way.tell("table 3")
    assert not under_way.sight.is_watched


def test_a_misdeal_may_be_called_until_the_book_says_no(library: Library) -> None:
    talk = Talk(library, "roberts")
    picture = Picture("T1", "roberts", library.texts)
    talk.tell("deal 4; 3 call")
    picture.take(talk.events)
    assert picture.view.may_misdeal
    talk.tell("4 call")
    picture.take(talk.events)
    assert not picture.view.may_misdeal


def test_a_turn_has_the_time_at_which_it_began(library: Library) -> None:
    talk = Talk(library, "roberts")
    picture = Picture("T1", "roberts", library.texts)
    talk.tell("deal 4")
    picture.take(talk.events)
    began = picture.view.turn_since
    assert picture.view.to_act == 3
    talk.tell("wait 4; 3 call")
    picture.take(talk.events)
    assert picture.view.to_act == 4
    assert began is not None
    assert picture.view.turn_since is not None
    assert picture.view.turn_since > began + 4


def test_a_dead_button_is_said_while_its_hand_is_played(library: Library) -> None:
    engine = Engine(library.book)
    seats = ",".join(f'{{"seat":{seat},"stack":90}}' for seat in (1, 2, 3, 4))
    told = []
    for line in (
        '{"kind":"table","v":1,"table":"1","rulebook":"roberts","button":4,'
        f'"blinds":{{"small":5,"big":10}},"seats":[{seats}]}}',
        '{"kind":"riffle","t":1}',
        '{"kind":"press","t":2,"seat":3,"button":"fold"}',
        '{"kind":"press","t":4,"seat":4,"button":"fold"}',
        '{"kind":"seat","t":5,"seat":1,"status":"empty"}',
        '{"kind":"press","t":6,"seat":1,"button":"fold"}',
        '{"kind":"riffle","t":8}',
        '{"kind":"press","t":9,"seat":4,"button":"fold"}',
    ):
        engine.observe(decode(line.encode()))
        told.append(engine.sight().dead_button)
    assert told == [False] * 6 + [True] * 2
