"""Studies by sentence, from files."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.planning.presence import resemble
from scoring.planning.study import SentenceUnits, UnitStudy, UnitTexts, read_study, read_texts
from tests.scoring.goldens import golden
from tests.scoring.planning.toys import LABELS, toy_study, toy_texts, write_study


@pytest.fixture
def folder(tmp_path):
    return write_study(tmp_path)


def test_it_reads_a_study_with_peoples_labels(folder):
    study = read_study(folder)
    assert (study.documents, study.systems) == (("d1", "d2"), ("bart", "lead", "t5"))
    assert [(row.document, row.place, row.scus, row.stus) for row in study.sentences] == [
        ("d1", 0, (0,), (0,)),
        ("d1", 1, (1, 2), (1,)),
        ("d2", 0, (0,), (0,)),
    ]
    assert study.scu_presence[0].tolist() == [LABELS[name][0] for name in study.systems]
    assert study.gold.tolist() == [pytest.approx([2 / 3, 1 / 3, 2 / 3]), [1, 0, 1]]
    assert (study.judge, study.own_texts.scus) == ("human", toy_texts().scus)


def test_it_lets_an_stu_have_the_label_of_the_scu_it_resembles(folder):
    # "A dog ran home" shares 3 words with "A dog ran.", and 2 with "The dog went home."
    study = read_study(folder)
    assert study.stu_presence[0].tolist() == [[1, 1], [1, 0], [0, 1]]
    assert study.stu_presence[1].tolist() == [[1], [0], [1]]


@pytest.mark.parametrize(
    "stu, expected",
    [("red cat", [1, 0]), ("cat dog", [0.5, 0.5]), ("a bird", [0, 0]), ("dogs", [0, 1])],
)
def test_it_asks_the_nearest_scu(stu, expected):
    """Of equals the mean; what resembles none is absent; words go by their stems."""
    [found] = resemble([["cat", "dog"]], [[stu]], [np.eye(2)])
    assert found[:, 0].tolist() == expected


def test_it_reads_other_stus(folder, tmp_path):
    other = tmp_path / "STUs_rich.txt"
    other.write_text("A dog ran home\tA cat sat\tThe dog ran\nRain fell")
    study = read_study(folder, stus=other)
    assert [row.stus for row in study.sentences] == [(1,), (0, 2), (0,)]


def test_it_asks_a_judge_of_both_kinds(folder):
    study = read_study(folder, judge="lexical")
    assert study.judge == "lexical"
    assert [table.shape for table in study.stu_presence] == [(3, 2), (3, 1)]
    # A summary that says the very words carries the unit; one of other words does not.
    assert study.scu_presence[1][0, 0] > 0.8 > 0.2 > study.scu_presence[1][1, 0]
    assert study.gold.tolist() == read_study(folder).gold.tolist()


def test_it_keeps_a_judge_from_the_fold_it_judges(folder):
    """Trees that learned from the other document alone are not those that ship."""
    (folder / "by_examples").mkdir()
    for number, document in enumerate(("d1", "d2"), 1):
        (folder / "by_examples" / f"fold{number}.id").write_text(document)
    held_out = read_study(folder, judge="lexical")
    whole = read_study(folder, judge="lexical", folds=[])
    assert not np.allclose(held_out.scu_presence[0], whole.scu_presence[0])
    again = read_study(folder, judge="lexical")
    for one, two in zip(held_out.stu_presence, again.stu_presence, strict=True):
        assert one.tolist() == two.tolist()


def test_it_counts_an_empty_summary_as_carrying_nothing(folder):
    (folder / "summaries" / "lead.summary").write_text("\nRain fell.")
    study = read_study(folder, judge="lexical")
    assert study.scu_presence[0][1].tolist() == [0, 0, 0]
    assert study.stu_presence[0][1].tolist() == [0, 0]
    assert study.scu_presence[1][1, 0] > 0


@pytest.mark.parametrize(
    "file, text, message",
    [
        ("labels/t5.label", "1\t\t0\n1", "3 labels of 'd1'"),
        ("labels/t5.label", "1\t0\n1", "3 labels of 'd1'"),
        ("references.txt", "A cat sat.", r"references\.txt has 1 lines"),
    ],
)
def test_it_refuses_what_does_not_fit(folder, file, text, message):
    (folder / file).write_text(text)
    with pytest.raises(ValueError, match=message):
        read_study(folder)


def test_it_misses_summaries_by_the_systems_name(folder):
    (folder / "summaries" / "t5.summary").unlink()
    with pytest.raises(ValueError, match="System 't5' has labels, but no"):
        read_study(folder, judge="lexical")


def test_it_takes_units_of_weight_1_alone(folder, tmp_path):
    path = tmp_path / "weighed.jsonl"
    path.write_text('{"id": "d1", "units": [{"text": "A cat sat.", "weight": 2}]}\n')
    with pytest.raises(ValueError, match="'d1' has weight 2"):
        read_texts(folder / "references.txt", path, folder / "STUs.txt", folder / "ids.txt")


def changed(**parts):
    study = toy_study()
    known = {name: getattr(study, name) for name in study.__dataclass_fields__}
    return UnitStudy(**(known | parts))


@pytest.mark.parametrize(
    "parts, message",
    [
        ({"gold": np.zeros((2, 2))}, "gold scores are 2 × 2"),
        ({"scu_presence": [np.zeros((3, 3))]}, "1 documents"),
        ({"stu_presence": [np.zeros((2, 2)), np.zeros((3, 1))]}, "'d1': STUs need"),
        ({"scu_presence": [np.zeros((3, 2)), np.zeros((3, 1))]}, "'d1': sentence 1 has SCUs with"),
        ({"sentences": (SentenceUnits("x", 0, "", (), ()),)}, "'x', which is no"),
        ({"sentences": toy_study().sentences[::-1]}, "by document, then by"),
        ({"documents": ("d1", "d1")}, "A document"),
    ],
)
def test_it_refuses_a_study_that_does_not_hold_together(parts, message):
    with pytest.raises(ValueError, match=message):
        changed(**parts)


def test_it_wants_units_of_every_document():
    texts = toy_texts()
    with pytest.raises(ValueError, match="2 documents"):
        UnitTexts(texts.documents, texts.sentences, texts.scus, texts.stus[:1])


def test_it_finds_the_sentences_of_realsumm(realsumm_dir):
    study = read_study(realsumm_dir)
    expected = golden(realsumm_dir, "realsumm.easiness")["value"]
    without = sum(not row.scus for row in study.sentences)
    assert without == expected["sentences_without_scu"]
    assert len(study.sentences) - without == expected["sentences"]
    gold = golden(realsumm_dir, "realsumm.gold.overall")["value"]
    assert study.gold.mean() == pytest.approx(gold["mean"], abs=1e-6)
    best = study.systems[int(study.gold.mean(axis=0).argmax())]
    assert best == gold["best"]


def test_it_reads_pyrxsum(pyrxsum_dir):
    study = read_study(pyrxsum_dir)
    assert (len(study.sentences), len(study.systems)) == (100, 10)
    assert sum(len(row.scus) for row in study.sentences) == 478
    assert sum(len(row.stus) for row in study.sentences) == 281
