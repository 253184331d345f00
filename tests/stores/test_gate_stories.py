"""Random stories of limits, budgets and turns, told to the memory store and to another one: both answer the same."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from flowfabric.app import open_store
from flowfabric.domain.commands import AnyCommand, Envelope, PurgeExecution
from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine.batch import Batch
from flowfabric.ports.errors import Overtaken
from flowfabric.ports.gates import SpentBy
from flowfabric.ports.store import Store
from flowfabric.ports.writing import Answers, Writer
from flowfabric.stores.postgres.writer import PostgresWriter
from tests.domain.gate_world import BUDGETS, LANES, LIMITS, NS, GateWorld
from tests.stores_under_test import STORES

MANY = int(os.environ.get("FF_STORIES") or 0)
TWINS = {"sqlite": (range(MANY or 4), 20), "postgres": (range(MANY or 2), 3)}
"""By store, the seeds of the stories, and at how many executions each look is taken: a server takes longer."""
SPENT_BY: tuple[SpentBy, ...] = ("execution", "flow", "kind", "day")


class TwinWorld(GateWorld):
    """A story that is told to a second store, too."""

    twin: Store
    writer: Writer
    batches = 0
    looked_at = 0
    """How many of the last executions are looked at by themselves."""

    def send(self, *commands: AnyCommand) -> Sequence[Outcome | EngineError]:
        answers = super().send(*commands)
        try:
            told_again = self._tell_twin(commands)
        except Overtaken:  # a statement has found others parked; an engine sends the batch again, too
            told_again = self._tell_twin(commands)
        assert list(map(repr, told_again)) == list(map(repr, answers)), commands
        self.batches += 1
        if self.batches % 10 == 0:
            self.compare()
        return answers

    def _tell_twin(self, commands: Sequence[AnyCommand]) -> Answers:
        return self.writer.run(Batch([Envelope(command) for command in commands], self.store.name)).answers

    def purge(self) -> None:
        """Remove what has ended."""
        for x in self.executions():
            if x.has_ended and not x.unsettled:
                self.send(PurgeExecution(x.execution_id, self.store.now_ms + 1))

    def compare(self) -> None:
        """Everything that can be read about gates is the same in both stores."""
        ours, theirs = self._read(self.store), self._read(self.twin)
        assert theirs == ours

    def _read(self, store: Store) -> dict[str, object]:
        ids = [x.execution_id for x in self.executions()]
        newest = ids[-self.looked_at :]
        gates = [(NS, "limit", name, key) for name in LIMITS for key in ("", "a", "b")]
        gates += [(NS, "budget", name, "") for name in BUDGETS]
        periods = [(NS, name, period) for name, period in {(each[1], each[2]) for each in self.store._budget_uses}]
        polled = store.poll([(NS, lane) for lane in LANES])
        return {
            "executions": sorted(store.executions_named(ids), key=lambda x: x.execution_id),
            "limits": store.limit_keys(None, None, 100),
            "limits in pages": list(_pages(store)),
            "budgets": store.budgets(NS, None, 100),
            "budget uses": store.budget_uses(sorted(periods)),
            "spending": {by: store.spending((NS, name), by, None, 1000) for name in BUDGETS for by in SPENT_BY},
            "at gates": {gate: store.at_gate(gate, before, 5) for gate in gates for before in (None, *newest)},
            "openings": sorted(store.openings(2**60, 1000)),
            "idle keys": sorted(store.idle_keys(store.now_ms, 1000)),
            "side rows": [row.execution.execution_id for row in store.side_rows(None, 1000).rows if not row.are_right],
            "poll": (polled.has_openings, polled.delay_over_in_ms, sorted(polled.ready), sorted(polled.due)),
        }


def _pages(store: Store) -> Iterator[object]:
    after = None
    while page := store.limit_keys(None, after, 2):
        yield from page
        after = page[-1].use.at


World = TypeVar("World", bound=TwinWorld)


@contextmanager
def twins(world: World, store: str, folder: Path) -> Iterator[World]:
    """A story that is told to the memory store and to a store of this kind."""
    with (
        STORES[store].empty(folder) as url,
        closing(open_store(url, clock=world.clock, migrate=True)) as twin,
    ):
        world.twin = twin
        _, world.looked_at = TWINS[store]
        with closing(twin.writer()) as world.writer:
            if isinstance(world.writer, PostgresWriter):
                world.writer.make_ready()
                world.writer.era = 0
                twin.name = world.store.name  # leases are named after their store
            else:
                twin.era = 0
                world.store.name = twin.name  # the name of a file cannot be changed
            yield world


@pytest.mark.parametrize(("store", "seed"), [(store, seed) for store, (seeds, _) in TWINS.items() for seed in seeds])
def test_a_story_of_gates_is_the_same_on_every_store(seed: int, store: str, tmp_path: Path):
    with twins(TwinWorld(seed), store, tmp_path) as world:
        world.turn_over(100)
        world.purge()
        world.turn_over(20)
        world.finish()
        world.compare()
