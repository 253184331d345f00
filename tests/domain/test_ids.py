"""How ids are spelled, and which partition they belong to."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.ids import (
    lane_partition,
    make_execution_id,
    parse_execution_id,
    parse_uuid,
    partition_in,
    partition_of,
    uuid_in,
)

CANONICAL = "{fp:86}:550e8400-e29b-41d4-a716-446655440000"
DIGITS = "550e8400e29b41d4a716446655440000"
HYPHENATED = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(
    ("lane", "partition"),
    [("123456789", 195), ("workers-a", 193), ("worker-pool-1", 77), ("lane-a", 88), ("default", 86)],
)
def test_a_lane_has_the_partition_of_its_crc16(lane: str, partition: int):
    assert lane_partition(lane) == partition


@pytest.mark.parametrize(
    ("uuid", "partition"),
    [
        ("00000000-0000-0000-0000-000000000000", 0),
        ("00000000-0000-0000-0000-000000000001", 33),
        ("11111111-1111-4111-8111-111111111111", 191),
        ("12345678-1234-5678-1234-567812345678", 48),
        ("550e8400-e29b-41d4-a716-446655440000", 24),
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", 77),
        ("ffffffff-ffff-ffff-ffff-ffffffffffff", 65),
    ],
)
def test_a_flow_has_the_partition_of_its_16_bytes_and_not_of_its_text(uuid: str, partition: int):
    assert partition_of(UUID(uuid).bytes) == partition


@pytest.mark.parametrize(
    "spelling",
    [
        CANONICAL,
        "{fp:86}:550E8400-E29B-41D4-A716-446655440000",
        "{fp:86}:" + DIGITS,
        "{fp:86}:" + DIGITS.upper(),
        "{fp:86}:{550e8400-e29b-41d4-a716-446655440000}",
        "{fp:86}:urn:uuid:550e8400-e29b-41d4-a716-446655440000",
        "{fp:086}:550e8400-e29b-41d4-a716-446655440000",
        "{fp:86}: 550e8400-e29b-41d4-a716-446655440000 ",
    ],
)
def test_every_spelling_of_an_id_is_the_same_id(spelling: str):
    assert parse_execution_id(spelling) == CANONICAL


@pytest.mark.parametrize("partition", [0, 9, 10, 99, 100, 199, 200, 249, 250, 255])
def test_any_partition_number_up_to_255_is_accepted_and_read_back(partition: int):
    parsed = parse_execution_id(f"{{fp:{partition}}}:{DIGITS}")

    assert partition_in(parsed) == partition
    assert uuid_in(parsed) == HYPHENATED
    assert parsed == make_execution_id(partition, HYPHENATED)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "550e8400-e29b-41d4-a716-446655440000",
        "{fp:256}:" + DIGITS,
        "{fp:99999}:" + DIGITS,
        "{fp:-1}:" + DIGITS,
        "{fp:1.0}:" + DIGITS,
        "{fp:}:" + DIGITS,
        "{fp:٣}:" + DIGITS,
        "{fp:86}" + DIGITS,
        "{fp:86}:",
        "{fp:86}:" + DIGITS[:-1],
        "{fp:86}:" + DIGITS + "0",
        "{fp:86}:" + DIGITS[:-1] + "g",
        "{fp:86}:" + DIGITS + "\n{fp:86}:",
        " {fp:86}:" + DIGITS,
        "{fp:86}:" + DIGITS + "\x00",
        None,
        86,
        b"{fp:86}:" + DIGITS.encode(),
        ["{fp:86}:" + DIGITS],
    ],
)
def test_what_is_no_id_is_refused(wrong: object):
    with pytest.raises(InvalidInput):
        parse_execution_id(wrong)


@pytest.mark.parametrize("wrong", ["", "not a uuid", DIGITS[:-1], None, 7, b"\x00" * 16])
def test_what_is_no_uuid_is_refused(wrong: object):
    with pytest.raises(InvalidInput):
        parse_uuid(wrong)


@given(st.uuids(), st.integers(0, 255))
def test_a_canonical_id_is_left_as_it_is(uuid: UUID, partition: int):
    canonical = make_execution_id(partition, str(uuid))

    assert parse_execution_id(canonical) == canonical


@given(st.text())
def test_no_text_makes_parsing_raise_anything_else(text: str):
    for spelling in (text, "{fp:86}:" + text):
        try:
            parsed = parse_execution_id(spelling)
        except InvalidInput:
            continue
        assert parse_execution_id(parsed) == parsed
