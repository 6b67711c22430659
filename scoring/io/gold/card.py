"""The dataset card, written from the study's own facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from scoring.io.gold import wording
from scoring.io.gold.markup import markdown, markdown_block, markdown_lines
from scoring.io.gold.records import CampaignFacts, GoldFacts

COUNT_NAMES = {
    "answers_kept": "included answers",
    "assignments_kept": "included assignments",
    "present": "present labels",
    "unlabelled": "units without a label",
    "adjudicated": "adjudicated labels",
    "judged_examples": "labelled examples",
    "judged_systems": "labelled systems",
    "judged_summaries": "labelled summaries",
    "judged_scus": "labelled SCUs (written by people)",
    "judged_stus": "labelled STUs (extracted automatically)",
    "examples_without_units": "examples without units",
    "answers_least": "fewest answers per judged statement",
    "answers_most": "most answers per judged statement",
}
UNSAID = "Not specified."


def write_card(facts: GoldFacts) -> str:
    """Markdown. Texts that others wrote stand in it as themselves, never as mark-up."""
    parts = [f"# {markdown(facts.name)}, version {facts.version}"]
    if facts.description:
        parts.append(markdown_lines(facts.description))
    for title, body in _sections(facts):
        if body:
            parts.append(f"## {title}\n\n{body}")
    return "\n\n".join(parts) + "\n"


def _sections(facts: GoldFacts) -> Iterator[tuple[str, str]]:
    yield "Contents", _counts(facts)
    yield "Protocol", "\n\n".join(_campaign(item) for item in facts.campaigns)
    yield "Aggregation", _labels(facts)
    yield "Agreement", _agreement(facts)
    yield "Scores", _scores(facts)
    yield "Workers", _workers(facts)
    yield "Provenance", _origin(facts)
    yield "Licence", markdown_lines(facts.licence) if facts.licence else UNSAID
    yield "Citation", markdown_block(facts.citation) if facts.citation else UNSAID


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are figures."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, marks, *rows))


def _counts(facts: GoldFacts) -> str:
    names = [item.name for item in fields(facts.counts)]
    rows = [
        (COUNT_NAMES.get(name, name), f"{getattr(facts.counts, name):,}")
        for name in names
        if getattr(facts.counts, name) or name in ("examples", "labels")
    ]
    return table(("item", "number"), rows)


def _campaign(campaign: CampaignFacts) -> str:
    parts = [f"### {markdown(campaign.title)}"]
    if told := list(_terms(campaign)):
        parts.append("\n".join(f"- {name}: {markdown(words)}" for name, words in told))
    if campaign.instructions:
        quoted = markdown_lines(campaign.instructions, mark="> ")
        parts.append(f"Instructions to workers:\n\n{quoted}")
    return "\n\n".join(parts)


def _terms(campaign: CampaignFacts) -> Iterator[tuple[str, str]]:
    """What is known of the terms, in words."""
    amounts = (
        ("Workers per HIT", campaign.judges),
        ("HITs", campaign.hits),
        ("Assignments", campaign.assignments),
    )
    if campaign.marketplace:
        yield "Marketplace", campaign.marketplace
    yield from ((name, f"{amount:,}") for name, amount in amounts if amount)
    if pay := wording.pay_words(campaign):
        yield "Pay", pay
    if campaign.qualifications:
        yield "Requirements", wording.listed(campaign.qualifications)
    if campaign.started or campaign.ended:
        yield "Dates", f"{campaign.started or '…'} to {campaign.ended or '…'}"
    for name, value in sorted(campaign.settings.items()):
        yield f"Setting {markdown(name)}", str(value)


def _labels(facts: GoldFacts) -> str:
    lines = [_filter_line(rule, options) for rule, options in wording.filters_of(facts.recipe)]
    lines += [_drop_line(facts, number) for number in range(len(facts.drops))]
    if vote := wording.vote_words(facts.recipe):
        lines.append(f"Labels: {markdown(vote)}.")
    if facts.counts.adjudicated:
        lines.append(
            f"Adjudicated by experts: {wording.counted(facts.counts.adjudicated, 'label')}."
        )
    return "\n".join(f"- {line}" for line in lines)


def _filter_line(rule: str, options: str) -> str:
    told = f" ({markdown(options)})" if options else ""
    return f"Filter {markdown(rule)}{told}: {markdown(wording.filter_words(rule))}."


def _drop_line(facts: GoldFacts, number: int) -> str:
    drop = facts.drops[number]
    amounts = [wording.counted(drop.assignments, "assignment")]
    if drop.answers:
        amounts.append(wording.counted(drop.answers, "answer"))
    by = f" by {wording.counted(drop.workers, 'worker')}" if drop.workers else ""
    return f"Excluded by {markdown(drop.rule)}: {wording.listed(amounts)}{by}."


def _agreement(facts: GoldFacts) -> str:
    if not facts.agreement:
        return ""
    head = ("measure", "value", f"{wording.percent(facts.confidence)} interval", "n")
    rows = [
        (
            markdown(f"{wording.measure(item)}, {wording.level(item)}"),
            wording.number(item.value, 4),
            wording.interval(item.low, item.high),
            f"{item.items:,}",
        )
        for item in facts.agreement
    ]
    said = {item.undefined for item in facts.agreement if item.undefined}
    notes = [f"Alpha is {markdown(wording.UNDEFINED.get(rule, rule))}." for rule in sorted(said)]
    return "\n\n".join([table(head, rows), *notes])


def _scores(facts: GoldFacts) -> str:
    if not facts.scores:
        return ""
    head = ("system", "score", f"{wording.percent(facts.confidence)} interval", "examples")
    parts = []
    for method, scores in wording.scores_by_method(facts):
        rows = [
            (
                markdown(item.system),
                wording.number(item.score),
                wording.interval(item.low, item.high),
                f"{item.examples:,}",
            )
            for item in scores
        ]
        words = wording.METHODS.get(method, "")
        said = f"{markdown(method)}: {words}" if words else markdown(method)
        parts.append(f"{said}.\n\n{table(head, rows)}")
        if wording.lacks_intervals(scores):
            parts.append(wording.NO_INTERVAL)
    return "\n\n".join(parts)


def _workers(facts: GoldFacts) -> str:
    if not facts.counts.answers:
        return "The dataset doesn't contain the answers of individual workers."
    if facts.pseudonymous:
        return (
            "Workers are identified by pseudonyms, generated with a key that is not in the dataset."
        )
    return "Workers are identified by their provider IDs, as the owner decided."


def _origin(facts: GoldFacts) -> str:
    told = {
        "Created": facts.created,
        "Program": facts.program,
        "Corpus": facts.corpus_hash,
        "Units": _unit_set(facts),
        "Label signature": facts.signature,
    }
    return "\n".join(f"- {name}: {markdown(words)}" for name, words in told.items() if words)


def _unit_set(facts: GoldFacts) -> str:
    units = facts.unit_set
    named = [f"{units.name}, version {units.version}"] if units.name else []
    unchecked = f"frozen before all were reviewed by a second person (“{units.unchecked}”)"
    told = [*named, units.hash, unchecked if units.unchecked else ""]
    return ", ".join(words for words in told if words)
