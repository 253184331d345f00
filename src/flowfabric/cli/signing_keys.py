"""The verbs about the secrets that sign tokens: `secrets list`, `secrets rotate`. No verb shows a secret."""

from typing import Annotated, Final

from cyclopts import App, Parameter

from flowfabric.cli.consent import ASK, Consent
from flowfabric.cli.filters import span_ms
from flowfabric.cli.output import Column, Json, clock_time, document, say, table, when
from flowfabric.cli.target import HERE, Target, opened, opened_for_all
from flowfabric.domain.words import span_ahead

secrets: Final = App(name="secrets", help="List the secrets that sign tokens by their names, and rotate them.")


@secrets.command(name="list")
def ls(*, at: Target = HERE, json: Json = False) -> None:
    """List the names of the secrets that sign tokens of waitpoints, and until when each is good."""
    with opened(at) as engine:
        kids = engine.list_waitpoint_kids()
        now_ms = engine.server_time_ms()
    if json:
        document({"kids": kids})
    elif not kids:
        say("There is no secret yet: the first waitpoint makes one.")
    else:
        table(
            [Column("NAME", is_whole=True), Column("STATE"), Column("GOOD UNTIL")],
            [_row(kid, until_ms, now_ms) for kid, until_ms in kids.items()],
        )


@secrets.command
def rotate(
    *,
    kid: Annotated[str | None, Parameter(help="The name of the new secret: a-z, 0-9 and -, up to 16 of them.")] = None,
    grace: Annotated[str, Parameter(help="How long tokens of the old secret stay good, such as 7d or 0s.")] = "7d",
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Sign tokens with a new secret from now on, which is made at random. Old tokens stay good for the grace."""
    grace_ms = span_ms("--grace", grace)
    with opened_for_all(at) as engine:
        kids = engine.list_waitpoint_kids()
        old = next((name for name, until_ms in kids.items() if until_ms is None), None)
        plan = _plan(old, grace_ms)
        if consent.dry_run:
            if json:
                document({"plan": [f"A new secret would sign tokens{plan}"]})
            else:
                say(f"A new secret would sign tokens{plan}.")
            return
        consent.ask(f"A new secret will sign tokens{plan}")
        answer = engine.rotate_waitpoint_secret(kid=kid, grace_ms=grace_ms)
        now_ms = engine.server_time_ms()
    if json:
        document({"answer": answer})
    elif answer.previous_kid is None:
        say(f"Secret {answer.kid} signs tokens from now on.")
    else:
        earlier = "No earlier token is good any more."
        if grace_ms:
            earlier = f"Those of {answer.previous_kid} stay good until {clock_time(now_ms + grace_ms)} UTC."
        say(f"Secret {answer.kid} signs tokens from now on. {earlier}")


def _plan(old: str | None, grace_ms: int) -> str:
    if old is None:
        return ""
    if not grace_ms:
        return ", and no earlier token is good any more"
    return f", and those that {old} has signed stay good for another {span_ahead(grace_ms)}"


def _row(kid: str, until_ms: int | None, now_ms: int) -> tuple[str, str, str]:
    if until_ms is None:
        return kid, "current", "-"
    return kid, "old", f"{clock_time(until_ms)} UTC ({when(until_ms, now_ms)})"
