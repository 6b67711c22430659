"""Facts that noun phrases tell: titles, origins, ages, appositions, owners, kinds and places."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.stemming import word_set
from scoring.stu.rich import phrases
from scoring.stu.rich.clauses import Fact, list_forms
from scoring.stu.rich.phrases import AMOUNTS, Piece
from scoring.stu.rich.tree import CLAUSAL, NOUNS, PLURAL, PROPER, Tree, Words

_ORIGINS = frozenset(("GPE", "ORG", "NORP", "LOC", "FAC"))
_INSIDE = frozenset(("compound", "npadvmod"))
# Said before a noun alone: nobody is former.
_ATTRIBUTIVE = word_set(
    "prime former other own same such first last next only main chief mere fellow late previous"
)


def noun_facts(tree: Tree) -> Iterator[Fact]:
    """The candidates of all noun phrases."""
    for head, tag in enumerate(tree.tags):
        if tag not in NOUNS or tree.relations[head] in _INSIDE:
            continue
        title = _title(tree, head)
        if head in tree.mentions:
            yield from _namings(tree, head)
        elif title:
            yield from _titles(tree, head, title)
        elif phrases.name_start(tree, head) is None:
            yield from _modifiers(tree, head)
        yield from _appositions(tree, head)
        yield from _owners(tree, head)
        if tree.lower[head] not in AMOUNTS:
            yield from _prepositions(tree, head)
    yield from _ages(tree)


def _namings(tree: Tree, head: int) -> Iterator[Fact]:
    """What a mention says of the one it stands for, beside the name."""
    renaming = tree.mentions[head]
    name = renaming.name
    words = tree.phrase(head, CLAUSAL | {"prep", "cc", "conj", "det", "poss"})
    if tree.tags[head] not in PROPER and not renaming.ending:
        said = [tree.words[word] for word in words]
        yield Fact("naming", (name, be(tree, head), *a(tree, words), *said), head)


def _ages(tree: Tree) -> Iterator[Fact]:
    """`the 26-year-old`, where that is somebody named before."""
    for head, renaming in tree.mentions.items():
        years = [w for w in tree.below(head) if tree.tags[w] == "CD"]
        if tree.lower[head] == "old" and years:
            age = (renaming.name, "is", tree.words[years[0]], "years", "old")
            yield Fact("age", age, head)


def be(tree: Tree, head: int) -> str:
    return "are" if tree.is_plural(head) else "is"


def a(tree: Tree, role: Words) -> list[Piece]:
    """The article that a role needs."""
    if tree.tags[role[-1]] in PLURAL or tree.tags[role[0]] in ("DT", "PRP$"):
        return []
    return ["an" if tree.lower[role[0]][0] in "aeiou" else "a"]


def _title(tree: Tree, head: int) -> Words:
    """What stands before a name and says what its bearer is, without an article."""
    start = phrases.name_start(tree, head)
    if not start:
        return []
    first, last = tree.edge(head), start - 1
    if first >= start and tree.relations[last] == tree.relations[head]:
        first = tree.edge(last)  # side and Nice both as objects: the parser missed the title
    title = [w for w in range(first, start) if not tree.is_mute[w] and tree.relations[w] != "det"]
    if not title or tree.tags[last] in ("NN", "NNS"):
        return title
    is_person = tree.entities[head] == "PERSON" and len(title) > 1
    return title if is_person and tree.tags[last] in PROPER else []


def _titles(tree: Tree, head: int, title: Words) -> Iterator[Fact]:
    name, is_ = phrases.short(tree, head), be(tree, head)

    def fact(rule: str, *pieces: Piece) -> Fact:
        return Fact(rule, (*name, is_, *pieces), head)

    yield fact("title", *a(tree, title), *title)
    origin = _origin(tree, title)
    role = [w for w in title if w not in origin and tree.tags[w] != "POS"]
    origin = [w for w in origin if tree.tags[w] != "POS"]
    if origin:
        yield fact("origin", "from", *origin)
        if role:
            yield fact("role", *a(tree, role), *role)
            yield fact("role of", "the", *role, "of", *origin)
    if len(role) > 1 and tree.tags[role[-1]] in NOUNS:
        nouns = [w for w in role if tree.tags[w] in NOUNS]
        yield fact("role", *a(tree, nouns), *nouns)
        yield fact("role", *a(tree, role[-1:]), role[-1])
        for word in role:
            if tree.relations[word] == "amod" and tree.lower[word] not in _ATTRIBUTIVE:
                yield fact("quality", *tree.below(word))


def _origin(tree: Tree, title: Words) -> Words:
    """The country or body that a title begins with."""
    span = tree.names[title[0]]
    if span is None or tree.entities[title[0]] not in _ORIGINS:
        return []
    return [w for w in title if w < span[1] or (w == span[1] and tree.tags[w] == "POS")]


def _modifiers(tree: Tree, head: int) -> Iterator[Fact]:
    is_ = be(tree, head)
    for child in tree.children[head]:
        relation, words = tree.relations[child], tree.below(child, CLAUSAL)
        if relation == "amod" and words and tree.lower[words[-1]] not in _ATTRIBUTIVE:
            yield _quality(tree, head, words)
        elif relation == "nummod" and child < head:
            yield Fact("number", ("there", is_, *words, head), head)
        elif relation in ("compound", "nmod") and words:
            if tree.entities[child] in _ORIGINS:
                yield Fact("origin", ("the", head, is_, "from", *words), head)
            yield Fact("kind", ("the", head, is_, *a(tree, [*words, head]), *words, head), head)


def _quality(tree: Tree, head: int, words: Words) -> Fact:
    subject = phrases.bare(tree, head)
    if tree.lower[words[-1]] == "old" and len(words) == 3:
        return Fact("age", (*subject, be(tree, head), words[0], "years", "old"), head)
    return Fact("quality", (*subject, be(tree, head), *words), head)


def _appositions(tree: Tree, head: int) -> Iterator[Fact]:
    name, is_ = phrases.short(tree, head), be(tree, head)
    for child in tree.related(head, "appos", "nummod"):
        if child < head:
            continue
        if tree.tags[child] == "CD":
            yield Fact("age", (*name, is_, child, "years", "old"), head)
        elif tree.relations[child] == "appos":
            for form in (phrases.short, phrases.plain, phrases.full):
                yield Fact("apposition", (*name, is_, *form(tree, child)), head)


def _owners(tree: Tree, head: int) -> Iterator[Fact]:
    for child in tree.related(head, "poss"):
        owner = tree.below(child, CLAUSAL)
        rest = [w for w in phrases.plain(tree, head) if w not in owner]
        names: list[Piece] = [w for w in owner if tree.tags[w] != "POS"]
        if tree.tags[child] in ("PRP$", "WP$"):
            if child not in tree.mentions:
                continue
            names = [tree.mentions[child].name]
        else:
            is_ = be(tree, head)
            yield Fact("owner", ("the", head, is_, *owner), head)
            yield Fact("owner", ("the", head, is_, "from", *names), head)
        has = "have" if tree.is_plural(child) else "has"
        if rest:
            yield Fact("has", (*names, has, *a(tree, rest), *rest), head)


def _prepositions(tree: Tree, head: int) -> Iterator[Fact]:
    subject, is_ = phrases.bare(tree, head), be(tree, head)
    for child in tree.related(head, "prep"):
        if child in subject:
            continue
        for words in list_forms(tree, child):
            yield Fact("preposition", (*subject, is_, *words), head)
        for one in tree.related(child, "pobj"):
            if tree.lower[child] == "of" and tree.tags[one] in PROPER and tree.tags[head] == "NN":
                yield _named(tree, head, one)


def _named(tree: Tree, head: int, name: int) -> Fact:
    """`the town of Monguno` → `Monguno is a town`."""
    words = [w for w in phrases.plain(tree, head) if tree.relations[w] != "det"]
    return Fact("named", (*phrases.short(tree, name), "is", *a(tree, words), *words), head)
