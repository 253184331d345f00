"""A small HTTP server for scrapes, beside a program that is no web server: `ff worker --metrics-port`."""

import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from flowfabric.domain.errors import InvalidInput
from flowfabric.telemetry.metrics import Rendered

log = logging.getLogger("flowfabric.telemetry")

PATH: Final = "/metrics"
SCRAPES_MAX: Final = 8
"""How many requests are answered at the same time. Further connections are closed."""
PATIENCE_S: Final = 5.0
"""How long a client may be silent."""


@contextmanager
def exposed(render: Callable[[str], Rendered], host: str, port: int) -> Iterator[tuple[str, int]]:
    """While the block lasts, answer `GET /metrics` there. Port 0: any free port. The block gets the address.

    `render` gets the header `Accept` of the request, and may be called from several threads.
    """
    try:
        server = _Server(render, host, port)
    except OSError as error:
        raise InvalidInput(
            f"The metrics cannot be served at {host} port {port}: {error.strerror or error}. "
            "Choose another port, or stop the program that uses it."
        ) from error
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="flowfabric-metrics", daemon=True)
        thread.start()
        address = str(server.server_address[0]), int(server.server_address[1])
        log.info("metrics are served at http://%s:%d%s", *address, PATH)
        try:
            yield address
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, render: Callable[[str], Rendered], host: str, port: int) -> None:
        self.render = render
        self._room = threading.Semaphore(SCRAPES_MAX)
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, if there is room for one more."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is nothing to report."""
        log.debug("a scrape has failed: %r", sys.exception())


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    server_version = "flowfabric"
    sys_version = ""
    timeout = PATIENCE_S

    def do_GET(self) -> None:
        """Answer with the metrics."""
        if self.path.partition("?")[0] != PATH:
            self._answer(HTTPStatus.NOT_FOUND, Rendered(f"The metrics are at {PATH}.\n".encode(), "text/plain"))
            return
        try:
            rendered = self.server.render(self.headers.get("Accept", ""))
        except Exception:
            log.exception("the metrics could not be read")
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, Rendered(b"See the log of the worker.\n", "text/plain"))
            return
        self._answer(HTTPStatus.OK, rendered)

    def _answer(self, status: HTTPStatus, rendered: Rendered) -> None:
        self.send_response(status)
        self.send_header("Content-Type", rendered.content_type)
        self.send_header("Content-Length", str(len(rendered.body)))
        self.end_headers()
        self.wfile.write(rendered.body)

    def log_message(self, format: str, *args: object) -> None:
        """Scrapes are not logged."""
