"""Web addresses that others wrote: what may stand in a header, and nothing else passes."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

import idna
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _

PORTS = {"http": 80, "https": 443}
LONGEST_URL = 4096
# Browsers read a backslash as a slash and drop line breaks and tabs; no address needs the others.
UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\s\\\"<>`{}|^\ud800-\udfff]")
HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")
# A browser reads a host whose last label is one of these as an IPv4 address.
NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")


class AddressError(ValueError):
    """An address that is refused; says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port, in the one spelling that browsers compare."""

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        return self.host if self.port == PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        address = _find_ip(self.host)
        return address is not None and address.is_loopback

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


def read_origin(url: str) -> Origin:
    """The origin of an address, with an ASCII host."""
    if len(url) > LONGEST_URL:
        raise AddressError(
            _("the address has more than {longest_url:,} characters").format(
                longest_url=LONGEST_URL
            )
        )
    if UNSAFE.search(url):
        raise AddressError(_("the address contains a space, a quote or another unsafe character"))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressError(_("the address can't be read: {error}").format(error=error)) from error
    scheme = parts.scheme.lower()
    if scheme not in PORTS or not url[len(scheme) :].startswith("://"):
        raise AddressError(_("the address must begin with https://"))
    if "@" in parts.netloc:
        raise AddressError(_("the address must not contain a user name or password"))
    if port == 0 or parts.netloc.endswith(":"):
        raise AddressError(_("the port must be a number from 1 to 65535"))
    return Origin(scheme, _read_host(parts), PORTS[scheme] if port is None else port)


def read_url(url: str) -> str:
    """The whole address: its origin as `read_origin` writes it, the rest percent-encoded."""
    origin = read_origin(url)
    rest = urlsplit(url)._replace(scheme=origin.scheme, netloc=origin.netloc)
    return iri_to_uri(rest.geturl())


def _read_host(parts: SplitResult) -> str:
    host = parts.netloc
    if host.startswith("["):
        address = _find_ip(host.partition("]")[0] + "]")
        if address is None:
            raise AddressError(_("the host is not an IPv6 address"))
        return f"[{address}]"
    host = _encode(host.partition(":")[0])
    if NUMERIC.fullmatch(host.rpartition(".")[2]) and _find_ip(host) is None:
        raise AddressError(_("the host is neither a name nor an IPv4 address such as 127.0.0.1"))
    return host


def _encode(host: str) -> str:
    try:
        encoded = idna.encode(host, strict=True, uts46=True, std3_rules=True).decode()
    except (idna.IDNAError, UnicodeError) as error:
        raise AddressError(_("the host is not valid: {error}").format(error=error)) from error
    if len(encoded) > 253 or not HOST.fullmatch(encoded):
        raise AddressError(_("the host is not valid: use letters, digits, hyphens and dots"))
    return encoded


def _find_ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is; zones of IPv6 name a network card of ours and are refused."""
    kind = ipaddress.IPv6Address if host.startswith("[") else ipaddress.IPv4Address
    try:
        return kind(host.strip("[]")) if "%" not in host else None
    except ValueError:
        return None
