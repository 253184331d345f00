"""CreateAccessToken, LogIn, LogOut, RevokeAccessToken, NoteTokenUse, ForgetAccessToken: tokens from first to last.

An engine that is confined to a namespace makes, sees and revokes tokens of that namespace only.
"""

from collections.abc import Mapping
from hmac import compare_digest

from msgspec.structs import replace

from flowfabric.domain.access import (
    DAY_MS,
    DEAD_TOKENS_KEPT_MS,
    SESSION_MS,
    AccessToken,
    LoggedIn,
    TokenMade,
    TokenRevoked,
    principal_for,
)
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    CreateAccessToken,
    ForgetAccessToken,
    LogIn,
    LogOut,
    NoteTokenUse,
    RevokeAccessToken,
)
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.errors import Conflict, InvalidToken, NotFound
from flowfabric.domain.outcomes import AlreadySatisfied
from flowfabric.domain.working_set import WorkingSet

STORE_WIDE = ""
"""The namespace of events about tokens for all namespaces. A reader of one namespace does not see them."""


def _its_token(
    command: CreateAccessToken | RevokeAccessToken | NoteTokenUse | ForgetAccessToken, wanted: Needs
) -> None:
    wanted.access_tokens.add(command.token_id)


@rule(CreateAccessToken, sees=_its_token)
def create_access_token(ws: WorkingSet, command: CreateAccessToken, scope: str | None) -> TokenMade:
    """Store the token. Its id is new, because it comes from chance."""
    assert scope in (None, command.namespace), "the engine has put the namespace of its scope into the command"
    _check_new(ws, command.token_id)
    token = AccessToken(
        command.token_id,
        command.secret_hash,
        command.kind,
        command.role,
        command.namespace,
        command.token_id if command.name is None else command.name,
        ws.now_ms,
        ws.actor,
        None if command.lifetime_ms is None else ws.now_ms + command.lifetime_ms,
        approves_own=command.approves_own,
    )
    ws.access_tokens.put(token)
    about = {"kind": token.kind, "role": token.role, "expires_at_ms": token.expires_at_ms}
    _announce(ws, token, "token_created", about)
    return TokenMade(token.token_id, token.created_at_ms, token.expires_at_ms)


def _token_and_session(command: LogIn, wanted: Needs) -> None:
    wanted.access_tokens |= {command.token_id, command.session_id}


@rule(LogIn, sees=_token_and_session)
def log_in(ws: WorkingSet, command: LogIn, scope: str | None) -> LoggedIn:
    """Open a session that allows what its token allows, and ends with it. A login link opens one session."""
    token = ws.access_tokens.get(command.token_id)
    if token is None or not compare_digest(token.secret_hash, command.secret_hash):
        raise InvalidToken
    if token.kind == "session" or not token.is_alive(ws.now_ms):
        raise InvalidToken
    if scope is not None and token.namespace not in (None, scope):
        raise InvalidToken
    _check_new(ws, command.session_id)
    is_link = token.kind == "login"
    expires_at_ms = ws.now_ms + SESSION_MS
    if not is_link and token.expires_at_ms is not None:
        expires_at_ms = min(expires_at_ms, token.expires_at_ms)
    session = replace(
        token,
        token_id=command.session_id,
        secret_hash=command.session_hash,
        kind="session",
        namespace=token.namespace if scope is None else scope,
        created_at_ms=ws.now_ms,
        created_by=token.name,
        expires_at_ms=expires_at_ms,
        parent_id=None if is_link else token.token_id,
        used_day_ms=None,
    )
    ws.access_tokens.put(session)
    used = replace(token, used_day_ms=_today(ws))
    ws.access_tokens.put(replace(used, revoked_at_ms=ws.now_ms) if is_link else used)
    _announce(ws, session, "logged_in", {"with": token.token_id, "expires_at_ms": expires_at_ms})
    return LoggedIn(principal_for(session, session.namespace), expires_at_ms)


def _its_session(command: LogOut, wanted: Needs) -> None:
    wanted.access_tokens.add(command.session_id)


@rule(LogOut, sees=_its_session)
def log_out(ws: WorkingSet, command: LogOut) -> bool:
    """End the session. Its token stays good."""
    session = ws.access_tokens.get(command.session_id)
    if session is None or session.kind != "session" or not session.is_alive(ws.now_ms):
        return False
    ws.access_tokens.put(replace(session, revoked_at_ms=ws.now_ms))
    _announce(ws, session, "logged_out", {})
    return True


@rule(RevokeAccessToken, sees=_its_token)
def revoke_access_token(
    ws: WorkingSet, command: RevokeAccessToken, scope: str | None
) -> TokenRevoked | AlreadySatisfied:
    """Revoke the token. The sessions that it has opened end with it. A token that was revoked stays as it is."""
    token = ws.access_tokens.get(command.token_id)
    if token is None or scope not in (None, token.namespace):
        where = "" if scope is None else f" in namespace {scope!r}"
        raise NotFound("access token", f"There is no access token {command.token_id}{where}. Check the id.")
    if token.revoked_at_ms is not None:
        return AlreadySatisfied("it was revoked before")
    ws.access_tokens.put(replace(token, revoked_at_ms=ws.now_ms))
    _announce(ws, token, "token_revoked", {"kind": token.kind, "role": token.role, "reason": command.reason})
    return TokenRevoked(token.token_id)


@rule(NoteTokenUse, sees=_its_token, comes_again=True)
def note_token_use(ws: WorkingSet, command: NoteTokenUse) -> bool:
    """Note the day. A token that is used all day long is written once."""
    token = ws.access_tokens.get(command.token_id)
    today = _today(ws)
    if token is None or (token.used_day_ms is not None and token.used_day_ms >= today):
        return False
    ws.access_tokens.put(replace(token, used_day_ms=today))
    return True


@rule(ForgetAccessToken, sees=_its_token, batch_class="removals", comes_again=True)
def forget_access_token(ws: WorkingSet, command: ForgetAccessToken) -> bool:
    """Remove the token, if it has been no good for long."""
    token = ws.access_tokens.get(command.token_id)
    if token is None or token.is_alive(ws.now_ms - DEAD_TOKENS_KEPT_MS):
        return False
    ws.access_tokens.remove(token.token_id)
    return True


def _check_new(ws: WorkingSet, token_id: str) -> None:
    if ws.access_tokens.get(token_id) is not None:
        raise Conflict(f"There is an access token {token_id} already. Nothing was changed; send the request again.")


def _today(ws: WorkingSet) -> int:
    return ws.now_ms - ws.now_ms % DAY_MS


def _announce(ws: WorkingSet, token: AccessToken, event_type: str, details: Mapping[str, object]) -> None:
    namespace = STORE_WIDE if token.namespace is None else token.namespace
    ws.announce(namespace, event_type, {"token": token.token_id, "name": token.name, **details})
