"""Processes that send the commands they are told, in the same moment, so that a test can say what races with what."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from flowfabric import Lease
from tests.chaos.processes import Process, running


class Order(NamedTuple):
    """A method of the engine and its arguments."""

    method: str
    given: Mapping[str, Any]


class Answer(msgspec.Struct, frozen=True):
    """The name of an answer's class or of a refusal's, and what the answer says."""

    name: str
    value: Any = None
    message: str = ""


UNKNOWN_TO_CALLERS = (
    *("surprise", "EngineError", "Contention", "RetryExhausted", "StoreError", "StoreUnavailable", "ReadersBusy"),
)
"""What no race may ever be answered with."""


class Puppets:
    """Engines in processes of their own."""

    def __init__(self, processes: Sequence[Process]) -> None:
        self._processes = processes

    def race(self, *orders: Sequence[Order]) -> list[list[Answer]]:
        """Have each process send its orders, all at once; their answers, in the order of the orders."""
        self.send(*orders)
        return self.answers()

    def send(self, *orders: Sequence[Order]) -> None:
        """Have each process send its orders; the answers are still to be asked for."""
        for process, own in zip(self._processes, orders, strict=True):
            process.tell(json.dumps(own))

    def answers(self) -> list[list[Answer]]:
        """What each process was answered, in the order of its orders."""
        answers = [msgspec.json.decode(process.line(), type=list[Answer]) for process in self._processes]
        strange = [answer for own in answers for answer in own if answer.name in UNKNOWN_TO_CALLERS]
        assert not strange, strange
        return answers


@contextmanager
def puppets(url: str, count: int, folder: Path) -> Iterator[Puppets]:
    """So many processes, each with an engine on the store."""
    with ExitStack() as stack:
        processes = [
            stack.enter_context(running("obey", url, folder=folder, module="tests.chaos.flow_programs"))
            for _ in range(count)
        ]
        for process in processes:
            assert process.line() == "ready"
        yield Puppets(processes)
        for process in processes:
            process.tell("end")
        for process in processes:
            process.report()


def order(method: str, **given: Any) -> Order:
    """An order; a lease among the arguments is spelled out."""
    lease = given.get("lease")
    if isinstance(lease, Lease):
        given["lease"] = msgspec.to_builtins(lease)
    return Order(method, given)
