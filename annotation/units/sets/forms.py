"""What people fill in about unit sets.

- A set of units as the answer to a request; pages and REST send the same.
"""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.service import record_export
from annotation.corpora.projects.models import Project
from annotation.headers import attach_as
from annotation.translation import gettext_lazy
from annotation.units.files.queries import (
    UNIT_FILE_FORMATS,
    UnitFileFormat,
    get_only_peer,
    get_unit_format,
    stream_units,
)
from annotation.units.files.service import make_provenance
from annotation.units.sets.models import Unit, UnitKind, UnitSet, Weighting
from annotation.units.studio.queries import list_writers
from scoring.io.units import Provenance, peer_file_name
from scoring.linting import RULES


class UnitSetForm(forms.Form):
    name = forms.CharField(max_length=80, help_text=gettext_lazy("For example, SCUs."))


class StudioSettingsForm(forms.Form):
    weighting = forms.ChoiceField(
        choices=Weighting.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Applies to new sets."),
    )
    rules = forms.MultipleChoiceField(
        label=gettext_lazy("Active linter rules"),
        required=False,
        choices=[(rule_id, rule.title) for rule_id, rule in RULES.items()],
        widget=forms.CheckboxSelectMultiple,
    )


class AssignForm(forms.Form):
    """Examples by their numbers in the corpus, to an author, a reviewer or both."""

    first = forms.IntegerField(min_value=1, label=gettext_lazy("First example"))
    last = forms.IntegerField(min_value=1, label=gettext_lazy("Last example"))
    author = forms.ModelChoiceField(
        User.objects.none(), required=False, empty_label=gettext_lazy("no change")
    )
    reviewer = forms.ModelChoiceField(
        User.objects.none(), required=False, empty_label=gettext_lazy("no change")
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("author", "reviewer"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = list_writers(project)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("author") and not data.get("reviewer"):
            self.add_error("author", _("Choose an author, a reviewer or both."))
        if data.get("author") and data.get("author") == data.get("reviewer"):
            self.add_error(
                "reviewer", _("Authors can’t review their own units. Choose someone else.")
            )
        if data.get("first", 1) > data.get("last", 1):
            self.add_error("last", _("The last example must not come before the first."))
        return data


class FreezeForm(forms.Form):
    reason = forms.CharField(
        max_length=300,
        required=False,
        help_text=gettext_lazy(
            "Why freeze the set before every example was checked by a second person?"
        ),
    )


class UnitImportForm(forms.Form):
    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Name of the new set"),
        help_text=gettext_lazy("For example, SCUs or STUs."),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("One file, or a zip of .pyr or .pan files."),
    )
    format = forms.ChoiceField(
        required=False,
        choices=[
            ("", gettext_lazy("Detect automatically")),
            *((item.value, item.label) for item in UNIT_FILE_FORMATS),
        ],
    )
    kind = forms.ChoiceField(
        required=False,
        choices=[("", gettext_lazy("From the file")), *UnitKind.choices],
        help_text=gettext_lazy("Used for units for which the file gives no kind."),
    )
    extractor = forms.CharField(
        max_length=80,
        required=False,
        help_text=gettext_lazy("The program that extracted the STUs. Leave empty for SCUs."),
    )
    extractor_version = forms.CharField(
        max_length=120, required=False, label=gettext_lazy("Extractor version")
    )
    # Of a button: the file that was checked before, and is still here.
    anyway = forms.CharField(required=False, max_length=36)

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(data, *args, **kwargs)
        self.fields["file"].required = not (data and data.get("anyway"))

    def provenance(self) -> Provenance:
        """What the person entered about the file."""
        names = ("kind", "extractor", "extractor_version")
        return make_provenance(**{name: self.cleaned_data[name] for name in names})


class DoubleForm(forms.Form):
    """Two authors, and the examples that both write."""

    name = forms.CharField(
        max_length=78,
        help_text=gettext_lazy(
            "Name of the merged set. The authors’ sets get the suffixes A and B."
        ),
    )
    first_author = forms.ModelChoiceField(User.objects.none())
    second_author = forms.ModelChoiceField(User.objects.none())
    first = forms.IntegerField(min_value=1, label=gettext_lazy("First example"), initial=1)
    last = forms.IntegerField(min_value=1, label=gettext_lazy("Last example"))

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first_author", "second_author"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = list_writers(project)
        examples = _("By position in the corpus, from 1 to {example_count:,}.").format(
            example_count=project.example_count
        )
        self.fields["first"].help_text = self.fields["last"].help_text = examples
        self.fields["last"].initial = project.example_count or None

    def arguments(self) -> dict[str, Any]:
        """As `create_double` takes them."""
        data = self.cleaned_data
        authors = [data["first_author"], data["second_author"]]
        return {**{name: data[name] for name in ("name", "first", "last")}, "authors": authors}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("first_author") and data.get("first_author") == data.get("second_author"):
            self.add_error("second_author", _("Choose a different person from the first author."))
        if data.get("first", 1) > data.get("last", data.get("first", 1)):
            self.add_error("last", _("The last example must not come before the first."))
        return data


SINGLE_PAN = "application/xml"


def units_response(unit_set: UnitSet, format: str) -> StreamingHttpResponse:
    chosen = get_unit_format(format)
    blocks = stream_units(unit_set, format)
    record_export(project=unit_set.project, what=str(unit_set), format=format, target=unit_set)
    only = get_only_peer(unit_set) if format == "pan" else None
    if only is None:
        media_type = chosen.media_type
        name = f"{unit_set.project.slug}-{unit_set.name}-v{unit_set.version}"
        name += _ending(unit_set, chosen)
    else:
        media_type, name = SINGLE_PAN, peer_file_name(only.example.key, only.name)
    response = StreamingHttpResponse(blocks, content_type=media_type)
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", name)
    attach_as(response, plain)
    return response


def _ending(unit_set: UnitSet, chosen: UnitFileFormat) -> str:
    """A line file is known by its name alone, so that says which units it holds."""
    if chosen.value != "lines":
        return f".{chosen.suffix}"
    has_scus = Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.SCU).exists()
    return "-SCUs.txt" if has_scus else "-STUs.txt"
