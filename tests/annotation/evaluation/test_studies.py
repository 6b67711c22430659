"""A project's labels, units and runs as a study by sentences."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.corpora.accounts.models import User
from annotation.errors import DomainError
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.planning.studies import (
    choose_source,
    list_orders,
    list_study_judges,
    read_study,
)
from annotation.units.sets.models import Contributor, Unit, UnitSet
from annotation.units.stus.models import SentencePlan
from tests.annotation.evaluation.running import finish


def test_it_reads_sentences_with_their_units(labelled: LabelSet, stus: UnitSet):
    read = read_study(choose_source(labelled, stus, ""))
    study = read.study
    assert (study.documents, study.systems) == (("e1", "e2", "e3"), ("lead", "soup"))
    assert [row.place for row in study.sentences] == [0, 1] * 3
    first, second = study.sentences[:2]
    assert first.text == "The dam burst on Monday."
    assert (first.scus, first.stus) == ((0, 1), (0, 1))
    assert (second.scus, second.stus) == ((2,), (2,))
    assert read.left_out == 0
    assert len(read.sentences) == 6


def test_it_takes_gold_from_labels(labelled: LabelSet, stus: UnitSet):
    study = read_study(choose_source(labelled, stus, "human")).study
    assert study.judge == "human"
    assert study.gold.tolist() == [
        [table[0].mean(), table[1].mean()] for table in study.scu_presence
    ]
    assert study.scu_presence[0].shape == (2, 3)
    # Nobody labels STUs: each has the label of the SCU nearest to it.
    assert study.stu_presence[0][:, 0].tolist() == study.scu_presence[0][:, 0].tolist()


def test_it_goes_by_the_words_that_a_unit_stands_on(labelled: LabelSet, stus: UnitSet):
    unit = Unit.objects.filter(set=labelled.unit_set, text="The dam burst.").first()
    assert unit is not None
    reference = unit.example.references.get()
    last = reference.sentences.get(position=1)
    Contributor.objects.create(
        unit=unit, reference=reference, sentence=last, start=last.start, end=last.end
    )
    study = read_study(choose_source(labelled, stus, "")).study
    place = study.documents.index(unit.example.key) * 2
    assert [row.scus for row in study.sentences[place : place + 2]] == [(1,), (0, 2)]


@pytest.mark.usefixtures("toys")
def test_it_takes_presence_from_runs(labelled: LabelSet, stus: UnitSet):
    for unit_set in (labelled.unit_set, stus):
        finish(unit_set)
    assert list(list_study_judges(labelled.project)) == ["toy2"]
    read = read_study(choose_source(labelled, stus, "toy2"))
    assert read.study.judge == "toy2"
    assert [table.shape for table in read.study.stu_presence] == [(2, 3)] * 3
    assert read.human.judge == "human"
    assert read.human.scu_presence[0].tolist() == read.labels[0].tolist()
    assert np.array_equal(read.human.gold, read.study.gold)


@pytest.mark.usefixtures("toys")
def test_it_looks_at_systems_that_all_have_looked_at(labelled: LabelSet, stus: UnitSet):
    finish(labelled.unit_set)
    finish(stus, systems=["lead"])
    with pytest.raises(DomainError, match="1 systems"):
        read_study(choose_source(labelled, stus, "toy2"))


def test_it_leaves_out_examples_with_gaps(labelled: LabelSet, stus: UnitSet):
    row = SummaryLabels.objects.filter(label_set=labelled, summary__example__key="e2").first()
    assert row is not None
    row.labels = [1, None, 0]
    row.save()
    read = read_study(choose_source(labelled, stus, ""))
    assert (read.study.documents, read.left_out) == (("e1", "e3"), 1)


def test_it_takes_only_the_examples_that_are_named(labelled: LabelSet, stus: UnitSet):
    ids = dict(labelled.project.examples.values_list("key", "pk"))
    read = read_study(choose_source(labelled, stus, ""), [ids["e1"], ids["e3"]])
    assert read.study.documents == ("e1", "e3")


def test_it_refuses_a_study_of_one(labelled: LabelSet, stus: UnitSet):
    SummaryLabels.objects.filter(label_set=labelled, summary__system__name="soup").delete()
    with pytest.raises(DomainError, match="3 examples and 1 systems") as raised:
        read_study(choose_source(labelled, stus, ""))
    assert raised.value.hint.startswith("At least 2")


def test_it_refuses_units_that_weigh_more(labelled: LabelSet, stus: UnitSet):
    Unit.objects.filter(set=labelled.unit_set).update(weight=2)
    with pytest.raises(DomainError, match="weighs 2"):
        read_study(choose_source(labelled, stus, ""))


def test_it_refuses_labels_of_stus(labelled: LabelSet, stus: UnitSet):
    Unit.objects.filter(set=labelled.unit_set, text="It was Monday.").update(kind="stu")
    with pytest.raises(DomainError, match="labels of STUs"):
        choose_source(labelled, stus, "")


def test_it_says_which_run_is_missing(labelled: LabelSet, stus: UnitSet):
    with pytest.raises(DomainError, match="no run of toy2 on Judged v1"):
        choose_source(labelled, stus, "toy2")


def test_it_orders_sentences_in_every_way(labelled: LabelSet, stus: UnitSet):
    read = read_study(choose_source(labelled, stus, ""))
    orders = list_orders(read, stus)
    assert list(orders) == ["regressor", "oracle", "damage-oracle", "reverse"]
    assert np.argmax(orders["regressor"]) == 1
    assert np.argmin(orders["reverse"]) == 1
    assert all(len(order) == 6 for order in orders.values())


def test_it_knows_no_regressor_where_nothing_is_foretold(labelled: LabelSet, stus: UnitSet):
    SentencePlan.objects.filter(set=stus).delete()
    read = read_study(choose_source(labelled, stus, ""))
    assert list(list_orders(read, stus)) == ["oracle", "damage-oracle", "reverse"]


def test_it_takes_what_is_not_foretold_for_the_hardest(
    labelled: LabelSet, stus: UnitSet, owner: User
):
    first = SentencePlan.objects.filter(set=stus).order_by("difficulty")[0]
    first.delete()
    read = read_study(choose_source(labelled, stus, ""))
    foretold = list_orders(read, stus)["regressor"]
    assert np.isnan(foretold).tolist() == [pk == first.sentence_id for pk in read.sentences]
