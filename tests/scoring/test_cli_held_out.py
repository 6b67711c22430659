"""`python -m scoring held-out`, on a study of our own in the published layout."""

import json

import numpy as np
import pytest

from scoring.cli import main
from scoring.cli.held_out import BY_EXAMPLES, BY_SYSTEMS, DRAWN, WHOLE, read_study, show
from scoring.crossvalidation import cross_validate, read_folds, try_elsewhere
from scoring.finetune.baselines import BASELINES
from scoring.finetune.trees import held_out_records
from scoring.judge.held_out import evaluate_held_out
from tests.scoring.finetune.toy import make_records, write_study


@pytest.fixture
def data(tmp_path):
    learned = make_records(documents=6, systems=4)
    realsumm = write_study(tmp_path / "realsumm", learned)
    write_study(tmp_path / "pyrxsum", make_records(documents=10, systems=3, seed=1))
    for by, key, ending in (("by_examples", "document", "id"), ("by_systems", "system", "sys")):
        names = sorted({getattr(record, key) for record in learned})
        (realsumm / by).mkdir()
        for place in (0, 1):
            (realsumm / by / f"fold{place + 1}.{ending}").write_text("\n".join(names[place::2]))
    return tmp_path


JUDGES = ("lexical", "logistic on unit ROUGE-1 recall", "majority")


@pytest.fixture
def found(data, capsys):
    asked = ["held-out", "--data", str(data), "--judge", "lexical", "--resamples", "20", "--json"]
    assert main(asked) == 0
    return json.loads(capsys.readouterr().out)


def pick(found, setting, judge, learned_from):
    [row] = [
        row
        for row in found["rows"]
        if (row["setting"], row["judge"], row["learned_from"]) == (setting, judge, learned_from)
    ]
    return row


def test_every_judge_stands_in_every_setting_of_the_paper(found):
    settings = [BY_EXAMPLES, BY_SYSTEMS, DRAWN, WHOLE]
    assert list(dict.fromkeys(row["setting"] for row in found["rows"])) == settings
    for setting in settings:
        rows = [row for row in found["rows"] if row["setting"] == setting]
        assert {row["judge"] for row in rows} == set(JUDGES)
        assert any(row["setting"] == setting for row in found["paper"])


def test_each_setting_has_its_folds_and_numbers(found):
    numbers = {
        row["setting"]: (row["folds"], row["documents"], row["systems"], row["units"])
        for row in found["rows"]
    }
    assert numbers == {
        BY_EXAMPLES: (2, 3, 4, 96),
        BY_SYSTEMS: (2, 6, 2, 96),
        DRAWN: (5, 2, 3, 120),
        WHOLE: (1, 10, 3, 120),
    }


def test_figures_within_folds_are_not_pooled_ones(found):
    within, pooled = (
        pick(found, setting, "lexical", "REALSumm")["system_level"]["value"]
        for setting in (DRAWN, WHOLE)
    )
    assert within != pooled


def test_the_majority_is_the_commoner_label(data, found):
    records = read_study(data / "pyrxsum")
    present = [label == 1 for record in records for label in record.labels]
    row = pick(found, WHOLE, "majority", "REALSumm")
    assert row["accuracy"]["value"] in (
        pytest.approx(np.mean(present)),
        pytest.approx(1 - np.mean(present)),
    )
    assert row["summary_level"]["value"] is None


def test_what_the_paper_prints_is_what_stands_there(found):
    """Tables 1, 2 and 4, and the accuracies of A.4."""
    printed = {
        (row["setting"], row["judge"], row["learned_from"]): (
            row["accuracy"],
            row["summary_level"],
            row["system_level"],
        )
        for row in found["paper"]
    }
    assert printed[BY_EXAMPLES, "paper: zero-shot", "NLI data"] == (".805", ".56", ".86")
    assert printed[BY_EXAMPLES, "paper: fine-tuned", "the other folds"] == (".823", ".64", ".89")
    assert printed[BY_SYSTEMS, "paper: zero-shot", "NLI data"] == ("", ".48", ".73")
    assert printed[BY_SYSTEMS, "paper: fine-tuned", "the other folds"] == ("", ".56", ".74")
    assert printed[DRAWN, "paper: zero-shot", "NLI data"] == (".911", ".73", ".96")
    assert printed[DRAWN, "paper: fine-tuned", "the other folds"] == (".925", ".74", ".95")
    pooled = {key[2]: row for key, row in printed.items() if key[0] == WHOLE}
    assert pooled["TAC 2008"] == ("", ".71", ".99")
    assert pooled["TAC 2008, 2009, REALSumm"] == ("", ".70", ".99")


def test_it_is_a_table(found):
    lines = show(found).splitlines()
    assert sum(line.strip().startswith("lexical") for line in lines) == 5
    assert sum("paper:" in line for line in lines) == len(found["paper"])
    assert sum(f"{found['rows'][0]['units']:,} labels" in line for line in lines) == 2
    assert "20 resamples" in lines[-3]
    assert all("system level: 98" in line for line in lines[-2:])


@pytest.mark.parametrize(
    ("name", "of_realsumm", "of_pyrxsum"),
    [("majority", 0.543, 0.820), ("logistic on unit ROUGE-1 recall", 0.742, 0.838)],
)
def test_baselines_are_as_accurate_as_other_programs_found(
    name, of_realsumm, of_pyrxsum, realsumm_dir, pyrxsum_dir
):
    learned, others = read_study(realsumm_dir), read_study(pyrxsum_dir)
    folds = read_folds(sorted((realsumm_dir / "by_systems").glob("*.sys")), learned)
    tried = cross_validate(learned, folds, *BASELINES[name])
    own = evaluate_held_out(row for part in tried for row in held_out_records(part))
    out_of_the_box = held_out_records(try_elsewhere(learned, others, *BASELINES[name]))
    assert own.accuracy == pytest.approx(of_realsumm, abs=0.0005)
    assert evaluate_held_out(out_of_the_box).accuracy == pytest.approx(of_pyrxsum, abs=0.0005)
