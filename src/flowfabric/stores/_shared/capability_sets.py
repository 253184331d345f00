"""Which capabilities the number of a set stands for. Sets are never changed or removed, so they can be remembered.

There is one exception: a standby that takes over may lack the last commits, and may then give a number a second time.
"""

from typing import Generic, Protocol, TypeVar

import msgspec

from flowfabric.domain.errors import Corruption

Connection = TypeVar("Connection")
Connection_contra = TypeVar("Connection_contra", contravariant=True)


class CapabilityTable(Protocol[Connection_contra]):
    """The table of sets, as one store reads and writes it."""

    def read_tokens(self, capability_set: int, connection: Connection_contra) -> str | None:
        """The tokens of a set; None if it is not there."""

    def read_id(self, tokens: str, connection: Connection_contra) -> int | None:
        """The number of a set that has been stored."""

    def insert(self, tokens: str, connection: Connection_contra) -> None:
        """Store a set, unless another transaction has just stored it."""


class CapabilitySets(Generic[Connection]):
    """Sets by number and numbers by set, remembered in the process."""

    def __init__(self, table: CapabilityTable[Connection]) -> None:
        self._table = table
        self.forget()

    def forget(self) -> None:
        """Forget all sets: the store may have lost its last commits."""
        self._tokens: dict[int, tuple[str, ...]] = {0: ()}
        self._ids: dict[tuple[str, ...], int] = {(): 0}

    def known_id(self, tokens: tuple[str, ...]) -> int | None:
        """The number of a set, if this process knows that the set is committed."""
        return self._ids.get(tokens)

    def tokens(self, capability_set: int, connection: Connection) -> tuple[str, ...]:
        """The capabilities of a set."""
        known = self._tokens.get(capability_set)
        if known is None:
            text = self._table.read_tokens(capability_set, connection)
            known = self._tokens[capability_set] = tokens_in(text, capability_set)
        return known

    def id_of(self, tokens: tuple[str, ...], connection: Connection, new: dict[tuple[str, ...], int]) -> int:
        """The number of a set, which is stored if it is new.

        For a write transaction, which keeps its new numbers in `new`.
        """
        known = self._ids.get(tokens, new.get(tokens))
        if known is not None:
            return known
        text = tokens_text(tokens)
        found = self._table.read_id(text, connection)
        if found is not None:
            self._ids[tokens] = found
            return found
        # A number from this transaction is valid only once the transaction has committed, and it may never commit.
        self._table.insert(text, connection)
        found = self._table.read_id(text, connection)
        assert found is not None
        new[tokens] = found
        return found


def tokens_text(tokens: tuple[str, ...]) -> str:
    """A set as it is stored."""
    return msgspec.json.encode(tokens).decode()


def tokens_in(text: str | None, capability_set: int) -> tuple[str, ...]:
    """The set that a text spells."""
    try:
        if text is None:
            raise msgspec.DecodeError("the row is gone")
        return tuple(msgspec.json.decode(text, type=list[str]))
    except msgspec.MsgspecError as error:
        raise Corruption(
            f"ff_capability_set, key {capability_set}: column tokens does not parse ({error}). Repair the row; only "
            "executions whose column capability_set names it are affected."
        ) from error
