"""How a batch reads executions, keys and single records: which statements it sends, and where the rows go."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.execution import Execution, IdempotencyKey
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.stores._shared.access import token_of
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.postgres import access, rows, wait_rows
from flowfabric.stores.postgres.flow_reads import Ask


class ExecutionReads:
    """Asks for the executions that a batch names, and adds them to what the batch has loaded."""

    def __init__(
        self,
        loaded: Loaded,
        ours: set[ExecutionId],
        surveyed: Mapping[ExecutionId, rows.Row],
        execution_in: Callable[[rows.Row], Execution],
    ) -> None:
        """`ours`: the members of flows that the batch has locked. Members that are locked here are added to it.

        `surveyed`: the rows of members that were read without locks.
        """
        self._loaded = loaded
        self._ours = ours
        self._surveyed = surveyed
        self._execution_in = execution_in
        self.members: set[ExecutionId] = set()
        """Executions named by the batch that belong to flows."""
        self.held: set[ExecutionId] = set()
        """Executions that could not be locked."""

    def lock_solos(self, execution_ids: Iterable[ExecutionId]) -> Ask:
        """Lock those of these executions that belong to no flow, and learn which of them are members."""
        return Ask("lock_solo_executions", _in_lock_order(execution_ids), self._take_solos)

    def lock_late_solos(self, execution_ids: Iterable[ExecutionId]) -> Ask:
        """The same without waiting. Executions that another transaction holds are noted in `held`."""
        return Ask("lock_late_solo_executions", _in_lock_order(execution_ids), self._take_late_solos)

    def lock_members(self, execution_ids: Iterable[ExecutionId]) -> Ask:
        """Lock these members of flows, and read them anew."""
        return Ask("lock_executions", _in_lock_order(execution_ids), self._take_locked_members)

    def _take_solos(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            partition, uuid, flow_id = row[rows.EXECUTION_COLUMNS :]
            if row[0] is not None:
                x = self._execution_in(row)
                self._loaded.executions[x.execution_id] = x
            elif flow_id is not None:
                self.members.add(make_execution_id(partition, uuid))

    def _take_late_solos(self, found: Sequence[rows.Row]) -> None:
        self._take_solos([row[:-1] for row in found])
        self.held |= {make_execution_id(*row[-4:-2]) for row in found if row[-1]}

    def _take_locked_members(self, found: Sequence[rows.Row]) -> None:
        known = self._loaded.executions
        for row in found:
            key = make_execution_id(row[0], row[1])
            self._ours.add(key)
            # An unchanged member stays the same object that the decision saw.
            if key in known and self._surveyed.get(key) == row:
                continue
            x = self._execution_in(row)
            if x != known.get(key):
                known[key] = x


class RecordReads:
    """Asks for keys, aliases, kept answers, workers, access tokens, schedules, lanes and payloads."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded

    def asks(self, needs: Needs) -> list[Ask]:
        """Ask for the records between flows and members in the order of locks, and for those that need no lock."""
        asks: list[Ask] = []
        if needs.idempotency_keys:
            asks.append(
                Ask("lock_idempotency_keys", rows.idempotency_keys(sorted(needs.idempotency_keys)), self._take_keys)
            )
        if needs.aliases:
            asks.append(Ask("lock_aliases", wait_rows.alias_keys(sorted(needs.aliases)), self._take_aliases))
        if needs.key_rings:
            asks.append(Ask("lock_key_rings", wait_rows.ring_names(sorted(needs.key_rings)), self._take_key_rings))
        if needs.answers:
            asks.append(Ask("lock_answers", rows.answer_keys(sorted(needs.answers)), self._take_answers))
        if needs.workers:
            asks.append(Ask("lock_workers", rows.worker_keys(sorted(needs.workers)), self._take_workers))
        if needs.access_tokens:
            ids = access.token_ids(sorted(needs.access_tokens))
            asks.append(Ask("lock_access_tokens", ids, self._take_access_tokens))
        if needs.schedules:
            asks.append(Ask("lock_schedules", rows.schedule_keys(sorted(needs.schedules)), self._take_schedules))
        if needs.lanes:
            asks.append(Ask("lock_lanes", rows.lane_keys(sorted(needs.lanes)), self._take_lanes))
        if needs.payloads:
            asks.append(Ask("read_payloads", rows.keys(needs.payloads), self._take_payloads))
        if needs.alias_keys:
            asks.append(Ask("read_alias_keys", wait_rows.alias_key_keys(needs.alias_keys), self._take_alias_keys))
        return asks

    def _take_keys(self, found: Sequence[rows.Row]) -> None:
        for namespace, key, partition, uuid, fingerprint, expires_at_ms in found:
            self._loaded.idempotency_keys[namespace, key] = IdempotencyKey(
                namespace, key, make_execution_id(partition, uuid), fingerprint, expires_at_ms
            )

    def _take_aliases(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.aliases[row[0], row[1]] = wait_rows.alias_in(row)

    def _take_key_rings(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.key_rings[row[0]] = wait_rows.key_ring_in(row)

    def _take_alias_keys(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            key = wait_rows.signal_key_in(row)
            assert key.alias is not None
            self._loaded.alias_keys[key.namespace, key.alias, key.idempotency_key] = key

    def _take_answers(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.answers[row[0], row[1]] = RememberedAnswer(*row)

    def _take_workers(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.workers[row[0], row[1]] = worker_of(row)

    def _take_access_tokens(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.access_tokens[row[0]] = token_of(row)

    def _take_schedules(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.schedules[row[0], row[1]] = schedule_of(row)

    def _take_lanes(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.lanes[row[0], row[1]] = LaneState(*row)

    def _take_payloads(self, found: Sequence[rows.Row]) -> None:
        for partition, uuid, payload in found:
            self._loaded.payloads[make_execution_id(partition, uuid)] = payload


def _in_lock_order(execution_ids: Iterable[ExecutionId]) -> Mapping[str, object]:
    return rows.keys(sorted(execution_ids, key=rows.lock_order))
