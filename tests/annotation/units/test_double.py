"""Two authors write the same references independently; a third member merges what they wrote."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from annotation.access import ProjectAccess, get_access
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.notifications.models import Notification
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.projects.queries import get_next_step
from annotation.errors import DomainError, Forbidden, Invalid
from annotation.units.double import queries as double_queries
from annotation.units.double import service as double_service
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.double.service import MergedUnit
from annotation.units.overview import find_double_work, find_writing, get_units_stage
from annotation.units.plans.queries import list_scu_sets
from annotation.units.sets import service as sets_service
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio import comments, progress
from annotation.units.studio.queries import list_queue
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import page_of
from tests.annotation.units.writing import act, create, live, span

API = "/api/v1/projects/study/"


@dataclass(frozen=True)
class Cast:
    """Ada and Ben write, Cleo merges; the owner runs the project."""

    ada: User
    ben: User
    cleo: User
    owner: User


@pytest.fixture
def cast(corpus: Project, owner: User) -> Cast:
    ada, ben, cleo = (factories.make_user(name) for name in ("Ada", "Ben", "Cleo"))
    for user in (ada, ben, cleo):
        factories.add_member(corpus, user, Role.ANNOTATOR)
    return Cast(ada, ben, cleo, owner)


@pytest.fixture
def double(corpus: Project, cast: Cast) -> DoubleAnnotation:
    return double_service.create_double(
        project=corpus, user=cast.owner, name="twice", authors=[cast.ada, cast.ben], first=1, last=2
    )


def sides(double: DoubleAnnotation) -> list[DoubleAuthor]:
    return list(double.authors.select_related("set__project"))


def write(double: DoubleAnnotation, cast: Cast, e1: Example) -> None:
    """Both write of the dam, in other words; Ben adds a second fact."""
    first, second = sides(double)
    words = span(e1, 0, 14)
    act(first.set, e1, cast.ada, create("The dam burst.", spans=[words]))
    act(second.set, e1, cast.ben, create("A dam burst.", spans=[words]))
    act(second.set, e1, cast.ben, create("Nobody was hurt.", spans=[span(e1, 25, 41)]))


@pytest.fixture
def written(double: DoubleAnnotation, cast: Cast, e1: Example) -> DoubleAnnotation:
    write(double, cast, e1)
    return double


@pytest.fixture
def revealed(written: DoubleAnnotation, cast: Cast) -> DoubleAnnotation:
    for author, user in zip(sides(written), (cast.ada, cast.ben), strict=True):
        double_service.mark_done(double=written, user=user, author=author)
    return written


def step_of(user: User, project: Project) -> str:
    step = find_double_work(get_access(user, project.slug))
    return step.url if step else ""


def test_the_overview_leads_each_through_it(
    written: DoubleAnnotation, cast: Cast, e1: Example, corpus: Project
):
    """To the button that says done, then the third person to what is to be merged."""
    page = f"/p/study/units/double/{written.pk}/"
    everybody = (cast.ada, cast.ben, cast.cleo)
    assert [step_of(user, corpus) for user in everybody] == ["", "", ""]
    for author, user in zip(sides(written), (cast.ada, cast.ben), strict=True):
        for example in double_queries.list_double_examples(written):
            progress.mark_written(unit_set=author.set, example=example, user=user)
        assert step_of(user, corpus) == page
        double_service.mark_done(double=written, user=user, author=author)
        assert step_of(user, corpus) == ""
    first, second = double_queries.list_double_examples(written)
    client = sign_in(cast.cleo)
    assert step_of(cast.cleo, corpus) == f"{page}examples/{first.pk}/"
    assert f'button--primary" href="{page}examples/{first.pk}/"' in page_of(client.get(page)).html
    merge(written, first, cast.cleo, MergedUnit("The dam burst.", ()))
    assert step_of(cast.cleo, corpus) == f"{page}examples/{second.pk}/"
    following = get_next_step(get_access(cast.cleo, corpus.slug))
    assert following.url == f"{page}examples/{second.pk}/", "before the merged set is written on"
    merge(written, second, cast.cleo, MergedUnit("It rained.", ()))
    assert step_of(cast.cleo, corpus) == ""


def test_references_are_shown_without_marks(
    revealed: DoubleAnnotation, cast: Cast, e1: Example
) -> None:
    """`<t>` says where sentences end; nobody reads it."""
    Reference.objects.filter(example=e1).update(text="<t> One . </t> <t> Two . </t>")
    client = sign_in(cast.cleo)
    page = page_of(client.get(f"/p/study/units/double/{revealed.pk}/examples/{e1.pk}/"))
    assert "One . Two ." in page.text
    assert "<t>" not in page.text
    studio = client.get(f"/p/study/units/{sides(revealed)[0].set_id}/examples/{e1.pk}/")
    assert b'<p class="reading" dir="auto">One . Two .</p>' in studio.content


def test_the_units_stage_shows_the_common_set(
    draft: UnitSet, written: DoubleAnnotation, cast: Cast
):
    """Not the sets that only their authors see, nor those once they are compared."""
    assert str(draft) in get_units_stage(draft.project).caption
    for author, user in zip(sides(written), (cast.ada, cast.ben), strict=True):
        double_service.mark_done(double=written, user=user, author=author)
    assert str(draft) in get_units_stage(draft.project).caption


# Neither sees the other's ------------------------------------------------------------------------


READ = [
    "/p/study/units/{set}/examples/{example}/",
    "/p/study/units/{set}/examples/{example}/pyramid/",
    "/p/study/units/{set}/examples/{example}/history/",
    "/p/study/units/{set}/units/",
    "/p/study/units/{set}/export/jsonl/",
    "/p/study/units/{set}/compare/{other}/",
    "/p/study/units/{other}/compare/{set}/",
    API + "unit-sets/{set}/units/",
    API + "unit-sets/{set}/export/jsonl/",
    API + "unit-sets/{set}/compare/{other}/",
    API + "unit-sets/{set}/examples/{example}/",
    API + "unit-sets/{set}/examples/{example}/changes/",
]


@pytest.mark.parametrize("address", READ)
def test_only_its_author_reads_a_set_until_both_are_done(
    written: DoubleAnnotation, cast: Cast, draft: UnitSet, e1: Example, address: str
):
    there = address.format(set=sides(written)[0].set.pk, example=e1.pk, other=draft.pk)
    for user in (cast.ben, cast.cleo, cast.owner):
        response = sign_in(user).get(there)
        assert response.status_code == 403, user
        assert b"The dam burst." not in response.content
    assert sign_in(cast.ada).get(there).status_code == 200
    for author, user in zip(sides(written), (cast.ada, cast.ben), strict=True):
        double_service.mark_done(double=written, user=user, author=author)
    assert sign_in(cast.ben).get(there).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/p/study/search/?q=burst",
        "/p/study/examples/{example}/",
        "/p/study/units/",
        "/p/study/units/{set}/",
        "/p/study/",
    ],
)
def test_no_other_page_shows_its_texts(
    written: DoubleAnnotation, cast: Cast, e1: Example, address: str
):
    act(sides(written)[0].set, e1, cast.ada, create("Quixotic sluices."))
    there = address.format(set=sides(written)[0].set.pk, example=e1.pk)
    for user in (cast.ben, cast.owner):
        assert b"Quixotic" not in sign_in(user).get(there).content


def test_nobody_else_writes_or_comments_in_it(written: DoubleAnnotation, cast: Cast, e1: Example):
    own = sides(written)[0].set
    body = {
        "op": str(uuid.uuid4()),
        "action": "create",
        "changes": [create("It rained.", unit="new")],
    }
    there = f"{API}unit-sets/{own.pk}/examples/{e1.pk}/"
    for user in (cast.ben, cast.owner):
        client = sign_in(user)
        for call, sent in (
            ("ops/", body),
            ("comments/", {"text": "Hm."}),
            ("lint/", {"text": "x"}),
        ):
            response = client.post(there + call, sent, content_type="application/json")
            assert response.status_code == 403
        with pytest.raises(Forbidden):
            act(own, e1, user, create("It rained."))
    comment = comments.create_comment(unit_set=own, example=e1, user=cast.ada, text="Sure?")
    answer = sign_in(cast.ben).post(
        f"{API}comments/{comment.pk}/accept/", {}, content_type="application/json"
    )
    assert answer.status_code == 404


def test_nothing_is_made_of_it_before_both_are_done(
    written: DoubleAnnotation, corpus: Project, cast: Cast
):
    assert not list_scu_sets(corpus).exists()
    for author, user in zip(sides(written), (cast.ada, cast.ben), strict=True):
        double_service.mark_done(double=written, user=user, author=author)
    assert list_scu_sets(corpus).count() == 2


def test_each_queue_holds_what_its_author_was_given(
    double: DoubleAnnotation, cast: Cast, corpus: Project
):
    first = sides(double)[0].set
    assert [row.example.key for row in list_queue(first, cast.ada)] == ["e1", "e2"]
    progress.mark_written(unit_set=first, example=corpus.examples.get(key="e1"), user=cast.ada)
    assert [row.example.key for row in list_queue(first, cast.ada)] == ["e2"]
    for user in (cast.ben, cast.cleo, cast.owner):
        assert list_queue(first, user) == []
    step = find_writing(ProjectAccess(corpus, Role.ANNOTATOR, cast.ada))
    assert step is not None
    assert "twice A v1" in step.title


def test_it_is_neither_reviewed_nor_deleted_while_it_is_written(
    written: DoubleAnnotation, cast: Cast
):
    own = sides(written)[0].set
    for service in (sets_service.send_to_review, sets_service.delete_set):
        with pytest.raises(DomainError, match="double annotation"):
            service(unit_set=own, user=cast.owner)


# Done --------------------------------------------------------------------------------------------


def test_the_second_word_freezes_both_and_measures_agreement(written: DoubleAnnotation, cast: Cast):
    first, second = sides(written)
    double_service.mark_done(double=written, user=cast.ada, author=first)
    assert not DoubleAnnotation.objects.exclude(revealed_at=None).exists()
    double_service.mark_done(double=written, user=cast.ben, author=second)
    assert written.revealed_at is not None
    assert all(author.set.is_frozen for author in sides(written))
    found = written.agreement
    assert (found["examples"], found["total"]["matched"]) == (1, 1)
    assert found["f1"]["value"] == pytest.approx(2 / 3)
    # Of the words dam, burst, Monday, Nobody, hurt the first author covers two and Ben four.
    counts = [found["total"][name] for name in ("both", "one", "neither")]
    assert counts[0] == 2
    assert counts[1] == 2
    told = Notification.objects.filter(text__contains="can be compared and merged")
    assert {row.user for row in told} >= {cast.ada, cast.owner}


def test_who_is_done_changes_nothing_until_they_go_on(
    written: DoubleAnnotation, cast: Cast, e1: Example
):
    first = sides(written)[0]
    double_service.mark_done(double=written, user=cast.ada, author=first)
    with pytest.raises(DomainError, match="marked as done"):
        act(first.set, e1, cast.ada, create("It rained."))
    double_service.mark_done(double=written, user=cast.ada, author=first, done=False)
    act(first.set, e1, cast.ada, create("It rained."))
    assert live(first.set, e1) == ["The dam burst.", "It rained."]


def test_neither_author_ends_the_others_writing(written: DoubleAnnotation, cast: Cast):
    first, second = sides(written)
    factories_owner = written.project.memberships.get(user=cast.ben)
    factories_owner.role = Role.OWNER
    factories_owner.save()
    with pytest.raises(Forbidden):
        double_service.mark_done(double=written, user=cast.ben, author=first)
    with pytest.raises(Forbidden):
        double_service.mark_done(double=written, user=cast.cleo, author=second)
    double_service.mark_done(double=written, user=cast.owner, author=second)
    assert DoubleAuthor.objects.get(pk=second.pk).done_at


def test_an_empty_or_unwritten_set_is_not_done(double: DoubleAnnotation, cast: Cast, e1: Example):
    first = sides(double)[0]
    with pytest.raises(DomainError, match="no units"):
        double_service.mark_done(double=double, user=cast.ada, author=first)
    act(first.set, e1, cast.ada, create(""))
    with pytest.raises(DomainError, match="without text"):
        double_service.mark_done(double=double, user=cast.ada, author=first)


def test_its_owner_deletes_it_with_both_sets(written: DoubleAnnotation, cast: Cast):
    double_service.delete_double(double=written, user=cast.owner)
    assert not DoubleAuthor.objects.exists()
    assert not UnitSet.objects.filter(name__startswith="twice").exists()
    assert "deleted the double annotation twice" in Activity.objects.latest("pk").text


def test_a_finished_one_stays(revealed: DoubleAnnotation, cast: Cast):
    with pytest.raises(DomainError, match="is finished"):
        double_service.delete_double(double=revealed, user=cast.owner)


@pytest.mark.parametrize(
    "changes",
    [
        {"first": 3, "last": 2},
        {"first": 9, "last": 9},
        {"last": 501},
        {"name": " "},
        {"name": "draft"},
        {"authors": "one"},
    ],
)
def test_it_is_not_started_with_what_makes_no_sense(
    corpus: Project, cast: Cast, draft: UnitSet, changes: dict[str, Any]
):
    given: dict[str, Any] = {"name": "new", "first": 1, "last": 2, "authors": [cast.ada, cast.ben]}
    if changes.pop("authors", None):
        given["authors"] = [cast.ada, cast.ada]
    with pytest.raises(DomainError):
        double_service.create_double(project=corpus, user=cast.owner, **{**given, **changes})
    assert not DoubleAnnotation.objects.exists()
    assert list(UnitSet.objects.all()) == [draft]


# Side by side, and merged ------------------------------------------------------------------------


def test_units_stand_side_by_side(revealed: DoubleAnnotation, e1: Example):
    pair, single = double_queries.compare_example(revealed, e1)
    assert (str(pair.first), str(pair.second)) == ("The dam burst.", "A dam burst.")
    assert pair.likeness == pytest.approx(2 / 3)
    assert (single.first, str(single.second)) == (None, "Nobody was hurt.")


def test_nothing_is_compared_before_both_are_done(written: DoubleAnnotation, e1: Example):
    with pytest.raises(DomainError, match="still being written"):
        double_queries.compare_example(written, e1)


def merge(double: DoubleAnnotation, example: Example, user: User, *units: MergedUnit) -> UnitSet:
    return double_service.merge_double(double=double, example=example, user=user, units=units)


def test_a_third_member_merges_and_units_stand_on_all_words(
    revealed: DoubleAnnotation, cast: Cast, e1: Example
):
    pair, single = double_queries.compare_example(revealed, e1)
    assert pair.first
    assert pair.second
    assert single.second
    chosen = MergedUnit("The dam burst.", (pair.first.pk, pair.second.pk))
    merged = merge(
        revealed, e1, cast.cleo, chosen, MergedUnit("Nobody was hurt.", (single.second.pk,))
    )
    assert str(merged) == "twice v1"
    assert live(merged, e1) == ["The dam burst.", "Nobody was hurt."]
    unit = Unit.objects.get(set=merged, text="The dam burst.")
    assert [(part.start, part.end) for part in unit.contributors.all()] == [(0, 14)]
    row = merged.assignments.get(example=e1)
    assert (row.state, row.author) == ("written", cast.cleo)
    assert merge(revealed, e1, cast.cleo, chosen) == merged
    assert live(merged, e1) == ["The dam burst."]


def test_authors_do_not_merge(revealed: DoubleAnnotation, cast: Cast, e1: Example):
    with pytest.raises(Forbidden):
        merge(revealed, e1, cast.ada, MergedUnit("The dam burst.", ()))


def test_units_of_elsewhere_are_not_merged(
    revealed: DoubleAnnotation, cast: Cast, draft: UnitSet, e1: Example
):
    other = factories.add_unit(draft, e1, cast.owner, "It rained.")
    with pytest.raises(DomainError):
        merge(revealed, e1, cast.cleo, MergedUnit("It rained.", (other.pk,)))
    with pytest.raises(Invalid):
        merge(revealed, e1, cast.cleo, MergedUnit("  ", ()))
    assert revealed.merged is None or not live(revealed.merged, e1)


# Pages and REST ----------------------------------------------------------------------------------


def test_its_pages_lead_from_the_start_to_the_merged_set(
    as_owner: Client, cast: Cast, e1: Example, corpus: Project
):
    fields = {"name": "twice", "first": 1, "last": 2}
    people = {"first_author": cast.ada.pk, "second_author": cast.ben.pk}
    response = as_owner.post("/p/study/units/double/", fields | people)
    double = DoubleAnnotation.objects.get()
    home = f"/p/study/units/double/{double.pk}/"
    assert response["Location"] == home
    write(double, cast, e1)
    assert "Continue writing" in page_of(sign_in(cast.ada).get(home)).text
    for author, user in zip(sides(double), (cast.ada, cast.ben), strict=True):
        there = f"{home}authors/{author.pk}/done/"
        assert sign_in(user).post(there).status_code == 302
    page = page_of(sign_in(cast.cleo).get(home))
    assert "0.667" in page.text
    compare = f"{home}examples/{e1.pk}/"
    assert compare in page.links
    texts = page_of(sign_in(cast.ada).get(compare)).text
    assert "Merge units" not in texts
    cleo = sign_in(cast.cleo)
    sent = {"choice-0": "second", "text-0": "", "choice-1": "keep", "text-1": "No one was hurt."}
    assert cleo.post(compare, sent)["Location"] != compare
    merged = UnitSet.objects.get(name="twice")
    assert live(merged, e1) == ["A dam burst.", "No one was hurt."]
    both = {"choice-0": "both", "choice-1": "none"}
    cleo.post(compare, both)
    assert live(merged, e1) == ["The dam burst.", "A dam burst."]
    assert sign_in(cast.ada).post(compare, both).status_code == 403


def test_what_was_chosen_stays_when_merging_is_refused(
    revealed: DoubleAnnotation, cast: Cast, e1: Example, monkeypatch: pytest.MonkeyPatch
):
    def refuse(**given: Any) -> None:
        raise DomainError("Not now.")

    monkeypatch.setattr(double_service, "merge_double", refuse)
    there = f"/p/study/units/double/{revealed.pk}/examples/{e1.pk}/"
    response = sign_in(cast.cleo).post(there, {"choice-0": "second", "text-0": "Mine."})
    assert response.status_code == 409
    assert 'value="Mine."' in page_of(response, 409).html
    assert response.context["rows"][0]["choice"] == "second"


def test_the_form_starts_with_the_whole_corpus(as_owner: Client, cast: Cast, corpus: Project):
    form = as_owner.get("/p/study/units/double/").context["form"]
    assert (form["first"].value(), form["last"].value()) == (1, corpus.example_count)


def test_the_form_keeps_what_was_sent(as_owner: Client, cast: Cast):
    fields = {"name": "twice", "first": 2, "last": 1}
    people = {"first_author": cast.ada.pk, "second_author": cast.ada.pk}
    response = as_owner.post("/p/study/units/double/", fields | people)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"second_author", "last"}


def test_rest_goes_the_same_way(cast: Cast, e1: Example, corpus: Project):
    def client(user: User) -> Callable[..., Any]:
        own = sign_in(user)
        return lambda verb, path, body=None: getattr(own, verb)(
            f"{API}double-annotations/{path}", body, content_type="application/json"
        ).json()

    owner, cleo = client(cast.owner), client(cast.cleo)
    body = {"name": "twice", "authors": [cast.ada.pk, cast.ben.pk], "first": 1, "last": 2}
    made = owner("post", "", body)
    write(DoubleAnnotation.objects.get(), cast, e1)
    for author, user in zip(made["authors"], (cast.ada, cast.ben), strict=True):
        made = client(user)("post", f"{made['id']}/done/", {"author": author["id"]})
    assert made["agreement"]["f1"]["value"] == pytest.approx(2 / 3)
    there = f"{made['id']}/examples/{e1.pk}/"
    pair, single = sign_in(cast.cleo).get(f"{API}double-annotations/{there}").json()
    assert pair["second"]["text"] == "A dam burst."
    units = [{"text": "Nobody was hurt.", "sources": [single["second"]["id"]]}]
    merged = cleo("put", there, {"units": units})
    assert (merged["name"], merged["state"]) == ("twice", "draft")
    assert client(cast.ada)("put", there, {"units": units})["error"]["code"] == "forbidden"
