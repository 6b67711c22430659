"""Answers in columns, built from rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from scoring.aggregation import AnswerBuilder, AnswerRow, AnswersError, build_answers
from scoring.aggregation.answers import PickedKeys
from scoring.aggregation.building import chunks_of
from tests.scoring.aggregation.grids import answers_of, counts_of, grids, rows_of, statement_of

GRID = {"d1/bart": {"ann": "pn", "bob": "p-"}, "d2/bart": {"ann": "nn"}, "d1/lead": {"cy": "-p"}}


def row(**changes):
    return AnswerRow("d1", "bart", "u0", "ann", "", True)._replace(**changes)


def test_it_names_everything_in_the_order_in_which_it_comes():
    answers = answers_of(GRID)
    assert list(answers.document_keys) == ["d1", "d2"]
    assert list(answers.system_keys) == ["bart", "lead"]
    assert list(answers.worker_keys) == ["ann", "bob", "cy"]
    assert list(answers.summary_keys) == ["d1/bart", "d2/bart", "d1/lead"]
    assert list(answers.assignment_keys) == [
        "ann@d1/bart",
        "bob@d1/bart",
        "ann@d2/bart",
        "cy@d1/lead",
    ]
    assert list(answers.statement_keys) == ["u0", "u1", "u0", "u1", "u1"]
    assert answers.statement_summaries.tolist() == [0, 0, 1, 1, 2]
    assert answers.assignment_summaries.tolist() == [0, 0, 1, 2]
    assert answers.assignment_workers.tolist() == [0, 1, 0, 2]
    assert answers.assignment_sizes.tolist() == [2, 1, 2, 1]


@given(grids())
def test_it_counts_what_is_there_and_nothing_else(grid):
    answers = answers_of(grid)
    counted = {
        statement_of(answers, code): tuple(row)
        for code, row in enumerate(answers.counts().tolist())
    }
    assert counted == counts_of(grid)
    assert len(answers) == sum(map(sum, counted.values()))


def test_it_counts_those_who_are_kept():
    answers = answers_of(GRID)
    kept = np.array([False, True, True, True])
    assert answers.counts(kept).tolist() == [[0, 1], [0, 0], [1, 0], [1, 0], [0, 1]]
    assert answers.keep(kept).counts().tolist() == answers.counts(kept).tolist()
    assert len(answers) == 6


def test_it_takes_nameless_assignments_for_different_people():
    answers = build_answers([row(worker="", assignment="1"), row(worker="", assignment="2")])
    assert len(answers.worker_keys) == 2


def test_it_knows_a_worker_in_many_assignments():
    answers = build_answers([row(assignment="1"), row(assignment="2", document="d2")])
    assert answers.assignment_workers.tolist() == [0, 0]


def test_it_keeps_check_items_apart_from_statements():
    rows = [
        row(),
        row(statement="known", present=True, gold=True),
        row(statement="other", present=True, gold=False),
    ]
    answers = build_answers(rows)
    assert len(answers) == 1
    assert list(answers.statement_keys) == ["u0"]
    assert answers.assignment_gold_asked.tolist() == [2]
    assert answers.assignment_gold_right.tolist() == [1]


def test_it_knows_seconds_where_any_row_tells_them():
    rows = [row(), row(statement="u1", seconds=40), row(worker="bob")]
    seconds = build_answers(rows).assignment_seconds
    assert seconds[0] == 40
    assert np.isnan(seconds[1])


@pytest.mark.parametrize(
    "rows, message",
    [
        ([], "There are no answers"),
        ([row(), row()], "'ann@d1/bart' answers statement 'u0' twice"),
        ([row(worker="")], "'u0' of 'd1' by 'bart' has neither a worker nor an assignment"),
        (
            [row(assignment="7"), row(assignment="7", document="d2")],
            "Assignment '7' belongs to more than one summary: 'd1/bart' and 'd2/bart'",
        ),
        (
            [row(assignment="7"), row(assignment="7", worker="bob", statement="u1")],
            "Assignment '7' belongs to more than one worker: 'ann' and 'bob'",
        ),
    ],
)
def test_it_names_the_record_that_contradicts_another(rows, message):
    with pytest.raises(AnswersError, match=message):
        build_answers(rows)


@given(grids())
def test_it_makes_the_same_of_any_chunks(grid):
    builder = AnswerBuilder()
    for chunk in chunks_of(rows_of(grid), size=3):
        builder.add(chunk)
    assert builder.build().content_hash() == answers_of(grid).content_hash()


def test_it_hashes_every_answer_and_name():
    first = answers_of(GRID).content_hash()
    assert first == answers_of(GRID).content_hash()
    other = {"d1/bart": {"ann": "pp", "bob": "p-"}}
    renamed = {summary.replace("bart", "bert"): people for summary, people in GRID.items()}
    changed = GRID | other
    assert len({first, answers_of(changed).content_hash(), answers_of(renamed).content_hash()}) == 3


def test_it_hashes_picked_keys_like_a_list_of_them():
    from dataclasses import replace

    answers = answers_of(GRID)
    written_out = replace(answers, statement_keys=list(answers.statement_keys))
    assert written_out.content_hash() == answers.content_hash()


def test_it_picks_keys_by_code():
    keys = PickedKeys(["a", "b"], np.array([1, 0, 1]))
    assert [keys[0], keys[-1], *keys[1:]] == ["b", "b", "a", "b"]
    assert len(keys) == 3
