"""Gold datasets for tests: one small by hand, any by hypothesis, and the published ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from scoring.io import open_corpus
from scoring.io.gold import (
    AgreementFacts,
    CampaignFacts,
    DropFacts,
    GoldAdjudication,
    GoldAnswer,
    GoldBonus,
    GoldExample,
    GoldFacts,
    GoldSystem,
    ScoreFacts,
    UnitSetFacts,
    count_gold,
)
from scoring.io.units import open_units
from scoring.types import SYSTEM_KINDS, ContributorRecord, ReferenceText, UnitRecord
from tests.scoring.unit_records import TEXTS, UNITS

Gold = tuple[GoldFacts, list[GoldSystem], list[GoldExample]]

CAMPAIGN = CampaignFacts(
    title="Dams & floods",
    instructions="Read the summary.\nTick what it says.",
    marketplace="MTurk",
    judges=3,
    hits=4,
    assignments=6,
    rewards=("0.25",),
    median_wage="11.40",
    qualifications=("at least 98 % approved", "in the US"),
    started="2026-01-02",
    ended="2026-01-05",
    settings={"statements a HIT": 16},
)
FACTS = GoldFacts(
    name="Dams",
    version=2,
    created="2026-02-03T04:05:06+00:00",
    description="Judgements of summaries about dams.",
    licence="CC BY 4.0",
    citation="@misc{dams, title = {Dams}}",
    corpus_hash="c" * 64,
    unit_set=UnitSetFacts("SCUs", 3, "u" * 64),
    campaigns=(CAMPAIGN,),
    recipe={
        "filters": [{"name": "per-worker", "options": {"min_hits": 2, "max_disagreement": 0.5}}],
        "vote": "majority",
        "tie": "absent",
        "seed": 7,
    },
    drops=(DropFacts("per-worker", assignments=1, answers=2, workers=1),),
    agreement=(AgreementFacts("alpha", "summary", 0.6646, 0.6, 0.72, 4, "one"),),
    scores=(ScoreFacts("lead_3", 0.5, 0.25, 0.75, 2), ScoreFacts("bart", 1.0, None, None, 1)),
    signature="majority|tie:absent|seed:7",
    program="giza 0.1.0",
)
SYSTEMS = [GoldSystem("lead_3", "extractive"), GoldSystem("bart", "abstractive")]
EXAMPLES = [
    GoldExample(
        key="a1",
        documents=("The dam burst. Nobody was hurt.",),
        references=(ReferenceText("The dam burst. All are safe."),),
        units=(
            UnitRecord(
                "a1", "The dam burst.", weight=2, contributors=(ContributorRecord(0, 0, 13),)
            ),
            UnitRecord("a1", "=1+1 are safe."),
        ),
        summaries={"lead_3": "The dam burst.", "bart": "A dam burst, all are safe."},
        labels={"lead_3": (1, 0), "bart": (1, 1)},
        posteriors={"lead_3": (0.875, 0.25), "bart": (1.0, 0.75)},
        answers=(
            GoldAnswer("lead_3", 0, "wx", "s2", True, False, "per-worker", 31.5, 1, 0),
            GoldAnswer("lead_3", 1, "wx", "s2", True, False, "per-worker", 31.5, 1, 0),
            GoldAnswer("lead_3", 0, "wy", "s1", True, seconds=12.25),
            GoldAnswer("bart", 1, "wy", "s3", True),
        ),
        adjudications=(GoldAdjudication("bart", 1, True, "wz", "Says so."),),
    ),
    GoldExample(
        key="a2",
        documents=("It rained.",),
        references=(ReferenceText("Rain fell."),),
        units=(UnitRecord("a2", "Rain fell."),),
        summaries={"lead_3": "It rained.", "bart": ""},
        labels={"lead_3": (1,), "bart": (0,)},
    ),
]


def counted(gold: Gold) -> Gold:
    facts, systems, examples = gold
    return replace(facts, counts=count_gold(systems, examples)), systems, examples


def small_gold() -> Gold:
    return counted((FACTS, SYSTEMS, EXAMPLES))


def published_gold(folder: Path) -> Gold:
    """REALSumm or PyrXSum as a gold dataset: SCUs with the labels that were released."""
    reader = open_corpus(folder, keep_marks=True)
    records = list(reader.examples())
    systems = [GoldSystem(item.name, item.kind or "other") for item in reader.systems()]
    units = _published_units(folder, [record.key for record in records])
    labels = {system.name: _published_labels(folder, system.name) for system in systems}
    examples = [
        GoldExample(
            key=record.key,
            documents=record.documents,
            references=record.references,
            units=tuple(unit for unit in units if unit.key == record.key),
            summaries=record.summaries,
            labels={name: lines[number] for name, lines in labels.items()},
        )
        for number, record in enumerate(records)
    ]
    facts = GoldFacts(folder.name, 1, "2026-01-01T00:00:00+00:00")
    return counted((facts, systems, examples))


def _published_units(folder: Path, ids: list[str]) -> list[UnitRecord]:
    return list(open_units(folder / "SCUs.txt", ids=ids).units())


def _published_labels(folder: Path, system: str) -> list[tuple[int, ...]]:
    lines = (folder / "labels" / f"{system}.label").read_text("utf-8").split("\n")
    return [tuple(int(label) for label in line.split("\t")) for line in lines]


def many_examples(count: int) -> Iterator[GoldExample]:
    """As many examples as asked for, none kept."""
    for number in range(count):
        yield replace(
            EXAMPLES[0],
            key=f"e{number}",
            units=tuple(replace(unit, key=f"e{number}") for unit in EXAMPLES[0].units),
        )


def joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(parts)


NAMES = st.text(
    st.characters(min_codepoint=32, exclude_categories=["Cs"], exclude_characters="\x7f\ufeff"),
    min_size=1,
    max_size=8,
).filter(str.strip)
WORDS = st.text(st.sampled_from("aé,=-@'\"|\\_%&#${}<>\u2028 \u00a0𝒳"), max_size=6)
LONG = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
SHARES = st.floats(0, 1)
AMOUNTS = st.decimals(0, 99, places=2).map(str)
PARTS = st.sampled_from([0, 1, None])


@st.composite
def references(draw: st.DrawFn) -> ReferenceText:
    text = draw(LONG)
    spans = draw(st.none() | st.just(((0, len(text)),))) if text else None
    return ReferenceText(text, draw(st.just("") | NAMES), spans)


@st.composite
def answers(draw: st.DrawFn, systems: list[str], units: int, number: int) -> list[GoldAnswer]:
    """One assignment's answers, some of them missing; if all are, one that means nothing."""
    asked = draw(st.integers(0, 3))
    kept = draw(st.booleans())
    model = GoldAnswer(
        system=draw(st.sampled_from(systems)),
        unit=0,
        worker=draw(st.just("") | st.just("w1") | WORDS.filter(lambda word: "\u2028" not in word)),
        assignment=f"s{number}",
        present=False,
        kept=kept,
        dropped_by="" if kept else "gold",
        seconds=draw(st.none() | st.floats(0, 1e6)),
        gold_asked=asked,
        gold_right=draw(st.integers(0, asked)),
        campaign=draw(st.integers(0, 2)),
        status=draw(st.sampled_from(["submitted", "approved", "rejected"])),
        feedback=draw(WORDS),
        problem=draw(WORDS),
        reward=draw(st.just("") | AMOUNTS),
        bonuses=tuple(draw(st.lists(st.builds(GoldBonus, AMOUNTS, WORDS), max_size=2))),
        drop_reason=draw(WORDS),
        verdict=draw(st.sampled_from(["", "drop", "keep"])),
        verdict_reason=draw(WORDS),
    )
    given = draw(st.lists(PARTS, min_size=units, max_size=units))
    return [
        replace(model, unit=unit, present=bool(said))
        for unit, said in enumerate(given)
        if said is not None
    ] or ([] if units else [model])


DRAWS = st.just((None, None)) | st.tuples(st.integers(0, 1), st.floats(0.001, 1))


@st.composite
def examples(draw: st.DrawFn, key: str, systems: list[str]) -> GoldExample:
    units = tuple(replace(unit, key=key) for unit in draw(st.lists(UNITS, max_size=3)))
    named = draw(st.lists(st.sampled_from(systems), min_size=1, unique=True))
    labelled = named[: draw(st.integers(0, len(named)))]
    labels = st.lists(PARTS, min_size=len(units), max_size=len(units)).map(tuple)
    shares = st.lists(st.none() | SHARES, min_size=len(units), max_size=len(units)).map(tuple)
    rows = [
        row
        for number in range(draw(st.integers(0, 3)))
        for row in draw(answers(named, len(units), number))
    ]
    unanswered = tuple(draw(answers(named, 0, 9))) if draw(st.booleans()) else ()
    return GoldExample(
        key=key,
        documents=tuple(draw(st.lists(LONG, max_size=2))),
        references=tuple(draw(st.lists(references(), max_size=2))),
        units=units,
        summaries={name: draw(LONG) for name in named},
        labels={name: draw(labels) for name in labelled},
        posteriors={name: draw(shares) for name in labelled[:1]},
        answers=tuple(draw(st.permutations(rows))) if units else (),
        unanswered=unanswered,
        adjudications=tuple(
            GoldAdjudication(named[0], unit, draw(st.booleans()), "w9", draw(WORDS), *draw(DRAWS))
            for unit in range(len(units))
        ),
    )


FACTS_ANY = st.builds(
    replace,
    st.just(FACTS),
    name=NAMES,
    version=st.integers(1, 99),
    description=LONG,
    licence=WORDS,
    citation=LONG,
    recipe=st.dictionaries(WORDS, st.integers() | SHARES | WORDS | st.lists(WORDS, max_size=2)),
    agreement=st.lists(
        st.builds(AgreementFacts, WORDS, WORDS, st.none() | st.floats(-1, 1)), max_size=2
    ).map(tuple),
    campaigns=st.lists(
        st.builds(
            CampaignFacts,
            TEXTS,
            LONG,
            rewards=st.lists(AMOUNTS, max_size=2).map(tuple),
            median_wage=st.none() | AMOUNTS,
        ),
        max_size=2,
    ).map(tuple),
    pseudonymous=st.booleans(),
)


@st.composite
def golds(draw: st.DrawFn) -> Gold:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    kinds = st.sampled_from(SYSTEM_KINDS)
    systems = [GoldSystem(name, draw(kinds)) for name in names]
    keys = draw(st.lists(NAMES, max_size=3, unique=True))
    made = [draw(examples(key, names)) for key in keys]
    return counted((draw(FACTS_ANY), systems, made))
