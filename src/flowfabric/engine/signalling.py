"""The engine's methods for signals, and for the tokens and secrets of strangers who send them.

Tokens are made and checked here, at the edge: commands, stored answers and records hold none.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from flowfabric.domain import inputs, tokens, wait_inputs
from flowfabric.domain.commands import IssueToken, SendSignal
from flowfabric.domain.errors import AccessDenied, InvalidInput, InvalidToken, NoWaiter, WaitpointClosed
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.outcomes import DuplicateSignal, SecretRotated, Signal, Signalled, Waitpoint
from flowfabric.domain.seals import Seals
from flowfabric.domain.wait_snapshots import WaitpointSnapshot, waitpoint_snapshot_of
from flowfabric.domain.waiting import StoredSignal, StoredWaitpoint
from flowfabric.engine.explaining import SIGNALS_PAGE
from flowfabric.engine.scope import Scoped
from flowfabric.engine.signing import Signing


class Signalling(Scoped):
    """The engine's methods for signals, tokens and secrets."""

    async def signal(
        self,
        execution_id: str,
        key: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        command_id: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a message to a waitpoint of an execution. If nobody waits there yet, it is kept for a later wait.

        A signal is taken by one wait, once. The same idempotency key at the same waitpoint is DuplicateSignal, also
        after the end of the execution; with another payload it is refused as Conflict. NotSignalable: the execution
        has ended. WaitpointClosed: the waitpoint has expired, or an operator has closed it.
        """
        message = self._message(payload, name, source, idempotency_key)
        key = wait_inputs.key(key)
        whole_id = await self._id_of(execution_id)
        await self._check_decider(whole_id)
        command = SendSignal(whole_id, key, *message, await self._signing.current_kid())
        return await self._execute(command, command_id)

    async def signal_by_token(
        self,
        token: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        command_id: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a message to the waitpoint of a token. The sender may be a stranger, so `source` is only claimed.

        The signal comes from the person for whom the token was issued, or else from the fingerprint of the token.
        Every token that is wrong is refused with the same InvalidToken, before anything is written. Otherwise the
        answers are those of `signal`.
        """
        ids = await self._signing.verify(token, self._scope)
        message = self._message(payload, name, source, idempotency_key)
        x, waitpoint = await self._shell.read(lambda: self._store.waitpoint(ids.execution_id, ids.waitpoint_id))
        _, waitpoint = await self._opened_by(token, x, waitpoint)
        sender = ids.subject_among(waitpoint.subjects) or self._actor or tokens.fingerprint(token)
        message = message._replace(source=sender, claimed_source=wait_inputs.source(source))
        kid = await self._signing.current_kid()
        command = SendSignal(ids.execution_id, waitpoint.key, *message, kid, ids.waitpoint_id, ids.life)
        return await self._execute(command, command_id)

    async def describe_token(self, token: str) -> WaitpointSnapshot:
        """The waitpoint that the token opens, for the page behind a link: it says what is asked. Nothing changes.

        Every token that is wrong is InvalidToken. WaitpointClosed: the waitpoint is gone, because of a replay.
        """
        ids = await self._signing.verify(token, self._scope)
        x, waitpoints = await self._shell.read(lambda: self._store.waitpoints(ids.execution_id))
        counts = {each.waitpoint_id: (each, waiting_signals) for each, waiting_signals in waitpoints}
        waitpoint, waiting_signals = counts.get(ids.waitpoint_id, (None, 0))
        x, waitpoint = await self._opened_by(token, x, waitpoint)
        return waitpoint_snapshot_of(
            waitpoint,
            x,
            await self._shell.read(lambda: self._store.now_ms),
            waiting_signals=waiting_signals,
            kid=tokens.kid_of(token),
            fingerprint=tokens.fingerprint(token),
        )

    async def _opened_by(
        self, token: str, x: Execution | None, waitpoint: StoredWaitpoint | None
    ) -> tuple[Execution, StoredWaitpoint]:
        """The execution and the waitpoint that an authentic token names, if there are such."""
        if x is None:
            raise InvalidToken
        await self._signing.verify(token, x.namespace)
        if waitpoint is None:
            raise WaitpointClosed(
                f"The waitpoint of this token is gone: {x.execution_id} was replayed, and waits anew. "
                "Ask for a new token."
            )
        return x, waitpoint

    async def signal_alias(
        self,
        alias: str,
        payload: bytes = b"",
        *,
        name: str = "",
        source: str = "",
        idempotency_key: str | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        command_id: str | None = None,
    ) -> Signalled | DuplicateSignal:
        """Send a message to the waitpoint that has this alias. NoWaiter: no open waitpoint has it.

        Otherwise the answers are those of `signal`.
        """
        of_namespace = inputs.namespace_in_scope(namespace, self._scope)
        alias = wait_inputs.alias(alias)
        message = self._message(payload, name, source, idempotency_key)
        found = await self._shell.read(lambda: self._store.alias(of_namespace, alias))
        if found is None:
            raise NoWaiter(
                f"No open waitpoint has the alias {alias!r} in namespace {of_namespace!r}. "
                "Check the alias; the execution may not wait yet, or may have ended."
            )
        await self._check_decider(found.execution_id)
        command = SendSignal(
            found.execution_id,
            found.key,
            *message,
            await self._signing.current_kid(),
            alias=alias,
            namespace=of_namespace,
        )
        return await self._execute(command, command_id)

    async def _check_decider(self, execution_id: ExecutionId) -> None:
        """Raise AccessDenied if the sender may not decide about this execution. Who has made it never changes."""
        if self._decider is None:
            return
        x = await self._find(execution_id)
        if x is not None and not self._decider.may_approve(x.created_by):
            raise AccessDenied("You have made this execution yourself, so somebody else has to decide about it.")

    async def list_signals(self, execution_id: str, *, key: str | None = None) -> list[Signal]:
        """All signals of this life of the execution, in the order of their arrival: also those that a wait has taken.

        `key`: only the signals of this waitpoint.
        """
        whole_id = await self._id_of(execution_id)
        of_key = wait_inputs.optional_key(key)
        found: list[Signal] = []
        life, after = None, 0
        while True:
            x, page = await self._shell.read(partial(self._store.signals, whole_id, of_key, after, SIGNALS_PAGE))
            self._check_known(whole_id, x)
            assert x is not None
            life_now = 0 if x.inbox is None else x.inbox.life
            if life not in (None, life_now):
                found, life, after = [], None, 0  # a replay has begun a new life, whose numbers begin anew
                continue
            found += map(_signal_of, page)
            if len(page) < SIGNALS_PAGE:
                return found
            life, after = life_now, page[-1].number

    # ── tokens and secrets ───────────────────────────────────────────────────────────────────────

    async def issue_token(
        self, execution_id: str, key: str, *, source: str = "", command_id: str | None = None
    ) -> Waitpoint:
        """A token of a waitpoint. `source`: it is issued for this person, and signals by it come from this person.

        If the execution has no waitpoint of this key, one is made. Without a source, this is the same token that
        `create_waitpoint` returns. A waitpoint has tokens for 1,000 persons at most; one more is InvalidInput.
        """
        command = IssueToken(
            await self._id_of(execution_id),
            wait_inputs.key(key),
            wait_inputs.source(source),
            await self._signing.current_kid(),
        )
        return await self._signing.waitpoint(await self._execute(command, command_id))

    async def rotate_waitpoint_secret(
        self,
        *,
        kid: str | None = None,
        secret: bytes | None = None,
        grace_ms: int = 604_800_000,
        command_id: str | None = None,
    ) -> SecretRotated:
        """Sign tokens with a new key from now on. Tokens of the former key are good for another `grace_ms`.

        Those of still older keys are good for that long at most. So with 0 no earlier token is good any more.
        Without a secret a new one is made. The same kid and secret again change nothing; the same kid with another
        secret is refused as Conflict. Keys that come from the environment are rotated there, so this is refused.
        """
        if self._scope is not None:
            raise InvalidInput(
                f"This engine is confined to namespace {self._scope!r}, and all namespaces share the secrets. "
                "Rotate with `ff secrets rotate`, or with an engine of `open_engine`, which is for all namespaces."
            )
        command = self._signing.rotation(
            wait_inputs.kid(kid), wait_inputs.secret(secret), wait_inputs.grace_ms(grace_ms)
        )
        try:
            return await self._execute(command, command_id)
        finally:
            self._services.keys.forget()

    async def list_waitpoint_kids(self) -> Mapping[str, int | None]:
        """The keys whose tokens are good, by their names, with the end of their grace. None: it is the current one."""
        return await self._signing.kids()

    async def seals(self, purpose: str) -> Seals:
        """Seals for what a server hands out, with the keys that sign tokens. Use them for a second at most."""
        return await self._signing.seals(inputs.name("purpose", purpose))

    @property
    def _signing(self) -> Signing:
        return Signing(self._services.keys, self._shell, self._store)

    def _message(self, payload: bytes, name: str, source: str, idempotency_key: str | None) -> "_Message":
        """What a signal says, and who sends it. If this engine acts for a person, the given source is only claimed."""
        source = wait_inputs.source(source)
        return _Message(
            wait_inputs.signal_payload(payload),
            wait_inputs.signal_name(name),
            source if self._actor is None else self._actor,
            "" if self._actor is None else source,
            inputs.key("idempotency_key", idempotency_key),
        )


class _Message(NamedTuple):
    """The fields of a signal, in the order of `SendSignal`."""

    payload: bytes
    name: str
    source: str
    claimed_source: str
    idempotency_key: str | None


def _signal_of(stored: StoredSignal) -> Signal:
    return Signal(
        stored.signal_id,
        stored.key,
        stored.name,
        stored.payload,
        stored.source,
        stored.delivered_at_ms,
        stored.claimed_source,
    )
