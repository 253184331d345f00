"""Every metric, once: its name, its labels and what it means. Nothing else makes one, and the pages list them all."""

from typing import Final, Literal, NamedTuple

PREFIX: Final = "flowfabric_"
_TASK: Final = ("namespace", "lane", "task")
_LANE: Final = ("namespace", "lane")


class Metric(NamedTuple):
    """One metric. The name has no prefix, and that of a counter does not end with `_total`."""

    name: str
    kind: Literal["counter", "histogram", "gauge"]
    labels: tuple[str, ...]
    help: str

    @property
    def shown(self) -> str:
        """The name under which Prometheus has it."""
        return f"{PREFIX}{self.name}{'_total' if self.kind == 'counter' else ''}"


def _counter(name: str, labels: tuple[str, ...], text: str) -> Metric:
    return Metric(name, "counter", labels, text)


def _histogram(name: str, labels: tuple[str, ...], text: str) -> Metric:
    return Metric(name, "histogram", labels, text)


def _gauge(name: str, labels: tuple[str, ...], text: str) -> Metric:
    return Metric(name, "gauge", labels, text)


# ── what an engine has done ──────────────────────────────────────────────────────────────────────

SUBMITTED: Final = _counter("submitted", _TASK, "Executions that were made.")
STARTED: Final = _counter("started", (*_TASK, "type"), "Leases that workers got, by the type of the claim.")
ENDED: Final = _counter("ended", (*_TASK, "outcome"), "Executions that came to their end.")
ATTEMPTS: Final = _counter("attempts_ended", (*_TASK, "outcome"), "Attempts that ended, by how they ended.")
LEASES_LOST: Final = _counter("leases_lost", (*_TASK, "why"), "Leases that were taken from their worker.")
QUEUE: Final = _histogram("queue_seconds", _TASK, "From ready to leased. A resumed attempt is not counted.")
ATTEMPT: Final = _histogram("attempt_seconds", _TASK, "From the begin of an attempt to its end.")
STEP: Final = _histogram("step_seconds", _TASK, "How long steps ran whose result was stored.")
REFUSALS: Final = _counter("refusals", ("code",), "Commands that were refused, by the code of the error.")
RENEWALS: Final = _counter("renewals", ("outcome",), "Leases that were to be renewed: renewed or lost.")
SIGNALS: Final = _counter("signals", ("effect",), "Signals that were sent, by what they did.")
CHARGES: Final = _counter("charges", (), "Charges of budgets.")
FRAMES: Final = _counter("stream_frames", (), "Frames of streams that were stored.")
BYTES: Final = _counter("stream_bytes", (), "Bytes of these frames.")

# ── how it commits ───────────────────────────────────────────────────────────────────────────────

COMMIT: Final = _histogram("commit_seconds", (), "From the begin of a transaction to the answer of the store.")
BATCH: Final = _histogram("commit_batch_size", (), "Commands in a commit.")
COMMIT_QUEUE: Final = _histogram("commit_queue_seconds", (), "How long the oldest command of a batch had waited.")
RETRIES: Final = _counter("commit_retries", ("why",), "Batches that were tried again.")
IN_DOUBT: Final = _counter("commits_in_doubt", (), "Commits whose answer was lost. The engine finds out what happened.")
LATE: Final = _histogram("sweep_late_seconds", ("kind",), "How late upkeep came for what was due.")

# ── a worker, a server ───────────────────────────────────────────────────────────────────────────

SLOTS: Final = _gauge("worker_slots", ("state",), "Slots of the workers of this process: busy or free.")
BUILD: Final = _gauge("build_info", ("version",), "Always 1, with the version of flowfabric.")
REQUESTS: Final = _counter("http_requests", ("route", "method", "status"), "Requests that the server has answered.")
REQUEST: Final = _histogram("http_request_seconds", ("route", "method"), "How long the server took for them.")
CONNECTIONS: Final = _gauge("sse_connections", (), "Readers that follow events or streams now.")

# ── the store, whether or not a worker runs ──────────────────────────────────────────────────────

STORE_UP: Final = _gauge("store_up", (), "Whether the store could be read: 1 or 0.")
SCHEMA: Final = _gauge("schema_version", (), "The version of the tables.")
EXECUTIONS: Final = _gauge("executions", ("state",), "Executions in the store, by public state.")
READY: Final = _gauge("ready", _LANE, "Executions that could be claimed now.")
OLDEST_READY: Final = _gauge("oldest_ready_seconds", _LANE, "How long the oldest of them has waited.")
DELAYED: Final = _gauge("delayed", _LANE, "Executions that wait for a moment.")
ACTIVE: Final = _gauge("active", _LANE, "Executions that are leased.")
BLOCKED: Final = _gauge("blocked", _LANE, "Executions that wait for others, for signals, or for an operator.")
PARKED_IN: Final = _gauge("lane_parked", _LANE, "Executions that wait for a limit or a budget.")
PAUSED: Final = _gauge("lane_paused", _LANE, "Whether an operator has paused the lane: 1 or 0.")
SERVED: Final = _gauge("workers", _LANE, "Live workers that serve the lane.")
SUSPENDED: Final = _gauge("suspended", _LANE, "Executions that are suspended until a wait is over.")
OLDEST_SUSPENDED: Final = _gauge(
    "oldest_suspended_seconds", _LANE, "How long ago the oldest of them was ready before it was suspended."
)
PARKED: Final = _gauge("parked", ("namespace", "limit"), "Executions that wait for the limit, up to 10,000 for a key.")
RUNNING: Final = _gauge("limit_running", ("namespace", "limit"), "Leases that hold a slot of the limit.")
SPENT: Final = _gauge(
    "budget_spent_ratio", ("namespace", "budget", "dimension"), "Used and reserved, as a part of the limit."
)
SCHEDULE_LAG: Final = _gauge(
    "schedule_lag_seconds", ("namespace", "schedule"), "How long ago a slot should have fired that has not."
)
EVENTS: Final = _gauge("event_log_rows", (), "Numbers of events from the first to the last one in the log.")

ALL: Final = tuple(each for each in list(globals().values()) if isinstance(each, Metric))
"""Every metric."""
