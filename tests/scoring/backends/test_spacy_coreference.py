"""Clusters by a spaCy pipeline, loaded from its folder."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup

from scoring.stu.extractors import load_extractor

HEROES = (("Ann Lee", "She", "her"), ("Ben", "he"))


@Language.component("test_heroes")
def find_heroes(doc: Doc) -> Doc:
    """Groups as spaCy's own models leave them, of words that are known."""
    for number, names in enumerate(HEROES, start=1):
        found = [
            doc.char_span(start, start + len(name))
            for name in names
            for start in _places(doc.text, name)
        ]
        group = SpanGroup(doc, name=f"coref_clusters_{number}", spans=[s for s in found if s])
        doc.spans[group.name] = group
    doc.spans["others"] = SpanGroup(doc, name="others", spans=[doc[0:1], doc[1:2]])
    return doc


def _places(text: str, name: str) -> Sequence[int]:
    return [start for start in range(len(text)) if text.startswith(name, start)]


@pytest.fixture
def pipeline(tmp_path: Path) -> str:
    made = spacy.blank("en")
    made.add_pipe("test_heroes")
    made.to_disk(tmp_path / "heroes")
    return str(tmp_path / "heroes")


def texts_of(pipeline: str, sentences: list[str]) -> list[str]:
    extractor = load_extractor("srl", coref_model=pipeline)
    (units,) = extractor.extract([sentences])
    return [unit.text for unit in units]


def test_it_unifies_what_the_pipeline_finds(pipeline: str) -> None:
    found = texts_of(pipeline, ["Ann Lee met Ben in Rome.", "She told him that he sold her cup."])
    assert "Ann Lee met Ben" in found
    assert "Ben sold Ann Lee's cup" in found


def test_it_reads_places_in_later_sentences(pipeline: str) -> None:
    found = texts_of(pipeline, ["Rain fell.", "Ann Lee left.", "She left the town."])
    assert "Ann Lee left the town" in found


def test_it_leaves_out_a_mention_over_two_sentences(pipeline: str) -> None:
    found = texts_of(pipeline, ["The mayor met Ann", "Lee and she left the town."])
    assert all("Ann Lee" not in text for text in found)


def test_it_names_the_pipeline_in_its_version(pipeline: str) -> None:
    assert "coref-en_pipeline" in load_extractor("srl", coref_model=pipeline).version


def test_it_names_a_pipeline_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no spaCy pipeline 'en_coreference_huge'"):
        load_extractor("srl", coref_model="en_coreference_huge")


def test_it_takes_a_file_or_a_model(pipeline: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one of the two"):
        load_extractor("srl", coref_model=pipeline, clusters=tmp_path / "clusters.jsonl")
