"""What a server does beside calling the engine: overview, doctor, questions to people, one execution, many results."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from msgspec.structs import replace

from flowfabric.domain.approvals import CHOICES
from flowfabric.domain.errors import EngineError
from flowfabric.domain.health.facts import Facts
from flowfabric.domain.health.judging import findings, summary, unknowns, work_in
from flowfabric.domain.inputs import ITEMS_MAX
from flowfabric.domain.snapshots import EndSnapshot, Page
from flowfabric.domain.waiting import FOR_APPROVAL
from flowfabric.server.messages import HttpError
from flowfabric.wire.engine import Diagnosis, ExecutionView, FoundProblem, OpenQuestion, Overview, WireEngine

if TYPE_CHECKING:
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.wait_snapshots import WaitpointSnapshot

FRESH_S: Final = 5.0
"""How long facts are used at least. So many open pages do not examine the database again and again."""
REST: Final = 20
"""After an examination, this many times its length passes before the next. A large store is recounted for seconds."""
OVERVIEW_FRESH_S: Final = 0.2
"""How long one overview answers everybody. Pages read 0.25 s after an event, so none misses what has happened."""
HOUR_MS: Final = 3_600_000
FAILURES_SHOWN: Final = 20
QUESTIONS_SHOWN: Final = 50
EVENTS_SHOWN: Final = 500
VALUE_BYTES_SHOWN: Final = 64 * 1024
"""A page does not wait for a value that is larger."""
NAMESPACES_KEPT: Final = 1_000
ENDS_AT_ONCE: Final = 50
"""How many results are read before their sizes are looked at."""
PAGES_MAX: Final = 50
"""How many pages of suspended executions one request looks at."""


class Doctor:
    """Examines the database of the server."""

    def __init__(self, examine: Callable[[], Facts] | None) -> None:
        self._examine = examine
        self._facts: Facts | None = None
        self._until_s = 0.0
        self._turn = asyncio.Lock()

    async def diagnosis(self, namespace: str | None) -> Diagnosis:
        """What is wrong. With a namespace: of its work, and of what concerns everybody."""
        if self._examine is None:
            return _nothing_known("This app was not given a way to examine its database: app(engine, examine=...).")
        try:
            facts = await self._fresh(self._examine)
        except EngineError as error:
            return _nothing_known(str(error))
        if namespace is not None:
            # What a store knows about itself names files, hosts and sessions of others.
            work = None if facts.work is None else work_in(facts.work, namespace)
            facts = replace(facts, work=work, store=None)
        found = findings(facts)
        problems = [FoundProblem(each.problem, each.severity, each.what, each.why, each.advice) for each in found]
        is_healthy = all(each.severity == "advice" for each in found)
        return Diagnosis(is_healthy, summary(found), problems, unknowns(facts))

    async def _fresh(self, examine: Callable[[], Facts]) -> Facts:
        async with self._turn:
            began_at = time.monotonic()
            if self._facts is None or began_at >= self._until_s:
                self._facts = await asyncio.to_thread(examine)
                ended_at = time.monotonic()
                self._until_s = ended_at + max(FRESH_S, REST * (ended_at - began_at))
            return self._facts


class Overviews:
    """Reads the overview once for all who ask at nearly the same time: a hundred open pages cost as much as a few."""

    def __init__(self) -> None:
        self._kept: dict[str | None, tuple[float, Overview]] = {}
        self._turns: dict[str | None, asyncio.Lock] = {}

    async def overview(self, view: WireEngine, namespace: str | None) -> Overview:
        """What the view shows. `namespace` is the only one that it sees, None: it sees all."""
        async with self._turns.setdefault(namespace, asyncio.Lock()):
            kept = self._kept.get(namespace)
            if kept is not None and time.monotonic() < kept[0]:
                return kept[1]
            found = await _overview(view)
            if len(self._kept) >= NAMESPACES_KEPT:
                self._kept.clear()
                self._turns.clear()
            self._kept[namespace] = (time.monotonic() + OVERVIEW_FRESH_S, found)
            return found


async def _overview(view: WireEngine) -> Overview:
    since_ms = await view.server_time_ms() - HOUR_MS
    stats, lanes, ends, failures, asked = await asyncio.gather(
        view.stats(),
        view.list_lanes(),
        view.throughput(since_ms=since_ms),
        view.recent_failures(since_ms=since_ms, limit=FAILURES_SHOWN),
        questions(view, limit=QUESTIONS_SHOWN),
    )
    found = cast("Sequence[OpenQuestion]", asked.items)
    return Overview(stats, lanes, ends, failures, found, asked.next_cursor is not None)


def _nothing_known(why: str) -> Diagnosis:
    return Diagnosis(None, "Nothing was examined.", (), (why,))


async def questions(view: WireEngine, cursor: str | None = None, limit: int = 100) -> Page:
    """Open questions, the longest wait first."""
    found: list[OpenQuestion] = []
    for _ in range(PAGES_MAX):
        page = await view.list_waiting(cursor=cursor, limit=limit)
        asking = [x for x in cast("Sequence[ExecutionSnapshot]", page.items) if _asks(x)]
        books = await asyncio.gather(*(view.list_waitpoints(x.execution_id) for x in asking))
        for x, waitpoints in zip(asking, books, strict=True):
            found += _questions_of(x, waitpoints)
        cursor = page.next_cursor
        if cursor is None or len(found) >= limit:
            break
    return Page(found, cursor)


async def execution_view(view: WireEngine, execution_id: str, *, values: bool = False) -> ExecutionView | None:
    """An execution with everything that a page shows of it. None: there is no such execution."""
    x = await view.describe_execution(execution_id)
    if x is None:
        return None
    explanation, attempts, steps, log = await asyncio.gather(
        view.explain(execution_id),
        view.list_attempts(execution_id),
        view.list_steps(execution_id),
        view.read_events(execution_id=x.execution_id, limit=EVENTS_SHOWN),
    )
    waitpoints = await view.list_waitpoints(execution_id) if _asks(x) else []
    asked = [*_questions_of(x, waitpoints)]
    payload = _if_small(await view.get_payload(execution_id)) if values else None
    result = _if_small(await view.get_result(execution_id)) if values and x.public_state == "completed" else None
    return ExecutionView(x, explanation, attempts, steps, log.events, asked, payload, result)


def _if_small(value: bytes | None) -> bytes | None:
    return None if value is None or len(value) > VALUE_BYTES_SHOWN else value


async def ends(view: WireEngine, execution_ids: Sequence[str], bytes_max: int) -> list[EndSnapshot | None]:
    """How executions have ended, read piece by piece. Raises 413 as soon as the results are too much for one answer."""
    if len(execution_ids) > ITEMS_MAX:
        return await view.get_ends(execution_ids)  # which refuses that
    found: list[EndSnapshot | None] = []
    size = 0
    for first in range(0, len(execution_ids), ENDS_AT_ONCE):
        piece = await view.get_ends(execution_ids[first : first + ENDS_AT_ONCE])
        size += sum(len(end.result or b"") for end in piece if end is not None)
        if size > bytes_max:
            raise HttpError(413, "too_large", f"The results have more than {bytes_max} bytes. Ask for fewer at once.")
        found += piece
    return found


def _asks(x: "ExecutionSnapshot") -> bool:
    return any(wait.reason == FOR_APPROVAL for wait in x.waits)


def _questions_of(x: "ExecutionSnapshot", waitpoints: "Sequence[WaitpointSnapshot]") -> Iterator[OpenQuestion]:
    by_key = {each.key: each for each in waitpoints}
    for wait in x.waits:
        if wait.reason != FOR_APPROVAL:
            continue
        for key in wait.keys:
            waitpoint = by_key.get(key)
            if waitpoint is None or waitpoint.state != "open":
                continue
            about = waitpoint.about
            title, choices = about.get("title"), about.get("choices")
            yield OpenQuestion(
                x.execution_id, x.kind, x.namespace, x.lane, x.flow_id, x.created_by,
                wait.name,
                key,
                title if isinstance(title, str) and title else key,
                [str(each) for each in choices] if isinstance(choices, list) and choices else list(CHOICES),
                about,
                wait.since_ms,
                wait.timeout_at_ms,
                wait.on_timeout,
            )  # fmt: skip
