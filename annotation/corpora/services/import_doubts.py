"""What is odd about a corpus although it can be imported: said before anything is written."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from annotation.translation import gettext as _
from annotation.wording import counted
from scoring.relatedness import NAMED, Pairing, Words, content_words
from scoring.types import ExampleRecord

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
