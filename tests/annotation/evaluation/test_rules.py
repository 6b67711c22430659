"""The rules of kept labels lead back to the page where rules are tried."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.labels.forms import RULE_FIELDS, WhatIfForm
from annotation.evaluation.labels.models import LabelOrigin, LabelSet
from annotation.evaluation.labels.queries import SWITCHES, ask_again
from scoring.aggregation import FilterStep, Recipe

RECIPES = [
    Recipe(),
    Recipe((FilterStep("per-worker", {"min_hits": 12, "max_disagreement": 0.25}),), tie="present"),
    Recipe((FilterStep("gold", {"min_right": 0.75}), FilterStep("per-summary", {})), seed=7),
    Recipe((FilterStep("fast", {"min_seconds": 1.5}),), vote="wawa"),
    Recipe((FilterStep("straight-lining", {"min_statements": 6}),)),
]


@pytest.mark.parametrize("recipe", RECIPES)
def test_it_asks_for_the_same_rules(recipe: Recipe, labelled: LabelSet, judged: Campaign):
    labelled.recipe = recipe.to_json()
    form = WhatIfForm([judged], QueryDict(urlsplit(ask_again(labelled)).query))
    assert form.is_valid(), form.errors
    assert form.recipe() == recipe
    assert [row.pk for row in form.cleaned_data["campaign"]] == [judged.pk]


def test_it_knows_every_rule_of_the_page():
    switches = {switch: tuple(scales) for switch, scales in SWITCHES.values()}
    assert switches == dict(RULE_FIELDS)


def test_it_asks_nothing_of_labels_from_files(labelled: LabelSet, owner: User):
    made = LabelSet.objects.create(
        project=labelled.project, unit_set=labelled.unit_set, version=9, origin=LabelOrigin.FILES
    )
    assert ask_again(made) == ""


def test_it_names_the_campaigns(labelled: LabelSet, judged: Campaign):
    assert parse_qs(urlsplit(ask_again(labelled)).query)["campaign"] == [str(judged.pk)]
