"""What compose.yaml and the units of systemd start: with every setting, and few rights."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy import env, serve
from tests.deploy.test_documented import READ
from tests.servers import ROOT, SECRET_KEY

DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]
PASSWORD = """p@:/#%?$a 'w"d"""

# Variables that compose.yaml sets by itself, and why it doesn't take them from deploy/.env.
SET_BY_COMPOSE = {
    "DATABASE_URL": "its own PostgreSQL",
    "DATABASE_PASSWORD": "POSTGRES_PASSWORD, the password of its own PostgreSQL",
    "CELERY_BROKER_URL": "its own Redis",
    "CACHE_URL": "its own Redis",
}
# Variables that no container gets, and why.
NOT_PASSED = {
    "HOST": "the image listens on all addresses of its container",
    "PORT": "the image listens on 8000; PROXY_HTTP says where people reach it",
    "DATA_DIR": "the image keeps data in the volume /data",
    "DEBUG": "never on a server",
    "DEMO_PASSWORD": "the demo is not loaded",
    "GIZA_DATA": "for tests",
}
# Variables of one kind of process.
OF_ONE = {"WEB_CONCURRENCY": "web", "WEB_THREADS": "web", "CELERY_CONCURRENCY": "worker"}
# Read by compose.yaml itself, not by what runs inside.
OF_COMPOSE = {
    *("POSTGRES_PASSWORD", "SITE_ADDRESS", "PROXY_HTTP", "PROXY_HTTPS", "TRUSTED_PROXIES"),
    *("WEB_MEMORY", "WORKER_MEMORY"),
}


def fill_in(value: str, given: dict[str, str]) -> str:
    """What compose makes of ${NAME:-default}, ${NAME:?error} and ${NAME:+replacement}."""

    def find(match: re.Match[str]) -> str:
        name, mark, rest = match.groups()
        if mark == "+":
            return str(rest) if given.get(name) else ""
        return given.get(name) or (rest if mark == "-" else "") or ""

    return re.sub(r"\$\{(\w+)(?::([-?+])([^}]*))?\}", find, value)


def environment(service: str, **given: str) -> dict[str, str]:
    given = {"SECRET_KEY": SECRET_KEY, "POSTGRES_PASSWORD": PASSWORD} | given
    return {name: fill_in(value, given) for name, value in SERVICES[service]["environment"].items()}


@pytest.mark.parametrize("service", OURS)
def test_compose_passes_every_variable_on(service: str):
    others = {name for name, part in OF_ONE.items() if part != service}
    wanted = READ - set(NOT_PASSED) - OF_COMPOSE - others
    assert set(SERVICES[service]["environment"]) == wanted | {"TMPDIR"}


@pytest.mark.parametrize("service", OURS)
def test_compose_takes_what_it_passes_on_from_the_variable_of_that_name(service: str):
    for name, value in SERVICES[service]["environment"].items():
        if name not in {*SET_BY_COMPOSE, "TMPDIR"}:
            assert re.fullmatch(rf"\$\{{{name}:[-?+][^}}]*\}}", value)


def test_compose_passes_mail_and_judges_on():
    given = {"EMAIL_URL": "smtp://h:25", "EMAIL_FROM": "a@b", "JOB_NICENESS": "7"}
    passed = environment("worker", JUDGES_DIR="/srv/judges", **given)
    assert passed.items() >= (given | {"JUDGES_DIR": "/judges"}).items()
    assert environment("worker")["JUDGES_DIR"] == ""
    assert "${JUDGES_DIR:-data}:/judges" in SERVICES["worker"]["volumes"]


def test_compose_passes_any_password_to_the_database(monkeypatch: pytest.MonkeyPatch):
    for name, value in environment("web").items():
        monkeypatch.setenv(name, value)
    found = env.database("DATABASE_URL", "", password=env.password("DATABASE_PASSWORD"))
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("giza", PASSWORD, "postgres")
    assert (
        fill_in(
            SERVICES["postgres"]["environment"]["POSTGRES_PASSWORD"],
            {"POSTGRES_PASSWORD": PASSWORD},
        )
        == found["PASSWORD"]
    )


@pytest.mark.parametrize("service", SERVICES)
def test_compose_confines_every_container(service: str):
    part = SERVICES[service]
    assert part["cap_drop"] == ["ALL"]
    assert part["security_opt"] == ["no-new-privileges:true"]
    assert part["read_only"] is True
    assert part["pids_limit"]
    assert part["mem_limit"]
    assert part["logging"]["options"]["max-size"]
    assert part.get("cap_add", []) == (["NET_BIND_SERVICE"] if service == "proxy" else [])
    # Caddy has no user of its own; its one capability is all that is left to it.
    assert part.get("user") or service == "proxy"


def test_compose_keeps_database_and_broker_to_its_own_containers():
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert SERVICES["postgres"]["networks"] == SERVICES["redis"]["networks"] == ["inside"]
    assert SERVICES["proxy"]["networks"] == ["outside"]


def test_images_have_versions_and_digests():
    lines = [part["image"] for name, part in SERVICES.items() if name not in OURS]
    lines += re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    for image in lines:
        assert re.fullmatch(r"\w+:\d+\.\d+\.?\d*-[\w-]+@sha256:[0-9a-f]{64}", image), image


def test_digests_are_written_where_the_registry_says_so(tmp_path: Path):
    for name in ("compose.yaml", "Dockerfile", "pin_images.sh"):
        (tmp_path / name).write_text((DEPLOY / name).read_text())
    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\n[ $2 = version ] || echo sha256:{'7' * 64}\n")
    docker.chmod(0o755)
    line = ["bash", str(tmp_path / "pin_images.sh")]
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    said = subprocess.run(line, env=path, check=True, capture_output=True, text=True).stdout
    for name in ("compose.yaml", "Dockerfile"):
        before, after = (folder / name for folder in (DEPLOY, tmp_path))
        wanted = re.sub(r"(?<=@sha256:)[0-9a-f]{64}", "7" * 64, before.read_text())
        assert after.read_text() == wanted
    assert len(said.splitlines()) == 4


UNITS = {path.name: path for path in (DEPLOY / "systemd").glob("*.service")}
ENV_FILE = (DEPLOY / "systemd" / "giza.env").read_text()
CONFINED = {
    **dict.fromkeys(("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices"), "yes"),
    **dict.fromkeys(("ProtectKernelTunables", "RestrictNamespaces", "LockPersonality"), "yes"),
    "ProtectSystem": "strict",
    "CapabilityBoundingSet": "",
    "AmbientCapabilities": "",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    "SystemCallArchitectures": "native",
    "UMask": "0077",
    "User": "giza",
    "Group": "giza",
    "EnvironmentFile": "/etc/giza.env",
}


def read_unit(name: str) -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(UNITS[name].read_text())
    return parser


def in_env_file() -> dict[str, str]:
    return dict(re.findall(r"^([A-Z_]+)='(.*)'$", ENV_FILE, re.MULTILINE))


def test_there_is_a_unit_for_each_part():
    parts = {read_unit(name)["Service"]["ExecStart"].rpartition(" ")[2]: name for name in UNITS}
    assert parts == {
        "migrate": "giza-migrate.service",
        "web": "giza-web.service",
        "worker": "giza-worker@.service",
    }
    assert all(serve.parse([part]).part == part for part in parts)


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_confines_what_it_starts(name: str):
    service = read_unit(name)["Service"]
    assert dict(service).items() >= CONFINED.items()
    assert "SystemCallFilter=@system-service" in UNITS[name].read_text()
    assert read_unit(name)["Install"]["WantedBy"] == "multi-user.target"
    # Torch, which workers run, writes machine code.
    assert ("MemoryDenyWriteExecute" in service) == ("worker" not in name)


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_writes_into_the_data_folder_of_its_settings(name: str):
    service = read_unit(name)["Service"]
    folder = in_env_file()["DATA_DIR"]
    assert service["ReadWritePaths"] == folder
    assert service["Environment"] == f"TMPDIR={folder}/tmp"


@pytest.mark.parametrize("name", [name for name in UNITS if "migrate" not in name])
def test_a_unit_starts_again_and_after_the_tables(name: str):
    unit = read_unit(name)
    assert unit["Service"]["Restart"] == "always"
    assert unit["Unit"]["Requires"] == "giza-migrate.service"
    assert "giza-migrate.service" in unit["Unit"]["After"].split()


def test_the_file_of_settings_has_known_variables_in_quotes():
    lines = [line for line in ENV_FILE.splitlines() if line and not line.startswith("#")]
    assert len(lines) == len(in_env_file())
    assert set(in_env_file()) <= READ - OF_COMPOSE


def test_the_file_of_settings_is_safe_as_it_is():
    """What has no default of its own is empty there, so that nothing starts with an example."""
    values = in_env_file()
    assert values["SECRET_KEY"] == values["DATABASE_PASSWORD"] == ""
    assert values["MARKET_SIGN_UP"] == "invitation"
    assert values["HTTPS"] == "1"


def test_the_guide_uses_these_files():
    text = (ROOT / "docs" / "howto" / "lab_server.md").read_text()
    for path in ("deploy/systemd/*.service", "deploy/systemd/giza.env", "deploy/nginx/giza.conf"):
        assert path in text
        assert list(ROOT.glob(path))
    assert "deploy/manage.sh createsuperuser" in text
    for unit in UNITS:
        assert unit.removesuffix(".service") in text


@pytest.mark.parametrize("name", ["docs/settings.md", "docs/howto/lab_server.md"])
def test_documents_name_no_variable_that_does_not_exist(name: str):
    text = (ROOT / name).read_text()
    found = set(re.findall(r"^\| `([A-Z][A-Z_]+)`", text, re.MULTILINE))
    found |= set(re.findall(r"^([A-Z][A-Z_]+)=", text, re.MULTILINE))
    found |= set(re.findall(r"`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`", text))
    assert found
    # Read by the libraries that speak HTTP.
    assert found <= READ | {"HTTPS_PROXY"}


def test_nginx_tells_the_server_who_asks_and_cuts_slow_clients_off():
    text = (DEPLOY / "nginx" / "giza.conf").read_text()
    for line in (
        "proxy_set_header Host $host;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "client_header_timeout 10s;",
    ):
        assert line in text
    assert "client_max_body_size 1025m;" in text
