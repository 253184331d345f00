"""Access tokens in a SQLite file: what batches load, and what callers read."""

import sqlite3
from typing import Final

from flowfabric.domain.access import SESSION_MS, AccessToken, TokenKind
from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.inputs import INSTANT_MS_MAX
from flowfabric.stores._shared.access import token_of
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.sqlite.readers import ReadSide

_NEWEST: Final = (INSTANT_MS_MAX + 1, "")


def load_access_tokens(needs: Needs, loaded: Loaded, connection: sqlite3.Connection, sql: Statements) -> None:
    """Read the tokens that the batch asks for. Most batches ask for none."""
    for token_id in needs.access_tokens:
        row = connection.execute(sql["load_access_token"], (token_id,)).fetchone()
        if row is not None:
            loaded.access_tokens[token_id] = token_of(row)


class SqliteAccessReads(ReadSide):
    """The tokens that a file holds."""

    def access_token(self, token_id: str) -> AccessToken | None:
        """One token."""
        with self.readers.reading() as connection:
            row = connection.execute(self.sql["load_access_token"], (token_id,)).fetchone()
        return None if row is None else token_of(row)

    def access_tokens(
        self, namespace: str | None, kind: TokenKind | None, after: tuple[int, str] | None, limit: int
    ) -> list[AccessToken]:
        """Tokens, newest first."""
        values = (*(after or _NEWEST), namespace, kind, limit)
        with self.readers.reading() as connection:
            return [token_of(row) for row in connection.execute(self.sql["list_access_tokens"], values).fetchall()]

    def surplus_sessions(self, token_id: str, now_ms: int, kept: int) -> list[str]:
        """Sessions that are too many."""
        with self.readers.reading() as connection:
            values = (now_ms - SESSION_MS, token_id, now_ms, kept)
            found = connection.execute(self.sql["find_surplus_sessions"], values).fetchall()
        return [row[0] for row in found]
