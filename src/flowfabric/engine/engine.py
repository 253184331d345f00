"""The interface for callers: every command and every read, as an async method.

`Engine` checks arguments, makes commands from them, and waits for the answers. `BlockingEngine` has the same methods
for synchronous code. Both are thin: the rules are in `domain`, the commits in `group_commit`.
"""

from flowfabric.domain import inputs, stream_inputs
from flowfabric.domain.streams import Said
from flowfabric.engine.blocks import BlockMethods
from flowfabric.engine.families import Families
from flowfabric.engine.following import Following
from flowfabric.engine.gates import GateMethods
from flowfabric.engine.operating import Operating
from flowfabric.engine.scheduling import Scheduling
from flowfabric.engine.streaming import Streaming
from flowfabric.engine.waiting import WaitingMethods
from flowfabric.engine.working import Working


class Engine(Working, Following, Operating, Scheduling, WaitingMethods, Families, GateMethods, BlockMethods, Streaming):
    """The durable execution engine. Every write is committed when its method returns."""

    def scoped(self, namespace: str) -> "Engine":
        """The same engine, confined to one namespace. It finds nothing in other namespaces."""
        return Engine(self._services, inputs.namespace_in_scope(namespace, self._scope), self._actor)

    def acting_as(self, actor: str) -> "Engine":
        """The same engine, acting for a person. Operator events name this person as `actor`.

        Signals that it sends come from this person, too. A `source` that the sender gives is only claimed.
        """
        return Engine(self._services, self._scope, inputs.name("actor", actor, inputs.KEY_CHARS_MAX))

    def saying(self, said: Said) -> "Engine":
        """The same engine for one command of a worker: these frames are appended in the transaction of the command.

        If the lease of the frames is over, the frames are dropped. `said` in `flowfabric.domain.streams` packs them.
        """
        return Engine(self._services, self._scope, self._actor, stream_inputs.packed(said))
