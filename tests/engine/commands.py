"""Commands to send through a group commit, and how to queue several while a batch is under way."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flowfabric.domain.commands import AnyCommand, Claim, CreateExecution, Envelope, ForgetBatches, Hold
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id, uuid_from_hex
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.tickets import Ticket
from tests.faulty_store import FaultyStore

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Outcome

WAIT_S_MAX = 30.0


def an_id(number: int) -> ExecutionId:
    return make_execution_id(lane_partition("default"), uuid_from_hex(f"{number:032x}"))


def creation(number: int, *, kind: str = "mail", payload: bytes = b"payload") -> CreateExecution:
    return CreateExecution(
        an_id(number), True, kind, payload, "default", "default", 0, None, None, None, 1000, (), DEFAULT_POLICY, {}
    )


def a_claim(limit: int = 1) -> Claim:
    return Claim("worker-1", "worker-1/a", ("default",), "default", frozenset(), limit, 30_000)


def a_hold(number: int) -> Hold:
    return Hold(an_id(number), "")


def sent(commits: GroupCommit, *commands: AnyCommand) -> "list[Future[Outcome]]":
    """Queue commands in this order."""
    futures: list[Future[Outcome]] = []
    for command in commands:
        future: Future[Outcome] = Future()
        commits.submit_blocking(Ticket(Envelope(command), future))
        futures.append(future)
    return futures


def answers(futures: "list[Future[Outcome]]") -> list[object]:
    """What each was answered, or the refusal it got."""
    return [future.exception(WAIT_S_MAX) or future.result() for future in futures]


@contextmanager
def one_batch_under_way(commits: GroupCommit, store: FaultyStore) -> Iterator[None]:
    """While the block lasts, a commit does not come to its end, and what is sent meanwhile gathers."""
    with store.held():
        first = sent(commits, ForgetBatches())
        assert store.reached.wait(WAIT_S_MAX)
        yield
    answers(first)


def as_one_batch(commits: GroupCommit, store: FaultyStore, *commands: AnyCommand) -> list[object]:
    """Send commands so that they share a batch; what each was answered."""
    with one_batch_under_way(commits, store):
        futures = sent(commits, *commands)
    return answers(futures)
