"""A batch on its way to a commit: it is decided on loaded records, and its news is reported after the commit."""

import os
import time
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from flowfabric.domain.batch_io import (
    Changes,
    Loaded,
    ends_in,
    leases_taken,
    unsettled_in,
    wait_ends_in,
    waits_over_in,
)
from flowfabric.domain.commands import Claim, Envelope, lanes_filled_by
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.decide.foreseeing import foreseen, foreseen_candidates, foreseen_for_claims
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.stream_pages import with_news_for_readers
from flowfabric.domain.working_set import WorkingSet
from flowfabric.ports.writing import Answered, Decided, LockBeforeClaims, Transaction

if TYPE_CHECKING:
    from flowfabric.domain.errors import EngineError


class TakeAlong(Protocol):
    """Called with lanes that have work now. Returns the claims that wait there, to be decided in the same batch."""

    def __call__(self, lanes: Collection[Lane], enough: int | None = None) -> Sequence[Envelope]:
        """`enough`: for so many executions. None: all claims."""


class Deciding:
    """Decides commands on the loaded records, again and again until nothing is missing.

    Claims at the end of the batch are decided last, on top of what the other commands have done. So what is loaded for
    them, or locked before them, does not make the whole batch be decided again.
    """

    def __init__(self, commands: Sequence[Envelope], store_name: str, take_along: TakeAlong | None = None) -> None:
        self._commands = commands
        self._claims_from = _last_claims_in(commands)
        """The place of the first of the claims at the end."""
        self._store_name = store_name
        self._take_along = take_along
        self._begun: tuple[WorkingSet, Loaded] | tuple[None, None] = None, None
        """What the commands before the last claims have done, if these have `answers`, and what it was decided on."""
        self._foreseen = 0
        """How many executions were loaded when it was foreseen what their gates need."""
        self._foreseen_parked = 0
        """How many of them were parked when it was foreseen who is let in."""
        self._foresaw_candidates = False
        self.wanted = needs(commands)
        """What has to be loaded before the next try."""
        self.answers: list[Outcome | EngineError] = []
        """The answers in the order of the commands. Answers to claims that were taken along come last."""

    def on(self, loaded: Loaded, now_ms: int, era: int, lock: LockBeforeClaims | None = None) -> WorkingSet | None:
        """Decide, and return the working set with the changes. None: more has to be loaded, see `wanted`.

        `lock`: see `Batch.decide`.
        """
        if self._foresees_more(loaded, now_ms):
            return None
        ws, begun_on = self._begun
        self._begun = None, None
        if begun_on is not None and begun_on is not loaded:
            ws, self._claims_from = None, len(self._commands)  # the store loads all anew each time
        if ws is None or (lock is not None and lock(ws.touched)):
            ws = WorkingSet(loaded, self.wanted, now_ms=now_ms, store=self._store_name, era=era)
            self.answers = []
        begun = len(self.answers)
        until = self._claims_from if begun < self._claims_from else len(self._commands)
        self.answers += apply_batch(ws, self._commands[begun:until])
        if not ws.missing.is_empty:
            self.wanted.add(ws.missing)
            return None
        if until == len(self._commands):
            claims = self._take_along(ws.lanes_with_news()) if self._take_along is not None else ()
            if not claims:
                return ws
            self._join(claims)
        if until == self._claims_from:
            self._begun = ws, loaded
            self.wanted.add(foreseen_for_claims(ws, self._commands[until:]))
        return None

    def _foresees_more(self, loaded: Loaded, now_ms: int) -> bool:
        """Whether the loaded executions show that more is needed. It is added to what is wanted."""
        if len(loaded.executions) > self._foreseen:
            self._foreseen = len(loaded.executions)
            if (more := foreseen(self._commands, self.wanted, loaded)) is not None:
                self.wanted.add(more)
                return True
        if self.wanted.claims and loaded.limits and not self._foresaw_candidates:
            self._foresaw_candidates = True
            if candidates := foreseen_candidates(self._commands, self.wanted, loaded, now_ms):
                self.wanted.claims.update(candidates)
                return True
        parked = [place for places in loaded.parked.values() for place in places]
        if len(parked) <= self._foreseen_parked:
            return False
        # Ends of leases let these in. Claims that wait for them join at once, so that the batch is decided only once.
        self._foreseen_parked = len(parked)
        if self._take_along is not None:
            lanes = {(place.namespace, place.lane) for place in parked}
            if claims := self._take_along(lanes, len(parked)):
                self._join(claims)
        if not self.wanted.claims:
            return False
        self.wanted.payloads.update(place.execution_id for place in parked)
        return True

    def _join(self, claims: Sequence[Envelope]) -> None:
        self._commands = [*self._commands, *claims]
        self._claims_from = _last_claims_in(self._commands)
        self.wanted.add(needs(self._commands))


def _last_claims_in(batch: Sequence[Envelope]) -> int:
    """The place from which on there are only claims; the end if there is a claim before other commands.

    Such an early claim is decided in its turn, together with all other commands.
    """
    places = [place for place, each in enumerate(batch) if isinstance(each.command, Claim)]
    return len(batch) - len(places) if places and places[0] == len(batch) - len(places) else len(batch)


class Batch:
    """Commands that are committed together or not at all. Every try is a batch of its own."""

    def __init__(
        self,
        envelopes: Sequence[Envelope],
        store_name: str,
        *,
        lock_wait_ms: int | None = None,
        take_along: TakeAlong | None = None,
        is_told: bool = False,
    ) -> None:
        # Each try has a new id: the marker of an interrupted try may stay locked until the store notices.
        self.batch_id = os.urandom(16)
        self.lock_wait_ms = lock_wait_ms
        self.is_told = is_told
        self.envelopes = envelopes
        self.changes: Changes | None = None
        """What the rules have changed. None: nothing is decided yet, or the store has answered every command."""
        self.now_ms = 0
        """The store's time at which the batch was decided."""
        self.has_begun = False
        """Whether the store could be reached."""
        self.prepared: Answered | None = None
        """The answers that are valid if the batch was committed, once they are known."""
        self._store_name = store_name
        self._take_along = take_along
        self._deciding: Deciding | None = None
        self.began_at = self._decided_at = time.monotonic()

    def begun(self) -> None:
        """Take along the claims that wait for work that this batch will make. The commands show in which lanes."""
        self.has_begun = True
        if self._take_along is not None:
            lanes = {lane for envelope in self.envelopes for lane in lanes_filled_by(envelope.command)}
            self.envelopes = [*self.envelopes, *self._take_along(lanes)]

    def take_along(self, lanes: Collection[Lane], enough: int) -> bool:
        """Add the claims that wait in these lanes. They stay in the batch, however it is decided."""
        claims = self._take_along(lanes, enough) if self._take_along is not None else ()
        self.envelopes = [*self.envelopes, *claims]
        return bool(claims)

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome], lock: LockBeforeClaims | None = None) -> Decided:
        """Decide the commands that have no answer yet. If it is called again, claims taken along stay in the batch."""
        if self._deciding is None:
            rest = [envelope for place, envelope in enumerate(self.envelopes) if place not in answered]
            self._deciding = Deciding(rest, self._store_name, self._take_along)
        deciding = self._deciding
        while (ws := deciding.on(tx.load(deciding.wanted), tx.now_ms, tx.era, lock)) is None:
            pass
        self._decided_at = time.monotonic()
        decided = iter(deciding.answers)
        answers = [answered[place] if place in answered else next(decided) for place in range(len(self.envelopes))]
        answers.extend(decided)
        self.changes, self.now_ms = ws.changes(), tx.now_ms
        return Decided(answers, self.changes, ws.touched, news_of(self.changes, tx.now_ms))

    def commits(self, answered: Answered | None) -> None:
        """Keep the answers. If the store's answer to the commit is lost, callers may get these."""
        self.prepared = answered

    @property
    def since_decided_s(self) -> float:
        """How long ago it was decided."""
        return time.monotonic() - self._decided_at


def news_of(changes: Changes, now_ms: int) -> Committed:
    """The news in these changes for callers that wait."""
    ready = {
        (x.namespace, x.lane)
        for before, x in changes.executions
        if x is not None
        and x.eligibility_state == "eligible_now"
        and (before is None or before.eligibility_state != "eligible_now")
    }
    ready.update(key for key, switch in changes.lanes.items() if not switch.is_paused)
    ready.update(changes.cut_short)
    delays = [x.delay_until_ms for _, x in changes.executions if x is not None and x.delay_until_ms is not None]
    delays += [
        wait.timeout_at_ms
        for _, x in changes.executions
        if x is not None and x.inbox is not None
        for wait in x.inbox.waits
        if wait.timeout_at_ms is not None
    ]
    delays += [at_ms for at_ms in changes.openings.values() if at_ms is not None]
    delay_over_in_ms = max(0, min(delays) - now_ms) if delays else None
    return Committed(
        ends_in(changes),
        bool(changes.events),
        ready,
        delay_over_in_ms,
        leases_taken(changes),
        waits_over_in(changes),
        unsettled_in(changes),
        wait_ends_in(changes),
        changes.freed,
        with_news_for_readers(changes),
    )
