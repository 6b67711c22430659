"""How easily STUs stand for a sentence's SCUs, and which sentences a writer should take."""

from scoring.easiness.gold import (
    align_scus,
    align_scus_by_span,
    sentence_easiness,
    unit_accuracies,
)

__all__ = ["align_scus", "align_scus_by_span", "sentence_easiness", "unit_accuracies"]
