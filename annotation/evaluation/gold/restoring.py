"""A study from its gold dataset: texts, units, answers and labels, as they were.

The file is read through and checked before anything is made. A job then restores it stage by
stage in a project of its own; what comes out must have the hash that the file has.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.access import require_project_creator
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.imports.models import ImportState
from annotation.corpora.imports.service import create_import, write_import
from annotation.corpora.imports.uploads import UploadedFile, receiving, remove_received
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job, finish_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.projects.service import create_project, delete_project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.gold.models import GoldVersion, WorkerNames
from annotation.evaluation.gold.restored import describe_restored, measure_again
from annotation.evaluation.gold.restoring_rows import RowWriter, make_campaigns
from annotation.evaluation.gold.service import write_gold
from annotation.evaluation.labels.models import LabelOrigin, LabelSet
from annotation.evaluation.labels.service import measure_label_set, show_label_set
from annotation.faults import raise_if_fault
from annotation.units.files.service import import_unit_file
from annotation.units.sets.models import SetState, UnitSet
from annotation.units.sets.service import freeze_set
from scoring.io import CorpusError, ProblemList
from scoring.io import jsonl as corpus_lines
from scoring.io.gold import GoldReader, read_gold
from scoring.io.gold.shapes import to_json
from scoring.io.units import jsonl as unit_lines
from scoring.types import ExampleRecord, SystemRecord

KIND = "restore_gold"
CHUNK = 20


@dataclass(frozen=True, slots=True)
class Restoring:
    """A project that is being filled, or the problems that kept it from being made."""

    project: Project | None
    job: Job | None = None
    problems: list[dict[str, Any]] = field(default_factory=list)


def import_uploaded_gold(
    *, user: User, name: str, slug: str, files: Sequence[UploadedFile]
) -> Restoring:
    require_project_creator(user)
    with receiving(project=None, user=user, files=files) as received:
        if len(received.paths) != 1:
            raise Invalid(_("Upload one file: gold.zip or gold.jsonl."))
        outcome = import_gold(user=user, name=name, slug=slug, path=received.paths[0])
        received.is_needed = outcome.project is not None
    return outcome


def import_gold(*, user: User | None, name: str, slug: str, path: Path) -> Restoring:
    """Read the file through; without a problem, make the project and start to fill it."""
    problems = ProblemList()
    try:
        with _open(path, problems) as reader:
            count = sum(1 for __ in reader.examples())
            mark, facts = reader.hash, reader.facts
    except CorpusError as error:
        raise_if_fault(error)
        return Restoring(None, None, [asdict(error.problem)])
    if problems.count:
        return Restoring(None, None, [asdict(problem) for problem in problems.first])
    params = {"path": str(path), "hash": mark, "examples": count}
    title = _("Restore {facts}").format(facts=facts.name)[:200]
    with transaction.atomic():
        project = create_project(
            user=user, name=name or facts.name, slug=slug, description=facts.description[:500]
        )
        job = create_job(project=project, user=user, kind=KIND, title=title, params=params)
        text = _("started restoring the gold dataset {facts}").format(facts=facts.name)
        record_activity(project=project, actor=user, verb=Verb.IMPORT, target=project, text=text)
    return Restoring(project, job)


def _open(path: Path, problems: ProblemList) -> GoldReader:
    return read_gold(path, problems=problems, max_bytes=settings.MAX_UNPACKED_MB * 2**20)


class _Restorer:
    """The stages of one restoring. Each may be started again, and is done once."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.project = work.job.project
        self.user = work.job.created_by
        self.path = Path(work.job.params["path"])
        self.folder = Path(settings.IMPORTS_DIR) / f"restore-{work.job.pk}"
        self.problems = ProblemList()
        with _open(self.path, self.problems) as reader:
            self.facts, self.systems = reader.facts, reader.systems

    def run(self) -> dict[str, Any]:
        stages: list[tuple[str, Callable[[], None]]] = [
            ("texts", self.restore_texts),
            ("units", self.restore_units),
            ("frozen", self.freeze_units),
            ("answers", self.restore_answers),
            ("labels", self.finish_labels),
            ("gold", self.restore_gold),
        ]
        names = [name for name, __ in stages]
        done = self.work.cursor.get("done")
        for name, restore in stages[names.index(done) + 1 if done else 0 :]:
            restore()
            with self.work.step():
                self.work.cursor["done"] = name
        shutil.rmtree(self.folder, ignore_errors=True)
        forget_file(self.work.job)
        gold = GoldVersion.objects.get(project=self.project)
        return {"gold": gold.pk, "hash": gold.content_hash, "project": self.project.slug}

    def restore_texts(self) -> None:
        """Through an import like any other, that can be seen and tells its counts."""
        self._tell(_("Restoring texts"))
        import_ = self.project.imports.first()
        if import_ is None or import_.state == ImportState.DROPPED:
            path = self._write("corpus.jsonl", self._corpus())
            import_ = create_import(
                project=self.project,
                user=self.user,
                name=self.path.name,
                format="jsonl",
                path=str(path),
            )
        self._finish(import_.job)
        import_.refresh_from_db()
        if import_.state == ImportState.READY:
            self._finish(write_import(import_=import_, user=self.user))

    def _corpus(self) -> Any:
        systems = [SystemRecord(row.name, row.kind) for row in self.systems]
        with _open(self.path, self.problems) as reader:
            records = (
                ExampleRecord(row.key, row.documents, row.references, row.summaries)
                for row in reader.examples()
            )
            yield from corpus_lines.write(systems, records)

    def restore_units(self) -> None:
        self._tell(_("Restoring units"))
        unit_set = UnitSet.objects.filter(project=self.project).first()
        if unit_set is None:
            path = self._write("units.jsonl", self._units())
            outcome = import_unit_file(
                anyway=True,
                project=self.project,
                user=self.user,
                name=self.facts.unit_set.name or _("Units"),
                path=path,
                format="jsonl",
            )
            if outcome.unit_set is None:
                first = outcome.problems[0]
                raise DomainError(f"{first['file']}: {first['message']}", first["expected"])
            unit_set = outcome.unit_set
        self._finish(unit_set.job)

    def _units(self) -> Any:
        with _open(self.path, self.problems) as reader:
            units = (unit for example in reader.examples() for unit in example.units)
            yield from unit_lines.write(units)

    def freeze_units(self) -> None:
        unit_set = self._unit_set()
        if not unit_set.is_frozen:
            UnitSet.objects.filter(pk=unit_set.pk).update(
                state=SetState.REVIEW, version=self.facts.unit_set.version
            )
            unit_set.refresh_from_db()
            reason = _("Restored from {facts} v{version}.").format(
                facts=self.facts.name, version=self.facts.version
            )
            freeze_set(unit_set=unit_set, user=self.user, role=Role.OWNER, reason=reason)
        told = self.facts.unit_set.hash
        if told and unit_set.content_hash != told:
            raise DomainError(
                _("The units’ hash after restoring is {content_hash}, not {told}.").format(
                    content_hash=unit_set.content_hash[:12], told=told[:12]
                )
            )

    def restore_answers(self) -> None:
        """Answers and labels of some examples a step; the cursor counts the examples."""
        self._tell(_("Restoring answers and labels"))
        label_set = self._label_set()
        with _open(self.path, self.problems) as reader:
            writer = RowWriter(label_set, self.facts)
            chunk = []
            for number, example in enumerate(reader.examples(), start=1):
                if number <= self.work.cursor.get("examples", 0):
                    continue
                chunk.append(example)
                if len(chunk) == CHUNK:
                    self._write_chunk(writer, chunk, number)
                    chunk = []
            if chunk:
                self._write_chunk(writer, chunk, number)

    def _write_chunk(self, writer: RowWriter, chunk: list[Any], number: int) -> None:
        with self.work.step():
            writer.write(chunk)
            self.work.cursor["examples"] = number
            self.work.done = number

    def _label_set(self) -> LabelSet:
        """Made once, with the campaign that the answers belong to."""
        found = LabelSet.objects.filter(project=self.project).first()
        if found is not None:
            return found
        with self.work.step():
            has_answers = bool(self.facts.counts.answers)
            made = LabelSet.objects.create(
                project=self.project,
                unit_set=self._unit_set(),
                version=1,
                origin=LabelOrigin.CROWD if has_answers else LabelOrigin.FILES,
                recipe=dict(self.facts.recipe),
                signature=self.facts.signature,
                note=_("Restored from {facts} v{version}.").format(
                    facts=self.facts.name, version=self.facts.version
                ),
                created_by=self.user,
                job=self.work.job,
            )
            if has_answers:
                made.campaigns.set(make_campaigns(made, self.facts, self.user))
        return made

    def finish_labels(self) -> None:
        label_set = self._label_set()
        if not label_set.is_ready:
            self._tell(_("Computing agreement"))
            figures = measure_again(label_set) or describe_restored(label_set, self.facts)
            measure_label_set(
                label_set, figures=figures, answers_hash="", signature=self.facts.signature
            )
            with self.work.step():
                show_label_set(label_set)

    def restore_gold(self) -> None:
        self._tell(_("Comparing hashes"))
        gold, __ = GoldVersion.objects.get_or_create(
            project=self.project,
            name=self.facts.name,
            version=self.facts.version,
            defaults={
                "label_set": self._label_set(),
                "description": self.facts.description,
                "licence": self.facts.licence,
                "citation": self.facts.citation,
                "worker_names": WorkerNames.ID
                if not self.facts.pseudonymous
                else WorkerNames.PSEUDONYM,
                "facts": to_json(self.facts),
                "expected_hash": self.work.job.params["hash"],
                "created_by": self.user,
                "created_at": clock.now(),
                "job": self.work.job,
            },
        )
        write_gold(gold, self.work)

    def _unit_set(self) -> UnitSet:
        return UnitSet.objects.select_related("project").get(project=self.project)

    def _tell(self, phase: str) -> None:
        self.work.report(self.work.done, self.work.job.params["examples"], phase=phase)

    def _write(self, name: str, lines: Any) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        with path.open("w", encoding="utf-8", newline="") as out:
            out.writelines(lines)
        self.problems.raise_first()
        return path

    def _finish(self, job: Job | None) -> None:
        """Run a stage's own job here, or wait for whoever has it."""
        if job is None:
            return
        finish_job(job=job)
        job.refresh_from_db()
        if job.state != JobState.DONE:
            raise DomainError(job.error or _("{job} was cancelled.").format(job=job.title))


def run_restore(work: Work) -> dict[str, Any]:
    return _Restorer(work).run()


def forget_file(job: Job) -> None:
    remove_received(Path(job.params["path"]).parent)


def _give_up(job: Job) -> None:
    """All or nothing: a study that was not restored to its end goes."""
    forget_file(job)
    delete_project(project=job.project)


KINDS[KIND] = JobKind(run_restore, undo=_give_up, can_cancel=False)
