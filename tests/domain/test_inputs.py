"""The gate: what passes, what is refused, and that nothing but InvalidInput ever comes out of it."""

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowfabric import open_blocking_engine
from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.ids import parse_execution_id, parse_uuid
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.lease import Lease
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy

GATES: dict[str, Callable[[object], object]] = {
    "namespace": lambda value: inputs.namespace_in_scope(value, None),
    "namespace in a scope": lambda value: inputs.namespace_in_scope(value, "tenant-a"),
    "optional namespace": lambda value: inputs.optional_namespace_in_scope(value, "tenant-a"),
    "lane": inputs.lane,
    "lanes": inputs.lanes,
    "name": lambda value: inputs.name("kind", value),
    "key": lambda value: inputs.key("idempotency_key", value),
    "text": lambda value: inputs.text("reason", value),
    "payload": lambda value: inputs.payload("payload", value, 100),
    "integer": lambda value: inputs.integer("percent", value, 0, 100),
    "instant": lambda value: inputs.instant("until_ms", value),
    "optional instant": lambda value: inputs.optional_instant("deadline_at_ms", value),
    "flag": lambda value: inputs.flag("retryable", value),
    "priority": inputs.priority,
    "limit": inputs.limit,
    "capabilities": lambda value: inputs.capabilities("capabilities", value),
    "tag key": inputs.tag_key,
    "tag value": inputs.tag_value,
    "tags": inputs.tags,
    "policy": inputs.policy,
    "lease": inputs.fence,
    "channels": inputs.channels,
    "public state": inputs.public_state,
    "execution id": parse_execution_id,
    "uuid": parse_uuid,
    "max_retries": lambda value: RetryPolicy(max_retries=value),
    "backoff": lambda value: RetryPolicy(backoff=value),
    "multiplier": lambda value: RetryPolicy(multiplier=value),
    "jitter": lambda value: RetryPolicy(jitter=value),
    "retry": lambda value: ExecutionPolicy(retry=value),
    "retention_ms": lambda value: ExecutionPolicy(retention_ms=value),
}

_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.characters(categories=["Cs"]),
    st.binary(),
    st.decimals(),
    st.just(object()),
)
_anything = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(), st.integers(), st.none()), inner, max_size=4),
        st.frozensets(st.text() | st.integers(), max_size=4),
        st.builds(Lease, inner, inner, inner, inner, inner, inner),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("gate", GATES)
@settings(max_examples=30)
@given(value=_anything)
def test_nothing_but_invalid_input_comes_out_of_a_gate(gate: str, value: object):
    with suppress(InvalidInput):
        GATES[gate](value)


class _Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no words for it")


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(
    "value", [_Unshowable(), 10**5000, -(10**5000), [[10**5000]]], ids=["object", "+", "-", "list"]
)
def test_what_cannot_even_be_shown_is_refused_like_anything_else(gate: str, value: object):
    if gate == "priority" and isinstance(value, int):
        assert GATES[gate](value) in (0, 9000)
        return

    with pytest.raises(InvalidInput):
        GATES[gate](value)


A_LEASE = Lease("{fp:86}:018BCFE5680070008000000000000001", 0, 1, "store:x:0:1", "worker-1/a", 5)
PASSES: list[tuple[str, object, object]] = [
    ("namespace", DEFAULT_NAMESPACE, "default"),
    ("namespace", "tenant-a", "tenant-a"),
    ("namespace", "Ünïcode 名前", "Ünïcode 名前"),
    ("namespace in a scope", DEFAULT_NAMESPACE, "tenant-a"),
    ("namespace in a scope", None, "tenant-a"),
    ("namespace in a scope", "tenant-a", "tenant-a"),
    ("optional namespace", None, "tenant-a"),
    ("lane", "~ lane with spaces ~", "~ lane with spaces ~"),
    ("lane", "x" * 64, "x" * 64),
    ("lanes", ["a", "b", "a"], ("a", "b")),
    ("name", "x" * 128, "x" * 128),
    ("key", None, None),
    ("key", "x" * 256, "x" * 256),
    ("text", "", ""),
    ("text", "x" * 4096, "x" * 4096),
    ("text", "line\nline\t\x7f", "line\nline\t\x7f"),
    ("payload", bytearray(b"ab"), b"ab"),
    ("payload", memoryview(b"ab"), b"ab"),
    ("payload", b"", b""),
    ("integer", 100, 100),
    ("instant", 0, 0),
    ("flag", False, False),
    ("priority", -5, 0),
    ("priority", 9001, 9000),
    ("priority", 10**30, 9000),
    ("limit", 1000, 1000),
    ("capabilities", [], ()),
    ("capabilities", ["ssd", "gpu", "gpu"], ("gpu", "ssd")),
    ("capabilities", {"ssd", "gpu"}, ("gpu", "ssd")),
    ("capabilities", ("cuda>=12",), ("cuda>=12",)),
    ("tag key", "team.name", "team.name"),
    ("tag key", "a_1._.x.y", "a_1._.x.y"),
    ("tag value", "é" * 512, "é" * 512),
    ("tags", {}, {}),
    ("channels", None, None),
    ("channels", [], ()),
    ("channels", ["lease", "operator", "lease"], ("lease", "operator")),
    ("public state", None, None),
    ("public state", "waiting_children", "waiting_children"),
]


@pytest.mark.parametrize(("gate", "value", "canonical"), PASSES)
def test_what_is_right_passes_in_its_canonical_form(gate: str, value: object, canonical: object):
    passed = GATES[gate](value)

    assert passed == canonical
    assert type(passed) is type(canonical)


REFUSED: list[tuple[str, object]] = [
    ("namespace", None),
    ("namespace", ""),
    ("namespace", "x" * 129),
    ("namespace", "a\nb"),
    ("namespace", "a\x85b"),
    ("namespace in a scope", "tenant-b"),
    ("namespace in a scope", "default"),
    ("optional namespace", "tenant-b"),
    ("lane", ""),
    ("lane", "x" * 65),
    ("lane", "é"),
    ("lane", "a\tb"),
    ("lane", "a\n"),
    ("lane", b"default"),
    ("lanes", "default"),
    ("lanes", []),
    ("lanes", ["a"] * 65),
    ("lanes", {"default": 1}),
    ("lanes", {"default"}),
    ("name", "\x00"),
    ("name", "\ud800"),
    ("key", ""),
    ("key", "x" * 257),
    ("text", "\x00"),
    ("text", "\udfff"),
    ("text", "x" * 4097),
    ("text", "é" * 2049),
    ("text", None),
    ("payload", "text"),
    ("payload", b"x" * 101),
    ("payload", None),
    ("integer", 101),
    ("integer", -1),
    ("integer", True),
    ("integer", 5.0),
    ("integer", "5"),
    ("integer", Decimal(5)),
    ("instant", -1),
    ("instant", 2**53),
    ("flag", 1),
    ("flag", None),
    ("priority", 1.5),
    ("priority", True),
    ("limit", 0),
    ("limit", 1001),
    ("capabilities", "gpu"),
    ("capabilities", b"gpu"),
    ("capabilities", {"gpu": True}),
    ("capabilities", ["g pu"]),
    ("capabilities", ["g,pu"]),
    ("capabilities", ["gpu\n"]),
    ("capabilities", [""]),
    ("capabilities", [7]),
    ("capabilities", ["x" * 257]),
    ("capabilities", [f"c{n}" for n in range(65)]),
    ("capabilities", None),
    ("tag key", "team"),
    ("tag key", "Team.name"),
    ("tag key", "1team.name"),
    ("tag key", ".name"),
    ("tag key", "team."),
    ("tag key", "team..name"),
    ("tag key", "team.name\n"),
    ("tag key", "team.-"),
    ("tag value", "x" * 1025),
    ("tag value", None),
    ("tags", {"a.b": 7}),
    ("tags", [("a.b", "c")]),
    ("tags", {f"a.b{n}": "" for n in range(65)}),
    ("policy", {}),
    ("lease", None),
    ("lease", "store:x:0:1"),
    ("channels", "lease"),
    ("channels", ["leases"]),
    ("channels", [["lease"]]),
    ("public state", "running"),
    ("public state", ""),
]


@pytest.mark.parametrize(("gate", "value"), REFUSED)
def test_what_is_wrong_is_refused_and_never_clamped(gate: str, value: object):
    with pytest.raises(InvalidInput):
        GATES[gate](value)


def test_a_lease_is_reduced_to_what_is_compared_and_its_id_made_canonical():
    fence = inputs.fence(A_LEASE)

    assert fence.execution_id == "{fp:86}:018bcfe5-6800-7000-8000-000000000001"
    assert (fence.attempt_index, fence.lease_epoch, fence.lease_id) == (0, 1, "store:x:0:1")


def test_a_token_that_is_a_subclass_of_str_is_stored_as_plain_text():
    class Token(str):
        __slots__ = ()

    assert type(inputs.capabilities("capabilities", [Token("gpu")])[0]) is str
    assert type(inputs.lane(Token("default"))) is str
    assert type(inputs.name("kind", Token("mail"))) is str


def test_payloads_and_tags_of_one_call_have_a_limit_together() -> None:
    most = bytes(inputs.CALL_BYTES_MAX - 3)

    inputs.size_of_call([(most, {}), (b"abc", {})])
    inputs.size_of_call([(most, {"a": "\u00e9"})])
    with pytest.raises(InvalidInput, match="67108865 bytes together; the limit is 67108864"):
        inputs.size_of_call([(most, {}), (b"abcd", {})])
    with pytest.raises(InvalidInput, match="67108865 bytes together; the limit is 67108864"):
        inputs.size_of_call([(most, {"ab": "\u00e9"})])


def test_an_engine_cannot_be_opened_for_payloads_that_no_call_may_have() -> None:
    with (
        pytest.raises(InvalidInput, match="payload_bytes_max"),
        open_blocking_engine("memory://", payload_bytes_max=2**27),
    ):
        pass
