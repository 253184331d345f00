"""Histories: clients run against one store, and the checker looks at what they have written down."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.histories.checker import Model, Unexplained, check
from tests.histories.clients import run_client
from tests.histories.flow_model import FlowModel
from tests.histories.history import Call, read
from tests.histories.limit_model import LimitModel
from tests.histories.model import ExecutionModel

CLIENTS = 4
MODELS: dict[str, Callable[[], Model]] = {"executions": ExecutionModel, "limits": LimitModel, "flows": FlowModel}
RunClients = Callable[[list[tuple[str, Path, str, str, int, str]]], None]


class Checked(NamedTuple):
    """What came of one history."""

    calls: int
    lost: int
    about: int
    """How many executions, keys of limits, or flows."""
    unexplained: list[Unexplained]


def in_threads(clients: list[tuple[str, Path, str, str, int, str]]) -> None:
    """Run all clients at once, each in a thread with an engine of its own."""
    with ThreadPoolExecutor(len(clients)) as pool:
        for each in [pool.submit(run_client, *client) for client in clients]:
            each.result()


def tell(
    url: str, folder: Path, story: str, calls: int, run: RunClients = in_threads, kind: str = "executions"
) -> Checked:
    """Make one history of so many calls per client, and check it. What a story does follows from its name."""
    folder.mkdir(parents=True)
    logs = [folder / f"client-{number}.jsonl" for number in range(CLIENTS)]
    run([(url, log, story, kind, calls, story) for log in logs])
    return checked(read(log for log in logs if log.exists()), kind)


def checked(calls: list[Call], kind: str) -> Checked:
    """Look for an order of the calls about each execution, each key of a limit, or each flow."""
    by_name: dict[str, list[Call]] = {}
    for call in calls:
        by_name.setdefault(call.about, []).append(call)
    found = [check(each, MODELS[kind]()) for each in by_name.values()]
    lost = sum(call.answer is None for call in calls)
    return Checked(len(calls), lost, len(by_name), [each for each in found if each is not None])
