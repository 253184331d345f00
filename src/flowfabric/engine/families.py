"""The engine's methods about children: workers make them, and everyone may look at them."""

from collections.abc import Mapping, Sequence

from flowfabric.domain import gate_inputs, inputs
from flowfabric.domain.children import GROUP_MAX
from flowfabric.domain.commands import ChildCreation, CreateChildren
from flowfabric.domain.creation import NewChild
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.lease import Lease
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.outcomes import Created, Duplicate
from flowfabric.domain.snapshots import EndSnapshot, Page, snapshot_of
from flowfabric.engine.scope import Scoped, position_of


class Families(Scoped):
    """The engine's methods about children."""

    async def create_children(
        self, lease: Lease, name: str, items: Sequence[NewChild], *, command_id: str | None = None
    ) -> list[Created | Duplicate]:
        """Make a group of children of the leased execution: all items or none, with one answer per item.

        Their ids follow from the parent, the name and their places, so every attempt makes the same children once.
        Another number of items or other kinds under the same name are a Conflict. After a replay of the parent that
        keeps its steps, children that did not succeed are replayed by this. A parent has at most 10,000 children, a
        group at most 1,000, and children nest at most 16 deep.
        """
        fence = inputs.fence(lease)
        name = inputs.name("name", name, inputs.KEY_CHARS_MAX)
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Sequence):
            raise InvalidInput(f"items is a sequence of NewChild, not {type(items).__name__}.")
        if len(items) > GROUP_MAX:
            raise InvalidInput(
                f"items has {len(items)} entries; the limit of one call is {GROUP_MAX}. Send several calls, each under "
                "a name of its own."
            )
        children: list[ChildCreation] = []
        for index, item in enumerate(items):
            if not isinstance(item, NewChild):
                raise InvalidInput(f"items[{index}] is a NewChild, not {type(item).__name__}.")
            try:
                children.append(self._child_of(item))
            except InvalidInput as error:
                raise InvalidInput(f"items[{index}]: {error} Nothing was created.") from None
        if not children:
            return []
        inputs.size_of_call((each.payload, each.tags) for each in children)
        return await self._execute(CreateChildren(fence, name, tuple(children)), command_id)

    def _child_of(self, item: NewChild) -> ChildCreation:
        return ChildCreation(
            inputs.name("kind", item.kind),
            inputs.payload("payload", item.payload, self._services.payload_bytes_max),
            inputs.lane(item.lane),
            inputs.priority(item.priority),
            inputs.optional_instant("delay_until_ms", item.delay_until_ms),
            inputs.optional_instant("deadline_at_ms", item.deadline_at_ms),
            inputs.capabilities("required_capabilities", item.required_capabilities),
            inputs.policy(item.policy),
            inputs.tags(item.tags),
            gate_inputs.gates(item.limits, item.budgets, item.fair_key),
        )

    async def list_children(self, execution_id: str, *, cursor: str | None = None, limit: int = 100) -> Page:
        """The children of an execution as snapshots, oldest first; those of one group in the order of its items."""
        parent_id = await self._id_of(execution_id)
        await self._known(parent_id)
        limit = inputs.limit(limit)
        after = None if cursor is None else unpack_cursor(cursor, "children", self._store.name, ListPosition)
        found = await self._shell.read(lambda: self._store.children(parent_id, after, limit + 1))
        next_cursor = None
        if len(found) > limit:
            next_cursor = pack_cursor("children", self._store.name, position_of(found[limit - 1]))
        return Page([snapshot_of(x) for x in found[:limit]], next_cursor)

    async def get_ends(self, execution_ids: Sequence[str]) -> list[EndSnapshot | None]:
        """How executions have ended, with their results, in the given order and in one read. None: there is none."""
        if isinstance(execution_ids, str) or not isinstance(execution_ids, Sequence):
            raise InvalidInput(f"execution_ids is a sequence of ids, not {type(execution_ids).__name__}.")
        if len(execution_ids) > inputs.ITEMS_MAX:
            raise InvalidInput(f"execution_ids has {len(execution_ids)} entries; the limit is {inputs.ITEMS_MAX}.")
        ids = [await self._id_of(each) for each in execution_ids]
        found = await self._shell.read(lambda: self._store.with_results(ids))
        ends = {
            x.execution_id: EndSnapshot(snapshot_of(x), result)
            for x, result in found
            if self._scope in (None, x.namespace)
        }
        return [ends.get(each) for each in ids]
