"""Frames from role labels: BIO tags of any semantic role labeller, one row of them a verb.

What stands before and after the verb, and the two small repairs, are those of §3.2 and its note 2;
where the paper is silent, as its released units have it: no frame from an infinitive with "to"
(what it says is an argument of the verb above it), and a negation after the verb is said with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.stu.types import Argument, Frame
from scoring.types import Span

BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re", "’m", "’re"})
VERB, NEGATION = "V", "ARGM-NEG"


def frame_of_tags(words: Sequence[str], tags: Sequence[str]) -> Frame | None:
    """The frame of one verb's tags (`B-ARG0`, `I-ARG0`, `B-V`, `O` and so on).

    None if no word is the verb, or if it is an infinitive with "to".
    """
    return frame_of_spans(words, list(read_spans(tags)))


def read_spans(tags: Sequence[str]) -> Iterator[tuple[str, Span]]:
    """Roles and the half-open ranges of their words. An `I-` after another role begins anew."""
    role, start = "", 0
    for place, tag in enumerate([*tags, "O"]):
        mark, _, name = tag.partition("-")
        if mark == "I" and name == role:
            continue
        if role:
            yield role, (start, place)
        role, start = name, place


def frame_of_spans(words: Sequence[str], spans: Sequence[tuple[str, Span]]) -> Frame | None:
    """The same from roles and ranges of words, in the order of the sentence."""
    verbs = [span for role, span in spans if role == VERB]
    if not verbs:
        return None
    start, end = verbs[0]
    if start and words[start - 1].lower() == "to":
        return None
    labelled = {word for _, span in spans for word in range(*span)}
    before = [_argument(role, span) for role, span in spans if role != VERB and span[1] <= start]
    after = [_argument(role, span) for role, span in spans if role != VERB and span[0] >= end]
    verb = [*range(start, end)]
    if start and words[start - 1].lower() in BE and start - 1 not in labelled:
        verb.insert(0, start - 1)
    verb += [word for one in after if one.role == NEGATION for word in one.words]
    return Frame(tuple(verb), tuple(before), tuple(one for one in after if one.role != NEGATION))


def _argument(role: str, span: Span) -> Argument:
    return Argument(role, tuple(range(*span)))
