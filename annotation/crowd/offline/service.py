"""A campaign as the input file of an MTurk batch, and what results files can be about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.imports.uploads import UploadedFile, receiving, remove_received
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, CampaignState, Hit, ProviderName
from annotation.crowd.offline.writing import KnownAnswers, Matched, Matcher, Mismatch, Writer
from annotation.errors import DomainError
from annotation.faults import raise_if_fault
from annotation.units.sets.models import SetState, UnitSet
from annotation.wording import counted
from scoring.io import CorpusError, ProblemList
from scoring.io.judgements import (
    SLOTS,
    BatchHit,
    JudgementReader,
    JudgementRow,
    open_judgements,
    write_batch,
)

CHUNK = 500


def export_batch_csv(campaign: Campaign) -> Iterator[str]:
    """The lines of the file, a HIT a row; its results come back by `import_judgements`."""
    hits = Hit.objects.filter(campaign=campaign).order_by("pk")
    if not hits.exists():
        raise DomainError(
            _("The campaign has no HITs yet."), _("Publish the campaign to create its batch file.")
        )
    return write_batch(_batch_hits(hits), _count_slots(hits))


def _batch_hits(hits: QuerySet[Hit]) -> Iterator[BatchHit]:
    rows = hits.select_related("summary__example", "summary__system")
    for hit in rows.iterator(chunk_size=CHUNK):
        yield BatchHit(
            key=hit.summary.example.key,
            system=hit.summary.system.name,
            summary=hit.shown_text,
            statements=[(row["key"], row["text"]) for row in hit.statements],
        )


def _count_slots(hits: QuerySet[Hit]) -> int:
    """Attention items may make a HIT longer than REALSumm's sixteen."""
    statements = hits.values_list("statements", flat=True)
    return max(SLOTS, *(len(row) for row in statements.iterator(chunk_size=CHUNK)))


def list_frozen_sets(project: Project) -> QuerySet[UnitSet]:
    """Unit sets that judgements can be about."""
    return UnitSet.objects.filter(project=project, state=SetState.FROZEN, archived_at=None)


def list_batch_campaigns(project: Project) -> QuerySet[Campaign]:
    """Campaigns whose answers come as files."""
    rows = Campaign.objects.filter(project=project, provider=ProviderName.OFFLINE)
    return rows.select_related("unit_set")


KIND = "import_judgements"


@dataclass(frozen=True, slots=True)
class JudgementImport:
    """A job that is writing, or the problems that kept it from being made."""

    job: Job | None
    problems: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # How many assignments the files have, where they were only checked.
    checked: int | None = None


def import_uploaded_judgements(
    *,
    project: Project,
    user: User,
    unit_set: UnitSet,
    files: Sequence[UploadedFile],
    name: str = "",
    campaign: Campaign | None = None,
    check: bool = False,
    count_blank: bool = False,
) -> JudgementImport:
    with receiving(project=project, user=user, files=files) as received:
        outcome = import_judgements(
            project=project,
            user=user,
            unit_set=unit_set,
            paths=received.paths,
            name=name,
            campaign=campaign,
            check=check,
            count_blank=count_blank,
        )
        received.is_needed = outcome.job is not None
    return outcome


def import_judgements(
    *,
    project: Project,
    user: User | None,
    unit_set: UnitSet,
    paths: Sequence[Path],
    name: str = "",
    campaign: Campaign | None = None,
    check: bool = False,
    count_blank: bool = False,
) -> JudgementImport:
    """Read everything through; without a problem, have a job write it. With `check` none does.

    Into *campaign*, whose batch was exported, or into a campaign called *name* that is made of
    the files: one of the same name and unit set is added to. With *count_blank*, answers to slots
    that read BLANK are check items: right is that nothing is there.
    """
    _refuse_draft(unit_set)
    target = campaign or find_imported(project, unit_set, name or default_name(unit_set))
    problems = ProblemList()
    try:
        with _opened(paths, problems) as reader:
            matcher = Matcher(unit_set, target, may_add=_may_add(target))
            rows = check_rows(reader.rows(), matcher, problems)
            found = list(map(KnownAnswers(unit_set, target).find_elsewhere, rows))
            count, notes = len(found), reader.notes
    except CorpusError as error:
        raise_if_fault(error)
        return JudgementImport(None, [asdict(error.problem)])
    if not count and not problems.count:
        problems.add(
            paths[0].name, None, _("The files contain no answers."), _("at least one row.")
        )
    if problems.count:
        return JudgementImport(None, [asdict(problem) for problem in problems.first], notes)
    _refuse_known(set(found))
    if check:
        return JudgementImport(None, [], notes, checked=count)
    params = {
        "paths": [str(path) for path in paths],
        "set": unit_set.pk,
        "campaign": target.pk if target else None,
        "name": name or default_name(unit_set),
        "count": count,
        "count_blank": count_blank,
    }
    return JudgementImport(_create_job(project, user, unit_set, params), [], notes)


def _create_job(project: Project, user: User | None, unit_set: UnitSet, params: Any) -> Job:
    count = params["count"]
    title = _("Import {count:,} assignments").format(count=count)
    with transaction.atomic():
        job = create_job(project=project, user=user, kind=KIND, title=title, params=params)
        text = _("started importing {assignments} for {unit_set}").format(
            assignments=counted(count, "assignment", "assignments"), unit_set=unit_set
        )
        record_activity(project=project, actor=user, verb=Verb.START, target=job, text=text)
    return job


def _refuse_known(campaigns: set[int | None]) -> None:
    """If every answer is in another campaign already, there is nothing to import."""
    if None in campaigns:
        return
    ids = [pk for pk in campaigns if pk is not None]
    names = Campaign.objects.filter(pk__in=ids).order_by("pk").values_list("name", flat=True)
    raise DomainError(
        _("These answers are already in {names}.").format(names=", ".join(names)),
        _(
            "There is nothing to import. If they are in the wrong campaign, delete it and import "
            "them again."
        ),
    )


def default_name(unit_set: UnitSet) -> str:
    return _("Judgements of {unit_set}").format(unit_set=unit_set)


def find_imported(project: Project, unit_set: UnitSet, name: str) -> Campaign | None:
    """The campaign of that name, if it is one that was made of files about the same units."""
    found = Campaign.objects.filter(project=project, name=name).first()
    if found is not None and (found.unit_set_id != unit_set.pk or not _may_add(found)):
        raise DomainError(
            _("Another campaign is already called '{name}'.").format(name=name),
            _("Choose another name for the import."),
        )
    return found


def _may_add(campaign: Campaign | None) -> bool:
    """HITs come with the files, but never to a campaign whose HITs were planned here."""
    return campaign is None or bool(campaign.provider_state.get("imported"))


def _refuse_draft(unit_set: UnitSet) -> None:
    if not unit_set.is_frozen:
        raise DomainError(
            _("{unit_set} is not frozen, so its units may still change.").format(unit_set=unit_set),
            _("Freeze it, then import the judgements."),
            fix=unit_set,
        )


def _opened(paths: Sequence[Path], problems: ProblemList) -> JudgementReader:
    max_bytes = settings.MAX_UNPACKED_MB * 2**20
    return open_judgements(paths, problems=problems, max_bytes=max_bytes)


def check_rows(
    rows: Iterable[JudgementRow], matcher: Matcher, problems: ProblemList
) -> Iterator[Matched]:
    """The rows that fit, each assignment once; what does not fit is added to *problems*."""
    seen: dict[str, int] = {}
    for row in rows:
        try:
            found = matcher.match(row)
        except Mismatch as error:
            problems.add(row.file, row.line, *error.args)
            continue
        mark = hash((id(found.hit), tuple(sorted(found.answers.items()))))
        if seen.setdefault(row.identity, mark) != mark:
            message = _("Assignment {identity} appears twice, with different answers.").format(
                identity=row.identity
            )
            problems.add(row.file, row.line, message, _("each assignment once."))
            continue
        yield found


def run_import(work: Work) -> dict[str, Any]:
    params = work.job.params
    if "result" not in work.cursor:
        work.report(0, params["count"], phase=_("Writing judgements"))
        with work.step():
            work.cursor = {"result": _write_all(work)}
            work.done = params["count"]
    forget_files(params)
    result: dict[str, Any] = work.cursor["result"]
    return result


def _write_all(work: Work) -> dict[str, Any]:
    params = work.job.params
    # One import about a unit set at a time: two at once would not see each other's answers.
    UnitSet.objects.select_for_update().filter(pk=params["set"]).first()
    campaign = _find_or_make(work)
    problems = ProblemList()
    matcher = Matcher(campaign.unit_set, campaign, may_add=_may_add(campaign))
    writer = Writer(campaign, count_blank=params.get("count_blank", False))
    with _opened([Path(path) for path in params["paths"]], problems) as reader:
        writer.write(check_rows(reader.rows(), matcher, problems))
    # Checked before; a problem now means that the corpus or a file has changed since.
    problems.raise_first()
    if not writer.written.assignments and not campaign.assignments.exists():
        raise DomainError(_("Another import has added these answers in the meantime."))
    writer.finish()
    record_activity(
        project=campaign.project,
        actor=work.job.created_by,
        verb=Verb.IMPORT,
        target=campaign,
        text=_("imported {assignments} to {campaign}").format(
            assignments=counted(params["count"], "assignment", "assignments"),
            campaign=campaign.name,
        ),
    )
    return {"campaign": campaign.pk, **asdict(writer.written)}


def _find_or_make(work: Work) -> Campaign:
    params = work.job.params
    rows = Campaign.objects.select_related("unit_set__project")
    if params["campaign"] is not None:
        found = rows.filter(pk=params["campaign"]).first()
        if found is None:
            raise DomainError(_("The campaign was deleted."))
        return found
    unit_set = UnitSet.objects.select_related("project").filter(pk=params["set"]).first()
    if unit_set is None:
        raise DomainError(_("The unit set was deleted."))
    name = params["name"]
    return find_imported(unit_set.project, unit_set, name) or _make_campaign(work, unit_set)


def _make_campaign(work: Work, unit_set: UnitSet) -> Campaign:
    now = clock.now()
    return Campaign.objects.create(
        project=unit_set.project,
        unit_set=unit_set,
        name=work.job.params["name"],
        provider=ProviderName.OFFLINE,
        state=CampaignState.ENDED,
        title=work.job.params["name"],
        description=_("Created from results files; nothing was published here."),
        instructions="",
        reward=Decimal(0),
        budget=Decimal(0),
        provider_state={"imported": True},
        created_by=work.job.created_by,
        published_at=now,
        ended_at=now,
        collected_at=now,
    )


def forget_files(params: dict[str, Any]) -> None:
    for folder in {Path(path).parent for path in params.get("paths", [])}:
        remove_received(folder)


def _forget_after_cancel(job: Job) -> None:
    forget_files(job.params)


KINDS[KIND] = JobKind(run_import, undo=_forget_after_cancel)
