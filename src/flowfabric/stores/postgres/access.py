"""Access tokens in a PostgreSQL database: as arrays, and what callers read."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from flowfabric.domain.access import SESSION_MS, AccessToken, TokenKind
from flowfabric.domain.inputs import INSTANT_MS_MAX
from flowfabric.stores._shared.access import TOKEN_COLUMNS, token_of, token_row_of
from flowfabric.stores.postgres.readers import ReadSide, refusing_bad_cursors
from flowfabric.stores.postgres.rows import ARRAY_OF, Arrays, texts

_NEWEST: Final = (INSTANT_MS_MAX + 1, "")


def token_ids(of: Iterable[str]) -> Arrays:
    """The key column of ff_access_token."""
    return {"token_id": texts(of)}


def tokens(rows: Sequence[AccessToken]) -> Arrays:
    """Every column of ff_access_token."""
    columns = zip(*map(token_row_of, rows), strict=True)
    return {name: ARRAY_OF[kind](values) for (name, kind), values in zip(TOKEN_COLUMNS, columns, strict=True)}


def changing_columns(rows: Sequence[AccessToken]) -> Arrays:
    """The key column, and those that change."""
    every = tokens(rows)
    return {name: every[name] for name in ("token_id", "revoked_at_ms", "used_day_ms", "ends_at_ms")}


class PostgresAccessReads(ReadSide):
    """The tokens that a database holds."""

    def access_token(self, token_id: str) -> AccessToken | None:
        """One token."""
        with self.readers.reading() as connection:
            row = connection.execute(self.sql["read_access_token"].encode(), {"token_id": token_id}).fetchone()
        return None if row is None else token_of(row)

    def access_tokens(
        self, namespace: str | None, kind: TokenKind | None, after: tuple[int, str] | None, limit: int
    ) -> list[AccessToken]:
        """Tokens, newest first."""
        created_at_ms, token_id = after or _NEWEST
        position = {"created_at_ms": created_at_ms, "token_id": token_id}
        values: dict[str, Any] = {**position, "namespace": namespace, "kind": kind, "most": limit}
        with self.readers.reading() as connection, refusing_bad_cursors():
            found = connection.execute(self.sql["list_access_tokens"].encode(), values).fetchall()
        return [token_of(row) for row in found]

    def surplus_sessions(self, token_id: str, now_ms: int, kept: int) -> list[str]:
        """Sessions that are too many."""
        values = {"token_id": token_id, "since_ms": now_ms - SESSION_MS, "now_ms": now_ms, "kept": kept}
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["find_surplus_sessions"].encode(), values).fetchall()
        return [row[0] for row in found]
