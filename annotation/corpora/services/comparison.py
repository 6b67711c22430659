"""What a chunk of a corpus would add to a project, and where the two contradict each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotation.corpora.models import Document, Example, Project, Reference, Summary, System
from annotation.translation import gettext as _
from scoring.io import ProblemList
from scoring.sentences import split_sentences
from scoring.types import ExampleRecord, ReferenceText, Span, SystemRecord

CHUNK = 800
# A chunk of very long texts is a short one: memory goes by characters, not by records.
CHUNK_CHARACTERS = 8_000_000
PARTS = ("examples", "documents", "references", "sentences", "systems", "summaries")


@dataclass(slots=True)
class Compared:
    """A chunk held against the project: whole new examples, and summaries for known ones."""

    new: list[ExampleRecord] = field(default_factory=list)
    additions: list[tuple[int, str, str]] = field(default_factory=list)
    same: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    # Documents and references that the project has of an example, by its key.
    known: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Known:
    """The texts that the project has of the examples in a chunk."""

    ids: dict[str, int]
    documents: dict[int, list[str]]
    references: dict[int, list[tuple[str, str]]]
    summaries: dict[int, dict[str, str]]


def chunked(records: Iterable[ExampleRecord], size: int = CHUNK) -> Iterator[list[ExampleRecord]]:
    chunk: list[ExampleRecord] = []
    characters = 0
    for record in records:
        chunk.append(record)
        characters += _characters(record)
        if len(chunk) >= size or characters >= CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _characters(record: ExampleRecord) -> int:
    texts = [*record.documents, *(r.text for r in record.references), *record.summaries.values()]
    return sum(map(len, texts))


def sentences_of(reference: ReferenceText) -> Iterable[Span]:
    """The source's own sentences where it names them; else those of our splitter."""
    return split_sentences(reference.text) if reference.sentences is None else reference.sentences


def compare(project: Project, chunk: list[ExampleRecord], problems: ProblemList) -> Compared:
    """Records that differ from what the project has under the same id become problems."""
    known = _known(project, chunk)
    result = Compared()
    for record in chunk:
        example_id = known.ids.get(record.key)
        if example_id is None:
            result.new.append(record)
        else:
            _compare_known(record, example_id, known, result, problems)
    return result


def _known(project: Project, chunk: list[ExampleRecord]) -> Known:
    keys = [record.key for record in chunk]
    ids = dict(
        Example.objects.live().filter(project=project, key__in=keys).values_list("key", "pk")
    )
    known = Known(ids, defaultdict(list), defaultdict(list), defaultdict(dict))
    if not ids:
        return known
    pks = list(ids.values())
    for pk, text in Document.objects.filter(example__in=pks).values_list("example_id", "text"):
        known.documents[pk].append(text)
    for pk, name, text in Reference.objects.filter(example__in=pks).values_list(
        "example_id", "name", "text"
    ):
        known.references[pk].append((name, text))
    summaries = Summary.objects.live().filter(example__in=pks).order_by()
    for pk, name, text in summaries.values_list("example_id", "system__name", "text"):
        known.summaries[pk][name] = text
    return known


def _compare_known(
    record: ExampleRecord, pk: int, known: Known, result: Compared, problems: ProblemList
) -> None:
    result.same["examples"] += 1
    references = [text for __, text in known.references[pk]]
    result.known[record.key] = [*known.documents[pk], *references]
    incoming = [(reference.name, reference.text) for reference in record.references]
    if record.documents:
        _expect_same(record, "documents", list(record.documents), known.documents[pk], problems)
        result.same["documents"] += len(record.documents)
    if record.references:
        _expect_same(record, "references", incoming, known.references[pk], problems)
        result.same["references"] += len(record.references)
        result.same["sentences"] += sum(len(list(sentences_of(r))) for r in record.references)
    for system, text in record.summaries.items():
        before = known.summaries[pk].get(system)
        if before is None:
            result.additions.append((pk, system, text))
        elif before == text:
            result.same["summaries"] += 1
        else:
            _conflict(
                record, _("a different summary by '{system}'").format(system=system), problems
            )


def _expect_same(
    record: ExampleRecord,
    what: str,
    new: Sequence[object],
    old: Sequence[object],
    problems: ProblemList,
) -> None:
    if new != old:
        _conflict(record, _("different {what}").format(what=what), problems)


def _conflict(record: ExampleRecord, what: str, problems: ProblemList) -> None:
    problems.add(
        record.file,
        record.line,
        _("Example '{record}' is already in the project, with {what}.").format(
            record=record.key, what=what
        ),
        _("the same text, or a new example ID: an import never overwrites texts."),
    )


class Comparison:
    """The sum over all chunks of a corpus: what is new, and what is there already."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.examples = 0
        self.empty_summaries = 0
        self.notes: list[str] = []
        self._new = dict.fromkeys(PARTS, 0)
        self._same = dict.fromkeys(PARTS, 0)

    def add(self, compared: Compared) -> None:
        self.examples += len(compared.new) + compared.same["examples"]
        for part, count in compared.same.items():
            self._same[part] += count
        self._new["examples"] += len(compared.new)
        self._new["summaries"] += len(compared.additions)
        self.empty_summaries += sum(not text for *__, text in compared.additions)
        for record in compared.new:
            self._add_record(record)

    def _add_record(self, record: ExampleRecord) -> None:
        self._new["documents"] += len(record.documents)
        self._new["references"] += len(record.references)
        self._new["summaries"] += len(record.summaries)
        self.empty_summaries += sum(not text for text in record.summaries.values())
        for reference in record.references:
            self._new["sentences"] += len(list(sentences_of(reference)))

    def add_systems(self, systems: list[SystemRecord]) -> None:
        known = dict(System.objects.live().filter(project=self.project).values_list("name", "kind"))
        for system in systems:
            (self._same if system.name in known else self._new)["systems"] += 1
            kind = known.get(system.name)
            if kind and system.kind and kind != system.kind:
                self.notes.append(
                    _("System '{system}' remains {kind}; the file says {kind_2}.").format(
                        system=system.name, kind=kind, kind_2=system.kind
                    )
                )

    def counts(self) -> dict[str, dict[str, int]]:
        return {part: {"new": self._new[part], "same": self._same[part]} for part in PARTS}
