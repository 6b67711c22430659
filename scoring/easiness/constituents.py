"""A constituency tree from a dependency parse and Penn tags: the embedded default.

Every word is the head of a phrase whose kind its tag and relation tell. A phrase is put together
as the Penn treebank does: noun phrases flat up to their head and nested after it, auxiliaries each
with a VP of their own, clauses under S, and under SBAR where something introduces them.
Clauses are built in `clausal.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_uppercase

from scoring.easiness.clausal import build_clause, build_conjunct
from scoring.easiness.trees import Tree, leaf
from scoring.easiness.wording import (
    ADJECTIVES,
    ADVERBS,
    NOMINAL_RELATIONS,
    VERBS,
    Words,
    has_wh,
    read_words,
)
from scoring.parses import ParsedSentence

BARE = {"det", "predet", "case", "aux", "auxpass", "mark", "punct", "neg", "preconj"}
FLAT = {"compound", "nmod"}
ADVERBIAL = {"advmod", "npadvmod"}
PREPOSITIONS = {"prep", "agent", "dative", "pcomp"}
CHAIN = {"cc", "conj"}
INSIDE = {"case", "nummod"}  # right of a noun, and still in its flat phrase
LETTERS = set(ascii_uppercase)

Make = Callable[[Words, int, Sequence[int]], Tree]


def build_tree(sentence: ParsedSentence) -> Tree:
    """The whole sentence under one label; spaces that the parser counts as words are left out."""
    words = read_words(sentence, build_phrase, _build_conjunct)
    if not words.roots:
        return Tree("X", (leaf("XX", "–"),))
    found = [build_phrase(words, root) for root in words.roots]
    if len(found) == 1:
        return found[0] if found[0].children else Tree("FRAG", (found[0],))
    return Tree("FRAG", tuple(found))


def build_phrase(words: Words, i: int) -> Tree:
    """The phrase of a word and all that hangs on it."""
    relation, tag = words.relations[i], words.tags[i]
    if relation == "cc":
        return _conjunction(words, i)
    if not words.left[i] and not words.right[i] and relation in BARE:
        return words.leaf(i)
    if relation == "prt":
        return Tree("PRT", _flat(words, i))
    if tag in VERBS and _is_clause(words, i):
        return build_clause(words, i)
    return _coordinated(words, i, _maker(words, i))


def _maker(words: Words, i: int) -> Make:
    """How phrases of this kind are made; a conjunct that may be a noun is as what it is tied to."""
    own = _own_maker(words, i)
    if not words.is_tied(i) or own not in (_nominal, _quantity):
        return own
    other = _maker(words, words.heads[i])
    return other if other in (_nominal, _quantity) else own


def _own_maker(words: Words, i: int) -> Make:
    relation, tag = words.relations[i], words.tags[i]
    if relation == "nummod" and tag == "CD":
        return _quantity
    if relation in ("prep", "agent") or tag in ("IN", "TO"):
        return _adverb if relation == "advmod" else _preposition
    if tag in ADVERBS or relation in ("advmod", "neg"):
        return _adverb
    if tag in ADJECTIVES and relation not in NOMINAL_RELATIONS and not _heads_nominal(words, i):
        return _adjective
    if relation == "amod":
        return _adjective
    return _interjection if tag == "UH" else _nominal


def _heads_nominal(words: Words, i: int) -> bool:
    """Has an adjective taken a noun's place, as in `the poor`?"""
    if words.is_tied(i):
        return _maker(words, words.heads[i]) is _nominal
    return any(words.relations[child] == "det" for child in words.left[i])


def _is_clause(words: Words, i: int) -> bool:
    """A verb that is not used as a noun or as an adjective."""
    relation = words.relations[i]
    if relation == "amod":
        return False
    if relation == "prep":
        return False  # including, according to
    if relation in NOMINAL_RELATIONS or relation in FLAT:
        return any(words.relations[child] in ("dobj", "aux", "nsubj") for child in words.around(i))
    return True


def _coordinated(words: Words, i: int, make: Make) -> Tree:
    """A phrase, and what `and` ties to it."""
    own, chain = words.split_chain(i)
    if not chain:
        return make(words, i, own)
    cut = 1 + max(
        (k for k, item in enumerate(chain) if words.relations[item] == "conj"), default=-1
    )
    tied, tail = chain[:cut], [words.phrase(item) for item in chain[cut:]]
    found = _flat_coordination(words, i, own, tied, make) or _nested(words, i, own, tied, make)
    if all(part.label[0] not in LETTERS for part in tail):
        return Tree(found.label, found.children + tuple(tail))
    return Tree(found.label, (found, *tail))


def _nested(words: Words, i: int, own: Sequence[int], tied: Sequence[int], make: Make) -> Tree:
    """Each conjunct a phrase of its own."""
    first = make(words, i, own)
    parts, labels = [first], {first.label}
    for item in tied:
        is_conjunct = words.relations[item] == "conj"
        parts.append(words.conjunct(item) if is_conjunct else words.phrase(item))
        labels |= {parts[-1].label} if is_conjunct else set()
    is_mixed = len(labels) > 1 and not labels & {"S", "SBAR", "VP"}
    return Tree("UCP" if is_mixed else _phrasal(first.label), tuple(parts))


def _phrasal(label: str) -> str:
    return "QP" if label == "CD" else label


def _build_conjunct(words: Words, i: int) -> Tree:
    if words.tags[i] in VERBS and _is_clause(words, i):
        return build_conjunct(words, i)
    return _maker(words, i)(words, i, words.split_chain(i)[0])


def _flat_coordination(
    words: Words, i: int, own: Sequence[int], chain: Sequence[int], make: Make
) -> Tree | None:
    """`coins and notes`, `the cat and dog`: one flat phrase, where all but the first are bare."""
    conjuncts = [item for item in chain if words.relations[item] == "conj"]
    others = [item for item in chain if words.relations[item] not in (*CHAIN, "punct")]
    is_bare = all(
        not words.left[item] and not words.split_chain(item)[0] and words.tags[item] not in VERBS
        for item in conjuncts
    )
    if own or others or not is_bare:
        return None
    first = make(words, i, ())
    if any(node.label == "NP" for node in first.children):
        return None
    if words.tags[i] in ("NNP", "NNPS") and len(first.children) > 1:
        return None  # `Anna Smith and Jones` are two names
    rest = tuple(
        words.leaf(item) if words.relations[item] == "conj" else words.phrase(item)
        for item in chain
    )
    return Tree(_phrasal(first.label), (first.children or (first,)) + rest)


def _nominal(words: Words, i: int, own: Sequence[int]) -> Tree:
    """`the big dog` flat; what follows the noun is put beside it, in a phrase around both."""
    inside, after = _split_after(words, own)
    base = [*_before_noun(words, i), *(_premodifier(words, item) for item in inside)]
    label = "WHNP" if has_wh(words, i) else "NP"
    if words.tags[i] == "CD" and _is_quantity(words, i):
        base = [_quantity(words, i, inside)]
    if not after:
        return Tree(label, tuple(base))
    rest = [words.phrase(item) for item in after]
    if all(part.label == "S" for part in rest):
        return Tree(label, (*base, *rest))  # `a plan to win`
    return Tree(label, (Tree("NP", tuple(base)), *rest))


def _split_after(words: Words, own: Sequence[int]) -> tuple[list[int], list[int]]:
    """What is right of a noun: still in its flat phrase, and beyond."""
    cut = 0
    while cut < len(own) and (
        words.relations[own[cut]] in INSIDE or words.tags[own[cut]] in ("''", "HYPH")
    ):
        cut += 1
    return list(own[:cut]), list(own[cut:])


def _before_noun(words: Words, i: int) -> list[Tree]:
    return [part for item in words.left[i] for part in _premodifiers(words, item)] + [words.leaf(i)]


def _premodifiers(words: Words, i: int) -> list[Tree]:
    """Compounds are written out flat; everything else is one part."""
    if words.relations[i] not in FLAT or words.tags[i] in VERBS:
        return [_premodifier(words, i)]
    left = [part for item in words.left[i] for part in _premodifiers(words, item)]
    right = [part for item in words.right[i] for part in _premodifiers(words, item)]
    return [*left, words.leaf(i), *right]


def _premodifier(words: Words, i: int) -> Tree:
    if not words.left[i] and not words.right[i]:
        return (
            words.leaf(i) if words.relations[i] != "poss" or _is_own(words, i) else _bare(i, words)
        )
    return words.phrase(i)


def _is_own(words: Words, i: int) -> bool:
    return words.tags[i] in ("PRP$", "WP$")


def _bare(i: int, words: Words) -> Tree:
    return Tree("NP", (words.leaf(i),))


def _is_quantity(words: Words, i: int) -> bool:
    """`about 20`, `$ 3 million`: more than a number, and more than a sum of money."""
    return any(words.tags[item] not in ("$", "DT", "JJ", "``", "PDT") for item in words.left[i])


def _quantity(words: Words, i: int, own: Sequence[int]) -> Tree:
    left = [part for item in words.left[i] for part in _spread(words, item)]
    right = [part for item in own for part in _spread(words, item)]
    parts = (*left, words.leaf(i), *right)
    return parts[0] if len(parts) == 1 else Tree("QP", parts)


def _spread(words: Words, i: int) -> list[Tree]:
    """All tagged words of a part, without a phrase: `more than`, `up to`."""
    left = [part for item in words.left[i] for part in _spread(words, item)]
    right = [part for item in words.right[i] for part in _spread(words, item)]
    return [*left, words.leaf(i), *right]


def _adjective(words: Words, i: int, own: Sequence[int]) -> Tree:
    left = _lights(words, i)
    return Tree("ADJP", (*left, words.leaf(i), *(words.phrase(item) for item in own)))


def _adverb(words: Words, i: int, own: Sequence[int]) -> Tree:
    label = "WHADVP" if has_wh(words, i) else "ADVP"
    left = _lights(words, i)
    return Tree(label, (*left, words.leaf(i), *(words.phrase(item) for item in own)))


def _light(words: Words, i: int) -> Tree:
    """An adverb before an adjective or adverb is a word, not a phrase."""
    is_alone = not words.left[i] and not words.right[i]
    return words.leaf(i) if is_alone else words.phrase(i)


def _lights(words: Words, i: int) -> list[Tree]:
    """The same for all that is left of a word; `43-year-` before `old` is written out flat."""
    found: list[Tree] = []
    left = words.left[i]
    for place, item in enumerate(left):
        is_hyphened = words.tags[left[min(place + 1, len(left) - 1)]] == "HYPH"
        found += _spread(words, item) if is_hyphened else [_light(words, item)]
    return found


def _interjection(words: Words, i: int, own: Sequence[int]) -> Tree:
    left = [words.phrase(item) for item in words.left[i]]
    return Tree("INTJ", (*left, words.leaf(i), *(words.phrase(item) for item in own)))


def _preposition(words: Words, i: int, own: Sequence[int]) -> Tree:
    left = [words.phrase(item) for item in words.left[i]]
    right = [
        words.leaf(item)
        if words.relations[item] == "pcomp" and _is_light(words, item)
        else words.phrase(item)
        for item in own
    ]
    label = "WHPP" if any(part.label == "WHNP" for part in right) else "PP"
    return Tree(label, (*left, words.leaf(i), *right))


def _is_light(words: Words, i: int) -> bool:
    """The `of` in `because of`."""
    return words.tags[i] in ("IN", "TO") and not words.left[i] and not words.right[i]


def _conjunction(words: Words, i: int) -> Tree:
    """`and`, or `as well as` under CONJP."""
    if not words.left[i] and not words.right[i]:
        return words.leaf(i)
    return Tree("CONJP", tuple(_spread(words, i)))


def _flat(words: Words, i: int) -> tuple[Tree, ...]:
    return tuple(_spread(words, i))
