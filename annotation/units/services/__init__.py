"""Everything that changes units and their sets."""

from annotation.units.services import demo, guards  # noqa: F401  they register themselves
from annotation.units.services.adding import add_units
from annotation.units.services.archive import archive_set, rename_set
from annotation.units.services.bulk import edit_units
from annotation.units.services.checking import start_check
from annotation.units.services.comments import (
    accept_comment,
    answer_comment,
    create_comment,
    reject_comment,
)
from annotation.units.services.double import (
    MergedUnit,
    create_double,
    delete_double,
    mark_done,
    merge_double,
)
from annotation.units.services.easiness import delete_easiness_model, train_easiness
from annotation.units.services.extraction import (
    extract_stus,
    pause_filling,
    resume_filling,
)
from annotation.units.services.files import (
    Outcome,
    import_kept_units,
    import_unit_file,
    import_uploaded_units,
    make_provenance,
)
from annotation.units.services.leaving import count_rest, leave_rest, take_rest_back
from annotation.units.services.merging import merge_units
from annotation.units.services.narrowing import narrow_spans
from annotation.units.services.ops import Applied, Op, StaleUnit, apply_op
from annotation.units.services.plans import drop_plan, plan_sentences
from annotation.units.services.presence import note_presence
from annotation.units.services.progress import (
    assign_examples,
    assign_range,
    ensure_assignments,
    mark_written,
    reopen,
    sign_off,
)
from annotation.units.services.ranking import rank_sentences, start_ranking
from annotation.units.services.sets import (
    back_to_draft,
    content_hash,
    count_unsigned,
    create_set,
    delete_set,
    freeze_set,
    get_settings,
    send_to_review,
    update_settings,
)
from annotation.units.services.versions import create_next_version

__all__ = [
    "Applied",
    "MergedUnit",
    "Op",
    "Outcome",
    "StaleUnit",
    "accept_comment",
    "add_units",
    "answer_comment",
    "apply_op",
    "archive_set",
    "assign_examples",
    "assign_range",
    "back_to_draft",
    "content_hash",
    "count_rest",
    "count_unsigned",
    "create_comment",
    "create_double",
    "create_next_version",
    "create_set",
    "delete_double",
    "delete_easiness_model",
    "delete_set",
    "drop_plan",
    "edit_units",
    "ensure_assignments",
    "extract_stus",
    "freeze_set",
    "get_settings",
    "import_kept_units",
    "import_unit_file",
    "import_uploaded_units",
    "leave_rest",
    "make_provenance",
    "mark_done",
    "mark_written",
    "merge_double",
    "merge_units",
    "narrow_spans",
    "note_presence",
    "pause_filling",
    "plan_sentences",
    "rank_sentences",
    "reject_comment",
    "rename_set",
    "reopen",
    "resume_filling",
    "send_to_review",
    "sign_off",
    "start_check",
    "start_ranking",
    "take_rest_back",
    "train_easiness",
    "update_settings",
]
