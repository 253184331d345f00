"""The engine's methods for access tokens and sessions.

No secret appears in a message, in a log or in the text of an object.
"""

import secrets
from contextlib import suppress
from typing import Final, Literal

from flowfabric.domain import access, inputs
from flowfabric.domain.access import (
    DAY_MS,
    LOGIN_MS,
    SESSIONS_MAX,
    AccessToken,
    AccessTokenSnapshot,
    Minted,
    NewAccessToken,
    Principal,
    Role,
    Session,
    TokenKind,
    TokenRevoked,
)
from flowfabric.domain.commands import CreateAccessToken, LogIn, LogOut, NoteTokenUse, RevokeAccessToken
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import Conflict, Contention, InvalidToken, StoreError
from flowfabric.domain.outcomes import AlreadySatisfied
from flowfabric.domain.snapshots import Page
from flowfabric.engine.known_tokens import KnownToken
from flowfabric.engine.scope import Scoped

LOCAL: Final = "local"
"""Who opens a login link, if its maker does not say."""


class AccessMethods(Scoped):
    """The engine's methods for access tokens and sessions."""

    async def create_access_token(
        self,
        role: Role,
        *,
        namespace: str | None = None,
        name: str | None = None,
        expires_in_ms: int | None = None,
        approves_own: bool = False,
        command_id: str | None = None,
    ) -> NewAccessToken:
        """Make an access token. Its secret is in the answer, and nowhere else: only a hash is stored.

        Without a namespace it opens all of them. `name` says who holds it, and is the actor of what it does; without
        one it is called by its id. With `approves_own`, an approver may also approve what it has made itself.
        """
        command = self._creation(
            minted := _minted(), "access", role, namespace, name, access.lifetime_ms(expires_in_ms), approves_own
        )
        return await self._created(minted, command, command_id)

    async def create_login_token(
        self, role: Role = "admin", *, namespace: str | None = None, name: str = LOCAL
    ) -> NewAccessToken:
        """Make a login link: it opens one session, within ten minutes. A server on this machine prints one."""
        minted = _minted()
        command = self._creation(minted, "login", role, namespace, name, LOGIN_MS, False)
        return await self._created(minted, command, None)

    async def log_in(self, secret: str) -> Session | None:
        """Open a session with a token or a login link: for twelve hours, and not longer than its token is good.

        None: this opens no session, and nothing says why. A login link is used up. A token has at most twenty sessions:
        a further one ends the oldest.
        """
        presented = access.presented(secret)
        if presented is None:
            return None
        session = _minted()
        try:
            made = await self._execute(LogIn(*presented, session.token_id, session.secret_hash), None)
        except InvalidToken:
            return None
        await self._end_surplus_sessions(presented.token_id)
        return Session(session.text, made.principal, made.expires_at_ms)

    async def _end_surplus_sessions(self, token_id: str) -> None:
        surplus = await self._shell.read(
            lambda: self._store.surplus_sessions(token_id, self._store.now_ms, SESSIONS_MAX)
        )
        if surplus:
            await self._execute_all([LogOut(session_id) for session_id in surplus])
            self._services.tokens.forget()

    async def log_out(self, secret: str) -> None:
        """End a session. A repeat does no harm, and neither does a token that is no session. Its token stays good."""
        who = await self.authenticate(secret)
        if who is not None and who.kind == "session":
            await self._execute(LogOut(who.token_id), None)
            self._services.tokens.forget()

    async def authenticate(self, secret: str) -> Principal | None:
        """Who sent this token. None: it is not good, for whatever reason. A login link is not.

        What was read of a token is used for at most a second. An engine that is confined to a namespace lets tokens of
        that namespace in, and tokens for all namespaces, confined as well.
        """
        presented = access.presented(secret)
        if presented is None:
            return None
        known = self._services.tokens.fresh(presented.token_id)
        if known is None:
            known = await self._read_token(presented.token_id)
        who = access.principal_of(known.token, known.parent, presented, self._scope, known.now_ms)
        if who is not None and known.token is not None:
            await self._note_use(known.token, known.now_ms)
        return who

    async def list_access_tokens(
        self,
        *,
        namespace: str | None = None,
        kind: TokenKind | None = "access",
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Access tokens, newest first, page by page, also those that are no good any more. None of them has its secret.

        `kind`: `"access"`, `"session"`, `"login"`, or None for all. A token that is no good is kept for thirty days.
        """
        of_namespace = inputs.optional_namespace_in_scope(namespace, self._scope)
        of_kind = access.kind(kind)
        limit = inputs.limit(limit)
        after = None
        if cursor is not None:
            after = unpack_cursor(cursor, "access_tokens", self._store.name, tuple[int, str])
        found = await self._shell.read(lambda: self._store.access_tokens(of_namespace, of_kind, after, limit + 1))
        now_ms = await self.server_time_ms()
        next_cursor = None
        if len(found) > limit:
            last = found[limit - 1]
            next_cursor = pack_cursor("access_tokens", self._store.name, (last.created_at_ms, last.token_id))
        return Page([access.snapshot_of(token, now_ms) for token in found[:limit]], next_cursor)

    async def revoke_access_token(
        self, token_id: str, *, reason: str = "", command_id: str | None = None
    ) -> TokenRevoked | AlreadySatisfied:
        """Make a token or a session worthless, and the sessions that the token has opened.

        In this engine that holds at once, in others within a second.
        """
        command = RevokeAccessToken(access.token_id(token_id), inputs.text("reason", reason))
        answer = await self._execute(command, command_id)
        self._services.tokens.forget()
        return answer

    async def has_access_tokens(self) -> bool:
        """Whether there is any access token, good or not, in any namespace. Sessions and login links do not count."""
        return bool(await self._shell.read(lambda: self._store.access_tokens(None, "access", None, 1)))

    def _creation(
        self,
        minted: Minted,
        kind: Literal["access", "login"],
        role: object,
        namespace: object,
        name: object,
        lifetime_ms: int | None,
        approves_own: object,
    ) -> CreateAccessToken:
        return CreateAccessToken(
            minted.token_id,
            minted.secret_hash,
            kind,
            access.role(role),
            inputs.optional_namespace_in_scope(namespace, self._scope),
            inputs.key("name", name),
            lifetime_ms,
            inputs.flag("approves_own", approves_own),
        )

    async def _created(self, minted: Minted, command: CreateAccessToken, command_id: str | None) -> NewAccessToken:
        made = await self._execute(command, command_id)
        if made.token_id != minted.token_id:
            raise Conflict(
                f"This command_id has made the access token {made.token_id} already, and its secret was shown then. "
                "Revoke that token, and create another one with a new command_id."
            )
        token = AccessTokenSnapshot(
            made.token_id,
            command.kind,
            command.role,
            command.namespace,
            made.token_id if command.name is None else command.name,
            True,
            made.created_at_ms,
            self._actor,
            made.expires_at_ms,
            None,
            None,
            command.approves_own,
            None,
        )
        return NewAccessToken(minted.text, token)

    async def _read_token(self, token_id: str) -> KnownToken:
        tokens = self._services.tokens
        read_at_s = tokens.monotonic()
        known = await self._shell.read(lambda: self._known_token(token_id))
        tokens.learn(token_id, known, read_at_s)
        return known

    def _known_token(self, token_id: str) -> KnownToken:
        token = self._store.access_token(token_id)
        if token is None:
            return KnownToken(None, None, 0)
        parent = None if token.parent_id is None else self._store.access_token(token.parent_id)
        return KnownToken(token, parent, self._store.now_ms)

    async def _note_use(self, token: AccessToken, now_ms: int) -> None:
        """Write that the token is in use today, unless that is known. A day that is not noted does no harm."""
        if token.used_day_ms is not None and now_ms < token.used_day_ms + DAY_MS:
            return
        with suppress(StoreError, Contention):
            await self._execute(NoteTokenUse(token.token_id), None)
            await self._read_token(token.token_id)


def _minted() -> Minted:
    return access.minted(secrets.token_bytes(access.ID_CHANCE_BYTES + access.SECRET_BYTES))
