"""One kind of record: how it is declared, and the table in which decisions see it.

A table knows what was loaded, what has changed, and what is still to be loaded. A declaration has a different type in
each view of a batch: in `Needs` it is a set of keys, in `Loaded` a dictionary, in a `WorkingSet` a table, and in
`Changes` the changes of the table.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes, Loaded, Needs
    from flowfabric.domain.working_set import WorkingSet

K = TypeVar("K")
V = TypeVar("V")

Journal = list[tuple[dict[Any, Any], Any, Any]]
"""The changes since a point, to be undone: a dictionary, a key in it, and the value before the change or `ABSENT`."""
ABSENT: Any = object()


class MoreNeeded(Exception):
    """A decision needs more than was loaded. The working set has noted what is missing."""


class NotLoaded(AssertionError):
    """A decision read something that its needs did not ask for: a bug, found before it becomes a race."""


class Table(Generic[K, V]):
    """The records of one kind."""

    __slots__ = ("_asked", "_journal", "_key_of", "_missing", "_puts", "changed", "loaded")

    def __init__(
        self, loaded: dict[K, V], asked: set[K], missing: set[K], journal: Journal, key_of: Callable[[V], K]
    ) -> None:
        self.loaded = loaded
        self.changed: dict[K, V | None] = {}
        """The records that have changed. None: the record is removed."""
        self._asked = asked
        self._missing = missing
        self._journal = journal
        self._key_of = key_of
        self._puts: list[V] | None = None

    def get(self, key: K) -> V | None:
        """The record as it is now, or None if there is none. If it was never asked for, MoreNeeded is raised."""
        changed = self.changed
        if key in changed:
            return changed[key]
        found = self.loaded.get(key)
        if found is None and key not in self._asked:
            self._missing.add(key)
            raise MoreNeeded
        return found

    def __getitem__(self, key: K) -> V:
        """The record as it is now, which must be there."""
        found = self.get(key)
        assert found is not None, key
        return found

    def known(self, key: K) -> V | None:
        """The record, if it was loaded or changed. None: it may still be stored."""
        changed = self.changed
        return changed[key] if key in changed else self.loaded.get(key)

    def is_new(self, key: K) -> bool:
        """Whether this batch has made the record."""
        return key not in self.loaded and self.changed.get(key) is not None

    def was_asked(self, key: K) -> bool:
        """Whether the store has looked for the record."""
        return key in self._asked

    def put(self, record: V) -> None:
        """Store this as the new state of the record."""
        changed = self.changed
        key = self._key_of(record)
        self._journal.append((changed, key, changed.get(key, ABSENT)))
        changed[key] = record
        if self._puts is not None:
            self._puts.append(record)

    def put_at(self, key: K, value: V) -> None:
        """Store a value that does not contain its own key."""
        note(self._journal, self.changed, key, value)

    def remove(self, key: K) -> None:
        """Remove the record with everything that belongs to it."""
        note(self._journal, self.changed, key, None)

    def log_puts(self) -> list[V]:
        """A list that gets every record that is put from now on. A record stays in the list even if it is undone."""
        self._puts = []
        return self._puts


def note(journal: Journal, changed: dict[K, V], key: K, value: V) -> None:
    """Change a dictionary, and note the old value so that the change can be undone."""
    journal.append((changed, key, changed.get(key, ABSENT)))
    changed[key] = value


def undo(journal: Journal) -> None:
    """Undo all noted changes, last to first."""
    for changed, key, before in reversed(journal):
        if before is ABSENT:
            del changed[key]
        else:
            changed[key] = before
    journal.clear()


# ── how a store gets the changes ─────────────────────────────────────────────────────────────────

C = TypeVar("C")
"""The form in which a store gets the changes of a kind."""
W = TypeVar("W")
Pairs = list[tuple[V | None, W]]
"""(before, after) of each changed record. None before: it is new. None after: it is removed."""
Values = Mapping[K, W]
"""The new value of each changed record. None: it is removed."""


def pairs(before: Mapping[K, V], changed: Mapping[K, V | None]) -> Pairs[V, V | None]:
    """Each changed record before and after."""
    return [(before.get(key), after) for key, after in changed.items() if before.get(key) is not after]


def lasting_pairs(before: Mapping[K, V], changed: Mapping[K, V | None]) -> Pairs[V, V]:
    """The same for records that no batch removes one by one."""
    return [
        (before.get(key), after) for key, after in changed.items() if after is not None and before.get(key) is not after
    ]


def values(before: Mapping[K, V], changed: Mapping[K, V | None]) -> Values[K, V | None]:
    """Each changed record as it is now."""
    return changed


def lasting_values(before: Mapping[K, V], changed: Mapping[K, V | None]) -> Values[K, V]:
    """The same for records that no batch removes one by one."""
    return {key: after for key, after in changed.items() if after is not None}


def keys(before: Mapping[K, V], changed: Mapping[K, V | None]) -> Sequence[K]:
    """Only the keys of the changed records."""
    return list(changed)


# ── how a kind is declared ─────────────────────────────────────────────────────────────────────


class Kind(Generic[K, V, C]):
    """The declaration of a kind that decisions write and never read: its key, its records and its changes."""

    is_found = False
    """Whether a store loads it."""
    is_asked = False
    """Whether a batch asks for it by its key."""

    def __init__(self, changes_of: Callable[[Mapping[K, V], Mapping[K, V | None]], C], *key: str) -> None:
        """`changes_of` makes what a store gets. `key`: the fields of the record that are its key, if it has any."""
        self.changes_of = changes_of
        self.key_of: Callable[[V], Any] = attrgetter(*key) if key else _has_no_key
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, view: "Changes", owner: type) -> C: ...
    @overload
    def __get__(self, view: "WorkingSet", owner: type) -> Table[K, V]: ...
    def __get__(self, view: Any, owner: type) -> Any:
        """The table of this kind in a working set. It is made when it is first used."""
        if view is None:
            return self
        table = view.new_table(self)
        setattr(view, self.name, table)  # later reads find this attribute, and do not come here
        return table


class Found(Kind[K, V, C]):
    """The declaration of a kind that is loaded together with something else."""

    is_found = True

    if TYPE_CHECKING:

        @overload
        def __get__(self, view: "Changes", owner: type) -> C: ...
        @overload
        def __get__(self, view: "WorkingSet", owner: type) -> Table[K, V]: ...
        @overload
        def __get__(self, view: "Loaded", owner: type) -> dict[K, V]: ...
        def __get__(self, view: Any, owner: type) -> Any: ...

        def __set__(self, view: "Loaded", value: dict[K, V]) -> None: ...


class Asked(Found[K, V, C]):
    """The declaration of a kind that a batch asks for by its key."""

    is_asked = True

    if TYPE_CHECKING:

        @overload
        def __get__(self, view: "Changes", owner: type) -> C: ...
        @overload
        def __get__(self, view: "WorkingSet", owner: type) -> Table[K, V]: ...
        @overload
        def __get__(self, view: "Loaded", owner: type) -> dict[K, V]: ...
        @overload
        def __get__(self, view: "Needs", owner: type) -> set[K]: ...
        def __get__(self, view: Any, owner: type) -> Any: ...

        @overload
        def __set__(self, view: "Needs", value: set[K]) -> None: ...
        @overload
        def __set__(self, view: "Loaded", value: dict[K, V]) -> None: ...
        def __set__(self, view: Any, value: Any) -> None: ...


def _has_no_key(record: object) -> Any:
    raise AssertionError(f"{type(record).__name__} does not name its key: use `put_at`")
