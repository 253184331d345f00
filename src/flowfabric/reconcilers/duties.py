"""The duties of upkeep. Each finds records that may need something, and sends commands.

A command is decided from the record, so it does no harm if a find is out of date. No duty writes by itself, none needs
a leader, and any number of processes may run them at once.
"""

import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from flowfabric.domain import expiring
from flowfabric.domain.access import DEAD_TOKENS_KEPT_MS
from flowfabric.domain.budgets import USES_KEPT_MS, UseAt
from flowfabric.domain.commands import (
    AnyCommand,
    Envelope,
    ForgetAccessToken,
    ForgetAnswer,
    ForgetBatches,
    ForgetBudgetUse,
    ForgetEvents,
    ForgetIdempotencyKey,
    ForgetKeyTurn,
    ForgetKeyUse,
    ForgetOverdueAck,
    ForgetWorker,
    HandleDue,
    OpenGate,
    PurgeFlow,
    RepairSideRows,
    SettleGroup,
    TendCounts,
    TrimStream,
)
from flowfabric.domain.errors import Contention, EngineError, StoreUnavailable
from flowfabric.domain.events import LANE_EVENTS_KEPT_MS
from flowfabric.domain.execution import Due, DueKind
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.fairness import KeyTurnAt, is_idle_turn
from flowfabric.domain.flow import is_open
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Polled
from flowfabric.domain.workers import SILENT_MS
from flowfabric.ports.finding import Finds
from flowfabric.ports.telemetry import Telemetry
from flowfabric.ports.upkeep import Gateway

K = TypeVar("K")

log = logging.getLogger("flowfabric.reconcilers")

PAGE: Final = 500
FLOW_PAGE: Final = 50
"""How many flows are removed before leases and delays are handled again: a flow may have many members."""
TURN_PAGE: Final = 2_000
"""How many records of fair keys one page covers. Most of them are in use."""
REPAIR_PAGE: Final = 2_000
"""How many executions one page covers. Most of them have ended, and these are only skipped."""
POISON_PAUSE_S: Final = 300.0
"""For how long a record that made a duty fail is skipped, so that it does not fail in every sweep."""

DUE_DUTIES: Final[dict[str, DueKind]] = {
    "expired_leases": "lease",
    "due_delays": "delay",
    "wait_timeouts": "wait",
    "attempt_timeouts": "attempt_timeout",
    "deadlines": "deadline",
    "unsettled_ends": "resolution",
    "retention": "retention",
}


class Repaired(msgspec.Struct, frozen=True):
    """What was repaired on one page of executions, and where the next page begins. None: this was the last page."""

    side_rows: int
    stuck: int
    next_after: ExecutionId | None


class Duties:
    """Every duty for one store. Each method does everything that is due now, and returns how much that was."""

    def __init__(self, store: Finds, gateway: Gateway, telemetry: Telemetry | None = None) -> None:
        self._store = store
        self._telemetry = telemetry
        self._gateway = gateway
        self._poison: dict[object, float] = {}
        self._turns_after: KeyTurnAt | None = None
        """Up to which fair key the turns were walked."""

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What is due, and which of the lanes have work, in one read. Most of the time there is nothing."""
        return self._store.poll(lanes)

    def handle_due(self, kind: DueKind, stop: Callable[[], bool]) -> int:
        """Handle everything of one kind that is due: expired leases, delays, timeouts, deadlines, retention."""
        done = 0
        for page in self._due_pages(kind):
            sent = self._send([(due, HandleDue(due)) for due in page])
            done += sent
            if self._telemetry is not None and sent:
                now_ms = self._store.now_ms
                self._telemetry.handled_due(kind, [(now_ms - due.due_at_ms) / 1000 for due in page])
            if stop():
                break
            if kind == "retention":
                self._handle_what_cannot_wait()
        return done

    def _handle_what_cannot_wait(self) -> None:
        """Handle everything that is due, except removals: there may be so many that they take minutes."""
        for kind in DUE_DUTIES.values():
            if kind != "retention":
                self.handle_due(kind, lambda: False)

    def _due_pages(self, kind: DueKind) -> Iterator[list[Due]]:
        now_ms = self._store.now_ms
        after: Due | None = None
        while page := self._store.due(kind, now_ms, after, PAGE):
            yield page
            after = page[-1]

    def open_gates(self) -> int:
        """Look at the gates of limits and budgets that may have room now."""
        done = 0
        while sent := self._send([(gate, OpenGate(gate)) for gate in self._store.openings(self._store.now_ms, PAGE)]):
            done += sent
            self._handle_what_cannot_wait()  # a gate at which a million are parked is looked at two thousand times
        return done

    def trim_streams(self) -> int:
        """Remove the oldest frames of streams that are too long."""
        done = 0
        while sent := self._send([(key, TrimStream(key)) for key in self._store.long_streams(PAGE)]):
            done += sent
            self._handle_what_cannot_wait()
        return done

    def forget_idle_keys(self) -> int:
        """Drop the records of keys of limits that are idle."""
        done = 0
        while sent := self._send([(at, ForgetKeyUse(*at)) for at in self._store.idle_keys(self._store.now_ms, PAGE)]):
            done += sent
            self._handle_what_cannot_wait()
        return done

    def forget_idle_turns(self, *, pages: int | None = None) -> int:
        """Drop the records of fair keys that are idle. With `pages`: so many, from where the last call has ended.

        No index finds them: it would cost every submit more than this walk costs once a minute.
        """
        done = 0
        after = None if pages is None else self._turns_after
        for _ in range(pages or sys.maxsize):
            now_ms = self._store.now_ms
            found = self._store.turns_of_keys(after, TURN_PAGE)
            idle = [turn for turn, claimed_last in found if is_idle_turn(turn, claimed_last, now_ms)]
            named = [(turn.namespace, turn.lane, turn.priority, turn.fair_key) for turn in idle]
            done += self._send([(at, ForgetKeyTurn(*at)) for at in named])
            last = found[-1][0] if len(found) == TURN_PAGE else None
            after = None if last is None else (last.namespace, last.lane, last.priority, last.fair_key)
            if after is None:
                break
            self._handle_what_cannot_wait()
        self._turns_after = after
        return done

    def forget_old_uses(self) -> int:
        """Drop what was used of budgets in periods that have long been over."""
        done = 0
        after: UseAt | None = None
        while page := self._store.old_uses(self._store.now_ms - USES_KEPT_MS, after, PAGE):
            done += self._send([(at, ForgetBudgetUse(*at)) for at in page])
            after = page[-1]
            self._handle_what_cannot_wait()
        return done

    def forget_idempotency_keys(self) -> int:
        """Drop idempotency keys whose time is over."""
        return self._until_done(
            lambda: [(key, ForgetIdempotencyKey(*key)) for key in self._expired(expiring.IDEMPOTENCY_KEYS)]
        )

    def forget_answers(self) -> int:
        """Drop kept answers of command ids whose time is over."""
        return self._until_done(lambda: [(key, ForgetAnswer(*key)) for key in self._expired(expiring.ANSWERS)])

    def forget_batches(self) -> None:
        """Drop markers of batches that no caller can ask for any more."""
        self._send([("batches", ForgetBatches())])

    def fold_counts(self) -> int:
        """Add up what commits have left for the kept counts."""
        return self._send([("counts", TendCounts("fold"))]) if self._store.has_counts_to_tend() else 0

    def forget_events(self) -> int:
        """Drop events of lanes and schedules whose time is over."""
        done = 0
        while old := self._expired(expiring.EVENTS, kept_ms=LANE_EVENTS_KEPT_MS):
            if not self._send([("events", ForgetEvents(old[-1]))]):
                break
            done += len(old)
        return done

    def purge_flows(self) -> int:
        """Remove flows whose retention is over, with everything that belongs to them."""
        done = 0
        while sent := self._send([(key, PurgeFlow(key)) for key in self._expired(expiring.FLOWS, FLOW_PAGE)]):
            done += sent
            self._handle_what_cannot_wait()
        return done

    def forget_overdue_acks(self) -> int:
        """Acknowledge the cancel of a flow for workers that are lost."""
        return self._until_done(lambda: [(key, ForgetOverdueAck(*key)) for key in self._expired(expiring.ACKS)])

    def forget_silent_workers(self) -> int:
        """Remove workers that have been silent for a day from the list of workers."""
        return self._until_done(
            lambda: [(key, ForgetWorker(*key)) for key in self._expired(expiring.WORKERS, kept_ms=SILENT_MS)]
        )

    def forget_dead_tokens(self) -> int:
        """Remove access tokens that have been no good for long."""
        return self._until_done(
            lambda: [
                (token_id, ForgetAccessToken(token_id))
                for token_id in self._expired(expiring.ACCESS_TOKENS, kept_ms=DEAD_TOKENS_KEPT_MS)
            ]
        )

    def _expired(self, kind: Expiring[K], limit: int = PAGE, *, kept_ms: int = 0) -> list[K]:
        """Some records of one kind whose time has been over for `kept_ms`."""
        return self._store.expired(kind, self._store.now_ms - kept_ms, limit)

    def repair_page(self, after: ExecutionId | None, most: int = REPAIR_PAGE) -> "Repaired":
        """Repair the side rows of one page of executions, and let executions go on that wait for a decided group."""
        found = self._store.side_rows(after, most)
        page = found.rows
        wrong = [row.execution.execution_id for row in page if not row.are_right]
        if wrong:
            log.warning("repaired the side rows of %d executions", len(wrong))
        blocked = [row for row in page if row.execution.eligibility_state == "blocked_by_dependencies"]
        stuck = [row.execution.execution_id for row in blocked if not is_open(row.group)]
        if stuck:
            log.warning("%d executions were still blocked after their groups had been decided", len(stuck))
        return Repaired(
            self._send([(key, RepairSideRows(key)) for key in wrong]),
            self._send([(key, SettleGroup(key)) for key in stuck]),
            found.next_after,
        )

    def _until_done(self, find: Callable[[], list[tuple[object, AnyCommand]]]) -> int:
        done = 0
        while sent := self._send(find()):
            done += sent
        return done

    def _send(self, commands: Sequence[tuple[object, AnyCommand]]) -> int:
        """Send commands, and count those that did something."""
        now = time.monotonic()
        if self._poison:
            self._poison = {key: until for key, until in self._poison.items() if until > now}
        healthy = [(key, command) for key, command in commands if key not in self._poison]
        answers = self._gateway.execute_all([Envelope(command) for _, command in healthy])
        for (key, command), answer in zip(healthy, answers, strict=True):
            if isinstance(answer, StoreUnavailable):
                raise answer
            if isinstance(answer, Contention):
                log.debug("another transaction holds %s; the next sweep tries again", key)
            elif isinstance(answer, EngineError):
                self._poison[key] = now + POISON_PAUSE_S
                name = type(command).__name__
                log.error(
                    "%s could not be done for %s: %s",
                    name,
                    key,
                    answer,
                    extra={"record": str(key), "command": name, "cause": str(answer)},
                )
        return sum(answer is True for answer in answers)
