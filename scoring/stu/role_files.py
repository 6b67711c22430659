"""Role labels and clusters of mentions from JSONL files, as other programs write them.

A line of role labels is a sentence, in one of two forms:

{"words": ["Rain", "fell", "again"], "verbs": [{"tags": ["B-ARG1", "B-V", "B-ARGM-TMP"]}]}
{"text": "Rain fell again.", "frames": [{"verb": [5, 9], "arguments": [["ARG1", 0, 4]]}]}

The first is AllenNLP's output, the second counts characters. A line of clusters is a reference:

{"document": ["Ann", "won", ".", "She", "smiled", "."], "clusters": [[[0, 0], [3, 3]]]}
{"sentences": ["Ann won.", "She smiled."], "clusters": [[[0, 0, 3], [1, 0, 3]]]}

The first is AllenNLP's (words, the last included), the second has sentence, start and end.
Lines may come in any order: they are found by their text, whatever the spaces in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from scoring.errors import InputError
from scoring.io.errors import ProblemList, shown
from scoring.io.jsonl import BadShape, parse_object, strings
from scoring.io.source import LineReader, Source
from scoring.parses import ParsedSentence
from scoring.stu.coreference import cluster_of
from scoring.stu.frames import VERB, frame_of_spans, frame_of_tags
from scoring.stu.types import Cluster, Frame, LabelledSentence
from scoring.translation import gettext as _
from scoring.types import Span

_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_TAG = re.compile(r"O|[BI]-\S+")

Value = TypeVar("Value")
Labels = tuple[list[str], tuple[Frame, ...]]  # a sentence's words and its frames
Spans = list[list[Span]]  # of each cluster the mentions, as characters of the text without spaces


class FrameFile:
    """Frames of the sentences of a file of role labels."""

    needs_parse = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = f"frames-{_digest(path)}"
        self._labels = _read(path, read_sentence)

    def label(self, sentences: Sequence[ParsedSentence]) -> list[LabelledSentence]:
        return [self._label(sentence.text) for sentence in sentences]

    def _label(self, text: str) -> LabelledSentence:
        found = self._labels.get(squeeze(text))
        if found is None:
            raise InputError(
                _(
                    "{path} has no role labels for the sentence '{shown}'. "
                    "Label every sentence of the references, word for word."
                ).format(path=self.path.name, shown=shown(text[:80]))
            )
        words, frames = found
        return LabelledSentence(text, place_words(text, words), frames)


class ClusterFile:
    """Clusters of the references of a file."""

    needs_parse = False
    keeps_pronouns = False  # mentions are unified as the paper has it, all of them

    def __init__(self, path: Path) -> None:
        self.path = path
        self.version = f"clusters-{_digest(path)}"
        self._clusters = _read(path, read_clusters)

    def find(self, sentences: Sequence[ParsedSentence]) -> list[Cluster]:
        texts = [sentence.text for sentence in sentences]
        found = self._clusters.get(squeeze("".join(texts)))
        if found is None:
            raise InputError(
                _(
                    "{path} has no clusters for the reference that begins "
                    "'{shown}'. Add a line for every reference, word for word."
                ).format(path=self.path.name, shown=shown("".join(texts)[:60]))
            )
        places = [(place, at) for place, text in enumerate(texts) for at in _solid(text)]
        clusters = (cluster_of((_stretch(span, places) for span in one), texts) for one in found)
        return [cluster for cluster in clusters if cluster is not None]


def _stretch(span: Span, places: Sequence[tuple[int, int]]) -> tuple[int, int, int]:
    """Sentence, start and end of a range of characters; one that leaves its sentence is cut."""
    sentence, start = places[span[0]]
    last, end = places[span[1] - 1]
    while last != sentence:
        span = span[0], span[1] - 1
        last, end = places[span[1] - 1]
    return sentence, start, end + 1


def squeeze(text: str) -> str:
    """A text without its white space: the same however it was cut into words."""
    return "".join(text.split())


def _solid(text: str) -> list[int]:
    return [place for place, character in enumerate(text) if not character.isspace()]


def place_words(text: str, words: Sequence[str]) -> tuple[Span, ...]:
    """The characters that each word stands on, where text and words differ in spaces only."""
    solid, position, spans = _solid(text), 0, []
    for word in words:
        length = len(squeeze(word))
        start = solid[position] if position < len(solid) else len(text)
        position += length
        spans.append((start, solid[position - 1] + 1 if length else start))
    return tuple(spans)


def _digest(path: Path) -> str:
    if not path.is_file():
        raise InputError(_("There is no file {path}.").format(path=path))
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def _read(path: Path, read: Callable[[dict[str, Any]], tuple[str, Value]]) -> dict[str, Value]:
    """All lines by their text; the first problem is raised, with its line."""
    problems = ProblemList()
    found: dict[str, Value] = {}
    with Source(path) as source, closing(LineReader(source, path.name, problems)) as lines:
        for line in lines:
            if line.strip():
                try:
                    text, value = read(parse_object(line))
                    found.setdefault(text, value)
                except BadShape as error:
                    problems.add(path.name, lines.number, *error.args)
    problems.raise_first()
    return found


def read_sentence(data: dict[str, Any]) -> tuple[str, Labels]:
    """A line of role labels: its text without spaces, its words and frames."""
    if "words" in data:
        words = strings(data["words"], "words")
        frames = [_tagged(words, verb) for verb in _list(data, "verbs")]
    else:
        text = data.get("text")
        if not isinstance(text, str):
            raise BadShape(
                _("The line has neither 'words' nor 'text'."), _("a sentence's role labels.")
            )
        places = [found.span() for found in _WORD.finditer(text)]
        words = [text[start:end] for start, end in places]
        frames = [_spanned(words, places, len(text), frame) for frame in _list(data, "frames")]
    kept = tuple(frame for frame in frames if frame is not None)
    return squeeze("".join(words)), (words, kept)


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise BadShape(
            _("'{key}' is missing or not a list.").format(key=key),
            _("'{key}' as a list.").format(key=key),
        )
    return value


def _tagged(words: Sequence[str], verb: Any) -> Frame | None:
    tags = strings(verb.get("tags"), "tags") if isinstance(verb, dict) else None
    if tags is None or len(tags) != len(words):
        have = _("no tags") if tags is None else _("{tags} tags").format(tags=len(tags))
        raise BadShape(
            _("A verb has {have} for {words} words.").format(have=have, words=len(words)),
            _("'tags', one for each word."),
        )
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise BadShape(
                _("'{tag}' is not a valid tag.").format(tag=tag), _("O, B-ROLE or I-ROLE.")
            )
    return frame_of_tags(words, tags)


def _spanned(words: Sequence[str], places: Sequence[Span], length: int, frame: Any) -> Frame | None:
    if not isinstance(frame, dict) or "verb" not in frame:
        raise BadShape(_("A frame has no 'verb'."), _('{"verb": [start, end], "arguments": […]}.'))
    rows = [(VERB, _pair(frame["verb"], length))]
    for argument in frame.get("arguments", []):
        if not isinstance(argument, list) or len(argument) != 3:
            raise BadShape(
                _("{argument!r} is not an argument.").format(argument=argument),
                _('["ROLE", start, end].'),
            )
        rows.append((str(argument[0]), _pair(argument[1:], length)))
    spans = [(role, _covered(places, *span)) for role, span in rows]
    return frame_of_spans(words, sorted(spans, key=lambda row: row[1]))


def _pair(value: Any, length: int) -> Span:
    is_pair = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
    if not is_pair or not 0 <= value[0] < value[1] <= length:
        raise BadShape(
            _("{value!r} is not a range of the text.").format(value=value),
            _("[start, end] up to {length}.").format(length=length),
        )
    return value[0], value[1]


def _covered(places: Sequence[Span], start: int, end: int) -> Span:
    """The words that a range of characters touches."""
    touched = [word for word, (first, past) in enumerate(places) if first < end and start < past]
    if not touched:
        raise BadShape(
            _("There is no word at {start} to {end}.").format(start=start, end=end),
            _("a range with a word in it."),
        )
    return touched[0], touched[-1] + 1


def read_clusters(data: dict[str, Any]) -> tuple[str, Spans]:
    """A line of clusters: the reference without spaces, and ranges of it."""
    if "document" in data:
        words = strings(data["document"], "document")
        ends = _running([len(squeeze(word)) for word in words])
        clusters = [_word_spans(one, ends) for one in _list(data, "clusters")]
        return squeeze("".join(words)), clusters
    sentences = strings(data.get("sentences"), "sentences")
    offsets = _running([len(squeeze(text)) for text in sentences])
    clusters = [_character_spans(one, sentences, offsets) for one in _list(data, "clusters")]
    return squeeze("".join(sentences)), clusters


def _running(lengths: Sequence[int]) -> list[int]:
    """Where each begins, and where the last one ends."""
    found = [0]
    for length in lengths:
        found.append(found[-1] + length)
    return found


def _word_spans(cluster: Any, starts: Sequence[int]) -> list[Span]:
    expected = _("[[first word, last word], …], up to {starts}.").format(starts=len(starts) - 2)
    spans = []
    for pair in _mentions(cluster, 2, expected):
        if not 0 <= pair[0] <= pair[1] < len(starts) - 1:
            raise BadShape(
                _("The mention {pair!r} is not in the document.").format(pair=pair), expected
            )
        spans.append((starts[pair[0]], starts[pair[1] + 1]))
    return [span for span in spans if span[0] < span[1]]


def _character_spans(cluster: Any, sentences: Sequence[str], offsets: Sequence[int]) -> list[Span]:
    expected = _("[[sentence, start, end], …] within the sentences.")
    spans = []
    for sentence, start, end in _mentions(cluster, 3, expected):
        if not 0 <= sentence < len(sentences) or not 0 <= start < end <= len(sentences[sentence]):
            raise BadShape(
                _("The mention [{sentence}, {start}, {end}] does not exist.").format(
                    sentence=sentence, start=start, end=end
                ),
                expected,
            )
        before = offsets[sentence] + len(squeeze(sentences[sentence][:start]))
        spans.append((before, before + len(squeeze(sentences[sentence][start:end]))))
    return [span for span in spans if span[0] < span[1]]


def _mentions(cluster: Any, size: int, expected: str) -> list[list[int]]:
    if not isinstance(cluster, list):
        raise BadShape(_("A cluster is not a list."), expected)
    for one in cluster:
        if not isinstance(one, list) or len(one) != size or not all(type(n) is int for n in one):
            raise BadShape(_("{one!r} is not a mention.").format(one=one), expected)
    return cluster
