"""REALSumm's crowd answers give the published agreement and every one of the released labels."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.aggregation import FilterStep, Recipe, aggregate, find_drops, report_agreement, vote
from scoring.io.answers import load_answers
from tests.scoring.goldens import golden, golden_parts

ALPHAS = {
    "alpha_mean_per_summary_undefined_as_1": ("one", lambda found: found.by_summary.mean),
    "alpha_mean_per_summary_undefined_skipped": ("skip", lambda found: found.by_summary.mean),
    "alpha_pooled": ("one", lambda found: found.pooled.alpha),
}


@pytest.fixture(scope="module")
def answers(realsumm_dir):
    return load_answers(realsumm_dir / "raw_crowd")


@pytest.fixture(scope="module")
def released(answers, realsumm_dir):
    """The released label of every statement."""
    ids = (realsumm_dir / "ids.txt").read_text().split("\n")
    rows = {}
    for path in sorted((realsumm_dir / "labels").glob("*.label")):
        for document, line in zip(ids, path.read_text().split("\n"), strict=True):
            rows[f"{document}/{path.stem}"] = [int(label) for label in line.split("\t")]
    found = np.full(len(answers.statement_keys), -1)
    for code, summary in enumerate(answers.summary_keys):
        found[answers.statement_summaries == code] = rows[summary]
    return found


def of_systems(answers, prefix):
    """The assignments about systems whose name starts so."""
    fits = np.array([name.startswith(prefix) for name in answers.system_keys])
    return fits[answers.summary_systems[answers.assignment_summaries]]


def hold(answers, released, kept, figure):
    """Compare everything that a figure states about these assignments."""
    rows = np.bincount(answers.assignment_summaries[kept], minlength=len(answers.summary_keys))
    assert kept.sum() == figure["rows"]
    assert (rows == 3).sum() == figure["summaries_with_3_rows"]
    assert (rows == 4).sum() == figure["summaries_with_4_rows"]
    for name, (undefined, read) in ALPHAS.items():
        found = report_agreement(answers, kept, undefined=undefined, samples=0)
        assert read(found) == pytest.approx(figure[name], abs=1e-6)
    absent, present = (vote(answers, kept, tie=tie) for tie in ("absent", "present"))
    labelled = absent.present >= 0
    assert absent.ties.sum() == figure["tied_items"]
    assert (absent.present == released)[labelled].all()
    shared = (present.present == released)[labelled].mean()
    assert shared == pytest.approx(figure["label_agreement_tie_present"], abs=1e-6)


def test_it_reads_every_answer(answers, realsumm_dir):
    counts = golden(realsumm_dir, "realsumm.counts")["value"]
    assert len(answers.assignment_keys) == len(answers.worker_keys) == 7743
    assert len(answers.summary_keys) == counts["documents"] * counts["systems"]
    assert len(answers.statement_keys) == counts["labels_total"]
    assert len(answers) == 81_581


def test_it_has_the_figures_of_all_systems(answers, released, realsumm_dir):
    figure = golden(realsumm_dir, "realsumm.raw.all")["value"]
    hold(answers, released, answers.everyone(), figure)
    found = report_agreement(answers, samples=0)
    assert found.by_summary.undefined == figure["alpha_undefined_summaries"]
    assert found.by_summary.mean == pytest.approx(0.6646, abs=0.0005)


def test_answers_to_blank_slots_are_check_items_where_asked(answers, realsumm_dir):
    """Workers were told to say absent; 55 of 42,307 answers say present. No label changes."""
    counted = load_answers(realsumm_dir / "raw_crowd", count_blank=True)
    asked, right = counted.assignment_gold_asked, counted.assignment_gold_right
    figure = golden(realsumm_dir, "realsumm.raw.all")["value"]
    assert asked.sum() - right.sum() == figure["blank_statements_marked_present"] == 55
    assert asked.sum() == 42_307
    parts = golden(realsumm_dir, "realsumm.raw.abs_ext")["value"]
    for kind in ("abs", "ext"):
        own = of_systems(counted, f"{kind}_")
        wrong = int((asked - right)[own].sum())
        assert wrong == parts[kind]["blank_statements_marked_present"]
    assert answers.assignment_gold_asked.sum() == 0
    assert len(counted) == len(answers)
    labels = [vote(found, found.everyone(), tie="absent") for found in (answers, counted)]
    assert np.array_equal(labels[0].present, labels[1].present)
    dropped = find_drops(counted, "gold", counted.everyone())
    assert len(dropped) == int((right < asked).sum())


@pytest.mark.parametrize("kind", ["abs", "ext"])
def test_it_has_the_figures_of_each_kind_of_system(kind, answers, released, realsumm_dir):
    figure = golden(realsumm_dir, "realsumm.raw.abs_ext")["value"][kind]
    hold(answers, released, of_systems(answers, f"{kind}_"), figure)


def test_it_has_the_figures_of_each_system(answers, released, realsumm_dir):
    figures = golden_parts(realsumm_dir, "realsumm.raw.by_system")
    assert len(figures) >= 15
    for system, figure in figures.items():
        code = list(answers.system_keys).index(system)
        systems = answers.summary_systems[answers.assignment_summaries]
        hold(answers, released, systems == code, figure)


def test_it_has_all_released_labels(answers, released, realsumm_dir):
    counts = golden(realsumm_dir, "realsumm.counts")["value"]
    labels = aggregate(answers, Recipe(), samples=0).labels.present
    assert len(labels) == 26_400
    assert (labels == released).all()
    assert labels.sum() == counts["labels_positive"]


def test_it_drops_nothing_where_the_authors_filter_dropped_nothing(answers, realsumm_dir):
    """Of the 243 summaries that kept four rows, the rule by summary takes nobody away."""
    figure = golden(realsumm_dir, "realsumm.raw.filter_rule")["value"]
    summaries = answers.assignment_summaries
    rows = np.bincount(summaries)
    of_four = rows[summaries] == 4
    assert (rows == 4).sum() == figure["ties_skipped"]["nobody_disagrees"]
    assert find_drops(answers, "per-summary", of_four) == []


def test_it_would_drop_another_row_only_where_three_are_left(answers):
    found = aggregate(answers, Recipe((FilterStep("per-summary"),)), samples=0)
    summaries = answers.assignment_summaries
    left = np.bincount(summaries[found.kept])
    assert set(left.tolist()) == {2, 3, 4}
    assert (np.bincount(summaries)[summaries[~found.kept]] == 3).all()
