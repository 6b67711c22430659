"""What STUs tell of a sentence, and the facts that they are tried against."""

import pytest

from scoring.easiness.probes import find_probes
from scoring.easiness.stu_features import STU_FEATURES, stu_features
from scoring.parses import ParsedSentence
from scoring.rouge import best_f1
from tests.scoring.easiness.sentences import by_hand

# Old Ann bought a red car in Rome and sold it.
PARSED = (
    "Old/JJ/amod/1 Ann/NNP/nsubj/2 bought/VBD/ROOT/-1 a/DT/det/5 red/JJ/amod/5 car/NN/dobj/2"
    " in/IN/prep/2 Rome/NNP/pobj/6 and/CC/cc/2 sold/VBD/conj/2 it/PRP/dobj/9 ././punct/2"
)


def tell(*stus: str, parsed: str = PARSED) -> dict[str, float]:
    values = stu_features(by_hand(parsed), stus)
    return dict(zip(STU_FEATURES, values, strict=True))


def facts(sentence: ParsedSentence) -> list[tuple[str, str]]:
    return [
        (kind, " ".join(sentence.words[place] for place in places))
        for kind, places in find_probes(sentence)
    ]


def test_it_finds_facts_in_verbs_nouns_and_prepositions() -> None:
    assert facts(by_hand(PARSED)) == [
        ("modifier", "Old Ann"),
        ("verb", "Ann bought a red car"),
        ("verb", "Ann bought in Rome"),
        ("modifier", "red car"),
        ("preposition", "bought in Rome"),
        ("verb", "Ann sold it"),
    ]


def test_it_gives_a_participle_the_noun_for_a_subject() -> None:
    parsed = by_hand("cars/NNS/ROOT/-1 sold/VBN/acl/0 here/RB/advmod/1")
    assert facts(parsed) == [("verb", "cars sold"), ("modifier", "cars sold here")]


def test_it_finds_a_verb_without_any_subject() -> None:
    assert facts(by_hand("Run/VB/ROOT/-1 home/RB/advmod/0")) == [("verb", "Run")]


def test_it_measures_lengths() -> None:
    found = tell("Ann bought a car", "Ann sold it")
    size = 11  # words of the sentence; the full stop is none
    assert found["stus"] == 2
    assert found["stus_per_word"] == pytest.approx(2 / size)
    assert (found["shortest_stu"], found["longest_stu"]) == (3, 4)
    assert found["stu_length"] == pytest.approx(3.5)
    assert found["stu_share"] == pytest.approx(3.5 / size)
    assert found["said_times"] == pytest.approx(7 / size)
    assert found["spread"] == pytest.approx(0.5 / size)


def test_it_measures_what_is_covered_and_what_is_foreign() -> None:
    found = tell("Ann bought a car", "Ann is clever")
    # Content: old, ann, bought, red, car, rome, sold.
    assert found["covered"] == pytest.approx(3 / 7)
    assert found["missing_content"] == 4
    assert found["missing_modifiers"] == 3  # old, red, Rome
    assert found["foreign"] == 2  # is, clever
    assert found["foreign_share"] == pytest.approx(2 / 11)


def test_it_measures_likeness_to_the_sentence_and_to_each_other() -> None:
    found = tell("Old Ann bought a red car in Rome and sold it", "Ann sold it")
    assert found["like_max"] == pytest.approx(1.0)
    assert found["like_min"] == pytest.approx(2 * 3 / 14)
    assert found["alike_max"] == found["alike_mean"] == pytest.approx(2 * 3 / 14)
    assert tell("Ann sold it")["alike_mean"] == 1.0


def test_it_counts_what_the_sentence_has() -> None:
    found = tell("Ann sold it")
    told = {"verbs": 2, "modifiers": 2, "conjuncts": 1, "prepositions": 1, "numbers": 0}
    assert {name: found[name] for name in told} == told
    assert found["names_per_word"] == pytest.approx(2 / 11)
    assert found["stus_per_verb"] == pytest.approx(0.5)


def test_it_tries_stus_against_facts() -> None:
    stus = ("Ann bought a red car", "Ann sold it to Bo")
    found = tell(*stus)
    verbs = ("Ann bought a red car", "Ann bought in Rome", "Ann sold it")
    near = [best_f1(fact, stus) for fact in verbs]
    assert found["verb_facts"] == 3
    assert found["verb_mean"] == pytest.approx(sum(near) / 3)
    assert found["verb_min"] == pytest.approx(min(near))
    assert found["verb_max"] == 1.0
    rest = [best_f1(fact, stus) for fact in ("Old Ann", "red car", "bought in Rome")]
    assert found["facts_mean"] == pytest.approx(sum(near + rest) / 6)


def test_it_counts_repeated_words_as_rouge_does() -> None:
    parsed = "go/VB/ROOT/-1 go/VB/xcomp/0 go/VB/xcomp/1"
    found = tell("go go", parsed=parsed)
    assert found["verb_max"] == pytest.approx(best_f1("go go", ["go go"]))
    assert found["verb_min"] == pytest.approx(best_f1("go", ["go go"]))


def test_it_answers_without_stus_and_without_facts() -> None:
    found = tell()
    assert (found["stus"], found["covered"], found["verb_max"]) == (0, 0, 0)
    bare = tell(parsed="Oh/UH/ROOT/-1")
    assert (bare["verb_facts"], bare["facts_mean"]) == (0, 0.6)
    assert tell(parsed="././punct/-1")["covered"] == 1
