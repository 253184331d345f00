"""Random stories of flows whose members are mostly plain: the statements for them do what the rules do."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AddDependency,
    AnyCommand,
    CancelExecution,
    CancelFlow,
    Claim,
    Complete,
    CreateExecution,
    Envelope,
    Fail,
    NewEdge,
    PauseLane,
    Release,
    ReplayFlow,
    ResumeLane,
    SubmitFlow,
)
from flowfabric.domain.errors import EngineError
from flowfabric.domain.flow import CANCELLATION_POLICIES
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.lanes import Lane
from flowfabric.domain.listing import EventFilter
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Answers, Writer
from flowfabric.stores.postgres.store import PostgresStore
from tests.domain.gate_world import NS
from tests.stores.plain_flows import a_chain, a_random_graph
from tests.stores.sqlite.test_limit_stories import WatchedBatch
from tests.stores.test_gate_stories import MANY, TwinWorld, twins

STORIES = [("sqlite", seed) for seed in range(MANY or 3)] + [("postgres", seed) for seed in range(MANY or 1)]
BATCHES = 120
LANES = ("post", "lane 0", "lane 1", "lane 2")
POLICIES = (ExecutionPolicy(), ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=100, jitter=0.0)))


class FlowWorld(TwinWorld):
    """Most batches are ends and claims, or new flows; some do what is not plain."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.flows: list[SubmitFlow] = []
        self.decided: Counter[bool] = Counter()
        """How many batches of ends and claims were decided, and how many were not."""

    def send(self, *commands: AnyCommand) -> Sequence[Outcome | EngineError]:
        waits = self._a_claim("stands by") if self.random.random() < 0.4 else None
        batch = self._in_envelopes(commands)
        answers = self._told(self.store.writer(), batch, waits)
        if isinstance(self.twin, PostgresStore):
            self.twin.meets_members = self.twin.meets_members or self.random.random() < 0.8
            self.twin.members_pause = 0
        told_again = self._told(self.writer, batch, waits)
        assert list(map(repr, told_again)) == list(map(repr, answers)), commands
        self.batches += 1
        if self.batches % 10 == 0:
            self.compare()
        ended = {command.fence for command in commands if isinstance(command, Complete | Fail | Release)}
        self.fences = [fence for fence in self.fences if fence not in ended or self.random.random() < 0.05]
        claimed = [each for answer in answers if isinstance(answer, list) for each in answer]
        self.fences += [inputs.fence(each.lease) for each in claimed if isinstance(each, Claimed)]
        return answers

    def _in_envelopes(self, commands: Sequence[AnyCommand]) -> list[Envelope]:
        """Most of them name no namespace; some name theirs, and some another one."""
        scopes = [None, None, None, NS, "elsewhere"] if self.random.random() < 0.1 else [self.random.choice((None, NS))]
        found = []
        for place, command in enumerate(commands):
            has_id = self.random.random() < 0.02 and isinstance(
                command, SubmitFlow | CreateExecution | Claim | Complete
            )
            command_id = f"{self.batches} {place}" if has_id else None
            scope = self.random.choice(scopes) if isinstance(command, Complete) else None
            found.append(Envelope(command, scope, command_id, self.random.choice((None, "me"))))
        return found

    def _told(self, writer: Writer, commands: Sequence[Envelope], waits: Claim | None) -> Answers:
        """The answers to a batch, and the answer to the claim that waits for work. If it did not join, it got none."""
        left = [] if waits is None else [waits]

        def take_along(lanes: Collection[Lane], enough: int | None = None) -> Sequence[Envelope]:
            found = [claim for claim in left if any((NS, lane) in lanes for lane in claim.lanes)]
            left[:] = [claim for claim in left if claim not in found]
            return [*map(Envelope, found)]

        batch = WatchedBatch(commands, self.store.name, take_along=take_along)
        answers = writer.run(batch).answers
        if writer is self.writer and all(isinstance(each.command, Claim | Complete) for each in commands):
            self.decided[batch.was_decided] += 1
        return [*answers, []] if left else answers

    def tell(self, batches: int) -> None:
        """Tell a story of so many batches."""
        for _ in range(batches):
            self._tell_one()
            self.clock.advance(self.random.choice((0, 1, 20, 300, 3_000)))
            if self.random.random() < 0.2:
                self.sweep()

    def _tell_one(self) -> None:
        roll = self.random.random()
        if roll < 0.2:
            self.send(*(self._flow() for _ in range(self.random.choice((1, 2, 5)))))
        elif roll < 0.25:
            self.send(*(self._solo() for _ in range(self.random.choice((1, 3)))))
        elif roll < 0.92 or not self.flows:
            self.send(*self._work())
        else:
            self.send(self._other())

    def _flow(self) -> SubmitFlow:
        self.made += 1
        roll = self.random.random()
        if roll < 0.7:
            flow = a_chain(
                self.made,
                self.random.choice((1, 2, 3, 4)),
                passes=self.random.choice((None, "before")),
                policy=self.random.choice((*POLICIES, ExecutionPolicy(retention_ms=5_000))),
                across=self.random.random() < 0.2,
            )
        else:
            flow = a_random_graph(self.made, self.random.randrange(1_000))
        if self.random.random() < 0.1:
            flow = replace(flow, flow=replace(flow.flow, id_was_given=True))
        self.flows.append(flow)
        return flow

    def _solo(self) -> CreateExecution:
        self.made += 1
        lane = self.random.choice(LANES)
        key = make_execution_id(lane_partition(lane), f"00000000-0000-7000-9000-{self.made:012x}")
        return CreateExecution(
            key, False, "mail", b"p", lane, NS, 0, None, None, None, 1, (), self.random.choice(POLICIES), {}
        )

    def _work(self) -> list[AnyCommand]:
        ending = self.random.sample(self.fences, min(len(self.fences), self.random.choice((0, 1, 1, 3, 20))))
        work: list[AnyCommand] = [
            Complete(fence, self.random.choice((None, b"", b"r", b"x" * 5_000))) for fence in ending
        ]
        work += [self._a_claim(f"m{number}") for number in range(self.random.choice((0, 1, 1, 2)))]
        if self.random.random() < 0.1:
            self.random.shuffle(work)
        return work or [self._a_claim("m")]

    def _a_claim(self, mark: str) -> Claim:
        lanes = tuple(self.random.sample(LANES, self.random.choice((1, 1, 1, 2))))
        return Claim("w", mark, lanes, NS, frozenset(), self.random.choice((1, 2, 5, 20)), 10_000, mark)

    def _other(self) -> AnyCommand:
        flow = self.random.choice(self.flows)
        member = self.random.choice(flow.nodes)[1].execution_id
        lane = self.random.choice(LANES)
        roll = self.random.randrange(8)
        if roll < 2 and self.fences:
            fence = self.random.choice(self.fences)
            return self.random.choice((Release(fence), Fail(fence, "boom", "", self.random.random() < 0.5, None)))
        match roll:
            case 2:
                return CancelFlow(flow.flow.flow_id, "stop", self.random.choice(CANCELLATION_POLICIES))
            case 3:
                return CancelExecution(member, "stop", "operator_override", None)
            case 4:
                return PauseLane(NS, lane, "stop")
            case 5:
                return ReplayFlow(flow.flow.flow_id, self.random.choice(("failed", "all")), None)
            case 6:
                other = self.random.choice(flow.nodes)[1].execution_id
                return AddDependency(
                    flow.flow.flow_id, NewEdge(f"more {self.batches}", member, other, "more"), False, None
                )
            case _:
                return ResumeLane(NS, lane)

    def compare(self) -> None:
        """Everything that can be read is the same in both stores."""
        ours, theirs = self._read(self.store), self._read(self.twin)
        for subject, read in theirs.items():
            assert read == ours[subject], subject

    def _read(self, store: Store) -> dict[str, object]:
        ids = [x.execution_id for x in self.executions()]
        flows = [each.flow.flow_id for each in self.flows]
        events = defaultdict(list)
        for event in store.events(None, EventFilter(), 100_000).events:
            of = (event.execution_id, event.flow_id if event.execution_id is None else None)
            events[of].append(replace(event, event_id=0))
        newest = ids[-self.looked_at :]
        return {
            "executions": sorted(store.executions_named(ids), key=lambda x: x.execution_id),
            "attempts": [store.attempts(key)[1:] for key in newest],
            "results": store.with_results(ids),
            "flows": [store.flow(key) for key in flows],
            "views": [store.flow_view(key) for key in flows],
            "edges": [store.edges(key, None, None) for key in flows],
            "events": dict(events),
            "tally": replace(store.tally(None), log=None, schema_version=None),
            "lanes": sorted(
                (each.lane, each.eligibility_state, each.lifecycle_phase, each.count)
                for each in store.lane_counts(None)
            ),
            "ends": store.ends_per_minute(None, 0, store.now_ms),
            "side rows": [row.execution.execution_id for row in store.side_rows(None, 1000).rows if not row.are_right],
        }


@pytest.mark.parametrize(("store", "seed"), STORIES)
def test_a_story_of_plain_flows_is_what_the_rules_make_of_it(store: str, seed: int, tmp_path: Path):
    with twins(FlowWorld(seed), store, tmp_path) as world:
        world.tell(BATCHES)
        world.compare()

    assert world.decided[False] > 0, world.decided
