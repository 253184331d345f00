"""The easy cases of claim and complete, as set-based statements that read, write and answer at once.

Only what no other command of the batch could disturb is tried here: a completion whose execution nobody else names,
and claims in batches where nothing enters or leaves the queue by another way. What a statement does not answer is
decided as ever, in the same transaction.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.commands import Claim, Complete, CreateExecution, Envelope, executions_named_by
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Ready, queue_order
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.lease import Lease, lease_id
from flowfabric.domain.outcomes import Claimed, Completed, Outcome
from flowfabric.stores._shared.encoding import tags_of
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.queue_heads import Part, Place


class EasyCompletion(msgspec.Struct, frozen=True):
    """A completion that may be answered by a statement, and its place in the batch."""

    index: int
    command: Complete


class FastPath:
    """What of one batch may take the short way."""

    def __init__(self, batch: Sequence[Envelope], store_name: str) -> None:
        self._store_name = store_name
        self.completions: dict[str | None, list[EasyCompletion]] = {}
        self.claims: list[tuple[int, Claim]] = []
        self.to_lock_first: list[ExecutionId] = []
        kinds = {type(envelope.command) for envelope in batch}
        # Other commands lock executions of their own, which would come out of order after the ones locked here.
        if not kinds <= {Claim, Complete, CreateExecution}:
            return
        self._find_completions(batch)
        self._find_what_to_lock_first(batch)
        # A claim must see what was created before it in the batch.
        if CreateExecution not in kinds:
            self._find_claims(batch)

    def is_all_of(self, batch: Sequence[Envelope]) -> bool:
        """Whether nothing but what may take the short way is in the batch."""
        return len(self.claims) + sum(map(len, self.completions.values())) == len(batch)

    def _find_completions(self, batch: Sequence[Envelope]) -> None:
        named = Counter(key for envelope in batch for key in executions_named_by(envelope.command))
        for index, envelope in enumerate(batch):
            command = envelope.command
            if isinstance(command, Complete) and envelope.command_id is None and self._is_easy(command, named):
                self.completions.setdefault(envelope.scope, []).append(EasyCompletion(index, command))

    def _find_what_to_lock_first(self, batch: Sequence[Envelope]) -> None:
        """Rows are locked in one order, so what goes the long way cannot be locked after what does not."""
        named = {
            key
            for envelope in batch
            for key in executions_named_by(envelope.command)
            if not isinstance(envelope.command, CreateExecution) or envelope.command.id_was_given
        }
        if len(self.completions) != 1 or len(named) != sum(map(len, self.completions.values())):
            self.to_lock_first = sorted(named, key=rows.lock_order)

    def _find_claims(self, batch: Sequence[Envelope]) -> None:
        for index, envelope in enumerate(batch):
            command = envelope.command
            if isinstance(command, Claim):
                if envelope.command_id is not None or len(command.lanes) != 1:
                    # Claims keep their order: after one that goes the long way, all do.
                    return
                self.claims.append((index, command))

    def _is_easy(self, command: Complete, named: Mapping[ExecutionId, int]) -> bool:
        fence = command.fence
        if named[fence.execution_id] > 1:
            return False
        return fence.lease_id == lease_id(self._store_name, fence.execution_id, fence.attempt_index, fence.lease_epoch)

    def complete_values(
        self, scope: str | None, easy: list[EasyCompletion], now_ms: int | None
    ) -> Mapping[str, object]:
        """The arrays for complete_easily; sorts the completions into the order in which rows are locked."""
        easy.sort(key=lambda one: rows.lock_order(one.command.fence.execution_id))
        fences = [one.command.fence for one in easy]
        return {
            **rows.keys(fence.execution_id for fence in fences),
            "attempt_index": rows.numbers(fence.attempt_index for fence in fences),
            "lease_epoch": rows.numbers(fence.lease_epoch for fence in fences),
            "result": rows.blobs(one.command.result for one in easy),
            "scope": scope,
            "now_ms": now_ms,
        }

    def completed(self, easy: Sequence[EasyCompletion], found: Sequence[rows.Row]) -> dict[int, Outcome]:
        """The answers of complete_easily by place in the batch."""
        answered = [easy[ordinal - 1] for ordinal, _ in found]
        return {one.index: Completed(one.command.fence.execution_id) for one in answered}

    def claim_values(self, command: Claim, start: Place, now_ms: int | None) -> Mapping[str, object]:
        """The values for claim_easily, which reads the queue from `start` on."""
        # The event's details are JSON that is cut open where the epoch stands, which only the row knows.
        details = msgspec.json.encode(
            {
                "attempt_index": 0,
                "lease_epoch": 0,
                "worker_instance_id": command.worker_instance_id,
                "claim_type": "first",
            }
        ).decode()
        before, after = details.split('"lease_epoch":0', 1)
        return {
            "namespace": command.namespace,
            "lane_id": command.lanes[0],
            "most": command.limit,
            "from_rank": start[0],
            "from_ready_at_ms": start[1],
            "worker_id": command.worker_id,
            "worker_instance_id": command.worker_instance_id,
            "lease_ttl_ms": command.lease_ttl_ms,
            "details_before_epoch": before + '"lease_epoch":',
            "details_after_epoch": after,
            "now_ms": now_ms,
        }

    def first_place(self, found: Sequence[rows.Row]) -> Place:
        """Where the first of what claim_easily found stood in the queue."""
        return min((-row[7], row[8]) for row in found)

    def claimed(self, command: Claim, found: Sequence[rows.Row]) -> list[Claimed]:
        """The answer of claim_easily, in queue order."""
        return [self._claimed_one(command, row) for row in sorted(found, key=_queue_order)]

    def _claimed_one(self, command: Claim, row: rows.Row) -> Claimed:
        partition, uuid, epoch, kind, namespace, lane, tags, _, _, now_ms, payload = row
        key = make_execution_id(partition, uuid)
        if payload is None:
            raise Corruption(f"ff_payload, key {key}: the row is gone.")
        try:
            known_tags = dict(tags_of(tags))
        except msgspec.MsgspecError as error:
            raise Corruption(f"ff_exec_core, key {key}: column tags does not parse ({error}).") from error
        expires_at_ms = now_ms + command.lease_ttl_ms
        lease = Lease(
            key, 0, epoch, lease_id(self._store_name, key, 0, epoch), command.worker_instance_id, expires_at_ms
        )
        return Claimed(lease, key, kind, payload, lane, namespace, None, 0, "first", {}, known_tags)


def part_of(command: Claim) -> Part:
    """The part of the queue that an easy claim reads."""
    return command.namespace, command.lanes[0], 0


def _queue_order(row: rows.Row) -> tuple[int, int, str, int]:
    partition, uuid, _, _, namespace, lane, _, priority, ready_at_ms, _, _ = row
    return queue_order(Ready(namespace, lane, (), priority, ready_at_ms, make_execution_id(partition, uuid)))
