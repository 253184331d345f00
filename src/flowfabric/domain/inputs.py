"""The checks of all arguments: they are checked and made canonical here, once, before they become a command.

Only priorities are clamped; any other wrong value is refused. A value that one store could keep and another could not
(a NUL, a lone surrogate, an integer beyond 63 bits) is refused, too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final, Literal, get_args

from flowfabric.domain.cron import Cron, cron
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.execution import ON_ENDED, OnEnded
from flowfabric.domain.flow import CANCELLATION_POLICIES, FLOW_STATES, CancellationPolicy, FlowState
from flowfabric.domain.ids import ExecutionId, FlowId, parse_execution_id, parse_member_id, parse_uuid
from flowfabric.domain.intervals import Every
from flowfabric.domain.joins import AllOf, AnyOf, Join, OnSatisfied, Quorum
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.policies import DURATION_MS_MAX, ExecutionPolicy
from flowfabric.domain.schedule import CATCH_UPS, INTERVAL_MS_MIN, OWN_TAGS, CatchUp
from flowfabric.domain.states import CHANNELS, PUBLIC_STATES, Channel, PublicState
from flowfabric.domain.steps import STEPS_RULES, StepsRule

LANE_CHARS_MAX: Final = 64
NAME_CHARS_MAX: Final = 128
KEY_CHARS_MAX: Final = 256
TAG_KEY_CHARS_MAX: Final = 256
TAG_VALUE_BYTES_MAX: Final = 1024
TAGS_MAX: Final = 64
CAPABILITIES_MAX: Final = 64
CAPABILITY_CHARS_MAX: Final = 256
TEXT_BYTES_MAX: Final = 4096
TRACEBACK_BYTES_MAX: Final = 16 * 1024
PAYLOAD_BYTES_MAX: Final = 1024 * 1024
CALL_BYTES_MAX: Final = 64 * 1024 * 1024
"""The data of one call is held in memory, sent and written in one piece. Every store has a limit for one piece."""
LIMIT_MAX: Final = 1000
ITEMS_MAX: Final = 10_000
LANES_MAX: Final = 64
PRIORITY_MAX: Final = 9000
INSTANT_MS_MAX: Final = 2**53 - 1
LEASE_TTL_MS_MAX: Final = 30 * 86_400_000
IDEMPOTENCY_TTL_MS_MAX: Final = DURATION_MS_MAX
FINGERPRINT_BYTES_MAX: Final = 64
QUORUM_MAX: Final = 2**31 - 1
EDGES_MAX: Final = 50_000
UPSTREAMS_MAX: Final = 1000

_LANE: Final = re.compile(r"[\x20-\x7e]{1,64}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")
_CAPABILITY: Final = re.compile(r"[^,\s\x00-\x20\x7f-\x9f\ud800-\udfff]{1,256}")
_TAG_KEY: Final = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9_][a-z0-9_.]*")


class _Omitted(str):
    """A default that can be distinguished from the same text if a caller gives it."""

    __slots__ = ()


DEFAULT_NAMESPACE: Final[str] = _Omitted("default")


def namespace_in_scope(namespace: object, scope: str | None) -> str:
    """The namespace to act in. If it is omitted: the scope, or `default` for an engine without a scope."""
    if scope is None:
        return name("namespace", namespace)
    if namespace is DEFAULT_NAMESPACE or namespace is None:
        return scope
    if name("namespace", namespace) != scope:
        raise InvalidInput(
            f"namespace is {shown(namespace)}, but this engine is scoped to {scope!r}. "
            "Leave the namespace out, or use an engine of the other scope."
        )
    return scope


def optional_namespace_in_scope(namespace: object, scope: str | None) -> str | None:
    """The namespace to read. None: the scope, or all namespaces for an engine without a scope."""
    if namespace is None:
        return scope
    return namespace_in_scope(namespace, scope)


@lru_cache(maxsize=4096)
def _lane(value: str) -> str:
    if not _LANE.fullmatch(value):
        raise InvalidInput(f"lane is {shown(value)}; it must be 1 to {LANE_CHARS_MAX} printable ASCII characters.")
    return str(value)


def lane(value: object) -> str:
    """A lane: 1 to 64 printable ASCII characters."""
    if not isinstance(value, str):
        raise InvalidInput(f"lane is a string, not {type(value).__name__}.")
    return _lane(value)


def lanes(values: object) -> tuple[str, ...]:
    """Lanes to claim from, each once."""
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Sequence):
        raise InvalidInput(f"lanes is a sequence of lane names, not {type(values).__name__}. Write lanes=['default'].")
    if not 1 <= len(values) <= LANES_MAX:
        raise InvalidInput(f"lanes has {len(values)} entries; it must have 1 to {LANES_MAX}.")
    return tuple(dict.fromkeys(lane(value) for value in values))


@lru_cache(maxsize=4096)
def _name(field: str, value: str, chars_max: int) -> str:
    if not 1 <= len(value) <= chars_max or _CONTROL.search(value) or _UNSTORABLE.search(value):
        raise InvalidInput(
            f"{field} is {shown(value)}; it must be 1 to {chars_max} characters without control characters."
        )
    return str(value)


def name(field: str, value: object, chars_max: int = NAME_CHARS_MAX) -> str:
    """A short name: kinds, namespaces, workers, failure codes, sources."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} is a string, not {type(value).__name__}.")
    return _name(field, value, chars_max)


def key(field: str, value: object) -> str | None:
    """An idempotency key or a command id, or None."""
    if value is None:
        return None
    return name(field, value, KEY_CHARS_MAX)


def percent(value: object) -> int:
    """A number from 0 to 100 in whole percents, rounded down."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 100:
        raise InvalidInput(f"percent is {shown(value)}; it must be a number from 0 to 100.")
    return int(value)


def on_ended(value: object) -> OnEnded:
    """What happens to an idempotency key whose execution has ended."""
    for choice in ON_ENDED:
        if choice == value:
            return choice
    raise InvalidInput(f"idempotency_on_ended is {shown(value)}; it must be one of {', '.join(ON_ENDED)}.")


def text(field: str, value: object, bytes_max: int = TEXT_BYTES_MAX) -> str:
    """Free text: reasons and messages."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} is a string, not {type(value).__name__}.")
    if _UNSTORABLE.search(value):
        raise InvalidInput(f"{field} holds a NUL or a lone surrogate, which not every store can keep. Remove it.")
    if len(value) * 4 > bytes_max and len(value.encode()) > bytes_max:
        raise InvalidInput(f"{field} is {len(value.encode())} bytes long; the limit is {bytes_max}. Shorten it.")
    return value


def payload(field: str, value: object, bytes_max: int) -> bytes:
    """A payload or a result."""
    if isinstance(value, (bytearray, memoryview)):
        value = bytes(value)
    if not isinstance(value, bytes):
        raise InvalidInput(f"{field} is bytes, not {type(value).__name__}. Encode it first.")
    if len(value) > bytes_max:
        raise InvalidInput(
            f"{field} is {len(value)} bytes; the limit is {bytes_max}. Store it elsewhere and pass a reference."
        )
    return value


def size_of_call(items: Iterable[tuple[bytes, Mapping[str, str]]]) -> None:
    """Refuse payloads and tags that are too much for one call."""
    size = 0
    for item_payload, item_tags in items:
        size += len(item_payload)
        if item_tags:
            size += sum(len(key) + len(value.encode()) for key, value in item_tags.items())
    if size > CALL_BYTES_MAX:
        raise InvalidInput(
            f"The payloads and tags of one call are {size} bytes together; the limit is {CALL_BYTES_MAX}. Nothing was "
            "created. Send several calls, or store payloads elsewhere and pass references."
        )


def payload_bytes_max(value: object) -> int:
    """The limit of one payload that an engine is opened with."""
    return integer("payload_bytes_max", value, 0, CALL_BYTES_MAX)


def integer(field: str, value: object, low: int, high: int) -> int:
    """A whole number within bounds; True and 1.0 are not whole numbers here."""
    if type(value) is not int or not low <= value <= high:
        raise InvalidInput(f"{field} is {shown(value)}; it must be a whole number from {low} to {high}.")
    return value


def instant(field: str, value: object) -> int:
    """Milliseconds since the epoch."""
    return integer(field, value, 0, INSTANT_MS_MAX)


def optional_instant(field: str, value: object) -> int | None:
    """Milliseconds since the epoch, or None."""
    return None if value is None else instant(field, value)


def flag(field: str, value: object) -> bool:
    """True or False. Other values are refused, even if they count as true or false."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} is True or False, not {shown(value)}.")
    return value


def priority(value: object) -> int:
    """A priority, brought into 0 to 9000."""
    if type(value) is not int:
        raise InvalidInput(f"priority is {shown(value)}; it must be a whole number.")
    return max(0, min(PRIORITY_MAX, value))


def limit(value: object) -> int:
    """The size of a page or of a claim: 1 to 1000."""
    return integer("limit", value, 1, LIMIT_MAX)


def capabilities(field: str, values: object) -> tuple[str, ...]:
    """Capability tokens, sorted, each once."""
    if values == ():
        return ()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, (Sequence, Set)):
        raise InvalidInput(f"{field} is a sequence of tokens, not {type(values).__name__}. Write {field}=['gpu'].")
    tokens: list[object] = list(values)
    if len(tokens) > CAPABILITIES_MAX:
        raise InvalidInput(f"{field} has {len(tokens)} tokens; the limit is {CAPABILITIES_MAX}.")
    for token in tokens:
        if not isinstance(token, str) or not _CAPABILITY.fullmatch(token):
            raise InvalidInput(
                f"{field} holds {shown(token)}; a token is 1 to {CAPABILITY_CHARS_MAX} characters "
                "without comma, space or control character."
            )
    return tuple(sorted({str(token) for token in tokens}))


def tag_key(value: object) -> str:
    """A tag's key, such as `team.name`."""
    if not isinstance(value, str) or len(value) > TAG_KEY_CHARS_MAX or not _TAG_KEY.fullmatch(value):
        raise InvalidInput(
            f"tag key is {shown(value)}; it must look like 'team.name': lower-case letters, digits and "
            "underscores, with a dot after the first part."
        )
    return value


def tag_value(value: object) -> str:
    """A tag's value: text up to 1 KiB."""
    return text("tag value", value, TAG_VALUE_BYTES_MAX)


def tags(values: object) -> Mapping[str, str]:
    """A mapping of tags."""
    if not isinstance(values, (dict, Mapping)):  # see gate_inputs.gates
        raise InvalidInput(f"tags is a mapping of text to text, not {type(values).__name__}.")
    if not values:
        return NO_TAGS
    if len(values) > TAGS_MAX:
        raise InvalidInput(f"tags has {len(values)} entries; the limit is {TAGS_MAX}.")
    return {tag_key(k): tag_value(v) for k, v in values.items()}


NO_TAGS: Final[Mapping[str, str]] = {}


def policy(value: object) -> ExecutionPolicy:
    """An execution's policy; its own fields were checked when it was made."""
    if not isinstance(value, ExecutionPolicy):
        raise InvalidInput(f"policy is an ExecutionPolicy, not {type(value).__name__}.")
    return value


def fence(value: object) -> Fence:
    """The fields of a lease that are compared."""
    if not isinstance(value, Lease):
        raise InvalidInput(f"lease is the Lease that claim returned, not {type(value).__name__}.")
    return Fence(
        parse_execution_id(value.execution_id),
        integer("lease.attempt_index", value.attempt_index, 0, INSTANT_MS_MAX),
        integer("lease.lease_epoch", value.lease_epoch, 0, INSTANT_MS_MAX),
        text("lease.lease_id", value.lease_id),
    )


def edge_id(value: object) -> str:
    """An edge's id: a uuid in any spelling, or any name."""
    try:
        return parse_uuid(value)
    except InvalidInput:
        return name("edge_id", value)


def flow_id(value: object) -> FlowId:
    """A flow's id: a uuid in any spelling."""
    try:
        return FlowId(parse_uuid(value))
    except InvalidInput as error:
        raise InvalidInput(f"flow_id: {error}") from None


def input_name(value: object) -> str | None:
    """The name under which a result is passed on, or None."""
    return None if value is None else name("pass_result_as", value)


def join(value: object) -> Join:
    """A join policy."""
    if not isinstance(value, (AllOf, AnyOf, Quorum)):
        raise InvalidInput(f"The policy is AllOf(), AnyOf(...) or Quorum(...), not {type(value).__name__}.")
    if isinstance(value, Quorum):
        integer("k", value.k, 1, QUORUM_MAX)
    if not isinstance(value, AllOf) and value.on_satisfied not in get_args(OnSatisfied):
        raise InvalidInput(f"on_satisfied is {shown(value.on_satisfied)}; it must be 'cancel_remaining' or 'let_run'.")
    return value


def cancellation_policy(value: object) -> CancellationPolicy:
    """How far the cancel of a flow goes."""
    for policy_name in CANCELLATION_POLICIES:
        if policy_name == value:
            return policy_name
    raise InvalidInput(f"policy is {shown(value)}; the policies are {', '.join(CANCELLATION_POLICIES)}.")


def steps_rule(value: object) -> StepsRule | None:
    """What a replay does with stored steps. None: the default for the outcome with which the execution ended."""
    if value is None:
        return None
    for rule in STEPS_RULES:
        if rule == value:
            return rule
    raise InvalidInput(f"steps is {shown(value)}; it is {' or '.join(map(repr, STEPS_RULES))}, or is left out.")


def from_step(value: object, steps: object) -> str | None:
    """The name of the first step that runs again, or None."""
    if value is None:
        return None
    if steps == "clear":
        raise InvalidInput("from_step keeps the steps before it, and steps='clear' keeps none. Give one of the two.")
    return name("from_step", value)


def what_to_replay(value: object, flow_id: FlowId) -> Literal["failed", "all"] | tuple[ExecutionId, ...]:
    """Which members a replay of the flow begins with."""
    if value == "failed":
        return "failed"
    if value == "all":
        return "all"
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise InvalidInput(f"what is 'failed', 'all' or a sequence of execution ids, not {shown(value)}.")
    if len(value) > ITEMS_MAX:
        raise InvalidInput(
            f"what has {len(value)} entries; the limit is {ITEMS_MAX}. Name the first members only: what is "
            "downstream of them is replayed with them."
        )
    return tuple(dict.fromkeys(parse_member_id(each, flow_id) for each in value))


def flow_state(value: object) -> FlowState | None:
    """A flow's state to filter by; None means any."""
    if value is None:
        return None
    for state in FLOW_STATES:
        if state == value:
            return state
    raise InvalidInput(f"{shown(value)} is not a state of flows; the states are {', '.join(FLOW_STATES)}.")


def channels(values: object) -> tuple[Channel, ...] | None:
    """Event channels to read; None means all."""
    if values is None:
        return None
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Sequence):
        raise InvalidInput(f"channels is a sequence of channel names, not {type(values).__name__}.")
    for value in values:
        if value not in CHANNELS:
            raise InvalidInput(f"{shown(value)} is not a channel; the channels are {', '.join(CHANNELS)}.")
    return tuple(dict.fromkeys(values))


def public_state(value: object) -> PublicState | None:
    """A public state to filter by; None means any."""
    if value is None:
        return None
    for state in PUBLIC_STATES:
        if state == value:
            return state
    raise InvalidInput(f"{shown(value)} is not a public state; the states are {', '.join(PUBLIC_STATES)}.")


def timing(pattern: object, timezone: object, every_ms: object, anchor_ms: object) -> Cron | Every:
    """When a schedule fires: a cron pattern in a time zone, or an interval with an anchor."""
    if (pattern is None) == (every_ms is None):
        raise InvalidInput("A schedule has either cron= or every_ms=, exactly one of the two.")
    if pattern is not None:
        return cron(pattern, timezone)
    return interval(every_ms, anchor_ms)


def interval(every_ms: object, anchor_ms: object) -> Every:
    """A schedule's interval with its anchor. Only the anchor's remainder modulo the interval matters."""
    checked_ms = integer("every_ms", every_ms, INTERVAL_MS_MIN, DURATION_MS_MAX)
    return Every(checked_ms, instant("anchor_ms", anchor_ms) % checked_ms)


def catch_up(value: object) -> CatchUp:
    """What happens to missed slots."""
    for policy_name in CATCH_UPS:
        if policy_name == value:
            return policy_name
    raise InvalidInput(f"catch_up is {shown(value)}; it must be one of {', '.join(CATCH_UPS)}.")


def schedule_tags(values: object) -> Mapping[str, str]:
    """A mapping of tags that leaves room for the tags that name the slot."""
    checked = tags(values)
    if len(checked) > TAGS_MAX - OWN_TAGS:
        raise InvalidInput(f"tags has {len(checked)} entries; of a schedule the limit is {TAGS_MAX - OWN_TAGS}.")
    return checked
