"""Where a server is: what a url that begins with http:// or https:// means."""

from typing import Final, NamedTuple
from urllib.parse import urlsplit

from flowfabric.domain.errors import InvalidInput

SCHEMES: Final = ("http", "https")
PORTS: Final = {"http": 80, "https": 443}


class Address(NamedTuple):
    """A server, and the path under which it has its API."""

    scheme: str
    host: str
    port: int
    prefix: str
    """What comes before `/v1`: empty, or a path without a slash at its end."""

    @property
    def is_encrypted(self) -> bool:
        """Whether the connection is TLS."""
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """Host and port, as the Host header names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        """The url, without a secret: none can be in it."""
        return f"{self.scheme}://{self.authority}{self.prefix}"


def is_address(url: str) -> bool:
    """Whether a url means a server, not a store."""
    return url.partition("://")[0].lower() in SCHEMES


def address_in(url: str) -> Address:
    """The address in a url. InvalidInput: it is none. The url is not shown, because it may hold a secret."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # brackets without an IPv6 address, a port that is no number
        raise _names_no_server() from None
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(
            "The url of a server holds no name and no password. Give the access token as token=, or in the environment "
            "variable FLOWFABRIC_TOKEN."
        )
    is_clean = not (parts.query or parts.fragment) and _is_plain(parts.path)
    if not host or not is_clean or not _is_plain(host):
        raise _names_no_server()
    return Address(parts.scheme, host, port or PORTS[parts.scheme], parts.path.rstrip("/"))


def _names_no_server() -> InvalidInput:
    return InvalidInput("The url names no server. Write it as 'http://host:7433' or 'https://host'.")


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text
