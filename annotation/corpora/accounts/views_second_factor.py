"""Setting up a second factor, typing a code to sign in, recovery codes."""

from __future__ import annotations

from base64 import b32encode
from typing import Any

import segno
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key

from annotation.corpora.accounts import service, sign_in
from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.sign_in import complete_sign_in, find_pending
from annotation.corpora.forms import CodeForm, DisableForm, EnableForm
from annotation.corpora.projects.access import sent, user_of
from annotation.errors import DomainError
from annotation.unsent import ask_to_sign_in, leave_sign_in, read_unsent

KEY, NEW_CODES = "second_factor_key", "new_recovery_codes"
IN_FOURS = 4


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The second step of signing in: the password was right a moment ago."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    user, unsent = find_pending(request), read_unsent(request)
    if user is None:
        return ask_to_sign_in(request, unsent) if unsent else redirect("corpora:sign_in")
    form, status = CodeForm(sent(request)), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                complete_sign_in(request, user, code=form.cleaned_data["code"])
            except DomainError as error:
                form.add_error("code", error.message)
                status = 429 if error.status == 429 else 422
            else:
                return leave_sign_in(request, target)
    context = {"form": form, "next": target, "unsent": unsent}
    return render(request, "corpora/sign_in_code.html", context, status=status)


def ask_for_code(request: HttpRequest, target: str, unsent: str) -> HttpResponse:
    """The second page of signing in; it may carry a form that was not sent."""
    if unsent:
        context = {"form": CodeForm(), "next": target, "unsent": unsent}
        return render(request, "corpora/sign_in_code.html", context)
    code_page = reverse("corpora:sign_in_code")
    return redirect(f"{code_page}?{urlencode({'next': target})}")


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@login_required
def second_factor_page(request: HttpRequest) -> HttpResponse:
    """Set it up, or see that it is there."""
    user = user_of(request)
    form = EnableForm(sent(request))
    if form.is_valid() and _try(form, lambda data: _enable(request, user, data)):
        return redirect("corpora:second_factor")
    return _page(request, enable_form=form)


@sensitive_post_parameters()
@login_required
@require_POST
def disable_second_factor(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = DisableForm(request.POST, auto_id="disable-%s")

    def disable(data: dict[str, Any]) -> None:
        service.confirm_password(user=user, password=data["password"])
        sign_in.disable_second_factor(user=user, code=data["code"])

    if form.is_valid() and _try(form, disable):
        messages.success(request, _("You now sign in with your password only."))
        return redirect("corpora:second_factor")
    return _page(request, disable_form=form)


@sensitive_post_parameters()
@login_required
@require_POST
def renew_recovery_codes(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = CodeForm(request.POST, auto_id="renew-%s")

    def renew(data: dict[str, Any]) -> None:
        request.session[NEW_CODES] = sign_in.renew_recovery_codes(user=user, **data)

    if form.is_valid() and _try(form, renew):
        return redirect("corpora:second_factor")
    return _page(request, renew_form=form)


def _enable(request: HttpRequest, user: User, data: dict[str, Any]) -> None:
    service.confirm_password(user=user, password=data["password"])
    key = _read_key(request)
    codes = sign_in.enable_second_factor(user=user, key=key, code=data["code"])
    request.session.pop(KEY, None)
    request.session[NEW_CODES] = codes


def _try(form: forms.Form, act: Any) -> bool:
    """Whether it was done; what was wrong stands at the field."""
    try:
        act(form.cleaned_data)
    except service.WrongPassword as error:
        form.add_error("password", error.message)
    except sign_in.WrongCode as error:
        form.add_error("code", error.message)
    return form.is_valid()


def _read_key(request: HttpRequest) -> str:
    """The same until it is confirmed, so that a reload shows the same picture."""
    if KEY not in request.session:
        request.session[KEY] = default_key()
    return str(request.session[KEY])


def _page(request: HttpRequest, **shown: forms.Form) -> HttpResponse:
    user = user_of(request)
    is_on = sign_in.has_second_factor(user)
    context: dict[str, Any] = {
        "is_on": is_on,
        "new_codes": "\n".join(request.session.pop(NEW_CODES, [])),
        "codes_left": sign_in.count_recovery_codes(user),
        "enable_form": EnableForm(),
        "disable_form": DisableForm(auto_id="disable-%s"),
        "renew_form": CodeForm(auto_id="renew-%s"),
        **({} if is_on else _picture(user, _read_key(request))),
        **shown,
    }
    status = 422 if any(form.errors for form in shown.values()) else 200
    return render(request, "corpora/second_factor.html", context, status=status)


def _picture(user: User, key: str) -> dict[str, str]:
    """What the app reads: as a QR code, and as letters to type."""
    device = TOTPDevice(user=user, key=key)
    letters = b32encode(device.bin_key).decode()
    groups = [letters[at : at + IN_FOURS] for at in range(0, len(letters), IN_FOURS)]
    code = segno.make(device.config_url, error="m")
    # Squares alone: nothing that anybody wrote stands in the picture as text.
    picture = mark_safe(code.svg_inline(scale=5, light="#fff", svgclass=None, lineclass=None))
    return {"qr": picture, "letters": " ".join(groups)}
