"""Links that set a new password: by mail, or made by staff. Django signs and checks them.

A link holds until the password changes, the person signs in, or `PASSWORD_RESET_TIMEOUT` is over.
"""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from kombu.exceptions import OperationalError

from annotation.corpora.models import AttemptKind, User, Verb
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.attempts import count_attempt
from annotation.errors import Forbidden, NotFound
from annotation.translation import gettext as _

logger = logging.getLogger(__name__)


def request_reset(*, email: str, address: str) -> None:
    """Ask a worker to mail a link. What happens here is the same for every e-mail."""
    from annotation.corpora.tasks import send_reset_mail as task

    count_attempt(kind=AttemptKind.RESET, account=email, address=address)
    try:
        task.apply_async((email,), retry=False)
    except (OperationalError, OSError):
        logger.exception("a password link could not be queued; the person must request it again")


def send_reset_mail(*, email: str) -> None:
    """To an active account with this e-mail; nothing is sent to others."""
    form = PasswordResetForm({"email": email})
    if not form.is_valid():
        return
    site = urlsplit(settings.PUBLIC_URL)
    form.save(
        domain_override=site.netloc,
        use_https=site.scheme == "https",
        subject_template_name="corpora/reset_mail_subject.txt",
        email_template_name="corpora/reset_mail.txt",
        extra_email_context={"base": settings.PUBLIC_URL.rstrip("/")},
    )


def create_reset_link(*, email: str, maker: User | None = None) -> str:
    """For staff to pass on. `maker` is who asks for it on the page; a command has none."""
    user = User.objects.filter(email=User.objects.normalize_email(email), is_active=True).first()
    if user is None:
        raise NotFound(
            _("No active account has the e-mail address {email}.").format(email=email),
            _("Check the spelling."),
        )
    if maker is not None and user.is_staff and not maker.is_superuser:
        raise Forbidden(
            _("{email} is staff: only superusers can create a password link for staff.").format(
                email=user.email
            ),
            _("Ask a superuser, or run manage.py create_reset_link on the server."),
        )
    text = _("created a password link for {user}").format(user=user)
    record_activity(project=None, actor=maker, verb=Verb.CREATE, target=user, text=text)
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("corpora:new_password", args=[uid, default_token_generator.make_token(user)])
    return f"{settings.PUBLIC_URL.rstrip('/')}{path}"
