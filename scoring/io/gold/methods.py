"""A methods paragraph: the study's facts in the sentences that a paper needs."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.io.gold import wording
from scoring.io.gold.markup import one_line
from scoring.io.gold.records import AgreementFacts, CampaignFacts, GoldFacts


def write_methods(facts: GoldFacts) -> str:
    """Plain text. A fact that is not known makes no sentence."""
    sentences = [
        _material(facts),
        *(_campaign(item) for item in facts.campaigns),
        _filtering(facts),
        _voting(facts),
        _agreement(facts),
        _scores(facts),
        _version(facts),
    ]
    return " ".join(one_line(sentence) for sentence in sentences if sentence) + "\n"


def _material(facts: GoldFacts) -> str:
    counts = facts.counts
    units = wording.counted(counts.units, "content unit")
    of = (
        f" ({facts.unit_set.name}, version {facts.unit_set.version})" if facts.unit_set.name else ""
    )
    return (
        f"We judged {wording.counted(counts.summaries, 'summary', 'summaries')} of "
        f"{wording.counted(counts.examples, 'example')} by "
        f"{wording.counted(counts.systems, 'system')} for the presence of {units}{of}."
    )


def _campaign(campaign: CampaignFacts) -> str:
    parts = list(_campaign_parts(campaign))
    return f"In the campaign “{campaign.title}”, {'; '.join(parts)}." if parts else ""


def _campaign_parts(campaign: CampaignFacts) -> Iterator[str]:
    on = f" on {campaign.marketplace}" if campaign.marketplace else ""
    if campaign.judges:
        yield f"{wording.counted(campaign.judges, 'worker')}{on} judged each summary"
    elif on:
        yield f"workers were found{on}"
    if campaign.qualifications:
        yield f"to take part they needed: {wording.listed(campaign.qualifications)}"
    if pay := wording.pay_words(campaign):
        yield f"they were paid {pay}"


def _filtering(facts: GoldFacts) -> str:
    steps = wording.filters_of(facts.recipe)
    rules = [
        f"{wording.filter_words(rule)}" + (f" ({options})" if options else "")
        for rule, options in steps
    ]
    counts = facts.counts
    kept = (
        f"We kept {counts.answers_kept:,} of {wording.counted(counts.answers, 'answer')} "
        f"by {wording.counted(counts.workers, 'worker')}"
        if counts.workers
        else f"We kept {counts.answers_kept:,} of {wording.counted(counts.answers, 'answer')}"
    )
    if not counts.answers:
        return f"Answers were filtered: {'; '.join(rules)}." if rules else ""
    return f"{kept}: {'; '.join(rules)}." if rules else f"{kept}."


def _voting(facts: GoldFacts) -> str:
    counts = facts.counts
    how = wording.vote_words(facts.recipe)
    made = f"Labels were made by {how}." if how else ""
    experts = (
        f" An expert set {wording.counted(counts.adjudicated, 'label')}."
        if counts.adjudicated
        else ""
    )
    share = wording.present_share(facts)
    held = (
        f" Of {wording.counted(counts.labels, 'label')}, {100 * share:.1f} % say present."
        if share is not None
        else ""
    )
    return made + experts + held


def _agreement(facts: GoldFacts) -> str:
    told = [_agreement_words(facts, item) for item in facts.agreement if item.value is not None]
    return f"Agreement: {'; '.join(told)}." if told else ""


def _agreement_words(facts: GoldFacts, item: AgreementFacts) -> str:
    words = f"{wording.measure(item)} is {wording.number(item.value)} ({wording.level(item)}"
    if item.low is not None and item.high is not None:
        words += f", {wording.percent(facts.confidence)} interval "
        words += wording.interval(item.low, item.high)
    return words + ")"


def _scores(facts: GoldFacts) -> str:
    methods = [
        f"{method} ({wording.METHODS[method]})" if method in wording.METHODS else method
        for method, _ in wording.scores_by_method(facts)
    ]
    return f"Scores are {wording.listed(methods)}." if methods else ""


def _version(facts: GoldFacts) -> str:
    by = f", made with {facts.program}" if facts.program else ""
    return f"The dataset is {facts.name}, version {facts.version}{by}."
