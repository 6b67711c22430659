"""Signing in and out, invitations, the account page and its keys.

- Changing a password, and setting a new one when the old one is forgotten.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.corpora.accounts import service
from annotation.corpora.accounts import sign_in as accounts_sign_in
from annotation.corpora.accounts.models import ApiToken, AttemptKind, User
from annotation.corpora.accounts.service import create_reset_link, request_reset
from annotation.corpora.accounts.sign_in import (
    WrongCode,
    address_of,
    begin_sign_in,
    has_second_factor,
)
from annotation.corpora.accounts.views_second_factor import ask_for_code
from annotation.corpora.activity.queries import list_own_acts
from annotation.corpora.forms import (
    AccountForm,
    EmailForm,
    NewPasswordForm,
    PasswordForm,
    SignInForm,
    SignUpForm,
    TokenForm,
)
from annotation.corpora.notifications.queries import list_mail_choices
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.access import sent, staff_view, user_of
from annotation.corpora.projects.models import Invitation, Role
from annotation.corpora.projects.queries import get_invitation
from annotation.errors import DomainError, NotFound, TooMany
from annotation.unsent import leave_sign_in, read_unsent

NEW_TOKEN = "new_token"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    target = request.POST.get("next") or request.GET.get("next") or ""
    if request.user.is_authenticated:
        return leave_sign_in(request, target)
    form, unsent = SignInForm(sent(request)), read_unsent(request)
    status = 200 if request.method == "GET" else 422
    if request.method == "POST" and form.is_valid():
        try:
            user = authenticate(request, **form.cleaned_data)
        except TooMany as error:
            form.add_error(None, error.message)
            status = error.status
        else:
            if user is not None:
                assert isinstance(user, User)
                if begin_sign_in(request, user):
                    return leave_sign_in(request, target)
                return ask_for_code(request, target, unsent)
            form.add_error(None, _("The e-mail address or password is wrong."))
    context = {"form": form, "next": target, "unsent": unsent}
    return render(request, "corpora/sign_in.html", context, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("corpora:sign_in")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    found = get_invitation(token)
    if found is None:
        raise NotFound(
            _("This invitation was withdrawn, or its link is incomplete."), _("Ask for a new one.")
        )
    form = None if request.user.is_authenticated else SignUpForm(sent(request))
    if request.method == "POST" and (form is None or form.is_valid()):
        try:
            return _join(request, found, form)
        except DomainError as error:
            if form is None:
                raise
            form.add_error(None, f"{error.message} {error.hint}")
    here = urlencode({"next": request.path})
    context = {
        "invitation": found,
        "role": Role(found.role),
        "form": form if found.is_open else None,
        "sign_in_url": f"{reverse('corpora:sign_in')}?{here}",
    }
    status = 422 if form is not None and form.errors else 200
    return render(request, "corpora/invitation.html", context, status=status)


def _join(request: HttpRequest, found: Invitation, form: SignUpForm | None) -> HttpResponse:
    if not found.is_open:
        raise DomainError(_("This invitation is no longer valid."), _("Ask for a new link."))
    if form is not None:
        accounts_sign_in.count_attempt(kind=AttemptKind.SIGN_UP, address=address_of(request))
    with transaction.atomic():
        user = user_of(request) if form is None else service.sign_up(**form.cleaned_data)
        projects_service.accept_invitation(invitation=found, user=user)
    if form is not None:
        begin_sign_in(request, user)
    messages.success(request, _("Welcome to {project}.").format(project=found.project))
    return redirect("corpora:project", found.project.slug)


@sensitive_post_parameters("password", "code")
@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = _account_form(user, sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            service.update_account(user=user, **form.cleaned_data)
        except service.WrongPassword:
            form.add_error(
                "password", _("Enter your current password to change your e-mail address.")
            )
        except WrongCode as error:
            form.add_error("code", error.message)
        except TooMany:
            raise
        except DomainError as error:
            form.add_error("email", error.message)
            user.refresh_from_db()
        else:
            messages.success(request, "Saved.")
            return redirect("corpora:account")
    return _account_page(request, form=form)


@sensitive_post_parameters()
@login_required
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = PasswordForm(user, request.POST)
    if not form.is_valid():
        return _account_page(request, password_form=form)
    try:
        service.confirm_password(user=user, password=form.cleaned_data["current"])
    except service.WrongPassword as error:
        form.add_error("current", error.message)
        return _account_page(request, password_form=form)
    revoke = form.cleaned_data["revoke_keys"]
    service.change_password(user=user, password=form.cleaned_data["new"], revoke_keys=revoke)
    update_session_auth_hash(request, user)
    told = (
        _("Your other sessions were signed out and all your keys revoked.")
        if revoke
        else _("Your other sessions were signed out. Your keys still work.")
    )
    messages.success(request, _("Your password was changed. {told}").format(told=told))
    return redirect("corpora:account")


@login_required
@require_POST
def create_token(request: HttpRequest) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _account_page(request, token_form=form)
    __, key = service.create_token(user=user_of(request), **form.cleaned_data)
    request.session[NEW_TOKEN] = key
    return redirect("corpora:account")


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=user_of(request))
    service.revoke_token(token=token)
    messages.success(request, _("The key '{token}' no longer works.").format(token=token.name))
    return redirect("corpora:account")


def _account_form(user: User, data: QueryDict | None = None) -> AccountForm:
    initial = {"name": user.name, "email": user.email}
    return AccountForm(data, initial=initial, needs_code=has_second_factor(user))


def _account_page(request: HttpRequest, **forms: Any) -> HttpResponse:
    user = user_of(request)
    key = request.session.pop(NEW_TOKEN, None)
    address = request.build_absolute_uri("/api/v1/projects/")
    context = {
        "form": _account_form(user),
        "password_form": PasswordForm(user),
        "token_form": TokenForm(),
        "tokens": user.tokens.all(),
        "new_token": key,
        "mail_choices": list_mail_choices(user),
        "can_mail": bool(settings.EMAIL_HOST),
        "has_second_factor": has_second_factor(user),
        "should_have_one": user.is_staff or user.memberships.filter(role=Role.OWNER).exists(),
        "acts": list_own_acts(user),
        "curl_example": f'curl -H "Authorization: Bearer {key or "$GIZA_KEY"}" {address}',
        **forms,
    }
    status = 422 if any(form.errors for form in forms.values()) else 200
    return render(request, "corpora/account.html", context, status=status)


NEW_LINK = "new_reset_link"


@never_cache
@require_http_methods(["GET", "POST"])
def forgot_password(request: HttpRequest) -> HttpResponse:
    """The answer is the same whether an account has the e-mail or not."""
    form = EmailForm(sent(request))
    status = 200
    if request.method == "POST" and settings.EMAIL_HOST:
        status = 422
        if form.is_valid():
            try:
                request_reset(email=form.cleaned_data["email"], address=address_of(request))
            except TooMany as error:
                form.add_error(None, error.message)
                status = error.status
            else:
                return redirect("corpora:reset_sent")
    context = {"form": form, "can_mail": bool(settings.EMAIL_HOST)}
    return render(request, "corpora/forgot_password.html", context, status=status)


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "corpora/reset_sent.html")


@method_decorator(require_http_methods(["GET", "POST"]), name="dispatch")
@method_decorator(sensitive_post_parameters(), name="dispatch")
class NewPassword(PasswordResetConfirmView):
    """Django's: it moves the token from the address to the session before it shows the form."""

    form_class = NewPasswordForm
    template_name = "corpora/new_password.html"
    success_url = reverse_lazy("corpora:sign_in")

    def get_user(self, uidb64: str) -> User | None:
        """A link of a deactivated account is no link."""
        user: Any = super().get_user(uidb64)
        return user if user is not None and user.is_active else None

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Your new password is set. Sign in with it."))
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


@never_cache
@require_http_methods(["GET", "POST"])
@staff_view
def reset_links(request: HttpRequest) -> HttpResponse:
    """For staff: a link for somebody who can't sign in. It is shown on the next page, once."""
    form = EmailForm(sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            link = create_reset_link(email=form.cleaned_data["email"], maker=user_of(request))
        except DomainError as error:
            form.add_error("email", f"{error.message} {error.hint}")
        else:
            request.session[NEW_LINK] = {"link": link, "email": form.cleaned_data["email"]}
            return redirect("corpora:reset_links")
    context = {"form": form, "made": request.session.pop(NEW_LINK, None)}
    status = 422 if form.errors else 200
    return render(request, "corpora/reset_links.html", context, status=status)
