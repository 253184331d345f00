"""Read by every Python that `make matrix` starts, before anything else: another SQLite, or another event loop."""

import asyncio
import os
import sys

if os.environ.get("FF_MATRIX_PYSQLITE3"):
    import pysqlite3
    import pysqlite3.dbapi2

    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

if os.environ.get("FF_MATRIX_LOOP") == "uvloop":
    import uvloop

    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
