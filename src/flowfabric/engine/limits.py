"""How much the group commit takes at once, and for how long it tries and waits."""

from typing import Final

BATCH_WEIGHT_MAX: Final = 500
"""How many executions one batch touches at most. A single command that is larger is a batch of its own."""
QUEUE_WEIGHT_MAX: Final = 10_000
"""How much weight may wait in the queues of the committers. Beyond this, callers have to wait for room."""

CONTENTION_PAUSES_S: Final = (0.005, 0.010)
"""How long a committer pauses between its tries after contention."""
LONG_TRY_S: Final = 1.0
"""If a try met contention only after this time, a batch is not tried again, and a single command only once more."""
OVERTAKEN_MAX: Final = 10
"""How often a batch is decided again at once, because another one was faster: many callers may renew one key."""
UNCLEAR_MAX: Final = 3
"""How often a batch is decided again, or a read is made again, because the answer of the store was unclear."""
RECONNECT_S_MAX: Final = 10.0
"""For how long the engine tries to reach a store that is away before callers get an error."""
RECONNECT_PAUSE_S: Final = (0.05, 1.0)
"""The first and the longest pause between two of these tries."""

LOCK_PATIENCE_S: Final = 15.0
"""How long a command waits for a lock of another transaction."""
QUICK_LOCK_WAIT_MS: Final = 20
"""How long a committer waits for a lock while other transactions are known to hold locks."""
ASIDE_LOCK_WAIT_MS: Final = 2
"""How long a try of commands that wait aside waits for locks, except for the one in the queue of its lock."""
QUEUED_LOCK_WAIT_MS: Final = 250
"""How long one command at a time stays in the queue of its lock."""
LOCKS_ARE_HELD_S: Final = 2.0
"""For how long all committers expect held locks after one of them has met one."""
RENEWAL_FAILURES_MAX: Final = 20
"""How many tries of renewals apart may meet a lock before the rest is refused. Other commands wait meanwhile. No clock
counts here: on a machine that is slow, healthy leases would be refused together with the one that is held."""
TRIED_AT_ONCE: Final = 8
"""How many commands that wait aside are tried again together."""
ASIDE_WEIGHT_MAX: Final = 5_000
"""How much weight may wait aside. More is refused, because otherwise all callers would have to wait for room."""
IDLE_CONNECTION_S: Final = 10.0
"""How long the connection for commands that wait aside stays open when no command waits."""
