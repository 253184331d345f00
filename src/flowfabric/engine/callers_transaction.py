"""A command inside the caller's own transaction: it is loaded, decided and saved there, and the caller commits."""

from typing import Final

from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import Contention, EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine.batch import Deciding
from flowfabric.ports.errors import Overtaken
from flowfabric.ports.joining import CallersConnection, JoinedTransaction

TRIES_MAX: Final = 3


async def decide_joined(connection: CallersConnection, envelope: Envelope, store_name: str) -> Outcome:
    """Answer the command, or raise its refusal. In both cases the caller's transaction can go on."""
    for _ in range(TRIES_MAX):
        try:
            async with connection.joined() as tx:
                answer = await _decided(tx, envelope, store_name)
        except Overtaken as error:
            overtaken = error
        else:
            # It is raised outside the block: a refusal has changed nothing, so nothing has to be rolled back.
            if isinstance(answer, EngineError):
                raise answer
            return answer
    raise Contention(
        f"Another transaction, which this one cannot see, has made the same ({overtaken}). Roll back and run the whole "
        "transaction again; with isolation level READ COMMITTED it would have seen the other."
    ) from overtaken


async def _decided(tx: JoinedTransaction, envelope: Envelope, store_name: str) -> Outcome | EngineError:
    deciding = Deciding([envelope], store_name)
    while (ws := deciding.on(await tx.load(deciding.wanted), tx.now_ms, tx.era)) is None:
        pass
    changes = ws.changes()
    if not changes.is_empty:
        await tx.save(changes)
    return deciding.answers[0]
