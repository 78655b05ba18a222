"""A hand as the rules see it: its script, its players, and what each tag is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from controller.contract.events import Basis, RulingText
from controller.rules.betting import Betting
from controller.rules.button import Positions
from controller.rules.procedure import (
    HOLE_CARDS,
    SIZE,
    STREETS,
    Back,
    PickBurn,
    Pile,
    Reorder,
    RoundName,
    ScriptStep,
    Settle,
    Shuffle,
    Street,
    later_streets,
)

Ban = Literal["next-turn", "round"]
"""Until when a seat may not bet or raise: its next turn is over, or this betting round is."""


@dataclass(frozen=True, slots=True)
class HoleCard:
    """Belongs to the seat where it was first seen during the deal."""

    seat: int


@dataclass(frozen=True, slots=True)
class BurnCard:
    """Burned for a street."""

    street: Street


@dataclass(frozen=True, slots=True)
class BoardCard:
    """Turned up for a street."""

    street: Street


@dataclass(frozen=True, slots=True)
class EarlyCard:
    """Turned up for a street whose time has not come: it does not play."""

    street: Street


@dataclass(frozen=True, slots=True)
class Returned:
    """Went back into the stub and may come again."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """First seen among the discards: whose it was is not known."""


@dataclass(frozen=True, slots=True)
class Scrap:
    """Does not play: it came to a pile for a street, and another card takes its place."""

    street: Street
    pile: Pile


Role = HoleCard | BurnCard | BoardCard | EarlyCard | Returned | Discarded | Scrap


@dataclass(slots=True)
class OpenFinding:
    """An established irregularity that is not closed.

    `under_way` is set by the remedy's first movement: from then on the ruling stands.
    `inserted` is what the remedy put into the script, `moves` by step the parts of the script
    with which that is done, `shown` are the steps that somebody has entered. `carried_out` once
    its cards lie as it wants them, unless a late read explains it; then it `waits` while something
    else is wrong with its street, and `left_out` says that what makes it the remedy was not done.
    `called` are the actions there had been when somebody called attention to it.

    `confirmed` is the dealer's yes to the question of an `unseen` finding. `facts` are what was so
    when it happened, `zones` those that it rests on; `due` the seats whose turn it was,
    `early` those that acted before them; `acts` is how many actions there had been when it was
    found.
    """

    id: int
    code: str
    t: float
    street: Street | None
    tags: tuple[str, ...]
    seats: tuple[int, ...]
    basis: Basis
    ruling: RulingText
    facts: frozenset[str] = frozenset()
    zones: tuple[str, ...] = ()
    due: tuple[int, ...] = ()
    early: tuple[int, ...] = ()
    acts: int = 0
    confirmed: bool = False
    under_way: bool = False
    inserted: list[ScriptStep] = field(default_factory=list)
    moves: dict[str, tuple[ScriptStep, ...]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    carried_out: bool = False
    waits: bool = False
    left_out: bool = False
    called: tuple[bool, ...] | None = None

    @property
    def certain(self) -> bool:
        """Whether it is a fact: read as such, or confirmed."""
        return self.confirmed or self.basis == "seen"

    @property
    def stops_the_hand(self) -> bool:
        """Whether something has to be done before the hand goes on, and none of it has been."""
        return not self.under_way and self.ruling.outcome not in ("stands", "hold-burn")

    @property
    def may_kill(self) -> bool:
        """Whether the ruling in force, or the advice for it, is a dead hand."""
        ruling: RulingText | None = self.ruling
        while ruling is not None and ruling.outcome != "dead-hand":
            ruling = ruling.advisory
        return ruling is not None

    def asks_for(self, step: str) -> bool:
        """Whether the ruling in force contains this step."""
        return any(s.id == step for s in self.ruling.steps)

    def advises(self, step: str) -> bool:
        """Whether the ruling in force contains this step, or the advice for the floor does."""
        ruling: RulingText | None = self.ruling
        while ruling is not None:
            if any(s.id == step for s in ruling.steps):
                return True
            ruling = ruling.advisory
        return False


@dataclass(slots=True)
class Hand:
    """One hand. `board`, `burns`, `early` and `dealt` hold tags in the order of arrival; `early`
    are cards of a street that came too soon and do not play. `lain_since` is when each card
    came there or to the muck, `only_on_board` are those that have been nowhere else. `stirred` are
    the streets of which a card has moved, or which the dealer says are scrambled. `unshown` are
    findings of which all cards have been put right, but what makes that the remedy was not
    entered: they change nothing any more. `reads_burns` and `reads_board` say whether the table
    has such an antenna.

    `dealt_out` once the deal is finished, `played` once something has followed it,
    `closed_rounds` by the dealer or by the next card, `acted_streets` those with an action,
    `bet_streets` those on which a bet was possible, `entrusted` those on which the
    floor has ordered something that the script can't follow, `picked` the card that it named as
    the next burn. `played_from` are the positions that the hand was played from, where those are
    not its own. `knows_button` says whether the button's place is known: told for this hand, read
    or following from what is known; `believes_button` whether the last hand has left it open.
    `believed` are the seats of which it is only believed whether they play, `told` those of which
    it was said for this hand (None: all), `taken_over` those of which the deal has shown otherwise,
    `shown_by_deal` whether it has shown who plays; `riffled` whether the hand's riffle was told;
    `gap_round` is the round in which for a while nobody watched, the last time if at all, and
    `deal_unseen` whether that was during the deal;
    `passed_over` are those behind whom others have acted on this round. Seats have acted without a
    press so often (`inferred`), as they have `pressed`, `late` if just after the next player, or
    `needless`, and `acts` is how often somebody has acted at all; `thought` is how many of them
    followed another on the same street, and how many seconds after it altogether; `unread` are the
    seats of hole cards that were not read, `unread_burns` the streets of such burns. `left_open` is
    what was found of which seats and neither answered nor put right, and `left_streets` of which
    streets. `strays` are cards that were dealt to seats which get none, `astray` those that came
    to a seat where none was missing, and since when. `asked` are seats of which it is asked
    whether they have acted, `limited` those that may not bet or raise, `absent` those whose players
    were not there when the deal was finished: their hands are dead. `were_absent` are those who
    were not there for the hand that is dealt again in this one (UK-33C). `awarded`: the dealer has
    said so of its pot; `misdealt` and `voided` once that has been called.
    """

    number: int
    t: float
    positions: Positions
    betting: Betting
    script: list[ScriptStep]
    roles: dict[str, Role] = field(default_factory=dict)
    dealt: list[tuple[float, int, str]] = field(default_factory=list)
    board: dict[Street, list[str]] = field(
        default_factory=lambda: {"flop": [], "turn": [], "river": []}
    )
    burns: dict[Street, list[str]] = field(
        default_factory=lambda: {"flop": [], "turn": [], "river": []}
    )
    early: dict[Street, list[str]] = field(
        default_factory=lambda: {"flop": [], "turn": [], "river": []}
    )
    last_card: dict[Street, float] = field(default_factory=dict)
    lain_since: dict[str, float] = field(default_factory=dict)
    only_on_board: set[str] = field(default_factory=set)
    stirred: set[Street] = field(default_factory=set)
    findings: list[OpenFinding] = field(default_factory=list)
    unshown: list[OpenFinding] = field(default_factory=list)
    reads_burns: bool = True
    reads_board: bool = True
    dealt_out: bool = False
    played: bool = False
    closed_rounds: set[str] = field(default_factory=set)
    acted_streets: set[str] = field(default_factory=set)
    bet_streets: set[str] = field(default_factory=lambda: {"preflop"})
    entrusted: set[Street] = field(default_factory=set)
    picked: str | None = None
    played_from: Positions | None = None
    knows_button: bool = True
    believes_button: bool = False
    believed: frozenset[int] = frozenset()
    told: frozenset[int] | None = None
    taken_over: tuple[int, ...] = ()
    shown_by_deal: bool = False
    gap_round: RoundName | None = None
    deal_unseen: bool = False
    passed_over: set[int] = field(default_factory=set)
    inferred: Counter[int] = field(default_factory=Counter)
    late: Counter[int] = field(default_factory=Counter)
    acts: int = 0
    pressed: Counter[int] = field(default_factory=Counter)
    needless: Counter[int] = field(default_factory=Counter)
    thought: tuple[int, float] = (0, 0.0)
    unread: tuple[int, ...] = ()
    unread_burns: set[Street] = field(default_factory=set)
    left_open: set[tuple[str, int]] = field(default_factory=set)
    left_streets: set[tuple[str, Street]] = field(default_factory=set)
    strays: set[str] = field(default_factory=set)
    astray: dict[str, float] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    limited: dict[int, Ban] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)
    second_board: bool = False
    riffled: bool = True
    over: bool = False
    were_absent: frozenset[int] = frozenset()
    awarded: bool = False
    misdealt: bool = False
    voided: bool = False
    redeal_of: int | None = None

    # --- what is so ---

    @property
    def undone(self) -> bool:
        """Whether nothing of it counts: all bets go back and it is dealt again."""
        return self.misdealt or self.voided

    def was_burned(self, street: Street) -> bool:
        """Whether a card was burned for a street: where none can be read, or was, one was."""
        return bool(self.burns[street]) or not self.reads_burns or street in self.unread_burns

    @property
    def has_begun(self) -> bool:
        """Whether a card has been dealt, as far as anything at this table can show it."""
        return bool(self.roles) or self.betting.acted_on or self.dealt_out

    @property
    def awaits_first_card(self) -> bool:
        """Whether no card has been dealt yet, as far as it was read, and nothing else done."""
        out = self.dealt or any(self.board.values()) or any(self.burns.values())
        return not (out or self.betting.acted_on or self.dealt_out)

    def was_told(self, seats: Collection[int]) -> bool:
        """Whether somebody has said for this hand who sits at these seats, or does not."""
        return self.told is None or self.told.issuperset(seats)

    @property
    def is_spread(self) -> bool:
        """Whether a street has come or was burned for, or a hand was folded."""
        folded = (player.folded for player in self.betting.players.values())
        return bool(self.last_card) or any(self.burns.values()) or any(folded)

    @property
    def deal_was_read(self) -> bool:
        """Whether every player's cards have been read: no other card can be one of them."""
        return len(self.dealt) >= HOLE_CARDS * len(self.betting.players)

    @property
    def head(self) -> ScriptStep | None:
        """What must come next, or None once the hand has been played."""
        return self.script[0] if self.script else None

    @property
    def dealt_next(self) -> ScriptStep | None:
        """What comes once the remedy has its cards back: they may be gone already."""
        return next((s for s in self.script if not isinstance(s, Back | Shuffle | Settle)), None)

    def tags_of(self, seat: int) -> list[str]:
        """The cards that were dealt to a seat, in the order in which they came."""
        return [tag for _, at, tag in self.dealt if at == seat]

    def backs(self) -> dict[int, int]:
        """How many cards were dealt to each seat that has not folded, and lie there still."""
        there = (at for _, at, tag in self.dealt if isinstance(self.roles.get(tag), HoleCard))
        count = Counter(there)
        return {p.seat: count[p.seat] for p in self.betting.live}

    def finding(self, finding_id: int) -> OpenFinding | None:
        """The open finding of this id."""
        return next((f for f in (*self.findings, *self.unshown) if f.id == finding_id), None)

    def open_finding(self, code: str, street: Street | None = None) -> OpenFinding | None:
        """The open finding of this code (and street), if there is one."""
        if not self.findings:
            return None
        return next(
            (f for f in self.findings if f.code == code and street in (None, f.street)), None
        )

    def is_complete(self, street: Street) -> bool:
        """Whether the street has its cards."""
        return len(self.board[street]) >= SIZE[street]

    def early_street(self) -> Street:
        """The street to which a card belongs that comes too soon."""
        if not self.reads_board:  # which streets are out only the rounds tell
            at = self.betting.round
            return "flop" if at == "preflop" else next(iter(later_streets(at)), "river")
        return next(
            (s for s in STREETS if not self.board[s] and len(self.early[s]) < SIZE[s]), "river"
        )

    def last_street(self) -> Street | None:
        """The last street of which a card is out."""
        return next((s for s in reversed(STREETS) if self.board[s]), None)

    def is_out(self, tag: str) -> bool:
        """Whether a tag counts as one of the hand's burns or board cards."""
        return isinstance(self.roles.get(tag), BurnCard | BoardCard | EarlyCard)

    def is_taken(self, tag: str) -> bool:
        """Whether the remedy's next step takes this card away."""
        match self.head:
            case Back(tags=tags) | PickBurn(tags=tags) | Reorder(back=tags):
                return tag in tags
            case _:
                return False

    def may_be_picked(self, tag: str) -> bool:
        """Whether the floor may pick this card as the next burn."""
        finding = self.open_finding("four-card-flop")
        return (finding is not None and tag in finding.tags) or any(
            isinstance(step, PickBurn) and tag in step.tags for step in self.script
        )

    def burned_since(self, street: Street) -> bool:
        """Whether a card has been burned for a street after this one."""
        return any(self.burns[later] for later in later_streets(street))

    def street_began(self, street: Street) -> float:
        """When the street's burn could first have been made: after the last card before it."""
        earlier = [self.last_card[s] for s in STREETS[: STREETS.index(street)] if self.board[s]]
        return max([self.t, *(t for t, _, _ in self.dealt[-1:]), *earlier])

    def street_moment(self, street: Street) -> str:
        """Where a street stands for the books: `before-action`, `after-action`, `all-in` (no
        betting is possible on it), or `all-in-later` when later streets are out as well."""
        if street in self.acted_streets:
            return "after-action"
        if street in self.bet_streets or self.betting.betting_possible:
            return "before-action"
        if any(self.board[later] for later in later_streets(street)):
            return "all-in-later"
        return "all-in"

    # --- what happens to cards ---

    def turn_up(self, tag: str, street: Street, t: float) -> None:
        """A card lies face up on the board for a street."""
        if tag not in self.roles:
            self.only_on_board.add(tag)
        self.roles[tag] = BoardCard(street)
        self.board[street].append(tag)
        self.last_card[street] = t

    def burn(self, tag: str, street: Street) -> None:
        """A card is burned for a street."""
        self.roles[tag] = BurnCard(street)
        self.burns[street].append(tag)

    def turn_up_early(self, tag: str, street: Street) -> None:
        """A card lies on the board too soon."""
        if tag not in self.roles:
            self.only_on_board.add(tag)
        self.roles[tag] = EarlyCard(street)
        self.early[street].append(tag)

    def play_early(self, street: Street, t: float) -> None:
        """The early cards of a street are taken as its cards: there was action on them."""
        for tag in self.early[street]:
            self.turn_up(tag, street, t)
        self.early[street] = []

    def take_off_board(self, tag: str, street: Street) -> None:
        """A remedy takes a card off the board, or a burn off its pile, again."""
        for pile in (self.board[street], self.early[street], self.burns[street]):
            if tag in pile:
                pile.remove(tag)
        self.roles[tag] = Returned()

    def scrap(self, tag: str) -> None:
        """A board card or a burn does not play."""
        role = self.roles.get(tag)
        if isinstance(role, BoardCard):
            self.board[role.street].remove(tag)
            self.roles[tag] = Scrap(role.street, "board")
        elif isinstance(role, BurnCard):
            self.burns[role.street].remove(tag)
            self.roles[tag] = Scrap(role.street, "burn")

    def play_scraps(self, tags: Iterable[str]) -> None:
        """What is scrap of them plays after all."""
        for tag in tags:
            match self.roles.get(tag):
                case Scrap(street, "board"):
                    self.board[street].append(tag)
                    self.roles[tag] = BoardCard(street)
                case Scrap(street, "burn"):
                    self.burn(tag, street)
                case _:
                    pass

    def awaits_replacement(self, street: Street) -> bool:
        """Whether the street is short of a card, and one came to it that does not play."""
        return not self.is_complete(street) and Scrap(street, "board") in self.roles.values()

    def put_in_order(self, tag: str, pile: Pile, step: Reorder, t: float) -> bool:
        """Takes a card's move to its true place; False if it has none on this pile."""
        street = next((s for moved, where, s in step.places if (moved, where) == (tag, pile)), None)
        if street is None:
            return False
        for piles in (self.board, self.burns):
            for tags in piles.values():
                if tag in tags:
                    tags.remove(tag)
        if pile == "burn":
            self.burn(tag, street)
        else:
            self.turn_up(tag, street, t)
        return True
