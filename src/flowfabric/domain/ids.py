"""How ids are written, and which partition they belong to.

An execution id is `{fp:N}:<uuid>`. N is fixed when the id is made and is read back from it, never computed
again. The same uuid in any spelling is the same id: parsing returns the canonical form.
"""

import re
from binascii import crc_hqx
from functools import lru_cache
from typing import Final, NewType

from flowfabric.domain.errors import InvalidInput

ExecutionId = NewType("ExecutionId", str)
FlowId = NewType("FlowId", str)
"""A uuid in its canonical spelling."""

PARTITIONS: Final = 256

_EXECUTION_ID: Final = re.compile(r"\{fp:([0-9]{1,5})\}:(.*)", re.DOTALL)
_CANONICAL: Final = re.compile(
    r"\{fp:(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\}:"
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
)
_HEX: Final = re.compile(r"[0-9a-f]{32}")


def partition_of(data: bytes) -> int:
    """The partition number of a flow's 16 uuid bytes, a lane's UTF-8 bytes, or any other key: CRC16/XMODEM mod 256."""
    return crc_hqx(data, 0) % PARTITIONS


@lru_cache(maxsize=4096)
def lane_partition(lane: str) -> int:
    """The partition that all solo executions of a lane share."""
    return partition_of(lane.encode())


@lru_cache(maxsize=4096)
def flow_partition(flow_id: FlowId) -> int:
    """The partition that a flow shares with all its members."""
    return partition_of(bytes.fromhex(flow_id.replace("-", "")))


def make_execution_id(partition: int, uuid: str) -> ExecutionId:
    """The id of a partition number and a canonical uuid."""
    return ExecutionId(f"{{fp:{partition}}}:{uuid}")


def parse_execution_id(text: object) -> ExecutionId:
    """The canonical form of an execution id in any spelling."""
    if not isinstance(text, str):
        raise InvalidInput(f"An execution id is a string like '{{fp:86}}:<uuid>', not {type(text).__name__}.")
    if _CANONICAL.fullmatch(text):
        return ExecutionId(text)
    match = _EXECUTION_ID.fullmatch(text)
    if match is None:
        raise InvalidInput(
            f"{_shown(text)} is not an execution id: it must look like '{{fp:86}}:<uuid>'. "
            "Use the id that create_execution returned."
        )
    partition = int(match[1])
    if partition >= PARTITIONS:
        raise InvalidInput(f"{_shown(text)} names partition {partition}; partitions are 0 to {PARTITIONS - 1}.")
    return make_execution_id(partition, parse_uuid(match[2]))


def bare_uuid(text: object) -> str | None:
    """The canonical uuid, if the text is a uuid without a partition; None: it is something else."""
    if not isinstance(text, str) or text.startswith("{fp:"):
        return None
    try:
        return parse_uuid(text)
    except InvalidInput:
        return None


def parse_member_id(text: object, flow_id: FlowId) -> ExecutionId:
    """The same as `parse_execution_id` for a member of a flow. A uuid alone is enough: the flow gives the partition."""
    uuid = bare_uuid(text)
    return parse_execution_id(text) if uuid is None else make_execution_id(flow_partition(flow_id), uuid)


def parse_uuid(text: object) -> str:
    """A uuid in any usual spelling (upper case, no hyphens, braces, urn) as lower-case text with hyphens."""
    if not isinstance(text, str):
        raise InvalidInput(f"A uuid is a string, not {type(text).__name__}.")
    digits = text.strip().lower().removeprefix("urn:").removeprefix("uuid:").strip("{}").replace("-", "")
    if not _HEX.fullmatch(digits):
        raise InvalidInput(f"{_shown(text)} is not a uuid: it needs 32 hexadecimal digits.")
    return uuid_from_hex(digits)


def uuid_from_hex(digits: str) -> str:
    """The hyphenated form of 32 lower-case hexadecimal digits."""
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


@lru_cache(maxsize=16_384)
def partition_in(execution_id: ExecutionId) -> int:
    """The partition number written in an id."""
    return int(execution_id[4 : execution_id.index("}")])


def uuid_in(execution_id: ExecutionId) -> str:
    """The uuid part of an id, canonical."""
    return execution_id[-36:]


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
