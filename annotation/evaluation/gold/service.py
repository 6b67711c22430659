"""Gold versions: a study's texts, units, labels and answers in one file under a hash."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, Invalid
from annotation.evaluation.gold.models import GoldVersion, WorkerNames
from annotation.evaluation.gold.queries import get_facts, hash_corpus
from annotation.evaluation.gold.records import get_names, iter_gold_examples, list_gold_systems
from annotation.evaluation.labels.models import LabelSet
from annotation.removal import remove_rows
from scoring.io.gold import GoldExample, GoldFacts, count_gold, write_canonical
from scoring.io.gold.shapes import from_json, to_json

KIND = "make_gold"
BLOCK = 1 << 20
# What no name in a file may hold.
UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def create_gold(
    *,
    project: Project,
    user: User | None,
    label_set: LabelSet,
    name: str,
    description: str = "",
    licence: str = "",
    citation: str = "",
    worker_names: str = WorkerNames.PSEUDONYM,
) -> GoldVersion:
    """Start to write a gold version; a name that was used before gets its next number."""
    if not label_set.is_ready:
        raise DomainError(
            _("{label_set} is not ready.").format(label_set=label_set),
            _("Wait until its job has finished."),
            fix=label_set,
        )
    if not name.strip() or UNFIT.search(name):
        raise Invalid(
            _("name: the dataset needs a name without control characters."), _("Enter a name.")
        )
    texts = {"description": description, "licence": licence, "citation": citation}
    made = _create(project, user, label_set, name.strip(), worker_names, texts)
    with transaction.atomic():
        made.job = create_job(
            project=project,
            user=user,
            kind=KIND,
            title=_("Create {made}").format(made=made),
            params={"gold": made.pk},
        )
        made.save()
        text = _("started creating the gold version {made}").format(made=made)
        record_activity(project=project, actor=user, verb=Verb.START, target=made, text=text)
    return made


def _create(
    project: Project,
    user: User | None,
    label_set: LabelSet,
    name: str,
    worker_names: str,
    texts: dict[str, str],
) -> GoldVersion:
    for __ in range(10):
        rows = GoldVersion.objects.filter(project=project, name=name)
        newest = rows.order_by("-version").first()
        try:
            with transaction.atomic():
                return GoldVersion.objects.create(
                    project=project,
                    label_set=label_set,
                    name=name,
                    version=newest.version + 1 if newest else 1,
                    worker_names=worker_names,
                    created_by=user,
                    **texts,
                )
        except IntegrityError:
            continue
    raise DomainError(_("Another version is being created."), _("Try again in a moment."))


def run_make(work: Work) -> dict[str, Any]:
    gold = get_gold_of(work.job)
    write_gold(gold, work)
    return {"gold": gold.pk, "hash": gold.content_hash, "size": gold.size}


def get_gold_of(job: Job) -> GoldVersion:
    rows = GoldVersion.objects.select_related("project", "label_set__unit_set__project")
    found = rows.filter(pk=job.params["gold"]).first()
    if found is None:
        raise DomainError(_("The gold version was deleted."))
    return found


def write_gold(gold: GoldVersion, work: Work) -> None:
    """Count, then write beside the file's place and move it there: whole, or not at all."""
    if gold.is_ready:
        return
    total = gold.project.example_count
    work.report(0, 2 * total, phase=_("Counting"))
    facts = _facts(gold, work)
    work.report(total, 2 * total, phase=_("Writing"))
    gold.path.parent.mkdir(parents=True, exist_ok=True)
    part = gold.path.with_suffix(".part")
    lines = write_canonical(facts, list_gold_systems(gold.project), _examples(gold, work, total))
    try:
        last = _write_lines(part, lines)
        part.replace(gold.path)
    finally:
        part.unlink(missing_ok=True)  # a half takes room, of which there may be none
    _finish(gold, facts, last, work)


def _write_lines(path: Path, lines: Iterable[bytes]) -> bytes:
    """Write them to disk for good; the last one."""
    last = b""
    with path.open("wb", buffering=BLOCK) as out:
        for last in lines:
            out.write(last)
        out.flush()
        os.fsync(out.fileno())
    return last


def _facts(gold: GoldVersion, work: Work) -> GoldFacts:
    """Those that a restored version came with, or those of the study as it stands."""
    if gold.facts:
        return from_json(GoldFacts, gold.facts, "gold")
    counts = count_gold(list_gold_systems(gold.project), _examples(gold, work, 0))
    return get_facts(gold, counts, hash_corpus(gold.project))


def _examples(gold: GoldVersion, work: Work, base: int) -> Iterator[GoldExample]:
    names = get_names(gold.project, gold.worker_names)
    for number, example in enumerate(iter_gold_examples(gold.label_set, names), start=1):
        yield example
        work.report(base + number)


def _finish(gold: GoldVersion, facts: GoldFacts, last: bytes, work: Work) -> None:
    found = json.loads(last)["sha256"]
    if gold.expected_hash and found != gold.expected_hash:
        raise DomainError(
            _("The hash after restoring is {found}, not {expected_hash}.").format(
                found=found[:12], expected_hash=gold.expected_hash[:12]
            ),
            _("The study was not restored correctly. Report this with the file."),
        )
    with work.step():
        gold.content_hash, gold.size = found, gold.path.stat().st_size
        gold.facts, gold.is_ready = to_json(facts), True
        gold.save()
        record_activity(
            project=gold.project,
            actor=gold.created_by,
            verb=Verb.FINISH,
            target=gold,
            text=_("created the gold version {gold}").format(gold=gold),
        )


@transaction.atomic
def delete_gold(*, gold: GoldVersion, user: User | None) -> None:
    """Only one that could not be created: others may cite the rest by their hash."""
    if gold.is_ready:
        raise DomainError(
            _("{gold} is complete, so it can't be deleted.").format(gold=gold),
            _("Others may cite it by its hash."),
        )
    if gold.job is not None and not gold.job.is_over:
        raise DomainError(
            _("{gold} is still being created.").format(gold=gold),
            _("Cancel its job first."),
            fix=gold,
        )
    text = _("deleted the failed gold version {gold}").format(gold=gold)
    record_activity(project=gold.project, actor=user, verb=Verb.DELETE, target=gold, text=text)
    _remove(gold)


def remove_unfinished(job: Job) -> None:
    for gold in GoldVersion.objects.filter(pk=job.params["gold"], is_ready=False):
        _remove(gold)


def _remove(gold: GoldVersion) -> None:
    gold.path.unlink(missing_ok=True)
    gold.path.with_suffix(".part").unlink(missing_ok=True)
    remove_rows(GoldVersion.objects.filter(pk=gold.pk))


KINDS[KIND] = JobKind(run_make, undo=remove_unfinished)
