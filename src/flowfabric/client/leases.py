"""Leases that came over the wire: their fields are for the program, their sealed text goes back as it came."""

import threading
from collections import OrderedDict
from typing import Final

from flowfabric.domain import inputs
from flowfabric.domain.lease import Lease
from flowfabric.wire.leases import fields_of, plain
from flowfabric.wire.shapes import Codec

KEPT_MAX: Final = 100_000
"""How many sealed texts are kept. A worker holds far fewer leases at once."""

_Fence = tuple[str, int, int, str]


class KnownLeases:
    """The sealed texts of the leases that this process got, found by the fields that are compared."""

    def __init__(self) -> None:
        self._texts: OrderedDict[_Fence, str] = OrderedDict()
        self._lock = threading.Lock()
        self.codec: Final = Codec(self._text_of, self._taken)

    def _taken(self, text: str) -> Lease:
        lease = fields_of(text)
        with self._lock:
            self._texts[_fence_of(lease)] = text
            if len(self._texts) > KEPT_MAX:
                self._texts.popitem(last=False)
        return lease

    def _text_of(self, lease: Lease) -> str:
        given: object = lease
        text = self._texts.get(_fence_of(lease)) if isinstance(given, Lease) else None
        if text is None:
            inputs.fence(lease)  # it may be anything, and is refused as a direct engine refuses it
            return plain(lease)
        return text


def _fence_of(lease: Lease) -> _Fence:
    return lease.execution_id, lease.attempt_index, lease.lease_epoch, lease.lease_id
