"""Many rows at once, on either database."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotation.corpora.bulk import insert_rows, reserve_ids
from annotation.corpora.corpus.models import Document, Example
from annotation.corpora.imports.models import Import
from annotation.corpora.projects.models import Project

ODD = ["", "\\N", "\\.", "a\tb\\c\nd\re", '"x",y', "NULL", "\u2028\x85\ufeff😀", "x" * 2**20]


@pytest.fixture
def source(project: Project) -> Import:
    return Import.objects.create(project=project, name="x")


def add_examples(source: Import, count: int) -> list[int]:
    ids = reserve_ids(Example, count)
    fields = ["id", "project", "source", "key", "position"]
    insert_rows(
        Example,
        fields,
        ((pk, source.project_id, source.pk, f"k{pk}", number) for number, pk in enumerate(ids)),
    )
    return list(ids)


def test_it_gives_every_text_back_as_it_was(source: Import) -> None:
    with transaction.atomic():
        (pk,) = add_examples(source, 1)
        rows = [(pk, number, text) for number, text in enumerate(ODD)]
        insert_rows(Document, ["example", "position", "text"], iter(rows))
    assert [row.text for row in Example.objects.get().documents.all()] == ODD


def test_it_reserves_keys_that_nobody_else_gets(source: Import) -> None:
    with transaction.atomic():
        first = add_examples(source, 3)
    with transaction.atomic():
        made = Example.objects.create(
            project=source.project, source=source, key="by hand", position=9
        )
        second = add_examples(source, 2)
    assert len({*first, made.pk, *second}) == 6
    assert min(second) > made.pk > max(first)


def test_it_reserves_no_key_twice_after_rows_were_deleted(source: Import) -> None:
    with transaction.atomic():
        first = add_examples(source, 3)
        Example.objects.all().delete()
        second = add_examples(source, 3)
    assert set(first).isdisjoint(second)


def test_it_reserves_and_inserts_none(source: Import) -> None:
    with transaction.atomic():
        assert add_examples(source, 0) == []
    assert not Example.objects.exists()


def test_it_tells_of_a_row_that_the_database_refuses(source: Import) -> None:
    with transaction.atomic():
        (pk,) = add_examples(source, 1)
    rows = [(pk, 0, "first"), (pk, 0, "second")]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Document, ["example", "position", "text"], rows)
    assert not Document.objects.exists()
