"""Signals of strangers: a token is all that they need."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from flowfabric.domain.outcomes import DuplicateSignal, Signalled
from flowfabric.runtime.codecs import Codec, encoded
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.tasks import Task
from flowfabric.runtime.typed_values import json_or_refusal


class _Fabric(Protocol):
    """What these methods need of a fabric."""

    codec: Codec

    @property
    def access(self) -> EngineProvider:
        """The engine of the fabric."""

    @property
    def tasks(self) -> Mapping[str, Task[..., Any]]:
        """The tasks of the fabric, by name."""


class TokenSignals:
    """The part of a fabric that passes on signals of strangers."""

    async def signal_by_token(
        self: _Fabric,
        token: str,
        value: object = None,
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a signal to the one waitpoint that the token names, as for the request of a webhook.

        `source` is what the stranger says about himself, and is kept as that. A wrong token is InvalidToken, whatever
        is wrong with it. If the task is one of this program and declares its signals, a value that does not fit is
        InvalidInput.
        """
        signal = _Signal(token, value, name, source, idempotency_key)
        return await _send(self, await self.access.engine(), signal)

    def signal_by_token_sync(
        self: _Fabric,
        token: str,
        value: object = None,
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """`signal_by_token` for synchronous code."""
        signal = _Signal(token, value, name, source, idempotency_key)
        return self.access.run(lambda engine: _send(self, engine, signal))


class _Signal(NamedTuple):
    token: str
    value: object
    name: str
    source: str
    idempotency_key: str | None


async def _send(fabric: _Fabric, engine: CallerEngine, signal: _Signal) -> Signalled | DuplicateSignal:
    payload = encoded(fabric.codec, json_or_refusal(signal.value, "value"), "value")
    if any(task.settings.signals is not None for task in fabric.tasks.values()):
        payload = await _checked(fabric, engine, signal, payload)
    return await engine.signal_by_token(
        signal.token,
        payload,
        name=signal.name,
        source=signal.source,
        idempotency_key=signal.idempotency_key,
    )


async def _checked(fabric: _Fabric, engine: CallerEngine, signal: _Signal, payload: bytes) -> bytes:
    """The payload as the task of the waitpoint declares it. A task that is not known here declares nothing."""
    waitpoint = await engine.describe_token(signal.token)
    x = await engine.describe_execution(waitpoint.execution_id)
    task = None if x is None else fabric.tasks.get(x.kind)
    return payload if task is None else task.signal_payload(waitpoint.key, signal.value)
