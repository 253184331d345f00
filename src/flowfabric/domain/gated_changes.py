"""Which executions with limits or budgets a batch has changed: after every command, their gates are looked at."""

from collections.abc import Iterator, Sequence

from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.tables import Journal, Table, note


class GatedChanges:
    """The changed executions with gates of a batch, each as long as nobody has looked at it."""

    __slots__ = ("_executions", "_journal", "_puts", "_settled", "_settled_until")

    def __init__(self, executions: Table[ExecutionId, Execution], puts: Sequence[Execution], journal: Journal) -> None:
        self._executions = executions
        self._puts = puts
        self._journal = journal
        self._settled: dict[ExecutionId, Execution | None] = {}
        self._settled_until = 0

    def since_last_call(self) -> Iterator[tuple[Execution | None, Execution | None]]:
        """Each execution with gates that has changed since the last call, before and now.

        Other executions that the caller changes meanwhile come as well.
        """
        while self._settled_until < len(self._puts):
            put = self._puts[self._settled_until]
            self._settled_until += 1
            key = put.execution_id
            stored = self._executions.loaded.get(key)
            if put.gates is None and (stored is None or stored.gates is None) and key not in self._settled:
                continue
            now = self._executions.known(key)
            before = self._settled.get(key, stored)
            if before is not now:
                yield before, now
                now = self._executions.known(key)  # what the caller has done to it is settled as well
            note(self._journal, self._settled, key, now)
