"""AppendFrames, AppendAll, PatchSummary, TrimStream, and the frames that come with another command."""

from typing import Final

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AppendAll, AppendFrames, PatchSummary, TrimStream
from flowfabric.domain.decide.leasing import held_under
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import its_executions
from flowfabric.domain.errors import Conflict, EngineError, InvalidInput
from flowfabric.domain.execution import Execution
from flowfabric.domain.outcomes import Appended, LeaseLost, Summary
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.streams import Chunk, Position, Said, Stream
from flowfabric.domain.summaries import StoredSummary, check_fits, document_of, merged
from flowfabric.domain.working_set import WorkingSet

CHUNKS_AT_ONCE: Final = 200
"""How many chunks one command removes at most."""


def what_is_said_sees(said: Said, wanted: Needs) -> None:
    """The execution and the end of its stream. Chunks are only needed if one is sent again."""
    wanted.executions.add(said.fence.execution_id)
    wanted.streams.add(said.fence.execution_id)


def hear(ws: WorkingSet, said: Said, scope: str | None) -> None:
    """Append the frames that come with another command. If the lease is over, they are dropped.

    The command itself is then refused, or gets the answer of its first try.
    """
    try:
        x = held_under(ws, said.fence, scope)
    except EngineError:
        return
    _append(ws, x, said)


def _what_one_append_sees(command: AppendFrames, wanted: Needs) -> None:
    what_is_said_sees(command.said, wanted)


@rule(AppendFrames, sees=_what_one_append_sees, weight=lambda command: weight_of_data(command.said.data))
def append_frames(ws: WorkingSet, command: AppendFrames, scope: str | None) -> Appended:
    """Append the frames. Only the live lease may. The same frames at the same place count once."""
    return _append(ws, held_under(ws, command.said.fence, scope), command.said)


def _what_appends_see(command: AppendAll, wanted: Needs) -> None:
    for said in command.items:
        what_is_said_sees(said, wanted)


@rule(
    AppendAll,
    sees=_what_appends_see,
    weight=lambda command: sum(weight_of_data(said.data) for said in command.items),
)
def append_all(ws: WorkingSet, command: AppendAll, scope: str | None) -> list[Appended | LeaseLost]:
    """Append to each stream whose lease is live. A lease that is over does not affect the others."""
    answers: list[Appended | LeaseLost] = []
    for said in command.items:
        try:
            answers.append(_append(ws, held_under(ws, said.fence, scope), said))
        except EngineError as refusal:
            answers.append(LeaseLost(said.fence.execution_id, refusal.code))
    return answers


def _append(ws: WorkingSet, x: Execution, said: Said) -> Appended:
    stream = ws.streams.get(x.execution_id)
    next_seq = stream.next_seq if stream is not None and stream.lease_epoch == x.lease_epoch else 0
    first_seq = next_seq if said.first_seq is None else said.first_seq
    answer = Appended(first_seq, first_seq + said.count)
    if first_seq > next_seq:
        raise InvalidInput(
            f"first_seq is {first_seq}, but the next frame of {x.execution_id} in epoch {x.lease_epoch} is {next_seq}. "
            "Frames have no gaps: send those between first."
        )
    if first_seq < next_seq:
        assert stream is not None
        _check_same(ws, x, said, first_seq, stream)
        return answer
    ws.chunks.put(
        Chunk(
            x.execution_id,
            x.lease_epoch,
            first_seq,
            x.attempt_index,
            said.count,
            said.size,
            ws.now_ms,
            said.retried,
            said.data,
        )
    )
    ws.streams.put(_longer(x, stream, answer.next_seq, said))
    return answer


def _check_same(ws: WorkingSet, x: Execution, said: Said, first_seq: int, stream: Stream) -> None:
    """Refuse frames that differ from those that are stored at their place."""
    if Position(x.lease_epoch, first_seq) < stream.first:
        return  # those were removed; what they were is not known any more
    chunk = ws.chunks.get((x.execution_id, x.lease_epoch, first_seq))
    if chunk is None or chunk.data != said.data:
        raise Conflict(
            f"Frame {first_seq} of {x.execution_id} in epoch {x.lease_epoch} was appended before, together with others "
            "than these. Send the same frames again, or leave first_seq out."
        )


def _longer(x: Execution, stream: Stream | None, next_seq: int, said: Said) -> Stream:
    """The record of the stream with these frames at its end. What is kept is counted for each attempt by itself."""
    if stream is None:
        stream = Stream(x.execution_id, x.lease_epoch, 0, x.attempt_index, 0, 0, is_too_long=False)
    is_same = stream.attempt_index == x.attempt_index
    return _counted(
        replace(
            stream,
            lease_epoch=x.lease_epoch,
            next_seq=next_seq,
            attempt_index=x.attempt_index,
            kept_frames=(stream.kept_frames if is_same else 0) + said.count,
            kept_bytes=(stream.kept_bytes if is_same else 0) + said.size,
        ),
        x.policy,
    )


def _counted(stream: Stream, policy: ExecutionPolicy) -> Stream:
    return replace(stream, is_too_long=_is_too_long(stream.kept_frames, stream.kept_bytes, policy))


def _is_too_long(frames: int, size: int, policy: ExecutionPolicy) -> bool:
    return frames > policy.stream_max_frames or size > policy.stream_max_bytes


def _what_a_trim_sees(command: TrimStream, wanted: Needs) -> None:
    its_executions(command, wanted)
    wanted.streams.add(command.execution_id)
    wanted.oldest_chunks.add((command.execution_id, CHUNKS_AT_ONCE))


@rule(TrimStream, sees=_what_a_trim_sees, comes_again=True)
def trim_stream(ws: WorkingSet, command: TrimStream) -> bool:
    """Remove the oldest frames, until what is left of the last attempt is no more than its policy allows.

    What is older than that attempt goes first, and the last chunk always stays. If only some frames of a chunk are too
    many, the chunk stays, and readers no longer get these frames.
    """
    x, stream = ws.executions.get(command.execution_id), ws.streams.get(command.execution_id)
    if x is None or stream is None or not stream.is_too_long:
        return False
    for chunk in ws.oldest_chunks(stream.execution_id, CHUNKS_AT_ONCE):
        stream, stays = _without(stream, chunk, x.policy)
        if not stays:
            ws.chunks.remove((chunk.execution_id, chunk.lease_epoch, chunk.first_seq))
        elif not stream.is_too_long:
            break
    ws.streams.put(stream)
    return True


def _without(stream: Stream, chunk: Chunk, policy: ExecutionPolicy) -> tuple[Stream, bool]:
    """The stream without the frames of its oldest chunk that are too many, and whether the chunk stays."""
    if chunk.attempt_index != stream.attempt_index:
        return _beginning_at(stream, chunk.end), False
    is_last = chunk.end == stream.end
    first_seq = max(chunk.first_seq, stream.first_seq) if chunk.lease_epoch == stream.first_epoch else chunk.first_seq
    frames = chunk.first_seq + chunk.count - first_seq
    too_many = max(0, stream.kept_frames - policy.stream_max_frames)
    if not is_last and (stream.kept_bytes > policy.stream_max_bytes or too_many >= frames):
        shorter = replace(stream, kept_frames=stream.kept_frames - frames, kept_bytes=stream.kept_bytes - chunk.size)
        return _counted(_beginning_at(shorter, chunk.end), policy), False
    shorter = replace(stream, kept_frames=stream.kept_frames - too_many, is_too_long=False)
    return (_beginning_at(shorter, Position(chunk.lease_epoch, first_seq + too_many)) if too_many else shorter), True


def _beginning_at(stream: Stream, first: Position) -> Stream:
    return replace(stream, first_epoch=first.lease_epoch, first_seq=first.seq)


def _what_a_patch_sees(command: PatchSummary, wanted: Needs) -> None:
    its_executions(command, wanted)
    wanted.summaries.add(command.fence.execution_id)


@rule(PatchSummary, sees=_what_a_patch_sees)
def patch_summary(ws: WorkingSet, command: PatchSummary, scope: str | None) -> Summary:
    """Merge the patch into the summary, and count its version."""
    x = held_under(ws, command.fence, scope)
    stored = ws.summaries.get(x.execution_id)
    before = {} if stored is None else document_of(stored)
    document = merged(before, command.patch)
    encoded = msgspec.json.encode(document).decode()
    check_fits(document, encoded)
    version = 1 if stored is None else stored.version + 1
    ws.summaries.put(StoredSummary(x.execution_id, version, encoded))
    return Summary(version, document)
