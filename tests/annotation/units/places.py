"""Unit sets, units and comments that an address can name, each where its verbs succeed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.projects.models import Project, Role
from annotation.units.double import service as double_service
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio import comments
from annotation.units.studio.models import Comment
from tests import factories
from tests.annotation.units.easiness_places import EasinessPlaces, make_easiness_places

LINES = b"The dam burst.\tIt was on Monday.\nNobody was hurt."


@dataclass(frozen=True, slots=True)
class UnitPlaces:
    """`checked` is a draft that is signed off, `reviewed` the same in review.

    On `example` nothing is left to be said.
    """

    checked: UnitSet
    reviewed: UnitSet
    frozen: UnitSet
    example: Example
    units: list[Unit]
    comment: Comment
    kept: KeptFile
    writer: User
    easiness: EasinessPlaces
    checker: User
    doubles: DoublePlaces


@dataclass(frozen=True, slots=True)
class DoublePlaces:
    """One that is being written, with its first author, and one that is done."""

    open: DoubleAnnotation
    author: DoubleAuthor
    revealed: DoubleAnnotation


def make_unit_places(project: Project, folder: Path) -> UnitPlaces:
    """Beside whatever the project has: examples of their own, so that its imports can go."""
    examples = _add_examples(project, folder)
    writer, checker = (factories.make_user(name) for name in ("Writer", "Checker"))
    for user in (writer, checker):
        factories.add_member(project, user, Role.ANNOTATOR)
    checked, reviewed, frozen = (
        factories.make_set(project, writer, name) for name in ("checked", "reviewed", "frozen")
    )
    units = [_write(unit_set, examples[0], writer) for unit_set in (checked, reviewed, frozen)]
    for unit_set in (checked, reviewed):
        factories.sign_examples(unit_set, writer, checker)
    sets_service.send_to_review(unit_set=reviewed, user=writer)
    factories.freeze(frozen, writer)
    comment = comments.create_comment(
        unit_set=reviewed, example=examples[1], user=checker, text="Is that so?"
    )
    kept = KeptFile.objects.create(source=examples[0].source, name="SCUs.txt", data=LINES)
    easiness = make_easiness_places(project, examples, writer)
    return UnitPlaces(
        checked,
        reviewed,
        frozen,
        examples[0],
        units[0],
        comment,
        kept,
        writer,
        easiness,
        checker,
        _make_doubles(project, examples[0], writer, checker),
    )


def _make_doubles(project: Project, example: Example, writer: User, checker: User) -> DoublePlaces:
    first, second = (
        _write_double(project, example, writer, checker, name) for name in ("open", "revealed")
    )
    for author in second.authors.all():
        double_service.mark_done(double=second, user=author.user or writer, author=author)
    return DoublePlaces(first, first.authors.all()[0], second)


def _write_double(
    project: Project, example: Example, writer: User, checker: User, name: str
) -> DoubleAnnotation:
    rows = Example.objects.live().filter(project=project).order_by("position", "pk")
    number = list(rows.values_list("pk", flat=True)).index(example.pk) + 1
    double = double_service.create_double(
        project=project,
        user=writer,
        name=name,
        authors=[writer, checker],
        first=number,
        last=number,
    )
    for author in double.authors.select_related("set", "user"):
        factories.add_unit(author.set, example, author.user or writer, "The dam burst.")
    return double


def _add_examples(project: Project, folder: Path) -> list[Example]:
    lines = [factories.example(key, summaries={}) for key in ("bridge1", "bridge2")]
    import_ = factories.import_corpus(
        project, factories.write_jsonl(folder / "bridges.jsonl", lines)
    )
    return list(Example.objects.filter(source=import_))


def _write(unit_set: UnitSet, example: Example, writer: User) -> list[Unit]:
    return [
        factories.add_unit(unit_set, example, writer, text, reference=0)
        for text in ("The dam burst.", "Nobody was hurt.")
    ]
