"""Settings come from the environment and refuse what is wrong, by whatever door one starts."""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import sys

import pytest
import yaml

from tests import servers

ENTRY_POINTS = {
    "web": ["-m", "deploy.serve", "web"],
    "worker": ["-m", "deploy.serve", "worker"],
    "migrate": ["-m", "deploy.serve", "migrate"],
    "wsgi": ["-c", "import deploy.wsgi"],
    "celery": ["-m", "celery", "--app", "deploy.celery", "report"],
}

# A command, and then whether it has loaded the pages.
COMMAND = """
import sys, manage
sys.argv = ["manage.py", "list_activity", "--project", "demo"]
manage.main()
print("deploy.urls" in sys.modules)
"""

WRONG = [
    ({"SECRET_KEY": ""}, "SECRET_KEY is not set. Set it to a long random text"),
    ({"SECRET_KEY": "x"}, "SECRET_KEY is too short: 1 of at least 50 characters. Make one with:"),
    ({"SECRET_KEY": "x", "DEBUG": "1"}, "SECRET_KEY is too short"),
    ({"DEBUG": "perhaps"}, "DEBUG: 'perhaps' is not valid."),
    ({"HTTPS": "2"}, "HTTPS: '2' is not valid."),
    ({"DATABASE_URL": "mysql://u:secret@h/n"}, "DATABASE_URL: 'mysql://u:***@h/n' is not"),
    ({"CELERY_BROKER_URL": "memory"}, "CELERY_BROKER_URL: 'memory' is not valid."),
    ({"CACHE_URL": "disk://"}, "CACHE_URL: 'disk://' is not valid."),
    ({"CSRF_TRUSTED_ORIGINS": "example.org"}, "CSRF_TRUSTED_ORIGINS: 'example.org' is not"),
    ({"MAX_UPLOAD_MB": "0"}, "MAX_UPLOAD_MB: '0' is out of range."),
    ({"MAX_UNPACKED_MB": "lots"}, "MAX_UNPACKED_MB: 'lots' is not valid."),
    ({"JOB_LEASE_SECONDS": "1"}, "JOB_LEASE_SECONDS: '1' is out of range."),
    ({"JOB_SWEEP_SECONDS": "1.5"}, "JOB_SWEEP_SECONDS: '1.5' is not valid."),
    ({"API_RATE_USER": "many"}, "API_RATE_USER: 'many' is not valid."),
    ({"API_RATE_ANON": "5/week"}, "API_RATE_ANON: '5/week' is not valid."),
    ({"SIGN_IN_RATE_ACCOUNT": "0/hour"}, "SIGN_IN_RATE_ACCOUNT: '0/hour' is not valid."),
    ({"TIME_ZONE": "Mars/Olympus"}, "TIME_ZONE: 'Mars/Olympus' is not valid."),
    ({"LOG_LEVEL": "loud"}, "LOG_LEVEL: 'loud' is not valid."),
    ({"DATA_DIR": "/proc/giza"}, "DATA_DIR: '/proc/giza' can't be used"),
    ({"GIZA_DEBUG": "1"}, "GIZA_DEBUG is not a setting."),
]


def start(arguments, folder, **settings):
    """Run an entry point to its end with a good environment changed by `settings`."""
    environment = (
        servers.clean_environment(SECRET_KEY=servers.SECRET_KEY, DATA_DIR=folder) | settings
    )
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=servers.ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=servers.PATIENCE,
        check=False,
    )


@pytest.mark.parametrize(("settings", "sentence"), WRONG)
def test_it_refuses_a_wrong_value_in_one_line(settings, sentence, tmp_path):
    ended = start(["-m", "deploy.serve", "web"], tmp_path, **settings)
    assert ended.returncode == 2
    assert ended.stderr.startswith(sentence)
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("door", ENTRY_POINTS)
def test_it_refuses_at_every_door(door, tmp_path):
    ended = start(ENTRY_POINTS[door], tmp_path, SECRET_KEY="")
    assert ended.returncode == 2
    assert ended.stderr.startswith("SECRET_KEY is not set.")
    assert "Traceback" not in ended.stderr


def read(expression, folder, **settings):
    """The value of an expression over the settings, in a process of its own."""
    ended = start(
        ["-c", f"from deploy import settings as s; print({expression})"], folder, **settings
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "False 0 False None"),
        ({"HTTPS": "1"}, "True 31536000 True ('HTTP_X_FORWARDED_PROTO', 'https')"),
    ],
)
def test_it_secures_cookies_and_redirects_under_https(settings, expected, tmp_path):
    shown = read(
        "s.SESSION_COOKIE_SECURE, s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT, "
        "s.SECURE_PROXY_SSL_HEADER",
        tmp_path,
        **settings,
    )
    assert shown == expected


def test_it_is_not_in_debug_unless_told(tmp_path):
    assert read("s.DEBUG", tmp_path) == "False"
    assert read("s.DEBUG", tmp_path, DEBUG="1") == "True"


def test_it_keeps_sqlite_in_the_data_folder_by_default(tmp_path):
    assert read("s.DATABASES['default']['NAME']", tmp_path) == str(tmp_path / "giza.sqlite3")


def test_it_opens_sqlite_for_several_writers(tmp_path):
    wanted = {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 30000}
    line = (
        "import json, django; django.setup(); from django.db import connection as c; "
        "k = c.cursor(); "
        "ask = lambda name: k.execute(f'PRAGMA {name}').fetchone()[0]; "
        f"print(json.dumps({{name: ask(name) for name in {list(wanted)}}}))"
    )
    ended = start(["-c", line], tmp_path, DJANGO_SETTINGS_MODULE="deploy.settings")
    assert json.loads(ended.stdout) == wanted, ended.stderr


def on_a_server(folder):
    """What compose.yaml gives its containers, filled in as .env.example asks for."""
    compose = yaml.safe_load((servers.ROOT / "deploy" / "compose.yaml").read_text())
    given = {"SECRET_KEY": secrets.token_urlsafe(50), "POSTGRES_PASSWORD": "x", "HTTPS": "1"}
    return {
        name: re.sub(
            r"\$\{(\w+)(?::[-?+]([^}]*))?\}",
            lambda it: "" if ":+" in it[0] else given.get(it[1], it[2] or ""),
            value,
        )
        for name, value in compose["services"]["web"]["environment"].items()
    } | {"DATA_DIR": str(folder), "ALLOWED_HOSTS": "giza.example.org"}


def test_it_passes_djangos_own_check_for_servers(tmp_path):
    command = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    ended = start(command, tmp_path, **on_a_server(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "System check identified no issues (0 silenced).\n"


def test_it_leaves_hsts_to_whoever_runs_it(tmp_path):
    told = {"HTTPS": "1", "HSTS_SECONDS": "60", "HSTS_SUBDOMAINS": "0", "HSTS_PRELOAD": "0"}
    names = "s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD"
    assert read(names, tmp_path, **told) == "60 False False"
    assert read(f"{names}, s.PROXIES", tmp_path, HTTPS="1") == "31536000 True True 1"


def test_its_commands_spare_themselves_the_pages(prepared):
    """Django's checks load every one of them; `manage.py check` is there for these."""
    said = servers.run_to_end(prepared.part.environment, "-c", COMMAND)
    assert said.splitlines()[-1] == "False"
