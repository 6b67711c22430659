"""Endpoints of language models: the operator's file, its prompts, and the command."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from decimal import Decimal

import pytest

from scoring.backends.llm_client import Pace, read_retry_after
from scoring.cli import main
from scoring.errors import InputError
from scoring.judge import JudgeOptions, load_judge
from scoring.judge.llm.endpoints import Endpoint, find_endpoint, read_endpoints
from scoring.judge.llm.prompts import SHIPPED, read_prompt
from tests.llm_server import always, serving, write_endpoint
from tests.servers import ROOT

GUIDE = (ROOT / "docs" / "howto" / "llm_judge.md").read_text()
PLAIN = {"url": "https://llm.example.org/v1", "model": "m"}


def write(folder, **values):
    table = {**PLAIN, **values}
    path = folder / "llm.toml"
    rows = [f"{name} = {json.dumps(value)}" for name, value in table.items() if value is not None]
    path.write_text("\n".join(["[one]", *rows]))
    return path


def test_the_guide_has_an_example_that_is_read(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    path = tmp_path / "llm.toml"
    path.write_text(example)
    found = read_endpoints(path)
    assert list(found) == list(tomllib.loads(example)) == ["mini", "local"]
    assert found["mini"].input_price == Decimal("0.15")
    assert found["mini"].cost(1_000_000, 500_000) == Decimal("0.45")
    assert found["local"].is_free


def test_the_guide_explains_every_field():
    rows = [line.split("|")[1] for line in GUIDE.splitlines() if line.startswith("| `")]
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {item.name for item in fields(Endpoint)} - {"name"} <= explained


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"url": None}, "url is missing"),
        ({"model": None}, "model is missing"),
        ({"url": "ftp://x/v1"}, "starts with https"),
        ({"url": "https://user:pass@x/v1"}, "without user, password"),
        ({"url": "https://x/v1?key=1"}, "without user, password, query"),
        ({"url": "http://[x/v1"}, "url: "),
        ({"url": "http://x:port/v1"}, "url: "),
        ({"url": "http://10.0.0.1/v1", "key_variable": "K"}, "only sent over https"),
        ({"key": "sk-1"}, "'key' is unknown. Use: answers_as"),
        ({"key_variable": "sk-1"}, "key_variable: the value doesn't have the form"),
        ({"input_price": "-1"}, "input_price: expected a number from 0"),
        ({"input_price": "nan"}, "input_price: expected a number"),
        ({"input_price": True}, "input_price: expected a number"),
        ({"connections": 0}, "connections: expected a whole number from 1 to 64"),
        ({"connections": 1.5}, "connections: expected a whole number"),
        ({"logprobs": "yes"}, "logprobs: expected true or false, not a str"),
        ({"reading": "guess"}, "reading: expected one of probability, share, verdict"),
        ({"reading": "probability"}, "needs logprobs = true"),
        ({"reading": "share"}, "needs a temperature above 0"),
        ({"prompt": "presence-9"}, "there is no prompt 'presence-9'. Use one of presence-1"),
        ({"prompt": "none.txt"}, "none.txt can't be read"),
        ({"currency": "dollars"}, "currency: the value doesn't have"),
    ],
)
def test_a_wrong_field_is_named(tmp_path, values, message):
    path = write(tmp_path, **values)
    with pytest.raises(InputError, match=r"llm\.toml: \[one\]: ") as caught:
        read_endpoints(path)
    assert message in str(caught.value)
    assert "sk-1" not in str(caught.value)


def test_a_key_may_go_to_this_machine(tmp_path):
    for url in ("http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]:1/v1"):
        assert read_endpoints(write(tmp_path, url=url, key_variable="K"))["one"].url == url


@pytest.mark.parametrize("text", ["[one", "one = 1", "\udc80", '["a b"]\nurl = "x"'])
def test_a_file_that_is_none_is_an_error(tmp_path, text):
    path = tmp_path / "llm.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"llm\.toml"):
        read_endpoints(path)


def test_it_is_found_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.delenv("LLM_ENDPOINTS", raising=False)
    monkeypatch.delenv("JUDGES_DIR", raising=False)
    with pytest.raises(InputError, match="no file describes one"):
        find_endpoint("llm:one")
    path = write(tmp_path)
    monkeypatch.setenv("JUDGES_DIR", str(tmp_path))
    assert find_endpoint("llm:one").model == "m"
    with pytest.raises(InputError, match=r"no endpoint 'two'. .* describes one"):
        find_endpoint("llm:two")
    other = tmp_path / "other.toml"
    path.rename(other)
    monkeypatch.setenv("LLM_ENDPOINTS", str(other))
    assert find_endpoint("one").url == PLAIN["url"]
    with pytest.raises(InputError, match="costs money"):
        load_judge("llm:one", JudgeOptions(endpoints=write(tmp_path, input_price="1")))


def test_shipped_prompts_never_change():
    """A changed prompt is a new file: stored verdicts name the old one."""
    assert {name: read_prompt(name).hash[:12] for name in SHIPPED} == {
        "presence-1": "8330719de3ee",
        "presence-quote-1": "0b5e6306d6fc",
    }
    assert [read_prompt(name).has_quotes for name in SHIPPED] == [False, True]


def test_an_edited_prompt_is_another_judge(tmp_path):
    with serving() as server:
        path = write_endpoint(tmp_path, server.url, prompt="mine.txt")
        (tmp_path / "mine.txt").write_text("Say which units are present.")
        options = JudgeOptions(endpoints=path, cap=Decimal(1))
        first = load_judge("llm:toy", options).identity
        (tmp_path / "mine.txt").write_text("Say strictly which units are present.")
        second = load_judge("llm:toy", options).identity
    assert first.key != second.key
    assert "prompt:mine@" in first.signature("l2c")


def test_the_pace_is_kept_and_pauses_are_everybodys():
    now = [0.0]

    def sleep(seconds):
        now[0] += seconds

    pace = Pace(60, 2, clock=lambda: now[0], sleep=sleep)
    now[0] = 10.0
    starts = []
    for _ in range(4):
        pace.wait()
        starts.append(now[0])
    assert starts == [10.0, 10.0, 11.0, 12.0]
    pace.pause(30)
    pace.wait()
    assert now[0] == 42.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 0 "}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        (
            {
                "Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT",
                "Date": "Wed, 21 Oct 2015 07:28:00 GMT",
            },
            30.0,
        ),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT"}, 0.0),
    ],
)
def test_it_reads_how_long_to_wait(headers, seconds):
    assert read_retry_after(headers) == seconds


@pytest.fixture
def study(tmp_path):
    (tmp_path / "SCUs.txt").write_text("the ferry\tthe lamp\nthe lamp")
    (tmp_path / "s.summary").write_text("the ferry sank\nthe lamp was lit")
    return tmp_path


def command(study, *more):
    files = ["--units", str(study / "SCUs.txt"), "--summaries", str(study / "s.summary")]
    endpoints = ["--endpoints", str(study / "llm.toml")]
    return main(["score", *files, "--judge", "llm:toy", *endpoints, *more])


def test_the_command_shows_the_cost_before_and_after(study, capsys):
    with serving() as server:
        write_endpoint(study, server.url)
        assert command(study, "--estimate", "--json") == 0
        estimate = json.loads(capsys.readouterr().out)
        assert server.bodies == []
        assert command(study, "--cap", "5") == 0
    shown = capsys.readouterr()
    assert estimate["calls"] == 2
    assert f"at most {estimate['cost_at_most']}" in shown.err
    assert "l2c    0.7500" in shown.out
    assert "spent  0.0036 of 5 USD" in shown.out
    assert "missing" not in shown.out


def test_the_command_counts_what_is_missing(study, capsys):
    def lose_the_first(_, body):
        return "refusal" if "sank" in str(body) else "answer"

    with serving(lose_the_first) as server:
        write_endpoint(study, server.url)
        assert command(study, "--cap", "5", "--detail", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert found["missing"] == found["usage"]["missing"] == 2
        assert [row["presence"] for row in found["detail"]] == [[None, None], [1.0]]
        assert [row["score"] for row in found["detail"]] == [None, 1.0]
        assert found["score"] == 1.0
        assert command(study, "--cap", "5", "--detail") == 0
    shown = capsys.readouterr().out
    assert "missing: 2 of 3 units have no verdict" in shown
    assert "faults refused 3" in shown
    assert "–    the ferry" in shown


def test_a_score_of_nothing_is_none(study, capsys):
    with serving(always("refusal")) as server:
        write_endpoint(study, server.url)
        assert command(study, "--cap", "5", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["score"], found["p2c"], found["missing"]) == (None, None, 3)


@pytest.mark.parametrize("cap", ["-1", "nan", "1e3", "five", "0x1"])
def test_a_cap_is_an_amount(study, cap, capsys):
    with pytest.raises(SystemExit):
        command(study, f"--cap={cap}")
    assert "expected an amount" in capsys.readouterr().err


def test_it_can_be_estimated_only_where_it_costs(study, capsys):
    files = ["--units", str(study / "SCUs.txt"), "--summaries", str(study / "s.summary")]
    assert main(["score", *files, "--judge", "lexical", "--estimate"]) == 2
    assert "costs nothing" in capsys.readouterr().err
