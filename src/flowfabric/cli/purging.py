"""`ff purge`."""

from typing import Annotated, Final

from cyclopts import Parameter

from flowfabric.cli.consent import ASK, Consent
from flowfabric.cli.filters import ago
from flowfabric.cli.output import Json, document, progress, say
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.domain.states import PublicState
from flowfabric.domain.words import counted

ENDED: Final[tuple[PublicState, ...]] = ("completed", "failed", "cancelled", "expired", "skipped")


def purge(
    *,
    older: Annotated[str, Parameter(help="Remove what ended longer ago than this, such as 30d.")],
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Remove ended executions and flows with all their records, whatever their retention is."""
    with opened(at) as engine:
        before_ms = ago(engine, "--older", older)
        # An upper limit: executions that ended before an instant were created before it, but not all of those ended by
        # then.
        at_most = sum(engine.count_executions(public_state=state, created_before_ms=before_ms) for state in ENDED)
        executions = flows = 0
        if not consent.dry_run:
            consent.ask(f"Up to {counted(at_most, 'execution')} will be removed for good")
            with progress("purging", at_most) as advance:
                cursor = None
                while True:
                    purged = engine.purge(ended_before_ms=before_ms, cursor=cursor)
                    executions += purged.executions
                    flows += purged.flows
                    advance(purged.executions)
                    cursor = purged.next_cursor
                    if cursor is None:
                        break
    if json:
        document({"at_most": at_most, "executions": executions, "flows": flows})
    elif consent.dry_run and not at_most:
        say("No execution is old enough to be removed.")
    elif consent.dry_run:
        say(f"Up to {counted(at_most, 'execution')} would be removed.")
    else:
        say(f"{counted(executions, 'execution')} and {counted(flows, 'flow')} removed.")
