"""The real PgBouncer in transaction mode, before a server of one's own; it may be killed and started again."""

import os
import pwd
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.chaos.killable_postgres import KillablePostgres, end_with_the_tests
from tests.chaos.processes import wait_until
from tests.server.ff_server import free_port
from tests.system.programs import program


class PgBouncer:
    """Started and stopped by `running`."""

    def __init__(self, server: KillablePostgres, **settings: object) -> None:
        self._program = program("pgbouncer")
        self._port = free_port()
        self._config = server.folder / "pgbouncer.ini"
        self._log = server.folder / "pgbouncer.log"
        # It may not run as root, and only the server's own user may enter the folder of the server's socket.
        owner = pwd.getpwuid(server.folder.stat().st_uid).pw_name
        self._as_whom = ["-u", owner] if os.geteuid() == 0 else []
        self._process: subprocess.Popen[bytes] | None = None
        given = {
            "listen_addr": "127.0.0.1",
            "listen_port": self._port,
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": "transaction",
            "default_pool_size": 4,
            "server_login_retry": 1,
            **settings,
        }
        lines = [f"{name} = {value}" for name, value in given.items()]
        databases = f"* = host={server.folder} port=5432 user=postgres"
        self._config.write_text("\n".join(["[databases]", databases, "[pgbouncer]", *lines, ""]))

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/{database}"

    @property
    def said(self) -> str:
        """Its log."""
        return self._log.read_text()

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, *self._as_whom, str(self._config)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_the_tests,
            )
        wait_until(self._answers)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.said
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """kill -9, if it runs."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextmanager
def running(server: KillablePostgres, **settings: object) -> Iterator[PgBouncer]:
    """One that pools connections to the server until the block ends."""
    pooler = PgBouncer(server, **settings)
    pooler.start()
    try:
        yield pooler
    finally:
        pooler.kill()
