"""Extractors by name, and what all of them owe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.parses import load_parser
from scoring.stu.extractors import load_extractor
from tests.scoring.stu.parsing import loaded

REFERENCES = [["Ann sold the cup to Ben."], [], ["Rain fell.", "She paid the crew in May."]]
WORDS = "Ann He she her the who that to was not be sold said , . ' \" ( ) - : ; 's n't and 12"
ODD = ["62-year-old", "\u00a0", "\U0001f600", "\n", "\t", "<t>", "", "\u200b", "é", "全球"]
PIECES = [*WORDS.split(), *ODD]


def test_it_names_the_extractors_it_knows() -> None:
    with pytest.raises(ValueError, match="extractor 'srll'. Known: srl, rich."):
        load_extractor("srll")


def test_it_takes_frames_from_one_place(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one of the two"):
        load_extractor(frames=tmp_path / "frames.jsonl", srl_model="owner/model")
    with pytest.raises(ValueError, match="`rich` finds its own frames"):
        load_extractor("rich", clusters=tmp_path / "clusters.jsonl")


def test_it_states_all_that_its_units_depend_on() -> None:
    parser = load_parser()
    plain, coref = load_extractor(), load_extractor(coref=True)
    assert plain.name == "srl"
    assert plain.version != coref.version
    assert plain.version.endswith(f"{parser.name}-{parser.version}")


def test_it_gives_one_list_a_reference_parsed_or_not() -> None:
    extractor = loaded(coref=True)
    parsed = [list(load_parser().parse(sentences)) for sentences in REFERENCES]
    found = list(extractor.extract(REFERENCES))
    assert [len(units) for units in found] == [2, 0, 3]
    assert found == [extractor.extract_parsed(sentences) for sentences in parsed]


def test_it_reads_references_as_they_are_needed() -> None:
    read = []

    def endless() -> Iterator[list[str]]:
        while True:
            read.append(1)
            yield ["Rain fell."]

    assert next(loaded().extract(endless()))[0].text == "Rain fell."
    assert len(read) < 2000


@settings(max_examples=30)
@given(
    st.lists(
        st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=25).map(
            " ".join
        ),
        max_size=3,
    )
)
def test_it_takes_any_text(sentences: list[str]) -> None:
    (units,) = loaded(coref=True).extract([sentences])
    for unit in units:
        assert unit.text.strip() == unit.text != ""
        assert not {"\t", "\n"} & set(unit.text)
        assert 0 <= unit.start < unit.end <= len(sentences[unit.sentence])
    told = {unit.sentence for unit in units}
    assert told == {place for place, text in enumerate(sentences) if text.split()}
