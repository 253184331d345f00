"""Random stories of executions with nothing but limits: the statements for them do what the rules do."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from flowfabric.domain.commands import AnyCommand, Claim, Complete
from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.stores.postgres import gate_hints
from flowfabric.stores.postgres.writer import PostgresWriter
from tests.domain.limited_world import KEYS, LimitedWorld
from tests.stores.test_gate_stories import MANY, TwinWorld, twins

SEEDS = range(MANY or 2)
BATCHES = 90


class LimitedTwins(LimitedWorld, TwinWorld):
    """The same story in the memory store and on PostgreSQL."""

    def __init__(self, seed: int, keys: Sequence[str]) -> None:
        super().__init__(seed, keys)
        self.plans: Counter[str] = Counter()
        """How the batches of claims and completions were run."""

    def send(self, *commands: AnyCommand) -> Sequence[Outcome | EngineError]:
        answers = super().send(*commands)
        assert isinstance(self.writer, PostgresWriter)
        if all(isinstance(command, Claim | Complete) for command in commands):
            self.plans[type(self.writer.plan).__name__] += 1
        return answers


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_story_of_limits_is_what_the_rules_make_of_it(
    seed: int, keys: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gate_hints, "RULES_S", 0.0)  # after a batch that needs the rules, the next one is tried again
    with twins(LimitedTwins(seed, KEYS[keys]), "postgres", tmp_path) as world:
        world.tell(BATCHES)
        world.compare()

    assert world.plans["LimitBatch"] > sum(world.plans.values()) / 3, world.plans
