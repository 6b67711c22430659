"""Every variable that is read is documented, and every documented one is read."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest
import yaml

from tests.servers import NOT_INHERITED, ROOT

READERS = {
    name.name
    for name in ast.parse((ROOT / "deploy" / "env.py").read_text()).body
    if isinstance(name, ast.FunctionDef) and not name.name.startswith("_")
}
NAME = r"[A-Z][A-Z_]*[A-Z]"
# Read by compose.yaml, by the tests or by boto3, not by the program.
READ_ELSEWHERE = {
    "POSTGRES_PASSWORD",
    "SITE_ADDRESS",
    "PROXY_HTTP",
    "PROXY_HTTPS",
    "TRUSTED_PROXIES",
    "WEB_MEMORY",
    "WORKER_MEMORY",
    "GIZA_DATA",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
}


def is_reader(call):
    """Whether a call is `env.text(…)`, or `folder(…)` within env.py itself."""
    function = call.func
    if isinstance(function, ast.Attribute):
        is_env = isinstance(function.value, ast.Name) and function.value.id == "env"
        return is_env and function.attr in READERS
    return isinstance(function, ast.Name) and function.id in READERS


def names_read(source):
    """The names that a module passes, as literals, to the readers of env.py."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args and is_reader(node):
            first = node.args[0]
            if isinstance(first, ast.Constant) and re.fullmatch(NAME, str(first.value)):
                yield str(first.value)


READ = {
    name for path in (ROOT / "deploy").glob("*.py") for name in names_read(path.read_text())
} | READ_ELSEWHERE


def in_example():
    text = (ROOT / "deploy" / ".env.example").read_text()
    return set(re.findall(r"^([A-Z_]+)=", text, re.MULTILINE))


def in_document():
    text = (ROOT / "docs" / "settings.md").read_text()
    return set(re.findall(r"^\| `([A-Z_]+)` \|", text, re.MULTILINE))


def test_it_finds_what_the_program_reads():
    assert {"SECRET_KEY", "DATA_DIR", "PORT", "CELERY_CONCURRENCY", "DEMO_PASSWORD"} <= READ


@pytest.mark.parametrize("documented", [in_example, in_document])
def test_it_is_documented_if_and_only_if_it_is_read(documented):
    assert documented() == READ


def test_it_is_kept_from_servers_under_test():
    assert set(NOT_INHERITED) - {"DJANGO_SETTINGS_MODULE"} == READ - READ_ELSEWHERE


def test_it_reads_the_environment_through_env_alone():
    pattern = re.compile(r"os\.environ(\.get\(|\[)\s*[\"'](\w+)|os\.getenv")
    # What the embedded start sets for its children, and the worker's for Celery.
    allowed = {"DJANGO_SETTINGS_MODULE", "DEMO_PASSWORD", "SECRET_KEY", "ALLOWED_HOSTS", "DATA_DIR"}
    allowed |= {"PUBLIC_URL", "CELERY_SKIP_CHECKS"}
    for path in (ROOT / "deploy").glob("*.py"):
        assert {match[2] for match in pattern.finditer(path.read_text())} <= allowed, path


COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
OURS = {name: service for name, service in COMPOSE["services"].items() if "build" in service}


def test_it_runs_web_worker_and_migrate_in_containers():
    assert set(OURS) == {"web", "worker", "migrate"}
    assert OURS["worker"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


@pytest.mark.parametrize("name", OURS)
def test_it_sets_only_known_variables_in_containers(name):
    assert set(OURS[name]["environment"]) - {"TMPDIR"} <= READ


@pytest.mark.parametrize("name", OURS)
def test_it_shares_the_data_folder_between_containers(name):
    assert "data:/data" in OURS[name]["volumes"]


def test_it_documents_each_variable_that_compose_takes_from_outside():
    text = (ROOT / "deploy" / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) <= in_example()


def test_it_lets_nobody_in_but_through_the_proxy():
    """And the proxy itself listens on the loopback address until it is told otherwise."""
    published = {
        name: part["ports"] for name, part in COMPOSE["services"].items() if "ports" in part
    }
    assert list(published) == ["proxy"]
    for port in published["proxy"]:
        assert re.match(r"\$\{PROXY_HTTPS?:-127\.0\.0\.1:", port)


def test_its_proxy_bounds_headers_and_bodies():
    text = (ROOT / "deploy" / "Caddyfile").read_text()
    environment = COMPOSE["services"]["proxy"]["environment"]
    assert set(re.findall(r"\{\$([A-Z_]+)", text)) == set(environment)
    assert re.search(r"read_header \d+s", text)
    assert re.search(r"max_size \{\$PROXY_MAX_BODY", text)
    assert environment["PROXY_MAX_BODY"] == "${MAX_UPLOAD_MB:-1024}.9MiB"
    assert COMPOSE["services"]["web"]["environment"]["PROXIES"] == "${PROXIES:-1}"
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in COMPOSE["services"]["proxy"]["volumes"]


def dockerfile():
    return (ROOT / "deploy" / "Dockerfile").read_text()


def test_it_sets_only_known_variables_in_the_image():
    block = re.search(r"^ENV (.*?[^\\])$", dockerfile(), re.MULTILINE | re.DOTALL)
    assert block
    names = set(re.findall(r"([A-Z_]+)=", block[1]))
    assert names - {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"} <= READ


def test_it_does_not_run_as_root_in_the_image():
    assert re.search(r"^USER giza$", dockerfile(), re.MULTILINE)


def test_it_copies_into_the_image_what_exists():
    kept = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert {"requirements.lock", "requirements-torch.txt"} <= set(kept)
    assert [name for name in kept if not (ROOT / name).exists()] == []


def commands():
    """Each command line of the image and of compose.yaml, by where it stands."""
    image = re.search(r"^CMD (\[.*\])$", dockerfile(), re.MULTILINE)
    assert image
    yield "image", ast.literal_eval(image[1])
    for name, service in OURS.items():
        yield name, service["command"]
        if "healthcheck" in service:
            yield f"{name} health", service["healthcheck"]["test"][1:]


@pytest.mark.parametrize(("where", "command"), list(commands()))
def test_it_starts_containers_by_entry_points_that_exist(where, command):
    from deploy import probe, serve

    python, minus_m, module, part = command
    assert (python, minus_m) == ("python", "-m")
    if module == "deploy.serve":
        assert serve.parse([part]).part == part
    else:
        assert module == "deploy.probe"
        assert part in probe.PROBES


def test_it_has_one_version():
    from scoring import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__


def test_it_pins_every_requirement():
    for name in ("requirements.txt", "requirements-torch.txt", "requirements-dev.txt"):
        lines = [line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines()]
        wanted = [line for line in lines if line and not line.startswith("-r ")]
        assert [line for line in wanted if not re.fullmatch(r"[\w.\[\]-]+==[\w.]+", line)] == []
