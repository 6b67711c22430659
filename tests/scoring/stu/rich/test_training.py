from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring.parses import load_parser
from scoring.stu.rich.extractor import choose_units
from scoring.stu.rich.studies import (
    COREF,
    PLAIN,
    Study,
    choose_held_out,
    list_cases,
    read_studies,
    read_study,
)
from scoring.stu.rich.training import (
    Reference,
    build_cases,
    make_document_folds,
    train_ranker,
)
from scoring.stu.rich.wording import word_fact
from tests.scoring.stu.rich.small_study import write_studies, write_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return read_study(write_study(tmp_path_factory.mktemp("study")))


def test_it_reads_a_study_of_line_files(study: Study) -> None:
    first = study.references[0]
    assert first.document == "d0"
    assert first.sentences == ("Danish striker Ann Lee sold a boat in Rome on Friday.",)
    assert first.scus[0] == "Ann Lee is a striker."
    assert first.stus == ("Danish striker Ann Lee sold a boat",)


def test_it_draws_folds_where_none_were_released(study: Study) -> None:
    assert sorted(len(fold) for fold in study.folds) == [1, 1, 2, 2, 2]
    assert frozenset().union(*study.folds) == {one.document for one in study.references}
    assert make_document_folds(["a", "b", "c"], 2, seed=1) == make_document_folds("cba", 2, seed=1)


def test_it_uses_released_folds(tmp_path: Path) -> None:
    folder = write_study(tmp_path)
    (folder / "by_examples").mkdir()
    for name, members in (("fold1", "d0\nd1"), ("fold2", "d2\nd3\nd4\nd5\nd6\nd7")):
        (folder / "by_examples" / f"{name}.id").write_text(members)
    assert read_study(folder).folds[0] == {"d0", "d1"}


def test_it_knows_how_near_a_candidate_is_to_a_human_unit(study: Study) -> None:
    (case,) = build_cases(study.references[:1], load_parser())
    texts = [word_fact(pool.tree, fact) for pool in case.pools for fact in pool.facts]
    near = dict(zip(texts, case.nearness.tolist(), strict=True))
    assert near["Ann Lee is a striker."] == 1
    assert near["Ann Lee is a Danish striker."] == pytest.approx(2 * 5 / 11)
    assert case.counted() == [4]


def test_it_counts_human_units_by_sentence() -> None:
    sentences = ("Ann sold a boat.", "It rained in Rome.")
    reference = Reference(
        "d", sentences, ("Ann sold a boat", "It rained", "There was rain in Rome")
    )
    (case,) = build_cases([reference], load_parser())
    assert case.counted() == [1, 2]


def test_it_learns_what_people_write(study: Study) -> None:
    cases = build_cases(study.references, load_parser())
    ranker = train_ranker(cases)
    values = ranker.rank(np.concatenate([pool.rows for case in cases for pool in case.pools]))
    nearness = np.concatenate([case.nearness for case in cases])
    assert np.corrcoef(values, nearness)[0, 1] > 0.5
    assert len(choose_units(cases[0].pools, ranker, 1.0)) == 4


def test_it_learns_the_same_every_time(study: Study) -> None:
    cases = build_cases(study.references, load_parser())
    assert train_ranker(cases).version == train_ranker(cases).version
    assert train_ranker(cases).version != train_ranker(cases[:4]).version


def test_it_chooses_units_of_documents_that_it_did_not_learn_from(tmp_path: Path) -> None:
    studies = read_studies(write_studies(tmp_path))
    cases = list_cases(studies)
    found = choose_held_out(studies, cases, [1.0, 1.6])
    assert set(found) == {(kind, x) for kind in (PLAIN, COREF) for x in (1.0, 1.6)}
    documents = {one.document for study in studies for one in study.references}
    assert all(units.keys() == documents for units in found.values())
    fold = studies[0].folds[0] | studies[1].folds[0]
    others = [c for kind in cases.values() for c in kind if c.reference.document not in fold]
    ranker = train_ranker(others)
    for case in cases[PLAIN]:
        document = case.reference.document
        if document in fold:
            chosen = [unit.text for unit in choose_units(case.pools, ranker, 1.0)]
            assert found[PLAIN, 1.0][document] == chosen
