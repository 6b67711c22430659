"""Trees that are built from dependencies, against trees that were written by hand."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.easiness.constituents import build_tree
from scoring.easiness.trees import compare_trees, read_trees
from scoring.easiness.wording import SPACE
from scoring.parses import ParsedSentence
from tests.scoring.easiness.sentences import by_hand, parse, written

GOLD = Path(__file__).parent / "gold_trees.txt"
TAGS = (
    "NN",
    "NNP",
    "VBD",
    "VB",
    "VBG",
    "IN",
    "JJ",
    "RB",
    "DT",
    "CD",
    "WDT",
    "CC",
    ",",
    SPACE,
    "UH",
)
_LISTED = """
    nsubj dobj prep pobj amod advmod conj cc punct relcl acl ccomp xcomp advcl mark aux auxpass
    neg nummod compound appos poss case prt dep ROOT attr agent pcomp oprd quantmod expl
"""
RELATIONS = _LISTED.split()


@pytest.mark.parametrize(
    "parsed, expected",
    [
        (  # a passive, with an adverb among the auxiliaries
            (
                "He/PRP/nsubjpass/4 has/VBZ/aux/4 also/RB/advmod/4 been/VBN/auxpass/4"
                " seen/VBN/ROOT/-1 ././punct/4"
            ),
            (
                "(S (NP (PRP He)) (VP (VBZ has) (ADVP (RB also)) (VP (VBN been) (VP (VBN seen))))"
                " (. .))"
            ),
        ),
        (  # a negation
            "I/PRP/nsubj/3 did/VBD/aux/3 not/RB/neg/3 go/VB/ROOT/-1",
            "(S (NP (PRP I)) (VP (VBD did) (RB not) (VP (VB go))))",
        ),
        (  # an owner, and a noun after a noun
            "Ann/NNP/poss/3 's/POS/case/0 tea/NN/compound/3 cup/NN/nsubj/4 fell/VBD/ROOT/-1",
            "(S (NP (NP (NNP Ann) (POS 's)) (NN tea) (NN cup)) (VP (VBD fell)))",
        ),
        (  # an apposition and a prepositional phrase
            (
                "Bo/NNP/nsubj/7 ,/,/punct/0 head/NN/appos/0 of/IN/prep/2 a/DT/det/5 bank/NN/pobj/3"
                " ,/,/punct/0 left/VBD/ROOT/-1"
            ),
            (
                "(S (NP (NP (NNP Bo)) (, ,) (NP (NP (NN head)) (PP (IN of) (NP (DT a) (NN bank))))"
                " (, ,)) (VP (VBD left)))"
            ),
        ),
        (  # a relative clause, with and without its pronoun
            "men/NNS/ROOT/-1 who/WP/nsubj/2 ran/VBD/relcl/0",
            "(NP (NP (NNS men)) (SBAR (WHNP (WP who)) (S (VP (VBD ran)))))",
        ),
        (
            "men/NNS/ROOT/-1 she/PRP/nsubj/2 saw/VBD/relcl/0",
            "(NP (NP (NNS men)) (SBAR (S (NP (PRP she)) (VP (VBD saw)))))",
        ),
        (  # a preposition before the pronoun
            "town/NN/ROOT/-1 in/IN/prep/4 which/WDT/pobj/1 he/PRP/nsubj/4 lived/VBD/relcl/0",
            (
                "(NP (NP (NN town)) (SBAR (WHPP (IN in) (WHNP (WDT which))) (S (NP (PRP he))"
                " (VP (VBD lived)))))"
            ),
        ),
        (  # participles after a noun, and an infinitive
            "cars/NNS/ROOT/-1 sold/VBN/acl/0 here/RB/advmod/1",
            "(NP (NP (NNS cars)) (VP (VBN sold) (ADVP (RB here))))",
        ),
        (
            "a/DT/det/1 plan/NN/ROOT/-1 to/TO/aux/3 win/VB/acl/1",
            "(NP (DT a) (NN plan) (S (VP (TO to) (VP (VB win)))))",
        ),
        (  # reported speech after and before the verb
            "He/PRP/nsubj/1 says/VBZ/ROOT/-1 that/IN/mark/4 it/PRP/nsubj/4 rains/VBZ/ccomp/1",
            "(S (NP (PRP He)) (VP (VBZ says) (SBAR (IN that) (S (NP (PRP it)) (VP (VBZ rains))))))",
        ),
        (
            "It/PRP/nsubj/1 rains/VBZ/ccomp/4 ,/,/punct/4 they/PRP/nsubj/4 say/VBP/ROOT/-1",
            "(S (S (NP (PRP It)) (VP (VBZ rains))) (, ,) (NP (PRP they)) (VP (VBP say)))",
        ),
        (
            "It/PRP/nsubj/1 rains/VBZ/ccomp/3 ,/,/punct/3 said/VBD/ROOT/-1 Bo/NNP/nsubj/3",
            "(SINV (S (NP (PRP It)) (VP (VBZ rains))) (, ,) (VP (VBD said)) (NP (NNP Bo)))",
        ),
        (
            "left/VBD/ROOT/-1 Bo/NNP/nsubj/0 and/CC/cc/0 sang/VBD/conj/0",
            "(SINV (VP (VBD left)) (NP (NNP Bo)) (CC and) (VP (VBD sang)))",
        ),
        (  # clauses, verbs' phrases and bare verbs that are tied
            "He/PRP/nsubj/1 ran/VBD/ROOT/-1 and/CC/cc/1 she/PRP/nsubj/4 sang/VBD/conj/1",
            "(S (S (NP (PRP He)) (VP (VBD ran))) (CC and) (S (NP (PRP she)) (VP (VBD sang))))",
        ),
        (
            "He/PRP/nsubj/1 ran/VBD/ROOT/-1 home/RB/advmod/1 and/CC/cc/1 sang/VBD/conj/1",
            "(S (NP (PRP He)) (VP (VP (VBD ran) (ADVP (RB home))) (CC and) (VP (VBD sang))))",
        ),
        (
            "He/PRP/nsubj/1 hit/VBD/ROOT/-1 and/CC/cc/1 hurt/VBD/conj/1 Bo/NNP/dobj/3",
            "(S (NP (PRP He)) (VP (VBD hit) (CC and) (VBD hurt) (NP (NNP Bo))))",
        ),
        (
            "He/PRP/nsubj/1 ran/VBD/ROOT/-1 and/CC/cc/1 will/MD/aux/4 run/VB/conj/1",
            "(S (NP (PRP He)) (VP (VP (VBD ran)) (CC and) (VP (MD will) (VP (VB run)))))",
        ),
        (  # nouns that are tied: flat where bare, else each a phrase
            "the/DT/det/1 cats/NNS/ROOT/-1 and/CC/cc/1 dogs/NNS/conj/1",
            "(NP (DT the) (NNS cats) (CC and) (NNS dogs))",
        ),
        (
            "cats/NNS/ROOT/-1 and/CC/cc/0 old/JJ/amod/3 dogs/NNS/conj/0",
            "(NP (NP (NNS cats)) (CC and) (NP (JJ old) (NNS dogs)))",
        ),
        (
            "cats/NNS/ROOT/-1 and/CC/cc/0 dogs/NNS/conj/0 in/IN/prep/0 Rome/NNP/pobj/3",
            "(NP (NP (NNS cats) (CC and) (NNS dogs)) (PP (IN in) (NP (NNP Rome))))",
        ),
        (
            "cats/NNS/ROOT/-1 as/RB/advmod/2 well/RB/advmod/3 as/IN/cc/0 dogs/NNS/conj/0",
            "(NP (NNS cats) (CONJP (RB as) (RB well) (IN as)) (NNS dogs))",
        ),
        (  # quantities
            "about/RB/advmod/1 20/CD/nummod/2 men/NNS/ROOT/-1",
            "(NP (QP (RB about) (CD 20)) (NNS men))",
        ),
        ("20/CD/nummod/1 men/NNS/ROOT/-1", "(NP (CD 20) (NNS men))"),
        ("$/$/nmod/1 5/CD/ROOT/-1", "(NP ($ $) (CD 5))"),
        (
            "$/$/quantmod/2 5/CD/compound/2 million/CD/ROOT/-1",
            "(NP (QP ($ $) (CD 5) (CD million)))",
        ),
        (  # adjectives and adverbs
            "is/VBZ/ROOT/-1 very/RB/advmod/2 glad/JJ/acomp/0",
            "(S (VP (VBZ is) (ADJP (RB very) (JJ glad))))",
        ),
        (
            "found/VBN/ROOT/-1 guilty/JJ/oprd/0",
            "(S (VP (VBN found) (S (ADJP (JJ guilty)))))",
        ),
        (
            (
                "two/CD/nummod/2 -/HYPH/punct/2 year/NN/npadvmod/4 -/HYPH/punct/4 old/JJ/amod/5"
                " girl/NN/ROOT/-1"
            ),
            "(NP (ADJP (CD two) (HYPH -) (NN year) (HYPH -) (JJ old)) (NN girl))",
        ),
        (  # a particle, and a preposition of two words
            "gave/VBD/ROOT/-1 up/RP/prt/0 because/IN/prep/0 of/IN/pcomp/2 rain/NN/pobj/2",
            "(S (VP (VBD gave) (PRT (RP up)) (PP (IN because) (IN of) (NP (NN rain)))))",
        ),
        (  # questions
            "Is/VBZ/ROOT/-1 he/PRP/nsubj/0 ill/JJ/acomp/0 ?/./punct/0",
            "(SQ (VBZ Is) (NP (PRP he)) (ADJP (JJ ill)) (. ?))",
        ),
        (
            "What/WP/dobj/3 did/VBD/aux/3 he/PRP/nsubj/3 say/VB/ROOT/-1 ?/./punct/3",
            "(SBARQ (WHNP (WP What)) (SQ (VBD did) (NP (PRP he)) (VP (VB say)) (. ?)))",
        ),
        ("Yes/UH/ROOT/-1 ././punct/0", "(INTJ (UH Yes) (. .))"),
    ],
)
def test_it_builds_phrases(parsed: str, expected: str) -> None:
    assert str(build_tree(by_hand(parsed))) == expected


def test_it_leaves_out_spaces() -> None:
    parsed = "Dogs/NNS/nsubj/2 _/_SP/dep/0 bark/VBP/ROOT/-1 loudly/RB/advmod/4 _/_SP/dep/2"
    assert str(build_tree(by_hand(parsed))) == (
        "(S (NP (NNS Dogs)) (VP (VBP bark) (ADVP (RB loudly))))"
    )


def test_it_hangs_the_full_stop_at_the_top() -> None:
    parsed = "He/PRP/nsubj/1 says/VBZ/ROOT/-1 it/PRP/nsubj/3 rains/VBZ/ccomp/1 ././punct/3"
    assert str(build_tree(by_hand(parsed))).endswith(" (. .))")


def test_it_mends_a_broken_phrase() -> None:
    parsed = "A/DT/det/1 man/NN/nsubj/2 came/VBD/ROOT/-1 in/IN/prep/1 black/NN/pobj/3"
    assert str(build_tree(by_hand(parsed))) == (
        "(S (NP (DT A) (NN man)) (VP (VBD came) (PP (IN in) (NP (NN black)))))"
    )


@pytest.mark.parametrize(
    "parsed, expected",
    [
        ("Fire/NN/ROOT/-1 Water/NN/ROOT/-1", "(FRAG (NP (NN Fire)) (NP (NN Water)))"),
        ("././punct/-1", "(FRAG (. .))"),
        ("_/_SP/dep/-1", "(X (XX –))"),
    ],
)
def test_it_makes_something_of_anything(parsed: str, expected: str) -> None:
    assert str(build_tree(by_hand(parsed))) == expected


def test_it_is_not_undone_by_endless_sentences() -> None:
    chain = " ".join(f"of/IN/prep/{2 * k} it/NN/pobj/{2 * k + 1}" for k in range(2000))
    tree = build_tree(by_hand(f"Lord/NN/ROOT/-1 {chain}"))
    assert len(tree.leaves()) == 4001
    tied = " ".join(f"and/CC/cc/{2 * k} it/NN/conj/{2 * k}" for k in range(500))
    assert len(build_tree(by_hand(f"it/NN/ROOT/-1 {tied}")).leaves()) == 1001


@st.composite
def parses(draw: st.DrawFn) -> ParsedSentence:
    """Any heads without a circle, any tags, any relations."""
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for rank, place in enumerate(order[1:], 1):
        heads[place] = order[draw(st.integers(0, rank - 1))]
    parts = [
        f"w{i}/{draw(st.sampled_from(TAGS))}/{draw(st.sampled_from(RELATIONS))}/{heads[i]}"
        for i in range(size)
    ]
    return by_hand(" ".join(parts))


@settings(max_examples=100)
@given(parses())
def test_it_keeps_every_word_in_its_place(sentence: ParsedSentence) -> None:
    kept = [word for word, tag in zip(sentence.words, sentence.tags, strict=True) if tag != SPACE]
    tree = build_tree(sentence)
    assert [leaf.word for leaf in tree.leaves()] == (kept or ["–"])
    assert all(node.label for node in tree.nodes())


def test_it_comes_near_trees_written_by_hand(
    record_property: Callable[[str, object], None],
) -> None:
    gold = [tree for tree in read_trees(GOLD) if tree]
    made = [build_tree(sentence) for sentence in parse(*map(written, gold))]
    pairs = list(zip(gold, made, strict=True))
    counts = [compare_trees(one, other) for one, other in pairs]
    both, wanted, found = (sum(column) for column in zip(*counts, strict=True))
    f1 = 2 * both / (wanted + found)
    same = sum(str(one) == str(other) for one, other in pairs)
    print(f"labelled F1 {f1:.3f} on {len(gold)} trees, {same} of them the same")
    record_property("labelled_f1", f1)
    assert [len(one.leaves()) for one in gold] == [len(other.leaves()) for other in made]
    assert f1 >= 0.94
    assert same >= 20
