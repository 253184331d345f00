"""Random batches of commands to executions that wait, members of a flow among them: every store answers the same.

A failing test names its seed: the same seed tells the same story again. `FF_STORIES=1000` tells a thousand of them.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from flowfabric import AtLeast, Claimed, Either, Every, FlowGraph, Lease, ManualClock, On, OperatorOnly
from flowfabric.app import open_store
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    Claim,
    CloseWaitpoint,
    Complete,
    CreateExecution,
    CreateWaitpoint,
    Envelope,
    Fail,
    HandleDue,
    Hold,
    IssueToken,
    OpenWait,
    RecordStep,
    ReplayExecution,
    ResumeExecution,
    RevokeLease,
    SendSignal,
    Suspend,
    Unhold,
)
from flowfabric.domain.conditions import stored
from flowfabric.domain.decide.rule import batch_class
from flowfabric.domain.execution import DUE_KINDS, Execution
from flowfabric.domain.ids import ExecutionId, FlowId, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.inputs import fence
from flowfabric.domain.invariants import violations_at_rest
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.domain.waiting import ON_TIMEOUT
from flowfabric.engine.batch import Batch
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Writer
from tests.assembled import MARK, assembled
from tests.stores.telling import contents_of, events_in, ids_in_order, in_order_of_executions
from tests.stores_under_test import STORES

FEW = {"memory": 12, "sqlite": 3, "postgres": 2}
SEEDS = {store: range(int(os.environ.get("FF_STORIES") or FEW[store])) for store in STORES}
SCENES = 40
SOLOS = [make_execution_id(lane_partition("default"), uuid_from_hex(f"018bcfe5680070008000{n:012x}")) for n in range(4)]
FLOW = FlowId(uuid_from_hex(f"f10{0:029x}"))
KEYS = ("ann", "bob", "cleo")
ALIASES = ("order-1", "order-2")
CONDITIONS = (
    On("ann"),
    On("bob", name="yes"),
    Every("ann", "bob"),
    Either("ann", Every("bob", "cleo")),
    AtLeast(2, *KEYS),
    AtLeast(2, "ann", distinct="signals"),
    AtLeast(2, *KEYS, distinct="sources"),
    OperatorOnly(),
)
WAITS = ("first", "second", "third")
KID = "k1"


class Storyteller:
    """One store, and what is known of it: leases in the order in which they were handed out."""

    def __init__(self, store: Store, writer: Writer, clock: ManualClock, ids: Sequence[ExecutionId]) -> None:
        self.store = store
        self.clock = clock
        self.ids = ids
        self.leases: list[Lease] = []
        self.answers: list[str] = []
        self._writer = writer

    def tell(self, seed: int, most: int) -> None:
        """Tell the story of a seed in batches of at most so many commands."""
        chance = random.Random(seed)
        for _ in range(SCENES):
            commands = [self._command(chance) for _ in range(chance.randint(1, 6))]
            if chance.random() < 0.4:
                commands += self._due(chance)
            self._run([command for command in commands if command is not None], most)
            self.clock.advance(chance.choice((0, 0, 1, 400, 2_000, 31_000)))

    def _due(self, chance: random.Random) -> list[AnyCommand | None]:
        """What is due now, in the order in which every store finds it."""
        kinds = [kind for kind in DUE_KINDS if chance.random() < 0.7]
        return [HandleDue(due) for kind in kinds for due in self.store.due(kind, self.clock.now_ms, None, 50)]

    def _run(self, commands: Sequence[AnyCommand], most: int) -> None:
        """A batch holds commands of one class only, as those of the engine do."""
        batch: list[AnyCommand] = []
        for command in commands:
            if batch and (len(batch) == most or batch_class(batch[0]) != batch_class(command)):
                self._commit(batch)
                batch = []
            batch.append(command)
        if batch:
            self._commit(batch)

    def _commit(self, batch: Sequence[AnyCommand]) -> None:
        answered = self._writer.run(Batch([Envelope(each) for each in batch], self.store.name))
        for command, answer in zip(batch, answered.answers, strict=True):
            if isinstance(answer, list):
                self.leases += [one.lease for one in answer if isinstance(one, Claimed)]
            self.answers.append(f"{type(command).__name__} -> {self._words(answer)}")

    def _words(self, answer: object) -> str:
        is_refusal = isinstance(answer, BaseException)
        text = f"{type(answer).__name__}: {answer}" if is_refusal else msgspec.json.encode(answer).decode()
        return text.replace(self.store.name, "the-store")

    # ── commands ─────────────────────────────────────────────────────────────────────────────────

    def _command(self, chance: random.Random) -> AnyCommand | None:
        """One command. Chance is asked for the same things on every store, whatever has happened there."""
        kind = chance.choices(tuple(_CHANCES), tuple(_CHANCES.values()))[0]
        known, recent = chance.choice(self.ids), int(chance.expovariate(0.4))
        key, name, condition = chance.choice(KEYS), chance.choice(WAITS), stored(chance.choice(CONDITIONS))
        timeout_ms, on_timeout = chance.choice((None, None, 0, 500, 5_000)), chance.choice(ON_TIMEOUT)
        word, source = chance.choice(("", "yes", "no")), chance.choice(("", "ann", "bob"))
        once, alias = chance.choice((None, None, "a", "b")), chance.choice((None, None, *ALIASES))
        steps, number = chance.choice((None, "keep", "clear")), chance.randrange(1000)
        held = None if not self.leases else fence(self.leases[-1 - recent % len(self.leases)])
        if kind in _OF_WORKERS and held is None:
            return None
        commands: dict[str, Any] = {
            "claim": lambda: Claim(
                "w", "w/0", ("default", "flows"), "default", frozenset(), 1 + number % 3, 30_000, MARK
            ),
            "create_waitpoint": lambda: CreateWaitpoint(held, key, KID, timeout_ms or None, None, alias, "default"),
            "open_wait": lambda: OpenWait(held, name, condition, timeout_ms, None, on_timeout, word, KID),
            "suspend": lambda: Suspend(held, name, condition, timeout_ms, None, on_timeout, word, KID),
            "signal": lambda: SendSignal(
                known, key, bytes([number % 3]), word, source, "", once, KID, alias=alias, namespace=alias and "default"
            ),
            "resume": lambda: ResumeExecution(known, b"go", word, KID),
            "close": lambda: CloseWaitpoint(known, key, word),
            "issue": lambda: IssueToken(known, key, source, KID),
            "complete": lambda: Complete(held, b"done"),
            "fail": lambda: Fail(held, "broken", word, True, None, None),
            "record": lambda: RecordStep(held, f"step {number % 3}", b"f", b"r"),
            "cancel": lambda: CancelExecution(known, "enough", "operator_override", None),
            "revoke": lambda: RevokeLease(known, "", "", "stuck"),
            "hold": lambda: Hold(known, "look"),
            "unhold": lambda: Unhold(known),
            "replay": lambda: ReplayExecution(known, steps),
            "replay_from": lambda: ReplayExecution(known, "keep", name),
            "create": lambda: _creation(SOLOS[number % len(SOLOS)], number),
        }
        command: AnyCommand = commands[kind]()
        return command

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    def ending(self) -> dict[str, Any]:
        """Everything that can be read."""
        store = self.store
        suspended = store.suspended(None, None, None, 100)
        return {
            "executions": [_without_era(store.execution(key)) for key in self.ids],
            "waitpoints": [store.waitpoints(key)[1] for key in self.ids],
            "signals": [store.signals(key, None)[1] for key in self.ids],
            "steps": [store.steps(key)[1] for key in self.ids],
            "attempts": [store.attempts(key)[1] for key in self.ids],
            "suspended": [x.execution_id for x in suspended],
            "suspended there": [[x.execution_id for x in store.suspended(None, key, None, 100)] for key in KEYS],
            "aliases": [store.alias("default", alias) for alias in ALIASES],
            "events": in_order_of_executions(events_in(store)),
            "due": [store.due(kind, 2**53, None, 100) for kind in DUE_KINDS],
        }


_CHANCES = {
    "claim": 8,
    "create_waitpoint": 3,
    "open_wait": 6,
    "suspend": 8,
    "signal": 16,
    "resume": 1,
    "close": 1,
    "issue": 1,
    "complete": 4,
    "fail": 2,
    "record": 2,
    "cancel": 1,
    "revoke": 1,
    "hold": 1,
    "unhold": 1,
    "replay": 4,
    "replay_from": 2,
    "create": 4,
}
_OF_WORKERS = ("create_waitpoint", "open_wait", "suspend", "complete", "fail", "record")


def _creation(execution_id: ExecutionId, number: int) -> CreateExecution:
    retry = RetryPolicy(max_retries=2, initial_delay_ms=300)
    policy = ExecutionPolicy(retry=retry, retention_ms=20_000 if number % 5 == 0 else None)
    return CreateExecution(
        execution_id, True, "mail", b"x", "default", "default", 0, None, None, None, 0, (), policy, {}
    )


def _without_era(x: Execution | None) -> Execution | None:
    """Each store counts eras of its own."""
    return None if x is None else replace(x, lease_era=None)


@contextmanager
def storyteller(url: str) -> Iterator[Storyteller]:
    """A store with a few executions, three of them members of a flow."""
    clock = ManualClock()
    with closing(open_store(url, clock=clock, migrate=True)) as store:
        with assembled(store, new_uuid=ids_in_order()) as parts:
            graph = FlowGraph("story", flow_id=FLOW)
            for name in ("a", "b", "c"):
                graph.node(name, "mail", lane="flows", policy=ExecutionPolicy(retry=RetryPolicy(max_retries=1)))
            graph.edge("a", "c")
            graph.edge("b", "c")
            members = parts.engine.submit_flow(graph).execution_ids
        with closing(store.writer()) as writer:
            told = Storyteller(store, writer, clock, [*SOLOS, *map(ExecutionId, members.values())])
            told._run([_creation(key, 1) for key in SOLOS], 10)
            yield told


def _tell(seed: int, url: str, most: int) -> tuple[list[str], dict[str, Any], list[str]]:
    with storyteller(url) as told:
        told.tell(seed, most)
        return told.answers, told.ending(), violations_at_rest(contents_of(told.store), told.clock.now_ms)


@lru_cache(maxsize=64)
def _told_to_memory(seed: int) -> tuple[list[str], dict[str, Any], list[str]]:
    return _tell(seed, "memory://", 1)


@pytest.mark.parametrize("seed", SEEDS["memory"])
def test_what_waits_breaks_no_invariant(seed: int):
    assert _told_to_memory(seed)[2] == []


@pytest.mark.parametrize("most", [1, 20])
@pytest.mark.parametrize(
    ("store", "seed"), [(store, seed) for store in STORES for seed in SEEDS[store] if store != "memory"]
)
def test_every_store_gives_the_same_answers_to_the_same_batches(store: str, seed: int, most: int, tmp_path: Path):
    expected_answers, expected, _ = _told_to_memory(seed)

    with STORES[store].empty(tmp_path) as url:
        answers, ending, broken = _tell(seed, url, most)

    for place, (answer, on_memory) in enumerate(zip(answers, expected_answers, strict=False)):
        assert answer == on_memory, f"answer {place} of seed {seed}"
    assert len(answers) == len(expected_answers)
    for subject, read in expected.items():
        assert ending[subject] == read, subject
    assert broken == []


@pytest.mark.parametrize("seed", SEEDS["memory"])
def test_a_batch_about_waits_means_what_its_commands_mean_one_by_one(seed: int):
    answers, ending, broken = _tell(seed, "memory://", 20)

    assert answers == _told_to_memory(seed)[0]
    assert ending == _told_to_memory(seed)[1]
    assert broken == []


def test_the_batches_reach_every_end_of_a_wait_and_every_effect_of_a_signal():
    reached = Counter(
        (answer.split(" -> ")[0], word)
        for seed in SEEDS["memory"]
        for answer in _told_to_memory(seed)[0]
        for word in ("WaitBegun", "WaitOver", "LeaseGivenUp", "resumed", "counted", "buffered", "DuplicateSignal")
        if f'"{word}"' in answer
    )

    assert {word for _, word in reached} == {
        *("WaitBegun", "WaitOver", "LeaseGivenUp", "resumed", "counted", "buffered", "DuplicateSignal")
    }
