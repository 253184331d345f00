"""Facts that only a database file has, and the rules that judge them."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from flowfabric.domain.health.facts import (
    Host,
    StoreFacts,
)
from flowfabric.domain.health.finding import Finding

FREE_BYTES_MIN: Final = 64 * 1_048_576
NETWORK_FILE_SYSTEM: Final = re.compile(
    r"nfs4?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|gpfs|beegfs|virtiofs|vboxsf|ncpfs|davfs|coda"
    r"|fuse\.(sshfs|rclone|s3fs|gcsfuse|glusterfs|ceph|juicefs|blobfuse2?|goofys|smbnetfs|curlftpfs|davfs2?"
    r"|grpcfuse|osxfs|vmhgfs-fuse)"
)
"""File systems on which locks or shared memory do not work between machines, or work only by claim."""

_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


class DatabaseFile(StoreFacts, frozen=True):
    """Facts that only a database file has."""

    path: str
    write_lock_is_held: bool = False
    """Whether no other process got the write lock for seconds."""
    write_lock_holder: str = ""
    held_back_bytes: int = 0
    """How many bytes of the log could not move into the database file for seconds, because of a reader."""
    readers: Sequence[int] = ()
    """The processes that are reading, if the operating system shows them."""
    free_bytes: int | None = None
    """The free space on its disk."""

    def findings(self, host: Host, *, long_transaction_ms: int) -> Iterator[Finding]:
        """The problems of the file, its disk and its locks."""
        yield from self._of_its_disk(host)
        yield from self._of_its_locks()

    def unknowns(self, host: Host) -> Iterator[str]:
        """Whether its disk is a local one, if the operating system does not show this."""
        if _file_system_of(self.path, host.mounts) is None:
            yield "This system does not show which file system holds the database; it must be a local one."

    def _of_its_disk(self, host: Host) -> Iterator[Finding]:
        kind = _file_system_of(self.path, host.mounts)
        if kind is not None and NETWORK_FILE_SYSTEM.fullmatch(kind):
            yield Finding(
                "network_file_system",
                f"{self.path} is on a network file system ({kind})",
                "its locks do not hold between machines, and the database can be corrupted",
                "move it to a local disk, or use PostgreSQL",
            )
        if self.free_bytes is not None and self.free_bytes < FREE_BYTES_MIN:
            yield Finding(
                "disk_full",
                f"The disk that holds {self.path} has {_size(self.free_bytes)} left",
                "on a full disk nothing can be submitted, claimed or completed",
                "free some space, or let ended executions go with `ff purge`",
            )

    def _of_its_locks(self) -> Iterator[Finding]:
        if self.write_lock_is_held:
            yield Finding(
                "write_lock_held",
                f"{self.write_lock_holder} does not let go of the right to write to {self.path}",
                "nobody can submit, claim or complete anything",
                "look at what it does; if it hangs or is stopped, continue it or end it",
            )
        if self.held_back_bytes:
            pids = ", ".join(map(str, self.readers)) or "unknown"
            yield Finding(
                "long_transaction",
                f"A read that stays open keeps {_size(self.held_back_bytes)} of the log out of {self.path} "
                f"(pid {pids})",
                "the log grows with every commit and makes all reads slower",
                "end that read, or the program that has forgotten it",
            )


def _file_system_of(path: str, mounts: str) -> str | None:
    """The type of the file system that holds a path; None if the mounts do not say."""
    held_by, kind = "", None
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        mounted_at = _ESCAPED.sub(lambda match: chr(int(match[1], 8)), fields[1])
        is_above = path == mounted_at or path.startswith(mounted_at.rstrip("/") + "/")
        # The mount with the longest path holds the file. Of two mounts in one place, the later hides the earlier.
        if is_above and len(mounted_at) >= len(held_by):
            held_by, kind = mounted_at, fields[2]
    return kind


def _size(size: int) -> str:
    return f"{size / 1_048_576:.1f} MiB" if size >= 1_048_576 else f"{size / 1024:.0f} KiB"
