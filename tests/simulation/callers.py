"""Those who call servers. They are only in worlds with servers, in which everybody else calls servers, too.

Whatever is lost between a client and a server, what was asked for once happens at most once.
"""

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.simulation import work
from tests.simulation.checks import after_each_batch
from tests.simulation.plan import actor
from tests.simulation.processes import Simulated

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes
    from tests.simulation.world import World

MARK_TAG = "sent.as"


@actor(45, of_servers=True)
async def submit_once(process: Simulated, chance: random.Random) -> str:
    """Somebody who sends something once, and gives it no key."""
    mark = f"{chance.getrandbits(48):012x}"
    payload = work.payload({"n": 1, "pauses_ms": [chance.choice((0, 20))]})
    answer = await process.engine.create_execution("roam", payload, tags={MARK_TAG: mark})
    process.world.ledger.was_created(answer.execution_id)
    return f"{answer.execution_id} {mark}"


@after_each_batch
def _what_was_sent_once_is_made_once(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    for before, x in changes.executions:
        if before is None and x is not None and MARK_TAG in x.tags:
            first = world.sent_as.setdefault(x.tags[MARK_TAG], x.execution_id)
            if first != x.execution_id:
                yield f"{x.execution_id} was sent as {x.tags[MARK_TAG]}, and so was {first}"
