"""`python -m scoring metaeval`."""

from __future__ import annotations

import json

import pytest

from scoring.cli import main
from scoring.metaeval.examine import SECTIONS
from tests.scoring.goldens import golden
from tests.scoring.metaeval.studies import random_study

QUICK = ("--resamples", "20", "--swaps", "20")


@pytest.fixture
def scores(tmp_path):
    study = random_study(systems=8, documents=6)
    path = tmp_path / "scores.csv"
    lines = [
        f"{document},{'ext_' if i < 4 else 'abs_'}{system},{metric},{table[i, j]}"
        for metric, table in study.scores.items()
        for i, system in enumerate(study.systems)
        for j, document in enumerate(study.documents)
    ]
    path.write_text("\n".join(["doc_id,system,metric,score", *lines]), encoding="utf-8")
    return path


def run(capsys, *arguments):
    assert main(["metaeval", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_prints_every_section(scores, capsys):
    found = run(capsys, scores, "--human", "human", *QUICK)
    assert list(found["sets"]) == ["all"]
    assert set(SECTIONS) < set(found["sets"]["all"])
    assert found["resamples"] == 20


def test_kinds_are_told_apart_when_asked(scores, capsys, tmp_path):
    found = run(capsys, scores, "--human", "human", "--kinds-by-prefix", "--only", "means")
    assert list(found["sets"]) == ["all", "extractive", "abstractive"]
    kinds = tmp_path / "systems.csv"
    kinds.write_text("system,kind\next_A,other\next_B,other\next_C,other\n", encoding="utf-8")
    options = ["--kinds", kinds, "--systems", "other", "--only", "means"]
    found = run(capsys, scores, "--human", "human", *options)
    assert found["sets"]["other"]["systems"] == ["ext_A", "ext_B", "ext_C"]


def test_it_takes_folds_of_systems(scores, capsys, tmp_path):
    """The plain mean over folds of the correlation within each, by the files' systems."""
    systems = [f"{'ext_' if i < 4 else 'abs_'}{name}" for i, name in enumerate("ABCDEFGH")]
    for name, part in (("fold1.sys", systems[:4]), ("fold2.sys", systems[4:])):
        (tmp_path / name).write_text("\n".join(part), encoding="utf-8")
    options = ["--folds", tmp_path, "--only", "folds", "correlations"]
    found = run(capsys, scores, "--human", "human", *options)["sets"]["all"]
    alone = [
        run(capsys, scores, "--human", "human", "--leave-out-systems", *rest, *options[2:])
        for rest in (systems[4:], systems[:4])
    ]
    for metric, levels in found["folds"].items():
        for level, row in levels.items():
            within = [one["sets"]["all"]["correlations"][metric][level] for one in alone]
            mean = sum(part["kendall"] for part in within) / 2
            assert row["kendall"] == pytest.approx(mean, abs=1e-12)
    assert "folds_by:systems" in found["signature"]
    (tmp_path / "fold3.id").write_text("d1", encoding="utf-8")
    assert main(["metaeval", str(scores), "--human", "human", "--folds", str(tmp_path)]) == 2
    assert "both .id and .sys" in capsys.readouterr().err


def test_it_takes_folds_gaps_and_metrics(scores, capsys, tmp_path):
    for name, documents in (("fold1.id", "d1\nd2\nd3"), ("fold2.id", "d4\nd5\nd6")):
        (tmp_path / name).write_text(documents, encoding="utf-8")
    options = ["--folds", tmp_path, "--gaps", "0.5", "--metrics", "m2", "--resamples", "5"]
    found = run(capsys, scores, "--human", "human", *options, "--only", "folds", "close_pairs")
    part = found["sets"]["all"]
    assert list(part["folds"]) == ["m2"]
    assert part["close_pairs"]["m2"][-1]["high"] == 0.5


def test_it_speaks_to_people_too(scores, capsys):
    assert main(["metaeval", str(scores), "--human", "human", *QUICK]) == 0
    printed = capsys.readouterr().out
    for words in ("6 documents, 6 judged", "summary", "BCa", "Holm", "τ-b", "heat_map", "data:"):
        assert words in printed
    for words in ("acc_eq", "SPA", "PDP", "chance", "cluster", "systems by human score"):
        assert words in printed


def test_spa_takes_as_many_permutations_as_it_is_told(scores, capsys):
    options = ["--only", "meta_metrics", "clusters", "--spa-permutations", "7"]
    part = run(capsys, scores, "--human", "human", *options)["sets"]["all"]
    assert {row["permutations"] for row in part["meta_metrics"]} == {7}
    assert len(part["clusters"]) == 8
    assert part["clusters"][0]["cluster"] == 1


@pytest.mark.parametrize(
    "options, told",
    [
        (["--human", "pyramid"], "'pyramid'"),
        (["--human", "human", "--resamples", "0"], "must be 1 or more"),
        (["--human", "human", "--systems", "extractive"], "No system is of the kind"),
        (["--human", "human", "--leave-out-systems", "bart"], "'bart'"),
        (["--human", "human", "--folds", "."], "holds no *.id or *.sys file"),
    ],
)
def test_it_says_what_can_not_be_used(scores, capsys, monkeypatch, tmp_path, options, told):
    monkeypatch.chdir(tmp_path)
    assert main(["metaeval", str(scores), *options]) == 2
    assert told in capsys.readouterr().err


def test_a_fold_of_unknown_documents_is_told(scores, capsys, tmp_path):
    (tmp_path / "fold1.id").write_text("d1\nd99", encoding="utf-8")
    assert main(["metaeval", str(scores), "--human", "human", "--folds", str(tmp_path)]) == 2
    assert "fold1.id names 'd99', which has no score" in capsys.readouterr().err


def test_it_prints_the_published_figures(realsumm_dir, capsys):
    """From the released file, by the command that the documents give."""
    found = run(
        capsys,
        realsumm_dir / "metric_scores.csv",
        *("--human", "litepyramid_recall", "--kinds", realsumm_dir / "systems.csv"),
        *("--leave-out-flagged", "--only"),
        *("correlations", "top_k", "williams"),
    )
    part = found["sets"]["extractive"]
    figure = golden(realsumm_dir, "realsumm.released_metrics.summary_level.ext")
    for metric, value in figure["value"]["ext"].items():
        mine = part["correlations"][metric]["summary"]
        assert mine["undefined"] == value["undefined_documents"]
        for measure in ("pearson", "spearman"):
            assert mine[measure] == pytest.approx(value[measure], abs=figure["tolerance"])
    figure = golden(realsumm_dir, "realsumm.topk.ext")
    for k, metrics in figure["value"].items():
        for metric, value in metrics.items():
            mine = part["top_k"][k][metric]["pearson"]
            assert mine == pytest.approx(value, abs=figure["tolerance"])
    figure = golden(realsumm_dir, "realsumm.williams.example")
    rows = {f"{row['first']} > {row['second']}": row for row in found["sets"]["all"]["williams"]}
    for pair, value in figure["value"]["mix_clean"].items():
        assert rows[pair]["t"] == pytest.approx(value["t"], abs=figure["tolerance"])
