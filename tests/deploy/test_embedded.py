"""What a single machine fills in by itself."""

from __future__ import annotations

import os
import stat

import pytest

from deploy import embedded
from deploy.env import EnvError


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("giza.example.org", False),
    ],
)
def test_it_knows_which_addresses_only_this_machine_reaches(host, expected):
    assert embedded.is_loopback(host) is expected


@pytest.mark.parametrize(
    ("host", "last"),
    [
        ("127.0.0.1", "[::1]"),
        ("192.168.1.5", "192.168.1.5"),
        ("fe80::1", "[fe80::1]"),
        ("giza.example.org", "giza.example.org"),
    ],
)
def test_it_answers_to_its_own_names(host, last):
    names = embedded.own_names(host)
    assert names[:3] == ["localhost", "127.0.0.1", "[::1]"]
    assert names[-1] == last


@pytest.mark.parametrize(
    ("host", "expected"), [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("10.0.0.1", "10.0.0.1")]
)
def test_it_can_be_reached_from_here(host, expected):
    assert embedded.reachable(host) == expected


def test_it_makes_a_secret_once_for_this_account_alone(tmp_path):
    made = embedded.kept_secret(tmp_path / "secret", 50)
    assert len(made) > 50
    assert embedded.kept_secret(tmp_path / "secret", 50) == made
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_it_refuses_an_empty_secret(tmp_path):
    (tmp_path / "secret").touch()
    with pytest.raises(EnvError, match="is empty"):
        embedded.kept_secret(tmp_path / "secret", 50)


@pytest.fixture
def clean(monkeypatch, tmp_path):
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "DEMO_PASSWORD", "HOST", "DATA_DIR"):
        # Set first, so that what the code under test sets is taken back too.
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    return monkeypatch


def test_it_fills_in_what_is_unset(clean, tmp_path):
    embedded.fill_environment()
    assert os.environ["SECRET_KEY"] == (tmp_path / "secret-key").read_text().strip()
    assert os.environ["ALLOWED_HOSTS"] == "localhost,127.0.0.1,[::1]"
    assert os.environ["DEMO_PASSWORD"] == "pyramid-demo"


def test_it_leaves_alone_what_is_set(clean, tmp_path):
    clean.setenv("SECRET_KEY", "chosen")
    clean.setenv("ALLOWED_HOSTS", "giza.example.org")
    clean.setenv("DEMO_PASSWORD", "chosen-too")
    embedded.fill_environment()
    assert os.environ["SECRET_KEY"] == "chosen"
    assert os.environ["ALLOWED_HOSTS"] == "giza.example.org"
    assert os.environ["DEMO_PASSWORD"] == "chosen-too"
    assert not (tmp_path / "secret-key").exists()


def test_it_gives_no_well_known_password_to_the_world(clean, tmp_path):
    clean.setenv("HOST", "0.0.0.0")
    embedded.fill_environment()
    assert os.environ["DEMO_PASSWORD"] == (tmp_path / "demo-password").read_text().strip()
