"""The engine's methods for blocks of code that take part in a limit: workers take a slot and give it back."""

import time

from flowfabric.domain import gate_inputs, inputs
from flowfabric.domain.commands import GiveSlot, ParkAtLimit, TakeSlot
from flowfabric.domain.lease import Lease
from flowfabric.domain.limits import BLOCK_NUMBER_MAX, KeyAt, opens_at_ms
from flowfabric.domain.outcomes import AlreadySatisfied, LimitFull, Parked, SlotTaken
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.engine.scope import Scoped
from flowfabric.engine.wakeups import slots_of


class BlockMethods(Scoped):
    """The engine's methods for blocks of code that take part in a limit."""

    async def take_slot(
        self,
        lease: Lease,
        limit: str,
        key: str = "",
        *,
        block: int = 1,
        park: bool = False,
        command_id: str | None = None,
    ) -> SlotTaken | LimitFull | Parked | AlreadySatisfied:
        """Take a slot and a start of a limit for a block of code. The slot ends with the lease, or with `give_slot`.

        LimitFull: there is no room, and the lease is kept. With `park`, the lease is given up instead, with everything
        that it holds; the answer is Parked, and the execution is claimed again when there is room, with this slot and
        those that it held, as the same attempt. AlreadySatisfied("another_wait_is_over"): one of its waits has ended
        meanwhile, so the lease is kept. An execution holds one slot of a key: if it has one, it goes on. `block` is
        the number of the block among those that the attempt has entered on this key.
        """
        fence, name, of_key = inputs.fence(lease), gate_inputs.limit_name(limit), gate_inputs.limit_key(key)
        number = inputs.integer("block", block, 1, BLOCK_NUMBER_MAX)
        if park:
            return await self._execute(ParkAtLimit(fence, name, of_key, number), command_id)
        return await self._execute(TakeSlot(fence, name, of_key, number), command_id)

    async def give_slot(self, lease: Lease, limit: str, key: str = "", *, command_id: str | None = None) -> None:
        """Give back the slot of a block of code. A slot of a limit that the execution names is kept with the lease."""
        command = GiveSlot(inputs.fence(lease), gate_inputs.limit_name(limit), gate_inputs.limit_key(key))
        await self._execute(command, command_id)

    async def wait_for_slot(self, lease: Lease, limit: str, key: str = "", *, timeout_ms: int) -> bool:
        """Wait, under a lease, until a limit may have room. The lease is kept, and nothing is taken.

        False: the time is over, or the lease is.
        """
        fence, name, of_key = inputs.fence(lease), gate_inputs.limit_name(limit), gate_inputs.limit_key(key)
        give_up_at = time.monotonic() + inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX) / 1000
        bell = self._shell.bell()
        while True:
            x = await self._find(fence.execution_id, until=give_up_at)
            if x is None or x.lease_epoch != fence.lease_epoch or x.lifecycle_phase != "active":
                return False
            at = (x.namespace, name, of_key)
            with self._services.wakeups.listening(slots_of(at), bell.ring):
                opens_in_s = await self._opens_in_s(at, give_up_at)
                if opens_in_s == 0.0:
                    return True
                left_s = give_up_at - time.monotonic()
                if left_s <= 0:
                    return False
                await self._wait_for_news(bell, left_s if opens_in_s is None else min(left_s, opens_in_s))

    async def _opens_in_s(self, at: KeyAt, until: float) -> float | None:
        """How long it takes until time alone makes room. 0: there is room now. None: it takes a free slot."""
        view = await self._shell.read(lambda: self._store.limit_key(at), until=until)
        if view is None:
            return 0.0
        now_ms = await self._shell.read(lambda: self._store.now_ms, until=until)
        if view.is_open(now_ms):
            return 0.0
        opens_ms = opens_at_ms(view.numbers, view.use, now_ms)
        return None if opens_ms is None else max(opens_ms - now_ms, 1) / 1000
