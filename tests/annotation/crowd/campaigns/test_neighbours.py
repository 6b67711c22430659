"""The preview goes from summary to summary of a campaign, and reads none in between."""

from __future__ import annotations

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns import steps
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.judging_page.question import get_neighbours
from annotation.units.sets.models import SetState, UnitSet
from tests import factories
from tests.annotation.crowd.campaigns.playing import make_campaign
from tests.annotation.crowd.campaigns.test_sums import noted


def walk(campaign: Campaign) -> list[int]:
    """From the first summary to the last; and back the same way."""
    first = Summary.objects.filter(example__project=campaign.project).order_by("pk")
    row: Summary | None = first[0]
    seen: list[int] = []
    while row is not None:
        before, after = get_neighbours(campaign, row)
        assert (before.pk if before else None) == (seen[-1] if seen else None)
        seen.append(row.pk)
        row = after
    return seen


def test_it_goes_through_all_summaries(campaign: Campaign):
    rows = Summary.objects.filter(example__project=campaign.project)
    assert walk(campaign) == list(rows.order_by("example", "system").values_list("pk", flat=True))


def test_it_leaves_out_what_is_not_chosen_and_other_projects(
    frozen: UnitSet, owner: User, outsider: User
):
    campaign = make_campaign(frozen, owner)
    first, _, last = frozen.project.examples.order_by("pk")
    system = frozen.project.systems.order_by("pk")[0]
    scope = {"systems": [system.pk], "examples": [first.pk, last.pk]}
    Campaign.objects.filter(pk=campaign.pk).update(scope=scope)
    campaign.refresh_from_db()
    mine = Summary.objects.filter(system=system, example__in=[first, last]).order_by("example")
    assert get_neighbours(campaign, mine[0]) == (None, mine[1])
    assert get_neighbours(campaign, mine[1]) == (mine[0], None)


def test_it_skips_examples_without_units(corpus: Project, owner: User):
    unit_set = factories.make_set(corpus, owner)
    first, _, third = corpus.examples.order_by("pk")
    for row in (first, third):
        factories.add_units(unit_set, row, owner, "The dam burst.")
    factories.freeze(unit_set, owner)
    unit_set.refresh_from_db()
    campaign = make_campaign(unit_set, owner)
    last_of_first = first.summaries.order_by("-system")[0]
    beside = get_neighbours(campaign, last_of_first)[1]
    assert beside is not None
    assert beside.example_id == third.pk
    campaign.unit_set.state = SetState.DRAFT
    assert get_neighbours(campaign, last_of_first)[1] == beside


@pytest.mark.parametrize("last", [False, True])
def test_it_looks_at_no_list_of_units(campaign: Campaign, last: bool):
    rows = Summary.objects.filter(example__project=campaign.project).order_by("pk")
    row = rows.last() if last else rows.first()
    assert row is not None
    with noted() as statements:
        get_neighbours(campaign, row)
    assert not any('IN (SELECT U0."example_id"' in sql for sql in statements)


def test_a_draft_says_what_is_left_out_once(campaign: Campaign):
    steps.list_warnings(campaign)
    with noted() as statements:
        steps.list_warnings(campaign)
    assert not any('FROM "corpora_summary"' in sql for sql in statements)
