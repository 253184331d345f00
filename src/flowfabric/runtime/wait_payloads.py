"""The payloads of signals: JSON, which the program's codec encodes unless the sender does not have the codec."""

from msgspec.structs import replace

from flowfabric.domain.outcomes import Signal, WaitOver
from flowfabric.runtime.codecs import Codec


def decoded_signals(codec: Codec, over: WaitOver) -> WaitOver:
    """The end of a wait with the payloads as they were before the codec encoded them.

    A stranger with a token sends plain JSON, and so does an operator without the program. What the codec cannot decode
    counts as plain.
    """
    return replace(over, signals=tuple(_decoded(codec, signal) for signal in over.signals))


def _decoded(codec: Codec, signal: Signal) -> Signal:
    try:
        return replace(signal, payload=codec.decode(signal.payload))
    except Exception:  # a codec may raise anything
        return signal
