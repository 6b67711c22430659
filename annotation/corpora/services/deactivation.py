"""Accounts that are shut, with everything that would open them again."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from annotation import clock
from annotation.corpora.models import Invitation, User, Verb
from annotation.corpora.services.accounts import revoke_all_keys
from annotation.corpora.services.activity import record_activity
from annotation.errors import NotFound
from annotation.sessions import end_sessions
from annotation.translation import gettext as _

# Later apps have links of their own, and add what withdraws those that a person made.
LINK_ENDERS: list[Callable[[User], None]] = []


def _end_invitations(user: User) -> None:
    Invitation.objects.filter(created_by=user, accepted_at=None).delete()


LINK_ENDERS.append(_end_invitations)


@transaction.atomic
def deactivate_account(*, email: str) -> User:
    """Keys, sessions and open links go for good; an account that is inactive already loses its."""
    user = _lock_account(email)
    user.is_active = False
    # Links that set a new password are signed with it, so they end as after a sign-in.
    user.last_login = clock.now()
    user.save(update_fields=["is_active", "last_login"])
    revoke_all_keys(user=user)
    end_sessions(user.pk)
    for end in LINK_ENDERS:
        end(user)
    text = _("deactivated {user}, and ended their sessions, keys and open links").format(user=user)
    record_activity(project=None, verb=Verb.CHANGE, target=user, text=text)
    return user


@transaction.atomic
def activate_account(*, email: str) -> User:
    user = _lock_account(email)
    user.is_active = True
    user.save(update_fields=["is_active"])
    text = _("activated {user}").format(user=user)
    record_activity(project=None, verb=Verb.CHANGE, target=user, text=text)
    return user


def _lock_account(email: str) -> User:
    email = User.objects.normalize_email(email)
    found = User.objects.select_for_update().filter(email=email).first()
    if found is None:
        raise NotFound(
            _("No account has the e-mail address {email}.").format(email=email),
            _("Check the spelling."),
        )
    return found
