"""Checking an import: read it all, hold it against the project, note what would happen."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from annotation.corpora.models import Import, ImportState, Project
from annotation.corpora.services.comparison import Comparison, chunked, compare
from annotation.corpora.services.import_doubts import Doubts
from annotation.corpora.services.import_files import (
    import_of,
    new_kept_files,
    opened,
    remove_files,
)
from annotation.corpora.services.jobs import Work
from annotation.faults import raise_if_fault
from annotation.translation import gettext as _
from annotation.wording import counted
from scoring.io import CorpusError, CorpusReader, ProblemList
from scoring.io.texts import without_marks
from scoring.io.wide import WideReader
from scoring.types import ExampleRecord

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
