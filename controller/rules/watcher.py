"""How a rule watches one hand: what it is told, what it may ask, and how it says what is amiss.

An irregularity that is no step of the script has its watcher in its own file. The engine tells
every watcher what happens; a watcher doubts, and after `settle` proves what it doubted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, Protocol, TypeVar

from controller.contract.events import ClosedHow
from controller.contract.observations import TableBlinds, Timing
from controller.contract.routine import Routine
from controller.rules.betting import Betting, Player
from controller.rules.button import Positions
from controller.rules.doubt import Doubt, Doubts
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Amiss
from controller.rules.odds import Rates, is_worth_asking
from controller.rules.out_of_turn import Act
from controller.rules.procedure import Street
from controller.rules.rulebook import RuleBook

T = TypeVar("T")
REMINDER = 6.0
"""Seconds for which a reminder stands before the next step is said again."""
Step = tuple[str, dict[str, object]]
"""A prompt's text and what fills it."""


class Prompts(Protocol):
    """What the dealer is told."""

    def remind(self, text_id: str, t: float, **args: object) -> None:
        """Says something in the place of the next step, for a while."""
        ...

    def beside(self, text_id: str, t: float, **args: object) -> None:
        """Says something beside the next step."""
        ...


class Now(Protocol):
    """The hand and the time, which goes on; `tell` tells the dealer."""

    t: float
    hand: Hand

    @property
    def tell(self) -> Prompts:
        """Tells the dealer."""
        ...

    def tabled_cards(self) -> dict[int, list[str]]:
        """The cards of the hands that were tabled, by their seats."""
        ...

    def board_cards(self) -> list[str]:
        """The cards of the board."""
        ...

    def pass_by(self, seats: Iterable[int]) -> None:
        """These seats have acted, as far as the hand goes on."""
        ...

    def on(self) -> None:
        """Goes on along the script."""
        ...

    def close_round(self) -> None:
        """The betting round is over."""
        ...

    def finish_deal(self) -> None:
        """The deal is over: every card that comes from here on is another thing."""
        ...

    def follow(self, players: Iterable[int], button: int | None) -> None:
        """Nobody has acted, and these play; the `button` is there, or where it is due."""
        ...


class Play(Protocol):
    """Carries out what the players do and the floor decides."""

    @property
    def acts(self) -> int:
        """How often somebody has acted."""
        ...

    def act(self, act: Act) -> int | None:
        """A seat acts; returns what it now has in on this round, if that is known."""
        ...

    def act_again(self, act: Act) -> None:
        """An action that has been told counts from here on."""
        ...

    def infer(self, seat: int, bet: int | None) -> None:
        """A seat has acted without a press: it has bet or raised to so much (None: it is not known
        how much), or with 0 checked or called."""
        ...

    def kill(self, act: Act) -> None:
        """A hand is dead that its player has not folded."""
        ...

    def kill_absent(self, *, leave: int) -> None:
        """The hands of who is not there are dead, but for so many."""
        ...

    def void(self) -> None:
        """The hand does not count."""
        ...


class Table(Protocol):
    """What the table has, and what of it works."""

    timing: Timing
    book: RuleBook
    mode: Literal["tournament", "cash"]
    rates: Rates
    routine: Routine
    blinds: TableBlinds
    has_other_deck: bool

    def has(self, pile: str) -> bool:
        """Whether there is an antenna for a pile or a seat."""
        ...

    def has_buttons(self, seat: int) -> bool:
        """Whether a seat can act by its own buttons."""
        ...

    def was_lost(self, zone: str, since: float) -> bool:
        """Whether the reader behind a zone is missing, or was at any time since then."""
        ...

    def is_away(self, seat: int) -> bool:
        """Whether a seat's player is not there."""
        ...

    def has_left_unposted(self, seat: int, place: Positions) -> bool:
        """Whether a seat's player is not there, and has posted neither blind nor ante."""
        ...

    def place_with(self, seats: Collection[int], button: int | None) -> Positions | None:
        """The positions of the hand if these seats play, with the button there or where it is due;
        None if it can't be played."""
        ...

    def open_betting(self, players: list[Player], place: Positions) -> Betting:
        """The betting of a hand with these players, from left of the button."""
        ...


class Lying(Protocol):
    """Where each tag is read."""

    def tags(self) -> list[str]:
        """Every tag on the table."""
        ...

    def on(self, pile: str) -> list[str]:
        """The tags on a pile."""
        ...

    def zones(self, tag: str) -> list[str]:
        """All the zones in which a tag is read."""
        ...

    def seats(self, tag: str) -> list[int]:
        """All the seats whose antennas read a tag, the one that has done so longest first."""
        ...

    def seat(self, tag: str) -> int | None:
        """The seat at which a tag lies right now, if it does."""
        ...

    def only_at(self, seat: int) -> list[str]:
        """The tags that are read at a seat and nowhere else, and lie there right now."""
        ...

    def since(self, tag: str, seat: int) -> float | None:
        """Since when the antenna of a seat has read a tag, if it does."""
        ...

    def has_left(self, tag: str, pile: str) -> bool:
        """Whether a tag is certainly not on a pile any more."""
        ...

    def lies(self, tag: str) -> bool:
        """Whether a tag is anywhere right now."""
        ...

    def is_present(self, tag: str, pile: str) -> bool:
        """Whether a tag is on a pile right now."""
        ...


class Kinds(Protocol):
    """What kind of thing a tag is, and never which card."""

    def classify(self, tag: str) -> Literal["card", "joker", "foreign", "object"]:
        """Its kind."""
        ...

    def is_resting(self, tag: str) -> bool:
        """Whether it is of a deck that is known and not in play."""
        ...

    def twins(self, tag: str) -> tuple[str, ...]:
        """The other tags that stand for the same card."""
        ...


class Judge(Protocol):
    """What is amiss. `watching` is false once nothing is claimed any more; `told` is what has been
    found in this hand and not been put right, and of which seats."""

    watching: bool
    told: set[tuple[str, int]]

    @property
    def claims(self) -> bool:
        """Whether anything may be a finding at this moment: it is watched, and not just after a
        gap."""
        ...

    def waiting(self) -> tuple[int, ...]:
        """The seats that have to act, as far as it is known that they have not."""
        ...

    def words(self, finding: OpenFinding) -> tuple[tuple[str, str], ...]:
        """What fills the texts of a finding's steps."""
        ...

    def disputing(self, street: Street) -> OpenFinding | None:
        """The open finding that may yet take this street's cards off the board."""
        ...

    def was_unread(self, pile: str, since: float) -> bool:
        """Whether a reader of a pile was missing at any time since then."""
        ...

    def board_in_question(self) -> bool:
        """Whether something is open, or may yet be found, that can change the board."""
        ...

    def establish(self, amiss: Amiss, t: float) -> None:
        """It is a finding."""
        ...

    def put_right(self, finding: OpenFinding, t: float, *, keep_remedy: bool = False) -> None:
        """A remedy's cards lie as it wants them."""
        ...

    def make_certain(self, finding: OpenFinding, t: float, *, confirmed: bool) -> None:
        """More was read, or the dealer said yes: it is a fact."""
        ...

    def widen(
        self, finding: OpenFinding, seats: Iterable[int], tags: Iterable[str], t: float
    ) -> None:
        """More of the same has come: these seats and cards are concerned as well."""
        ...

    def rule_anew(self, t: float) -> None:
        """The moment has changed, and with it perhaps what the books say."""
        ...

    def rule(self, finding: OpenFinding, outcome: str, t: float) -> None:
        """The floor has decided, and that is final."""
        ...

    def close(self, finding: OpenFinding, how: ClosedHow, t: float) -> None:
        """It is open no more."""
        ...


@dataclass(frozen=True, slots=True)
class Lookout:
    """All that a watcher may ask."""

    now: Now
    table: Table
    lying: Lying
    kinds: Kinds
    doubts: Doubts
    judge: Judge


class Watcher:
    """Watches one hand for one irregularity, or for what the dealer is to be told. What it
    overrides it is told. `code` is what it finds, if anything."""

    code: ClassVar[str] = ""
    codes: ClassVar[tuple[str, ...]] = ()
    """All of them, where there are several."""
    hears: ClassVar[frozenset[str]] = frozenset()
    """What it overrides."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = [name for name in vars(Watcher) if not name.startswith("_")]
        cls.hears = frozenset(n for n in names if getattr(cls, n) is not getattr(Watcher, n))

    def __init__(self, lookout: Lookout) -> None:
        """Begins with the hand."""
        self._now = lookout.now
        self._hand = lookout.now.hand
        self._table = lookout.table
        self._lying = lookout.lying
        self._kinds = lookout.kinds
        self._doubts = lookout.doubts
        self._judge = lookout.judge

    def came(self, tag: str, zone: str, /) -> None:
        """A tag is newly in a zone's field, and has its place in the hand."""

    def left(self, tag: str, zone: str, /) -> None:
        """A tag has left a zone's field for good."""

    def acted(self, seat: int, /) -> None:
        """A seat has checked, called, bet, raised or gone all-in."""

    def next_deadline(self, after: float) -> float | None:
        """When it has something to say, if nothing happens before."""
        del after
        return None

    def settle(self) -> None:
        """Something has happened, or time has passed: says what follows."""

    def later(self, amiss: Amiss, /) -> float | None:
        """When a doubt that is due can be proved, where that is not now."""
        del amiss
        return None

    def prove(self, doubt: Doubt, /) -> None:
        """What was doubted has lasted: it is a finding."""
        self._judge.establish(doubt.amiss, self._now.t)

    def let_be(self, finding: OpenFinding, outcome: str, /) -> None:
        """A finding of which nothing has been put right was none (`stands`), or has been ruled with
        this outcome: the hand goes on from what lies there."""

    def unsure(self) -> list[Street]:
        """The streets of which a card may have gone."""
        return []

    def _holds_cards(self, seat: int) -> bool:
        """Whether a hole card of a seat lies there right now."""
        return any(self._lying.seat(tag) == seat for tag in self._hand.tags_of(seat))

    def _is_worth_asking(self, error: float, slip: float) -> bool:
        """Whether to ask about an error that is as likely as `error`, where `slip` explains it
        too."""
        return is_worth_asking(error, slip, self._table.book.eagerness)

    def _doubt(self, amiss: Amiss) -> None:
        """Doubts it for as long as a late read may explain it, unless it is doubted already."""
        if not self._doubts.has(self.code):
            self._doubts.add(amiss, self._now.t + self._table.timing.settle)

    def _claim(
        self,
        code: str,
        seats: list[int],
        *facts: str,
        read: bool = True,
        tags: tuple[str, ...] = (),
    ) -> None:
        """These seats are concerned; `facts` were so, `tags` are the cards. `read` says whether it
        is certain, or whether an unread card would explain it as well."""
        named = tuple(dict.fromkeys(seats))
        amiss = Amiss(self._now.t, code, named, read, frozenset(facts), tags)
        self._judge.establish(amiss, self._now.t)

    def _give_way(self, code: str) -> None:
        """A worse finding of its kind takes the place of this one."""
        milder = self._hand.open_finding(code)
        if milder is not None:
            self._judge.close(milder, "expired", self._now.t)

    def _finding(self) -> OpenFinding | None:
        """Its own finding, while that is open."""
        return self._hand.open_finding(self.code)


def those_that(watchers: Sequence[Watcher], hear: str) -> list[Watcher]:
    """Those of them that do something when they are told, or asked, that."""
    return [each for each in watchers if hear in each.hears]


class Lasting(Watcher, Generic[T]):
    """Watches for what counts only once it has lasted: a seat, a tag, a pile."""

    def __init__(self, lookout: Lookout) -> None:
        """Nothing lasts yet."""
        super().__init__(lookout)
        self._due: dict[T, float] = {}

    @property
    def due(self) -> float | None:
        """When the first of it has lasted long enough."""
        return min(self._due.values()) if self._due else None

    def next_deadline(self, after: float) -> float | None:
        """When something has lasted long enough."""
        if not self._due:
            return None
        return min((t for t in self._due.values() if t > after), default=None)

    def settle(self) -> None:
        """Looks at what has lasted long enough."""
        if not self._due:
            return
        for thing in [thing for thing, due in self._due.items() if due <= self._now.t]:
            del self._due[thing]
            self._lasted(thing)

    def _lasted(self, thing: T) -> None:
        raise NotImplementedError
