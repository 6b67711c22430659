"""A small language model behind a real server, over HTTP, with JSON schema and logprobs.

Its verdicts are poor. What is tested is everything around them.
"""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pytest

from scoring.cli import main
from scoring.judge import JudgeOptions, Question, load_judge, read_presence
from scoring.judge.llm.estimates import PaidJudge
from tests.llama_server import MODEL, local_model
from tests.llm_server import first, serving, write_endpoint

UNITS = "Arsenal won.\tChelsea won.\nThe lamp was lit."
SUMMARIES = "Arsenal beat Chelsea.\nNobody lit the lamp."
# Short, because two cores read it slowly.
PROMPT = 'Is each unit in the summary? Answer {"verdicts": [{"unit": 1, "present": true}]}.'


@pytest.fixture(scope="module")
def address():
    with local_model() as found:
        yield found


@pytest.fixture
def endpoints(address, tmp_path):
    (tmp_path / "short.txt").write_text(PROMPT)

    def write(**fields):
        plain = {"kind": "llama.cpp", "seconds": 300, "connections": 2, "prompt": "short.txt"}
        return write_endpoint(tmp_path, address, **{**plain, "model": MODEL, **fields})

    return write


def test_a_real_run_by_command_with_a_cap_and_a_ledger(endpoints, tmp_path, capsys):
    (tmp_path / "SCUs.txt").write_text(UNITS)
    (tmp_path / "s.summary").write_text(SUMMARIES)
    command = ["score", "--units", str(tmp_path / "SCUs.txt")]
    command += ["--summaries", str(tmp_path / "s.summary"), "--judge", "llm:toy", "--json"]
    command += ["--endpoints", str(endpoints()), "--cap", "1"]
    command += ["--ledger", str(tmp_path / "ledger.jsonl"), "--detail"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    usage = found["usage"]
    assert (found["units"], found["missing"], usage["calls"]) == (3, 0, 2)
    assert {value for row in found["detail"] for value in row["presence"]} <= {0.0, 1.0}
    assert usage["models"] == {MODEL: 2}
    price = 10 * usage["input_tokens"] + 40 * usage["output_tokens"]
    assert Decimal(usage["spent"]) == Decimal(price) / 1_000_000 > 0
    assert "endpoint:llama.cpp" in found["signature"]
    # The second time, nothing is asked.
    assert main(command) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["usage"]["calls"], again["usage"]["reused_calls"]) == (0, 2)
    assert again["detail"] == found["detail"]


def test_it_reads_real_probabilities(endpoints):
    path = endpoints(reading="probability", logprobs=True)
    judge = load_judge("llm:toy", JudgeOptions(endpoints=path, cap=Decimal(1)))
    ((first, second),) = judge.judge([Question("Arsenal won.", ("Arsenal won.", "It rained."))])
    chances = [read_presence("p2c", verdict.logits) for verdict in (first, second)]
    assert not np.isnan(chances).any()
    assert all(0 < chance < 1 for chance in chances)


def test_the_estimate_is_above_what_a_real_tokenizer_counts(endpoints):
    judge = load_judge("llm:toy", JudgeOptions(endpoints=endpoints(), cap=Decimal(1)))
    assert isinstance(judge, PaidJudge)
    question = Question("Ünïcödé 漢字 🎈 {}[]<|im_start|>", ("漢字 🎈🎈", "x"))
    estimate = judge.estimate([question])
    list(judge.judge([question]))
    report = judge.report()
    assert report["calls"] * estimate.input_tokens >= report["input_tokens"] > 0
    assert Decimal(report["spent"]) <= report["calls"] * estimate.most


def test_faults_before_a_real_model_lose_and_invent_nothing(address, tmp_path):
    """Every fault once; then the verdicts are those of the model, and the cap has held."""
    fates = ["limited with time", "cut", "failed after success", "wrong shape", "refusal"]
    fates += ["other model", "unknown unit"]
    (tmp_path / "short.txt").write_text(PROMPT)
    plain = {"model": MODEL, "prompt": "short.txt", "connections": 1, "seconds": 300, "tries": 7}
    question = Question("Arsenal beat Chelsea.", ("Arsenal won.", "Chelsea won."))
    with serving(first(fates), target=address) as server:
        path = write_endpoint(tmp_path, server.url, **plain)
        judge = load_judge("llm:toy", JudgeOptions(endpoints=path, cap=Decimal("0.5")))
        assert isinstance(judge, PaidJudge)
        ((*verdicts,),) = judge.judge([question])
    report = judge.report()
    assert len(server.bodies) == 7
    assert not any(verdict.is_missing for verdict in verdicts)
    assert report["faults"] == {
        "cut": 1,
        "other model": 1,
        "refused": 1,
        "status 429": 1,
        "status 500": 1,
        "unknown unit": 1,
        "wrong shape": 1,
    }
    assert 0 < Decimal(report["spent"]) <= Decimal("0.5")
