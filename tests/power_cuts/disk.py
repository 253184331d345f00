"""A disk whose power can be cut: which bytes and names it may hold after a recorded log has come to some point.

What was synced is there. Of everything else, each page or sector of a file is as it was after any of the writes since
then, and each folder has its names as they were after any of the changes since then. The disk writes back in any order,
so the parts of one write and the files of one folder are independent. The rules, and what they leave out:

- A sector of 512 bytes is written whole or not at all. SQLite and PostgreSQL both rely on that.
- Where a file has grown and the bytes were not written, there are zeros.
- A sync of a file does not sync its name, and a sync of a folder does not sync its files.
- A rename is one change. Where it crosses folders, it belongs to the folder of the new name.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tests.power_cuts.recording import Kind, Record

SECTOR: Final = 512
PAGE: Final = 4096
ALL: Final = 1 << 62
NONE: Final = -1
"""Limits for all changes, and for none."""

Image = dict[str, bytes | bytearray | None]
"""Paths and what is in the files; None: a folder."""


class Unmodelled(Exception):
    """The log has something that this disk does not know."""


class Change(NamedTuple):
    """One change of a file that was not synced yet."""

    number: int
    """Which record of the log it is."""
    offset: int
    data: bytes | None
    """None: a new size, which is `offset`."""


class NameChange(NamedTuple):
    """One change of the names in a folder."""

    number: int
    folder: str
    gone: str | None
    path: str | None
    node: "Node | None"


@dataclass
class Node:
    """A file, or a folder, whatever its name is."""

    is_folder: bool = False
    synced: bytearray = field(default_factory=bytearray)
    changes: list[Change] = field(default_factory=list)
    """What has happened since the last sync, in order."""


class Chance:
    """Which changes a power cut has let through: for each unit of the disk the number of the last one."""

    def __init__(self, seed: str, numbers: list[int]) -> None:
        self._chance = random.Random(seed)
        self._numbers = sorted(numbers)
        self.way = self._chance.choice(WAYS)
        self.unit = self._chance.choice((SECTOR, PAGE))
        self._often = self._chance.choice((0.05, 0.3, 0.5, 0.7, 0.95))
        last = self._chance.randint(0, len(self._numbers))
        self._last_in_order = (self._number(last), self._number(last + 1))
        """The last change that was let through whole, and the next one, which came in part."""

    def limit(self) -> int:
        """The number of the last change that one more unit has got."""
        if self.way == "nothing":
            return NONE
        if self.way == "everything":
            return ALL
        if self.way == "in order":
            return self._chance.choice(self._last_in_order)
        if self._chance.random() < self._often:
            return ALL
        return NONE if self._chance.random() < 0.5 else self._number(self._chance.randint(0, len(self._numbers)))

    def garbage(self, length: int) -> bytes:
        """Bytes that nobody has written."""
        return self._chance.randbytes(length)

    def _number(self, place: int) -> int:
        """The number of the change at a place, counted from 1."""
        if place == 0:
            return NONE
        return ALL if place > len(self._numbers) else self._numbers[place - 1]


WAYS: Final = ("nothing", "everything", "in order", "in order", "any order", "any order", "any order")
"""What a power cut may do to writes that were not synced. Some come more often."""


class Disk:
    """The state of one recorded folder at some point of its log."""

    def __init__(self, base: Image | None = None) -> None:
        self._nodes = {"": Node(is_folder=True)}
        """By path, as the processes see it."""
        for path, content in (base or {}).items():
            self._nodes[path] = Node(content is None, bytearray(content or b""))
        self._kept = dict(self._nodes)
        """By path, as far as folders were synced."""
        self._names: list[NameChange] = []
        self._inodes: dict[int, Node] = {}
        self._syncs: dict[tuple[int, int], int] = {}
        """When syncs that are under way began, by thread and inode."""
        self._changed: dict[int, Node] = {}
        """Files with changes since their last sync."""
        self.position = 0

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    def apply(self, record: Record) -> None:
        """Go one record on."""
        self.position += 1
        _APPLY[record.kind](self, record)

    def _write(self, it: Record) -> None:
        self._change(it, Change(self.position, it.offset, it.data))

    def _resize(self, it: Record) -> None:
        self._change(it, Change(self.position, it.offset, None))

    def _change(self, it: Record, change: Change) -> None:
        node = self._node(it)
        node.changes.append(change)
        self._changed[id(node)] = node

    def _node(self, it: Record) -> Node:
        """The node that a record means. The first record of an inode tells by its path which file that is."""
        if it.inode not in self._inodes:
            self._inodes[it.inode] = self._nodes[it.path]
        return self._inodes[it.inode]

    def _create(self, it: Record) -> None:
        node = self._inodes[it.inode] = Node()
        self._name(None, it.path, node)

    def _mkdir(self, it: Record) -> None:
        self._name(None, it.path, Node(is_folder=True))

    def _rename(self, it: Record) -> None:
        if self._nodes[it.path].is_folder:
            raise Unmodelled(f"the folder {it.path} was renamed")
        self._name(it.path, it.other, self._nodes[it.path])

    def _link(self, it: Record) -> None:
        self._name(None, it.other, self._nodes[it.path])

    def _unlink(self, it: Record) -> None:
        self._name(it.path, None, None)

    def _name(self, gone: str | None, path: str | None, node: Node | None) -> None:
        change = NameChange(self.position, _folder_of(path or gone or ""), gone, path, node)
        _rename_in(self._nodes, change)
        self._names.append(change)

    def _sync_begin(self, it: Record) -> None:
        self._syncs[it.thread, it.inode] = self.position

    def _sync_end(self, it: Record) -> None:
        begun = self._syncs.pop((it.thread, it.inode))
        if it.path in self._nodes and self._nodes[it.path].is_folder:
            self._sync_names(begun, lambda change: change.folder == it.path)
        else:
            self._sync_file(self._node(it), begun)

    def _sync_all_begin(self, it: Record) -> None:
        self._syncs[it.thread, 0] = self.position

    def _sync_all_end(self, it: Record) -> None:
        begun = self._syncs.pop((it.thread, 0))
        self._sync_names(begun, lambda change: True)
        for node in list(self._changed.values()):
            self._sync_file(node, begun)

    def _sync_file(self, node: Node, begun: int) -> None:
        late = [change for change in node.changes if change.number > begun]
        for change in node.changes[: len(node.changes) - len(late)]:
            _change_in(node.synced, change)
        node.changes = late
        if not late:
            self._changed.pop(id(node), None)

    def _sync_names(self, begun: int, is_meant: Callable[[NameChange], bool]) -> None:
        left = []
        for change in self._names:
            if change.number < begun and is_meant(change):
                _rename_in(self._kept, change)
            else:
                left.append(change)
        self._names = left

    def _mapped(self, it: Record) -> None:
        if not is_memory(it.path):
            raise Unmodelled(f"{it.path} was mapped for writing")

    def _note(self, it: Record) -> None:
        pass

    # ── what is left ─────────────────────────────────────────────────────────────────────────────

    def seen(self) -> Image:
        """All files and folders as the processes see them."""
        return {path: None if node.is_folder else _all_of(node) for path, node in self._nodes.items() if path}

    def cut(self, seed: str) -> Image:
        """What is on the disk after one of the power cuts that are possible now. The same seed is the same cut."""
        numbers = [change.number for node in self._changed.values() for change in node.changes]
        chance = Chance(seed, numbers + [change.number for change in self._names])
        image: Image = {}
        nodes = self._names_after(chance)
        for path, node in sorted(nodes.items()):
            if not path or nodes.get(_folder_of(path)) is None:
                continue  # without its folder, nobody finds it
            image[path] = None if node.is_folder else self._content_after(path, node, chance)
        return image

    def _names_after(self, chance: Chance) -> dict[str, Node]:
        if not self._names:
            return self._kept
        nodes = dict(self._kept)
        limits: dict[str, int] = {}
        for change in self._names:
            if change.number <= limits.setdefault(change.folder, chance.limit()):
                _rename_in(nodes, change)
        return nodes

    def _content_after(self, path: str, node: Node, chance: Chance) -> bytes | bytearray:
        if is_memory(path):
            return chance.garbage(PAGE)  # written through memory, so anything may be there
        if not node.changes:
            return node.synced
        content = bytearray(node.synced)
        sizes_until, size = chance.limit(), len(content)
        limits: dict[int, int] = {}
        for change in node.changes:
            if change.number <= sizes_until:
                size = _size_after(size, change)
            _let_through(content, change, chance, limits)
        return _of_size(content, size)


def is_memory(path: str) -> bool:
    """Whether processes share memory by this file. Nobody expects it to be there after a power cut."""
    return path.endswith("-shm") or path.startswith("pg_dynshmem/")


def _let_through(content: bytearray, change: Change, chance: Chance, limits: dict[int, int]) -> None:
    """Apply a change to those units that have got it."""
    end = len(content) if change.data is None else change.offset + len(change.data)
    _of_size(content, max(len(content), end))
    for number in range(change.offset // chance.unit, -(-end // chance.unit)):
        if number not in limits:
            limits[number] = chance.limit()
        if change.number <= limits[number]:
            begin, stop = max(change.offset, number * chance.unit), min(end, (number + 1) * chance.unit)
            if change.data is None:
                content[begin:stop] = bytes(stop - begin)
            else:
                content[begin:stop] = change.data[begin - change.offset : stop - change.offset]


def _all_of(node: Node) -> bytearray:
    content = bytearray(node.synced)
    for change in node.changes:
        _change_in(content, change)
    return content


def _change_in(content: bytearray, change: Change) -> None:
    size = _size_after(len(content), change)
    _of_size(content, size)
    if change.data is not None:
        content[change.offset : change.offset + len(change.data)] = change.data


def _size_after(size: int, change: Change) -> int:
    return change.offset if change.data is None else max(size, change.offset + len(change.data))


def _of_size(content: bytearray, size: int) -> bytearray:
    if len(content) > size:
        del content[size:]
    else:
        content.extend(bytes(size - len(content)))
    return content


def _rename_in(nodes: dict[str, Node], change: NameChange) -> None:
    if change.gone is not None:
        nodes.pop(change.gone, None)
    if change.path is not None and change.node is not None:
        nodes[change.path] = change.node


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]


_APPLY: Final[dict[Kind, Callable[[Disk, Record], None]]] = {
    Kind.WRITE: Disk._write,
    Kind.RESIZE: Disk._resize,
    Kind.CREATE: Disk._create,
    Kind.RENAME: Disk._rename,
    Kind.LINK: Disk._link,
    Kind.UNLINK: Disk._unlink,
    Kind.MKDIR: Disk._mkdir,
    Kind.RMDIR: Disk._unlink,
    Kind.SYNC_BEGIN: Disk._sync_begin,
    Kind.SYNC_END: Disk._sync_end,
    Kind.SYNC_ALL_BEGIN: Disk._sync_all_begin,
    Kind.SYNC_ALL_END: Disk._sync_all_end,
    Kind.MAPPED: Disk._mapped,
    Kind.NOTE: Disk._note,
}
