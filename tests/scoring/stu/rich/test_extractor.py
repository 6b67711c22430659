from __future__ import annotations

from collections.abc import Iterator

import pytest

from scoring.parses import load_parser
from scoring.stu.coreference_rules import RuleCoreference
from scoring.stu.extractors import load_extractor
from scoring.stu.rich import RichExtractor
from tests.scoring.stu.rich.candidates import LongestFirst

SENTENCES = [
    "Norway goalkeeper Erik Lund has joined a Danish club on a short loan.",
    "He said the move was a dream.",
]


def build(x: float = 1.0, words_a_unit: float = 4.0) -> RichExtractor:
    return RichExtractor(LongestFirst(words_a_unit), parser=load_parser(), x=x)


def test_it_chooses_what_the_ranker_prefers_and_says_why() -> None:
    (units,) = build().extract([["The mayor opened the bridge in Ammer on Friday."]])
    longest = max(units, key=lambda unit: unit.score)
    assert longest.text == "The mayor opened the bridge in Ammer on Friday."
    assert (longest.rule, longest.score, longest.sentence) == ("clause", 0.09, 0)


def test_it_tells_the_characters_that_a_unit_stands_on() -> None:
    (units,) = build(x=2).extract([SENTENCES])
    assert {unit.sentence for unit in units} == {0, 1}
    for unit in units:
        words = SENTENCES[unit.sentence][unit.start : unit.end].split()
        assert 0 < len(words) <= len(SENTENCES[unit.sentence].split())


@pytest.mark.parametrize("x", [0.5, 1.0, 1.6])
def test_it_keeps_to_the_budget(x: float) -> None:
    (units,) = build(x).extract([SENTENCES])
    assert 0 < len(units) <= x * 19 / 4 + 0.5


def test_it_gives_the_same_units_every_time_and_in_every_company() -> None:
    other = ["It rained in Rome."]
    (alone,) = build().extract([SENTENCES])
    first, _, again = build().extract([SENTENCES, other, SENTENCES])
    assert alone == first == again


def test_it_reads_references_as_they_are_needed() -> None:
    taken = []

    def references() -> Iterator[list[str]]:
        for number in range(2000):
            taken.append(number)
            yield ["It rained in Rome."]

    next(build().extract(references()))
    assert len(taken) < 2000


def test_it_makes_nothing_of_a_reference_without_words() -> None:
    assert list(build().extract([[], [""], ["It rained in Rome."]]))[:2] == [[], []]


def test_it_takes_sentences_that_are_parsed() -> None:
    parsed = list(load_parser().parse(SENTENCES))
    (units,) = build().extract([SENTENCES])
    assert build().extract_parsed(parsed) == units


@pytest.mark.parametrize("x", [0, -1, float("nan")])
def test_it_refuses_an_x_that_asks_for_nothing(x: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        build(x)


def test_its_version_names_all_that_units_depend_on() -> None:
    parser = load_parser()
    assert build().version == f"rich-1+longest+x1+{parser.name}-{parser.version}"
    unified = RichExtractor(LongestFirst(), coreference=RuleCoreference(), x=1.6)
    assert unified.version == f"rich-1+longest+x1.6+{RuleCoreference.version}"


def test_it_comes_with_a_ranker() -> None:
    extractor = load_extractor("rich", coref=True)
    (units,) = extractor.extract([SENTENCES])
    texts = {unit.text for unit in units}
    assert "Erik Lund is a Norway goalkeeper." in texts
    assert any(text.startswith("Erik Lund has joined a Danish club") for text in texts)
    assert extractor.name == "rich"


def test_it_says_more_where_more_is_asked_for() -> None:
    one, two = (load_extractor("rich", x=x) for x in (1.0, 1.6))
    (few,), (many,) = one.extract([SENTENCES]), two.extract([SENTENCES])
    assert {unit.text for unit in few} < {unit.text for unit in many}
