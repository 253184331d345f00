"""A server, a worker and what they have done: what the pages show. All of them are processes of their own."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from flowfabric import BlockingEngine, open_blocking_engine
from tests.browser import shop
from tests.chaos.processes import running, wait_until
from tests.server import ff_server
from tests.server.ff_server import Served

T = TypeVar("T")

ROLES = ("viewer", "approver", "operator", "admin")


@dataclass
class World:
    """What tests know of it. Each method runs in a thread, because Playwright's event loop has this one."""

    server: Served
    folder: Path
    engine: BlockingEngine
    tokens: dict[str, str]
    _thread: ThreadPoolExecutor
    ids: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return self.server.url

    def do(self, act: Callable[[], T]) -> T:
        return self._thread.submit(act).result(60)

    def submit(self, task: Any, *args: Any, **options: Any) -> str:
        """Submit a task, and return the id of its execution."""
        return self.do(lambda: task.options(**options).submit_sync(*args).execution_id)

    def made(self, kind: str = "report", lane: str = shop.UNSERVED, **options: Any) -> str:
        """An execution that nobody runs."""
        return self.do(lambda: self.engine.create_execution(kind, lane=lane, **options).execution_id)

    def state(self, execution_id: str) -> str:
        found = self.do(lambda: self.engine.describe_execution(execution_id))
        assert found is not None
        return found.public_state

    def wait_for(self, execution_id: str, state: str) -> str:
        """Return its id once a worker has brought it there."""
        wait_until(lambda: self.state(execution_id) == state)
        return execution_id

    def order(self, number: int, cents: int = 990, outage: str = "") -> str:
        """The id of a new flow: charge and pack, and ship after both."""

        def submitted() -> str:
            with shop.ff.flow("order", tags={"shop.order": str(number)}) as flow:
                charged = flow.add(shop.charge, order=number, cents=cents, outage=outage)
                packed = flow.add(shop.pack, order=number)
                flow.add(shop.ship, charged=charged.output, box=packed.output)
            return flow.flow_id

        return self.do(submitted)

    def pictures(self, count: int) -> str:
        """The id of a new flow with many members that are alike."""

        def submitted() -> str:
            with shop.ff.flow("pictures") as flow:
                resized = flow.map(shop.resize, range(count))
                flow.add(shop.album, images=[each.output for each in resized])
            return flow.flow_id

        return self.do(submitted)

    def failed_charge(self) -> str:
        """The id of the member that failed the flow."""
        found = self.do(lambda: self.engine.list_executions(flow_id=self.ids["failed order"], public_state="failed"))
        return found.items[0].execution_id

    def wait_for_flow(self, flow_id: str, state: str) -> str:
        def is_there() -> bool:
            found = self.do(lambda: self.engine.describe_flow(flow_id))
            return found is not None and found.state == state

        wait_until(is_there)
        return flow_id

    def outage(self, number: int, why: str = "the bank does not answer") -> Path:
        """A file that makes orders fail while it exists."""
        file = self.folder / f"outage-{number}"
        file.write_text(why)
        return file


@contextmanager
def world(folder: Path, program: ModuleType, fill: Callable[[World], None]) -> Iterator[World]:
    """A worker that runs the program, and what `fill` has made it do."""
    store = f"sqlite:///{folder}/shop.db"
    with ExitStack() as stack:
        thread = stack.enter_context(ThreadPoolExecutor(1))
        engine = thread.submit(lambda: stack.enter_context(open_blocking_engine(store, migrate=True))).result()
        tokens = {role: engine.create_access_token(role, name=f"{role}-ann").secret for role in ROLES}
        server = stack.enter_context(ff_server.running(store, folder))
        words = ("worker", f"{program.__name__}:ff", "--url", store, "--lanes", "default,mail", "--poll", "200ms",
                 "--name", "packer", "--log-level", "error")  # fmt: skip
        stack.enter_context(running("ff", "{}", *words, folder=folder))
        shop.ff.move_to(store)
        stack.enter_context(shop.ff)
        made = World(server, folder, engine, tokens, thread)
        fill(made)
        yield made
