"""What a `LimitBatch` has read."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from flowfabric.domain.ids import make_execution_id
from flowfabric.domain.limits import KeyAt, KeyUse, Limit
from flowfabric.domain.slots import RulesNeeded
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.gate_loading import KEY_USES
from flowfabric.stores.postgres.limit_rows import LIMITED_COLUMNS, Limited, limited_in


class OnlyThisTime(RulesNeeded):
    """The next batch may be simple again: a completion is refused, or another transaction holds an execution."""


class Seen(msgspec.Struct):
    """Keys, and executions at these keys. RulesNeeded: they are not as simple as they were expected to be."""

    made: set[KeyAt] = msgspec.field(default_factory=set)
    """Keys that had no row, and got one to be locked."""
    uses: dict[KeyAt, KeyUse] = msgspec.field(default_factory=dict)
    """What is used of the keys that are locked."""
    numbers: dict[tuple[str, str, str | None], Limit] = msgspec.field(default_factory=dict)
    ended: Sequence[rows.Row] = ()
    """What complete_at_limits has returned."""
    parts: Sequence[rows.Row] = ()
    """The parts of the queue of the lane, and whether it is paused."""
    heads: Sequence[Limited] | None = None
    """The first ones in the queue. None: the queue was not read."""
    asked: int = 0
    """How many of the queue were asked for."""
    parked: dict[KeyAt, list[Limited]] = msgspec.field(default_factory=dict)
    """By key that gets a slot back, the first ones that are parked there, if somebody was expected there."""

    def numbers_of(self, at: KeyAt) -> Limit | None:
        """The numbers that hold for a key. None: there are none, and the key is open to all."""
        common = self.numbers.get((at[0], at[1], None))
        return None if common is None else self.numbers.get(at, common)

    def all(self) -> Iterator[Limited]:
        """All executions that wait, in the queue or parked."""
        yield from self.heads or ()
        for there in self.parked.values():
            yield from there

    def are_all_parked_known(self, asked: Mapping[KeyAt, int]) -> bool:
        """Whether nobody is parked beyond those that were read."""
        return all(len(there) < asked[at] for at, there in self.parked.items())

    # ── rows ─────────────────────────────────────────────────────────────────────────────────────

    def take_made(self, found: Sequence[rows.Row]) -> None:
        """The rows of lock_key_uses."""
        self.made.update(row[:3] for row in found)

    def take_uses(self, found: Sequence[rows.Row]) -> None:
        """The rows of read_key_uses."""
        self.uses.update(map(KEY_USES.record_of, found))

    def take_numbers(self, found: Sequence[rows.Row]) -> None:
        """The rows of read_limits and read_limit_overrides."""
        self.numbers.update((row[:3], Limit(*row)) for row in found)

    def take_ended(self, found: Sequence[rows.Row]) -> None:
        """The rows of complete_at_limits."""
        self.ended = found

    def take_parts(self, found: Sequence[rows.Row]) -> None:
        """The rows of ready_capability_sets."""
        self.parts = found

    def take_heads(self, found: Sequence[rows.Row]) -> None:
        """The rows of lock_limited_ready."""
        self.heads = [limited_in(row, row[LIMITED_COLUMNS], is_ready=True) for row in found]

    def take_parked(self, keys: Sequence[KeyAt], capability_set: int, found: Sequence[rows.Row]) -> None:
        """The rows of lock_limited_parked, which was asked about these keys."""
        rooms: dict[KeyAt, tuple[str, int, int]] = {}
        self.parked = {at: [] for at in keys}
        for row in found:
            payload, place, lane, of_set, there = row[LIMITED_COLUMNS:]
            at, room = keys[place - 1], (lane, of_set, there)
            if rooms.setdefault(at, room) != room or of_set != capability_set:
                raise RulesNeeded  # there are several rooms
            if row[0] is None:
                raise OnlyThisTime  # somebody holds all of them
            self.parked[at].append(limited_in(row, payload, is_ready=False))
        if any(len(self.parked[at]) != there for at, (_, _, there) in rooms.items()):
            raise OnlyThisTime  # somebody holds one of them, so the key is to be looked at again

    def take_payloads(self, found: Sequence[rows.Row]) -> None:
        """The rows of read_payloads."""
        payloads = {make_execution_id(partition, uuid): payload for partition, uuid, payload in found}
        self.parked = {
            at: [x._replace(payload=payloads.get(x.execution_id, x.payload)) for x in there]
            for at, there in self.parked.items()
        }
