"""Taking an import back: its rows go in small steps, after they were hidden all at once.

- Writing an import: chunk by chunk, each a short transaction, shown by one last commit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.bulk import insert_rows, reserve_ids
from annotation.corpora.corpus.models import (
    Document,
    Example,
    Reference,
    Sentence,
    Summary,
    System,
    SystemKind,
)
from annotation.corpora.imports.checking import chunked, compare, sentences_of
from annotation.corpora.imports.models import Import, ImportState, KeptFile
from annotation.corpora.imports.uploads import import_of, new_kept_files, opened, remove_files
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.removal import remove_rows
from annotation.wording import counted
from scoring.io import CorpusReader, ProblemList
from scoring.types import ExampleRecord

EXAMPLES_A_STEP = 200
SUMMARIES_A_STEP = 5000


# Later apps say here why an import must stay; each raises a DomainError.
REFUSALS: list[Callable[[Import], None]] = []


def refuse_if_needed_elsewhere(import_: Import) -> None:
    """A later import may have added summaries to this one's examples or systems."""
    for refuse in REFUSALS:
        refuse(import_)
    borrowed = Q(example__source=import_) | Q(system__source=import_)
    other = Summary.objects.filter(borrowed).exclude(source=import_).select_related("source")
    if later := other.first():
        raise DomainError(
            _("The import of {source} depends on this one.").format(source=later.source.name),
            _("Undo the import of {source} first.").format(source=later.source.name),
        )


def run_removal(work: Work) -> dict[str, Any]:
    import_ = import_of(work)
    if import_.state != ImportState.REMOVING:
        remove_files(import_)
        return {"state": import_.state}
    work.report(0, phase=_("Removing"))
    work.log(_("Its texts are hidden; deleting them."))
    _remove_all(work, import_)
    return {"state": ImportState.DROPPED.value}


def remove_failed(work: Work, project: Project) -> None:
    """What failed imports left would collide with the next; after this none can be retried."""
    for import_ in project.imports.filter(state=ImportState.FAILED):
        work.report(0, phase=_("Deleting what a failed import left behind"))
        give_up_job(import_)
        _remove_all(work, import_)
        work.log(
            _("Deleted what the failed import of {import_} had written.").format(
                import_=import_.name
            )
        )


def give_up_job(import_: Import) -> bool:
    """End an import's failed job for good; whether it had one."""
    failed = Job.objects.filter(imports=import_, state=JobState.FAILED)
    return bool(failed.update(state=JobState.CANCELLED))


def _remove_all(work: Work, import_: Import) -> None:
    while ids := _next_ids(Example.objects.filter(source=import_), EXAMPLES_A_STEP):
        with work.step():
            remove_rows(Example.objects.filter(pk__in=ids))
            work.done += len(ids)
    while ids := _next_ids(Summary.objects.filter(source=import_), SUMMARIES_A_STEP):
        with work.step():
            remove_rows(Summary.objects.filter(pk__gte=ids[0], pk__lte=ids[-1], source=import_))
            work.done += len(ids)
    with work.step():
        remove_rows(System.objects.filter(source=import_))
        remove_rows(KeptFile.objects.filter(source=import_))
        Import.objects.filter(pk=import_.pk).update(
            state=ImportState.DROPPED, finished_at=clock.now()
        )
    remove_files(import_)


def _next_ids(rows: QuerySet[Any], limit: int) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def run_write(work: Work) -> dict[str, Any]:
    import_ = import_of(work)
    if import_.state != ImportState.WRITING:
        # A worker may have died between its last commit and its clearing up.
        remove_files(import_)
        return {"state": import_.state}
    problems = ProblemList()
    with opened(import_, problems) as reader:
        if not work.cursor:
            remove_failed(work, import_.project)
            _begin(work, import_)
        systems = dict(System.objects.filter(project=import_.project).values_list("name", "pk"))
        for chunk in chunked(reader.examples(work.cursor["read"])):
            problems.raise_first()
            with work.step():
                _write_chunk(work, import_, chunk, systems, problems)
        problems.raise_first()
        _expect_all_read(work, import_)
        _complete(work, import_, reader)
    created = import_.plan["created"]
    work.log(
        _("Created {examples}, {systems}, {summaries}.").format(
            examples=counted(created["examples"], "example", "examples"),
            systems=counted(created["systems"], "system", "systems"),
            summaries=counted(created["summaries"], "summary", "summaries"),
        )
    )
    return {"created": created}


def _expect_all_read(work: Work, import_: Import) -> None:
    """The files may have changed since they were checked."""
    want = sum(import_.plan["counts"]["examples"].values())
    if work.cursor["read"] != want:
        raise DomainError(
            _(
                "{import_} holds {read:,} examples; when it was checked, there were {want:,}."
            ).format(import_=import_.name, read=work.cursor["read"], want=want)
        )


def _expect_known_systems(
    import_: Import, chunk: list[ExampleRecord], systems: dict[str, int]
) -> None:
    for record in chunk:
        if unknown := sorted(set(record.summaries) - set(systems)):
            raise DomainError(
                _(
                    "{import_} has a summary by '{unknown}', which was not there "
                    "when it was checked."
                ).format(import_=import_.name, unknown=unknown[0])
            )


def _begin(work: Work, import_: Import) -> None:
    total = import_.plan["counts"]["examples"]
    work.report(0, total["new"] + total["same"], phase=_("Writing"))
    with work.step():
        _create_systems(import_)
        last = Example.objects.filter(project=import_.project).aggregate(last=Max("position"))
        position = 0 if last["last"] is None else last["last"] + 1
        created = {"examples": 0, "references": 0, "summaries": 0, "by_system": {}}
        work.cursor = {"read": 0, "position": position, "created": created}


def _create_systems(import_: Import) -> None:
    known = set(System.objects.filter(project=import_.project).values_list("name", flat=True))
    System.objects.bulk_create(
        System(project=import_.project, source=import_, name=name, kind=kind or SystemKind.OTHER)
        for name, kind in import_.plan["systems"]
        if name not in known
    )


def _write_chunk(
    work: Work,
    import_: Import,
    chunk: list[ExampleRecord],
    systems: dict[str, int],
    problems: ProblemList,
) -> None:
    _expect_known_systems(import_, chunk, systems)
    compared = compare(import_.project, chunk, problems)
    problems.raise_first()
    ids = reserve_ids(Example, len(compared.new))
    position = work.cursor["position"]
    insert_rows(
        Example,
        ["id", "project", "source", "key", "position"],
        (
            (pk, import_.project_id, import_.pk, record.key, position + number)
            for number, (pk, record) in enumerate(zip(ids, compared.new, strict=True))
        ),
    )
    references = _write_texts(list(zip(ids, compared.new, strict=True)))
    summaries = [
        (pk, systems[name], import_.pk, text)
        for pk, record in zip(ids, compared.new, strict=True)
        for name, text in record.summaries.items()
    ]
    summaries += [(pk, systems[name], import_.pk, text) for pk, name, text in compared.additions]
    insert_rows(Summary, ["example", "system", "source", "text"], summaries)
    _advance(work, len(chunk), len(ids), references, [row[1] for row in summaries])


def _write_texts(examples: list[tuple[int, ExampleRecord]]) -> int:
    insert_rows(
        Document,
        ["example", "position", "text"],
        (
            (pk, position, text)
            for pk, record in examples
            for position, text in enumerate(record.documents)
        ),
    )
    references = [
        (pk, position, reference)
        for pk, record in examples
        for position, reference in enumerate(record.references)
    ]
    ids = reserve_ids(Reference, len(references))
    insert_rows(
        Reference,
        ["id", "example", "position", "name", "text", "sentences_given"],
        (
            (pk, example, position, item.name, item.text, item.sentences is not None)
            for pk, (example, position, item) in zip(ids, references, strict=True)
        ),
    )
    insert_rows(
        Sentence,
        ["reference", "position", "start", "end"],
        (
            (pk, position, start, end)
            for pk, (__, __, item) in zip(ids, references, strict=True)
            for position, (start, end) in enumerate(sentences_of(item))
        ),
    )
    return len(references)


def _advance(work: Work, read: int, examples: int, references: int, system_ids: list[int]) -> None:
    created = work.cursor["created"]
    by_system = dict(created["by_system"])
    for system_id in system_ids:
        by_system[str(system_id)] = by_system.get(str(system_id), 0) + 1
    work.cursor = {
        "read": work.cursor["read"] + read,
        "position": work.cursor["position"] + examples,
        "created": {
            "examples": created["examples"] + examples,
            "references": created["references"] + references,
            "summaries": created["summaries"] + len(system_ids),
            "by_system": by_system,
        },
    }
    work.done = work.cursor["read"]


def _complete(work: Work, import_: Import, reader: CorpusReader) -> None:
    """The one commit that makes all rows of the import visible."""
    created = dict(work.cursor["created"])
    created["systems"] = System.objects.filter(source=import_).count()
    with work.step():
        for name, data in new_kept_files(import_.project, reader):
            KeptFile.objects.create(source=import_, name=name, data=data)
        add_counts(import_.project, created, sign=1)
        import_.plan = {**import_.plan, "created": created}
        import_.state = ImportState.DONE
        import_.finished_at = clock.now()
        import_.save(update_fields=["plan", "state", "finished_at"])
        record_activity(
            project=import_.project,
            actor=import_.created_by,
            verb=Verb.IMPORT,
            target=import_,
            text=_("imported {examples} and {summaries} from {import_}").format(
                examples=counted(created["examples"], "example", "examples"),
                summaries=counted(created["summaries"], "summary", "summaries"),
                import_=import_.name,
            ),
        )
    remove_files(import_)


def add_counts(project: Project, created: dict[str, Any], *, sign: int) -> None:
    Project.objects.filter(pk=project.pk).update(
        example_count=F("example_count") + sign * created["examples"],
        reference_count=F("reference_count") + sign * created["references"],
        system_count=F("system_count") + sign * created["systems"],
        summary_count=F("summary_count") + sign * created["summaries"],
    )
    for system_id, count in created["by_system"].items():
        System.objects.filter(pk=system_id).update(summary_count=F("summary_count") + sign * count)
