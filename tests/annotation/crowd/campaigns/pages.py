"""Who may do what with campaigns on pages."""

from __future__ import annotations

from typing import Any

from tests.annotation.crowd.campaigns.places import CampaignPlaces
from tests.annotation.roles import EDITOR, OWNER, VIEWER, Row, but, page

TABLE: dict[str, Row] = {
    "crowd:campaigns": page(VIEWER, GET=200),
    "crowd:create_campaign": page(EDITOR, GET=200, POST=302),
    "crowd:campaign": page(VIEWER, GET=200),
    "crowd:cleaning": page(VIEWER, GET=200),
    "crowd:hits": page(VIEWER, GET=200),
    # An editor may send the name alone; this one is published, and all of it is sent.
    "crowd:setup": but(page(EDITOR, GET=200, POST=302), "POST", editor=403),
    "crowd:preview_cost": page(EDITOR, POST=200),
    "crowd:delete_campaign": page(OWNER, GET=200, POST=302),
    "crowd:collected_csv": page(VIEWER, GET=200),
    "crowd:publish_campaign": page(OWNER, GET=200, POST=302),
    "crowd:pause_campaign": page(OWNER, POST=302),
    "crowd:resume_campaign": page(OWNER, POST=302),
    "crowd:end_campaign": page(OWNER, GET=200, POST=302),
    "crowd:extend_campaign": page(OWNER, GET=200, POST=302),
    "crowd:recollect_places": page(OWNER, GET=200, POST=302),
    "crowd:duplicate_campaign": page(EDITOR, POST=302),
    "crowd:qualification_test": page(EDITOR, GET=200, POST=302),
    "crowd:results_csv": page(VIEWER, GET=200),
    "crowd:collect_campaign": page(EDITOR, POST=302),
    "crowd:top_up": page(OWNER, GET=200, POST=302),
    "crowd:settle_intent": page(OWNER, POST=302),
    "crowd:review": page(VIEWER, GET=200),
    "crowd:decide": page(OWNER, POST=302),
    "crowd:assignment": page(VIEWER, GET=200),
    "crowd:workers": page(VIEWER, GET=200),
    "crowd:message_workers": page(OWNER, POST=302),
    "crowd:exclude_worker": page(OWNER, POST=302),
    "crowd:include_worker": page(OWNER, POST=302),
    "crowd:campaign_messages": page(VIEWER, GET=200),
    "crowd:answer_message": page(OWNER, POST=302),
    "crowd:ledger": page(VIEWER, GET=200),
    "crowd:ledger_csv": page(VIEWER, GET=200),
}
DRAFTS = {"delete_campaign", "publish_campaign", "qualification_test"}
ROWS = {"TOTAL_FORMS": "1", "INITIAL_FORMS": "0"}
ITEM = {"summary": "The dam burst.", "statement": "A dam burst.", "answer": "present"}


def values_for(name: str, places: CampaignPlaces) -> dict[str, Any]:
    last = name.partition(":")[2]
    campaign = places.draft if last in DRAFTS else places.live
    elsewhere = {
        "resume_campaign": places.paused.pk,
        "recollect_places": places.rejected.pk,
    }
    return {
        "pk": elsewhere.get(last, campaign.pk),
        "worker": places.worker.pk,
        "intent": places.entry.pk,
        "assignment": places.assignment.pk,
        "message": places.message.pk,
    }


def sent_to(name: str, places: CampaignPlaces) -> dict[str, Any]:
    money = {"budget": "100.00", "bonus_reserve": "0.00", "wage_floor": "12.00"}
    sent: dict[str, dict[str, Any]] = {
        "create_campaign": {"name": "Other", "unit_set": places.unit_set.pk, "preset": "blank"},
        "setup": {"name": "Other", "approve_rule": "off", **money},
        "publish_campaign": {"total": "0.2000"},
        "extend_campaign": {"additional": 1, "total": "0.1000"},
        "recollect_places": {"rejected": "on", "total": "0.1000"},
        "qualification_test": {
            "name": "Ready to judge",
            "description": "One statement.",
            "pass_mark": "80",
            "seconds": "10 min",
            **{f"items-{name}": value for name, value in ROWS.items()},
            **{f"items-0-{name}": value for name, value in ITEM.items()},
        },
        "top_up": {"total": "11.8500"},
        "settle_intent": {"outcome": "done"},
        "decide": {"action": "approve", "assignment": places.assignment.pk},
        "message_workers": {"worker": places.worker.pk, "subject": "Hello", "text": "Well."},
        "answer_message": {"text": "Yes."},
        "exclude_worker": {"reason": "Too quick."},
    }
    return sent.get(name.partition(":")[2], {})
