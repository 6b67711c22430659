"""Frames of semantic roles from a dependency parse, by rule: the default without any SRL model.

A frame stands on a verb. Clauses without a subject of their own borrow one: a relative clause from
the noun it tells of, a conjoined verb from the verb before it, an infinitive, participle or adjunct
from the verb it hangs on. Auxiliaries, modals, negation and particles are said with the verb.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.parses import ROOT, ParsedSentence
from scoring.stu.phrases import Phrases
from scoring.stu.types import Argument, Frame, LabelledSentence
from scoring.types import Span

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
HELPERS = frozenset({"aux", "auxpass", "neg"})
# Relations by which a word with a verb's tag is no clause: "trailing arm", "following the storm".
NO_CLAUSE = frozenset(
    {"aux", "auxpass", "amod", "compound", "prep", "case", "det", "nmod", "punct"}
)
BORROWING = frozenset({"xcomp", "advcl", "ccomp", "dep"})
CORE = {
    "dobj": "ARG1",
    "dative": "ARG2",
    "attr": "ARG2",
    "acomp": "ARG2",
    "oprd": "ARG2",
    "agent": "ARG0",
    "ccomp": "ARG1",
    "xcomp": "ARG1",
    "pcomp": "ARG1",
    "prep": "ARGM",
    "npadvmod": "ARGM-TMP",
    "advmod": "ARGM-ADV",
    "advcl": "ARGM-ADV",
    "intj": "",
}
_WH = frozenset({"WDT", "WP", "WP$", "WRB"})


class FrameRules:
    """The frames of one sentence."""

    def __init__(self, sentence: ParsedSentence) -> None:
        self.sentence = sentence
        self.phrases = Phrases(sentence)
        self.children = self.phrases.children
        self.relations = sentence.relations
        self.tags = sentence.tags
        self._subjects: dict[int, int | None] = {}

    def read(self) -> tuple[Frame, ...]:
        frames = (self.frame(place) for place in range(len(self.tags)) if self.is_clause(place))
        return tuple(frame for frame in frames if frame is not None)

    def is_clause(self, place: int) -> bool:
        return self.tags[place].startswith("VB") and self.relations[place] not in NO_CLAUSE

    def frame(self, verb: int) -> Frame | None:
        subject = self.subject(verb)
        after = self.after(verb, subject)
        before = () if subject is None else (Argument("ARG0", self.phrases.noun(subject)),)
        return Frame(self.verb_group(verb), before, after)

    def subject(self, verb: int) -> int | None:
        """The head of the subject, its own or a borrowed one."""
        if verb not in self._subjects:
            self._subjects[verb] = None  # a parse with a circle of borrowers ends here
            own = self._own_subject(verb)
            self._subjects[verb] = self._borrowed(verb) if own is None else own
        return self._subjects[verb]

    def _own_subject(self, verb: int) -> int | None:
        for child in self.children[verb]:
            if self.relations[child] in SUBJECTS:
                if self.tags[child] in _WH and self.relations[verb] == "relcl":
                    return self.sentence.heads[verb]
                return child
        return None

    def _borrowed(self, verb: int) -> int | None:
        head, relation = self.sentence.heads[verb], self.relations[verb]
        if head == ROOT:
            return None
        if relation in ("relcl", "acl"):
            return head if self.tags[verb] in ("VBN", "VBG") or relation == "relcl" else None
        if relation == "xcomp":
            shared = self._object(head)
            return self._subject_above(head) if shared is None else shared
        if relation in ("conj", "advcl", "ccomp", "dep"):
            return self._subject_above(head)
        if relation == "pcomp" and self.sentence.heads[head] != ROOT:
            return self._subject_above(self.sentence.heads[head])
        return None

    def _subject_above(self, head: int) -> int | None:
        return self.subject(head) if self.is_clause(head) else None

    def _object(self, verb: int) -> int | None:
        return next((c for c in self.children[verb] if self.relations[c] == "dobj"), None)

    def verb_group(self, verb: int) -> tuple[int, ...]:
        helpers = [c for c in self.children[verb] if self.relations[c] in HELPERS and c < verb]
        helpers = [c for c in helpers if self.tags[c] != "TO"]
        later = [c for c in self.children[verb] if self.relations[c] == "neg" and c > verb]
        particles = [c for c in self.children[verb] if self.relations[c] == "prt"]
        return (*helpers, verb, *later, *particles)

    def after(self, verb: int, subject: int | None) -> tuple[Argument, ...]:
        return tuple(
            Argument(CORE[self.relations[child]], words)
            for child in self.children[verb]
            if self.relations[child] in CORE
            and child != subject
            and (words := self.phrases.noun(child))
        )


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
