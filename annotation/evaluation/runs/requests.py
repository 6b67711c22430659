"""What REST takes about runs of judges and texts to be scored."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.corpora.rest import Line, Text
from annotation.crowd.campaigns.requests import Strict
from annotation.evaluation.judges.offered import DEVICES, PRECISIONS
from annotation.evaluation.runs.models import EmptySummaries
from annotation.translation import gettext_lazy
from annotation.units.serializers import Flag, Whole
from scoring.judge import FUNCTIONS, Document

LONGEST_JUDGE = 300
LARGEST_WINDOW = 100_000
MOST_CHUNK = 10_000
MOST_DOCUMENTS = 500
MOST_UNITS = 500
LONGEST_SUMMARY = 20_000


class RunOptionsSerializer(Strict):
    """Options of the judge."""

    precision = serializers.ChoiceField(choices=PRECISIONS, required=False)
    device = serializers.ChoiceField(choices=DEVICES, required=False)
    window = Whole(
        max_value=LARGEST_WINDOW,
        required=False,
        help_text=gettext_lazy("In tokens. 0: the model's maximum."),
    )
    evidence = Flag(
        required=False,
        help_text=gettext_lazy("Also find the sentence with the strongest evidence."),
    )
    revision = Line(max_length=100, required=False, allow_blank=True)


class NewRunSerializer(Strict):
    unit_set = Whole(min_value=1, help_text=gettext_lazy("A frozen unit set."))
    judge = Line(
        max_length=LONGEST_JUDGE,
        help_text=gettext_lazy("A preset, a folder on the server, or owner/model."),
    )
    function = serializers.ChoiceField(
        choices=list(FUNCTIONS),
        required=False,
        help_text=gettext_lazy("Default: the judge's default."),
    )
    systems = serializers.ListField(
        child=Line(max_length=200),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Default: all systems."),
    )
    empty = serializers.ChoiceField(choices=EmptySummaries.choices, required=False)
    options = RunOptionsSerializer(required=False)
    chunk_size = Whole(min_value=1, max_value=MOST_CHUNK, required=False)
    note = Line(max_length=300, required=False, allow_blank=True)


class DocumentSerializer(Strict):
    name = Line(max_length=200, required=False)
    units = serializers.ListField(child=Text(max_length=1000), min_length=1, max_length=MOST_UNITS)
    summary = Text(max_length=LONGEST_SUMMARY, allow_blank=True)
    weights = serializers.ListField(
        child=Whole(min_value=1, max_value=1000), required=False, max_length=MOST_UNITS
    )
    labels = serializers.ListField(
        child=Whole(max_value=1, allow_null=True), required=False, max_length=MOST_UNITS
    )


class ScoreTextsSerializer(Strict):
    judge = Line(
        max_length=LONGEST_JUDGE, help_text=gettext_lazy("A fast judge: embedded or lexical.")
    )
    function = serializers.ChoiceField(
        choices=list(FUNCTIONS),
        required=False,
        help_text=gettext_lazy("Default: all functions of the judge."),
    )
    empty = serializers.ChoiceField(choices=EmptySummaries.choices, required=False)
    documents = serializers.ListField(
        child=DocumentSerializer(), min_length=1, max_length=MOST_DOCUMENTS
    )


def read_documents(rows: list[dict[str, Any]]) -> list[Document]:
    """Those without a name are called by their number."""
    return [
        Document(
            name=row.get("name") or _("Document {number}").format(number=number),
            units=tuple(row["units"]),
            summary=row["summary"],
            weights=tuple(row.get("weights", ())),
            labels=tuple(row.get("labels", ())),
        )
        for number, row in enumerate(rows, 1)
    ]
