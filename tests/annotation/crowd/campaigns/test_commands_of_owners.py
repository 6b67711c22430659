"""Commands with which an owner drafts a campaign, decides about work and tops up pay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Role
from annotation.crowd.campaigns.models import Assignment, AssignmentState, Campaign
from annotation.crowd.campaigns.service import update_campaign
from annotation.crowd.market.models_accounts import WorkerInvitation
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.wire import Wire
from tests.annotation.evaluation.commanding import run, run_json


def draft(*more: Any) -> dict[str, Any]:
    return run_json(
        "create_campaign", "--project", "study", "--set", "SCUs", "--name", "Shell", *more
    )


def test_it_drafts_a_campaign_with_settings(frozen: UnitSet, tmp_path: Path) -> None:
    factories.fund(frozen.project)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"reward": "0.30", "assignments_per_hit": 5}))
    said = draft(
        *("--file", settings, "--option", "assignments_per_hit=2"),
        *("--systems", "lead", "--examples", "e1", "e2"),
    )
    made = Campaign.objects.get(pk=said["campaign"])
    assert (float(made.reward), made.assignments_per_hit) == (0.3, 2)
    assert (said["hits"], said["assignments"], said["obstacles"]) == (2, 4, [])
    assert len(made.scope["examples"]) == 2
    changed = run_json("update_campaign", made.pk, "--option", "reward=0.10")
    assert float(changed["total"]) < float(said["total"])


@pytest.mark.parametrize(
    "options, problem",
    [
        (["--option", "rewards"], "not NAME=VALUE"),
        (["--option", "wages=3"], "no setting 'wages'"),
        (["--option", "reward=lots"], "reward: expected dollars"),
        (["--systems", "nobody"], "doesn't have 'nobody'"),
        (["--file", "{folder}/none.json"], "none.json"),
        (["--file", "{folder}/list.json"], "JSON object"),
    ],
)
def test_it_refuses_settings_that_are_not_known(
    options: list[str], problem: str, frozen: UnitSet, tmp_path: Path
) -> None:
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(CommandError, match=problem):
        draft(*(option.format(folder=tmp_path) for option in options))
    assert not Campaign.objects.exists()


def set_aside(campaign: Campaign) -> None:
    """Money for bonuses."""
    update_campaign(campaign=campaign, user=None, bonus_reserve="20.00", budget="40.00")
    campaign.refresh_from_db()


def test_it_decides_by_rule_and_one_by_one(campaign: Campaign, wire: Wire) -> None:
    set_aside(campaign)
    publish(campaign)
    work_off("ann", s1="present", s2="absent", giza_seconds="300")
    collect(campaign)
    first, *rest = Assignment.objects.order_by("pk").values_list("pk", flat=True)
    with pytest.raises(CommandError, match="needs a reason"):
        run("review_assignments", campaign.pk, "--action", "reject", "--assignment", first)
    about = ["--assignment", first, "--text", "Empty."]
    said = run_json("review_assignments", campaign.pk, "--action", "reject", *about)
    assert said["decided"] == 1
    said = run_json("review_assignments", campaign.pk, "--action", "approve", "--rule", "full")
    assert said["decided"] == len(rest)
    states = set(Assignment.objects.filter(pk__in=rest).values_list("state", flat=True))
    assert states == {AssignmentState.APPROVED}
    bonus = ["--assignment", rest[0], "--amount", "0.50", "--text", "Thank you."]
    assert run_json("review_assignments", campaign.pk, "--action", "bonus", *bonus)["decided"] == 1


def test_it_tops_up_what_was_agreed_and_no_other_sum(campaign: Campaign, wire: Wire) -> None:
    set_aside(campaign)
    publish(campaign)
    work_off("ann", s1="present", s2="absent")
    collect(campaign)
    Assignment.objects.update(seconds=300)
    run("review_assignments", campaign.pk, "--action", "approve", "--rule", "full")
    said = run_json("top_up", campaign.pk)
    assert (said["workers"], said["paid"]) == (1, False)
    with pytest.raises(CommandError, match="Nothing was paid"):
        run("top_up", campaign.pk, "--for", "0.01")
    assert run_json("top_up", campaign.pk, "--for", said["amount"])["paid"]
    assert run_json("top_up", campaign.pk)["workers"] == 0


def test_it_makes_a_link_for_workers_in_an_owners_name(frozen: UnitSet, owner: User) -> None:
    said = run_json("invite_workers", "--project", "study", "--uses", 4, "--note", "Pilot")
    made = WorkerInvitation.objects.get()
    assert (made.uses_left, made.created_by, made.project) == (4, owner, frozen.project)
    assert said["link"].endswith(f"{made.token}/")
    with pytest.raises(CommandError, match="--uses"):
        run("invite_workers", "--project", "study", "--uses", 0)
    other = factories.make_user("Other")
    factories.add_member(frozen.project, other, Role.OWNER)
    with pytest.raises(CommandError, match="2 owners"):
        run("invite_workers", "--project", "study")
    Membership.objects.filter(user=other).update(role=Role.EDITOR)
    with pytest.raises(CommandError, match="other@example.org"):
        run("invite_workers", "--project", "study", "--by", other.email)
