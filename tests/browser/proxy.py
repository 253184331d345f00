"""A proxy on loopback that hands bytes on, and cuts connections when a test says so."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """It listens at `url` until it is closed. While it `refuses`, connections end as soon as they begin."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.refuses = False
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections at once, in the middle of what they say, and let no new ones through."""
        with self._lock:
            self.refuses = True
            for each in self._open:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.refuses = False

    def close(self) -> None:
        self.cut()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who waits in accept
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.refuses:
                near.close()
                continue
            try:
                far = socket.create_connection(self._target)
            except OSError:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            if self.refuses:  # since a moment ago: `cut` may not have seen these
                self.cut()
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._hand_on, args=(source, sink), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open -= {source, sink}
        source.close()


@contextmanager
def proxied(port: int) -> Iterator[Proxy]:
    """A proxy before the server at this port."""
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
