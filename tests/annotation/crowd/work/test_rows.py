"""Statements that are written by hand read and keep what the ORM does."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import models
from django.test import Client
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.crowd.market import rows
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerBlock
from annotation.crowd.market.models_work import MarketAssignment
from annotation.crowd.market.rows import Bars
from annotation.crowd.market.work import accept_hit
from annotation.statements import Part
from tests.annotation.crowd.working import make_hit, make_type


def assert_same(read: models.Model | None) -> None:
    """Every column that was read is what the ORM reads, of the same type."""
    assert read is not None
    stored = type(read)._default_manager.get(pk=read.pk)
    deferred = read.get_deferred_fields()
    for field in read._meta.concrete_fields:
        if field.attname not in deferred:
            value, expected = getattr(read, field.attname), getattr(stored, field.attname)
            assert (value, type(value)) == (expected, type(expected)), field.name


def test_it_reads_a_worker_and_their_account(worker: WorkerAccount):
    WorkerAccount.objects.filter(pk=worker.pk).update(approved=3, rejected=2, subdivision="BY")
    User.objects.filter(pk=worker.user_id).update(name="=Name", is_staff=True)
    read = rows.read_worker(worker.user_id)
    assert_same(read)
    assert read is not None
    assert_same(read.user)
    assert rows.read_worker(0) is None


def test_it_reads_an_assignment_with_its_hit(worker: WorkerAccount):
    wanted = [{"QualificationTypeId": "00000000000000000060", "Comparator": "Exists"}]
    kind = make_type(reward=Decimal("0.1234"), requirements=wanted, title="Ümläut")
    taken = accept_hit(hit_id=make_hit(kind).hit_id, worker=worker)
    by_key = rows.read_assignment(taken.assignment_id)
    in_hand = rows.read_in_hand(worker.pk, kind.pk, timezone.now())
    for read in (by_key, in_hand):
        assert_same(read)
        assert read is not None
        assert_same(read.hit)
        assert_same(read.hit.hit_type)
    assert_same(rows.read_hit_type(kind.hit_type_id))
    assert rows.read_assignment("NONE") is None
    assert rows.read_in_hand(worker.pk, kind.pk, taken.deadline) is None


def test_it_knows_who_is_blocked(worker: WorkerAccount):
    kind = make_type()
    assert rows.read_bars(kind, worker.pk) == Bars(is_active=True, is_blocked=False, is_own=False)
    WorkerBlock.objects.create(requester=kind.requester, worker=worker)
    assert rows.read_bars(kind, worker.pk) == Bars(is_active=True, is_blocked=True, is_own=False)


def test_it_refuses_a_column_that_is_not_there():
    with pytest.raises(ValueError, match="MarketAssignment has no column for answers"):
        Part("a", MarketAssignment, ["id", "answers"])


def test_it_lets_in_nobody_whose_session_is_in_doubt(at_work: Client, worker: WorkerAccount):
    assert at_work.get("/work/").status_code == 200
    User.objects.filter(pk=worker.user_id).update(is_active=False)
    assert at_work.get("/work/")["Location"].startswith("/sign-in/")
    User.objects.filter(pk=worker.user_id).update(is_active=True, password="changed")
    assert at_work.get("/work/")["Location"].startswith("/sign-in/")


def test_it_needs_few_queries(
    at_work: Client, client: Client, worker: WorkerAccount, django_assert_num_queries
):
    """Savepoints count too: a test runs inside a transaction."""
    kind = make_type()
    for _ in range(2):
        make_hit(kind)
    with django_assert_num_queries(10):
        page = at_work.post(f"/work/types/{kind.hit_type_id}/next/")["Location"]
    with django_assert_num_queries(3):
        at_work.get(page)
    key = page.split("/")[3]
    with django_assert_num_queries(1):
        client.get(f"/work/frame/{key}/?assignmentId={key}")
    # One of them asks whether the account may still work: no session has said so here.
    with django_assert_num_queries(7):
        client.post("/mturk/externalSubmit", {"assignmentId": key, "s1": "present"})
    with django_assert_num_queries(10):
        at_work.post(f"{page}go-on/", {"next": "on"})
