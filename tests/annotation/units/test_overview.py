"""What is next in the units of a project: in the list of sets and on the project's overview."""

from __future__ import annotations

import pytest

from annotation.access import get_access
from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.queries import NextStep
from annotation.units.overview import find_writing, get_units_stage
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import UnitSet
from annotation.units.sets.queries import list_progress, tell_next_step
from annotation.units.studio import progress
from tests import factories
from tests.annotation.corpora.places import make_job
from tests.annotation.units.writing import add, freeze

STEPS = [
    ("started", "Write the first unit", "0 % written"),
    ("begun", "3 examples to write", "0 % written"),
    ("one written", "2 examples to write", "33 % written"),
    ("all written", "Send to review", "100 % written"),
    ("in review", "3 examples to sign off", "0 % signed off"),
    ("two signed", "1 example to sign off", "66 % signed off"),
    ("all signed", "Freeze", "100 % signed off"),
    ("back", "Send to review", "100 % written"),
    ("frozen", "", "1 unit"),
]


def lead(unit_set: UnitSet, to: str, writer: User, checker: User) -> None:
    """The set's way, up to where it is called so."""
    examples = list(unit_set.project.examples.all())
    names = [name for name, *_ in STEPS]
    for name in names[1 : names.index(to) + 1]:
        if name == "begun":
            add(unit_set, examples[0], writer, "One.")
        for example in {"one written": examples[:1], "all written": examples[1:]}.get(name, []):
            progress.mark_written(unit_set=unit_set, example=example, user=writer)
        for example in {"two signed": examples[:2], "all signed": examples[2:]}.get(name, []):
            progress.sign_off(unit_set=unit_set, example=example, user=checker)
        if name == "in review":
            sets_service.send_to_review(unit_set=unit_set, user=writer)
        if name == "back":
            sets_service.back_to_draft(unit_set=unit_set, user=writer)
        if name == "frozen":
            freeze(unit_set, writer)


def next_for(user: User, project: Project) -> NextStep | None:
    return find_writing(get_access(user, project.slug))


@pytest.mark.parametrize("to, step, figure", STEPS, ids=[row[0] for row in STEPS])
def test_it_says_what_moves_a_set_on(
    to: str, step: str, figure: str, draft: UnitSet, owner: User, editor: User
):
    lead(draft, to, owner, editor)
    assert tell_next_step(draft, list_progress([draft])[draft.pk]) == step
    assert get_units_stage(draft.project).figure == figure


@pytest.mark.parametrize(
    "state, step", [("running", ""), ("failed", ""), ("done", "3 examples to write")]
)
def test_it_moves_nothing_that_is_not_filled(
    state: str, step: str, draft: UnitSet, e1: Example, owner: User
):
    add(draft, e1, owner, "One.")
    draft.job = make_job(draft.project, state=state)
    draft.save()
    assert tell_next_step(draft, list_progress([draft])[draft.pk]) == step


@pytest.mark.parametrize(
    "to, who, title, label",
    [
        ("begun", "annotator", "draft v1: 3 examples to write", "Open studio"),
        ("all written", "editor", "draft v1: send to review", "Open draft v1"),
        ("all written", "annotator", "draft v1: to check", "Check next example"),
        ("all written", "owner", "draft v1: send to review", "Open draft v1"),
        ("in review", "annotator", "draft v1: 3 examples to sign off", "Check next example"),
        ("all signed", "editor", "draft v1: freeze", "Open draft v1"),
        ("all signed", "annotator", None, None),
        ("begun", "viewer", None, None),
        ("frozen", "owner", None, None),
    ],
)
def test_it_names_one_next_step(
    to: str,
    who: str,
    title: str | None,
    label: str | None,
    draft: UnitSet,
    owner: User,
    editor: User,
    request: pytest.FixtureRequest,
):
    lead(draft, to, owner, editor)
    found = next_for(request.getfixturevalue(who), draft.project)
    assert (found and found.title, found and found.label) == (title, label)


def test_it_goes_on_with_what_is_not_frozen(corpus: Project, e1: Example, owner: User):
    open_set, done = (factories.make_set(corpus, owner, name) for name in ("open", "done"))
    add(done, e1, owner, "One.")
    freeze(done, owner)
    found = next_for(owner, corpus)
    assert found is not None
    assert (found.title, found.url) == ("open v1: write the first unit", next_url(open_set))


def next_url(unit_set: UnitSet) -> str:
    return f"/p/{unit_set.project.slug}/units/{unit_set.pk}/next/"
