"""The interface for callers: every command and every read, as an async method.

`Engine` checks arguments, makes commands from them, and waits for the answers. `BlockingEngine` has the same methods
for synchronous code. Both are thin: the rules are in `domain`, the commits in `group_commit`.
"""

from flowfabric.domain import inputs, stream_inputs
from flowfabric.domain.access import Principal
from flowfabric.domain.streams import Said
from flowfabric.domain.traces import is_traceparent
from flowfabric.engine.access import AccessMethods
from flowfabric.engine.blocks import BlockMethods
from flowfabric.engine.families import Families
from flowfabric.engine.following import Following
from flowfabric.engine.gates import GateMethods
from flowfabric.engine.operating import Operating
from flowfabric.engine.scheduling import Scheduling
from flowfabric.engine.streaming import Streaming
from flowfabric.engine.waiting import WaitingMethods
from flowfabric.engine.working import Working


class Engine(
    Working,
    Following,
    Operating,
    Scheduling,
    WaitingMethods,
    Families,
    GateMethods,
    BlockMethods,
    Streaming,
    AccessMethods,
):
    """The durable execution engine. Every write is committed when its method returns."""

    def scoped(self, namespace: str) -> "Engine":
        """The same engine, confined to one namespace. It finds nothing in other namespaces."""
        return self._like(inputs.namespace_in_scope(namespace, self._scope), self._actor)

    def acting_as(self, actor: str) -> "Engine":
        """The same engine, acting for a person. Operator events name this person as `actor`.

        Signals that it sends come from this person, too. A `source` that the sender gives is only claimed.
        """
        return self._like(self._scope, inputs.name("actor", actor, inputs.KEY_CHARS_MAX))

    def saying(self, said: Said) -> "Engine":
        """The same engine for one command of a worker: these frames are appended in the transaction of the command.

        If the lease of the frames is over, the frames are dropped. `said` in `flowfabric.domain.streams` packs them.
        """
        return self._like(self._scope, self._actor, stream_inputs.packed(said), self._trace)

    def sent_from(self, traceparent: str) -> "Engine":
        """The same engine for one command, which a span of another process sends. A server uses it.

        With a tracer, it becomes the parent of the span of a submit or a signal. Without one, executions remember
        the span itself. What is no `traceparent` of the W3C is ignored.
        """
        trace = traceparent if is_traceparent(traceparent) else None
        return self._like(self._scope, self._actor, self._said, trace)

    def deciding_as(self, who: Principal) -> "Engine":
        """The same engine for signals of this person. AccessDenied: they may not decide about that execution.

        A server uses it. `Principal.may_approve` has the rule.
        """
        return Engine(self._services, self._scope, self._actor, self._said, self._trace, who)

    def _like(
        self, scope: str | None, actor: str | None, said: Said | None = None, trace: str | None = None
    ) -> "Engine":
        return Engine(self._services, scope, actor, said, trace, self._decider)
