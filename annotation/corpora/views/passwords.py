"""Changing a password, and setting a new one when the old one is forgotten."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from annotation.corpora.forms import EmailForm, NewPasswordForm
from annotation.corpora.models import User
from annotation.corpora.services.passwords import create_reset_link, request_reset
from annotation.corpora.sign_in import address_of
from annotation.corpora.views.access import sent, staff_view, user_of
from annotation.errors import DomainError, TooMany
from annotation.translation import gettext as _

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
