"""The disk of the power cuts: what was synced stays, and everything else may be lost, torn or reordered."""

import pytest

from tests.power_cuts.disk import PAGE, SECTOR, Disk, Image, Unmodelled
from tests.power_cuts.recording import Kind, Record

CUTS = 200
FILE, FOLDER = 7, 1


def record(kind: Kind, path: str, inode: int = FILE, offset: int = 0, data: bytes = b"", other: str = "") -> Record:
    return Record(kind, 1, inode, offset, path, other, data)


def synced(path: str, inode: int = FILE) -> list[Record]:
    return [record(Kind.SYNC_BEGIN, path, inode), record(Kind.SYNC_END, path, inode)]


NEW = [record(Kind.CREATE, "a"), *synced("a"), *synced("", FOLDER)]
"""A file whose name is safe."""


def cuts_after(*records: Record) -> list[Image]:
    disk = Disk()
    for each in records:
        disk.apply(each)
    return [disk.cut(str(seed)) for seed in range(CUTS)]


def test_what_was_synced_is_there_after_every_cut() -> None:
    write = record(Kind.WRITE, "a", data=b"x" * 5_000)

    images = cuts_after(*NEW, write, *synced("a"))

    assert all(image == {"a": b"x" * 5_000} for image in images)


def test_a_write_that_was_not_synced_may_be_there_be_lost_or_be_torn_between_sectors() -> None:
    before = record(Kind.WRITE, "a", data=b"o" * 2 * PAGE)

    images = cuts_after(*NEW, before, *synced("a"), record(Kind.WRITE, "a", data=b"n" * 2 * PAGE))

    contents = [image["a"] or b"" for image in images]
    assert {bytes(content[at : at + SECTOR]) for content in contents for at in range(0, 2 * PAGE, SECTOR)} == {
        b"o" * SECTOR,
        b"n" * SECTOR,
    }
    assert b"o" * 2 * PAGE in contents
    assert b"n" * 2 * PAGE in contents
    assert any(b"on" in content and b"no" in content for content in contents), "a later part may come first"


def test_a_later_write_may_be_there_without_an_earlier_one() -> None:
    first, second = record(Kind.WRITE, "a", data=b"1" * PAGE), record(Kind.WRITE, "a", offset=PAGE, data=b"2" * PAGE)

    images = cuts_after(*NEW, first, second)

    assert {"a": bytes(PAGE) + b"2" * PAGE} in images


def test_a_write_after_the_begin_of_a_sync_is_not_synced_by_it() -> None:
    begin, end = synced("a")

    images = cuts_after(*NEW, begin, record(Kind.WRITE, "a", data=b"late"), end)

    assert {"a": b""} in images


def test_the_name_of_a_synced_file_may_be_lost_until_its_folder_is_synced() -> None:
    made = [record(Kind.CREATE, "a"), record(Kind.WRITE, "a", data=b"x"), *synced("a")]

    assert {} in cuts_after(*made)
    assert all(image == {"a": b"x"} for image in cuts_after(*made, *synced("", FOLDER)))


def test_a_removal_and_a_rename_may_be_undone_until_the_folder_is_synced() -> None:
    removed = cuts_after(*NEW, record(Kind.UNLINK, "a"))
    renamed = cuts_after(*NEW, record(Kind.RENAME, "a", other="b"))

    assert [each for each in ({"a": b""}, {}) if each not in removed] == []
    assert [each for each in ({"a": b""}, {"b": b""}) if each not in renamed] == []
    assert {} not in renamed


def test_the_same_seed_is_the_same_cut() -> None:
    written = [*NEW, record(Kind.WRITE, "a", data=b"x" * 20 * PAGE)]

    assert cuts_after(*written) == cuts_after(*written)


def test_a_log_that_the_model_cannot_follow_is_refused() -> None:
    with pytest.raises(Unmodelled, match="mapped"):
        cuts_after(*NEW, record(Kind.MAPPED, "a"))
