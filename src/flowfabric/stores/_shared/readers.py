"""Waiting for a read connection that nobody uses."""

import queue
from typing import TypeVar

from flowfabric.domain.connections import Connections, no_free_reader

T = TypeVar("T")


def taken_from(pool: "queue.LifoQueue[T]", connections: Connections) -> T:
    """A connection of the pool, or the error for those who have waited for too long."""
    try:
        return pool.get(timeout=connections.wait_ms / 1000)
    except queue.Empty:
        raise no_free_reader(connections) from None
