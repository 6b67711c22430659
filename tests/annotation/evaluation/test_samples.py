"""Samples: what is drawn and kept, what is refused, and the campaign that comes of one."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import Import
from annotation.corpora.imports.writing import REFUSALS
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import delete_project
from annotation.crowd.campaigns.planning import estimate_cost
from annotation.errors import DomainError, Invalid, NotFound
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.overview.guards import refuse_if_sampled
from annotation.evaluation.samples import service as samples_service
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.evaluation.samples.queries import (
    count_judgeable,
    get_sample,
    list_drawn_ids,
    list_rows,
    list_unit_sets,
    read_populations,
    stream_sample,
)
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.commanding import run, run_json
from tests.annotation.evaluation.sampled import draw, import_many, score_many


@pytest.fixture
def many(project: Project, tmp_path: Path) -> Project:
    import_many(project, tmp_path)
    return project


@pytest.fixture
def scores(many: Project, tmp_path: Path) -> ScoreSet:
    return score_many(many, tmp_path)


def test_it_draws_and_keeps_the_whole_population(scores: ScoreSet, owner: User) -> None:
    sample = draw(scores, "r1", "ter", user=owner, bins=3, per_bin=2, seed=5)
    assert str(sample) == f"Sample {sample.pk}: 12 of 12 examples"
    assert [source["name"] for source in sample.sources] == ["r1", "ter"]
    assert sample.sources[1]["is_lower_better"]
    assert sample.options == {
        "bins": 3,
        "per_bin": 2,
        "seed": 5,
        "chances": "auto",
        "draws": 500,
    }
    assert sample.signature.startswith("sample|metrics:r1,ter|bins:3|per_bin:2|seed:5|")
    assert sample.chances == {"method": "exact", "draws": 0, "error": 0.0}
    rows = list(list_rows(sample))
    # Both metrics order examples alike, so that the bins are the same.
    assert [row.bins for row in rows] == [[place // 4 + 1] * 2 for place in range(12)]
    assert [row.drawn for row in list_rows(sample, drawn=True)] == list(range(1, 13))
    assert sum(row.chance for row in rows) == pytest.approx(12)


def test_it_draws_the_same_again(scores: ScoreSet) -> None:
    first, again, other = (draw(scores, "r1", seed=seed, bins=4) for seed in (1, 1, 2))
    assert list_drawn_ids(first) == list_drawn_ids(again) != list_drawn_ids(other)
    assert first.signature == again.signature


def test_it_reports_clashes(scores: ScoreSet) -> None:
    sample = draw(scores, "r1", "r2", "ter", bins=2, per_bin=2, draws=50)
    assert sample.counts["drawn"] == 12
    assert len(sample.clashes) == sample.counts["clashes"] > 0
    first = {
        row.example.key: sample.sources[row.source or 0]["name"]
        for row in list_rows(sample, drawn=True)
    }
    for clash in sample.clashes:
        assert first[clash["example"]] == clash["first"] != clash["source"]
    assert sample.chances["method"] == "monte_carlo"


def test_it_leaves_out_who_lacks_a_score(many: Project, tmp_path: Path) -> None:
    sample = draw(score_many(many, tmp_path, lacking="e3"), "r1")
    assert sample.left_out == ["e3"]
    assert sample.counts["population"] == 11


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"bins": 0}, "bins: expected 1 to 100, not 0"),
        ({"per_bin": 1001}, "per_bin: expected 1 to 1,000"),
        ({"seed": -1}, "seed: expected 0"),
        ({"draws": 1}, "draws: expected 50 to 2,000"),
        ({"chances": "guess"}, "chances: expected one of auto, exact, monte_carlo"),
        ({"bins": 7, "per_bin": 2}, "make 14"),
    ],
)
def test_it_refuses_odd_options(scores: ScoreSet, said: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        draw(scores, "r1", **said)
    assert not Sample.objects.exists()


def test_it_refuses_sources_that_are_not_there(scores: ScoreSet) -> None:
    project = scores.project
    with pytest.raises(Invalid, match="sources: expected 1 to 20"):
        samples_service.sample_examples(project=project, user=None, sources=[])
    with pytest.raises(DomainError, match="listed twice"):
        draw(scores, "r1", "r1")
    with pytest.raises(NotFound, match="no scores 'run:99'"):
        samples_service.sample_examples(project=project, user=None, sources=["run:99"])


def test_it_compares_with_the_population(scores: ScoreSet) -> None:
    sample = draw(scores, "r1", "ter", bins=3, per_bin=1)
    easy, turned = read_populations(sample)
    assert easy.compared.population == pytest.approx(0.06)
    assert [row["examples"] for row in easy.bins] == [4, 4, 4]
    assert sum(row["drawn"] for row in easy.bins) == 6
    assert easy.cuts == pytest.approx([0.04, 0.08])
    # From hard to easy: where less is better, downwards.
    assert turned.cuts == pytest.approx([0.965, 0.925])


def test_it_is_written_as_a_table(scores: ScoreSet) -> None:
    sample = draw(scores, "r1", bins=2, per_bin=2)
    rows = list(csv.DictReader(io.StringIO("".join(stream_sample(sample)))))
    assert [row["doc_id"] for row in rows] == [f"e{place}" for place in range(1, 13)]
    assert sum(int(row["is_drawn"]) for row in rows) == 4
    assert {row["chance"] for row in rows} == {repr(1 / 3)}
    assert {row["metric"] for row in rows if row["is_drawn"] == "1"} == {"r1"}
    assert rows[0]["mean_r1"] == "0.005"
    assert (rows[0]["bin_r1"], rows[-1]["bin_r1"]) == ("1", "2")


def test_it_drafts_a_campaign_about_the_sample_alone(scores: ScoreSet, owner: User) -> None:
    sample = draw(scores, "r1", bins=2, per_bin=2)
    unit_set = make_units(scores.project, owner)
    assert list_unit_sets(sample) == [(unit_set, 4)]
    campaign = samples_service.draft_campaign(
        sample=sample, user=owner, unit_set=unit_set, name="Sampled", preset="realsumm"
    )
    assert campaign.scope == {"examples": list_drawn_ids(sample)}
    assert estimate_cost(campaign).summaries == 8
    assert list(sample.campaigns.all()) == [campaign]


def test_it_drafts_nothing_without_units(scores: ScoreSet, owner: User) -> None:
    sample = draw(scores, "r1", bins=2, per_bin=1)
    unit_set = make_units(scores.project, owner)
    unit_set.units.filter(example__in=list_drawn_ids(sample)).update(is_deleted=True)
    assert count_judgeable(sample, unit_set) == 0
    with pytest.raises(DomainError, match="has no units for the examples in Sample"):
        samples_service.draft_campaign(sample=sample, user=owner, unit_set=unit_set, name="No")


def test_it_outlives_its_scores_and_is_deleted_alone(scores: ScoreSet, owner: User) -> None:
    sample = draw(scores, "r1")
    metrics_service.delete_score_set(score_set=scores, user=owner)
    kept = get_sample(sample.project, sample.pk)
    assert kept.sources[0]["name"] == "r1"
    assert len(read_populations(kept)) == 1
    samples_service.delete_sample(sample=kept, user=owner)
    assert not SampledExample.objects.exists()
    with pytest.raises(NotFound, match="has no sample"):
        get_sample(sample.project, sample.pk)


def test_it_keeps_its_examples(scores: ScoreSet, owner: User) -> None:
    draw(scores, "r1")
    metrics_service.delete_score_set(score_set=scores, user=owner)
    assert refuse_if_sampled in REFUSALS
    with pytest.raises(DomainError, match="Examples of this import are in Sample"):
        refuse_if_sampled(Import.objects.get())


def test_it_goes_with_its_project(scores: ScoreSet, owner: User) -> None:
    draw(scores, "r1")
    delete_project(project=scores.project)
    assert not Sample.objects.exists()


def test_it_is_drawn_from_the_command_line(scores: ScoreSet, tmp_path: Path) -> None:
    out = tmp_path / "sample.csv"
    there = ("sample_examples", "--project", "study", "--bins", "2", "--per-bin", "1")
    text = run(*there, "--source", "r1", "--source", f"scores:{scores.pk}:ter", "--csv", out)
    sample = Sample.objects.get()
    assert text.count("bin 1") == text.count("bin 2") == 2
    assert "r1: mean " in text
    assert sample.signature in text
    assert len(out.read_text().splitlines()) == 13
    said = run_json(*there, "--source", "r1")
    assert len(said["examples"]) == 2
    assert said["chances"]["method"] == "exact"
    with pytest.raises(CommandError, match=r"no scores 'bleu'. Known: r1, r2, ter"):
        run(*there, "--source", "bleu")
    with pytest.raises(CommandError, match="bins: expected"):
        run(*there[:3], "--source", "r1", "--bins", "0")
