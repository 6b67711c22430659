"""Participants whom Prolific sends: given a HIT, taken answers from, and told where to go back to.

Also Prolific's webhooks, which only say that there is something to collect.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.campaigns.models import Campaign, CampaignState, Hit, ProviderName, Worker
from annotation.crowd.market.answers import build_answer_xml
from annotation.crowd.prolific.models import (
    HOLDS_PROLIFIC_PLACE,
    ProlificEvent,
    ProlificPlaces,
    ProlificSession,
    ProlificStudy,
    SessionStatus,
)
from annotation.crowd.providers.base import ProviderError, Unsure
from annotation.crowd.providers.prolific import Prolific
from annotation.errors import DomainError, Forbidden, Invalid, NotFound
from annotation.translation import gettext_lazy

logger = logging.getLogger(__name__)

ANSWERS = ("present", "absent")
LONGEST_ID = 64
# How far Prolific's clock and ours may lie apart, its redeliveries included.
TOLERANCE = timedelta(minutes=5)


class NothingLeft(DomainError):
    """No HIT for this participant: all are taken, or they have done all that are left."""

    code = "nothing_left"
    title = gettext_lazy("There is no work left in this study")


def get_campaign(token: UUID) -> Campaign:
    found = Campaign.objects.filter(token=token, provider=ProviderName.PROLIFIC).first()
    if found is None or found.state == CampaignState.DRAFT:
        raise NotFound(_("There is no such study."))
    return found


# Arriving -------------------------------------------------------------------------------------


def admit_participant(*, campaign: Campaign, participant: str, session_id: str) -> ProlificSession:
    """The HIT with most need among those they have not had; the same one after a reload."""
    _check_ids(participant, session_id)
    known = _find_session(campaign, participant, session_id)
    if known is not None:
        return known
    _refuse_excluded(campaign, participant)
    _verify(campaign, participant, session_id)
    session = _allot(campaign, participant, session_id)
    if session is None:
        # Somebody may have gone of whom we have not heard yet.
        _hear_of_endings(campaign)
        session = _allot(campaign, participant, session_id)
    if session is None:
        raise NothingLeft(
            _("All summaries are taken, or you have already judged the remaining ones."),
            _("Please return your submission on Prolific."),
        )
    return session


def _check_ids(*ids: str) -> None:
    if not all(value and len(value) <= LONGEST_ID and value.isalnum() for value in ids):
        raise Invalid(
            _("The address lacks the parameters that Prolific adds."),
            _("Open the study from its page on Prolific."),
        )


def _find_session(campaign: Campaign, participant: str, session_id: str) -> ProlificSession | None:
    found = ProlificSession.objects.filter(campaign=campaign, session_id=session_id).first()
    if found is not None and found.participant != participant:
        raise Forbidden(_("This session belongs to another participant."))
    return found


def _refuse_excluded(campaign: Campaign, participant: str) -> None:
    excluded = Worker.objects.filter(
        project=campaign.project_id,
        provider=ProviderName.PROLIFIC,
        provider_id=participant,
        excluded_at__isnull=False,
    )
    if excluded.exists():
        raise NothingLeft(_("There is no work for you here."), _("Please return your submission."))


def _verify(campaign: Campaign, participant: str, session_id: str) -> None:
    """Ask Prolific whether it sent them: an address that somebody made up takes no place."""
    try:
        found = Prolific(campaign).client.get_submission(session_id)
    except ProviderError:
        raise Forbidden(_("Prolific doesn't know this session.")) from None
    except Unsure as error:
        # Who comes while Prolific is away is let in; without its submission nothing is paid.
        logger.warning("session %s could not be verified: %s", session_id, error.message)
        return
    study = ProlificStudy.objects.get(campaign=campaign).study_id
    person = found.get("participant_id") or found.get("participant")
    if (found.get("study_id"), person) != (study, participant):
        raise Forbidden(_("Prolific doesn't know this session."))


def _hear_of_endings(campaign: Campaign) -> None:
    try:
        Prolific(campaign).survey([])
    except (ProviderError, Unsure) as error:
        logger.warning("could not ask Prolific for returned submissions: %s", error.message)


@transaction.atomic
def _allot(campaign: Campaign, participant: str, session_id: str) -> ProlificSession | None:
    """One at a time for each campaign, so that no HIT is given out more often than asked for."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    known = _find_session(campaign, participant, session_id)
    if known is not None:
        return known
    now = clock.now()
    overdue = ProlificSession.objects.filter(
        campaign=campaign, status=SessionStatus.STARTED, deadline__lt=now
    )
    overdue.update(status=SessionStatus.RELEASED)
    hit = _choose_hit(campaign, participant)
    if hit is None:
        return None
    return ProlificSession.objects.create(
        campaign=campaign,
        hit_id=hit,
        participant=participant,
        session_id=session_id,
        started_at=now,
        deadline=now + timedelta(seconds=campaign.seconds_allotted),
    )


def _choose_hit(campaign: Campaign, participant: str) -> int | None:
    had = ProlificSession.objects.filter(campaign=campaign, participant=participant).values("hit")
    held = Count(
        "hit__prolific_sessions",
        filter=Q(hit__prolific_sessions__status__in=HOLDS_PROLIFIC_PLACE),
    )
    rows = (
        ProlificPlaces.objects.filter(hit__campaign=campaign, open_until__gt=clock.now())
        .exclude(hit__in=had)
        .annotate(need=F("confirmed") - held)
        .filter(need__gt=0)
        .order_by("-need", "hit_id")
    )
    return rows.values_list("hit", flat=True).first()


# Submitting -----------------------------------------------------------------------------------


def submit_session(
    *, campaign: Campaign, key: str, fields: Mapping[str, Sequence[str]]
) -> ProlificSession:
    """Keep the answers, the first time; late ones too, since Prolific decides what it pays."""
    session = _get_session(campaign, key)
    _check_answers(session.hit, fields)
    ProlificSession.objects.filter(
        pk=session.pk, status__in=[SessionStatus.STARTED, SessionStatus.RELEASED], raw=""
    ).update(
        status=SessionStatus.SUBMITTED,
        raw=build_answer_xml(fields),
        submitted_at=clock.now(),
    )
    return session


def _get_session(campaign: Campaign, key: str) -> ProlificSession:
    try:
        wanted = UUID(key)
    except ValueError:
        raise NotFound(_("There is no such session.")) from None
    rows = ProlificSession.objects.filter(campaign=campaign, key=wanted)
    found = rows.select_related("hit").first()
    if found is None:
        raise NotFound(_("There is no such session."))
    return found


def _check_answers(hit: Hit, fields: Mapping[str, Sequence[str]]) -> None:
    missing = [row for row in hit.statements if not _is_answered(fields.get(row["key"], ()))]
    if missing:
        raise Invalid(
            _("{missing} of {statements} statements have no answer.").format(
                missing=len(missing), statements=len(hit.statements)
            ),
            _("Go back and answer them. Your other answers are still there."),
        )


def _is_answered(values: Sequence[str]) -> bool:
    return len(values) == 1 and values[0] in ANSWERS


# Webhooks -------------------------------------------------------------------------------------


def is_genuine(*, secret: str, timestamp: str, body: bytes, signature: str) -> bool:
    """Whether Prolific signed this body, a moment ago."""
    if not secret or not timestamp.isascii() or not timestamp.isdecimal():
        return False
    age = clock.now().timestamp() - float(timestamp[:20])
    if abs(age) > TOLERANCE.total_seconds():
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), signature.encode())


@transaction.atomic
def receive_event(*, event_id: str, resource_id: str) -> bool:
    """Make the campaign due for collection; tells whether the event was new."""
    __, is_new = ProlificEvent.objects.get_or_create(event_id=event_id)
    if is_new and resource_id:
        by_session = ProlificSession.objects.filter(session_id=resource_id).values("campaign")
        by_study = ProlificStudy.objects.filter(study_id=resource_id).values("campaign")
        due = Campaign.objects.filter(Q(pk__in=by_session) | Q(pk__in=by_study))
        due.exclude(state=CampaignState.DRAFT).update(next_collect_at=clock.now())
    return is_new
