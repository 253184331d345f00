"""`ff logs`: what an execution has said, and what it says."""

import codecs
import sys
import time
from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import execution_id_of, whole_number
from flowfabric.cli.output import Json, clock_time, document, in_json, note, readable, say
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.domain.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from flowfabric.domain.stream_pages import Restarted, StreamFrame, StreamPage, StreamView
    from flowfabric.domain.streams import FrameKind
    from flowfabric.engine.blocking import BlockingEngine

PAGE: Final = 500
EVERY_S: Final = 0.25
"""How often it looks for new frames of one attempt. The engine itself says when there are frames that count."""
NAMES_MAX: Final = 5
"""How many steps a line names."""
PARTS_OF_TEXT: Final = ("text", "stdout", "stderr")
"""The kinds of frames that are put together as they are."""
TEXTS: Final = (*PARTS_OF_TEXT, "log")
HARMLESS: Final = "\n\t\u200c\u200d"
"""Characters that count as not printable and are shown all the same. The last two join or part letters."""

Id = Annotated[str, Parameter(help="An execution's id, or the uuid in it.")]


def logs(
    execution_id: Id,
    /,
    *,
    follow: Annotated[
        bool, Parameter(name=("--follow", "-f"), help="Show what is said as it is said, until the execution has ended.")
    ] = False,
    attempt: Annotated[
        int | None,
        Parameter(help="Only this attempt, also what no longer counts of it; the first is 1.", converter=whole_number),
    ] = None,
    kind: Annotated[
        tuple[Literal["text", "json", "stdout", "stderr", "log", "blob"], ...],
        Parameter(help="Only frames of this kind; may be given again."),
    ] = (),
    all_: Annotated[
        bool,
        Parameter(
            name="--all", help="Every frame on a line of its own; those that no longer count are marked as void."
        ),
    ] = False,
    limit: Annotated[
        int | None, Parameter(help="Only the last frames, so many at most.", converter=whole_number)
    ] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Show what an execution has said and what counts of it: text, values, output and log lines."""
    if follow and all_:
        raise WrongCall("-f follows what counts, and --all shows all that was said so far. Leave one of them out.")
    for option, number in (("--attempt", attempt), ("--limit", limit)):
        if number is not None and number < 1:
            raise WrongCall(f"{option} is {number}; it must be at least 1.")
    with opened(at) as engine:
        stream = Stream(engine, execution_id_of(engine, execution_id), attempt, kind)
        view: StreamView = "effective" if attempt is None and not all_ else "all"
        so_far: Iterable[StreamFrame] = stream.so_far(view)
        if limit is not None:
            so_far = deque(so_far, limit)
        paper = _Paper(is_json=json)
        try:
            if all_:
                for frame, counts in stream.judged(so_far):
                    paper.show_whole(frame, counts=counts)
            for frame in () if all_ else chain(so_far, stream.from_now(view) if follow else ()):
                paper.show(frame)
                if follow:
                    sys.stdout.flush()
        finally:
            paper.end_line()
            sys.stdout.flush()
        if not paper.has_shown:
            note(stream.why_nothing())
        if follow:
            note(stream.end_in_words())


@dataclass(frozen=True)
class Frames:
    """How many frames of an execution count."""

    count: int
    has_more: bool
    """There are more than those that were counted."""
    truncated: bool
    """The oldest were removed."""

    def in_words(self) -> str | None:
        """The same on one line; None: there are none."""
        if not self.count:
            return None
        number = f"more than {self.count}" if self.has_more else str(self.count)
        removed = "; the oldest were removed" if self.truncated else ""
        return f"{number}{removed}; `ff logs` shows them"


def frames_of(engine: "BlockingEngine", execution_id: str) -> Frames:
    """How many frames count. They are counted up to a limit, because each is read for that."""
    from flowfabric.domain.inputs import LIMIT_MAX

    page = engine.read_stream(execution_id, limit=LIMIT_MAX)
    more = engine.read_stream(execution_id, cursor=page.next_cursor, limit=1) if page.frames else page
    return Frames(len(page.frames), bool(more.frames), page.truncated)


class Stream:
    """The stream of an execution, or the frames of it that somebody has chosen."""

    def __init__(
        self, engine: "BlockingEngine", execution_id: str, attempt: int | None, kinds: "tuple[FrameKind, ...]"
    ) -> None:
        self._engine = engine
        self._execution_id = execution_id
        self._attempt = attempt
        self._kinds = kinds
        self._cursor: str | None = None
        self._is_closed = False
        self._has_noted_removal = False

    def so_far(self, view: "StreamView") -> "Iterator[StreamFrame]":
        """The frames after those that were read before, up to now."""
        while True:
            try:
                page = self._engine.read_stream(self._execution_id, cursor=self._cursor, limit=PAGE, view=view)
            except InvalidInput as error:
                self._begin_with_the_first_kept(error)
                continue
            self._cursor = page.next_cursor
            self._note_removal(page)
            self._is_closed = page.closed_reason is not None
            yield from filter(self._is_chosen, page.frames)
            if self._is_closed or not page.frames:
                return

    def from_now(self, view: "StreamView") -> "Iterator[StreamFrame]":
        """The frames that come after those, until the execution has ended."""
        if view == "effective":
            yield from self._followed()
        while not self._is_closed:
            yield from self.so_far(view)
            if not self._is_closed:
                time.sleep(EVERY_S)

    def _followed(self) -> "Iterator[StreamFrame]":
        while True:
            follower = self._engine.follow_stream(self._execution_id, cursor=self._cursor)
            try:
                yield from filter(self._is_chosen, follower)
            except InvalidInput as error:
                self._begin_with_the_first_kept(error)
            else:
                self._is_closed = True
                return

    def _note_removal(self, page: "StreamPage") -> None:
        if page.truncated and not self._has_noted_removal:
            self._has_noted_removal = True
            note("The stream had become longer than its policy allows, so its oldest frames were removed.")

    def _begin_with_the_first_kept(self, error: InvalidInput) -> None:
        """Go on after frames behind the cursor were removed: all that are kept come after them."""
        if error.code != "cursor_gone":
            raise error
        note("Frames were removed before they could be shown. This goes on with the first frame that is kept.")
        self._cursor, self._has_noted_removal = None, True

    def _is_chosen(self, frame: "StreamFrame") -> bool:
        if frame.kind == "restart":
            return True
        is_of_attempt = self._attempt is None or frame.attempt_index == self._attempt - 1
        return is_of_attempt and (not self._kinds or frame.kind in self._kinds)

    def judged(self, frames: "Iterable[StreamFrame]") -> "list[tuple[StreamFrame, bool]]":
        """Each frame, and whether it counts. What was said after these frames is not looked at."""
        found = list(frames)
        stream = Stream(self._engine, self._execution_id, None, ())
        stream._has_noted_removal = True
        counting = {(each.lease_epoch, each.seq) for each in stream.so_far("effective")}
        return [(each, (each.lease_epoch, each.seq) in counting) for each in found]

    def why_nothing(self) -> str:
        """Why nothing was shown, in a sentence."""
        x = self._engine.describe_execution(self._execution_id)
        if x is None or x.started_at_ms is None:
            return "It has not started, so it has said nothing yet."
        if not self._engine.read_stream(self._execution_id, limit=1, view="all").frames:
            return "It has said nothing." if x.terminal_at_ms is not None else "It has said nothing yet."
        if self._attempt is not None and not self._kinds:
            return f"Attempt {self._attempt} has said nothing; others have."
        if self._kinds:
            where = "that counts" if self._attempt is None else f"in attempt {self._attempt}"
            return f"It has said other things, but nothing of that kind {where}."
        return "Nothing of what it has said counts any more: it has started over. Add --all to see it."

    def end_in_words(self) -> str:
        """How the execution has ended, in a sentence."""
        try:
            return self._engine.explain(self._execution_id)
        except NotFound:
            return "It has ended, and was removed."


class _Paper:
    """Standard output, to which parts of text and whole lines are written in turn."""

    def __init__(self, *, is_json: bool) -> None:
        self._is_json = is_json
        self._is_within_line = False
        self._ends_with_return = False
        self._decoders = {kind: codecs.getincrementaldecoder("utf-8")("replace") for kind in PARTS_OF_TEXT}
        """One for each kind, because a character may begin in one frame and end in the next."""
        self.has_shown = False

    def show(self, frame: "StreamFrame") -> None:
        """Show a frame in the way of its kind."""
        self.has_shown |= frame.kind != "restart"
        if self._is_json:
            document(_in_json(frame))
        elif frame.kind in PARTS_OF_TEXT:
            self._write(self._decoders[frame.kind].decode(frame.payload))
        else:
            self.end_line()
            self._write(_lines_of(frame))
            self.end_line()

    def show_whole(self, frame: "StreamFrame", *, counts: bool) -> None:
        """Show a frame on one line, with all that is known about it."""
        self.has_shown = True
        if self._is_json:
            document({**_in_json(frame), "counts": counts})
            return
        tried = f" (try {frame.step_try})" if frame.step_try > 1 else ""
        step = "" if frame.step is None else f"  step {frame.step}{tried}"
        say(
            f"{clock_time(frame.at_ms)}  {'counts' if counts else 'void  '}  attempt {frame.attempt_index + 1}  "
            f"token {frame.lease_epoch}  frame {frame.seq}{step}  {frame.kind}: ",
            _line_of(frame),
        )

    def end_line(self) -> None:
        """Begin a new line, unless one has just begun."""
        if self._is_within_line:
            self._write("\n")

    def _write(self, text: str) -> None:
        """Write a part of a text. A terminal would obey control characters, so only line ends and tabs stay."""
        if self._ends_with_return and text.startswith("\n"):
            text = text[1:]
        if not text:
            return
        self._ends_with_return = text.endswith("\r")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text.isprintable():
            text = "".join(char if char.isprintable() or char in HARMLESS else " " for char in text)
        self._is_within_line = not text.endswith("\n")  # before it is written, because Ctrl-C may come right after that
        sys.stdout.write(text)


def _in_json(frame: "StreamFrame") -> Mapping[str, object]:
    return {
        "lease_epoch": frame.lease_epoch,
        "seq": frame.seq,
        "kind": frame.kind,
        "attempt_index": frame.attempt_index,
        "step": frame.step,
        "step_try": frame.step_try,
        "at_ms": frame.at_ms,
        "value": _value_of(frame),
    }


def _value_of(frame: "StreamFrame") -> object:
    """What a frame says. What is not as its kind promises is shown as base64."""
    if frame.kind in TEXTS:
        try:
            return frame.payload.decode()
        except UnicodeDecodeError:
            pass
    elif frame.kind != "blob":
        return readable(frame.payload)
    return {"base64": b64encode(frame.payload).decode()}


def _lines_of(frame: "StreamFrame") -> str:
    """A frame that is no part of a text, for people."""
    if frame.kind == "restart":
        return restart_in_words(frame)
    return frame.payload.decode(errors="replace") if frame.kind == "log" else _line_of(frame)


def _line_of(frame: "StreamFrame") -> str:
    """A frame on one line."""
    if frame.kind == "blob":
        return f"({len(frame.payload):,} bytes of data)"
    return in_json(_value_of(frame))


_BEGINS: Final = {
    "retried": "Attempt {n} starts over, because the one before failed.",
    "worker_lost": "Attempt {n} starts over, because the worker of the one before was lost.",
    "released": "Attempt {n} starts over, because the one before was put back into the queue.",
    "resumed": "Attempt {n} goes on after a wait, from its top.",
    "replayed": "Attempt {n} starts over, because the execution was replayed.",
}


def restart_in_words(frame: "StreamFrame") -> str:
    """Why frames above no longer count, and which still do."""
    said: Restarted = frame.value
    if said.why == "step_retried":
        tries = [f"{step} (try {number})" for step, number in said.tries.items()]
        return f"--- Tried again: {_named(tries)}. What earlier tries have said no longer counts. ---"
    kept = [each.step for each in said.kept]
    counts = "Nothing of what is above counts any more."
    if kept:
        counts = f"Of what is above, only what was said in {_named(kept)} still counts."
    return f"--- {_BEGINS[said.why].format(n=frame.attempt_index + 1)} {counts} ---"


def _named(steps: list[str]) -> str:
    """Steps by name: 'step load', 'steps load and ask', 'steps a, b, c, d, e and 3 others'."""
    shown, others = steps[:NAMES_MAX], len(steps) - NAMES_MAX
    if others > 0:
        shown.append(f"{others} others")
    return f"{'step' if len(shown) == 1 else 'steps'} {' and '.join(filter(None, (', '.join(shown[:-1]), shown[-1])))}"
