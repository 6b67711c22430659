"""Everything that changes campaigns and their books. The marketplace has its own in `market`."""

from annotation.crowd.services import guards, offline  # noqa: F401  they register themselves
from annotation.crowd.services.bulk import (
    TOP_UP_REASON,
    exclude_worker,
    include_worker,
    list_top_ups,
    list_wages,
    notify_workers,
    review_assignments,
    top_up,
)
from annotation.crowd.services.campaigns import (
    create_campaign,
    delete_campaign,
    preview_settings,
    record_preview,
    update_campaign,
)
from annotation.crowd.services.collecting import collect_campaign, collect_in_turn, read_answers
from annotation.crowd.services.duplicating import duplicate_campaign
from annotation.crowd.services.ledger import Books, OverBudget, get_books, refuse_beyond_cap
from annotation.crowd.services.planning import (
    Cost,
    estimate_cost,
    expected_wage,
    find_cap,
    find_room,
)
from annotation.crowd.services.publishing import run_publish
from annotation.crowd.services.qualification_tests import (
    QualificationItem,
    create_qualification_test,
    list_tests,
    require_test,
)
from annotation.crowd.services.recollecting import (
    count_missing,
    price_recollection,
    recollect_places,
)
from annotation.crowd.services.review import (
    Award,
    approve_assignments,
    finish_open_intents,
    reject_assignments,
    send_bonuses,
    settle_by_hand,
)
from annotation.crowd.services.steps import (
    end_campaign,
    extend_campaign,
    find_shortage,
    list_obstacles,
    list_warnings,
    pause_campaign,
    publish_campaign,
    resume_campaign,
)

__all__ = [
    "TOP_UP_REASON",
    "Award",
    "Books",
    "Cost",
    "OverBudget",
    "QualificationItem",
    "approve_assignments",
    "collect_campaign",
    "collect_in_turn",
    "count_missing",
    "create_campaign",
    "create_qualification_test",
    "delete_campaign",
    "duplicate_campaign",
    "end_campaign",
    "estimate_cost",
    "exclude_worker",
    "expected_wage",
    "extend_campaign",
    "find_cap",
    "find_room",
    "find_shortage",
    "finish_open_intents",
    "get_books",
    "include_worker",
    "list_obstacles",
    "list_tests",
    "list_top_ups",
    "list_wages",
    "list_warnings",
    "notify_workers",
    "pause_campaign",
    "preview_settings",
    "price_recollection",
    "publish_campaign",
    "read_answers",
    "recollect_places",
    "record_preview",
    "refuse_beyond_cap",
    "reject_assignments",
    "require_test",
    "resume_campaign",
    "review_assignments",
    "run_publish",
    "send_bonuses",
    "settle_by_hand",
    "top_up",
    "update_campaign",
]
