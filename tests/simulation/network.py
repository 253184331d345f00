"""The network between simulated processes: connections of event loops on which bytes arrive a little later, or never.

Real clients and real servers meet here: `asyncio.Protocol` on both sides, with a transport for each end in place of a
socket. All servers have one address, as behind a balancer, and a new connection reaches one of them.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from tests.simulation.strands import Process

if TYPE_CHECKING:
    from tests.simulation.world import World

ON_THE_WAY_S = (0.0, 0.0, 0.0005, 0.003)
"""How long bytes may take."""


class Network:
    """Who listens, and which connections there are."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._listening: dict[Process, tuple[asyncio.AbstractEventLoop, Callable[[], asyncio.Protocol]]] = {}
        self._ends: list[End] = []
        self.answers_to_lose = 0
        """How many of the next answers are lost, each with its connection."""
        self.requests_to_lose = 0
        """How many of the next requests are lost, each with its connection."""
        self.slow_until = 0.0
        self.slow_s = 0.0

    # ── for event loops ──────────────────────────────────────────────────────────────────────────

    async def connect(
        self, process: Process, loop: asyncio.AbstractEventLoop, factory: Callable[[], asyncio.Protocol]
    ) -> tuple["End", asyncio.Protocol]:
        """A connection to one of the servers."""
        await asyncio.sleep(self.delay_s())
        servers = [each for each in self._listening if not each.is_dead]
        if not servers:
            raise ConnectionRefusedError("no server listens")
        server = self._world.chance.choice(servers)
        server_loop, server_factory = self._listening[server]
        near, far = End(self, process, loop, is_client=True), End(self, server, server_loop, is_client=False)
        near.peer, far.peer = far, near
        self._ends += [near, far]
        near.protocol = factory()
        near.protocol.connection_made(near)
        far.arrives(lambda: far.accepted(_in_order(server_factory())))
        return near, near.protocol

    def listen(
        self, process: Process, loop: asyncio.AbstractEventLoop, factory: Callable[[], asyncio.Protocol]
    ) -> "Listener":
        """Let connections reach this process."""
        self._listening[process] = (loop, factory)
        return Listener(self, process)

    def listen_no_more(self, process: Process) -> None:
        """New connections do not reach this process any more."""
        self._listening.pop(process, None)

    # ── for the world ────────────────────────────────────────────────────────────────────────────

    def process_ended(self, process: Process) -> None:
        """The system closes the connections of a process that has ended or was killed."""
        self.listen_no_more(process)
        self.cut_connections_of(process)

    def cut_connections_of(self, process: Process) -> None:
        """Both ends of all connections of a process are told that they are lost."""
        for end in [each for each in self._ends if each.process is process]:
            end.cut()

    def go_silent(self, process: Process) -> None:
        """Nothing arrives any more on the connections that a process has now, and neither end hears of it."""
        for end in [each for each in self._ends if each.process is process]:
            end.is_silent = end.peer.is_silent = True

    def heal(self) -> None:
        """Nothing goes wrong any more; connections that were silent turn out to be lost."""
        self.answers_to_lose = self.requests_to_lose = 0
        self.slow_until = 0.0
        for end in [each for each in self._ends if each.is_silent]:
            end.cut()

    def forget(self, end: "End") -> None:
        """An end is closed."""
        if end in self._ends:
            self._ends.remove(end)

    def delay_s(self) -> float:
        """How long the next bytes are on their way."""
        world = self._world
        return self.slow_s if self.slow_until > world.now else world.chance.choice(ON_THE_WAY_S)

    def at(self, moment: float, happening: Callable[[], None]) -> None:
        """Let something happen at an instant."""
        self._world.scheduler.at(moment, happening)

    @property
    def now(self) -> float:
        """Virtual seconds."""
        return self._world.now


class Listener:
    """What `loop.create_server` returns."""

    def __init__(self, network: Network, process: Process) -> None:
        self._network = network
        self._process = process
        self.sockets: list[object] = []

    def close(self) -> None:
        """New connections reach this process no more."""
        self._network.listen_no_more(self._process)

    async def wait_closed(self) -> None:
        """It is closed at once."""


class InOrder(dict[Any, None]):
    """A set that keeps the order in which its elements came: that of a set depends on where they lie in memory."""

    def add(self, element: Any) -> None:
        self[element] = None

    def discard(self, element: Any) -> None:
        self.pop(element, None)


def _in_order(protocol: asyncio.Protocol) -> asyncio.Protocol:
    """The protocol of a server. When uvicorn stops, it closes connections one by one, as they stand in a set."""
    state = cast("Any", protocol).server_state
    if not isinstance(state.connections, InOrder):
        assert not state.connections
        state.connections = InOrder()
    return protocol


class End(asyncio.Transport):
    """One end of a connection."""

    peer: "End"
    protocol: asyncio.Protocol | None = None

    def __init__(self, network: Network, process: Process, loop: asyncio.AbstractEventLoop, *, is_client: bool) -> None:
        super().__init__({"peername": ("127.0.0.1", process.pid), "sockname": ("127.0.0.1", 7433)})
        self._network = network
        self.process = process
        self._loop = loop
        self._is_client = is_client
        self.is_silent = False
        """Whether nothing arrives any more."""
        self._is_closing = False
        self._is_lost = False
        self._is_paused = False
        self._unread: list[bytes] = []
        self._last_arrival = 0.0

    # ── as a transport ───────────────────────────────────────────────────────────────────────────

    def write(self, data: Any) -> None:
        """Send bytes."""
        if self._is_closing or self._is_lost or not data:
            return
        network, data = self._network, bytes(data)
        if self._is_client and network.requests_to_lose:
            network.requests_to_lose -= 1
            self.cut()
        elif not self._is_client and network.answers_to_lose:
            network.answers_to_lose -= 1
            self.cut()
        else:
            self.peer.arrives(lambda: self.peer.received(data))

    def close(self) -> None:
        """End the connection when everything is sent, which it is at once."""
        self._end(None)

    def abort(self) -> None:
        """End the connection at once."""
        self._end(None)

    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._is_closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing waits here: what is sent is on its way at once."""

    def get_write_buffer_size(self) -> int:
        """Nothing waits here."""
        return 0

    def pause_reading(self) -> None:
        """Keep what comes."""
        self._is_paused = True

    def resume_reading(self) -> None:
        """Deliver what was kept, and what comes."""
        if self._is_paused and not self._is_lost:
            self._is_paused = False
            self._loop.call_soon(self._deliver)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Deliver to another protocol."""
        assert isinstance(protocol, asyncio.Protocol)
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Where bytes are delivered."""
        assert self.protocol is not None
        return self.protocol

    # ── on the way ───────────────────────────────────────────────────────────────────────────────

    def arrives(self, what: Callable[[], None]) -> None:
        """Let something happen at this end, after all that is on its way already."""
        self._last_arrival = max(self._last_arrival, self._network.now + self._network.delay_s())
        self._network.at(self._last_arrival, lambda: self._hand_over(what))

    def _hand_over(self, what: Callable[[], None]) -> None:
        if not self.is_silent and not self.process.is_dead and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    def cut(self) -> None:
        """Lose the connection: both ends hear of it."""
        self.is_silent = self.peer.is_silent = False
        for end in (self, self.peer):
            end._is_closing = True
            end.arrives(lambda end=end: end.lost(ConnectionResetError("the connection was reset")))  # type: ignore[misc]

    # ── in the process, on its loop ──────────────────────────────────────────────────────────────

    def accepted(self, protocol: asyncio.Protocol) -> None:
        """A server has this end."""
        self.protocol = protocol
        protocol.connection_made(self)

    def received(self, data: bytes) -> None:
        """Bytes have come."""
        if not self._is_lost:
            self._unread.append(data)
            self._deliver()

    def _deliver(self) -> None:
        while self._unread and not self._is_paused and not self._is_lost and self.protocol is not None:
            self.protocol.data_received(self._unread.pop(0))

    def lost(self, error: Exception | None) -> None:
        """The connection is over."""
        if self._is_lost:
            return
        self._is_closing = True
        self._is_paused = False
        self._deliver()  # what has come before the end is read first
        self._is_lost = True
        self._network.forget(self)
        if self.protocol is not None:
            self.protocol.connection_lost(error)

    def _end(self, error: Exception | None) -> None:
        if self._is_closing:
            return
        self._is_closing = True
        self._unread.clear()
        self._loop.call_soon(self.lost, error)
        self.peer.arrives(lambda: self.peer.lost(None))
