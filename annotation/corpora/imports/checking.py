"""What is odd about a corpus although it can be imported: said before anything is written."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Document, Example, Reference, Summary, System
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.imports.uploads import import_of, new_kept_files, opened, remove_files
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.faults import raise_if_fault
from annotation.wording import counted
from scoring.io import CorpusError, CorpusReader, ProblemList
from scoring.io.texts import without_marks
from scoring.io.wide import WideReader
from scoring.relatedness import NAMED, Pairing, Words, content_words
from scoring.sentences import split_sentences
from scoring.types import ExampleRecord, ReferenceText, Span, SystemRecord

# Systems that agree on fewer examples may do so by chance.
LEAST_SAME = 2


class Doubts:
    """Read along with the examples, in the order of the file."""

    def __init__(self) -> None:
        self._documents = Pairing()
        self._systems: defaultdict[str, Pairing] = defaultdict(Pairing)
        self._digests: defaultdict[str, Any] = defaultdict(hashlib.sha256)
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._empty: dict[str, list[str]] = {"document": [], "reference": [], "summary": []}
        self._before: tuple[Words, Words] = (frozenset(), frozenset())

    def add(self, record: ExampleRecord, context: Iterable[str]) -> None:
        """`context` are documents and references that the project has of the example already."""
        references = content_words(*(reference.text for reference in record.references))
        documents = content_words(*record.documents, *context)
        before, self._before = self._before, (documents, documents | references)
        self._documents.add(record.key, references, documents, before[0])
        for system, text in record.summaries.items():
            words = content_words(text)
            self._systems[system].add(record.key, words, documents | references, before[1])
            self._digests[system].update(f"{record.key}\0{text}\0".encode())
            self._counts[system] += bool(text.strip())
        self._note_empty(record)

    def _note_empty(self, record: ExampleRecord) -> None:
        texts = {
            "document": record.documents,
            "reference": [reference.text for reference in record.references],
        }
        for what, listed in texts.items():
            self._empty[what] += [record.key for text in listed if not text.strip()]
        empty = [system for system, text in record.summaries.items() if not text.strip()]
        self._empty["summary"] += [
            _("{record} by {system}").format(record=record.key, system=system) for system in empty
        ]

    def list(self) -> list[str]:
        return [*self._unrelated(), *self._identical(), *self._list_empty()]

    def _unrelated(self) -> Iterator[str]:
        if self._documents.is_suspect:
            yield _describe(self._documents, "references", "documents")
        for system, pairing in self._systems.items():
            if pairing.is_suspect:
                yield _describe(
                    pairing,
                    _("summaries of “{system}”").format(system=system),
                    _("documents and references"),
                )

    def _identical(self) -> Iterator[str]:
        groups: defaultdict[bytes, list[str]] = defaultdict(list)
        for system, digest in self._digests.items():
            if self._counts[system] >= LEAST_SAME:
                groups[digest.digest()].append(system)
        for systems in groups.values():
            if len(systems) > 1:
                listed = ", ".join(f"“{system}”" for system in systems)
                yield _("The systems {listed} have identical summaries. Check the files.").format(
                    listed=listed
                )

    def _list_empty(self) -> Iterator[str]:
        for what, names in self._empty.items():
            if names:
                count = COUNT_EMPTY[what](len(names))
                yield _("{count}, imported unchanged: {name}.").format(
                    count=count, name=_name(names, len(names))
                )


COUNT_EMPTY: dict[str, Callable[[int], str]] = {
    "document": lambda count: counted(count, "empty document", "empty documents"),
    "reference": lambda count: counted(count, "empty reference", "empty references"),
    "summary": lambda count: counted(count, "empty summary", "empty summaries"),
}


def _describe(pairing: Pairing, what: str, others: str) -> str:
    named = _name(pairing.strays, pairing.stray_count)
    return _(
        "{stray_count:,} of {count:,} {what} share no more words with their own "
        "{others} than with those of the example before: {named}. Check that the lines of the "
        "files belong to the same examples."
    ).format(
        stray_count=pairing.stray_count, count=pairing.count, what=what, others=others, named=named
    )


def _name(names: list[str], count: int) -> str:
    more = count - min(len(names), NAMED)
    return ", ".join(names[:NAMED]) + (_(" and {more:,} more").format(more=more) if more else "")


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


SAMPLES = 3


def run_check(work: Work) -> dict[str, Any]:
    """Read everything, compare it with the project, and write down what would happen."""
    import_ = import_of(work)
    if import_.state != ImportState.CHECKING:
        return {"state": import_.state}
    problems = ProblemList()
    plan = _empty_plan()
    try:
        with opened(import_, problems) as reader:
            import_.format = reader.format
            _read_through(work, import_.project, reader, plan)
    except CorpusError as error:
        raise_if_fault(error)
        problems.take(error.problem)
    plan["problems"] = [_name_as_sent(import_, asdict(problem)) for problem in problems.first]
    plan["problem_count"] = problems.count
    state = ImportState.REFUSED if problems.count else ImportState.READY
    with work.step():
        # Somebody may have dropped the import while it was read; then it stays dropped.
        checked = Import.objects.filter(pk=import_.pk, state=ImportState.CHECKING)
        checked.update(plan=plan, state=state, format=import_.format)
        found = counted(problems.count, "problem", "problems")
        work.log(
            _("Read as {format}: {found}.").format(
                format=import_.format or _("an unknown format"), found=found
            )
        )
    if state == ImportState.REFUSED and not plan["columns"]:
        # Its page needs what was found, and nobody can import it any more.
        remove_files(import_)
    return {"state": state.value, "problems": problems.count}


def _name_as_sent(import_: Import, problem: dict[str, Any]) -> dict[str, Any]:
    """What is wrong with all files together is told of what was sent, not of our folder for it."""
    is_ours = problem["file"] == str(import_.folder)
    return {**problem, "file": import_.name} if is_ours else problem


def _read_through(work: Work, project: Project, reader: CorpusReader, plan: dict[str, Any]) -> None:
    work.report(0, phase=_("Reading"))
    comparison, doubts = Comparison(project), Doubts()
    for chunk in chunked(reader.examples()):
        compared = compare(project, chunk, reader.problems)
        comparison.add(compared)
        for record in chunk:
            doubts.add(record, compared.known.get(record.key, ()))
        _take_samples(plan, chunk)
        work.report(comparison.examples)
    reader.verify()
    if not (comparison.examples or reader.problems.count):
        reader.problems.add(
            reader.source.path.name, None, _("It contains no examples."), _("at least one example.")
        )
    comparison.add_systems(reader.systems())
    plan["format"] = reader.format
    if isinstance(reader, WideReader):
        plan["columns"] = [[name, role] for name, role in reader.columns.items()]
    plan["counts"] = comparison.counts()
    plan["systems"] = [[system.name, system.kind] for system in reader.systems()]
    plan["empty_summaries"] = comparison.empty_summaries
    plan["warnings"] = doubts.list()
    plan["notes"] = [*reader.notes, *comparison.notes]
    plan["kept"] = [
        {"name": name, "lines": _count_lines(data)}
        for name, data in new_kept_files(project, reader)
    ]
    work.report(comparison.examples, comparison.examples, phase=_("Read"))


def _empty_plan() -> dict[str, Any]:
    lists = ("columns", "warnings", "notes", "kept", "sample", "systems")
    return {"counts": {}, **{name: [] for name in lists}}


def _take_samples(plan: dict[str, Any], chunk: list[ExampleRecord]) -> None:
    for record in chunk[: SAMPLES - len(plan["sample"])]:
        first = without_marks(record.references[0].text) if record.references else ""
        plan["sample"].append(
            {"key": record.key, "reference": first[:400], "summaries": len(record.summaries)}
        )


def _count_lines(data: bytes) -> int:
    return data.count(b"\n") + int(bool(data) and not data.endswith(b"\n"))
