"""A requester's webhooks: how each is doing, and what its owner can do about it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import require_staff
from annotation.corpora.accounts.models import AttemptKind, User
from annotation.corpora.accounts.sign_in import count_attempt, user_key
from annotation.corpora.forms import KeyForm
from annotation.corpora.projects.access import stay_here, user_of
from annotation.corpora.projects.models import Project
from annotation.crowd.market import deliveries, money, requesters
from annotation.crowd.market.batches import TableError, read_table
from annotation.crowd.market.messages import mark_questions_read
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import HitLayout
from annotation.crowd.requesters import queries
from annotation.crowd.requesters.queries import get_requester, get_webhook, list_webhooks
from annotation.crowd.review.queries import page_threads
from annotation.errors import Invalid
from annotation.headers import attach_as
from annotation.translation import gettext_lazy


@login_required
@never_cache
@require_safe
def webhooks(request: HttpRequest, pk: int) -> HttpResponse:
    requester = get_requester(user_of(request), pk)
    context = {
        "requester": requester,
        "webhooks": list_webhooks(requester),
        "days": deliveries.GIVEN_UP_AFTER.days,
        "seconds": deliveries.SECONDS,
    }
    return render(request, "crowd/webhooks.html", context)


@login_required
@require_POST
def retry_webhook(request: HttpRequest, pk: int, webhook: int) -> HttpResponse:
    found = get_webhook(get_requester(user_of(request), pk), webhook)
    waiting = deliveries.retry_webhook(webhook=found)
    messages.success(request, deliveries.describe_waiting(waiting))
    return redirect("crowd:webhooks", pk)


@login_required
@require_POST
def disable_webhook(request: HttpRequest, pk: int, webhook: int) -> HttpResponse:
    found = get_webhook(get_requester(user_of(request), pk), webhook)
    deliveries.disable_webhook(webhook=found)
    messages.success(
        request, _("Webhook disabled. No more events are sent to {found}.").format(found=found)
    )
    return redirect("crowd:webhooks", pk)


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
        project.queryset = queries.list_projects_without(user)
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


NEW_KEY = "new_requester_key"


@login_required
@require_POST
def create_requester(request: HttpRequest) -> HttpResponse:
    """By staff, or by an owner for their project; the requester belongs to that project then."""
    user = user_of(request)
    requesters.check_may_create_some(user)
    form = RequesterForm(user, request.POST)
    if not form.is_valid():
        raise Invalid(
            _("A requester needs a name of 1 to 120 characters, and one of your projects."),
            _("Fill in the name and choose a project that has no requester yet."),
        )
    project = form.cleaned_data["project"]
    made = requesters.create_requester(
        name=form.cleaned_data["name"],
        project=project,
        owner=None if project else user,
        user=user,
    )
    return redirect("crowd:requester", made.pk)


@login_required
@never_cache
@require_safe
def requester(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, queries.get_requester(user_of(request), pk))


@login_required
@require_POST
def create_requester_key(request: HttpRequest, pk: int) -> HttpResponse:
    """The secret is shown on the next page, and not again."""
    user = user_of(request)
    found = queries.get_requester(user, pk)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _page(request, found, key_form=form)
    count_attempt(kind=AttemptKind.KEY, account=user_key(user))
    key = requesters.create_key(requester=found, user=user, **form.cleaned_data)
    request.session[NEW_KEY] = {"access_key": key.access_key, "secret": key.secret}
    return redirect("crowd:requester", pk)


@login_required
@require_POST
def revoke_requester_key(request: HttpRequest, pk: int, key: int) -> HttpResponse:
    """By its holder, and by everybody else who may use the requester."""
    found = queries.get_key(user_of(request), requester=pk, pk=key)
    requesters.revoke_key(key=found)
    page = reverse("crowd:requester", args=[pk])
    messages.success(request, _("The key {found} no longer works.").format(found=found))
    return redirect(stay_here(request, request.POST.get("next", ""), page))


@login_required
@require_POST
def deposit(request: HttpRequest, pk: int) -> HttpResponse:
    """Staff only. The form's key makes a second press of the same button add nothing."""
    user = user_of(request)
    found = queries.get_requester(user, pk)
    require_staff(user, money.STAFF_ONLY, money.ASK_STAFF)
    form = DepositForm(request.POST)
    if not form.is_valid():
        return _page(request, found, deposit_form=form)
    money.deposit(
        requester=found,
        amount=form.cleaned_data["amount"],
        note=form.cleaned_data["note"],
        user=user,
        key=f"deposit:{form.cleaned_data['key']}",
    )
    messages.success(
        request,
        _("${amount:.2f} was added to the budget.").format(amount=form.cleaned_data["amount"]),
    )
    return redirect("crowd:requester", pk)


@login_required
@require_safe
def requester_statement(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    found = queries.get_requester(user_of(request), pk)
    lines = queries.stream_statement(found)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    attach_as(response, f"budget-{found.pk}.csv")
    return response


def _page(request: HttpRequest, found: Requester, **shown: forms.Form) -> HttpResponse:
    new_key = request.session.pop(NEW_KEY, None)
    __, threads = page_threads(found.messages.all())
    if user_of(request) in queries.list_people(found):
        mark_questions_read(threads=threads)
    project = found.project
    context: dict[str, Any] = {
        "requester": found,
        "is_member": project and project.memberships.filter(user=user_of(request)).exists(),
        "keys": found.held_keys,
        "entries": queries.list_entries(found),
        "late": queries.list_late_work(found),
        "threads": threads,
        "deposit_form": DepositForm(initial={"key": uuid4()}),
        "key_form": KeyForm(),
        "staff": queries.list_staff(),
        "new_key": new_key,
        "example": _example(request, new_key),
        **shown,
    }
    status = 422 if any(form.errors for form in shown.values()) else 200
    return render(request, "crowd/requester.html", context, status=status)


def _example(request: HttpRequest, key: dict[str, str] | None) -> str:
    """A client for boto3, to be copied; with the secret while it is shown."""
    known = key or {"access_key": "…", "secret": "…"}
    return "\n".join(
        [
            "import boto3",
            "",
            "client = boto3.client(",
            '    "mturk",',
            f'    endpoint_url="{request.build_absolute_uri(reverse("crowd:mturk"))}",',
            '    region_name="us-east-1",',
            f'    aws_access_key_id="{known["access_key"]}",',
            f'    aws_secret_access_key="{known["secret"]}",',
            ")",
            'print(client.get_account_balance()["AvailableBalance"])',
        ]
    )
