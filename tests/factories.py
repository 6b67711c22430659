"""People, projects and corpora for tests, made through the services that the product uses."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.imports import service as imports_service
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.jobs import service as jobs_service
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.market.money import deposit
from annotation.crowd.market.requesters import get_project_requester
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Change, SetState, Unit, UnitSet
from annotation.units.studio import ops, progress

PASSWORD = "correct-horse-battery"


def make_user(name: str, **rights: bool) -> User:
    """Somebody who was let in; whoever joined as a worker was not."""
    rights = {"can_create_projects": True, **rights}
    return User.objects.create_user(f"{name.lower()}@example.org", PASSWORD, name=name, **rights)


def make_outsider(name: str) -> User:
    return make_user(name, can_create_projects=False)


def make_staff(name: str = "Staff") -> User:
    return make_user(name, is_staff=True)


def fund(project: Project, amount: str = "1000") -> None:
    """Prepay for a project's campaigns, as staff do."""
    requester = get_project_requester(project=project)
    deposit(requester=requester, amount=Decimal(amount), note="For tests")


def make_project(owner: User, slug: str = "study", name: str = "A study") -> Project:
    return projects_service.create_project(user=owner, name=name, slug=slug)


def add_member(project: Project, user: User, role: Role) -> Membership:
    return Membership.objects.create(project=project, user=user, role=role)


def example(
    key: str,
    *,
    documents: Sequence[str] = ("The dam burst. Nobody was hurt.",),
    references: Sequence[Any] = ("The dam burst on Monday. Nobody was hurt.",),
    summaries: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """One line of JSONL."""
    return {
        "type": "example",
        "id": key,
        "documents": list(documents),
        "references": list(references),
        "summaries": {"lead": "The dam burst.", "soup": "dam dam"}
        if summaries is None
        else dict(summaries),
    }


def write_jsonl(path: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path


def check(project: Project, path: Path, *, format: str = "", user: User | None = None) -> Import:
    """Create an import of a path and run its check to the end."""
    import_ = imports_service.create_import(
        project=project, user=user, name=path.name, format=format, path=str(path)
    )
    assert import_.job is not None
    jobs_service.run_job(job_id=import_.job.pk)
    import_.refresh_from_db()
    return import_


def import_corpus(project: Project, path: Path, *, format: str = "") -> Import:
    """Check and write; the import must go through."""
    import_ = check(project, path, format=format)
    assert import_.state == ImportState.READY, import_.plan.get("problems")
    job = imports_service.write_import(import_=import_, user=None)
    jobs_service.run_job(job_id=job.pk)
    import_.refresh_from_db()
    assert import_.state == ImportState.DONE
    project.refresh_from_db()
    return import_


def import_examples(project: Project, folder: Path, count: int = 3) -> Import:
    lines = [example(f"e{number}") for number in range(1, count + 1)]
    return import_corpus(project, write_jsonl(folder / "corpus.jsonl", lines))


def make_set(project: Project, user: User, name: str = "SCUs") -> UnitSet:
    return sets_service.create_set(project=project, user=user, name=name)


def change_units(
    unit_set: UnitSet, example: Example, user: User, action: str, *changes: dict[str, Any]
) -> Change:
    """One user action, as the editor sends it."""
    op = ops.Op(uuid.uuid4(), action, list(changes))
    applied = ops.apply_op(unit_set=unit_set, example=example, user=user, op=op)
    unit_set.refresh_from_db()
    return applied.change


def add_unit(
    unit_set: UnitSet, example: Example, user: User, text: str, *, reference: int | None = None
) -> Unit:
    """Write a unit; with `reference` it stands on that reference's first words."""
    spans = []
    if reference is not None:
        found = example.references.get(position=reference)
        spans = [{"reference": found.pk, "start": 0, "end": 5}]
    made = {"action": "create", "unit": "new", "text": text, "spans": spans}
    change_units(unit_set, example, user, "create", made)
    return Unit.objects.filter(set=unit_set, example=example).latest("pk")


def add_units(unit_set: UnitSet, example: Example, user: User, *texts: str) -> None:
    """Write several in one action, each after the one before."""
    made = [
        {"action": "create", "unit": f"new{number}", "text": text}
        for number, text in enumerate(texts)
    ]
    change_units(unit_set, example, user, "create", *made)


def sign_examples(unit_set: UnitSet, writer: User, checker: User) -> None:
    """Every example is written by one person and checked by another."""
    for row in unit_set.project.examples.all():
        progress.mark_written(unit_set=unit_set, example=row, user=writer)
        progress.sign_off(unit_set=unit_set, example=row, user=checker)


def freeze(unit_set: UnitSet, user: User, reason: str = "A test.") -> str:
    """Through review, whatever is signed off."""
    if unit_set.state == SetState.DRAFT:
        sets_service.send_to_review(unit_set=unit_set, user=user)
    return sets_service.freeze_set(unit_set=unit_set, user=user, role=Role.OWNER, reason=reason)
