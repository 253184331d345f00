"""Random stories of executions of one lane that are plain but for their limits."""

from collections.abc import Sequence

from flowfabric.domain.commands import AnyCommand, Claim, Complete, CreateExecution, Fail, Release, SetLimit
from flowfabric.domain.errors import EngineError
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.limits import Limit
from flowfabric.domain.outcomes import Outcome
from flowfabric.domain.policies import ExecutionPolicy
from tests.domain.gate_world import NS, GateWorld

LANE = "default"
KEYS = {"one key": ("",), "many keys": ("a", "b", *map(str, range(9)))}
POLICY = ExecutionPolicy(retention_ms=60_000)


class LimitedWorld(GateWorld):
    """Claims and completions come together in batches, other commands in batches of their own."""

    def __init__(self, seed: int, keys: Sequence[str]) -> None:
        super().__init__(seed)
        self.keys = keys

    def send(self, *commands: AnyCommand) -> Sequence[Outcome | EngineError]:
        answers = super().send(*commands)
        ended = {command.fence for command in commands if isinstance(command, Complete | Fail | Release)}
        self.fences = [fence for fence in self.fences if fence not in ended]
        return answers

    def tell(self, batches: int) -> None:
        """Tell a story of so many batches."""
        for name in ("api", "tenant"):
            self.send(SetLimit(Limit(NS, name, None, 2, None, 1_000, None), False))
        for _ in range(batches):
            self._tell_one()
            self.clock.advance(self.random.choice((0, 1, 20, 300, 3_000)))
            if self.random.random() < 0.2:
                self.sweep()

    def _tell_one(self) -> None:
        roll = self.random.random()
        if roll < 0.25:
            self.send(*(self._limited() for _ in range(self.random.choice((1, 3, 8, 60)))))
        elif roll < 0.9:
            self.send(*self._work())
        elif roll < 0.95:
            key = self.random.choice((None, *self.keys))
            self.send(SetLimit(Limit(NS, "api", key, self.random.choice((1, 2, 5)), None, 1_000, None), False))
        elif self.fences:
            fence = self.random.choice(self.fences)
            self.send(self.random.choice((Release(fence), Fail(fence, "boom", "", True, None))))

    def _work(self) -> list[AnyCommand]:
        work: list[AnyCommand] = [
            Claim("w", "w", (LANE,), NS, frozenset(), self.random.choice((1, 2, 5, 20)), 10_000, f"m{number}")
            for number in range(self.random.choice((0, 0, 1, 1, 2)))
        ]
        ending = self.random.sample(self.fences, min(len(self.fences), self.random.choice((0, 1, 3, 20))))
        work += [Complete(fence, b"r") for fence in ending]
        self.random.shuffle(work)
        return work or [Claim("w", "w", (LANE,), NS, frozenset(), 1, 10_000, "m")]

    def _limited(self) -> CreateExecution:
        self.made += 1
        limits = [("api", self.random.choice(self.keys))]
        if self.random.random() < 0.02:
            limits.append(("tenant", "a"))
        return CreateExecution(
            make_execution_id(lane_partition(LANE), f"00000000-0000-7000-8000-{self.made:012x}"),
            *(False, self.random.choice("kl"), b"p", LANE, NS),
            *(self.random.choice((0, 0, 0, 5)), None, None, None, 1, (), POLICY, {}),
            gates=Gates(tuple(limits)),
        )
