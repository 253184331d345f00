"""Codecs, which encrypt or compress payloads and results before they are stored."""

from typing import Protocol

from flowfabric.domain.errors import InvalidInput


class Codec(Protocol):
    """Encrypts or compresses payloads and results on their way to the store, and reverses that on their way back.

    `encode` must turn the same data into the same bytes. Otherwise a repeated submit with the same idempotency key
    looks like a different one. So encryption needs a nonce that is derived from the data.
    """

    def encode(self, data: bytes) -> bytes:
        """The bytes that are stored for the data."""

    def decode(self, data: bytes) -> bytes:
        """The data that was encoded."""


class Plain:
    """The codec that changes nothing."""

    def encode(self, data: bytes) -> bytes:
        """The same bytes."""
        return data

    def decode(self, data: bytes) -> bytes:
        """The same bytes."""
        return data


def encoded(codec: Codec, data: bytes, what: str) -> bytes:
    """The bytes that are stored for the data. If the codec fails, InvalidInput says for which data and why."""
    try:
        return codec.encode(data)
    except Exception as error:
        raise _codec_failed(codec, "encode", what, error) from error


def decoded(codec: Codec, data: bytes, what: str) -> bytes:
    """The data that was encoded. If the codec fails, InvalidInput says for which data and why."""
    try:
        return codec.decode(data)
    except Exception as error:
        raise _codec_failed(codec, "decode", what, error) from error


def _codec_failed(codec: Codec, verb: str, what: str, error: Exception) -> InvalidInput:
    return InvalidInput(
        f"The codec {type(codec).__name__} could not {verb} {what}: {type(error).__name__}: {error}. "
        "Correct the codec, or give it its key, and then replay the execution."
    )
