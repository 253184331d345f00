"""What a worker does, step by step and in the test's own thread."""

import asyncio
import inspect
from typing import Any, cast

from flowfabric import Claimed, Context, FlowFabric

NOBODY = cast("Context", None)
"""The context of functions that do not look at it."""


def claim(ff: FlowFabric, limit: int = 100, **options: Any) -> list[Claimed]:
    return ff.blocking_engine().claim(worker_id="w", worker_instance_id="w-1", limit=limit, **options)


def arguments_of(ff: FlowFabric, claimed: Claimed) -> dict[str, object]:
    inputs = {name: ff.codec.decode(data) for name, data in claimed.inputs.items()}
    return ff.tasks[claimed.kind].signature.arguments(ff.codec.decode(claimed.payload), inputs)


def complete(ff: FlowFabric, claimed: Claimed, result: object) -> None:
    data = ff.codec.encode(ff.tasks[claimed.kind].signature.result(result))
    ff.blocking_engine().complete(claimed.lease, data)


def work(ff: FlowFabric, limit: int = 100, **options: Any) -> list[tuple[str, dict[str, object]]]:
    """Run what may run now, and tell what that was and with which arguments."""
    ran = []
    for claimed in claim(ff, limit, **options):
        arguments = arguments_of(ff, claimed)
        result = ff.tasks[claimed.kind].function(NOBODY, **arguments)
        complete(ff, claimed, asyncio.run(result) if inspect.iscoroutine(result) else result)
        ran.append((claimed.kind, arguments))
    return ran
