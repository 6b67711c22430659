"""Every published figure on correlations, folds, tests, top systems, pairs and intervals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.metaeval.bootstrap import bootstrap
from scoring.metaeval.draws import Resampling
from scoring.metaeval.examine import Options, examine_means
from scoring.metaeval.levels import correlate_all, correlate_folds, correlate_significant
from scoring.metaeval.pairs import Margin, close_pairs, tau_of_margins
from scoring.metaeval.pairwise import compare_pairs
from scoring.metaeval.study import (
    choose_documents,
    choose_kind,
    choose_metrics,
    choose_systems,
    leave_out,
    mean_scores,
)
from scoring.metaeval.top_k import top_k_curve
from scoring.metaeval.williams import compare_by_williams
from tests.scoring.goldens import golden
from tests.scoring.metaeval.studies import (
    COPIED,
    RELEASED_HUMAN,
    ROUGES,
    read_gold,
    read_released,
    read_rouge,
)

NAMES = {"kendall_b": "kendall", "undefined_documents": "undefined"}
FEW = Resampling(resamples=1)


@pytest.fixture(scope="module")
def released(realsumm_dir):
    return read_released(realsumm_dir)


@pytest.fixture(scope="module")
def rouge(realsumm_dir):
    return read_rouge(realsumm_dir)


@pytest.fixture(scope="module")
def sets(released):
    clean = leave_out(released, [COPIED])
    return {
        "ext": choose_kind(released, "extractive"),
        "abs_as_released": choose_kind(released, "abstractive"),
        "abs_clean": choose_kind(clean, "abstractive"),
        "mix_as_released": released,
        "mix_clean": clean,
    }


def told(study, metric, level):
    return as_golden(correlate_all(study, metric, level=level))


def as_golden(rows):
    """As goldens name them: the measures, and how many documents have no correlation."""
    values = {measure: row.value for measure, row in rows.items()}
    return {**values, "undefined": rows["pearson"].undefined}


def agree(found, figure, value):
    """Each figure within the golden's tolerance; counts exactly."""
    for key, expected in value.items():
        mine = found[NAMES.get(key, key)]
        tolerance = 0 if isinstance(expected, int) else figure["tolerance"]
        assert mine == pytest.approx(expected, abs=tolerance), key


@pytest.mark.parametrize("part", ["clean", "as_released"])
def test_it_correlates_released_metrics_by_system(realsumm_dir, sets, part):
    figure = golden(realsumm_dir, f"realsumm.released_metrics.system_level.{part}")
    for name, metrics in figure["value"].items():
        for metric, value in metrics.items():
            agree(told(sets[name], metric, "system"), figure, value)


def test_it_correlates_released_metrics_by_summary(realsumm_dir, sets):
    figure = golden(realsumm_dir, "realsumm.released_metrics.summary_level.ext")
    for metric, value in figure["value"]["ext"].items():
        agree(told(sets["ext"], metric, "summary"), figure, value)


def test_it_averages_significant_documents_alone(realsumm_dir, sets):
    figure = golden(realsumm_dir, "realsumm.released_metrics.significant_only.ext")
    for measure, metrics in figure["value"]["ext"].items():
        for metric, value in metrics.items():
            name = NAMES.get(measure, measure)
            found = correlate_significant(sets["ext"], metric, measure=name)
            assert found.inputs == value["documents"]
            assert found.value == pytest.approx(value["mean"], abs=figure["tolerance"])


def test_it_reads_the_released_scores(realsumm_dir, released):
    figure = golden(realsumm_dir, "realsumm.released_metrics.means")
    found = examine_means(released, Options())
    assert set(found) == set(figure["value"])
    for metric, value in figure["value"].items():
        assert found[metric]["mean"] == pytest.approx(value, abs=figure["tolerance"])
        assert found[metric]["cells"] == 2500


@pytest.fixture(scope="module")
def folds(realsumm_dir):
    files = sorted((realsumm_dir / "by_examples").glob("*.id"))
    return [path.read_text(encoding="utf-8").split() for path in files]


def test_it_averages_over_folds(realsumm_dir, rouge, folds):
    figure = golden(realsumm_dir, "realsumm.rouge_recall.5fold_examples")
    parts = [choose_documents(rouge, names) for names in folds]
    for name, levels in figure["value"].items():
        for level, value in levels.items():
            found = correlate_folds(parts, f"{name}_recall", level=level)
            agree(as_golden(found), figure, value)


def test_it_averages_released_rouge_over_folds(realsumm_dir, sets, folds):
    figure = golden(realsumm_dir, "realsumm.released_rouge.5fold_examples")
    clean = sets["mix_clean"]
    gold = read_gold(realsumm_dir, clean.systems, clean.documents)
    study = replace(clean, scores={**clean.scores, RELEASED_HUMAN: gold})
    parts = [choose_documents(study, names) for names in folds]
    columns = dict(zip(ROUGES, ("rouge_1_recall", "rouge_2_recall", "rouge_l_recall"), strict=True))
    for name, levels in figure["value"].items():
        for level, value in levels.items():
            agree(as_golden(correlate_folds(parts, columns[name], level=level)), figure, value)


@pytest.mark.parametrize("part", ["recall", "f1"])
def test_it_correlates_rouge_on_everything(realsumm_dir, rouge, part):
    figure = golden(realsumm_dir, f"realsumm.rouge_{part}.whole")
    for name, levels in figure["value"].items():
        for level, value in levels.items():
            agree(told(rouge, f"{name}_{part}", level), figure, value)


@pytest.mark.parametrize("part", ["recall", "f1"])
def test_it_has_the_published_tau(realsumm_dir, rouge, part):
    figure = golden(realsumm_dir, f"realsumm.tau.{part}")
    for metric, value in figure["value"].items():
        found = told(rouge, metric, "system")
        assert found["kendall"] == pytest.approx(value, abs=figure["tolerance"])


def test_it_has_the_published_means_of_rouge(realsumm_dir, rouge):
    figure = golden(realsumm_dir, "realsumm.rouge_means.a")
    for system, kinds in figure["value"].items():
        place = rouge.systems.index(system)
        for kind, values in kinds.items():
            found = [
                mean_scores(rouge.scores[f"{kind}_{part}"])[place]
                for part in ("recall", "precision", "f1")
            ]
            assert found == pytest.approx(values, abs=figure["tolerance"])


def test_it_has_the_published_williams_tests(realsumm_dir, sets):
    figure = golden(realsumm_dir, "realsumm.williams.example")
    rows = {f"{row.first} > {row.second}": row for row in compare_by_williams(sets["mix_clean"])}
    assert len(rows) == 14 * 13 // 2
    for pair, value in figure["value"]["mix_clean"].items():
        for key, expected in value.items():
            assert getattr(rows[pair], key) == pytest.approx(expected, abs=figure["tolerance"])


@pytest.mark.parametrize(
    "name, chosen", [("ext", "ext"), ("mix_clean", "mix_clean"), ("mix_rouge", "rouge")]
)
def test_it_has_the_published_top_k(realsumm_dir, sets, rouge, name, chosen):
    figure = golden(realsumm_dir, f"realsumm.topk.{name}")
    study = sets.get(chosen, rouge)
    ks = [int(k) for k in figure["value"]]
    rows = top_k_curve(study, ks=ks, measures=["pearson"])
    found = {(row.k, row.metric): row.value for row in rows}
    for k, metrics in figure["value"].items():
        for metric, value in metrics.items():
            assert found[int(k), metric] == pytest.approx(value, abs=figure["tolerance"])


@pytest.mark.parametrize("metric", ["rouge1_recall", "rouge2_recall"])
def test_it_has_the_published_tau_of_close_pairs(realsumm_dir, rouge, metric):
    figure = golden(realsumm_dir, f"realsumm.gap_tau.{metric}.even")
    shares = [int(share) for share in figure["value"]]
    rows = close_pairs(rouge, metric, shares=shares, resampling=FEW)
    for row, value in zip(rows, figure["value"].values(), strict=True):
        assert row.pairs == value["pairs"]
        assert row.high == pytest.approx(value["u"], abs=figure["tolerance"])
        assert row.tau == pytest.approx(value["tau"], abs=figure["tolerance"])


def test_it_has_the_published_tau_at_half_a_point(realsumm_dir, rouge):
    figure = golden(realsumm_dir, "realsumm.gap_tau.half_point")
    for part, value in figure["value"].items():
        [row] = tau_of_margins(rouge, f"rouge1_{part}", [Margin(0.0, 0.005)], resampling=FEW)
        assert row.pairs == value["pairs"]
        assert row.tau == pytest.approx(value["tau"], abs=figure["tolerance"])


@pytest.mark.parametrize(
    "name, metric",
    [("rouge1_recall", "rouge1_recall"), ("rouge2_recall.inputs", "rouge2_recall")],
)
def test_it_has_the_published_intervals(realsumm_dir, rouge, name, metric):
    figure = golden(realsumm_dir, f"realsumm.boot_ci.{name}")
    study = choose_metrics(rouge, [metric])
    for method, value in figure["value"].items():
        [row] = bootstrap(study, measures=["kendall"], resampling=Resampling(method))
        assert row.resamples == 1000
        assert row.low == pytest.approx(value["lower"], abs=value["tolerance"])
        assert row.high == pytest.approx(value["upper"], abs=value["tolerance"])


def test_it_has_the_published_f1_of_pairs(realsumm_dir, rouge):
    value = golden(realsumm_dir, "realsumm.pairwise_bootstrap_f1.mix_rouge")["value"]
    found = compare_pairs(choose_metrics(rouge, list(value["f1"])))
    assert found.pairs == 300
    for row in found.metrics:
        expected = value["f1"][row.metric]
        assert row.f1 == pytest.approx(expected["mean"], abs=expected["tolerance"])
    for key, mine in (("decided", found.human_decided), ("undecided", found.human_undecided)):
        expected = value["human_pairs"][key]
        assert mine == pytest.approx(expected["mean"], abs=expected["tolerance"])


def test_it_has_the_published_gold(realsumm_dir, rouge):
    value = golden(realsumm_dir, "realsumm.gold.overall")["value"]
    means = mean_scores(rouge.people)
    assert means.mean() == pytest.approx(value["mean"], abs=1e-6)
    assert rouge.systems[means.argmax()] == value["best"]
    assert rouge.systems[means.argmin()] == value["worst"]


def test_a_copied_system_is_a_tie(released):
    """Its means are those of the other to the last bit, or to the last but one."""
    two = choose_systems(released, [COPIED, "ext_bart_out", "abs_t5_out_base"])
    rows = close_pairs(two, "rouge_2_recall", shares=[], gaps=[0.0], resampling=FEW)
    assert rows[0].pairs == 1
    assert rows[0].tau != rows[0].tau
