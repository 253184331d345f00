"""Random stories of executions with nothing but limits: the statements for them do what the rules do."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from flowfabric.domain.commands import AnyCommand, Claim, Complete, Envelope
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine.batch import Batch
from flowfabric.ports.writing import Answers, Decided, LockBeforeClaims, Transaction
from tests.domain.limited_world import KEYS, LimitedWorld
from tests.stores.test_gate_stories import MANY, TwinWorld, twins

SEEDS = range(MANY or 4)
BATCHES = 150


class WatchedBatch(Batch):
    """A batch that knows whether anything of it was left to the rules."""

    was_decided = False

    def decide(self, tx: Transaction, answered: Mapping[int, Outcome], lock: LockBeforeClaims | None = None) -> Decided:
        self.was_decided = True
        return super().decide(tx, answered, lock)


class LimitedTwins(LimitedWorld, TwinWorld):
    """The same story in the memory store and on SQLite."""

    def __init__(self, seed: int, keys: Sequence[str]) -> None:
        super().__init__(seed, keys)
        self.decided: Counter[bool] = Counter()
        """How many batches of claims and completions were decided, and how many were not."""

    def _tell_twin(self, commands: Sequence[AnyCommand]) -> Answers:
        batch = WatchedBatch([Envelope(command) for command in commands], self.store.name)
        answers = self.writer.run(batch).answers
        if all(isinstance(command, Claim | Complete) for command in commands):
            self.decided[batch.was_decided] += 1
        return answers


PASSED_OVER = 34
"""In this story a claim once passed over some of the queue, because an earlier one had parked others."""


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("seed", sorted({*SEEDS, PASSED_OVER}))
def test_a_story_of_limits_is_what_the_rules_make_of_it(seed: int, keys: str, tmp_path: Path):
    with twins(LimitedTwins(seed, KEYS[keys]), "sqlite", tmp_path) as world:
        world.tell(BATCHES)
        world.compare()

    assert world.decided[False] > world.decided[True], world.decided
