"""`python -m scoring metric` with encoders, `robustness` and `disagreement`."""

import json

import pytest

from scoring.cli import main
from scoring.metrics import METRICS, list_options, load_metric

SENTENCES = ["The car struck the wall of the harbour .", "Nobody was hurt in the crash ."]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Two documents, two extractive systems."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "summaries").mkdir()
    other = ["A big dog ate the meal .", "The man was angry about it ."]
    files = {
        "ids.txt": ["d1", "d2"],
        "documents.txt": [" ".join(SENTENCES), " ".join(other)],
        "references.txt": ["<t> A car hit a wall . </t>", "<t> A dog ate a meal . </t>"],
        "summaries/ext_first.summary": [SENTENCES[0], other[0]],
        "summaries/ext_last.summary": [SENTENCES[1], other[1]],
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return folder


def run(capsys, *arguments):
    code = main([*map(str, arguments), "--json"])
    said = capsys.readouterr()
    assert code == 0, said.err
    return json.loads(said.out)


@pytest.mark.parametrize(
    "name, column",
    [
        ("bertscore", "f1"),
        ("moverscore", "moverscore"),
        ("movers", "both"),
        ("rouge_we", "rouge_we1_f1"),
        ("basic_elements", "f1"),
        ("sem_ncg", "ncg1"),
    ],
)
def test_every_metric_of_references_prefers_the_better_system(capsys, study, name, column):
    found = run(capsys, "metric", name, "--data", study)["systems"]
    assert found["ext_first"][column] > found["ext_last"][column]


@pytest.mark.parametrize("name", ["reference_free", "supert", "c_sbert", "pseudo_references",
                                  "source_overlap"])  # fmt: skip
def test_every_metric_of_the_source_runs(capsys, study, name):
    found = run(capsys, "metric", name, "--data", study)
    assert found["summaries"] == 4
    assert all(value is not None for row in found["systems"].values() for value in row.values())


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_signature_that_its_options_change(name):
    plain = load_metric(name).signature
    assert plain.startswith(f"metric:{name}|")
    for option in list_options(name):
        if isinstance(option.default, bool):
            assert load_metric(name, {option.name: not option.default}).signature != plain


@pytest.mark.parametrize("name", METRICS)
def test_the_catalogue_says_what_a_metric_needs(name):
    assert METRICS[name].needs == load_metric(name).needs
    asks = {"asker", "answerer"} & {option.name for option in list_options(name)}
    assert METRICS[name].needs_models == bool(asks)


@pytest.mark.parametrize("name", METRICS)
def test_the_catalogue_calls_quick_what_loads_nothing_learned(name):
    learned = {"encoder", "encoders", "parser", "model"}
    loads = learned & {option.name for option in list_options(name)}
    assert METRICS[name].is_quick == (not loads)


def test_robustness_tells_what_each_metric_loses(capsys, study):
    texts = ("--data", study, "--share", 1, "--perturbation", "characters")
    said = ("robustness", *texts, "--metric", "rouge")
    found = run(capsys, *said)
    assert found["keeps_meaning"]
    rows = {row["column"]: row for row in found["drops"]}
    assert rows["rouge1_f1"]["drop"] > 0
    assert rows["rouge1_f1"]["summaries"] == 4
    assert run(capsys, *said) == found


def test_robustness_to_synonyms_says_nothing_of_meteor(capsys, study):
    options = ["robustness", "--data", str(study), "--metric", "meteor", "--metric", "rouge"]
    assert run(capsys, *options)["circular"] == ["meteor"]
    assert main(options) == 0
    assert "meteor matches synonyms by the same WordNet" in capsys.readouterr().out
    assert run(capsys, *options, "--perturbation", "order")["circular"] == []


def test_robustness_is_shown_as_a_table(capsys, study):
    assert main(["robustness", "--data", str(study), "--metric", "rouge", "--most", "1"]) == 0
    said = capsys.readouterr().out
    assert "rouge rougeL_f1" in said
    assert "metric:rouge|" in said


def test_disagreements_are_told_by_pair(capsys, study):
    found = run(capsys, "disagreement", "--data", study, "--second", "length.words")
    [pair] = found["pairs"]
    assert (pair["first"], pair["second"]) == ("ext_first", "ext_last")
    assert pair["agree"] + pair["disagree"] + pair["tied"] == 2
    assert main(["disagreement", "--data", str(study), "--first", "length.words"]) == 0
    assert "ext_first and ext_last" in capsys.readouterr().out


def test_less_counts_as_better_where_it_is(capsys, study):
    options = ("--data", study, "--first", "source_overlap.tfidf")
    [pair] = run(capsys, "disagreement", *options, "--second", "source_overlap.js")["pairs"]
    assert pair["disagree"] == 0


def test_an_unknown_column_is_told_with_the_known_ones(capsys, study):
    assert main(["disagreement", "--data", str(study), "--first", "rouge.r9"]) == 2
    assert "rouge has no column 'r9'" in capsys.readouterr().err
