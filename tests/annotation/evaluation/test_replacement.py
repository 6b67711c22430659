"""May the judge replace people: the verdict, corrected scores, and every entry point to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from annotation.corpora.jobs.service import finish_job
from annotation.crowd.campaigns.models import Judgement
from annotation.errors import Invalid
from annotation.evaluation.estimates.queries import (
    list_rows,
    read_answers,
    read_shares,
    stream_scores,
)
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from scoring.estimation import PartialScores
from scoring.estimation.replacement import NOT_SHOWN, UNTOLD, say_verdict
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.commanding import run as command
from tests.annotation.evaluation.estimating import (
    EXAMPLES,
    JUDGED,
    begin_estimate,
    keys_of,
    make_estimate,
    make_partly_judged,
)

Study = tuple[LabelSet, JudgeRun]


@pytest.fixture(scope="module")
def kept_study(kept_database: None, tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_partly_judged(factories.make_user("Owner"), tmp_path_factory.mktemp("study"))


@pytest.fixture
def labels(db: None, kept_study: Study) -> LabelSet:
    return LabelSet.objects.get(pk=kept_study[0].pk)


@pytest.fixture
def run(db: None, kept_study: Study) -> JudgeRun:
    return JudgeRun.objects.get(pk=kept_study[1].pk)


def list_statements(run: JudgeRun) -> dict[tuple[int, int], float]:
    """What the judge says, by summary and place, read off the run's rows."""
    rows = SummaryPresence.objects.filter(run=run).values_list("summary_id", "presence")
    return {
        (summary, place): float(value > 0.5)
        for summary, values in rows
        for place, value in enumerate(values)
    }


def test_it_is_the_papers_test_on_single_answers(labels: LabelSet, run: JudgeRun) -> None:
    """Wins by plain loops over judgements; p by hand from sums over examples."""
    labels.drops.all().delete()
    found = make_estimate(labels, run).found["replacement"]
    judge = list_statements(run)
    said: dict[tuple[int, int], dict[str, bool]] = {}
    documents: dict[tuple[int, int], int] = {}
    rows = Judgement.objects.select_related("assignment__hit__summary", "assignment__worker")
    for row in rows:
        summary, worker = row.assignment.hit.summary, row.assignment.worker
        assert worker is not None
        place = (summary.pk, list(summary_units(row)).index(row.unit_id))
        said.setdefault(place, {})[worker.provider_id] = row.present
        documents[place] = summary.example_id
    for tested in found["annotators"]:
        name, wins = tested["annotator"], []
        gaps: dict[int, list[int]] = {}
        for place, answers in said.items():
            others = [answer for worker, answer in answers.items() if worker != name]
            own, machine = (
                sum(other == answer for other in others)
                for answer in (answers[name], bool(judge[place]))
            )
            gaps.setdefault(documents[place], []).append((own >= machine) - (machine >= own))
            wins.append(machine >= own)
        assert tested["judge_wins"] == pytest.approx(np.mean(wins))
        assert (tested["statements"], tested["documents"]) == (len(said), EXAMPLES)
        # Examples have as many statements each: the paper's t-test of their means.
        means = [np.mean(part) for part in gaps.values()]
        p = stats.ttest_1samp(means, 0.1, alternative="less").pvalue
        sure = float(np.mean(means) > 0.1)  # where all examples are alike
        assert tested["p"] == pytest.approx(p if np.ptp(means) else sure, rel=1e-9)
    assert len(found["annotators"]) == 4
    assert found["sentence"] == say_verdict(found)


def summary_units(row: Judgement) -> list[int]:
    units = row.unit.set.units.filter(example=row.assignment.hit.summary.example_id)
    return list(units.order_by("position", "pk").values_list("pk", flat=True))


def test_answers_that_the_labels_left_out_do_not_count(labels: LabelSet, run: JudgeRun) -> None:
    """The labels' rule leaves out the noisiest of each summary, who is DUD."""
    names = set(labels.drops.values_list("assignment__worker__provider_id", flat=True))
    assert names == {"DUD"}
    read = read_answers(labels, run)
    assert read is not None
    kept = {read[0].worker_keys[code] for code in read[0].assignment_workers[read[0].assignments]}
    assert kept == {"ANN", "BOB", "CEM"}
    assert len(make_estimate(labels, run).found["replacement"]["annotators"]) == 3


def test_no_verdict_is_drawn_without_single_answers(labels: LabelSet, run: JudgeRun) -> None:
    labels.campaigns.clear()
    found = make_estimate(labels, run).found["replacement"]
    assert found["sentence"].startswith("Not tested: these labels were imported")


def test_no_verdict_is_drawn_of_a_judge_that_learned_here(labels: LabelSet, run: JudgeRun) -> None:
    """However often it wins."""
    made = begin_estimate(labels, run)
    made.sources["learned"] = [{"run": run.pk, "judge": run.judge, "can_hold_out": False}]
    made.save()
    assert made.job is not None
    finish_job(job=made.job)
    made.refresh_from_db()
    assert made.found["replacement"]["verdict"] == UNTOLD


def test_a_run_that_lacks_a_summary_has_no_answer_there(labels: LabelSet, run: JudgeRun) -> None:
    first = SummaryPresence.objects.filter(run=run).order_by("summary_id")[0]
    first.delete()
    read = read_answers(labels, run)
    assert read is not None
    assert np.isnan(read[1]).sum() == 3


def test_shares_are_those_of_labels_and_presence(labels: LabelSet, run: JudgeRun) -> None:
    """By hand from the rows; a unit that nobody labelled counts nowhere."""
    row = SummaryLabels.objects.filter(label_set=labels).order_by("pk")[0]
    row.labels = [1, 0, None]
    row.save()
    presence = SummaryPresence.objects.get(run=run, summary=row.summary)
    presence.presence = [0.9, 0.8, 0.1]
    presence.save()
    keys = keys_of(labels.project)
    human = np.full((2, EXAMPLES), np.nan)
    human[:, :JUDGED] = 0.5
    scores = PartialScores(("lead", "soup"), tuple(keys), human, np.full(human.shape, 0.5))
    shares = read_shares(labels, run, scores)
    at = (("lead", "soup").index(row.summary.system.name), keys.index(row.summary.example.key))
    assert shares.judge[at] == pytest.approx(2 / 3)
    assert (shares.present[at], shares.hits[at], shares.alarms[at]) == (0.5, 0.5, 0.5)
    assert np.isnan(shares.present[:, JUDGED:]).all()
    assert not np.isnan(shares.judge).any()


def test_corrected_scores_stand_in_the_table(labels: LabelSet, run: JudgeRun) -> None:
    """A judge that is nearly right: the corrected score is near people's."""
    for row in SummaryLabels.objects.filter(label_set=labels):
        presence = SummaryPresence.objects.get(run=run, summary=row.summary)
        presence.presence = [0.9 if label else 0.1 for label in row.labels]
        presence.save()
    slip = SummaryPresence.objects.filter(run=run).order_by("summary__example__position")[0]
    slip.presence = [1 - value for value in slip.presence]
    slip.save()
    made = make_estimate(labels, run, price=50)
    corrected = made.found["corrected"]
    assert (corrected["is_told"], corrected["price"], corrected["reason"]) == (True, 50, "")
    assert corrected["sensitivity"][1] <= corrected["sensitivity"][0] <= corrected["sensitivity"][2]
    for found in list_rows(made):
        assert found["corrected_low"] <= found["corrected"] <= found["corrected_high"]
    header = next(iter(stream_scores(made))).strip()
    assert header.endswith("corrected,corrected_low,corrected_high")


def test_it_says_why_no_score_is_corrected(labels: LabelSet, run: JudgeRun) -> None:
    for row in SummaryLabels.objects.filter(label_set=labels):
        presence = SummaryPresence.objects.get(run=run, summary=row.summary)
        presence.presence = [0.1 if label else 0.9 for label in row.labels]
        presence.save()
    made = make_estimate(labels, run)
    assert not made.found["corrected"]["is_told"]
    assert "chance" in made.found["corrected"]["reason"]
    assert list_rows(made)[0]["corrected"] is None


@pytest.mark.parametrize("given", [{"epsilon": 1.0}, {"epsilon": -0.1}, {"price": 0.0}])
def test_it_refuses_odd_numbers(labels: LabelSet, run: JudgeRun, given: dict[str, Any]) -> None:
    with pytest.raises(Invalid, match="expected a number"):
        begin_estimate(labels, run, **given)


def test_page_rest_and_command_say_the_same(labels: LabelSet, run: JudgeRun) -> None:
    made = make_estimate(labels, run, epsilon=0.0)
    told = made.found["replacement"]
    assert (told["epsilon"], told["verdict"]) == (0.0, NOT_SHOWN)
    assert labels.created_by is not None
    page = page_of(sign_in(labels.created_by).get(f"/p/study/estimates/{made.pk}/"))
    assert "Can this judge replace people?" in page.text
    assert told["sentence"] in page.text
    rest = Rest(labels.created_by).get(f"/projects/study/estimates/{made.pk}/").json()
    assert rest["found"]["replacement"]["sentence"] == told["sentence"]
    said = command("estimate_scores", "--project", "study", "--chosen", "random", "--epsilon", "0")
    assert told["sentence"] in said


def test_an_estimate_from_before_has_no_verdict(labels: LabelSet, run: JudgeRun) -> None:
    made = make_estimate(labels, run)
    for name in ("replacement", "corrected", "is_few"):
        made.found.pop(name)
    made.save()
    assert labels.created_by is not None
    page = page_of(sign_in(labels.created_by).get(f"/p/study/estimates/{made.pk}/"))
    assert "Can this judge replace people?" not in page.text
    assert list_rows(made)[0]["corrected"] is None


def test_a_form_without_the_numbers_takes_the_usual_ones(labels: LabelSet, run: JudgeRun) -> None:
    assert labels.created_by is not None
    sent = {"source": f"labels-{labels.pk}", "run": run.pk, "chosen": "random"}
    sent |= {"by": "examples", "target": "documents"}
    sign_in(labels.created_by).post("/p/study/estimates/new/", sent)
    made = labels.project.score_estimates.get()
    assert (made.options["epsilon"], made.options["price"]) == (0.1, 20.0)
