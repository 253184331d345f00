"""A command inside a transaction of the caller's own: loaded, decided and saved there, and committed by the caller."""

from typing import Final

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Contention, EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine.batch import Deciding
from flowfabric.ports.writing import CallersConnection, JoinedTransaction, Overtaken

LOOKS_MAX: Final = 3


async def decide_joined(connection: CallersConnection, envelope: Envelope, store_name: str) -> Outcome:
    """The command's answer, or its refusal raised; either way the caller's transaction can go on."""
    for _ in range(LOOKS_MAX):
        try:
            async with connection.joined() as tx:
                answer = await _decided(tx, envelope, store_name)
        except Overtaken as error:
            overtaken = error
        else:
            # Raised out here: a refusal has changed nothing, so there is nothing to take back.
            if isinstance(answer, EngineError):
                raise answer
            return answer
    raise Contention(
        f"Someone else has made the same in a transaction that this one does not see ({overtaken}). Roll back and run "
        "the whole transaction again; one of isolation level READ COMMITTED would have seen it."
    ) from overtaken


async def _decided(tx: JoinedTransaction, envelope: Envelope, store_name: str) -> Outcome | EngineError:
    deciding = Deciding([envelope], store_name)
    while (ws := deciding.on(await tx.load(deciding.wanted), tx.now_ms, tx.era)) is None:
        pass
    changes = ws.changes()
    if not changes.is_empty:
        await tx.save(changes)
    return deciding.answers[0]
