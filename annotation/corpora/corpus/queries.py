"""Examples, systems and their texts, read a page at a time with a fixed number of queries.

- What later apps show on an example's page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Avg, Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Length

from annotation.access import ProjectAccess
from annotation.computed import Computed
from annotation.corpora.corpus.models import Document, Example, Reference, Summary, System
from annotation.corpora.imports.models import ImportState
from annotation.corpora.projects.models import Project

PAGE_SIZE = 25
EXCERPT = 220
WHERE = {"reference": Reference, "document": Document, "summary": Summary}
KEPT_SECONDS = 7 * 86_400
SYSTEM_STATS = Computed("system-stats", dict[str, int], KEPT_SECONDS)
_MARKS = re.compile(r"\s*</?t>\s*")


class CountedPaginator(Paginator):
    """A paginator that is told the total where it is known, rather than counting it."""

    def __init__(self, rows: Any, per_page: int, known: int | None = None) -> None:
        super().__init__(rows, per_page)
        self.known = known

    @cached_property
    def count(self) -> int:
        return super().count if self.known is None else self.known


@dataclass(frozen=True, slots=True)
class ExampleFilter:
    """What the example browser is asked for."""

    q: str = ""
    where: str = "reference"
    missing: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.q and not self.missing


@dataclass(frozen=True, slots=True)
class ExampleRow:
    example: Example
    number: int
    excerpt: str
    excerpt_segments: list[dict[str, Any]]
    documents: int
    references: int
    summaries: int


def list_examples(project: Project, chosen: ExampleFilter | None = None) -> QuerySet[Example]:
    chosen = chosen or ExampleFilter()
    examples: QuerySet[Example] = Example.objects.live().filter(project=project)
    if chosen.q:
        texts = _shown_rows(WHERE[chosen.where]).filter(text__icontains=chosen.q)
        found = Exists(texts.filter(example=OuterRef("pk")))
        examples = examples.filter(Q(key__icontains=chosen.q) | found)
    if chosen.missing == "references":
        examples = examples.filter(~Exists(Reference.objects.filter(example=OuterRef("pk"))))
    if chosen.missing == "summaries":
        pairs = Summary.objects.live().filter(example=OuterRef("pk")).order_by()
        number = pairs.values("example").annotate(n=Count("pk")).values("n")
        examples = examples.annotate(n=Coalesce(Subquery(number), 0))
        examples = examples.filter(n__lt=project.system_count)
    return examples.order_by("position", "pk")


def get_example_page(project: Project, chosen: ExampleFilter, number: str | int) -> Page[Any]:
    """A page of `ExampleRow`s; an out-of-range page is the nearest one there is."""
    known = project.example_count if chosen.is_empty else None
    page = CountedPaginator(list_examples(project, chosen), PAGE_SIZE, known).get_page(number)
    examples = list(page.object_list)
    page.object_list = _rows(examples, chosen.q, page.start_index())
    return page


def _rows(examples: list[Example], q: str, first: int) -> list[ExampleRow]:
    ids = [example.pk for example in examples]
    counts = [_count(model, ids) for model in (Document, Reference, Summary)]
    texts = dict(
        Reference.objects.filter(example__in=ids, position=0).values_list("example_id", "text")
    )
    rows = []
    for number, example in enumerate(examples, first):
        excerpt = cut_excerpt(texts.get(example.pk, ""), q)
        documents, references, summaries = (count.get(example.pk, 0) for count in counts)
        segments = mark_hits(excerpt, q) if q else []
        rows.append(
            ExampleRow(example, number, excerpt, segments, documents, references, summaries)
        )
    return rows


def _count(model: Any, example_ids: list[int]) -> dict[int, int]:
    rows = _shown_rows(model).filter(example__in=example_ids).order_by()
    return dict(rows.values_list("example_id").annotate(Count("pk")))


def _shown_rows(model: Any) -> Any:
    """An unfinished import may have added summaries to examples that are shown already."""
    return Summary.objects.live() if model is Summary else model.objects.all()


def cut_excerpt(text: str, q: str) -> str:
    """The start of a reference without its marks, or the part where the search was found."""
    plain = _MARKS.sub(" ", text).strip()
    at = plain.lower().find(q.lower()) if q else 0
    start = max(0, at - EXCERPT // 3) if at > EXCERPT // 2 else 0
    end = start + EXCERPT
    head = "… " if start else ""
    return (
        head + plain[start:] if end >= len(plain) else f"{head}{_whole_words(plain[start:end])} …"
    )


def _whole_words(text: str) -> str:
    """Without a word that was cut off at the end; text without spaces stays as it is."""
    return text.rsplit(None, 1)[0] if " " in text else text


def mark_hits(text: str, q: str) -> list[dict[str, Any]]:
    parts = re.split(f"({re.escape(q)})", text, flags=re.IGNORECASE)
    return [{"text": part, "hit": number % 2 == 1} for number, part in enumerate(parts) if part]


def get_neighbours(example: Example) -> tuple[Example | None, Example | None, int]:
    """The example before, the one after, and the number of this one among all."""
    rows = list_examples(example.project)
    before = rows.filter(position__lt=example.position)
    after = rows.filter(position__gt=example.position)
    return before.reverse().first(), after.first(), before.count() + 1


def list_references(example: Example) -> list[Reference]:
    return list(example.references.prefetch_related("sentences"))


def list_summaries(example: Example) -> list[Summary]:
    rows = Summary.objects.live().filter(example=example).select_related("system")
    return list(rows.order_by("system__name", "system_id"))


def list_systems(project: Project) -> QuerySet[System]:
    rows: QuerySet[System] = System.objects.live().filter(project=project)
    return rows.order_by("name", "pk")


def get_system_page(system: System, number: str | int) -> Page[Any]:
    """Summaries of a system in the order of the examples."""
    examples = list_examples(system.project)
    paginator = CountedPaginator(examples, PAGE_SIZE, system.project.example_count)
    page = paginator.get_page(number)
    shown = list(page.object_list)
    texts = dict(
        Summary.objects.live()
        .filter(system=system, example__in=[example.pk for example in shown])
        .values_list("example_id", "text")
    )
    page.object_list = [
        _system_row(example, texts.get(example.pk), at)
        for at, example in enumerate(shown, page.start_index())
    ]
    return page


def _system_row(example: Example, text: str | None, number: int) -> dict[str, Any]:
    words = len(text.split()) if text else 0
    return {"example": example, "text": text, "words": words, "number": number}


def get_system_stats(system: System) -> dict[str, Any]:
    """Texts come and go with imports only: what is read of them once holds until the next."""
    parts = (system.pk, *list_sources(system.project))
    found = SYSTEM_STATS.get(parts, lambda: _measure_system(system))
    return {**found, "missing": system.project.example_count - found["summaries"]}


def _measure_system(system: System) -> dict[str, int]:
    found = (
        Summary.objects.live()
        .filter(system=system)
        .aggregate(
            summaries=Count("pk"),
            empty=Count("pk", filter=Q(text="")),
            mean_characters=Avg(Length(F("text"))),
        )
    )
    return {**found, "mean_characters": round(found["mean_characters"] or 0)}


def texts_by_example(model: Any, ids: list[int]) -> dict[int, list[Any]]:
    """Rows of documents or references of the examples, by example, in their order."""
    grouped: dict[int, list[Any]] = defaultdict(list)
    for row in model.objects.filter(example__in=ids).order_by("example_id", "position"):
        grouped[row.example_id].append(row)
    return grouped


def list_sources(project: Project) -> list[int]:
    """Ids of the imports that are done now; what comes or goes while a file is sent is not."""
    done = project.imports.filter(state=ImportState.DONE)
    return list(done.order_by("pk").values_list("pk", flat=True))


def example_chunks(project: Project, sources: list[int], size: int = 50) -> Iterator[list[Example]]:
    """All examples by position, not by offset: the last chunk costs no more than the first."""
    last = -1
    shown = list_examples(project).filter(source__in=sources)
    while examples := list(shown.filter(position__gt=last)[:size]):
        yield examples
        last = examples[-1].position


@dataclass(frozen=True, slots=True)
class ExamplePart:
    """A section with its template, its style sheet if it needs one, and what it is about."""

    template: str
    about: Any
    style: str = ""


EXAMPLE_PARTS: list[Callable[[ProjectAccess, Example], ExamplePart | None]] = []


def list_example_parts(access: ProjectAccess, example: Example) -> list[ExamplePart]:
    found = (describe(access, example) for describe in EXAMPLE_PARTS)
    return [part for part in found if part is not None]
