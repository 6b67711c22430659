from __future__ import annotations

from scoring.stu.rich.tree import CLAUSAL, Tree
from tests.scoring.stu.rich.candidates import trees

SENTENCE = 'The mayor, who is ill, sold "the old mill" and a barn to Ann Lee.'


def tree_of(sentence: str = SENTENCE) -> Tree:
    (tree,) = trees(sentence)
    return tree


def place(tree: Tree, word: str) -> int:
    return tree.words.index(word)


def test_it_lists_all_below_a_word_without_marks() -> None:
    tree = tree_of()
    found = tree.below(place(tree, "mayor"))
    assert [tree.words[p] for p in found] == ["The", "mayor", "who", "is", "ill"]
    found = tree.below(place(tree, "mayor"), CLAUSAL)
    assert [tree.words[p] for p in found] == ["The", "mayor"]


def test_it_lists_a_word_with_some_of_its_children() -> None:
    tree = tree_of()
    found = tree.phrase(place(tree, "mill"), frozenset(("conj", "cc", "amod")))
    assert [tree.words[p] for p in found] == ["the", "mill"]


def test_it_lists_what_is_joined() -> None:
    tree = tree_of("Ann, Ben and Eva sang.")
    assert [tree.words[p] for p in tree.members(0)] == ["Ann", "Ben", "Eva"]
    assert tree.are_many(0)
    assert not tree.is_plural(0)


def test_it_knows_what_is_plural() -> None:
    tree = tree_of("Police say a man and two dogs were seen.")
    assert tree.is_plural(place(tree, "Police"))
    assert tree.is_plural(place(tree, "dogs"))
    assert not tree.is_plural(place(tree, "man"))


def test_it_knows_where_a_name_begins_and_ends() -> None:
    tree = tree_of()
    start = place(tree, "Ann")
    assert tree.names[start] == tree.names[start + 1] == (start, start + 2)
    assert tree.names[0] is None


def test_it_finds_the_first_word_of_a_noun_phrase() -> None:
    tree = tree_of("Yesterday the very old mill on the hill burned.")
    assert tree.words[tree.edge(place(tree, "mill"))] == "the"


def test_it_keeps_mentions_by_word() -> None:
    _, tree = trees("Ann Lee won.", "She smiled.", coref=True)
    assert {tree.words[p]: renaming.name for p, renaming in tree.mentions.items()} == {
        "She": "Ann Lee"
    }
    assert tree.topic == "Ann Lee"
