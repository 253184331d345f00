"""What the processes of these tests do. Each program is a function, called by name from the command line.

A program writes `ready` when it is set up, may wait for a line of JSON, and reports one line of JSON at its end.
"""

import json
import sys

from flowfabric import open_blocking_engine


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def _told() -> object:
    return json.loads(sys.stdin.readline())


def _report(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")


def migrate_and_create(url: str) -> None:
    """Migrate when told, and use the result."""
    _ready()
    _told()
    with open_blocking_engine(url, migrate=True, reconcile=False) as engine:
        engine.create_execution("kind")
        _report(store=engine._engine._services.store.name)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
