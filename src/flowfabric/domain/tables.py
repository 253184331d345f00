"""One kind of record as decisions see it: what was loaded, what has changed, and what is still to be loaded."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

Journal = list[tuple[dict[Any, Any], Any, Any]]
"""What was changed since a point, to be undone: a dictionary, a key in it, and the value before or `ABSENT`."""
ABSENT: Any = object()


class MoreNeeded(Exception):
    """A decision needs to see more than was loaded; what, is noted in the working set."""


class NotLoaded(AssertionError):
    """A decision read something that its needs did not ask for: our bug, found before it becomes a race."""


class Table(Generic[K, V]):
    """The records of one kind."""

    __slots__ = ("_asked", "_journal", "_key_of", "_missing", "_puts", "changed", "loaded")

    def __init__(
        self, loaded: dict[K, V], asked: set[K], missing: set[K], journal: Journal, key_of: Callable[[V], K]
    ) -> None:
        self.loaded = loaded
        self.changed: dict[K, V | None] = {}
        """What is different now. None: the record is gone."""
        self._asked = asked
        self._missing = missing
        self._journal = journal
        self._key_of = key_of
        self._puts: list[V] | None = None

    def get(self, key: K) -> V | None:
        """The record as it is now, or None if there is none. If it was not asked for, it is loaded first."""
        changed = self.changed
        if key in changed:
            return changed[key]
        found = self.loaded.get(key)
        if found is None and key not in self._asked:
            self._missing.add(key)
            raise MoreNeeded
        return found

    def known(self, key: K) -> V | None:
        """The record as far as it was loaded or changed; None says nothing about what is stored."""
        changed = self.changed
        return changed[key] if key in changed else self.loaded.get(key)

    def is_new(self, key: K) -> bool:
        """Whether this batch has made the record."""
        return key not in self.loaded and self.changed.get(key) is not None

    def was_asked(self, key: K) -> bool:
        """Whether the store has looked for the record."""
        return key in self._asked

    def put(self, record: V) -> None:
        """Make this the record's state."""
        changed = self.changed
        key = self._key_of(record)
        self._journal.append((changed, key, changed.get(key, ABSENT)))
        changed[key] = record
        if self._puts is not None:
            self._puts.append(record)

    def put_at(self, key: K, value: V) -> None:
        """Keep this under the key, which the value does not name by itself."""
        note(self._journal, self.changed, key, value)

    def remove(self, key: K) -> None:
        """Make the record disappear with everything that belongs to it."""
        note(self._journal, self.changed, key, None)

    def log_puts(self) -> list[V]:
        """From now on, all records that are put; they stay in the list if they are undone."""
        self._puts = []
        return self._puts


def note(journal: Journal, changed: dict[K, V], key: K, value: V) -> None:
    """Change a dictionary so that it can be undone."""
    journal.append((changed, key, changed.get(key, ABSENT)))
    changed[key] = value


def undo(journal: Journal) -> None:
    """Take back everything that is noted, last to first."""
    for changed, key, before in reversed(journal):
        if before is ABSENT:
            del changed[key]
        else:
            changed[key] = before
    journal.clear()
