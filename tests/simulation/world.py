"""The simulator: the shipped engine, reconcilers and workers in worlds in which everything goes wrong that can.

    seed ──▶ plan ──▶ world ─────────────────────────────────────────▶ log, and what broke
             parts:     processes, each with                             │
             processes,   an event loop, an engine with its committers,  ▼
             commands,    sweeper and lookout, a worker, a scheduler,   shrunk: the same with fewer parts
             faults       a subscriber, and people who ask
                        one store, one clock, one scheduler of turns

No part of the package is modelled. What a process runs is `app.assemble` on the memory store, `Engine`, `Worker` and
`firing`, as they are shipped, with all their threads. Each thread is a strand (`strands.py`): one of them has a turn at
a time, a seeded scheduler says which, and it gives the turn up where it would block. Each process has the event loop of
the standard library, with its order of callbacks, in a strand. Time is virtual, and passes when everyone waits. The
package gets strands, time and chance through stand-ins for the modules that it imports (`standins.py`), so it has no
seam for the simulator, and the simulator depends on few of its names.

A world has three parts. Under faults (`faults.py`) processes die between any two turns, freeze, restart, lose answers,
commits or the store, meet contention and locks, and the store's clock jumps. Meanwhile people ask for everything there
is (`actors.py`), answer with tokens, forge them and rotate secrets (`people.py`). In some of the worlds they name
limits and budgets, tasks spend, and officers steer both (`officers.py`). In others tasks speak (`talk.py`), and readers
listen, go away and come back with their cursors (`listeners.py`). In others again some processes serve HTTP, and others
reach the store only through them: the shipped server, uvicorn and the shipped client meet in a network that loses
requests, answers and connections, is slow, or silent (`network.py`, `callers.py`).

Then the world heals: nothing goes wrong any more, and somebody lets go of whatever waits for a person or for money.
Everything that can end has to end, and what is due is handled in time. At last every process is stopped. After every
batch all invariants of the domain hold, for the batch and for whatever it has touched, and so do the checks of the
files named `..._checks.py`, which compare the store with what callers were answered and what user code has seen
(`ledger.py`).

How to add something:

- somebody who asks: a function in `actors.py` under `@actor(likely=...)`. It gets a process and chance of its own, asks
  `process.engine`, notes the answer in the ledger, and returns a line for the log. An `EngineError` is an answer,
  too. Whatever goes on for longer belongs into `Simulated._main`.
- something that goes wrong: a function in `faults.py` under `@fault(likely=...)`. What is wrong with a connection is
  a field of `store.Line`; it must be over when the world heals.
- something that must hold: a function in `checks.py` under `@after_each_batch` or `@at_the_end` that yields sentences.
- a mutant: an entry in one of the files named `...mutants.py`, a function, a piece of its text and what stands there
  instead. A rule that has no mutant is a rule that the simulator may be blind to. If few seeds find it, name several,
  or the parts that it takes (`Mutant.parts`): then small worlds look for it in which nothing else happens.

A new actor or fault changes what each seed means: that is fine, but a seed is worth nothing without its commit.
"""

import gc
import logging
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import msgspec

from flowfabric import InvalidInput
from flowfabric.domain.decide import ending
from flowfabric.domain.execution import DUE_KINDS
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.listing import ExecutionFilter
from flowfabric.stores.memory.store import MemoryStore
from tests.simulation import (
    actors,
    callers,
    faults,
    gate_checks,
    ledger,
    listeners,
    officers,
    people,
    standins,
    strands,
    stream_checks,
)
from tests.simulation.checks import AFTER_EACH_BATCH, AT_THE_END, Log, everything_in
from tests.simulation.gate_watch import GateWatch
from tests.simulation.network import Network
from tests.simulation.plan import ACTORS, FAULTS, Actor, Part, Plan
from tests.simulation.processes import Role, Simulated
from tests.simulation.standins import EPOCH_S
from tests.simulation.strands import Process, Scheduler, Strand
from tests.stores.resting import restless

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes
    from flowfabric.domain.execution import Execution
    from flowfabric.domain.news import Committed

__all__ = [
    "Outcome",
    "World",
    "actors",
    "callers",
    "faults",
    "gate_checks",
    "listeners",
    "officers",
    "people",
    "run",
    "stream_checks",
]

LATE_MS_MAX = 1_000
"""How late something that is due is handled at the latest, if nothing goes wrong: a lease that is over, for one."""
HEALING_S_MAX = 120.0
"""How long everything may take to end once nothing goes wrong any more."""
PERIOD_S = 65.0
"""After so long, each budget with periods was raised by time."""
SETTLING_S = 3.0
"""How long it takes until nobody pauses any more because of what went wrong before."""
STOPPING_S_MAX = 30.0
HINTS_HEARD = 0.6
"""The share of commits that other processes hear of."""
LOOK_S = 0.5


class Outcome(msgspec.Struct, frozen=True):
    """How the run of a plan ended."""

    plan: Plan
    log: list[str]
    broken: str | None
    """What does not hold; None: everything does."""
    steps: int
    """How many turns were taken."""
    batches: int
    commands: int
    """How many commands were decided in batches whose commits were answered."""

    @property
    def text(self) -> str:
        """The log as one text."""
        return "\n".join(self.log)


class Clock:
    """The store's time."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.ahead_ms = 0

    @property
    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return int((EPOCH_S + self._world.now) * 1000) + self.ahead_ms


class World:
    """Processes on one store, one clock and one scheduler."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.chance = random.Random(f"world {plan.seed}")
        self.scheduler = Scheduler(random.Random(f"turns {plan.seed}"), self._strand_failed)
        self.network = self.scheduler.network = Network(self)
        self.clock = Clock(self)
        self.store = MemoryStore("world", self.clock)
        self.log = Log(self.store)
        self.ledger = ledger.Ledger(self._execution, self._stored_steps)
        self.watchers: list[tuple[Process, Callable[[Committed | None], None]]] = []
        self.processes: list[Simulated] = []
        self.hinted: set[str] = set()
        """Processes that a hint is on its way to; meanwhile no other is."""
        self.lines: list[str] = []
        self.broken: str | None = None
        self.is_healing = False
        self.healing_since = 0.0
        self.may_purge = False
        """Whether an operator has asked for a purge."""
        self.batches = 0
        self.commands = 0
        self.paused: set[str] = set()
        self.asked_delays: dict[ExecutionId, int] = {}
        self.made_under: dict[str, str] = {}
        self.sent_as: dict[str, str] = {}
        """By the mark under which somebody has sent it once: the execution that was made first."""
        self.purged: set[str] = set()
        self.left_in_peace: set[str] = set()
        """Processes that have come to their end by themselves when nothing went wrong any more."""
        self.last_tokens: dict[str, int] = {}
        self.resumed: set[tuple[str, str]] = set()
        """Executions whose children have ended one of their waits in the present life, with the name of the wait."""
        self.replayed_alone: set[str] = set()
        """Children that somebody has replayed after the end of their parent."""
        self.rotated_at = 0.0
        """When the secrets were rotated last."""
        self.gates = GateWatch(self.store)

    @property
    def now(self) -> float:
        """Virtual seconds."""
        return self.scheduler.now

    @property
    def now_ms(self) -> int:
        """The store's time."""
        return self.clock.now_ms

    def alive(self) -> list[Simulated]:
        """The processes that run, or are frozen."""
        return [process for process in self.processes if not process.is_dead and not process.has_left]

    def executions(self) -> "list[Execution]":
        """All that the store holds, newest first."""
        return self.store.executions(ExecutionFilter(), None, 1_000_000)

    def members(self, flow_id: str) -> "list[Execution]":
        """The executions of a flow."""
        return self.store.executions(ExecutionFilter(flow_id=flow_id), None, 1_000_000)

    def children(self, parent_id: str) -> "list[Execution]":
        """The children of an execution."""
        return self.store.children(ExecutionId(parent_id), None, 1_000_000)

    def _execution(self, execution_id: str) -> "Execution | None":
        return self.store.execution(ExecutionId(execution_id))

    def epoch_of(self, execution_id: str) -> int | None:
        """Under which epoch an execution is or was leased last."""
        x = self._execution(execution_id)
        return None if x is None else x.lease_epoch

    def _stored_steps(self, execution_id: str) -> set[str]:
        return {step.name for step in self.store.steps(ExecutionId(execution_id))[1]}

    # ── the course of things ─────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Everything that is planned, then healing, then the end."""
        begins = self.now
        for part in self.plan.parts:
            self._plan(begins, part)
        healing_at = begins + self.plan.trouble_s
        self._run_until(lambda: self.now >= healing_at, self.plan.trouble_s + 1)
        self._heal()
        self._run_until(self._everything_has_ended, HEALING_S_MAX)
        for process in self.alive():
            for name in process.unanswered:
                self.fail(f"{name} was asked for in {process.name}, and was never answered")
        self._stop()
        if self.broken is not None:
            return
        for process in self.alive():
            self.fail(f"{process.name} did not stop within {STOPPING_S_MAX:g} s")
        contents = everything_in(self.store)
        self.note(None, f"{len(contents.executions)} executions, {len(contents.events)} events")
        for check in AT_THE_END:
            self._check(check(self, contents))

    def _plan(self, begins: float, part: Part) -> None:
        chance = random.Random(part.chance)
        happening: dict[str, Callable[[], None]] = {
            "process": lambda: self._start(chance, role=cast("Role", part.what)),
            "command": lambda: self._ask(part, chance),
            "fault": lambda: self.note(None, f"{part.what}: {FAULTS[part.what][1](self, chance)}"),
        }
        self.scheduler.at(begins + part.at_s, happening[part.kind])

    def _start(self, chance: random.Random, *, serves_all: bool = False, role: "Role" = "start") -> Simulated:
        process = Simulated(self, len(self.processes), chance, serves_all=serves_all, role=role)
        self.processes.append(process)
        self.note(process, "starts" if role == "start" else f"starts to {role}")
        process.on_death.append(lambda: self.note(process, "dies"))
        process.on_death.append(lambda: self.network.process_ended(process))
        process.start(self.scheduler)
        return process

    def replace(self, process: Simulated, chance: random.Random) -> None:
        """Start another process where one has died, or will."""
        if not self.is_healing:
            self._start(chance, role=process.role)

    def _ask(self, part: Part, chance: random.Random) -> None:
        alive = self.alive()
        if alive:
            chance.choice(alive).ask(part.what, ACTORS[part.what][1], chance)

    def _heal(self) -> None:
        """Nothing goes wrong any more, and somebody is there who can do whatever is left to do."""
        self.is_healing, self.healing_since = True, self.now
        self.note(None, "healing")
        self.network.heal()
        for process in self.alive():
            process.line.heal()
            process.dies_at_step = None
            self.scheduler.thaw(process)
            process.end_schedules()
            if process.is_old:
                process.stop()  # the end of a rolling update: it would go on to claim what it cannot run
        if self.plan.has_servers:
            self._start(random.Random(f"last server {self.plan.seed}"), role="serve").end_schedules()
        healer = self._start(random.Random(f"healer {self.plan.seed}"), serves_all=True)
        healer.end_schedules()
        if self.plan.has_gates:
            healer.ask("open_gates", officers.open_gates, self.chance)

    def _everything_has_ended(self) -> bool:
        if self.now < self.healing_since + SETTLING_S:
            return False
        self._check_nothing_is_overdue()
        executions = self.executions()
        held = any(x.eligibility_state == "blocked_by_operator" for x in executions)
        waits = any(x.lifecycle_phase == "suspended" for x in executions)
        if held or waits or any(switch.is_paused for switch in self.store.lane_switches(None)):
            self._let_all_run()
            return False
        if self.plan.has_gates and self._waits_for_money():
            self._ask_healer("raise_all_budgets", officers.raise_all_budgets)
            return False
        settles = any(x.unsettled or x.coming_back is not None for x in executions)
        moves = any(not x.has_ended and x.eligibility_state != "blocked_by_dependencies" for x in executions)
        if settles or moves or any(process.unanswered for process in self.alive()):
            return False
        contents = everything_in(self.store)  # it takes long to read everything, so that is done last
        return not contents.acks and next(restless(contents), None) is None

    def _let_all_run(self) -> None:
        """Somebody takes back what an operator has asked for, also what came late."""
        self._ask_healer("let_all_run", actors.let_all_run)

    def _ask_healer(self, name: str, actor: Actor) -> None:
        healer = self.processes[-1]
        if name not in healer.unanswered:
            healer.ask(name, actor, self.chance)

    def _waits_for_money(self) -> bool:
        """Whether somebody waits for a budget that time does not raise, or has not raised for long."""
        parked = [x.gates.parked for x in self.executions() if x.gates is not None and x.gates.parked is not None]
        budgets = {gate for gate in parked if gate[0] == "budget"}
        is_late = self.now > self.healing_since + PERIOD_S
        return any(is_late or not self.gates.will_be_looked_at(gate) for gate in budgets)

    def _check_nothing_is_overdue(self) -> None:
        """Leases, delays, timeouts, deadlines, ends that have reached only some, removals: each is handled in time."""
        for kind in DUE_KINDS:
            for due in self.store.due(kind, self.now_ms - LATE_MS_MAX, None, 1):
                self.fail(f"{due.execution_id} has a {due.kind} that was due {self.now_ms - due.due_at_ms} ms ago")
        for gate in self.store.openings(self.now_ms - LATE_MS_MAX, 1):
            self.fail(f"nobody has looked at gate {gate}, and that was due {LATE_MS_MAX} ms ago")

    def _stop(self) -> None:
        for process in self.alive():
            if process.role != "serve":
                process.stop()
        self._run_until(lambda: all(each.role == "serve" for each in self.alive()), STOPPING_S_MAX)
        for process in self.alive():
            process.stop()
        self._run_until(lambda: not self.alive(), STOPPING_S_MAX)
        settled_at = self.healing_since + SETTLING_S
        self.left_in_peace = {each.name for each in self.processes if each.has_left and each.left_at >= settled_at}

    def _run_until(self, condition: Callable[[], bool], limit_s: float) -> None:
        """Give turns until the condition holds, which is looked at now and then, or until the time is over."""
        enough_at = self.now + limit_s

        def look() -> None:
            is_over = self.now >= enough_at or condition()
            self.scheduler.has_enough = is_over or self.broken is not None
            if not is_over:
                self.scheduler.at(self.now + LOOK_S, look)

        look()
        self.scheduler.run()

    # ── from processes ─────────────────────────────────────────────────────────────────────────

    def commit_s(self) -> float:
        """How long the next commit takes."""
        return self.chance.choice((0.0, 0.0, 0.001, 0.004, 0.02))

    def committed(self, process: Process, changes: "Changes", now_ms: int) -> None:
        """A batch was committed: check it, write it down, and let other processes know, or not."""
        self.batches += 1
        gone = [x for x, after in changes.executions if after is None and x is not None]
        for x in gone:
            self.purged.add(x.execution_id)
            self.made_under.pop(x.idempotency_key or "", None)
            self.ledger.keys.pop(x.idempotency_key or "", None)
        gone_flows = [flow for flow, after in changes.flows if after is None and flow is not None]
        self.log.read_on([*gone, *gone_flows])
        if changes.key_rings:
            self.rotated_at = self.now
        for event in changes.events:
            subject = event.execution_id or event.flow_id or event.details.get("lane")
            self.note(process, f"{event.event_type} {subject} #{event.seq} {_words(event.details)}")
            self._follow(event)
        for check in AFTER_EACH_BATCH:
            self._check(check(self, changes, now_ms))
        for other, on_commit in self.watchers:
            if other is not process and other.name not in self.hinted and self.chance.random() < HINTS_HEARD:
                self.hinted.add(other.name)
                self.scheduler.at(self.now + self.chance.choice((0.0, 0.002, 0.05)), self._hint(other, on_commit))

    def _follow(self, event: Any) -> None:
        if event.event_type == "acquired":
            self.last_tokens[event.execution_id] = event.details["lease_epoch"]
        elif event.event_type == "replayed":
            self.ledger.was_replayed(event.execution_id)
            if event.details.get("steps") == "cleared":
                self.ledger.was_cleared(event.execution_id, self.last_tokens.get(event.execution_id, 0) + 1)

    def _hint(self, process: Process, on_commit: "Callable[[Committed | None], None]") -> Callable[[], None]:
        def hear() -> None:
            self.hinted.discard(process.name)
            on_commit(None)

        def start() -> None:
            self.scheduler.start(process, hear, "listener")

        return start

    def note(self, process: Process | None, what: str) -> None:
        """Write something down."""
        self.lines.append(f"{self.now:10.4f} {'world' if process is None else process.name}: {what}")

    def _check(self, found: "Any") -> None:
        for message in found:
            self.fail(message)

    def fail(self, what: str, error: BaseException | None = None) -> None:
        """Something does not hold: nobody gets another turn in this world."""
        if self.broken is None:
            trace = "" if error is None else "\n" + "".join(traceback.format_exception(error))
            self.broken = what
            self.scheduler.has_enough = True
            self.note(None, f"BROKEN: {what}{trace}")

    def _strand_failed(self, strand: Strand, error: BaseException) -> None:
        self.fail(f"{strand.process.name}, {strand.name}: {error!r}", error)


def _words(details: object) -> str:
    return msgspec.json.encode(details, order="deterministic").decode()


LOGGERS = ("flowfabric", "uvicorn")


class _Problems(logging.Handler):
    """What the package logs: warnings go to the world's log, and what it calls its own bug breaks the world."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        scheduler = strands.here()
        if scheduler is None or scheduler.current is None or scheduler.is_over or self._world.broken is not None:
            return
        self._world.note(scheduler.current.process, f"{record.levelname.lower()}: {record.getMessage()}")
        if InvalidInput.__name__ in record.getMessage():
            self._world.fail(f"a task has asked for what nobody may ask for: {record.getMessage()}")
        if record.levelno >= logging.ERROR and record.exc_info and record.name != "flowfabric.task":
            self._world.fail(f"logged: {record.getMessage()}: {record.exc_info[1]!r}", record.exc_info[1])


def run(plan: Plan, *, leaves_garbage: bool = False) -> Outcome:
    """Let a plan happen in a world of its own. `leaves_garbage`: what is left of it stays until the process ends."""
    with _undisturbed(leaves_garbage=leaves_garbage), standins.in_place(), _cascades_of(plan.cascade_max):
        world = World(plan)
        strands.use(world.scheduler)
        ledger.use(world.ledger)
        with _logging_to(_Problems(world)):
            try:
                world.run()
            except strands.Endless as error:
                world.fail(str(error))
            outcome = Outcome(plan, world.lines, world.broken, world.scheduler.steps, world.batches, world.commands)
            world.scheduler.end()
        strands.use(None)
        ledger.use(None)
        del world
    return outcome


@contextmanager
def _cascades_of(size: int) -> Iterator[None]:
    """Small ones, so that the end of one member needs several transactions."""
    size, ending.CASCADE_MAX = ending.CASCADE_MAX, size  # type: ignore[misc]
    try:
        yield
    finally:
        ending.CASCADE_MAX = size  # type: ignore[misc]


@contextmanager
def _logging_to(handler: logging.Handler) -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.propagate = False
        logger.setLevel(logging.WARNING)
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger, (propagate, level) in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate
            logger.setLevel(level)


@contextmanager
def _undisturbed(*, leaves_garbage: bool) -> Iterator[None]:
    """Nothing is collected while a world runs; then what its dead processes have left is, in silence.

    To collect it takes a tenth of the time of a world. A process that soon ends leaves it, and has to switch the
    collection off for good.
    """
    hook, was_enabled, logged = sys.unraisablehook, gc.isenabled(), logging.root.manager.disable
    # Each loop sets these for its whole thread, and here all of them share one.
    of_generators = sys.get_asyncgen_hooks()
    gc.disable()
    gc.freeze()
    sys.unraisablehook = lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
            sys.set_asyncgen_hooks(*of_generators)
            logging.disable()  # what a worker says there of its tasks is not so: its loop turns no more
            while not leaves_garbage and gc.collect():
                pass
    finally:
        logging.disable(logged)
        sys.unraisablehook = hook
        gc.unfreeze()
        if was_enabled:
            gc.enable()
