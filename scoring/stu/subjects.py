"""Which words head a clause, and whose subject each clause has, its own or a borrowed one.

A relative clause or a participle borrows the noun it tells of, a conjoined verb the subject of the
verb before it, an infinitive or an adjunct that of the verb above it, or that verb's object.
"""

from __future__ import annotations

from scoring.parses import ROOT
from scoring.stu.phrases import Phrases

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
# Relations by which a word with a verb's tag is no clause: "trailing arm", "following the storm".
NO_CLAUSE = frozenset({"aux", "auxpass", "amod", "compound", "prep", "nmod", "punct", "pobj"})
_WH = frozenset({"WDT", "WP", "WP$"})
_PARTICIPLES = frozenset({"VBN", "VBG", "VBD"})


class Subjects:
    """The clauses of one sentence."""

    def __init__(self, phrases: Phrases) -> None:
        self.sentence = phrases.sentence
        self.children = phrases.children
        self.relations = self.sentence.relations
        self.tags = self.sentence.tags
        self.verbs = [
            place
            for place, tag in enumerate(self.tags)
            if tag.startswith("VB") and self.relations[place] not in NO_CLAUSE
        ]
        self.verb_set = frozenset(self.verbs)
        self._found: dict[int, int | None] = {}

    def subject(self, verb: int) -> int | None:
        """The head of the clause's subject."""
        if verb not in self._found:
            self._found[verb] = None  # so that a circle of borrowers ends
            self._found[verb] = self._find(verb)
        return self._found[verb]

    def has_own_subject(self, verb: int) -> bool:
        return self.own_subject(verb) is not None

    def own_subject(self, verb: int) -> int | None:
        return self._child(verb, SUBJECTS)

    def _child(self, verb: int, relations: frozenset[str] | set[str]) -> int | None:
        return next((c for c in self.children[verb] if self.relations[c] in relations), None)

    def _find(self, verb: int) -> int | None:
        own = self.own_subject(verb)
        if own is None:
            return self._borrowed(verb)
        if self.tags[own] in _WH and self.relations[verb] == "relcl":
            return self.sentence.heads[verb]
        return own

    def _borrowed(self, verb: int) -> int | None:
        head, relation = self.sentence.heads[verb], self.relations[verb]
        if head == ROOT:
            return None
        if relation in ("relcl", "acl"):
            return head if self.tags[verb] in _PARTICIPLES and not self._is_to(verb) else None
        if relation == "pcomp":
            head = self.sentence.heads[head]
        if head not in self.verb_set:
            return None
        if relation == "xcomp":
            shared = self._child(head, {"dobj"})
            return self.subject(head) if shared is None else shared
        return (
            self.subject(head) if relation in ("conj", "advcl", "ccomp", "dep", "pcomp") else None
        )

    def _is_to(self, verb: int) -> bool:
        return any(self.tags[child] == "TO" for child in self.children[verb])

    def chained_to(self, verb: int) -> int | None:
        """The verb that this one goes on from: agreed in "agreed to join"."""
        head, relation = self.sentence.heads[verb], self.relations[verb]
        if head not in self.verb_set or self.own_subject(verb) is not None:
            return None
        if relation == "xcomp" and self._child(head, {"dobj"}) is None:
            return head
        if relation == "conj" and self.tags[verb] == self.tags[head] == "VB":
            return self.chained_to(head)
        return None

    def gap(self, verb: int) -> int | None:
        """The noun that a relative clause has no word for: children in "children she cares for"."""
        if self.relations[verb] != "relcl":
            return None
        own = self.own_subject(verb)
        if own is None or self.tags[own] in _WH:
            return None
        noun = self.sentence.heads[verb]
        if self.stranded(verb) is not None:
            return noun
        thing = self._child(verb, {"dobj", "attr", "ccomp", "xcomp"})
        if thing is not None:
            return noun if self.tags[thing] in _WH else None
        wh = any(
            self.tags[c] in ("WRB", "WDT", "WP", "IN") and c < own for c in self.children[verb]
        )
        return None if wh else noun

    def stranded(self, verb: int) -> int | None:
        """A preposition whose noun stands elsewhere, in a relative clause."""
        if self.relations[verb] != "relcl":
            return None
        return next(
            (
                c
                for c in self.children[verb]
                if self.relations[c] == "prep" and not self.children[c]
            ),
            None,
        )
