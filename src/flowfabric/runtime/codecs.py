"""What stands between a payload and the store: a codec, to encrypt or compress it."""

from typing import Protocol

from flowfabric.domain.errors import InvalidInput


class Codec(Protocol):
    """What payloads and results pass through on their way to the store and back, to encrypt or compress them.

    `encode` is a function: the same data becomes the same bytes, or else a repeated submit with the same idempotency
    key looks like another one. For encryption that means a nonce that is derived from the data.
    """

    def encode(self, data: bytes) -> bytes:
        """What is stored."""

    def decode(self, data: bytes) -> bytes:
        """What was encoded."""


class Plain:
    """The codec that changes nothing."""

    def encode(self, data: bytes) -> bytes:
        """The same bytes."""
        return data

    def decode(self, data: bytes) -> bytes:
        """The same bytes."""
        return data


def encoded(codec: Codec, data: bytes, what: str) -> bytes:
    """What is stored of the data. Raises InvalidInput that names what it is and why the codec failed."""
    try:
        return codec.encode(data)
    except Exception as error:
        raise _codec_failed(codec, "encode", what, error) from error


def decoded(codec: Codec, data: bytes, what: str) -> bytes:
    """What was encoded. Raises InvalidInput that names what it is and why the codec failed."""
    try:
        return codec.decode(data)
    except Exception as error:
        raise _codec_failed(codec, "decode", what, error) from error


def _codec_failed(codec: Codec, verb: str, what: str, error: Exception) -> InvalidInput:
    return InvalidInput(
        f"The codec {type(codec).__name__} could not {verb} {what}: {type(error).__name__}: {error}. "
        "Correct the codec, or give it its key, and then replay the execution."
    )
