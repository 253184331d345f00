"""Executions that are plain, perhaps but for their limits, as a fast claim and the end of a lease see them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from flowfabric.domain.commands import Claim
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, make_execution_id, uuid_from_hex
from flowfabric.domain.limits import KeyAt, KeyUse, Limit
from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.plain import CREATED, LEASED, first_claim
from flowfabric.domain.slots import RulesNeeded, Waiting
from flowfabric.stores._shared.encoding import tags_of
from flowfabric.stores._shared.fast_path import plain_policy
from flowfabric.stores._shared.limited import only_limits, slots_of
from flowfabric.stores.sqlite.fast_statements import FastWork
from flowfabric.stores.sqlite.json_rows import Row, calls
from flowfabric.stores.sqlite.rows import key_of

EPOCHS: Final = LEASED.after.lease_epoch - CREATED.after.lease_epoch
"""How far a claim moves the epoch on."""
LARGE: Final = "-"
"""Stands for a payload that is read by itself."""


class AtLimitsRow(msgspec.Struct, array_like=True, gc=False):
    """The columns `at_limits`, and the payload where a statement reads it."""

    row_id: int
    partition_key: int
    execution_id: str
    namespace: str
    lane: str
    lease_epoch: int
    kind: str
    policy: str | None
    tags: str | None
    priority: int
    ready_at_ms: int
    gates: str | None
    lease_era: int | None
    is_plain: int
    payload: str | None = None


class ParkedRow(msgspec.Struct, array_like=True, gc=False):
    """A row of find_limited_parked."""

    number: int
    first_lane: str
    first_set: int
    last_set: int
    last_lane: str
    first: list[AtLimitsRow]


class Limited(NamedTuple):
    """An execution that waits, in the queue or parked."""

    row: AtLimitsRow
    gates: Gates | None
    """None: it has none. Then it waits in the queue."""
    is_ready: bool
    """Whether it is in the queue. If not, it is parked."""
    waiting: Waiting
    """The execution as `Sharing` sees it."""

    @property
    def row_id(self) -> int:
        """The number of its row."""
        return self.row.row_id

    @property
    def execution_id(self) -> ExecutionId:
        """Its id."""
        return self.waiting.execution_id

    @property
    def was_parked(self) -> bool:
        """Whether its gates say that it is parked, or that it was."""
        return self.gates is not None and (self.gates.parked is not None or self.gates.admitted)


class Keys(NamedTuple):
    """Keys as they are stored."""

    seen: set[KeyAt]
    """All keys that were read."""
    limits: dict[KeyAt, Limit]
    """The numbers that hold for each key. A key without numbers is open to all."""
    uses: dict[KeyAt, KeyUse]
    """What is used of each key that has a row."""

    def add(self, others: "Keys") -> None:
        """Remember more keys."""
        self.seen.update(others.seen)
        self.limits.update(others.limits)
        self.uses.update(others.uses)


_HEAD: Final = msgspec.json.Decoder(list[AtLimitsRow])
_PARKED: Final = msgspec.json.Decoder(list[ParkedRow])
_LIMITS: Final = msgspec.json.Decoder(list[tuple[str, str, str | None, int | None, int | None, int, int | None]])
_USES: Final = msgspec.json.Decoder(list[tuple[str, str, str, int, int, int]])
_PAYLOADS: Final = msgspec.json.Decoder(list[tuple[int, str, str | None]])


class LimitRows:
    """Reads that raise RulesNeeded if more matters about an execution than its limits."""

    def __init__(self, fast: FastWork) -> None:
        self._fast = fast

    def set_limits(self, limits: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Limit]:
        """The common numbers of those of the limits that are set."""
        return {at[:2]: limit for at, limit in self._limits("load_limits", limits)}

    def keys(self, keys: Sequence[KeyAt]) -> Keys:
        """The numbers of keys, and what is used of them."""
        common = self.set_limits(list(dict.fromkeys(at[:2] for at in keys)))
        own = dict(self._limits("load_limit_overrides", keys))
        limits = {at: own.get(at, common[at[:2]]) for at in keys if at[:2] in common}
        uses = (KeyUse(*row) for text in self._texts("load_key_uses", keys) for row in _USES.decode(text))
        return Keys(set(keys), limits, {use.at: use for use in uses})

    def _limits(self, statement: str, keys: Sequence[Row]) -> list[tuple[KeyAt, Limit]]:
        rows = (row for text in self._texts(statement, keys) for row in _LIMITS.decode(text))
        return [((row[0], row[1], row[2] or ""), Limit(*row)) for row in rows]

    def _texts(self, statement: str, keys: Sequence[Row], *further: object) -> list[str]:
        found: list[str] = []
        for sql, values in calls(self._fast.sql, statement, keys):
            text = self._fast.text(sql, [*values, *further])
            if text is None:
                raise RulesNeeded  # a text is damaged; a decision says which
            found.append(text)
        return found

    def ready(self, namespace: str, lanes: Sequence[str], most: int, gated_set: int) -> list[Limited]:
        """The first executions in these lanes, with limits and without, in the order of the queue."""
        found: list[Limited] = []
        for lane in lanes:
            values = (namespace, lane, most, gated_set)
            text = self._fast.text(self._fast.sql["find_limited_head"], values)
            if text is None:
                raise RulesNeeded
            found += [self._limited(row, is_ready=True) for row in _HEAD.decode(text)]
        found.sort(key=lambda x: x.waiting)
        return found[:most]

    def parked(self, keys: Sequence[KeyAt], most: int, gated_set: int) -> dict[KeyAt, list[Limited]]:
        """The first executions that are parked at each of these keys, if all there are in one room."""
        rows = [(number, *at) for number, at in enumerate(keys)]
        parked: dict[KeyAt, list[Limited]] = {}
        for text in self._texts("find_limited_parked", rows, gated_set, most):
            for row in _PARKED.decode(text):
                if row.first_lane != row.last_lane or not row.first_set == row.last_set == gated_set:
                    raise RulesNeeded
                at = keys[row.number]
                parked[at] = [self._limited(each, is_ready=False) for each in row.first]
        return parked

    def _limited(self, row: AtLimitsRow, *, is_ready: bool) -> Limited:
        gates = None if row.gates is None else only_limits(row.gates)
        if not row.is_plain or row.lease_era != self._fast.era or (gates is None and row.gates is not None):
            raise RulesNeeded
        if plain_policy(row.policy) is None:
            raise RulesNeeded
        key = make_execution_id(row.partition_key, uuid_from_hex(row.execution_id))
        # As a text of hexadecimal digits, an id has the same order as with hyphens. Nothing here has a turn.
        order = -row.priority, 0, row.ready_at_ms, row.execution_id, row.partition_key
        waiting = Waiting(order, key, () if gates is None else slots_of(row.namespace, gates))
        return Limited(row, gates, is_ready, waiting)

    def payloads_of(self, leased: Sequence[Limited]) -> Mapping[ExecutionId, bytes]:
        """The payloads of executions that are to be leased. RulesNeeded: one is gone."""
        found = {
            x.execution_id: bytes.fromhex(x.row.payload)
            for x in leased
            if x.row.payload is not None and x.row.payload != LARGE
        }
        missing = [key_of(x.execution_id) for x in leased if x.execution_id not in found]
        for text in self._texts("load_payloads", missing):
            for partition, uuid, payload in _PAYLOADS.decode(text):
                key = make_execution_id(partition, uuid_from_hex(uuid.lower()))
                found[key] = self._large_payload(partition, uuid) if payload is None else bytes.fromhex(payload)
        if len(found) < len(leased):
            raise RulesNeeded
        return found

    def _large_payload(self, partition: int, uuid: str) -> bytes:
        key = (partition, bytes.fromhex(uuid))
        return bytes(self._fast.connection.execute(self._fast.sql["load_payload"], key).fetchone()[0])

    def claimed(self, x: Limited, claim: Claim, payload: bytes) -> Claimed:
        """What the worker gets. RulesNeeded: a row is damaged; a decision skips it."""
        try:
            tags = dict(tags_of(x.row.tags))
        except msgspec.MsgspecError:
            raise RulesNeeded from None
        return first_claim(
            claim,
            self._fast.store_name,
            x.execution_id,
            kind=x.row.kind,
            namespace=claim.namespace,
            lane=x.row.lane,
            epoch=x.row.lease_epoch + EPOCHS,
            payload=payload,
            tags=tags,
            now_ms=self._fast.now_ms,
        )
