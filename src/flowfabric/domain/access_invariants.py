"""What must hold of access tokens after every batch."""

from collections.abc import Iterator

from msgspec.structs import replace

from flowfabric.domain.access import DAY_MS, DEAD_TOKENS_KEPT_MS, LOGIN_MS, SECRET_BYTES, SESSION_MS, AccessToken
from flowfabric.domain.batch_io import Changes


def access_violations(changes: Changes, now_ms: int) -> Iterator[str]:
    """What one batch broke. No message shows more of a token than its id."""
    for before, after in changes.access_tokens:
        if after is not None:
            yield from _violations_of(after, now_ms)
            if before is not None:
                yield from _only_use_and_end_change(before, after)
        elif before is not None and before.is_alive(now_ms - DEAD_TOKENS_KEPT_MS):
            yield f"token {before.token_id} is removed, though it is good or has ended lately"


def _violations_of(token: AccessToken, now_ms: int) -> Iterator[str]:
    where = f"{token.kind} token {token.token_id}"
    if len(token.secret_hash) != SECRET_BYTES:
        yield f"{where} has a hash of {len(token.secret_hash)} bytes"
    if token.expires_at_ms is not None and token.expires_at_ms <= token.created_at_ms:
        yield f"{where} expires before it is made"
    if token.revoked_at_ms is not None and not token.created_at_ms <= token.revoked_at_ms <= now_ms:
        yield f"{where} is revoked before it is made, or in the future"
    if token.used_day_ms is not None and (token.used_day_ms % DAY_MS or token.used_day_ms > now_ms):
        yield f"{where} is used on {token.used_day_ms}, which is no day that has begun"
    longest = {"session": SESSION_MS, "login": LOGIN_MS}.get(token.kind)
    if longest is not None and (token.expires_at_ms is None or token.expires_at_ms > token.created_at_ms + longest):
        yield f"{where} is good for too long"
    if token.parent_id is not None and token.kind != "session":
        yield f"{where} was opened by another token"


def _only_use_and_end_change(before: AccessToken, after: AccessToken) -> Iterator[str]:
    same = replace(after, revoked_at_ms=before.revoked_at_ms, used_day_ms=before.used_day_ms)
    if same != before:
        yield f"token {after.token_id} is another one than before"
    if before.revoked_at_ms is not None and after.revoked_at_ms != before.revoked_at_ms:
        yield f"token {after.token_id} was revoked, and its end has changed"
    if (before.used_day_ms or 0) > (after.used_day_ms or 0):
        yield f"token {after.token_id} was used last before it was used"
