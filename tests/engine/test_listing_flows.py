"""A page of flows costs as many reads however many of them are cancelled."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from flowfabric.app import open_store
from tests.assembled import assembled


class Counting:
    """A store whose reads are counted by name."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._counted(name, found) if callable(found) else found

    def _counted(self, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: object, **options: object) -> Any:
            self.calls[name] += 1
            return found(*arguments, **options)

        return call


def test_a_page_of_cancelled_flows_is_two_reads() -> None:
    store = Counting(open_store("memory://"))
    with assembled(store) as parts:
        engine = parts.engine
        flows = [engine.create_flow("flow").flow_id for _ in range(20)]
        running = {}
        for flow_id in flows[:10]:
            running[flow_id] = engine.add_execution(flow_id, "job").execution_id
        engine.claim(worker_id="w", worker_instance_id="w-1", limit=10)
        for flow_id in flows:
            engine.cancel_flow(flow_id, reason="stop")
        store.calls.clear()

        page = engine.list_flows()

    assert store.calls == {"flows": 1, "pending_acks": 1}
    assert {flow.flow_id: list(flow.pending_cancel_acks) for flow in page.items} == {
        flow_id: [running[flow_id]] if flow_id in running else [] for flow_id in flows
    }
