"""A methods paragraph: the study's facts in the sentences that a paper needs."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.io.gold import wording
from scoring.io.gold.markup import one_line
from scoring.io.gold.records import AgreementFacts, CampaignFacts, GoldCounts, GoldFacts


def write_methods(facts: GoldFacts) -> str:
    """Plain text. A fact that is not known makes no sentence."""
    sentences = [
        _material(facts),
        _checking(facts),
        _rest(facts),
        *(_campaign(item) for item in facts.campaigns),
        _filtering(facts),
        _voting(facts),
        _agreement(facts),
        _scores(facts),
        _version(facts),
    ]
    return " ".join(one_line(sentence) for sentence in sentences if sentence) + "\n"


def _material(facts: GoldFacts) -> str:
    """What was judged; where an older file does not say, what there is."""
    counts = facts.counts
    if not counts.judged_summaries:
        held = wording.material(counts.summaries, counts.examples, counts.systems)
        return f"The dataset contains {held} and {_units(facts, counts.units)}."
    judged = wording.material(
        counts.judged_summaries, counts.judged_examples, counts.judged_systems
    )
    units = f"{_units(facts, counts.judged_units)}, {wording.unit_kinds(counts)}"
    if wording.is_imported(facts.recipe):
        return f"The labels mark the presence of {units}, in {judged}."
    return f"We judged {judged} for the presence of {units}."


def _units(facts: GoldFacts, number: int) -> str:
    unit_set = facts.unit_set
    of = f" ({unit_set.name}, version {unit_set.version})" if unit_set.name else ""
    return wording.counted(number, "content unit") + of


def _checking(facts: GoldFacts) -> str:
    if not facts.unit_set.unchecked:
        return ""
    return (
        "The units were frozen before a second person had reviewed those of every example "
        f"(reason: “{facts.unit_set.unchecked.strip()}”)."
    )


def _rest(facts: GoldFacts) -> str:
    """What the dataset contains besides what was judged."""
    counts = facts.counts
    told = []
    if 0 < counts.judged_summaries < counts.summaries:
        held = wording.material(counts.summaries, counts.examples, counts.systems)
        told.append(f"In total, including what was not judged, the dataset contains {held}.")
    if bare := counts.examples_without_units:
        have = "has" if bare == 1 else "have"
        told.append(f"{wording.counted(bare, 'example')} {have} no content units.")
    return " ".join(told)


def _campaign(campaign: CampaignFacts) -> str:
    parts = list(_campaign_parts(campaign))
    return f"In the campaign “{campaign.title}”, {'; '.join(parts)}." if parts else ""


def _campaign_parts(campaign: CampaignFacts) -> Iterator[str]:
    on = f" ({campaign.marketplace})" if campaign.marketplace else ""
    if campaign.judges:
        asked = "was" if campaign.judges == 1 else "were"
        yield f"{wording.counted(campaign.judges, 'worker')}{on} {asked} asked for each HIT"
    elif on:
        yield f"workers were recruited{on}"
    if campaign.assignments and campaign.hits:
        done = wording.counted(campaign.assignments, "assignment")
        yield f"{done} of {wording.counted(campaign.hits, 'HIT')} were submitted"
    if campaign.qualifications:
        yield f"requirements for participation were: {wording.listed(campaign.qualifications)}"
    if pay := wording.pay_words(campaign):
        yield f"pay was {pay}"


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
    return (f"{kept}: {'; '.join(rules)}." if rules else f"{kept}.") + _answers_each(counts)


def _answers_each(counts: GoldCounts) -> str:
    """How many people judged a statement, before any rule; an older file does not say."""
    least, most = counts.answers_least, counts.answers_most
    if not most:
        return ""
    each = f"{least:,} to {most:,} answers" if least < most else wording.counted(most, "answer")
    return f" Before filtering, each judged statement had {each}."


def _voting(facts: GoldFacts) -> str:
    counts = facts.counts
    how = wording.vote_words(facts.recipe)
    by = "" if wording.is_imported(facts.recipe) else "assigned by "
    made = f"Labels were {by}{how}." if how else ""
    experts = (
        f" Experts adjudicated {wording.counted(counts.adjudicated, 'label')}."
        if counts.adjudicated
        else ""
    )
    share = wording.present_share(facts)
    held = (
        f" Of {wording.counted(counts.labels, 'label')}, {100 * share:.1f} % are present."
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
    return f"Scores: {wording.listed(methods)}." if methods else ""


def _version(facts: GoldFacts) -> str:
    by = f", created with {facts.program.replace('giza', 'Giza', 1)}" if facts.program else ""
    return f"The dataset is {facts.name}, version {facts.version}{by}."
