"""A process that orders and submits in one transaction of its own, and stops where it is told to, until it is killed.

`python program.py URL before|after`: it says the id of what it has submitted before its commit, and `committed` after.
"""

import sqlite3
import sys
from typing import Any

import psycopg

from flowfabric import open_blocking_engine


def order(url: str, moment: str) -> None:
    """Insert an order, submit, and stop before or after the commit."""
    is_file = url.startswith("sqlite")
    conn: Any = sqlite3.connect(url.removeprefix("sqlite:///")) if is_file else psycopg.connect(url)
    with open_blocking_engine(url, reconcile=False) as engine:
        with engine.transaction(conn):
            conn.execute("insert into orders values ('pen')")
            say(engine.create_execution("mail", b"pen", idempotency_key="order-7", conn=conn).execution_id)
            if moment == "before":
                sys.stdin.read()
        say("committed")
        sys.stdin.read()


def say(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    order(*sys.argv[1:])
