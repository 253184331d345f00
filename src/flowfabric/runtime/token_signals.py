"""Signals of strangers: a token is all that they need."""

from typing import Protocol

from flowfabric.domain.outcomes import DuplicateSignal, Signalled
from flowfabric.runtime.codecs import Codec, encoded
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.typed_values import json_or_refusal


class _Fabric(Protocol):
    """What these methods need of a fabric."""

    codec: Codec

    @property
    def access(self) -> EngineProvider:
        """The engine of the fabric."""


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
        is wrong with it.
        """
        payload = _payload_of(self, value)
        return await _send(await self.access.engine(), token, payload, name, source, idempotency_key)

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
        payload = _payload_of(self, value)
        return self.access.run(lambda engine: _send(engine, token, payload, name, source, idempotency_key))


def _payload_of(fabric: _Fabric, value: object) -> bytes:
    return encoded(fabric.codec, json_or_refusal(value, "value"), "value")


async def _send(
    engine: CallerEngine, token: str, payload: bytes, name: str, source: str, idempotency_key: str | None
) -> Signalled | DuplicateSignal:
    return await engine.signal_by_token(token, payload, name=name, source=source, idempotency_key=idempotency_key)
