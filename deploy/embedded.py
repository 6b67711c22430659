"""What a single machine needs without being told: a secret, its own names, a demo password."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from pathlib import Path

from deploy import env

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
WILDCARDS = ("0.0.0.0", "::")
DEMO_EMAIL = "demo@example.org"
DEMO_PASSWORD = "pyramid-demo"


def host() -> str:
    return env.text("HOST", "127.0.0.1").strip("[]")


def port() -> int:
    return env.number("PORT", 8000, least=1, most=65535)


def fill_environment() -> None:
    """Set what the operator left unset, so that every process started from here agrees."""
    data = env.data_dir()
    os.environ["DATA_DIR"] = str(data)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    os.environ["SECRET_KEY"] = env.text("SECRET_KEY", "") or kept_secret(data / "secret-key", 50)
    os.environ["ALLOWED_HOSTS"] = ",".join(env.items("ALLOWED_HOSTS", own_names(host())))
    home = f"http://{bracketed(reachable(host()))}:{port()}"
    os.environ["PUBLIC_URL"] = env.address("PUBLIC_URL", home)
    os.environ["DEMO_PASSWORD"] = demo_password(data)


def demo_password(data: Path) -> str:
    """The demo account's password. It is only well known where nobody else can reach it."""
    chosen = env.text("DEMO_PASSWORD", "")
    if chosen:
        return chosen
    return DEMO_PASSWORD if is_loopback(host()) else kept_secret(data / "demo-password", 12)


def own_names(bound: str) -> list[str]:
    """The names under which this server answers."""
    named = socket.gethostname() if bound in WILDCARDS else bracketed(bound)
    return list(dict.fromkeys([*LOOPBACK, named]))


def is_loopback(bound: str) -> bool:
    if bound == "localhost":
        return True
    try:
        return ipaddress.ip_address(bound).is_loopback
    except ValueError:
        return False


def bracketed(bound: str) -> str:
    """An address as it stands in a URL: IPv6 in brackets."""
    return f"[{bound}]" if ":" in bound else bound


def reachable(bound: str) -> str:
    """An address at which a server bound to `bound` can be reached from this machine."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bound, bound)


def kept_secret(path: Path, length: int) -> str:
    """Read the secret in a file; at first, make one that only this account may read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read_secret(path)
    with os.fdopen(descriptor, "w") as file:
        secret = secrets.token_urlsafe(length)
        file.write(secret + "\n")
    return secret


def _read_secret(path: Path) -> str:
    secret = path.read_text().strip()
    if not secret:
        raise env.EnvError(f"{path} is empty. Delete it, and a new one will be created.")
    return secret
