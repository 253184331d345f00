"""Rules of streams broken on purpose. Each has to be found by a world in which tasks speak."""

from tests.simulation.planting import Mutant

STREAM_MUTANTS = [
    Mutant(
        "frames that do not count are shown",
        "flowfabric.domain.stream_pages:_WhatCounts.counts",
        "return spoken_in is not None and self._stored.get(spoken_in.step) == (lease_epoch, spoken_in.step_try)",
        "return True",
    ),
    Mutant(
        "frames of stored steps do not count in later attempts",
        "flowfabric.domain.stream_pages:_WhatCounts.counts",
        "return spoken_in is not None and self._stored.get(spoken_in.step) == (lease_epoch, spoken_in.step_try)",
        "return False",
    ),
    Mutant(
        "a stored step counts in every epoch in which it was begun",
        "flowfabric.domain.stream_pages:_WhatCounts.counts",
        "self._stored.get(spoken_in.step) == (lease_epoch, spoken_in.step_try)",
        "self._stored.get(spoken_in.step, (0, 0))[1] == spoken_in.step_try",
    ),
    Mutant(
        "every try of a step counts",
        "flowfabric.domain.stream_pages:_WhatCounts.counts",
        "spoken_in.step_try >= self._tries.get(spoken_in.step, 1)",
        "True",
    ),
    Mutant(
        "a restart is forgotten",
        "flowfabric.domain.stream_pages:_WhatCounts.news_for",
        "if cursor.known_epoch < self._epoch:",
        "if False:",
    ),
    Mutant(
        "a new try of a step is no restart",
        "flowfabric.domain.stream_pages:_WhatCounts.news_for",
        '"step_retried" if known != self._tries else None',
        "None",
    ),
    Mutant(
        "a restart keeps no step",
        "flowfabric.domain.stream_pages:_WhatCounts.restart_frame",
        "if mark.lease_epoch < self._epoch",
        "if False",
    ),
    Mutant(
        "a restart keeps what is not stored",
        "flowfabric.domain.stream_pages:Transcript.add",
        "if each.lease_epoch < frame.lease_epoch",
        "if False",
    ),
    Mutant(
        "the cursor stays before the last frame",
        "flowfabric.domain.stream_pages:read_on",
        "position = at",
        "position = Position(at.lease_epoch, at.seq - 1)",
    ),
    Mutant(
        "a zombie may speak",
        "flowfabric.domain.decide.streaming:append_all",
        "held_under(ws, said.fence, scope)",
        "ws.execution(said.fence.execution_id, scope)",
    ),
    Mutant(
        "frames are not stored with the command that follows them",
        "flowfabric.domain.decide:_decide_after_hearing",
        "hear(ws, envelope.said, envelope.scope)",
        "pass",
    ),
    Mutant(
        "frames that are sent again count twice",
        "flowfabric.domain.decide.streaming:_append",
        "next_seq if said.first_seq is None else said.first_seq",
        "next_seq",
    ),
    Mutant(
        "numbers go on from one epoch to the next",
        "flowfabric.domain.decide.streaming:_append",
        "stream.next_seq if stream is not None and stream.lease_epoch == x.lease_epoch else 0",
        "stream.next_seq if stream is not None else 0",
    ),
    Mutant(
        "a chunk belongs to no epoch of its own",
        "flowfabric.domain.decide.streaming:_append",
        "x.lease_epoch,\n            first_seq,",
        "x.lease_epoch if stream is None else stream.lease_epoch,\n            first_seq,",
    ),
    Mutant(
        "a trim removes the last chunk",
        "flowfabric.domain.decide.streaming:_without",
        "is_last = chunk.end == stream.end",
        "is_last = False",
    ),
    Mutant(
        "a trim hides one frame too many",
        "flowfabric.domain.decide.streaming:_without",
        "Position(chunk.lease_epoch, first_seq + too_many)",
        "Position(chunk.lease_epoch, first_seq + too_many + 1)",
    ),
    Mutant(
        "a stream that is too long is never trimmed",
        "flowfabric.domain.decide.streaming:_counted",
        "_is_too_long(stream.kept_frames, stream.kept_bytes, policy)",
        "False",
    ),
    Mutant(
        "a patch replaces the summary",
        "flowfabric.domain.decide.streaming:patch_summary",
        "merged(before, command.patch)",
        "dict(command.patch)",
    ),
    Mutant(
        "a worker ends an attempt without its last words",
        "flowfabric.runtime.reporting:Reporter.sent",
        "self._speech is None or self._speech.is_silent",
        "True",
    ),
    Mutant(
        "a worker does not send again what may be lost",
        "flowfabric.runtime.speech:Speech.next_said",
        "self._under_way is None and",
        "",
    ),
    Mutant(
        "a worker stores a step although its frames were dropped",
        "flowfabric.runtime.speech:Speech._carried",
        "if self._is_cut_off:",
        "if False:",
        seed=1061,
    ),
    Mutant(
        "nobody is rung for what other processes say",
        "flowfabric.engine.poller:Poller._longer_streams",
        "return [key for key in followed if key not in now or now[key] != before.get(key)]",
        "return []",
    ),
    Mutant(
        "a follower that waits for the read of another one is not rung",
        "flowfabric.engine.followers:Followed.end",
        "for ring in under_way.waiting:",
        "for ring in ():",
    ),
    Mutant(
        "a follower takes an old read for the end",
        "flowfabric.engine.followers:Followed.has_news",
        "self._reads.clear()",
        "pass",
    ),
    Mutant(
        "a follower that is stopped in a page loses the rest of it",
        "flowfabric.engine.streaming:StreamFollower._cursor",
        "if self._delivered == len(self._part.frames):",
        "if True:",
    ),
]
