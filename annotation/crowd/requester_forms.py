"""What staff and owners of projects fill in about requesters."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotation.corpora.models import Project, User
from annotation.crowd.market import money
from annotation.crowd.market.batches import TableError, read_table
from annotation.crowd.models import HitLayout
from annotation.crowd.selectors import requesters as selectors
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

DAY = 86_400
MOST_TABLE_BYTES = 2 * 2**20


class RequesterForm(forms.Form):
    name = forms.CharField(
        max_length=120, help_text=gettext_lazy("Workers see it next to the work.")
    )
    project = forms.ModelChoiceField(
        queryset=Project.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label=gettext_lazy("No project"),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "requester-%s", **kwargs})
        project = cast("forms.ModelChoiceField[Project]", self.fields["project"])
        project.queryset = selectors.list_projects_without(user)
        if not user.is_staff:
            project.required, project.empty_label = True, None


class LayoutForm(forms.Form):
    name = forms.CharField(max_length=120)
    html = forms.CharField(
        label="HTML",
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Write placeholders as ${name}. A page without a form gets one, with a Submit button."
        ),
    )
    frame_height = forms.IntegerField(
        min_value=0,
        max_value=10_000,
        initial=0,
        label=gettext_lazy("Frame height in pixels"),
        help_text=gettext_lazy("0 uses the whole window."),
    )


class BatchForm(forms.Form):
    """HITs of a layout. The second page sends the table back as text."""

    title = forms.CharField(max_length=128)
    description = forms.CharField(max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
    keywords = forms.CharField(max_length=1000, required=False)
    reward = forms.DecimalField(
        min_value=0,
        max_value=money.MOST,
        decimal_places=2,
        label=gettext_lazy("Reward per assignment ($)"),
    )
    assignments = forms.IntegerField(
        min_value=1, max_value=1000, initial=1, label=gettext_lazy("Assignments per HIT")
    )
    minutes = forms.IntegerField(
        min_value=1, max_value=10_000, initial=60, label=gettext_lazy("Minutes per assignment")
    )
    days = forms.IntegerField(
        min_value=1, max_value=365, initial=7, label=gettext_lazy("Days until the HITs expire")
    )
    approval_days = forms.IntegerField(
        min_value=0, max_value=30, initial=3, label=gettext_lazy("Days until auto-approval")
    )
    table = forms.FileField(
        label=gettext_lazy("CSV file"),
        help_text=gettext_lazy(
            "The first line names the placeholders. Each line after it becomes one HIT."
        ),
    )
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, layout: HitLayout, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.layout = layout
        self.fields["table"].required = not self.data.get("text")
        self.rows: list[dict[str, str]] = []

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        file = data.get("table")
        try:
            if file is not None:
                data["text"] = _read_text(file)
            if data.get("text"):
                self.rows = read_table(self.layout, data["text"])
        except TableError as error:
            self.add_error("table", str(error))
        return data

    @property
    def hit(self) -> dict[str, Any]:
        """The parameters of CreateHIT, without layout and values."""
        data = self.cleaned_data
        return {
            "Title": data["title"],
            "Description": data["description"],
            "Keywords": data["keywords"],
            "Reward": f"{data['reward']:.2f}",
            "MaxAssignments": data["assignments"],
            "AssignmentDurationInSeconds": data["minutes"] * 60,
            "LifetimeInSeconds": data["days"] * DAY,
            "AutoApprovalDelayInSeconds": data["approval_days"] * DAY,
        }


def _read_text(file: UploadedFile) -> str:
    if (file.size or 0) > MOST_TABLE_BYTES:
        raise TableError(
            _("The file is larger than {most_table_bytes} MB.").format(
                most_table_bytes=MOST_TABLE_BYTES // 2**20
            )
        )
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableError(_("The file isn't UTF-8 text. Save it as UTF-8.")) from error


class DepositForm(forms.Form):
    amount = forms.DecimalField(
        min_value=Decimal("0.01"),
        max_value=money.MOST,
        decimal_places=2,
        label=gettext_lazy("Amount to add (US dollars)"),
        help_text=gettext_lazy("This only records what may be spent. No money is transferred."),
    )
    note = forms.CharField(
        max_length=200,
        label=gettext_lazy("Where the money comes from"),
        help_text=gettext_lazy("For example: grant 4711, bank transfer on 3 May."),
    )
    key = forms.UUIDField(widget=forms.HiddenInput)
