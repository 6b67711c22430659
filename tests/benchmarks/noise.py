"""Whether the published noise rules find people who were planted in a campaign of 100 workers.

The campaign has the size of PyrXSum: 100 documents × 10 systems × 4 judges. Ten people answer at
random. Precision and recall are over assignments, each the mean of several campaigns.
"""

from __future__ import annotations

import numpy as np

from scoring.aggregation import Campaign, FilterStep, Recipe, aggregate, simulate_campaign
from tests.benchmarks.report import Figure

SEEDS = range(10)
RULES = ("per-summary", "per-worker")
# The rule by summary drops the worst of every summary in which anybody departs, careful or not.
LEAST_PRECISION = {"per-summary": 0.3, "per-worker": 0.95}
LEAST_RECALL = {"per-summary": 0.65, "per-worker": 0.85}


def measure() -> list[Figure]:
    campaigns = [simulate_campaign(seed=seed, workers=100, noisy=10) for seed in SEEDS]
    before = np.mean([_alpha(campaign, Recipe()) for campaign in campaigns])
    figures = [Figure("alpha, mean of summaries, nothing filtered", float(before))]
    for rule in RULES:
        found = np.mean([judge(campaign, rule) for campaign in campaigns], axis=0)
        precision, recall, alpha, right = found.tolist()
        figures += [
            Figure(f"{rule}: precision", precision, at_least=LEAST_PRECISION[rule]),
            Figure(f"{rule}: recall", recall, at_least=LEAST_RECALL[rule]),
            Figure(f"{rule}: alpha gained", alpha - float(before), at_least=0.0),
            Figure(f"{rule}: share of wrong labels corrected", right),
        ]
    return figures


def judge(campaign: Campaign, rule: str) -> tuple[float, float, float, float]:
    """Precision, recall, alpha and the share of the wrong labels that are right afterwards."""
    answers = campaign.answers
    plain = aggregate(answers, Recipe(), samples=0)
    filtered = aggregate(answers, Recipe((FilterStep(rule),)), samples=0)
    planted = campaign.is_noisy[answers.assignment_workers]
    hits = int((planted & ~filtered.kept).sum())
    wrong = int((plain.labels.present != campaign.truth).sum())
    still_wrong = int((filtered.labels.present != campaign.truth).sum())
    return (
        hits / max(int((~filtered.kept).sum()), 1),
        hits / max(int(planted.sum()), 1),
        filtered.agreement.by_summary.mean or 0.0,
        (wrong - still_wrong) / wrong,
    )


def _alpha(campaign: Campaign, recipe: Recipe) -> float:
    return aggregate(campaign.answers, recipe, samples=0).agreement.by_summary.mean or 0.0
