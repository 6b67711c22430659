"""Everything that changes labels, decisions and gold versions."""

from annotation.evaluation.services import demo, guards  # noqa: F401  they register themselves
from annotation.evaluation.services.decisions import (
    adjudicate,
    decide_assignment,
    decide_worker,
    undo_adjudication,
    undo_decision,
)
from annotation.evaluation.services.gold import create_gold
from annotation.evaluation.services.label_files import (
    import_kept_labels,
    import_labels,
    import_uploaded_labels,
    list_kept_labels,
)
from annotation.evaluation.services.labels import delete_labels, keep_labels
from annotation.evaluation.services.restoring import import_gold, import_uploaded_gold
from annotation.evaluation.services.votes import compare_votes

__all__ = [
    "adjudicate",
    "compare_votes",
    "create_gold",
    "decide_assignment",
    "decide_worker",
    "delete_labels",
    "import_gold",
    "import_kept_labels",
    "import_labels",
    "import_uploaded_gold",
    "import_uploaded_labels",
    "keep_labels",
    "list_kept_labels",
    "undo_adjudication",
    "undo_decision",
]
