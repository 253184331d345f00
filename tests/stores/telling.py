"""Telling a story to a store, one call at a time or a scene at a time, and writing down all that is answered."""

import re
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from flowfabric import (
    BlockingEngine,
    Claimed,
    EngineError,
    Event,
    EventPage,
    ExecutionNotActive,
    ExecutionSnapshot,
    FlowSnapshot,
    InvalidInput,
    Lease,
    ManualClock,
    OperatedPage,
    Page,
    Purged,
    StreamFrame,
    StreamPage,
    Transcript,
)
from flowfabric.app import open_store
from flowfabric.domain import expiring
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import Envelope, HandleDue, PassOnEnd
from flowfabric.domain.decide.rule import batch_class
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import flow_partition, partition_in, uuid_from_hex, uuid_in
from flowfabric.domain.inputs import LANES_MAX, PAYLOAD_BYTES_MAX
from flowfabric.domain.invariants import Contents, violations, violations_at_rest
from flowfabric.domain.listing import EventFilter, ExecutionFilter, FlowFilter, ListPosition
from flowfabric.domain.outcomes import (
    LeaseGivenUp,
    Outcome,
    Suspended,
    WaitBegun,
    WaitOpened,
    Waitpoint,
    WaitpointMade,
)
from flowfabric.domain.stream_pages import claimed_epoch
from flowfabric.domain.streams import Said
from flowfabric.domain.waiting import WAITPOINT_KEYS, KeyRing, SigningKey
from flowfabric.engine.batch import Batch
from flowfabric.engine.engine import Engine
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import BlockingBell, run_now
from flowfabric.engine.signing import KnownKeys
from flowfabric.engine.tickets import Ticket
from flowfabric.engine.wakeups import Wakeups
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Writer
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.stores.memory.store import MemoryStore
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric_conformance.stage import Started
from tests.assembled import MARK, Assembled, assembled
from tests.faulty_store import FaultyStore
from tests.record_batches import chunks_of, loaded_by
from tests.stores.resting import restless
from tests.stores.stories import LOOKS_FIRST, NAMESPACES, Again, Known, PassOn, Scene, Step, Sweep

Manner = Literal["one by one", "in batches", "to those who wait"]
Upkeep = HandleDue | PassOnEnd
"""Commands that nobody calls a method for."""
Trouble = Callable[[FaultyStore], None]
"""What may befall the store before a step is told."""

EVENTS_AT_ONCE = 7
NEVER_MS = 3_600_000
"""A poll that no story waits for."""
SETTLED_S_MAX = 30.0
PERFORM_TIMEOUTS = ("open_wait", "suspend", "signal", "signal_alias")
"""Calls that first end the waits whose time is over. This stays, even if the call itself is refused."""
KEYS = KeyRing(WAITPOINT_KEYS, (SigningKey("k1", b"a secret of thirty-two bytes, ok"),))
"""The keys of every teller, so that tokens are the same in all tellings."""
_MINTED = re.compile(r'"edge_id":"(?!00000000-)[0-9a-f]{8}-[0-9a-f-]{27}"')
"""An edge's id that the engine has chosen; what a story gives begins with zeros, or is no uuid."""


class Account(msgspec.Struct):
    """What happened in one step, in words that are the same on every store."""

    scene: int
    step: object
    answer: str

    def __str__(self) -> str:
        return f"scene {self.scene}: {self.step}\n    -> {self.answer}"


@contextmanager
def teller(url: str, manner: Manner, trouble: Trouble | None = None) -> Iterator["Teller"]:
    """Someone who tells a story to the store behind the url, which is empty."""
    clock = ManualClock()
    store = FaultyStore(open_store(url, clock=clock, migrate=True))
    # With two committers the order of events is fixed per execution only; the story is to end the same everywhere.
    store.committers = 1
    # When an end is passed on, the story says; otherwise it would depend on who is quicker.
    store.loses_ends = True
    if isinstance(store.inner, PostgresStore):
        store.inner.notes.is_listening = True  # so that ends which nobody asks for need no notification
    try:
        with assembled(store, new_uuid=ids_in_order(), keys=KnownKeys(KEYS)) as parts:
            if manner == "one by one":
                yield Teller(parts, store, clock, trouble)
            elif manner == "to those who wait":
                with closing(WaitingTeller(parts, store, clock, trouble)) as waiting:
                    yield waiting
            else:
                with closing(store.writer()) as writer:
                    yield BatchTeller(parts, store, clock, writer)
    finally:
        store.close()


def ids_in_order() -> Callable[[], str]:
    """What gives ids like the engine, and to every telling of a story the same ones."""
    numbers = count(1)
    return lambda: uuid_from_hex(f"018bcfe5680070009000{next(numbers):012x}")


class Follower:
    """A reader of one stream, who drops what has become void."""

    def __init__(self, created_at_ms: int | None) -> None:
        self.created_at_ms = created_at_ms
        self._cursor: str | None = None
        self._transcript = Transcript()

    def read_on(self, engine: BlockingEngine, execution_id: str, limit: int) -> list[StreamFrame]:
        """Everything since the last time, page by page."""
        found: list[StreamFrame] = []
        while (page := engine.read_stream(execution_id, cursor=self._cursor, limit=limit)).frames:
            self._cursor = page.next_cursor
            found += page.frames
        self._cursor = page.next_cursor
        for frame in found:
            self._transcript.add(frame)
        return found

    def differences(self, engine: BlockingEngine, execution_id: str) -> list[str]:
        """How what is left differs from what one reads who starts now.

        A stream that upkeep has trimmed is not compared. Tries in a story do not only grow, so a frame that was void
        may count again after the later try was removed.
        """
        page = engine.read_stream(execution_id, limit=1000)
        left, fresh = list(self._transcript.frames), list(page.frames)
        if page.truncated or left == fresh:
            return []
        return [f"{execution_id}: a follower has {left}, and one who starts now gets {fresh}"]


class Teller:
    """Tells one call at a time, through the engine that callers use."""

    def __init__(
        self, parts: Assembled, store: FaultyStore, clock: ManualClock, trouble: Trouble | None = None
    ) -> None:
        self.trouble = trouble
        self.clock = clock
        self.store = store
        self.commits = parts.commits
        self.engine = parts.engine
        # Only the reference store is sure to write everything it does as changes of records.
        self.watches = isinstance(store.inner, MemoryStore)
        self.sweeper = Sweeper(self.store, self.commits)
        self.leases: list[Lease] = []
        self.steps_told: list[Step] = []
        self.first_answers: dict[tuple[str, str], tuple[Step, str, int]] = {}
        self.accounts: list[Account] = []
        self.cursor: str | None = None
        self.last_read: dict[str, int] = {}
        self.broken: list[str] = []
        self.followers: dict[str, Follower] = {}

    def tell(self, story: Sequence[Scene]) -> None:
        """Tell the whole story; what was answered is in `accounts`, what it broke in `broken`."""
        for number, scene in enumerate(story):
            known = Known(self.store.name, self.clock.now_ms, tuple(self.leases))
            self.play(number, self._worked_out(scene, known))
            for read in scene.reads:
                self._note(number, read, self._call(read.told_to(known)))
            self._note(number, "read on", self._read_on())
            if scene.reconcile:
                self._note(number, "reconcile", self.reconcile())
            self._check_commits(number)
            if self.broken:
                return
            self.clock.advance(scene.then_ms)

    def _worked_out(self, scene: Scene, known: Known) -> list[Step | Upkeep]:
        steps: list[Step | Upkeep] = []
        for step in scene.steps:
            if isinstance(step, Sweep):
                due = self.store.due(step.kind, known.now_ms + 1, None, 500)  # one moment too many: a stale find
                steps += [HandleDue(each) for each in due]
            elif isinstance(step, PassOn):
                steps += self._to_pass_on(known, step.most)
            elif isinstance(step, Again):
                if self.steps_told:
                    steps.append(self.steps_told[step.number % len(self.steps_told)])
            else:
                steps.append(step.told_to(known))
                self.steps_told.append(steps[-1])
        return steps

    def _to_pass_on(self, known: Known, most: int) -> list[PassOnEnd]:
        """What a process sends after a commit that has ended parents or children."""
        ends = [due.execution_id for due in self.store.due("resolution", known.now_ms, None, most)]
        found = {key: self.store.execution(key) for key in ends}
        return [PassOnEnd((x.parent_id or key), key) for key, x in found.items() if x is not None]

    def play(self, number: int, steps: Sequence[Step | Upkeep]) -> list[object]:
        """One scene; what its steps were answered."""
        outcomes: list[object] = []
        self._check_commits(number)  # of what a sweep did before
        for step in steps:
            if self.trouble is not None:
                self.trouble(self.store)
            if isinstance(step, Upkeep):
                outcome: object = self.commits.execute_all([Envelope(step)])[0]
            else:
                outcome = self._call(step)
                self._check_refusal_changed_nothing(step, outcome)
                self._check_command_id(step, outcome)
            self._note(number, step, outcome)
            self._check_commits(number, may_purge=getattr(step, "method", "") == "purge")
            outcomes.append(outcome)
        return outcomes

    def reconcile(self) -> object:
        return self.engine.reconcile()

    def _call(self, step: Step) -> object:
        engine = self.engine if step.scope is None else self.engine.scoped(step.scope)
        engine = engine if step.actor is None else engine.acting_as(step.actor)
        if isinstance(step.said, Said):
            engine = engine.saying(step.said)
        if step.method == "follow":
            return _outcome(lambda: self._follow(**step.arguments))
        return _outcome(lambda: getattr(engine, step.method)(**step.arguments))

    def _follow(self, execution_id: str, limit: int) -> object:
        """What the stream of an execution holds since a reader last looked. The reader drops what has become void."""
        x = self.store.execution(execution_id)
        follower = self.followers.pop(execution_id, None)
        if follower is None or x is None or x.created_at_ms != follower.created_at_ms:
            follower = Follower(None if x is None else x.created_at_ms)  # nobody has read it, or it was made anew
        try:
            pages = follower.read_on(self.engine, execution_id, limit)
        except InvalidInput as refusal:
            if refusal.code != "cursor_gone":
                raise
            return "overtaken by upkeep"
        self.followers[execution_id] = follower
        # A replay may clear steps that say what counts. From its claim on, readers know.
        is_replayed = x is not None and x.replay_count > 0 and x.lease_epoch > claimed_epoch(x, None)
        if not is_replayed:
            self.broken += follower.differences(self.engine, execution_id)
        return pages

    def _read_on(self) -> object:
        """What happened since a reader last looked, page by page; all of it again if retention was faster."""
        try:
            return self._read_to_the_end()
        except InvalidInput as refusal:
            if refusal.code != "cursor_gone":
                raise
        self.cursor = None
        self.last_read.clear()
        return ["overtaken by retention", *self._read_to_the_end()]

    def _read_to_the_end(self) -> list[object]:
        events: list[Event] = []
        while True:
            page = self.engine.read_events(cursor=self.cursor, limit=EVENTS_AT_ONCE)
            self.cursor = page.next_cursor
            if not page.events:
                break
            events += page.events
        self._check_order(events)
        return [*in_order_of_executions(events)]

    def _note(self, number: int, step: object, outcome: object) -> None:
        if isinstance(outcome, list):
            self.leases += [claimed.lease for claimed in outcome if isinstance(claimed, Claimed)]
        self.accounts.append(Account(number, step, self.words(outcome)))

    def words(self, outcome: object) -> str:
        """An outcome as text that does not tell one store from another."""
        if isinstance(outcome, BaseException):
            outcome = {"raised": type(outcome).__name__, "says": str(outcome), **vars(outcome)}
        elif isinstance(outcome, EventPage):
            outcome = in_order_of_executions(outcome.events)
        elif isinstance(outcome, OperatedPage | Purged):
            outcome = replace(outcome, next_cursor=None if outcome.next_cursor is None else "goes on")
        elif isinstance(outcome, WaitBegun | WaitOpened | LeaseGivenUp | Suspended | WaitpointMade | Waitpoint):
            outcome = _without_tokens(outcome)
        elif isinstance(outcome, StreamPage):
            outcome = {"frames": outcome.frames, "truncated": outcome.truncated, "closed": outcome.closed_reason}
        elif isinstance(outcome, Page):
            outcome = {"items": outcome.items, "goes on": outcome.next_cursor is not None}
        text = msgspec.json.encode(outcome, order="deterministic", enc_hook=repr).decode()
        return _MINTED.sub('"edge_id":"minted"', text.replace(self.store.name, "the-store"))

    # ── what must hold at every step ─────────────────────────────────────────────────────────────

    def _check_commits(self, number: int, *, may_purge: bool = False) -> None:
        for changes in self.store.committed:
            if self.watches:
                broken = violations(changes, self.clock.now_ms, may_purge=may_purge)
                self.broken += [f"scene {number}: {message}" for message in broken]
        self.store.committed.clear()

    def _check_refusal_changed_nothing(self, step: Step, outcome: object) -> None:
        if step.method in PERFORM_TIMEOUTS:
            return
        if self.watches and isinstance(outcome, BaseException) and self.store.committed:
            self.broken.append(f"{step.method}: {outcome!r} was answered, and something was committed")

    def _check_order(self, events: Sequence[Event]) -> None:
        """Of each subject, the next event comes next, unless it was made anew after a purge."""
        for event in events:
            whose = event.subject
            last = self.last_read.get(whose, 0)
            if event.seq not in (last + 1, 1):
                self.broken.append(f"{event} was read after event {last} of {whose}")
            self.last_read[whose] = event.seq

    def _check_command_id(self, step: Step, outcome: object) -> None:
        command_id = step.arguments.get("command_id")
        if not isinstance(command_id, str) or isinstance(outcome, BaseException):
            return
        if step.method in ("create_executions", "create_children") and not step.arguments["items"]:
            return  # nothing was asked for, so nothing was sent
        if step.method == "append_all" and not step.arguments["appends"]:
            return
        key = (step.scope or "", command_id)
        answer, now_ms = self.words(outcome), self.clock.now_ms
        first = self.first_answers.setdefault(key, (step, answer, now_ms))
        if now_ms - first[2] >= 86_400_000:
            self.first_answers[key] = (step, answer, now_ms)
        elif answer != first[1]:
            self.broken.append(f"{step} got {answer}, and at first {first[1]}")

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    def ending(self, *, reads_all: bool = True) -> dict[str, Any]:
        """Everything that can be read, in words that do not tell one store from another.

        Without `reads_all`, what stands in no list, and is nothing of a plain execution, is left out.
        """
        engine = self.engine
        listed = self._pages(engine)
        ids = [snapshot.execution_id for snapshot in listed]
        ending = {
            "executions": [self.words(snapshot) for snapshot in listed],
            "attempts": {key: self.words(engine.list_attempts(key)) for key in ids},
            "results": {key: self.words(engine.get_result(key)) for key in ids},
            "waiting": [snapshot.execution_id for snapshot in engine.list_waiting(limit=1000).items],
            "children": {
                key: self.words(engine.list_children(key))
                for key in sorted({snapshot.parent_id for snapshot in listed if snapshot.parent_id is not None})
                if key in ids
            },
            "by namespace": {
                name: [snapshot.execution_id for snapshot in self._pages(engine.scoped(name))] for name in NAMESPACES
            },
            "events": in_order_of_executions(events_in(self.store)),
            "completions": self._told_events(channels=["completion"]),
            "flows": [self.words(engine.describe_flow(key)) for key in self._listed_flows()],
            "edges": {key: self.words(engine.list_edges(key)) for key in self._listed_flows()},
            "schedules": [self.words(schedule) for schedule in engine.list_schedules()],
            "events by flow": {key: self.words(self._told_events(flow_id=key)) for key in self._listed_flows()},
            "stats": {
                name: self.words(replace(engine.stats(namespace=name), log=None, schema_version=None))
                for name in (None, *NAMESPACES)
            },
            "lanes": [self.words(lane) for lane in engine.list_lanes()],
            "counts": self._counts(listed),
            "ends": [self.words(each) for each in self.store.ends_per_minute(None, 0, self.clock.now_ms)],
        }
        return ending | self._ending_of_each(ids) if reads_all else ending

    def _counts(self, listed: list[ExecutionSnapshot]) -> dict[str, int]:
        """How many executions there are by state, lane and kind, as the store says."""
        alike = {(each.namespace, each.public_state, each.lane, each.kind) for each in listed}
        return {
            f"{namespace} {state} {lane} {kind}": self.engine.count_executions(
                namespace=namespace, public_state=state, lane=lane, kind=kind
            )
            for namespace, state, lane, kind in sorted(alike)
        }

    def _ending_of_each(self, ids: list[str]) -> dict[str, Any]:
        engine = self.engine
        return {
            "steps": {key: self.words(engine.list_steps(key)) for key in ids},
            "waitpoints": {key: self.words(engine.list_waitpoints(key)) for key in ids},
            "signals": {key: self.words(engine.list_signals(key)) for key in ids},
            "streams": {key: self.words(engine.read_stream(key, limit=1000)) for key in ids},
            "all frames": {key: self.words(engine.read_stream(key, limit=1000, view="all")) for key in ids},
            "summaries": {key: self.words(engine.read_summary(key)) for key in ids},
            "explained": {key: engine.explain(key) for key in ids},
            "events by execution": {key: self.words(self._told_events(execution_id=key)) for key in ids},
        }

    def _listed_flows(self) -> list[str]:
        found: list[str] = []
        cursor: str | None = None
        while True:
            page = self.engine.list_flows(cursor=cursor, limit=2)
            found += [snapshot.flow_id for snapshot in page.items if isinstance(snapshot, FlowSnapshot)]
            cursor = page.next_cursor
            if cursor is None:
                return found

    def _told_events(self, **where: Any) -> list[dict[str, object]]:
        return in_order_of_executions(self.engine.read_events(limit=1000, **where).events)

    def _pages(self, engine: BlockingEngine) -> list[Any]:
        found: list[Any] = []
        cursor: str | None = None
        while True:
            page = engine.list_executions(cursor=cursor, limit=7)
            found += page.items
            cursor = page.next_cursor
            if cursor is None:
                return found

    def at_rest(self) -> list[str]:
        """What is broken in the store now."""
        miscounted = [f"a kept count differs from what there is: {each}" for each in self.store.miscounts()]
        return miscounted + violations_at_rest(contents_of(self.store), self.clock.now_ms)

    def play_to_the_end(self) -> list[str]:
        """Let every hold and every lane go and work until nothing is left to do; who is then not at rest."""
        work_until_rest(self.engine, self.store, self.clock, self.reconcile)
        return list(restless(contents_of(self.store)))


def work_until_rest(engine: BlockingEngine, store: Store, clock: ManualClock, reconcile: Callable[[], object]) -> None:
    """Let every hold, every wait and every lane go, and claim and complete until nothing is left to do."""
    executions = _all_executions(store)
    for x in executions:
        if x.lifecycle_phase == "suspended":
            engine.resume_execution(x.execution_id)
    executions = _all_executions(store)
    for x in executions:
        if x.eligibility_state == "blocked_by_operator":
            engine.unhold(x.execution_id)
    for switch in store.lane_switches(None):
        engine.resume_lane(switch.lane, namespace=switch.namespace)
    capabilities = {each for x in executions for each in x.required_capabilities}
    lanes: dict[str, list[str]] = {}
    for namespace, lane in sorted({(x.namespace, x.lane) for x in executions}):
        lanes.setdefault(namespace, []).append(lane)
    served = [
        (namespace, several[start : start + LANES_MAX])
        for namespace, several in lanes.items()
        for start in range(0, len(several), LANES_MAX)
    ]
    quiet = 0
    while quiet < 2:  # an attempt that timed out in the first quiet round is retried in the second
        clock.advance(700_000)
        reconcile()
        claimed = [
            one
            for namespace, several in served
            for one in engine.claim(
                worker_id="last",
                worker_instance_id="last/0",
                lanes=several,
                namespace=namespace,
                capabilities=sorted(capabilities),
                limit=1000,
            )
        ]
        for one in claimed:
            with suppress(ExecutionNotActive):  # a sibling may have made it needless meanwhile
                engine.complete(one.lease, b"at last")
        quiet = 0 if claimed else quiet + 1


class WaitingTeller(Teller):
    """Tells one call at a time, and has those who wait for work wait in threads of their own.

    After each call it waits until each of them has been answered or stands by again. So it is certain who gets what,
    and the story ends the same everywhere.
    """

    def __init__(
        self, parts: Assembled, store: FaultyStore, clock: ManualClock, trouble: Trouble | None = None
    ) -> None:
        super().__init__(parts, store, clock, trouble)
        parts.wakeups.close()  # what the store tells of our own commits would come at any time
        self.waiting: dict[int, Started[list[Claimed]]] = {}
        self.waited = 0
        """How many have waited so far."""
        self.served = 0
        """How many of them were given something after they had waited."""

    def _call(self, step: Step) -> object:
        if step.method != "wait_for_work":
            return super()._call(step)
        engine = self.engine if step.scope is None else self.engine.scoped(step.scope)
        engine = engine if step.actor is None else engine.acting_as(step.actor)
        self.waited += 1
        call = partial(engine.wait_for_work, **step.arguments, poll_ms=NEVER_MS)
        self.waiting[self.waited] = Started(lambda: _outcome(call))
        self._wait_until_settled()
        return f"worker {self.waited} waits"

    def _check_commits(self, number: int, *, may_purge: bool = False) -> None:
        """Also hear those whom the last call has given something; nobody else may find anything by looking again."""
        self._wait_until_settled()
        for worker, answer in self._answered():
            self._note(number, f"worker {worker} is answered", answer)
        for ticket in self._standing():
            self.commits.poll_again(ticket)
        self._wait_until_settled()
        for worker, answer in self._answered():
            self.broken.append(f"scene {number}: worker {worker} stood by although there was work: {answer}")
        super()._check_commits(number, may_purge=may_purge)

    def _answered(self) -> list[tuple[int, object]]:
        ended = [worker for worker, started in self.waiting.items() if started.has_answered]
        answers = [(worker, self.waiting.pop(worker).answer()) for worker in ended]
        self.served += sum(map(bool, (answer for _, answer in answers)))
        return answers

    def _wait_until_settled(self) -> None:
        give_up_at = time.monotonic() + SETTLED_S_MAX
        while not self._has_settled():
            assert time.monotonic() < give_up_at, "somebody who waits neither stands by nor is answered"
            time.sleep(0.0002)

    def _has_settled(self) -> bool:
        answered = sum(started.has_answered for started in self.waiting.values())
        return answered + len(self._standing()) == len(self.waiting)

    def _standing(self) -> list[Ticket]:
        standing = self.commits.standing
        with standing._lock:
            return list(dict.fromkeys(ticket for tickets in standing._standing.values() for ticket in tickets))

    def close(self) -> None:
        """Send those home who still wait."""
        for ticket in self._standing():
            self.commits.poll_once_more(ticket)
        for started in self.waiting.values():
            started.answer()
        self.waiting.clear()


class BatchTeller(Teller):
    """Tells a scene at a time: its steps are decided and committed as one batch."""

    def __init__(self, parts: Assembled, store: FaultyStore, clock: ManualClock, writer: Writer) -> None:
        super().__init__(parts, store, clock)
        self.writer = writer
        self.new_uuid = ids_in_order()
        self.sweeper = Sweeper(self.store, self)

    def play(self, number: int, steps: Sequence[Step | Upkeep]) -> list[object]:
        outcomes: list[object] = []
        while len(outcomes) < len(steps):
            rest = steps[len(outcomes) :]
            looks_first = [getattr(step, "method", "") in LOOKS_FIRST for step in rest]
            if looks_first[0]:
                # It looks at what the commands before it have left, so it cannot be one batch with them.
                outcomes += super().play(number, rest[:1])
            else:
                outcomes += self._play_at_once(number, rest[: looks_first.index(True)] if True in looks_first else rest)
        return outcomes

    def _play_at_once(self, number: int, steps: Sequence[Step | Upkeep]) -> list[object]:
        sent = [Envelope(step) if isinstance(step, Upkeep) else self._envelope(step) for step in steps]
        answers = iter(self.execute_all([each for each in sent if isinstance(each, Envelope)]))
        outcomes = [next(answers) if isinstance(each, Envelope) else each for each in sent]
        for step, outcome in zip(steps, outcomes, strict=True):
            self._note(number, step, outcome)
        self._check_commits(number)
        return outcomes

    def reconcile(self) -> object:
        return self.sweeper.run_once()

    def _envelope(self, step: Step) -> object:
        """What the engine would send for the step, or what it answers without sending anything."""
        sent: list[Envelope] = []
        parts = (self.commits, Wakeups(self.store), self.sweeper, _Catching(sent))
        services = Services(*parts, PAYLOAD_BYTES_MAX, self.new_uuid, lambda: MARK, KnownKeys(KEYS))
        engine = Engine(services, step.scope, step.actor, step.said if isinstance(step.said, Said) else None)
        try:
            return _outcome(lambda: run_now(getattr(engine, step.method)(**step.arguments)))
        except _Caught:
            return sent[0]

    def execute_all(self, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
        """One transaction for all of them; each in its own company, as the committer does it."""
        answers: list[Outcome | EngineError] = []
        while len(answers) < len(batch):
            rest = batch[len(answers) :]
            alike = [batch_class(each.command) == batch_class(rest[0].command) for each in rest]
            answers += self._commit(rest[: alike.index(False)] if False in alike else rest)
        return answers

    def _commit(self, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
        return list(self.writer.run(Batch(batch, self.store.name)).answers)


class _Caught(Exception):
    """The call has sent its command, and is not answered."""


class _Catching:
    """A shell that keeps what it is asked to send."""

    def __init__(self, sent: list[Envelope]) -> None:
        self._sent = sent

    async def execute(self, envelope: Envelope) -> Outcome:
        self._sent.append(envelope)
        raise _Caught

    async def read(self, function: Callable[[], Any]) -> Any:
        return function()

    def bell(self) -> BlockingBell:
        return BlockingBell()

    def close(self) -> None:
        pass


def _outcome(call: Callable[[], Any] | Coroutine[Any, Any, Any]) -> Any:
    """What a call answers or raises."""
    try:
        return call()
    except (EngineError, TimeoutError) as refusal:
        return refusal


def _without_tokens(
    outcome: WaitBegun | WaitOpened | LeaseGivenUp | Suspended | WaitpointMade | Waitpoint,
) -> dict[str, object]:
    """What the rules and the engine have in common: the engine adds tokens to the answers of the rules."""
    if isinstance(outcome, WaitpointMade | Waitpoint):
        return {"type": "Waitpoint", "waitpoint_id": outcome.waitpoint_id, "key": outcome.key}
    kind = "Suspended" if isinstance(outcome, LeaseGivenUp | Suspended) else "WaitOpened"
    return {"type": kind, "waitpoints": [_without_tokens(each) for each in outcome.waitpoints]}


def in_order_of_executions(events: Sequence[Event]) -> list[dict[str, object]]:
    """Events without the numbers that their store gave them; only the order of what happened to one is promised."""
    return [
        {field: getattr(event, field) for field in event.__struct_fields__ if field != "event_id"}
        for event in sorted(events, key=lambda event: (event.subject, event.seq))
    ]


def events_in(store: Store) -> list[Event]:
    """The whole log."""
    return list(store.events(None, EventFilter(), 1_000_000).events)


def contents_of(store: Store) -> Contents:
    """Everything a store holds, as values."""
    executions = _all_executions(store)
    flows = _all_flows(store)
    views = [view for view in (store.flow_view(flow.flow_id) for flow in flows) if view is not None]
    keys = store.expired(expiring.IDEMPOTENCY_KEYS, 2**53, 10_000)
    owed = store.expired(expiring.ACKS, 2**53, 10_000)
    ids = {flow.flow_id for flow in flows}
    who = {x.execution_id for x in executions}
    with closing(store.writer()) as writer:
        wanted = Needs(
            executions=set(who),
            idempotency_keys=set(keys),
            flows=set(ids),
            backlogs=set(ids),
            acks=set(owed),
            streams=set(who),
            summaries=set(who),
        )
        loaded = loaded_by(writer, wanted)
    return Contents(
        executions=executions,
        attempts=[attempt for x in executions for attempt in store.attempts(x.execution_id)[1]],
        events=events_in(store),
        with_result={x.execution_id for x in executions if store.result(x.execution_id) is not None},
        idempotency_keys=list(loaded.idempotency_keys.values()),
        flows=flows,
        edges=[edge for flow in flows for edge in store.edges(flow.flow_id, None, None)],
        groups=[each.group for view in views for each in view.groups],
        backlogs=sorted(loaded.backlogs.values(), key=lambda backlog: backlog.flow_id),
        acks=sorted(loaded.acks.values(), key=lambda ack: ack.execution_id),
        switches=store.lane_switches(None),
        steps=[step for x in executions for step in store.steps(x.execution_id)[1]],
        waitpoints=[waitpoint for x in executions for waitpoint, _ in store.waitpoints(x.execution_id)[1]],
        signals=[signal for x in executions for signal in store.signals(x.execution_id, None)[1]],
        streams=list(loaded.streams.values()),
        chunks=[chunk for key in loaded.streams for chunk in chunks_of(store, key)],
        summaries=list(loaded.summaries.values()),
    )


def _all_executions(store: Store) -> list[Execution]:
    found: list[Execution] = []
    after: ListPosition | None = None
    while page := store.executions(ExecutionFilter(), after, 100):
        found += page
        last = page[-1]
        after = ListPosition(last.created_at_ms, uuid_in(last.execution_id), partition_in(last.execution_id))
    return found


def _all_flows(store: Store) -> list[Flow]:
    found: list[Flow] = []
    after: ListPosition | None = None
    while page := store.flows(FlowFilter(), after, 100):
        found += page
        after = ListPosition(page[-1].created_at_ms, page[-1].flow_id, flow_partition(page[-1].flow_id))
    return found
