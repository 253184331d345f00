"""What callers use: every command and every read, as an async method.

`Engine` checks what callers send, makes commands of it, and waits for their answers. `BlockingEngine` has the same
methods for synchronous code. Both are thin: the rules live in `domain`, the commits in `group_commit`.
"""

from flowfabric.domain import inputs
from flowfabric.engine.following import Following
from flowfabric.engine.operating import Operating
from flowfabric.engine.scheduling import Scheduling
from flowfabric.engine.working import Working


class Engine(Working, Following, Operating, Scheduling):
    """The durable execution engine. Every write is committed when its method returns."""

    def scoped(self, namespace: str) -> "Engine":
        """The same engine confined to one namespace: everything of other namespaces is unknown to it."""
        return Engine(self._services, inputs.namespace_in_scope(namespace, self._scope))
