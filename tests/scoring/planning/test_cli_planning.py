"""`python -m scoring mix`, `curves`, `plan` and `priors`."""

from __future__ import annotations

import csv
import json

import pytest

from scoring.cli import main
from scoring.planning.presence import NEAREST_LABELS
from tests.scoring.planning.toys import write_study


@pytest.fixture
def folder(tmp_path):
    return write_study(tmp_path)


def run(capsys, *arguments):
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys, *arguments):
    assert main([*map(str, arguments)]) == 2
    return capsys.readouterr().err


def mix_of(folder):
    files = (("references", "references"), ("scus", "SCUs"), ("stus", "STUs"))
    return [
        "mix",
        *(part for name, file in files for part in (f"--{name}", folder / f"{file}.txt")),
    ]


def test_it_mixes_by_percentage(folder, tmp_path, capsys):
    out = tmp_path / "mixed.txt"
    found = run(capsys, *mix_of(folder), "--percentage", 34, "--order", "oracle", "--out", out)
    assert (found["sentences"], found["gave_way"], found["scus"], found["stus"]) == (3, 1, 3, 1)
    # Of two that are as easy as can be, the earlier gives way.
    assert out.read_text() == "A cat sat\tA dog ran.\tThe dog went home.\nRain fell."
    assert found["detail"][0]["units"][0] == {"text": "A cat sat", "kind": "stu", "sentence": 0}


@pytest.mark.parametrize(
    "budget, gave_way",
    [
        (("--words", 4), 2),
        (("--words", 3.9), 3),
        (("--words", 6), 1),
        (("--minutes", 0.5), 2),  # 4 words at 4.5 words a half minute: 0.44 minutes
        (("--money", 0.25, "--wage", 30), 2),  # half a minute of 30 dollars an hour
        (("--money", 0.20, "--wage", 30), 3),
    ],
)
def test_it_mixes_by_a_budget_for_writing(folder, capsys, budget, gave_way):
    found = run(capsys, *mix_of(folder), *budget, "--order", "oracle")
    assert found["gave_way"] == gave_way


def test_it_takes_the_time_that_writers_took(folder, tmp_path, capsys):
    times = tmp_path / "times.txt"
    times.write_text("5\t1\n2")
    base = [*mix_of(folder), "--minutes", 3, "--times", times, "--order", "oracle"]
    found = run(capsys, *base)
    assert (found["gave_way"], found["minutes_written"]) == (1, 3)
    back = run(capsys, *base, "--reverse")
    assert (back["gave_way"], back["minutes_written"]) == (3, 0)


def test_it_mixes_in_the_order_of_a_file(folder, tmp_path, capsys):
    order = tmp_path / "easiness.txt"
    order.write_text("0.1\t0.9\n0.5")
    found = run(capsys, *mix_of(folder), "--percentage", 34, "--order", order)
    assert [unit["kind"] for unit in found["detail"][0]["units"]] == ["scu", "stu"]


def test_it_mixes_at_random_by_seed(folder, capsys):
    found = [
        run(capsys, *mix_of(folder), "--percentage", 34, "--order", "random", "--seed", seed)
        for seed in (0, 0, *range(1, 8))
    ]
    assert found[0] == found[1]
    assert len({json.dumps(row["detail"]) for row in found}) > 1


def test_it_compares_with_another_mixture(folder, capsys):
    scus = folder / "SCUs.txt"
    base = [*mix_of(folder), "--percentage", 100, "--order", "oracle", "--compare"]
    found = run(capsys, *base, folder / "STUs.txt")["compared"]
    assert (found["shared"], found["same_documents"]) == (3, 2)
    assert run(capsys, *base, scus)["compared"]["shared"] == 0
    assert main([*map(str, base), str(scus)]) == 0
    assert "0 units are in both mixtures" in capsys.readouterr().out


@pytest.mark.parametrize(
    "given, message",
    [
        (("--money", 5), "needs --wage"),
        (("--percentage", 101), "0 to 100"),
        (("--percentage", 50, "--order", "gizza"), "No order is called 'gizza'"),
        (("--percentage", 50, "--order", "none.json"), "no regressor 'none.json'"),
    ],
)
def test_it_refuses_to_mix(folder, capsys, given, message):
    order = () if "--order" in given else ("--order", "oracle")
    assert message in refused(capsys, *mix_of(folder), *given, *order)


def test_it_mixes_nearly_as_published(pyrxsum_dir, capsys):
    """By the released regressor, but other trees: 93 of 100 documents are the same."""
    regressor = pyrxsum_dir.parent / "regressors" / "TAC08" / "all_xgb.json"
    other = pyrxsum_dir / "STUs_SCUs_percentage50.txt"
    base = [*mix_of(pyrxsum_dir), "--percentage", 50, "--compare", other]
    found = run(capsys, *base, "--order", regressor)
    assert found["gave_way"] == 50
    assert found["compared"]["share_of_theirs"] > 0.9
    chance = run(capsys, *base, "--order", "random")
    assert chance["compared"]["share_of_theirs"] < 0.7


def test_it_draws_curves(folder, tmp_path, capsys):
    points = tmp_path / "points.csv"
    base = ["curves", "--data", folder, "--judge", "human", "--seeds", 3, "--bootstrap", 5]
    found = run(capsys, *base, "--predicted", "--step", 50, "--csv", points)
    assert found["percentages"] == [0, 50, 100]
    names = {curve["order"] for curve in found["curves"]}
    assert names == {"random", "oracle", "damage-oracle", "reverse oracle"}
    rows = list(csv.DictReader(points.open(newline="")))
    assert len(rows) == len(found["curves"]) * 3
    assert rows[0]["low"] != ""
    order = tmp_path / "easiness.txt"
    order.write_text("0.1\t0.9\n0.5")
    assert main([*map(str, base), "--predicted", "--easiness", str(order), "--by", "words"]) == 0
    told = capsys.readouterr().out
    assert "human labels; Pearson's r" in told
    assert NEAREST_LABELS in told
    assert found["stu_labels"] == NEAREST_LABELS
    assert "percentage of words" in told
    assert "given" in told
    assert "reverse given" in told


def test_it_refuses_steps_that_miss_the_end(folder, capsys):
    told = refused(capsys, "curves", "--data", folder, "--judge", "human", "--step", 30)
    assert "A step of 30 doesn't divide 100" in told


def test_it_draws_the_curves_of_pyrxsum(pyrxsum_dir, capsys):
    found = run(
        capsys,
        *("curves", "--data", pyrxsum_dir, "--judge", "human", "--step", 50),
        *("--seeds", 20, "--bootstrap", 100),
    )
    curves = {(row["order"], row["level"], row["measure"]): row for row in found["curves"]}
    assert {"giza", "paper", "damage", "reverse giza"} <= {key[0] for key in curves}
    assert curves["giza", "summary", "pearson"]["values"][0] == pytest.approx(1)
    assert curves["giza", "summary", "pearson"]["values"][2] == pytest.approx(0.822, abs=0.001)


def test_it_plans(capsys):
    base = ["plan", "--examples", 10, "--systems", 6, "--money", 150, "--hours", 2]
    base += ["--rounds", 2, "--judges"]
    found = run(capsys, *base, 1, 3, "--goal-width", 0.2)
    assert found["plans"]
    assert found["best"] in {plan["key"] for plan in found["plans"]}
    assert (found["prior"], found["order"], found["goal"]["width"]) == ("realsumm", "giza", 0.2)
    assert {"hits", "rewards", "fees", "total"} <= set(found["next_system"])
    base.append(2)
    short = run(capsys, *base, "--sentences", 1, "--scus", 4, "--order", "random")
    assert (short["prior"], short["order"]) == ("pyrxsum", "random")
    assert main([*map(str, base), "--goal-difference", "0.05", "--power", "0.9"]) == 0
    told = capsys.readouterr().out
    assert "* is recommended" in told
    assert "One more system, later" in told


def test_it_plans_at_other_prices(capsys):
    base = ["plan", "--examples", 10, "--systems", 2, "--rounds", 2, "--judges", 1]
    dear = run(capsys, *base, "--reward", "1.00", "--fee", "0.50", "--units-per-hit", 4)
    plan = max(dear["plans"], key=lambda row: row["people"])
    # 10.56 SCUs an example, or fewer STUs, at 4 a HIT: 3 HITs of 1.50 for each summary.
    assert float(plan["money"]) == plan["people"] * 2 * 3 * 1.5
    fast = run(capsys, *base, "--minutes-per-scu", 0)
    assert {plan["hours"] for plan in fast["plans"]} == {0}


def test_it_plans_from_a_pilot(folder, capsys):
    base = ["plan", "--examples", 10, "--systems", 4, "--rounds", 5, "--seed", 1, "--judges", 1]
    found = run(capsys, *base, "--pilot", folder, "--judge", "lexical", "--order", "random")
    assert (found["prior"], found["judge"]) == ("pilot", "lexical")
    answers = folder / "answers.csv"
    rows = [
        f"d1,bart,u{unit},w{who},{'pn'[(unit * who) % 2]}" for unit in range(3) for who in range(3)
    ]
    answers.write_text("\n".join(["document,system,statement,worker,answer", *rows]))
    other = run(
        capsys,
        *(*base, "--pilot", folder, "--judge", "lexical", "--order", "random"),
        *("--answers", answers),
    )
    assert other["plans"] != found["plans"]


@pytest.mark.parametrize(
    "given, message",
    [
        (("--prior", "tac"), "'tac'. Known: pyrxsum, realsumm"),
        (("--order", "alphabetical"), "No prior has the order 'alphabetical'"),
        (("--goal-width", 0.1, "--goal-difference", 0.1), "not both"),
        (("--money", -1), "0 or more"),
    ],
)
def test_it_refuses_to_plan(capsys, given, message):
    assert message in refused(capsys, "plan", "--examples", 5, "--systems", 2, *given)


@pytest.mark.parametrize("amount", ["lots", "nan"])
def test_it_knows_what_money_is(capsys, amount):
    with pytest.raises(SystemExit):
        main(["plan", "--examples", "5", "--systems", "2", "--money", amount])
    assert f"'{amount}' is not an amount" in capsys.readouterr().err


@pytest.fixture
def published(tmp_path):
    """Two tiny studies and raw answers, laid out as the published ones are."""
    for name in ("realsumm", "pyrxsum"):
        (tmp_path / name).mkdir()
        write_study(tmp_path / name, times=6)
    raw = tmp_path / "realsumm" / "raw_crowd"
    raw.mkdir()
    rows = ["d1,bart,u1,w1,p", "d1,bart,u1,w2,n", "d1,bart,u2,w1,p", "d1,bart,u2,w2,p"]
    text = "\n".join(["document,system,statement,worker,answer", *rows])
    (raw / "answers.csv").write_text(text)
    return tmp_path


def test_it_makes_priors_anew(published, tmp_path, capsys):
    out = tmp_path / "priors.json"
    base = ["priors", "--data", published, "--judge", "lexical", "--out", out]
    found = run(capsys, *base)
    assert [(row["name"], row["order"]) for row in found["priors"]] == [
        ("realsumm", "giza"),
        ("realsumm", "random"),
        ("pyrxsum", "giza"),
        ("pyrxsum", "random"),
    ]
    # Two people differ on one unit of two: (1/2 + 0) / 2.
    assert {row["vote"] for row in found["priors"]} == {0.25}
    assert json.loads(out.read_text())["priors"] == found["priors"]
    assert found["checks"] == []
    again = out.read_text()
    assert main([*map(str, base)]) == 0
    assert out.read_text() == again
    told = capsys.readouterr().out
    assert "realsumm, giza order; one answer varies by 0.2500" in told
    assert "Correlation with full human scoring" not in told


def test_it_holds_simulation_against_the_studies(published, capsys):
    base = ["priors", "--data", published, "--judge", "lexical", "--check"]
    found = run(capsys, *base)
    assert {check["study"] for check in found["checks"]} == {"realsumm", "pyrxsum"}
    whole = found["checks"][0]
    assert whole["design"] == {
        "percentage": 0,
        "examples": 12,
        "people": 0,
        "judges": 0,
        "is_corrected": True,
    }
    # All examples are drawn, so that every draw is the same.
    assert whole["real"]["low"] == pytest.approx(whole["real"]["high"])
    assert main([*map(str, base)]) == 0
    assert "0 % STUs,  12 examples,   0 by people" in capsys.readouterr().out
