"""Qualification tests: statements with a known answer, scored at once, required by a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.crowd.campaigns.checks import MOST_REQUIREMENTS
from annotation.crowd.campaigns.models import Campaign, CampaignState
from annotation.crowd.campaigns.service import update_campaign
from annotation.crowd.providers import get_provider
from annotation.crowd.providers.requester_api import RequesterApi
from annotation.errors import DomainError, Invalid
from annotation.translation import gettext_lazy
from scoring.io import ProblemList
from scoring.io.judgements.cells import ANSWERS
from scoring.io.sheets import read_table
from scoring.io.source import Source

SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
MOST_ITEMS = 50
EXPECTED = gettext_lazy("present or absent.")
ITEM_COLUMNS = ("summary", "statement", "answer")
PAGE = 100


@dataclass(frozen=True, slots=True)
class QualificationItem:
    """A statement about a short text, and whether it is present in it."""

    summary: str
    statement: str
    present: bool


@dataclass(frozen=True, slots=True)
class KnownTest:
    """A test that exists at the crowd."""

    type_id: str
    name: str


def read_items(path: Path) -> list[QualificationItem]:
    """From a table with the columns summary, statement and answer."""
    problems, found = ProblemList(), []
    with Source(path) as source:
        table = read_table(source, path.name, problems)
        if not set(ITEM_COLUMNS) <= set(table.header):
            table.report_columns(problems, f"{', '.join(ITEM_COLUMNS)}.")
        for line, row in table.rows if not problems.count else ():
            present = ANSWERS.get(row["answer"].strip().lower())
            if present is None:
                problems.add(
                    path.name,
                    line,
                    _("The answer is '{answer}'.").format(answer=row["answer"]),
                    _("present or absent."),
                )
            else:
                found.append(QualificationItem(row["summary"], row["statement"], present))
    problems.raise_first()
    return found


def create_qualification_test(
    *,
    campaign: Campaign,
    user: User | None,
    name: str,
    description: str,
    items: Sequence[QualificationItem],
    pass_mark: int,
    seconds: int,
    retry_seconds: int | None = None,
) -> str:
    """Make the test at the campaign's crowd, and require at least so many per cent right.

    Returns the id of its qualification type.
    """
    provider = _get_provider(campaign)
    if not 1 <= len(items) <= MOST_ITEMS:
        raise Invalid(
            _("items: a test has 1 to {most_items} items.").format(most_items=MOST_ITEMS),
            _("Add at least one."),
        )
    if not 1 <= pass_mark <= 100:
        raise Invalid(_("pass_mark: expected a whole number from 1 to 100 (per cent)."))
    _refuse_too_many(campaign)
    params = {
        "Name": name.strip(),
        "Description": description.strip(),
        "QualificationTypeStatus": "Active",
        "Test": write_test(items),
        "AnswerKey": write_key(items),
        "TestDurationInSeconds": seconds,
        **({} if retry_seconds is None else {"RetryDelayInSeconds": retry_seconds}),
    }
    made = provider.call("CreateQualificationType", params)
    type_id = str(made["QualificationType"]["QualificationTypeId"])
    record_activity(
        project=campaign.project,
        actor=user,
        verb=Verb.CREATE,
        target=campaign,
        text=_("created the qualification test {name}").format(name=name.strip()),
    )
    require_test(campaign=campaign, user=user, type_id=type_id, pass_mark=pass_mark)
    return type_id


def require_test(*, campaign: Campaign, user: User | None, type_id: str, pass_mark: int) -> None:
    """Only those who passed may accept a HIT; everybody may preview it."""
    others = [row for row in campaign.requirements if row["QualificationTypeId"] != type_id]
    wanted = {
        "QualificationTypeId": type_id,
        "Comparator": "GreaterThanOrEqualTo",
        "IntegerValues": [pass_mark],
    }
    update_campaign(campaign=campaign, user=user, requirements=[*others, wanted])


def list_tests(campaign: Campaign) -> list[KnownTest]:
    """Tests of the campaign's requester, newest last."""
    provider = _get_provider(campaign)
    params = {"MustBeRequestable": True, "MustBeOwnedByCaller": True, "MaxResults": PAGE}
    found = provider.call("ListQualificationTypes", params).get("QualificationTypes", [])
    return [KnownTest(row["QualificationTypeId"], row["Name"]) for row in found if row.get("Test")]


def _get_provider(campaign: Campaign) -> RequesterApi:
    provider = get_provider(campaign)
    if campaign.state != CampaignState.DRAFT:
        raise DomainError(
            _("The campaign is published, so its requirements can't be changed."),
            _("Duplicate it."),
        )
    if not isinstance(provider, RequesterApi):
        raise DomainError(
            _("Qualification tests aren't available with {provider}.").format(
                provider=campaign.get_provider_display()
            ),
            _("Choose the marketplace or MTurk in the setup."),
        )
    return provider


def _refuse_too_many(campaign: Campaign) -> None:
    if len(campaign.requirements) >= MOST_REQUIREMENTS:
        raise DomainError(
            _("A campaign has at most {most_requirements} requirements.").format(
                most_requirements=MOST_REQUIREMENTS
            ),
            _("Remove one first."),
        )


def write_test(items: Sequence[QualificationItem]) -> str:
    """A QuestionForm with two choices for each item."""
    questions = "".join(
        f"<Question><QuestionIdentifier>q{number}</QuestionIdentifier>"
        f"<DisplayName>Statement {number}</DisplayName><IsRequired>true</IsRequired>"
        f"<QuestionContent><Title>Summary</Title><Text>{escape(item.summary)}</Text>"
        f"<Title>Statement</Title><Text>{escape(item.statement)}</Text></QuestionContent>"
        "<AnswerSpecification><SelectionAnswer><StyleSuggestion>radiobutton</StyleSuggestion>"
        "<Selections>"
        "<Selection><SelectionIdentifier>present</SelectionIdentifier>"
        "<Text>Present</Text></Selection>"
        "<Selection><SelectionIdentifier>absent</SelectionIdentifier>"
        "<Text>Not present</Text></Selection>"
        "</Selections></SelectionAnswer></AnswerSpecification></Question>"
        for number, item in enumerate(items, 1)
    )
    return f'<QuestionForm xmlns="{SCHEMAS}/2017-11-06/QuestionForm.xsd">{questions}</QuestionForm>'


def write_key(items: Sequence[QualificationItem]) -> str:
    """A point for each right answer; the value is the share of points in per cent."""
    questions = "".join(
        f"<Question><QuestionIdentifier>q{number}</QuestionIdentifier><AnswerOption>"
        f"<SelectionIdentifier>{'present' if item.present else 'absent'}</SelectionIdentifier>"
        "<AnswerScore>1</AnswerScore></AnswerOption></Question>"
        for number, item in enumerate(items, 1)
    )
    return (
        f'<AnswerKey xmlns="{SCHEMAS}/2005-10-01/AnswerKey.xsd">{questions}'
        "<QualificationValueMapping><PercentageMapping>"
        f"<MaximumSummedScore>{len(items)}</MaximumSummedScore>"
        "</PercentageMapping></QualificationValueMapping></AnswerKey>"
    )
