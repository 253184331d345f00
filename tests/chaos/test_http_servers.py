"""kill -9 of one of two servers, again and again, while callers submit, claim and complete through both."""

import itertools
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.chaos.books import assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.processes import wait_until
from tests.chaos.sizes import SIZES
from tests.server import ff_server
from tests.server.ff_server import Served

pytestmark = in_group("workers")

SUBMITTERS = 3
WORKERS = 2
PROGRESS = 20
"""How much is submitted, and how much is completed, between two events of the night."""
BACKLOG = 30
"""How much waits at most: what is submitted beyond that would only take longer to check."""
LEASE_MS = 1_000


def test_a_server_dies_under_load_and_nothing_is_lost_and_nothing_happens_twice(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(ff_server.running(url, tmp_path)) for _ in range(2)]
        crowd = stack.enter_context(a_crowd(servers))
        for victim in itertools.islice(itertools.cycle(servers), SIZES.http_server_kills):
            crowd.wait_for_progress()
            victim.kill()
            crowd.wait_for_progress()  # with the other one alone
            victim.start()
        crowd.finish()

    assert crowd.surprises == []
    made = list(crowd.made.values())
    assert len(set(made)) == len(made)
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    assert happened.keys() == set(made)
    for events in happened.values():
        assert [event.event_type for event in events if event.channel == "completion"] == ["completed"]
    # Each has one completion that was answered, be it to a repeat.
    assert crowd.completed == dict.fromkeys(made, 1)
    assert crowd.sent_again > 0, "nobody noticed a kill"
    figures(
        kills=SIZES.http_server_kills,
        executions=len(made),
        sent_again=crowd.sent_again,
        leases_lost=crowd.leases_lost,
        lost=0,
        twice=0,
    )


class Crowd:
    """Threads that submit, and threads that work. Each knows both servers, and no other way to the store."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = urls
        self._no_more = False
        self._all_done = threading.Event()
        self._changed = threading.Condition()
        self.made: dict[str, str] = {}
        """The execution of each key that was acknowledged."""
        self.completed: Counter[str] = Counter()
        """How often each execution was reported as completed by different requests."""
        self.sent_again = 0
        self.leases_lost = 0
        self.surprises: list[str] = []
        self._submitting = [threading.Thread(target=self._run, args=(self._submit, n)) for n in range(SUBMITTERS)]
        self._working = [threading.Thread(target=self._run, args=(self._work, n)) for n in range(WORKERS)]

    def start(self) -> None:
        for thread in (*self._submitting, *self._working):
            thread.start()

    def wait_for_progress(self) -> None:
        made, completed = len(self.made) + PROGRESS, len(self.completed) + PROGRESS
        wait_until(lambda: bool(self.surprises) or (len(self.made) >= made and len(self.completed) >= completed))

    def finish(self) -> None:
        """Submit nothing more, and return when everything that was submitted has been completed."""
        self._submit_no_more()
        wait_until(lambda: bool(self.surprises) or len(self.completed) == len(self.made))

    def stop(self) -> None:
        self._all_done.set()
        self._submit_no_more()
        for thread in self._working:
            thread.join()

    def _submit_no_more(self) -> None:
        with self._changed:
            self._no_more = True
            self._changed.notify_all()
        for thread in self._submitting:
            thread.join()

    def _run(self, does: Any, number: int) -> None:
        try:
            with httpx.Client(timeout=60) as client:
                does(client, number)
        except Exception as error:
            # Whatever it is, the test has failed.
            self.surprises.append(repr(error))

    def _submit(self, client: httpx.Client, number: int) -> None:
        for count in itertools.count():
            with self._changed:
                self._changed.wait_for(lambda: self._no_more or len(self.made) - len(self.completed) < BACKLOG)
            if self._no_more:
                return
            key = f"submitter-{number}-{count}"
            made = self._answer(client, "POST", "/v1/executions", {"kind": "note"}, key, count)
            self.made[key] = made.json()["execution_id"]

    def _work(self, client: httpx.Client, number: int) -> None:
        me = {"worker_id": "clerk", "worker_instance_id": f"clerk-{number}"}
        ask = {**me, "limit": 5, "lease_ttl_ms": LEASE_MS, "timeout_ms": 100}
        for count in itertools.count():
            if self._all_done.is_set():
                return
            # If this answer is lost, what was claimed is claimed again when the lease is over.
            for claimed in self._answer(client, "POST", "/v1/leases/wait", ask, None, count).json():
                key = f"clerk-{number}-{claimed['execution_id']}-{claimed['attempt_index']}"
                body = {"lease": claimed["lease"]}
                # The lease came from one server, and goes to the other.
                answer = self._answer(client, "POST", "/v1/leases/complete", body, key, count + 1)
                with self._changed:
                    if answer.is_success:
                        self.completed[claimed["execution_id"]] += 1
                        self._changed.notify_all()
                    else:
                        self.leases_lost += 1

    def _answer(
        self, client: httpx.Client, verb: str, path: str, body: object, key: str | None, first: int
    ) -> httpx.Response:
        """Ask one server after the other, with the same key, until one answers."""
        headers = {} if key is None else {"Idempotency-Key": key}
        for number in itertools.count(first):
            try:
                answer = client.request(verb, self._urls[number % 2] + path, json=body, headers=headers)
            except httpx.TransportError:
                with self._changed:
                    self.sent_again += 1
                continue
            if answer.status_code in (204, 503):
                continue
            assert answer.is_success or answer.status_code == 409, answer.text
            return answer
        raise AssertionError


@contextmanager
def a_crowd(servers: Sequence[Served]) -> Iterator[Crowd]:
    crowd = Crowd([server.url for server in servers])
    crowd.start()
    try:
        yield crowd
    finally:
        crowd.stop()
