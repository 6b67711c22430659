"""Accounts of an older database: who was let in can create projects, whoever is a worker can't."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.corpora.projects.service import accept_invitation, create_invitation
from tests import factories

migration = import_module("annotation.corpora.migrations.0013_can_create_projects")


@pytest.mark.django_db
def test_it_lets_in_staff_members_and_those_who_were_invited(project: Project, owner: User):
    people = {name: factories.make_user(name) for name in ("Staff", "Member", "Left", "Worker")}
    User.objects.filter(pk=people["Staff"].pk).update(is_staff=True)
    factories.add_member(project, people["Member"], Role.VIEWER)
    made = create_invitation(project=project, user=owner, role=Role.VIEWER)
    accept_invitation(invitation=made, user=people["Left"])
    Membership.objects.filter(user=people["Left"]).delete()
    User.objects.update(can_create_projects=False)
    migration.find_who_was_let_in(apps, connection.schema_editor())
    found = User.objects.filter(can_create_projects=True).values_list("name", flat=True)
    assert set(found) == {"Owner", "Staff", "Member", "Left"}
