"""Records what the table observes, and brings the table back after an interruption.

Tags are written as pseudonyms with a key that is made anew whenever the table is cleared. Between
two hands the engine's state is kept; a restart begins there and replays what came after. Without
the keys (a power cut) the tags of an open hand cannot be recognised: it goes on unwatched.
Beside each line stands what was observed as it was, sealed for the house's auditor if it has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.contract.events import Event
from controller.contract.messages import TABLE_EVENT, Message, MessageError
from controller.contract.observations import (
    DeckChange,
    Gone,
    Observation,
    Open,
    Seen,
    Table,
    Tick,
    Undo,
    Unwatched,
)
from controller.contract.picture import Happening
from controller.engine.account import account
from controller.engine.engine import Engine
from controller.engine.state import EngineState
from controller.storage.committer import Committer
from controller.storage.database import DatabaseError
from controller.storage.journal import Counters, Entry
from controller.storage.key_ring import KeyRing
from controller.storage.pseudonyms import classifier, deck_name, reveal
from controller.table.alive import Why
from controller.table.decks import Decks
from controller.table.publisher import Publisher

if TYPE_CHECKING:
    from controller.table.auditing import Auditing

MEND_S = 1.0
_IN_PLAY = ("seat", "board", "burn", "muck")


class _Checkpoint(Struct, frozen=True):
    """The engine's state, the newest key that the lines after it are hidden with, how many of them
    are readings of what lay on the table, and what the deck in play is called."""

    state: EngineState
    key: str
    lying: int
    deck: str = ""


class Restored(Struct, frozen=True):
    """What was brought back: the events of the hand that runs with the steps that the dealer has
    ticked between them, or those of the last one and since then; the time; and whether an open
    hand had to go on unwatched.
    `lost_deck` was in play and is not registered any more."""

    events: tuple[Happening, ...] = ()
    t: float = 0.0
    is_new: bool = True
    unwatched: bool = False
    lost_deck: str = ""


class JournalRecorder:
    """Implements `controller.table.service.Recorder` with a journal."""

    def __init__(
        self,
        committer: Committer,
        keys: Path,
        engine: Engine,
        *,
        decks: Decks,
        objects: Mapping[str, str],
        publisher: Publisher,
        auditing: Auditing | None = None,
    ) -> None:
        """`keys` is the folder of the hand's key, on a tmpfs; what `publisher` counts and holds
        is kept too, and which of `decks` is in play. Without `auditing` nothing is sealed."""
        self.fault = ""
        self.faults = 0
        self._lost_since: float | None = None
        self._mends_at = 0.0
        self._is_mending = False
        self._healed: tuple[float, Why] | None = None
        self.sensors = committer.journal.counters.sensors
        self._journal = committer.journal
        self._committer = committer
        self._names = KeyRing(keys)
        self._engine = engine
        self._decks = decks
        self._objects = objects
        self._classify = (decks.in_play, classifier(decks.deck, objects))
        self._tags = [*decks.tags, *objects]
        self._publisher = publisher
        self._auditing = auditing
        self._t = 0.0
        self._had_state = False
        self._hand: int | None = None
        self._dealt: int | None = None

    # --- writing ---

    @property
    def lost_since(self) -> float | None:
        """The `t` since when nothing is on the disk; None where all is that was committed."""
        return self._lost_since

    def record(
        self,
        observation: Observation,
        messages: Sequence[Message],
        origin: str | None,
        then: Callable[[], None],
        /,
    ) -> None:
        """Has the observation and what follows from it committed. A tick from which nothing
        follows leaves no trace. What can't be written is said in `fault`, and the table goes on;
        once a second it is tried to write all of it."""
        self._t = t = max(self._t, observation.t or 0.0)
        mends = self._lost_since is not None and not self._is_mending and t >= self._mends_at
        is_tick = isinstance(observation, Tick) and not messages
        if is_tick and not mends:
            then()
            return
        entries: list[Entry] = []
        worn: list[bytes] = []
        try:
            if mends:
                self._mends_at = t + MEND_S
                entries = self._anew(messages, origin)
            else:
                entries = self._entries(observation, messages, origin)
            worn = self._names.worn() if any(e.checkpoint is not None for e in entries) else []
            if entries:
                self._change_key(observation)
        except OSError as error:  # a key can't be written
            self._failed(t, error)
            entries = []
        self._is_mending |= mends and bool(entries)

        def settled(error: DatabaseError | None) -> None:
            self._is_mending &= not mends
            if error is not None:
                self._failed(t, error, counts=not is_tick)
            elif entries:
                self._succeeded(worn, mends=mends)
            then()

        self._committer.submit(entries, settled)

    def after(self, then: Callable[[], None]) -> None:
        """See `Recorder`."""
        self._committer.submit((), lambda _error: then())

    def healed(self) -> tuple[float, Why] | None:
        """Since when nothing could be recorded until just now, and why; told once."""
        healed, self._healed = self._healed, None
        return healed

    def _failed(self, t: float, error: Exception, *, counts: bool = True) -> None:
        self.fault = str(error)
        self.faults += counts
        self._lost_since = t if self._lost_since is None else min(t, self._lost_since)

    def _succeeded(self, worn: Sequence[bytes], *, mends: bool) -> None:
        if mends and self._lost_since is not None:
            self._healed = self._lost_since, "full disk" if "full" in self.fault else "disk fault"
            self._lost_since = None
            self._mends_at = 0.0
        self.fault = ""
        try:
            self._names.forget(worn)
        except OSError as error:
            self.fault = str(error)

    def _entries(
        self, observation: Observation, messages: Sequence[Message], origin: str | None
    ) -> list[Entry]:
        line, auditing = self._hide(observation), self._auditing
        entry = Entry(
            hand=self._engine.hand or self._hand or self._engine.next_hand,
            counters=self._counters(),
            lines=(line,),
            messages=tuple(messages),
            origin=origin,
            box=b"" if auditing is None else auditing.observation(observation, line),
        )
        return [entry, *self._kept_state(observation)]

    def _anew(self, messages: Sequence[Message], origin: str | None) -> list[Entry]:
        """The hand that runs, from its beginning on, or what is so between two hands: perhaps the
        disk takes it again."""
        state = self._engine.state()
        beginning = self._between(state) if state is not None else self._from_its_beginning()
        if beginning is None:
            return []  # there is no table yet, or a hand is under way that nobody watches
        self._had_state, self._hand = state is not None, self._engine.hand
        return [replace(beginning, messages=tuple(messages), origin=origin)]

    def _between(self, state: EngineState) -> Entry:
        """Between two hands."""
        engine, deck = self._engine, self._decks.in_play
        return self._beginning(state, deck, engine.lying(), engine.pending())

    def _from_its_beginning(self) -> Entry | None:
        """With all of the hand that runs, until now."""
        began = self._engine.beginning
        if began is None:
            return None
        since = (*self._engine.since, Tick(self._t))
        return self._beginning(began.state, self._decks.name_of(began.deck), began.lying, since)

    def _hide(self, observation: Observation) -> bytes:
        name = self._decks.in_play
        if self._classify[0] != name:
            self._classify = (name, classifier(self._decks.deck, self._objects))
        return self._names.hide(observation, self._classify[1], name)

    def _hide_all(self, deck: str, observations: Sequence[Observation]) -> list[bytes]:
        """The lines of what was observed with this deck in play at first."""
        now, lines = self._decks.in_play, []
        self._decks.put_in_play(deck)
        for observation in observations:
            self._decks.follow(observation)
            lines.append(self._hide(observation))
        self._decks.put_in_play(now)
        return lines

    def _counters(self) -> Counters:
        return Counters(
            session=self._journal.counters.session,
            hands=self._engine.next_hand - 1,
            findings=self._engine.findings,
            seq=self._publisher.seq,
            t=self._t,
            held=self._publisher.held,
            open=self._engine.hand,
            sensors=self.sensors,
        )

    def _kept_state(self, observation: Observation) -> list[Entry]:
        """Keeps the engine's state when a hand has ended or the table was set up; where the next
        hand began with the same riffle, as it was before it; and where the end of a hand was
        taken back, as it was before that hand, with all of it."""
        state, hand = self._engine.state(), self._engine.hand
        goes_on = isinstance(observation, Undo) and self._had_state and state is None
        ended = state is not None and (not self._had_state or isinstance(observation, Table))
        gave_way = not self._had_state and None not in (hand, self._hand) and hand != self._hand
        self._had_state, self._hand = state is not None, hand
        beginning = None
        if ended and state is not None:
            beginning = self._between(state)
        elif gave_way or goes_on:
            beginning = self._from_its_beginning()
        return [] if beginning is None else [beginning]

    def _beginning(
        self,
        state: EngineState,
        deck: str,
        lying: Sequence[Seen | Gone],
        first: Sequence[Observation],
    ) -> Entry:
        names = self._names
        hidden = replace(
            state,
            table=replace(
                state.table,
                objects={names.of(tag): thing for tag, thing in state.table.objects.items()},
            ),
        )
        again, auditing = (*lying, *first), self._auditing
        return Entry(
            hand=state.hands + 1,
            counters=self._counters(),
            lines=tuple(self._hide_all(deck, again)),
            box=b"" if auditing is None else auditing.beginning(state, deck, first, len(again)),
            checkpoint=msgspec.json.encode(
                _Checkpoint(hidden, names.fingerprint, len(lying), deck)
            ),
        )

    def _change_key(self, observation: Observation) -> None:
        """What is dealt has other names than what everybody has seen."""
        hand, before = self._engine.hand, self._dealt
        self._dealt = hand
        begins = hand not in (None, before)
        if not begins and not isinstance(observation, Gone):
            return
        there = (read for read in self._engine.lying() if isinstance(read, Seen))
        lying = {read.tag for read in there if read.zone.partition("/")[0] in _IN_PLAY}
        cards = lying.difference(self._objects)
        if begins or not cards:
            self._names.change(cards)

    # --- coming back ---

    def restore(self, *, is_cut: bool = False) -> Restored:
        """Brings the engine back to where the journal ends; nothing is, where it `is_cut`."""
        kept, lines = self._journal.since_checkpoint()
        if kept is None or is_cut:
            return Restored(t=self._journal.counters.t)
        checkpoint = msgspec.json.decode(kept, type=_Checkpoint)
        knows = self._names.has(checkpoint.key)
        names = self._names.known(self._tags if knows else ())
        revealed = [reveal(line, names) for line in lines]
        lying = [o for o in revealed[: checkpoint.lying] if isinstance(o, Seen | Gone)]
        hidden = checkpoint.state.table.objects
        objects = {names.get(p, p): thing for p, thing in hidden.items()}
        table = replace(checkpoint.state.table, objects=objects if knows else dict(self._objects))
        # Nothing is a finding in a replay in which no card can be told from another.
        is_open = checkpoint.state.is_open
        state = replace(checkpoint.state, table=table, is_open=is_open and knows)
        decks = self._decks
        decks.put_in_play(checkpoint.deck)
        self._engine.restore(state, decks.deck, lying if knows else (), decks.resting)
        events: list[Happening] = []
        t = state.t
        named = checkpoint.deck
        for line, observation in list(zip(lines, revealed, strict=True))[checkpoint.lying :]:
            if isinstance(observation, Table | DeckChange) and observation.deck is not None:
                named = deck_name(line)
                decks.put_in_play(named)
                deck = decks.deck or {}
                observation = replace(observation, deck=deck)  # noqa: PLW2901
            told = self._engine.observe(observation)
            events += account(self._engine, observation, told)
            t = max(t, observation.t or 0.0)
        if is_open and not knows:
            events += self._engine.observe(Open(t=t))
        between = None if knows else self._engine.state()
        if between is not None:
            # What lay there had names that mean nothing any more: it would be foreign cards.
            self._engine.restore(between, decks.deck, (), decks.resting)
        if self._engine.hand is None:
            events = [*self._last_hand(), *events]
        self._t = t
        self._had_state = self._engine.state() is not None
        self._hand = self._dealt = self._engine.hand
        unwatched = not knows and self._engine.hand is not None
        if unwatched:
            events += self._engine.observe(Unwatched(kind="dealer", t=t, reason="power cut"))
        lost = named if named != decks.in_play else ""
        return Restored(tuple(events), t, is_new=False, unwatched=unwatched, lost_deck=lost)

    def _last_hand(self) -> list[Event]:
        """What was told of it, for the picture that stands until the next one begins."""
        try:
            told = self._journal.published.of_hand(self._journal.counters.hands)
            return [TABLE_EVENT.decode(payload).value.event for payload in told]
        except (DatabaseError, MessageError):
            return []
