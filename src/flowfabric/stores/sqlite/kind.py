"""`sqlite:///relative.db` and `sqlite:////absolute.db`: a store in a file, for the processes of one machine."""

import os
import unicodedata
from typing import Final
from urllib.parse import parse_qsl

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.ports.clock import Clock
from flowfabric.stores._shared.migrate import Plan
from flowfabric.stores.kinds import Opening, StoreKind
from flowfabric.stores.sqlite.store import SqliteStore, plan

IN_MEMORY: Final = ":memory:"
"""SQLite's own name for a database in memory."""


class SqliteKind(StoreKind):
    """Database files."""

    examples = ("sqlite:///relative.db", "sqlite:////absolute.db")

    def open(self, url: str, how: Opening) -> SqliteStore:
        """The store in the file that a url names."""
        path, synchronous = file_of(url)
        return SqliteStore(
            path,
            synchronous=synchronous,
            migrate=how.migrate is not False,
            clock=how.clock,
            connections=how.connections,
        )

    def plan(self, url: str) -> Plan:
        """Which migrations are still to be applied."""
        return plan(file_of(url)[0])

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        """The facts about the file's health."""
        from flowfabric.stores.sqlite.health import examine

        return examine(file_of(url)[0], clock=clock, machine=machine)

    def name_of(self, url: str) -> str:
        """The file's path."""
        return f"the file {os.path.abspath(file_of(url)[0])}"

    def settled(self, url: str) -> str:
        """The url with an absolute path: a relative path starts in the current folder."""
        relative = url.removeprefix("sqlite:///")
        if relative == url or relative.startswith("/") or relative.partition("?")[0] == IN_MEMORY:
            return url  # `:memory:` is no file in a folder; `open` refuses it
        return f"sqlite:///{os.path.join(_current_folder(), relative)}"

    def missing_file(self, url: str) -> str | None:
        """The file, if it does not exist yet."""
        path, _ = file_of(url)
        return None if os.path.exists(path) else path

    def accept_clock(self, url: str) -> int:
        """Use the clock of this machine as the time of the file again."""
        store = self.open(url, Opening(migrate=False))
        try:
            return store.accept_clock()
        finally:
            store.close()


def file_of(url: str) -> tuple[str, str]:
    """The file that a url names, and how its writes are synchronised."""
    # Parsed by hand: all characters are allowed in a folder's name, and only a question mark is special in a file's.
    folder, slash, last = url.removeprefix("sqlite://").rpartition("/")
    name, _, query = last.partition("?")
    path = f"{folder}{slash}{name}"[1:]
    options = dict(parse_qsl(query, keep_blank_values=True))
    synchronous = options.pop("synchronous", "full").lower()
    if not url.startswith("sqlite:///") or name in ("", ".", "..") or path == IN_MEMORY:
        raise InvalidInput(
            f"The url {url!r} names no file. Write 'sqlite:///relative.db' or 'sqlite:////absolute.db', "
            "or 'memory://' for a store that is forgotten."
        )
    if any(unicodedata.category(char) == "Cc" for char in path) or not _can_be_a_name(path):
        raise InvalidInput(
            f"The url {url!r} names a file with control characters, or with some that no file can have. Rename it."
        )
    if options or synchronous not in ("full", "normal"):
        raise InvalidInput(f"The url {url!r} has unknown options. The one there is: synchronous=full or normal.")
    if not os.path.isabs(path):
        _current_folder()
    return path, synchronous


def _current_folder() -> str:
    """The folder in which a relative path starts."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise InvalidInput(
            "The url names a file relative to the current folder of this process, and that folder was deleted. "
            "Write an absolute path, such as 'sqlite:////var/lib/jobs.db', or start the process in another folder."
        ) from error


def _can_be_a_name(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
