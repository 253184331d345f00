"""Streams and summaries in a memory store: what batches load and save, and what callers read."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.news import StreamEnd
from flowfabric.domain.stream_pages import RetriedIn, StreamPart, mark_of
from flowfabric.domain.streams import Position
from flowfabric.domain.summaries import StoredSummary
from flowfabric.stores.memory.records import Records


class MemoryStreams(Records):
    """What executions say."""

    # ── reads ────────────────────────────────────────────────────────────────────────────────────

    def stream_part(self, execution_id: ExecutionId, after: Position, most: int) -> StreamPart | None:
        with self._reading():
            x = self._executions.get(execution_id)
            if x is None:
                return None
            chunks = self._chunks.get(execution_id, {}).values()
            found = list(islice((chunk for chunk in chunks if chunk.end > (after[0], after[1] + 1)), most + 1))
            return StreamPart(
                x,
                self._streams.get(execution_id),
                [mark for mark in map(mark_of, self._steps.get(execution_id, {}).values()) if mark is not None],
                [RetriedIn(each.lease_epoch, each.first_seq, each.retried) for each in chunks if each.retried],
                found[:most],
                len(found) > most,
            )

    def summary(self, execution_id: ExecutionId) -> tuple[Execution | None, StoredSummary | None]:
        with self._reading():
            return self._executions.get(execution_id), self._summaries.get(execution_id)

    def long_streams(self, limit: int) -> Sequence[ExecutionId]:
        with self._reading():
            return list(islice((key for key, stream in self._streams.items() if stream.is_too_long), limit))

    def stream_ends(self, execution_ids: Collection[ExecutionId]) -> Mapping[ExecutionId, StreamEnd]:
        with self._reading():
            known = [x for x in map(self._executions.get, execution_ids) if x is not None]
            return {x.execution_id: (*self._end_of(x.execution_id), x.lease_epoch, x.public_state) for x in known}

    def _end_of(self, execution_id: ExecutionId) -> Position:
        stream = self._streams.get(execution_id)
        return Position(0, 0) if stream is None else stream.end

    # ── batches ──────────────────────────────────────────────────────────────────────────────────

    def _load_streams(self, needs: Needs, loaded: Loaded) -> None:
        for key in needs.streams & self._streams.keys():
            loaded.streams[key] = self._streams[key]
        for key in needs.summaries & self._summaries.keys():
            loaded.summaries[key] = self._summaries[key]
        for key, *at in needs.chunks:
            if (chunk := self._chunks.get(key, {}).get((at[0], at[1]))) is not None:
                loaded.chunks[key, at[0], at[1]] = chunk
        for key, most in needs.oldest_chunks:
            oldest = islice(self._chunks.get(key, {}).values(), most)
            loaded.oldest_chunks[key] = [replace(chunk, data=b"") for chunk in oldest]

    def _apply_streams(self, changes: Changes) -> None:
        self._streams.update(changes.streams)
        self._summaries.update(changes.summaries)
        for (key, epoch, first_seq), chunk in changes.chunks.items():
            if chunk is None:
                self._chunks.get(key, {}).pop((epoch, first_seq), None)
            else:
                self._chunks.setdefault(key, {})[epoch, first_seq] = chunk

    def _forget_stream(self, key: ExecutionId) -> None:
        self._streams.pop(key, None)
        self._chunks.pop(key, None)
        self._summaries.pop(key, None)
