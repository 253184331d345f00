"""Texts that people and programs send: ids, cursors, tokens, leases, patterns, spans, headers, addresses."""

from base64 import urlsafe_b64encode
from contextlib import suppress

import msgspec
from hypothesis import strategies as st

from flowfabric.cli.exits import WrongCall
from flowfabric.cli.filters import span_ms, tag_of
from flowfabric.client.address import address_in, is_address
from flowfabric.domain import access, tokens
from flowfabric.domain.cron import cron
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import EngineError, InvalidInput, InvalidToken, StaleLease
from flowfabric.domain.ids import (
    bare_uuid,
    make_execution_id,
    parse_execution_id,
    parse_member_id,
    parse_uuid,
    partition_in,
    uuid_in,
)
from flowfabric.domain.lease import Lease
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.domain.seals import Seals
from flowfabric.domain.waiting import SigningKey
from flowfabric.engine.signing import parse_keys
from flowfabric.runtime.durations import milliseconds
from flowfabric.stores.registry import kind_of
from flowfabric.wire import leases
from flowfabric.wire.headers import header_of, text_in
from tests.fuzz.target import LongText, any_json, check_refusal, mangled, mangled_bytes, odd_texts, target

UUID = "550e8400-e29b-41d4-a716-446655440000"
FLOW = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
EXECUTION = "{fp:86}:" + UUID
SECRET = b"0123456789abcdefghijklmnopqrstuv"
KEY = SigningKey("k1", SECRET)
STORE = "store-1"

_ids = st.sampled_from([EXECUTION, "{fp:0}:" + UUID, UUID, "urn:uuid:" + UUID, "{" + UUID + "}", EXECUTION.upper()])


@target(mangled(_ids))
def execution_ids(text: str) -> None:
    try:
        parsed = parse_execution_id(text)
    except InvalidInput as error:
        check_refusal(error)
        return
    assert parse_execution_id(parsed) == parsed == make_execution_id(partition_in(parsed), uuid_in(parsed))
    assert len(parsed) <= 44, "the canonical form of an id is longer than an id"
    assert parsed.isascii()


@target(mangled(_ids))
def uuids(text: str) -> None:
    for parse in (parse_uuid, bare_uuid, lambda given: parse_member_id(given, FLOW)):
        try:
            parsed = parse(text)
        except InvalidInput as error:
            check_refusal(error)
        else:
            assert parsed is None or parse(parsed) == parsed


_positions = st.sampled_from([[1_700_000_000_000, UUID, 86], [0, UUID, 0]]) | any_json()


@st.composite
def _cursors(draw: st.DrawFn) -> str:
    """Cursors with any position, with damaged bytes, and with damaged characters."""
    position = draw(_positions)
    try:
        data = msgspec.msgpack.encode((1, "executions", STORE, position))
    except (OverflowError, UnicodeEncodeError):
        data = msgspec.msgpack.encode((1, "executions", STORE, None))
    data = draw(mangled_bytes(st.just(data)) | st.just(data[:-1] + b"\x91" * draw(st.sampled_from([1, 2_000, 40_000]))))
    text = urlsafe_b64encode(data).decode().rstrip("=")
    return LongText(draw(mangled(st.just(text))))


@target(_cursors())
def list_cursors(text: str) -> None:
    try:
        position = unpack_cursor(text, "executions", STORE, ListPosition)
    except InvalidInput as error:
        check_refusal(error)
        return
    assert pack_cursor("executions", STORE, position) == text, "a cursor has two spellings"
    assert 0 <= position.partition < 256


_TOKENS = [tokens.mint(KEY, "default", EXECUTION, FLOW, 3, subject) for subject in ("", "ann")]


@target(mangled(st.sampled_from(_TOKENS)))
def waitpoint_tokens(text: str) -> None:
    try:
        kid = tokens.kid_of(text)
        named = tokens.verify(text, KEY, "default")
        tokens.fingerprint(text)
    except InvalidToken as error:
        check_refusal(error, text.rpartition(".")[2])
        return
    assert text in _TOKENS, "a token that was not minted is accepted"
    assert (kid, named.execution_id) == ("k1", EXECUTION)


_ACCESS = access.minted(bytes(range(40)))


@target(mangled(st.just(_ACCESS.text)))
def access_tokens(text: str) -> None:
    found = access.presented(text)
    if found is not None and found.secret_hash == _ACCESS.secret_hash:
        assert text == _ACCESS.text or found.token_id != _ACCESS.token_id, "a token has two spellings"
    try:
        access.token_id(text)
    except InvalidInput as error:
        check_refusal(error, _ACCESS.text[17:])


_LEASE = Lease(EXECUTION, 0, 1, FLOW, "w-1", 1_700_000_000_000)
_SEALS = Seals(leases.PURPOSE, (KEY,))
_SEALED, _PLAIN = leases.sealed(_LEASE, _SEALS), leases.plain(_LEASE)


@st.composite
def _plain_leases(draw: st.DrawFn) -> str:
    try:
        data = msgspec.msgpack.encode(draw(any_json()))
    except (OverflowError, UnicodeEncodeError):
        data = b""
    data = draw(mangled_bytes(st.just(data)) | st.sampled_from([b"\x91" * 2_000, b"\x96\xa1\xff\x00\x00\xa0\xa0\x00"]))
    return "ls0." + urlsafe_b64encode(data).decode().rstrip("=")


@target(mangled(st.sampled_from([_SEALED, _PLAIN])) | _plain_leases())
def lease_texts(text: str) -> None:
    for may_be_plain in (False, True):
        try:
            lease = leases.verified(text, _SEALS, may_be_plain=may_be_plain)
        except StaleLease as error:
            check_refusal(error, _SEALED.rpartition(".")[2])
        else:
            assert text == _SEALED if text.startswith("ls1.") else may_be_plain
            assert lease == _LEASE or text != _SEALED
            assert text.startswith("ls1.") or leases.plain(lease) == text, "a lease has two spellings"


_entries = st.sampled_from(["k1:" + urlsafe_b64encode(SECRET).decode(), "k2:" + "QUJD" * 12 + "@2026-12-31"])


@target(st.lists(mangled(_entries), max_size=3).map(",".join))
def signing_keys(text: str) -> None:
    secrets = [entry.partition(":")[2].partition("@")[0] for entry in text.replace("\n", ",").split(",")]
    try:
        ring = parse_keys("FLOWFABRIC_SIGNING_KEYS", text)
    except InvalidInput as error:
        check_refusal(error, *(each for each in secrets if len(each) > 20 and each.isalnum()))
        return
    assert all(len(key.secret) >= 32 for key in ring.keys)
    assert not any(secret in repr(ring) for secret in secrets if len(secret) > 20)


_crons = st.sampled_from(
    ["*/5 * * * *", "0 0 1 1 *", "59 23 29 2 sun", "1-30/7,45 0,12 1-15 jan-mar mon-fri", "@daily"]
)
_zones = st.sampled_from(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu"])
_instants = st.integers(0, 4_102_444_800_000) | st.sampled_from([0, 2**53 - 1, 253_402_300_799_999])


@target(st.tuples(mangled(_crons), mangled(_zones), _instants))
def cron_patterns(given: tuple[str, str, int]) -> None:
    pattern, zone, at_ms = given
    try:
        made = cron(pattern, zone)
    except InvalidInput as error:
        check_refusal(error)
        return
    assert cron(made.text, made.timezone) == made
    first = made.next_after(at_ms)
    if first is not None:
        assert first > at_ms
        assert made.next_after(first - 1) == first
        assert made.latest(at_ms, first) == first


_spans = st.sampled_from(["1h30m", "500ms", "90s", "1d12h", "0.5s", "2m"])


@target(mangled(_spans) | st.integers() | st.floats() | st.timedeltas())
def spans_of_time(given: object) -> None:
    try:
        ms = milliseconds("timeout", given)
    except InvalidInput as error:
        check_refusal(error)
        return
    assert 0 <= ms <= DURATION_MS_MAX
    if isinstance(given, str):
        assert given.isascii(), "a span has digits that nobody expects"
        assert milliseconds("timeout", f"{ms}ms") == ms


@target(st.tuples(mangled(_spans), mangled(st.just("team.name=billing"))))
def filters_of_the_command_line(given: tuple[str, str]) -> None:
    with suppress(WrongCall):
        assert span_ms("--older", given[0]) == milliseconds("--older", given[0])
    with suppress(WrongCall):
        assert "=".join(tag_of(given[1])) == given[1]


@target(odd_texts | st.text() | mangled(st.just("utf-8''K%C3%A4se")))
def texts_in_headers(text: str) -> None:
    try:
        written = header_of("FF-Actor", text)
        assert written.isascii()
        assert written.isprintable()
        assert text_in(written) == text
    except InvalidInput as error:
        check_refusal(error)
    try:
        assert isinstance(text_in(text), str)
    except InvalidInput as error:
        check_refusal(error)


_PASSWORD = "correct-horse-battery-staple"
_urls = st.sampled_from([
    f"postgresql://ann:{_PASSWORD}@db.example:5432/jobs?sslmode=require", f"http://ann:{_PASSWORD}@db.example:7433/prefix",
    "sqlite:///jobs.db", "memory://", f"https://[::1]:7433/?token={_PASSWORD}",
])  # fmt: skip


@target(mangled(_urls))
def addresses(text: str) -> None:
    for parse in (address_in, kind_of) if is_address(text) else (kind_of,):
        try:
            parse(text)
        except EngineError as error:
            check_refusal(error, _PASSWORD)
