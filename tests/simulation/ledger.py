"""What callers were answered, and what user code has seen: the other side of every promise of the engine."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from flowfabric import Event, Spent
    from flowfabric.domain.execution import Execution
    from flowfabric.domain.streams import SpokenIn
    from tests.simulation.listeners import Reader
    from tests.simulation.processes import Simulated

FORGED = "forged"
"""The note of a decision that must not arrive."""

_current: "Ledger | None" = None


class Letter(NamedTuple):
    """A token on its way to a person."""

    token: str
    execution_id: str
    person: str


class Book:
    """What one attempt spends."""

    def __init__(self, ledger: "Ledger", execution_id: str, token: int, named: "list[str]") -> None:
        self._ledger = ledger
        self._execution_id = execution_id
        self._token = token
        self._named = named

    def asks(self, budget: str, amount: int, key: str | None) -> None:
        """It will spend this. Under one key it counts once."""
        what = self._execution_id, budget, key or f"ask {len(self._ledger.asked)}"
        self._ledger.asked[what] = amount

    def was_spent(self, budget: str, amount: int, spent: "Spent", key: str | None) -> None:
        """It was answered that this is spent, and what is exceeded now."""
        self.was_charged(budget, amount, key or f"answer {len(self._ledger.charged)}")
        if spent.exceeded and budget in self._named:
            self._ledger.told_to_pause.add((self._execution_id, self._token))

    def was_charged(self, budget: str, amount: int, what: str) -> None:
        """It knows that this is charged."""
        self._ledger.charged[self._execution_id, budget, what] = amount


class Ledger:
    """Kept by the actors, and read by the checks."""

    def __init__(self, execution: "Callable[[str], Execution | None]", stored_steps: Callable[[str], set[str]]) -> None:
        self._execution = execution
        self._stored_steps = stored_steps
        self.created: list[str] = []
        """Executions whose submitter was answered."""
        self.keys: dict[str, str] = {}
        """By idempotency key: the execution that was answered first."""
        self.answers: dict[str, object] = {}
        """By command id: the first answer."""
        self.flows: list[str] = []
        self.cleared_at: dict[str, int] = {}
        """By execution: the epoch under which a replay that was asked to clear the steps brought it back."""
        self.read: list[Event] = []
        """What a subscriber has read, in order."""
        self.cursor: str | None = None
        self.reader: Simulated | None = None
        """The process whose subscriber reads."""
        self.signals: dict[str, dict[str, str]] = {}
        """By execution and idempotency key: the signals of its present life whose senders were answered."""
        self.waits: dict[tuple[str, str], object] = {}
        """By execution and name of a wait: what the wait returned in the present life."""
        self.letters: list[Letter] = []
        """Tokens that people have got."""
        self.signed: dict[str, str] = {}
        """By signal: the person whose token was accepted with it."""
        self.asked: dict[tuple[str, str, str], int] = {}
        """By execution, budget and a word for the bill: what user code has asked the engine to charge."""
        self.charged: dict[tuple[str, str, str], int] = {}
        """The same of what user code was answered to be charged."""
        self.told_to_pause: set[tuple[str, int]] = set()
        """Executions with the tokens of attempts that were answered that one of their budgets is exceeded."""
        self.talks: list[str] = []
        """Executions that speak."""
        self.readers: list[Reader] = []
        """Those who read streams."""
        self._said: dict[str, dict[tuple[int, SpokenIn | None], list[str]]] = {}
        self.broken: list[str] = []
        """What an actor itself has found broken."""

    def was_created(self, execution_id: str, key: str | None = None) -> None:
        """A submitter got the answer that its execution exists."""
        if execution_id not in self.created:
            self.created.append(execution_id)
        if key is not None and self.keys.setdefault(key, execution_id) != execution_id:
            self.broken.append(f"key {key} means {execution_id}, and at first it was {self.keys[key]}")

    def was_answered(self, command_id: str, answer: object) -> None:
        """Somebody was answered under a command id."""
        first = self.answers.setdefault(command_id, answer)
        if first != answer:
            self.broken.append(f"{command_id} was answered {answer}, and at first {first}")

    def life_of(self, execution_id: str) -> int:
        """How often the execution was replayed."""
        x = self._execution(execution_id)
        return 0 if x is None else x.replay_count

    def was_signalled(self, execution_id: str, life: int, key: str, signal_id: str) -> None:
        """A sender who began in this life of the execution got the answer that its signal is stored."""
        if self.life_of(execution_id) != life:
            return  # what was stored before a replay need not be there any more
        first = self.signals.setdefault(execution_id, {}).setdefault(key, signal_id)
        if first != signal_id:
            self.broken.append(f"{execution_id}: {key} means signal {signal_id}, and at first it was {first}")

    def wait_is_known(self, execution_id: str, name: str, value: object) -> None:
        """A wait has returned, now or in an earlier attempt."""
        first = self.waits.setdefault((execution_id, name), value)
        if first != value:
            self.broken.append(f"{execution_id}: wait {name} returned {value}, and at first {first}")

    def results_are_known(self, execution_id: str, name: str, wanted: list[int], values: list[int | str]) -> None:
        """Children have ended, and their parent has got these results, now or in an earlier attempt.

        Somebody who works by hand returns 0.
        """
        if len(values) != len(wanted):
            self.broken.append(f"{execution_id}: {name} has {len(wanted)} children and {len(values)} results")
        for place, (number, value) in enumerate(zip(wanted, values, strict=False)):
            if isinstance(value, int) and value not in (0, number):
                self.broken.append(f"{execution_id}: {name} has at place {place} the result {value}, not {number}")
        self.wait_is_known(execution_id, name, values)

    def was_replayed(self, execution_id: str) -> None:
        """What was known about the former life of an execution need not hold any more."""
        self.signals.pop(execution_id, None)
        for key in [key for key in self.waits if key[0] == execution_id]:
            del self.waits[key]

    def was_cleared(self, execution_id: str, lease_epoch: int) -> None:
        """A replay lets an execution start from scratch, under this epoch or a later one."""
        self.cleared_at[execution_id] = lease_epoch

    def step_runs(self, execution_id: str, token: int, name: str) -> None:
        """The function of a step runs. It must not be stored already, unless this attempt has lost its lease."""
        x = self._execution(execution_id)
        is_held = x is not None and x.lifecycle_phase == "active" and x.lease_epoch == token
        if is_held and name in self._stored_steps(execution_id):
            self.broken.append(f"{execution_id}: {name} is stored, and runs again under token {token}")
        must_pause = is_held and x is not None and x.gates is not None and x.gates.must_pause
        if must_pause and (execution_id, token) in self.told_to_pause:
            self.broken.append(f"{execution_id}: {name} runs although a budget of it is exceeded")

    def block_runs(self, execution_id: str, token: int, at: tuple[str, str]) -> None:
        """A block under a limit runs. Its attempt holds a slot of the key, unless it has lost its lease."""
        x = self._execution(execution_id)
        if x is None or x.lifecycle_phase != "active" or x.lease_epoch != token:
            return
        if x.gates is None or at not in x.gates.slots:
            self.broken.append(f"{execution_id}: a block runs under {at}, and its lease has no slot: {x.gates}")

    def book_of(self, execution_id: str, token: int, named: list[str]) -> Book:
        """The book of an attempt that names these budgets."""
        return Book(self, execution_id, token, named)

    def says(self, execution_id: str, token: int, inside: "SpokenIn | None", text: str) -> None:
        """User code is about to write a frame."""
        self._said.setdefault(execution_id, {}).setdefault((token, inside), []).append(text)

    def said_by(self, execution_id: str) -> "Mapping[tuple[int, SpokenIn | None], list[str]]":
        """What the code of an execution has said, by its tokens and by the try of the step."""
        return self._said.get(execution_id, {})

    def step_is_known(self, execution_id: str, token: int, name: str, stored_by: int) -> None:
        """A step has returned, now or in an earlier attempt."""
        cleared_at = self.cleared_at.get(execution_id)
        if cleared_at is not None and stored_by < cleared_at <= token:
            self.broken.append(f"{execution_id}: {name} of token {stored_by} has outlived a replay that cleared it")


def use(ledger: Ledger | None) -> None:
    """From now on, tasks write into this one."""
    global _current
    _current = ledger


def current() -> Ledger:
    """The ledger of the world that runs."""
    assert _current is not None
    return _current
