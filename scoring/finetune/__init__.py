"""Fine-tuning of judges on presence labels: data, folds, options and the run itself.

`fine_tune(records, options, output)` is the library's one line. What needs torch is in
`scoring.backends.finetuning`, and loaded when the run begins.
"""

from scoring.crossvalidation import FOLDS, Fold, make_folds, read_folds
from scoring.finetune.data import (
    TrainingRecord,
    data_hash,
    records_from_gold,
    records_from_labels,
)
from scoring.finetune.options import POOLINGS, SHARINGS, FineTuneOptions
from scoring.finetune.run import FineTuned, fine_tune

__all__ = [
    "FOLDS",
    "POOLINGS",
    "SHARINGS",
    "FineTuneOptions",
    "FineTuned",
    "Fold",
    "TrainingRecord",
    "data_hash",
    "fine_tune",
    "make_folds",
    "read_folds",
    "records_from_gold",
    "records_from_labels",
]
