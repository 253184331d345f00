"""How much the group commit takes at once, and for how long it tries and waits."""

from typing import Final

BATCH_WEIGHT_MAX: Final = 500
"""How many executions one batch touches at most; a single larger command is a batch of its own."""
QUEUE_WEIGHT_MAX: Final = 10_000
"""How much may wait for the committers before callers have to wait with it."""

CONTENTION_PAUSES_S: Final = (0.005, 0.010)
"""How long a committer pauses between its tries when others were in the way."""
LONG_TRY_S: Final = 1.0
"""If contention was noticed only after so long, a batch is not tried again, and a command alone only once."""
OVERTAKEN_MAX: Final = 10
"""How often a batch is decided again at once. Where many renew one idempotency key, another is often faster."""
RECONNECT_S_MAX: Final = 10.0
"""For how long a store that is away is asked again before callers get an error."""
RECONNECT_PAUSE_S: Final = (0.05, 1.0)
"""The first and the longest pause between two of those questions."""

LOCK_PATIENCE_S: Final = 15.0
"""How long a command waits for what somebody else's transaction holds."""
QUICK_LOCK_WAIT_MS: Final = 20
"""How long a committer waits for a lock while it is known that somebody holds some."""
ASIDE_LOCK_WAIT_MS: Final = 2
"""How long commands that wait aside are tried for when it is not their turn."""
QUEUED_LOCK_WAIT_MS: Final = 250
"""How long one command at a time stays in the queue of its lock."""
LOCKS_ARE_HELD_S: Final = 2.0
"""For how long all committers expect locks after one of them has met one."""
RENEWALS_APART_S: Final = 0.1
"""For how long a committer tries renewals apart after their batch has met a lock, while everyone else waits for it."""
TRIED_AT_ONCE: Final = 8
"""How many commands that wait aside are tried again together."""
ASIDE_WEIGHT_MAX: Final = 5_000
"""How much may wait aside. More is refused, because everyone would have to wait for room otherwise."""
IDLE_CONNECTION_S: Final = 10.0
"""How long the connection of the commands that wait aside is kept when there are none."""
