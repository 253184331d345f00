"""Services that workers call: a bank and a warehouse, each with a key by which it knows a repeat."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Services:
    """What they were asked, and how they answer. The warehouse answers when it is open."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        """How often each was called, by service and key."""
        self.bank_answers: list[int] = []
        """The statuses with which the bank answers next; after these 200."""
        self.warehouse_is_open = threading.Event()
        self.came = threading.Condition()
        self.port = 0

    @property
    def arguments(self) -> dict[str, object]:
        """What an order is submitted with."""
        return {"bank": self._url("bank"), "warehouse": self._url("warehouse"), "cents": 990}

    def wait_until_called(self, service: str, times: int, within_s: float = 60) -> None:
        with self.came:
            assert self.came.wait_for(lambda: self.count(service) >= times, within_s), f"{service} was not called"

    def count(self, service: str) -> int:
        """How often a service was called, by anyone."""
        return sum(times for call, times in self.calls.items() if call.startswith(f"{service}: "))

    def take(self, service: str, key: str) -> tuple[int, str]:
        with self.came:
            self.calls[f"{service}: {key}"] += 1
            self.came.notify_all()
            status = self.bank_answers.pop(0) if service == "bank" and self.bank_answers else 200
        if service == "warehouse":
            self.warehouse_is_open.wait()
        return status, {"bank": "receipt", "warehouse": "parcel"}[service]

    def _url(self, service: str) -> str:
        return f"http://127.0.0.1:{self.port}/{service}"


@contextmanager
def running() -> Iterator[Services]:
    """Services at a port of their own, until the block ends."""
    services = Services()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            status, answer = services.take(self.path.strip("/"), self.headers["idempotency-key"])
            body = json.dumps(answer).encode()
            try:
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                pass  # the worker that asked was killed

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    services.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield services
    finally:
        services.warehouse_is_open.set()
        server.shutdown()
        server.server_close()
        thread.join()
