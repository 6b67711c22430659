"""Settling statements beside a run: blind, with agreements mixed in, corrected for the choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.jobs.service import finish_job
from annotation.errors import Invalid
from annotation.evaluation.estimates.queries import count_drawn, read_partly_judged
from annotation.evaluation.gold import restoring
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import Adjudication, LabelSet, SummaryLabels
from annotation.evaluation.labels.queries import get_draws
from annotation.evaluation.labels.settling import ReviewContext
from annotation.evaluation.labels.views_people import read_review
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.review import (
    Disagreement,
    Review,
    get_review,
    list_disagreements,
    measure_review,
)
from scoring.aggregation import Recipe
from scoring.estimation.settled import AGREE, DIFFER
from tests.annotation.corpora.pages import page_of
from tests.annotation.evaluation.campaigns import make_gold
from tests.annotation.evaluation.commanding import run as command
from tests.annotation.evaluation.commanding import run_json
from tests.annotation.evaluation.running import finish

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def run(labelled: LabelSet, owner: User) -> JudgeRun:
    return finish(labelled.unit_set, owner)


def rows_of(review: Review, show: str = "open") -> list[Disagreement]:
    codes = review.list_codes(show)
    return list_disagreements(review.run, review.label_set, review.pairs, codes)


def settle(review: Review, row: Disagreement, present: bool, user: User | None = None) -> Any:
    return settling.adjudicate(
        project=review.run.project,
        user=user,
        summary=row.summary,
        unit=row.unit,
        present=present,
        beside=ReviewContext(review.run, review.label_set, review.agreements, review.seed),
    )


def address(run: JudgeRun) -> str:
    return reverse("evaluation:disagreements", args=[run.project.slug, run.pk])


def test_it_mixes_agreements_in_at_random(run: JudgeRun, labelled: LabelSet) -> None:
    sizes = get_review(run, labelled, 0, 0).population
    assert sum(sizes.values()) == 18
    assert min(sizes.values()) > 2
    review = get_review(run, labelled, 3, 0)
    assert review.drawn == {DIFFER: sizes[DIFFER], AGREE: 3}
    assert get_review(run, labelled, 100, 0).drawn == sizes
    keys = [row.key for row in rows_of(review)]
    assert keys == [row.key for row in rows_of(get_review(run, labelled, 3, 0))]
    more = [row.key for row in rows_of(get_review(run, labelled, 5, 0))]
    assert [key for key in more if key in keys] == keys
    orders = {tuple(row.key for row in rows_of(get_review(run, labelled, 3, s))) for s in range(6)}
    assert len(orders) > 3


def test_what_is_settled_keeps_how_it_was_drawn(
    run: JudgeRun, labelled: LabelSet, owner: User
) -> None:
    review = get_review(run, labelled, 3, 0)
    sizes = review.population
    row = next(row for row in rows_of(review) if row.agree)
    made = settle(review, row, present=row.label == 1, user=owner)
    assert (made.run, made.label_set, made.saw_verdicts) == (run, labelled, False)
    assert made.draw == {
        "stratum": AGREE,
        "population": sizes[AGREE],
        "chance": 3 / sizes[AGREE],
        "judge": row.label,
        "people": row.label,
        "agreements": 3,
        "seed": 0,
    }
    assert [item.key for item in rows_of(review, "settled")] == [row.key]


def test_one_that_was_not_drawn_or_was_picked_stands_for_itself(
    run: JudgeRun, labelled: LabelSet, owner: User
) -> None:
    none, all_ = (get_review(run, labelled, size, 0) for size in (0, 100))
    agreed = next(row for row in rows_of(all_) if row.agree)
    made = settle(none, agreed, present=True)
    assert made.draw["stratum"] == AGREE
    assert "chance" not in made.draw
    picked = settling.adjudicate(
        project=run.project,
        user=owner,
        summary=agreed.summary,
        unit=agreed.unit,
        present=True,
        beside=ReviewContext(run, labelled, saw_verdicts=True),
    )
    assert (picked.saw_verdicts, "chance" in picked.draw) == (True, False)


def test_the_page_hides_the_verdicts_until_they_are_asked_for(
    run: JudgeRun, labelled: LabelSet, owner: User, as_owner: Client
) -> None:
    text = as_owner.get(address(run)).content.decode()
    assert 'id="drawn"' in text
    assert "says-present" not in text
    assert "model-made" not in text.split('<ol class="contested"')[1]
    # Nobody sees them by the address alone.
    assert 'id="drawn"' in as_owner.get(f"{address(run)}?verdicts=shown").content.decode()
    path = reverse("evaluation:show_verdicts", args=[run.project.slug, run.pk])
    answer = as_owner.post(path, {"labels": labelled.pk})
    shown = as_owner.get(answer["Location"]).content.decode()
    assert 'id="drawn"' not in shown
    assert "says-" in shown
    assert Activity.objects.filter(target_id=run.pk, text__startswith="viewed").exists()
    review = get_review(run, labelled, 3, 0)
    assert settle(review, rows_of(review)[0], present=True, user=owner).saw_verdicts
    assert "not blind" in as_owner.get(address(run)).content.decode()


def test_a_form_of_the_page_settles_what_was_drawn(
    run: JudgeRun, labelled: LabelSet, as_owner: Client
) -> None:
    page = page_of(as_owner.get(f"{address(run)}?agreements=4&seed=9"))
    assert "seed 9" in page.text
    review = get_review(run, labelled, 4, 9)
    row = rows_of(review)[0]
    sent = {"summary": row.summary.pk, "unit": row.unit.pk, "present": "1"}
    sent |= {"run": run.pk, "labels": labelled.pk, "agreements": "4", "seed": "9"}
    path = reverse("evaluation:adjudicate", args=[run.project.slug])
    assert as_owner.post(path, sent).status_code == 302
    assert Adjudication.objects.get().draw["seed"] == 9
    assert 'id="settled-accuracy"' in as_owner.get(address(run)).content.decode()
    assert as_owner.get(f"{address(run)}?agreements=x").status_code == 400


def test_accuracy_is_that_of_all_statements(run: JudgeRun, labelled: LabelSet) -> None:
    """Half of the differences for the judge, and one of two agreements wrong."""
    review = get_review(run, labelled, 2, 0)
    assert measure_review(run, labelled) is None
    differ = [row for row in rows_of(review) if not row.agree][:2]
    agree = [row for row in rows_of(review) if row.agree]
    for row, is_judge_right in zip(differ, (True, False), strict=True):
        settle(review, row, present=(row.label == 0) == is_judge_right)
    first = measure_review(run, labelled)
    assert first is not None
    assert (first.judge, first.population) == (None, review.population)
    for row, is_right in zip(agree, (True, False), strict=True):
        settle(review, row, present=(row.label == 1) == is_right)
    found = measure_review(run, labelled)
    assert found is not None
    assert found.judge is not None
    assert found.judge.value == pytest.approx(0.5)
    assert found.uncorrected > 0.5
    assert (found.settled, found.drawn) == (4, {DIFFER: 2, AGREE: 2})


def make_again(labels: LabelSet) -> LabelSet:
    """The same labels by the same answers, with what experts have settled."""
    made = labels_service.keep_labels(
        project=labels.project,
        user=None,
        campaigns=list(labels.campaigns.all()),
        recipe=Recipe.from_json(labels.recipe),
    )
    assert made.job is not None
    finish_job(job=made.job)
    made.refresh_from_db()
    return made


def test_labels_and_estimates_carry_the_chance(
    run: JudgeRun, labelled: LabelSet, as_owner: Client
) -> None:
    """One of the agreements was wrong; it stands for as many as there are for each settled."""
    review = get_review(run, labelled, 1, 0)
    sizes = review.population
    row = next(row for row in rows_of(review) if row.agree)
    settle(review, row, present=row.label == 0)
    chance = 1 / sizes[AGREE]
    assert get_draws(run.unit_set) == {(row.summary.pk, row.unit.pk): (row.label, chance)}
    made = make_again(labelled)
    assert count_drawn(made) == 1
    cell = SummaryLabels.objects.get(label_set=made, summary=row.summary)
    [[place, before, stored]] = cell.settled
    assert (before, stored, place in cell.expert) == (row.label, chance, True)
    before_, after = (read_partly_judged(labels, run, "examples") for labels in (labelled, made))
    change = after.scores.human - before_.scores.human
    turned = 1 if row.label == 0 else -1
    # Three units of equal weight: one that turns moves its summary by a third, times 1 / chance.
    assert change.sum() == pytest.approx(turned / 3 * sizes[AGREE])
    path = reverse("evaluation:people", args=[run.project.slug, run.pk])
    assert 'id="drawn-labels"' in as_owner.get(f"{path}?labels={made.pk}").content.decode()
    assert 'id="drawn-labels"' not in as_owner.get(f"{path}?labels={labelled.pk}").content.decode()
    # What is an expert's already is not drawn again.
    assert sum(get_review(run, made, 5, 0).population.values()) == 17


def test_rest_hides_and_settles(run: JudgeRun, labelled: LabelSet, as_owner: Client) -> None:
    base = f"/api/v1/projects/{run.project.slug}/"
    here = f"{base}runs/{run.pk}/"
    empty = as_owner.get(f"{here}settled/").json()
    assert (empty["settled"], empty["judge"]) == (0, None)
    rows = as_owner.get(f"{here}review/?agreements=2&seed=3").json()["results"]
    assert all(row["judge"] is None and row["people"] is None for row in rows)
    for row in rows:
        sent = {"summary": row["summary"], "unit": row["unit"], "present": True}
        sent |= {"run": run.pk, "labels": labelled.pk, "agreements": 2, "seed": 3}
        path = f"{base}adjudications/"
        said = as_owner.post(path, sent, content_type="application/json").json()
        assert said["draw"]["seed"] == 3
    settled = as_owner.get(f"{here}review/?agreements=2&seed=3&show=settled").json()["results"]
    assert len(settled) == len(rows)
    assert all(row["people"] is not None and row["present"] for row in settled)
    found = as_owner.get(f"{here}settled/").json()
    assert found["settled"] == len(rows)
    assert found["drawn"]["agree"] == 2
    wrong = as_owner.post(
        f"{base}adjudications/", {**sent, "labels": 999_999}, content_type="application/json"
    )
    assert wrong.status_code == 404
    sent.pop("labels")
    assert as_owner.post(path, sent, content_type="application/json").json()["draw"]["seed"] == 3


def test_the_commands_list_and_settle(run: JudgeRun, labelled: LabelSet) -> None:
    said = ("review_statements", "--project", run.project.slug, "--run", run.pk)
    found = run_json(*said, "--agreements", 2)
    assert found["drawn"][AGREE] == 2
    assert found["accuracy"] is None
    assert len(found["statements"]) == sum(found["drawn"].values())
    first = found["statements"][0]
    command(
        *("adjudicate", "--project", run.project.slug, "--set", "Judged", "--label", "present"),
        *("--example", first["example"], "--system", first["system"]),
        *("--unit", 1, "--run", run.pk, "--agreements", 2),
    )
    assert Adjudication.objects.get().draw["stratum"] in (DIFFER, AGREE)
    words = command(*said, "--agreements", 2)
    assert "in random order" in words
    assert "without correction" in words


def test_a_wrong_number_is_named() -> None:
    assert read_review(QueryDict("")) == (20, 0)
    for query in ("agreements=-1", "agreements=2001", "seed=4294967296", "seed=٣"):
        with pytest.raises(Invalid, match=query.split("=")[0]):
            read_review(QueryDict(query))


def test_a_restored_study_keeps_the_chances(run: JudgeRun, labelled: LabelSet, owner: User) -> None:
    """Estimates from restored labels are the study's, and so are those from labels made again."""
    review = get_review(run, labelled, 2, 0)
    for row in rows_of(review)[:4]:
        settle(review, row, present=row.label == 0)
    made = make_again(labelled)
    path = make_gold(made, owner).path
    outcome = restoring.import_gold(user=owner, name="", slug="copy", path=path)
    assert outcome.job is not None, outcome.problems
    finish_job(job=outcome.job)
    restored = LabelSet.objects.get(project__slug="copy")
    assert list_settled(restored) == list_settled(made) != []
    assert list_settled(make_again(restored)) == list_settled(made)
    copied = finish(restored.unit_set, owner)
    for level in ("examples", "statements"):
        ours, theirs = (
            read_partly_judged(labels, judged, level).scores.human
            for labels, judged in ((made, run), (restored, copied))
        )
        assert np.array_equal(ours, theirs, equal_nan=True)


def list_settled(labels: LabelSet) -> list[Any]:
    rows = SummaryLabels.objects.filter(label_set=labels).exclude(settled=[])
    fields = ("summary__example__key", "summary__system__name", "settled")
    return sorted(rows.values_list(*fields))
