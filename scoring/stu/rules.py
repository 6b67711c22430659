"""Frames of semantic roles from a dependency parse, by rule: the default without any SRL model.

A frame stands on a verb. Auxiliaries, modals, negation, adverbs before the verb and particles are
said with it; so is the verb that an infinitive depends on: "agreed to join" is one verb. A clause
without a subject borrows one: see `scoring.stu.subjects`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.parses import ParsedSentence
from scoring.stu.phrases import Phrases
from scoring.stu.subjects import Subjects
from scoring.stu.types import Argument, Frame, LabelledSentence
from scoring.types import Span

HELPERS = frozenset({"aux", "auxpass", "neg"})
ROLES = {
    "dobj": "ARG1",
    "dative": "ARG2",
    "attr": "ARG2",
    "acomp": "ARG2",
    "oprd": "ARG2",
    "agent": "ARG0",
    "ccomp": "ARG1",
    "xcomp": "ARG1",
    "prep": "ARGM",
    "npadvmod": "ARGM-TMP",
    "advmod": "ARGM-ADV",
    "advcl": "ARGM-ADV",
}
_WH = frozenset({"WDT", "WP", "WP$", "WRB"})
_FINITE = frozenset({"VBD", "VBZ", "VBP"})


class FrameRules:
    """The frames of one sentence."""

    def __init__(self, sentence: ParsedSentence) -> None:
        self.sentence = sentence
        self.phrases = Phrases(sentence)
        self.children = self.phrases.children
        self.relations = sentence.relations
        self.tags = sentence.tags
        self.clauses = Subjects(self.phrases)

    def read(self) -> tuple[Frame, ...]:
        frames = map(self.frame, self.clauses.verbs)
        return tuple(frame for frame in frames if frame is not None)

    def frame(self, verb: int) -> Frame | None:
        subject = self.clauses.subject(verb)
        if subject is None or self.tags[subject] in _WH:
            return None
        before = Argument("ARG0", self.phrases.read(subject, around=verb))
        return Frame(self.verb_words(verb), (before,), tuple(self.after(verb, subject)))

    def verb_words(self, verb: int) -> tuple[int, ...]:
        """The verb with all that is said with it: "has been", "agreed to", "never", "down"."""
        return (*self.lead(verb), *self.group(verb))

    def lead(self, verb: int) -> tuple[int, ...]:
        """What is said before the verb but hangs on a verb above it."""
        above = self.clauses.chained_to(verb)
        if above is not None:
            return (*self.verb_words(above), *self._to(verb))
        if self._shares_helpers(verb):
            head = self.sentence.heads[verb]
            shared = [word for word in self.verb_words(head) if word < head]
            return tuple(shared)
        return ()

    def _to(self, verb: int) -> tuple[int, ...]:
        """The "to" of an infinitive, its own or that of the one it is conjoined with."""
        own = [c for c in self.children[verb] if self.tags[c] == "TO" and c < verb]
        if own or self.relations[verb] != "conj":
            return tuple(own[-1:])
        return self._to(self.sentence.heads[verb])

    def _shares_helpers(self, verb: int) -> bool:
        """ "was abducted and murdered": the second verb leans on the helpers of the first."""
        if self.relations[verb] != "conj" or self.clauses.has_own_subject(verb):
            return False
        head = self.sentence.heads[verb]
        return (
            head in self.clauses.verb_set
            and self.tags[verb] == self.tags[head]
            and self.tags[verb] not in _FINITE
            and not any(self.relations[child] in HELPERS for child in self.children[verb])
        )

    def group(self, verb: int) -> tuple[int, ...]:
        subject = self.clauses.own_subject(verb)
        floor = -1 if subject is None or subject > verb else subject
        with_it = [
            child
            for child in self.children[verb]
            if (self.relations[child] in HELPERS and self.tags[child] != "TO")
            or self.relations[child] == "prt"
            or (self._is_inner_adverb(child, verb) and child > floor)
        ]
        stranded = self.clauses.stranded(verb)
        if stranded is not None:
            with_it.append(stranded)
        return tuple(sorted([*with_it, verb]))

    def _is_inner_adverb(self, child: int, verb: int) -> bool:
        return (
            self.relations[child] == "advmod"
            and child < verb
            and self.tags[child].startswith("RB")
            and not self.children[child]
        )

    def after(self, verb: int, subject: int) -> Iterator[Argument]:
        said = set(self.verb_words(verb))
        for child in self.children[verb]:
            role = ROLES.get(self.relations[child])
            if role is None or child == subject or child in said or self.tags[child] in _WH:
                continue
            if child in self.clauses.verb_set and self.clauses.chained_to(child) == verb:
                continue
            yield from self._arguments(role, child)
        gap = self.clauses.gap(verb)
        if gap is not None:
            yield Argument("ARG1", self.phrases.read(gap, around=verb))

    def _arguments(self, role: str, head: int) -> Iterator[Argument]:
        """An argument; of an object, what prepositions add to it are arguments of their own.

        A parser can't tell "shared a kiss in Vegas" from "shared a house in Vegas"; a unit can be
        right both ways.
        """
        apart = [] if self.relations[head] != "dobj" else self._prepositions(head)
        for one, without in ((head, apart), *((place, ()) for place in apart)):
            words = self.phrases.read(one, without=without)
            if words:
                controlled = self._object_before(one)
                yield Argument(role if one == head else "ARGM", controlled + words)

    def _object_before(self, head: int) -> tuple[int, ...]:
        """Whom an infinitive is asked of: "told Ben to close the gate" needs its Ben."""
        if self.relations[head] != "xcomp" or not self.phrases.is_infinitive(head):
            return ()
        thing = self.clauses.subject(head) if head in self.clauses.verb_set else None
        if thing is None or self.sentence.heads[thing] != self.sentence.heads[head]:
            return ()
        return self.phrases.read(thing) if self.relations[thing] == "dobj" else ()

    def _prepositions(self, head: int) -> list[int]:
        return [
            child
            for child in self.children[head]
            if self.relations[child] == "prep" and self.sentence.lemmas[child] != "of"
        ]


def find_frames(sentence: ParsedSentence) -> tuple[Frame, ...]:
    """The frames of a sentence, in the order of their verbs."""
    return FrameRules(sentence).read()


class RuleFrames:
    """Frames by these rules, for the `srl` extractor."""

    version = "rules-1"
    needs_parse = True

    def label(self, sentences: Sequence[ParsedSentence]) -> list[LabelledSentence]:
        return [LabelledSentence(one.text, spans_of(one), find_frames(one)) for one in sentences]


def spans_of(sentence: ParsedSentence) -> tuple[Span, ...]:
    return tuple(
        (start, start + len(word))
        for start, word in zip(sentence.starts, sentence.words, strict=True)
    )
