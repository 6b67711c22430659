"""A language model as a judge, over HTTP, with an endpoint that fails in every known way."""

from __future__ import annotations

import json
import logging
import time
from decimal import Decimal

import numpy as np
import pytest

from scoring.backends.llm import EndpointError
from scoring.errors import InputError
from scoring.judge import JudgeOptions, Question, load_judge, read_presence
from tests.llm_server import GIVEN, KEY, WRITTEN, always, first, serving, write_endpoint

QUESTION = Question("the ferry sank on monday", ("the ferry sank", "nobody drowned", "monday"))
WANTED = [1.0, 0.0, 1.0]
# The same verdicts, and no question twice.
MANY = [Question(f"the ferry sank on monday {i}", QUESTION.units) for i in range(9)]
COST = (10 * GIVEN + 40 * WRITTEN) / Decimal(1_000_000)


def load(folder, server, *, cap="5", ledger=None, evidence=False, **fields):
    path = write_endpoint(folder, server.url, **fields)
    options = JudgeOptions(endpoints=path, cap=Decimal(cap), ledger=ledger, evidence=evidence)
    return load_judge("llm:toy", options)


def ask(judge, *questions):
    rows = judge.judge(questions or (QUESTION,))
    return [
        [read_presence(judge.default_function, verdict.logits) for verdict in row] for row in rows
    ]


def test_it_reads_single_verdicts_and_pays_for_what_was_used(tmp_path):
    with serving() as server:
        judge = load(tmp_path, server)
        assert ask(judge) == [WANTED]
    found = judge.report()
    assert (found["calls"], found["missing"], found["faults"]) == (1, 0, {})
    assert Decimal(found["spent"]) == COST
    assert found["models"] == {"toy-1": 1}
    (body,) = server.bodies
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["seed"] == 1


@pytest.mark.parametrize(
    ("fate", "fault", "is_paid"),
    [
        ("limited", "status 429", False),
        ("limited with time", "status 429", False),
        ("failed after success", "status 500", True),
        ("cut", "cut", True),
        ("wrong shape", "wrong shape", True),
        ("words", "wrong shape", True),
        ("refusal", "refused", True),
        ("other model", "other model", True),
        ("half", None, True),
        ("twice", "said twice", True),
        ("silence", "no answer", True),
    ],
)
def test_one_fault_costs_no_verdict(tmp_path, fate, fault, is_paid):
    """The call is repeated, the verdicts are those of the answer, and what was paid is counted."""
    with serving(first([fate])) as server:
        judge = load(tmp_path, server, seconds=1)
        assert ask(judge) == [WANTED]
    found = judge.report()
    assert (found["calls"], found["missing"]) == (2, 0)
    assert fault is None or found["faults"][fault] >= 1
    spent = Decimal(found["spent"])
    assert spent == COST if not is_paid else spent >= 2 * COST
    # Another attempt is not the same request, which would fail again.
    assert is_paid is (server.bodies[0]["seed"] != server.bodies[1]["seed"])


@pytest.mark.parametrize(
    "fate",
    [
        *("failed after success", "cut", "wrong shape", "words", "refusal", "silence"),
        "bad request",
    ],
)
def test_what_never_answers_is_missing_and_nothing_else(tmp_path, fate):
    other = Question("the lamp was lit", ("the lamp", "the ferry"))
    with serving(lambda _, body: fate if "ferry sank" in str(body) else "answer") as server:
        judge = load(tmp_path, server, seconds=0.3, longest_pause="0.01")
        lost, found = ask(judge, QUESTION, other)
    assert np.isnan(lost).all()
    assert found == [1.0, 0.0]
    report = judge.report()
    assert (report["units"], report["missing"]) == (5, 3)
    for function in ("p2c", "l2c"):
        nothing = np.full((1, 2), np.nan, dtype=np.float32)
        assert np.isnan(read_presence(function, nothing))


def test_a_partial_answer_keeps_what_it_says(tmp_path):
    with serving(always("half")) as server:
        judge = load(tmp_path, server)
        ((first_unit, second, third),) = ask(judge)
    assert (first_unit, third) == (1.0, 1.0)
    assert np.isnan(second)
    assert judge.report()["calls"] == 3  # the endpoint's tries
    assert judge.report()["missing"] == 1


def test_a_unit_that_nobody_asked_about_is_ignored_and_counted(tmp_path):
    with serving(always("unknown unit")) as server:
        judge = load(tmp_path, server)
        assert ask(judge) == [WANTED]
    assert judge.report()["faults"] == {"unknown unit": 1}


def test_another_model_is_refused(tmp_path):
    with serving(always("other model")) as server:
        judge = load(tmp_path, server)
        with pytest.raises(EndpointError, match="answers as 'toy-2', not as 'toy-1'"):
            ask(judge)
    assert judge.report()["models"] == {"toy-2": 3}


def test_another_model_that_is_meant_is_another_judge(tmp_path):
    with serving(always("other model")) as server:
        judge = load(tmp_path, server, answers_as="toy-2")
        assert ask(judge) == [WANTED]
        assert judge.identity.key != load(tmp_path, server).identity.key
    assert "revision:toy-2" in judge.identity.signature("l2c")


def test_retry_after_is_waited_for_by_everybody(tmp_path):
    with serving(first(["limited with time"])) as server:
        judge = load(tmp_path, server, connections=1)
        ask(judge)
    assert 0.95 < server.starts[1] - server.starts[0] < 3


def test_a_limit_that_is_too_long_stops_the_run(tmp_path):
    with serving(lambda number, _: "long limit" if number >= 2 else "answer") as server:
        judge = load(tmp_path, server, connections=1)
        found = ask(judge, *MANY[:6])
    assert [row == WANTED for row in found] == [True, True, False, False, False, False]
    report = judge.report()
    assert "asks to wait 3,600 s" in report["stopped"]
    assert (report["calls"], report["missing"], report["not_asked"]) == (3, 12, 12)


def test_a_wrong_key_stops_at_once_and_is_never_shown(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("TOY_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    ledger = tmp_path / "ledger.jsonl"
    with serving(always("denied")) as server:
        judge = load(tmp_path, server, key_variable="TOY_KEY", ledger=ledger, connections=1)
        with pytest.raises(EndpointError, match="status 401") as caught:
            ask(judge, *MANY)
        assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert len(server.bodies) == 1
    said = [
        *(str(caught.value), repr(caught.value), repr(judge), repr(vars(judge)), caplog.text),
        *(ledger.read_text(), repr(judge.identity), judge.identity.signature("l2c")),
        *(json.dumps(judge.report()), repr(vars(judge._client)), repr(judge._endpoint)),
    ]
    assert not [text for text in said if KEY in text or "4711" in text]


def test_a_missing_key_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("TOY_KEY", raising=False)
    with serving() as server, pytest.raises(InputError, match="Set TOY_KEY in the environment"):
        load(tmp_path, server, key_variable="TOY_KEY")
    assert server.bodies == []


def test_silence_ends_at_the_deadline(tmp_path):
    with serving(always("silence")) as server:
        judge = load(tmp_path, server, seconds="0.5", tries=2)
        began = time.monotonic()
        ((*lost,),) = ask(judge)
    assert time.monotonic() - began < 5
    assert np.isnan(lost).all()


def test_an_endpoint_that_nobody_serves_costs_nothing(tmp_path):
    with serving() as server:
        pass
    judge = load(tmp_path, server, longest_pause="0.01")
    with pytest.raises(EndpointError, match="can't be reached"):
        ask(judge, *MANY)
    assert judge.report()["spent"] == "0"


def test_an_endpoint_that_is_limited_for_ever_is_left_alone(tmp_path):
    with serving(lambda number, _: "limited" if number >= 3 else "answer") as server:
        judge = load(tmp_path, server, connections=1, longest_pause="0.01")
        found = ask(judge, *MANY)
    assert [row == WANTED for row in found] == [True] * 3 + [False] * 6
    assert np.isnan(found[3:]).all()
    assert len(server.bodies) == 3 + 10
    assert "after 10 pauses" in judge.report()["stopped"]
    assert judge.report()["not_asked"] == 18
    assert Decimal(judge.report()["spent"]) == 3 * COST


def test_an_endpoint_that_knows_no_request_says_why_without_the_key(tmp_path, monkeypatch):
    monkeypatch.setenv("TOY_KEY", KEY)
    many = [Question(f"summary {i}", ("x",)) for i in range(40)]
    for said, shown in (("no such field: seed\n\x1b[31m", True), (f"key {KEY[:9]}… ", False)):
        with serving(always("bad request")) as server:
            server.says = said
            judge = load(tmp_path, server, key_variable="TOY_KEY", connections=1)
            with pytest.raises(EndpointError, match="status 400") as caught:
                ask(judge, *many)
        assert len(server.bodies) == 10
        assert ("(no such field: seed  [31m)" in str(caught.value)) is shown
        assert KEY[:9] not in str(caught.value)


def test_no_fault_makes_it_pass_the_cap(tmp_path):
    """What an endpoint may have charged stays below the cap, with eight connections."""
    cap = Decimal("0.5")
    fates = ["answer", "failed after success", "cut", "no usage", "limited", "refusal", "silence"]
    questions = [Question(f"summary number {i}", ("number", str(i), "none")) for i in range(80)]
    with serving(lambda number, _: fates[number % len(fates)]) as server:
        judge = load(
            tmp_path, server, cap=str(cap), connections=8, seconds="0.3", longest_pause="0.01"
        )
        found = ask(judge, *questions)
    report = judge.report()
    assert COST * server.paid <= Decimal(report["spent"]) <= cap
    assert f"The cap of {cap} is reached" in report["stopped"]
    assert 0 < report["missing"] < report["units"] == 240
    assert sum(np.isnan(row).sum() for row in found) == report["missing"]
    # Nothing was invented: what is there is what the model said.
    assert {value for row in found for value in row if not np.isnan(value)} <= {0.0, 1.0}
    for row in found:
        assert all(np.isnan(got) or got == said for got, said in zip(row, [1, 1, 0], strict=True))


def test_an_endpoint_that_counts_impossible_tokens_is_asked_no_more(tmp_path):
    with serving(always("overcharged")) as server:
        judge = load(tmp_path, server, connections=1)
        ask(judge, *MANY[:5])
    assert len(server.bodies) == 1
    assert "counted more tokens" in judge.report()["stopped"]
    assert judge.report()["not_asked"] == 12


def test_without_a_cap_nothing_is_sent(tmp_path):
    with serving() as server:
        path = write_endpoint(tmp_path, server.url)
        with pytest.raises(InputError, match="costs money. Give a cap"):
            load_judge("llm:toy", JudgeOptions(endpoints=path))
    assert server.bodies == []


def test_all_connections_are_busy_and_no_more(tmp_path):
    questions = [Question(f"summary {i}", ("summary",)) for i in range(64)]
    with serving(delay=0.1) as server:
        judge = load(tmp_path, server, connections=8, seconds=20)
        began = time.monotonic()
        ask(judge, *questions)
        passed = time.monotonic() - began
    assert server.most_at_once == 8
    assert passed < 64 * 0.1 / 3  # one after another it takes eight times as long


def test_requests_are_paced(tmp_path):
    with serving() as server:
        judge = load(tmp_path, server, connections=2, requests_per_minute=600)
        ask(judge, *[Question(f"summary {i}", ("summary",)) for i in range(8)])
    # Two at once, then one every tenth of a second.
    assert server.starts[-1] - server.starts[0] > 0.5
