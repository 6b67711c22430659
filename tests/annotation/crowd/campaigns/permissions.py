"""Who may do what with campaigns over REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from tests.annotation.crowd.campaigns.places import CampaignPlaces, make_campaign_places
from tests.annotation.roles import EDITOR, OWNER, VIEWER, Row, call, signed_in

TABLE: dict[str, Row] = {
    # Staff record what was prepaid; here nobody is.
    "crowd_api:deposits": signed_in(401, POST=403),
    "crowd_api:budget": call(GET=(VIEWER, 200)),
    "crowd_api:worker_invitations": call(GET=(OWNER, 200), POST=(OWNER, 201)),
    "crowd_api:campaigns": call(GET=(VIEWER, 200), POST=(EDITOR, 201)),
    "crowd_api:presets": call(GET=(VIEWER, 200)),
    "crowd_api:campaign": call(GET=(VIEWER, 200), PATCH=(EDITOR, 200), DELETE=(OWNER, 204)),
    "crowd_api:preview_cleaning": call(GET=(VIEWER, 200)),
    "crowd_api:cost": call(GET=(VIEWER, 200)),
    "crowd_api:record_preview": call(POST=(EDITOR, 200)),
    "crowd_api:live": call(GET=(VIEWER, 200)),
    "crowd_api:publish": call(POST=(OWNER, 202)),
    "crowd_api:pause": call(POST=(OWNER, 202)),
    "crowd_api:resume": call(POST=(OWNER, 202)),
    "crowd_api:end": call(POST=(OWNER, 202)),
    "crowd_api:extend": call(POST=(OWNER, 202)),
    "crowd_api:recollect": call(POST=(OWNER, 202)),
    "crowd_api:duplicate": call(POST=(EDITOR, 201)),
    "crowd_api:qualification_test": call(POST=(EDITOR, 201)),
    "crowd_api:export_results": call(GET=(VIEWER, 200)),
    "crowd_api:collect": call(POST=(EDITOR, 200)),
    "crowd_api:hits": call(GET=(VIEWER, 200)),
    "crowd_api:assignments": call(GET=(VIEWER, 200)),
    "crowd_api:review": call(POST=(OWNER, 200)),
    "crowd_api:ledger": call(GET=(VIEWER, 200)),
    "crowd_api:settle_entry": call(POST=(OWNER, 200)),
    "crowd_api:workers": call(GET=(VIEWER, 200)),
    "crowd_api:message_workers": call(POST=(OWNER, 200)),
    "crowd_api:exclude_worker": call(POST=(OWNER, 200)),
    "crowd_api:include_worker": call(POST=(OWNER, 200)),
    "crowd_api:messages": call(GET=(VIEWER, 200)),
    "crowd_api:read_message": call(POST=(OWNER, 200)),
    "crowd_api:answer_message": call(POST=(OWNER, 201)),
    "crowd_api:top_up": call(GET=(VIEWER, 200), POST=(OWNER, 200)),
}
DRAFTS = {"campaign", "cost", "publish", "qualification_test"}
TEST_ITEM = {"summary": "The dam burst.", "statement": "A dam burst.", "present": True}


def make_places(project: Project, people: Mapping[str, User]) -> CampaignPlaces:
    return make_campaign_places(project, people["owner"])


def values_for(name: str, places: CampaignPlaces) -> dict[str, Any]:
    last = name.partition(":")[2]
    campaign = places.draft if last in DRAFTS else places.live
    return {
        "pk": {"resume": places.paused.pk, "recollect": places.rejected.pk}.get(last, campaign.pk),
        "worker": places.worker.pk,
        "entry": places.entry.pk,
        "message": places.message.pk,
    }


def sent_to(name: str, places: CampaignPlaces) -> dict[str, Any]:
    sent: dict[str, dict[str, Any]] = {
        "deposits": {"project": "study", "amount": "5.00", "note": "A grant"},
        "worker_invitations": {"uses": 3},
        "campaigns": {"name": "Other", "unit_set": places.unit_set.pk},
        "campaign": {"name": "Other"},
        "record_preview": {"seconds": 30, "statements": 2},
        "extend": {"additional": 1},
        "qualification_test": {
            "name": "Ready to judge",
            "description": "One statement.",
            "items": [TEST_ITEM],
            "pass_mark": 80,
            "seconds": 600,
        },
        "review": {"action": "approve", "assignments": [places.assignment.pk]},
        "settle_entry": {"outcome": "done"},
        "message_workers": {"workers": [places.worker.pk], "subject": "Hello", "text": "Well."},
        "answer_message": {"text": "Yes, it is."},
        "exclude_worker": {"reason": "Too quick."},
    }
    return sent.get(name.partition(":")[2], {})
