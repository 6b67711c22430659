"""Units from frames, as §3.2 has it: what stands before the verb, the verb, one argument after it.

A frame gives as many units as it has arguments after its verb; one without any, or with nothing
before the verb, gives none. A sentence that gives none is its own unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scoring.stu.coreference import Renaming, rename
from scoring.stu.types import FRAME, WHOLE, Frame, LabelledSentence, Stu
from scoring.types import Span


def list_triplets(
    sentences: Sequence[LabelledSentence], renamings: Sequence[Sequence[Renaming]] = ()
) -> list[Stu]:
    """The units of a reference, sentence by sentence, with the mentions of each renamed."""
    return [
        unit
        for place, sentence in enumerate(sentences)
        for unit in sentence_units(sentence, place, renamings[place] if renamings else ())
    ]


def sentence_units(
    sentence: LabelledSentence, place: int, renamings: Sequence[Renaming] = ()
) -> list[Stu]:
    found = {
        unit.text: unit
        for frame in sentence.frames
        for words in triplets(frame)
        if (unit := _unit(sentence, place, words, renamings)).text
    }
    return list(found.values()) or _whole(sentence, place, renamings)


def triplets(frame: Frame) -> Iterator[tuple[int, ...]]:
    """The words of each unit of a frame, in the order in which they are said."""
    if not frame.before:
        return
    start = tuple(word for argument in frame.before for word in argument.words) + frame.verb
    for argument in frame.after:
        yield start + argument.words


def _unit(
    sentence: LabelledSentence, place: int, words: Sequence[int], renamings: Sequence[Renaming]
) -> Stu:
    spans = list(runs(sentence, words))
    said = ""
    for span in spans:
        said += " " + rename(sentence.text, span, renamings, said=said)
    start, end = min(a for a, _ in spans), max(b for _, b in spans)
    return Stu(" ".join(said.split()), place, start, end, FRAME)


def runs(sentence: LabelledSentence, words: Iterable[int]) -> Iterator[Span]:
    """The stretches of text that the words stand on: neighbours keep what is between them."""
    start = end = last = -2
    for word in words:
        first, past = sentence.spans[word]
        if word != last + 1 or last < 0:
            if last >= 0:
                yield start, end
            start = first
        end, last = past, word
    if last >= 0:
        yield start, end


def _whole(sentence: LabelledSentence, place: int, renamings: Sequence[Renaming]) -> list[Stu]:
    span = 0, len(sentence.text)
    text = " ".join(rename(sentence.text, span, renamings).split())
    return [Stu(text, place, *span, WHOLE)] if text else []
