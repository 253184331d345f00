"""What a task function is handed first: which execution this is, and under which lease it runs."""

import msgspec


class Context(msgspec.Struct, frozen=True):
    """Who is running: one attempt of one execution."""

    execution_id: str
    attempt_index: int
    fencing_token: int
    """Grows with every lease of the execution; whoever has seen a higher one refuses a lower one."""
