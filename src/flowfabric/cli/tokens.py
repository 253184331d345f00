"""The verbs about access tokens: `tokens create`, `tokens list`, `tokens revoke`. A secret is shown once."""

from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import App, Parameter

from flowfabric.cli.consent import ASK, Consent
from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import span_ms
from flowfabric.cli.output import Column, Json, clock_time, document, note, say, table, when
from flowfabric.cli.target import HERE, Target, opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flowfabric.domain.access import AccessTokenSnapshot
    from flowfabric.engine.blocking import BlockingEngine

NEVER: Final = "never"
ALL: Final = "all"

tokens: Final = App(name="tokens", help="Make, list and revoke the access tokens of a server.")


@tokens.command
def create(
    *,
    role: Annotated[
        Literal["viewer", "submitter", "approver", "worker", "operator", "admin"],
        Parameter(help="What its holder may do."),
    ],
    name: Annotated[
        str | None, Parameter(help="Who holds it: events and executions show this name. Its id if left out.")
    ] = None,
    expires: Annotated[str, Parameter(help=f"After which time it is no good any more, such as 90d, or {NEVER}.")],
    approves_own: Annotated[
        bool, Parameter(help="Let an approver also approve what it has made itself.", negative="")
    ] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Make an access token and print it. It is shown this once: only a hash of its secret is stored."""
    if approves_own and role != "approver":
        raise WrongCall("--approves-own is for --role approver. Leave it out.")
    expires_in_ms = None if expires == NEVER else span_ms("--expires", expires)
    with opened(at) as engine:
        made = engine.create_access_token(role, name=name, expires_in_ms=expires_in_ms, approves_own=approves_own)
    if json:
        document({"secret": made.secret, "token": made.token})
        return
    say(made.secret)
    token = made.token
    where = "all namespaces" if token.namespace is None else f"namespace {token.namespace}"
    until = "without end" if token.expires_at_ms is None else f"until {clock_time(token.expires_at_ms)} UTC"
    note(f"Token {token.token_id} for {token.name}: {token.role} in {where}, {until}. It is not shown again.")


@tokens.command(name="list")
def ls(
    *,
    sessions: Annotated[
        bool, Parameter(help="Show the sessions of browsers and login links, too.", negative="")
    ] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """List access tokens, newest first, also those that ended within the last thirty days. No secret is shown."""
    with opened(at) as engine:
        found = _all_of(engine, sessions=sessions)
        now_ms = engine.server_time_ms()
    if json:
        document({"tokens": found})
    elif not found:
        say("There is no access token. `ff tokens create` makes one.")
    else:
        columns = ["ROLE", "NAMESPACE", "NAME", "STATE", "EXPIRES", "LAST USED"]
        table([Column("TOKEN", is_whole=True), *map(Column, columns)], [_row(each, now_ms) for each in found])


@tokens.command
def revoke(
    token_id: Annotated[str, Parameter(help="The id of a token: the part between the underscores.")],
    /,
    *,
    reason: Annotated[str, Parameter(help="Why.")] = "",
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Make a token or a session worthless, with all sessions that the token has opened. It holds within a second."""
    from flowfabric.domain.access import token_id as checked
    from flowfabric.domain.outcomes import AlreadySatisfied

    key = checked(token_id)
    with opened(at) as engine:
        if consent.dry_run:
            sentence = f"Token {key} would be worthless"
            document({"plan": [sentence]}) if json else say(f"{sentence}.")
            return
        consent.ask(f"Token {key} will be worthless, for everyone who uses it")
        answer = engine.revoke_access_token(key, reason=reason)
    if json:
        document({"answer": answer})
    elif isinstance(answer, AlreadySatisfied):
        say(f"Token {key} was revoked before.")
    else:
        say(f"Token {key} is worthless from now on.")


def _all_of(engine: "BlockingEngine", *, sessions: bool) -> "Sequence[AccessTokenSnapshot]":
    from flowfabric.domain.access import AccessTokenSnapshot

    found: list[AccessTokenSnapshot] = []
    cursor: str | None = None
    while True:
        page = engine.list_access_tokens(kind=None if sessions else "access", cursor=cursor, limit=1000)
        found += [each for each in page.items if isinstance(each, AccessTokenSnapshot)]
        cursor = page.next_cursor
        if cursor is None:
            return found


def _row(token: "AccessTokenSnapshot", now_ms: int) -> tuple[str, ...]:
    return (
        token.token_id,
        token.role,
        ALL if token.namespace is None else token.namespace,
        token.name if token.kind == "access" else f"{token.name} ({token.kind})",
        "good" if token.is_alive else "expired" if token.revoked_at_ms is None else "revoked",
        NEVER if token.expires_at_ms is None else when(token.expires_at_ms, now_ms),
        NEVER if token.used_day_ms is None else clock_time(token.used_day_ms).partition(" ")[0],
    )
