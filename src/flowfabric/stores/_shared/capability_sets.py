"""Which capabilities the number of a set stands for. Sets are never changed or removed, so they can be remembered.

There is one exception: a standby that takes over may lack the last commits, and may then give a number a second time.

The number also says in which part of the queue an execution waits. The stored tokens of executions with gates begin
with a mark, which no capability can be. So executions without gates have the same numbers as ever.
"""

from typing import Final, Generic, Literal, Protocol, TypeVar

import msgspec

from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Execution, Ready

Part = Literal["plain", "gated", "fair"]
"""The parts of the queue: executions without gates, with gates, and with fair keys."""
MARKS: Final[dict[Part, tuple[str, ...]]] = {"plain": (), "gated": (",",), "fair": (",,",)}
"""What stands before the capabilities of an execution in its stored tokens, by part of the queue."""

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
        self._parts: dict[int, Part] = {0: "plain"}
        self._ids: dict[tuple[str, ...], int] = {(): 0}

    def known_id(self, tokens: tuple[str, ...]) -> int | None:
        """The number of a set, if this process knows that the set is committed."""
        return self._ids.get(tokens)

    def tokens(self, capability_set: int, connection: Connection) -> tuple[str, ...]:
        """The capabilities of a set, without the mark of its part of the queue."""
        known = self._tokens.get(capability_set)
        if known is None:
            text = self._table.read_tokens(capability_set, connection)
            part, known = split(tokens_in(text, capability_set))
            self._parts[capability_set], self._tokens[capability_set] = part, known
        return known

    def part(self, capability_set: int, connection: Connection) -> Part:
        """The part of the queue that a set belongs to."""
        self.tokens(capability_set, connection)
        return self._parts[capability_set]

    def find_id(self, tokens: tuple[str, ...], connection: Connection, new: dict[tuple[str, ...], int]) -> int | None:
        """The number of a set (with the mark of its part), if it is stored, or was stored by this transaction."""
        known = self._ids.get(tokens, new.get(tokens))
        if known is None:
            known = self._table.read_id(tokens_text(tokens), connection)
            if known is not None:
                self._ids[tokens] = known
        return known

    def id_of(self, tokens: tuple[str, ...], connection: Connection, new: dict[tuple[str, ...], int]) -> int:
        """The number of a set (with the mark of its part), which is stored if it is new.

        For a write transaction, which keeps its new numbers in `new`.
        """
        found = self.find_id(tokens, connection, new)
        if found is not None:
            return found
        text = tokens_text(tokens)
        # A number from this transaction is valid only once the transaction has committed, and it may never commit.
        self._table.insert(text, connection)
        found = self._table.read_id(text, connection)
        assert found is not None
        new[tokens] = found
        return found


def stored_tokens(x: Execution) -> tuple[str, ...]:
    """The tokens under which an execution is stored: the mark of its part of the queue, and its capabilities."""
    part: Part = "plain"
    if x.gates is not None and x.gates.are_named:
        part = "gated" if x.gates.fair_key is None else "fair"
    return (*MARKS[part], *x.required_capabilities)


def tokens_of_place(ready: Ready) -> tuple[str, ...]:
    """The same for a place in the queue, or at a gate."""
    part: Part = "fair" if ready.turn else "gated" if ready.is_gated else "plain"
    needed = ready.required_capabilities
    return (*MARKS[part], *needed) if needed else MARKS[part]


def split(tokens: tuple[str, ...]) -> tuple[Part, tuple[str, ...]]:
    """The part of the queue and the capabilities that stored tokens spell."""
    for part, mark in MARKS.items():
        if mark and tokens[:1] == mark:
            return part, tokens[1:]
    return "plain", tokens


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
