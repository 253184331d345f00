"""Retry, timeouts, replays and retention as functions of values."""

import math
from binascii import crc32
from typing import Final, Literal

import msgspec

from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.ids import ExecutionId, uuid_in
from flowfabric.domain.known_types import known

DURATION_MS_MAX: Final = 100 * 365 * 86_400_000
RETRIES_MAX: Final = 1_000_000
STREAM_FRAMES_MAX: Final = 10_000_000
STREAM_BYTES_MAX: Final = 1024 * 1024 * 1024


def _check_int(name: str, value: object, low: int, high: int, *, optional: bool = False) -> None:
    if optional and value is None:
        return
    if type(value) is not int or not low <= value <= high:
        raise InvalidInput(f"{name} is {shown(value)}; it must be a whole number from {low} to {high}.")


def _check_number(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise InvalidInput(f"{name} is {shown(value)}; it must be a number from {low} to {high}.")


@known
class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How often a failed attempt is tried again, and after how long."""

    max_retries: int = 0
    backoff: Literal["fixed", "exponential"] = "exponential"
    initial_delay_ms: int = 1_000
    max_delay_ms: int = 300_000
    multiplier: float = 2.0
    jitter: float = 0.1
    """At most this fraction of the delay is added to the delay. 0: no jitter."""

    def __post_init__(self) -> None:
        """Refuse a policy that could not be followed."""
        _check_int("max_retries", self.max_retries, 0, RETRIES_MAX)
        _check_int("initial_delay_ms", self.initial_delay_ms, 0, DURATION_MS_MAX)
        _check_int("max_delay_ms", self.max_delay_ms, 0, DURATION_MS_MAX)
        _check_number("multiplier", self.multiplier, 1.0, 1_000_000.0)
        _check_number("jitter", self.jitter, 0.0, 1.0)
        if self.backoff not in ("fixed", "exponential"):
            raise InvalidInput(f"backoff is {shown(self.backoff)}; it must be 'fixed' or 'exponential'.")

    def delay_ms(self, retry: int, execution_id: ExecutionId, attempt_index: int) -> int:
        """The pause before the given retry (1 is the first): whole milliseconds, never above `max_delay_ms`.

        Jitter is a function of the execution and the attempt, so every store and every repetition gets the same.
        """
        delay = float(self.initial_delay_ms)
        if delay and self.backoff == "exponential":
            try:
                # A float is used, because the millionth power of a whole number takes seconds to compute.
                delay *= float(self.multiplier) ** (retry - 1)
            except OverflowError:
                delay = math.inf
        chance = crc32(f"{uuid_in(execution_id)}:{attempt_index}".encode()) / 2**32
        # The product can overflow to infinity, and zero times infinity is not a number: the cap comes first.
        delay = min(delay, float(self.max_delay_ms))
        return min(math.ceil(delay * (1 + self.jitter * chance)), self.max_delay_ms)


@known
class ExecutionPolicy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The rules for one execution. They belong to it from its creation to its removal."""

    retry: RetryPolicy = RetryPolicy()
    attempt_timeout_ms: int | None = None
    """How long one attempt may run. A timeout counts as a retryable failure."""
    max_interruptions: int = 10
    """How many lost or revoked leases it survives. With one more it fails with worker_lost."""
    max_replays: int | None = None
    retention_ms: int | None = None
    """How long it is kept after its end. None: for ever."""
    stream_max_frames: int = 10_000
    """How many frames of its stream are kept of one attempt. The oldest are removed."""
    stream_max_bytes: int = 8 * 1024 * 1024

    def __post_init__(self) -> None:
        """Refuse a policy that could not be followed."""
        if not isinstance(self.retry, RetryPolicy):
            raise InvalidInput(f"retry is a RetryPolicy, not {type(self.retry).__name__}.")
        _check_int("attempt_timeout_ms", self.attempt_timeout_ms, 1, DURATION_MS_MAX, optional=True)
        _check_int("max_interruptions", self.max_interruptions, 0, RETRIES_MAX)
        _check_int("max_replays", self.max_replays, 0, RETRIES_MAX, optional=True)
        _check_int("retention_ms", self.retention_ms, 0, DURATION_MS_MAX, optional=True)
        _check_int("stream_max_frames", self.stream_max_frames, 1, STREAM_FRAMES_MAX)
        _check_int("stream_max_bytes", self.stream_max_bytes, 1, STREAM_BYTES_MAX)


DEFAULT_POLICY: Final = ExecutionPolicy()
