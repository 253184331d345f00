"""Waiting for a free read connection."""

import queue
from typing import TypeVar

from flowfabric.domain.connections import Connections, no_free_reader

T = TypeVar("T")


def taken_from(pool: "queue.LifoQueue[T]", connections: Connections) -> T:
    """Take a connection from the pool. StoreUnavailable: none became free in time."""
    try:
        return pool.get(timeout=connections.wait_ms / 1000)
    except queue.Empty:
        raise no_free_reader(connections) from None
