"""Access tokens as column values, the same in every SQL store, and back."""

from typing import Any, Final

from flowfabric.domain.access import ROLES, SECRET_BYTES, TOKEN_KINDS, AccessToken
from flowfabric.domain.errors import Corruption

TOKEN_COLUMNS: Final = (
    ("token_id", str),
    ("secret_hash", bytes),
    ("kind", str),
    ("role", str),
    ("namespace", str),
    ("name", str),
    ("created_at_ms", int),
    ("created_by", str),
    ("expires_at_ms", int),
    ("revoked_at_ms", int),
    ("parent_id", str),
    ("approves_own", int),
    ("used_day_ms", int),
    ("ends_at_ms", int),
)
"""The columns of ff_access_token, in the order of the row. The last one follows from the others."""


def token_row_of(token: AccessToken) -> tuple[Any, ...]:
    """Every column of ff_access_token."""
    return (
        token.token_id,
        token.secret_hash,
        token.kind,
        token.role,
        token.namespace,
        token.name,
        token.created_at_ms,
        token.created_by,
        token.expires_at_ms,
        token.revoked_at_ms,
        token.parent_id,
        int(token.approves_own),
        token.used_day_ms,
        token.ends_at_ms,
    )


def token_of(row: tuple[Any, ...]) -> AccessToken:
    """The token that a row of ff_access_token spells, without the column that follows from the others."""
    token_id, secret_hash, kind, role, namespace, name, created_at_ms, created_by, expires_at_ms, *ends = row
    revoked_at_ms, parent_id, approves_own, used_day_ms = ends
    if kind not in TOKEN_KINDS or role not in ROLES or len(secret_hash) != SECRET_BYTES:
        raise Corruption(
            f"ff_access_token, key {token_id}: column kind, role or secret_hash does not parse. Delete the row, and "
            "create a new token."
        )
    return AccessToken(
        token_id,
        bytes(secret_hash),
        kind,
        role,
        namespace,
        name,
        created_at_ms,
        created_by,
        expires_at_ms,
        revoked_at_ms,
        parent_id,
        bool(approves_own),
        used_day_ms,
    )
