"""The labels of an example, as its page in the corpus shows them."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.access import ProjectAccess
from annotation.corpora.models import Example
from annotation.corpora.selectors.example_parts import EXAMPLE_PARTS, ExamplePart
from annotation.evaluation.models import LabelSet, SummaryLabels
from annotation.evaluation.selectors.pages_scores import Presence, get_presence
from annotation.evaluation.selectors.picked import list_summary_ids


@dataclass(frozen=True, slots=True)
class ExampleLabels:
    label_set: LabelSet
    presence: Presence


def describe_labels(access: ProjectAccess, example: Example) -> ExamplePart | None:
    """Those of the newest label set that has any for this example."""
    rows = SummaryLabels.objects.filter(
        summary__in=list_summary_ids([example.pk]), label_set__is_ready=True
    )
    newest = rows.select_related("label_set__unit_set").order_by("-label_set").first()
    if newest is None:
        return None
    names = rows.filter(label_set=newest.label_set).values_list("summary__system__name", flat=True)
    presence = get_presence(newest.label_set, example, sorted(names))
    about = ExampleLabels(newest.label_set, presence)
    return ExamplePart("evaluation/_example_part.html", about, "css/pages/evaluation-plots.css")


EXAMPLE_PARTS.append(describe_labels)
