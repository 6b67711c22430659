"""Meta-evaluation: how far a metric's scores go with people's."""

from scoring.metaeval.correlation import MEASURES, kendall, pearson, spearman

__all__ = ["MEASURES", "kendall", "pearson", "spearman"]
