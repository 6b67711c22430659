"""Examples drawn by difficulty, and a draft campaign about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.service import create_campaign
from annotation.errors import DomainError, Invalid
from annotation.evaluation.metrics.sources import ScoreSource, SourceTables, read_score_sources
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.evaluation.samples.queries import count_judgeable, list_drawn_ids
from annotation.removal import remove_rows
from annotation.units.sets.models import UnitSet
from scoring.errors import InputError
from scoring.inclusion import AUTO, METHODS
from scoring.pyramid import ScoreTable
from scoring.sampling import BINS, DRAWS, PER_BIN, Population, build_population, draw_sample
from scoring.sampling import Sample as Drawn

MOST_SOURCES, MOST_BINS, MOST_PER_BIN = 20, 100, 1000
LEAST_DRAWS, MOST_DRAWS = 50, 2000
MOST_SEED = 2**32 - 1
ROWS_A_STEP = 2000


def sample_examples(
    *,
    project: Project,
    user: User | None,
    sources: Sequence[str],
    bins: int = BINS,
    per_bin: int = PER_BIN,
    seed: int = 0,
    chances: str = AUTO,
    draws: int = DRAWS,
) -> Sample:
    """Draw examples from equal bins of difficulty, by each of some scores in turn."""
    said: dict[str, Any] = {
        "bins": bins,
        "per_bin": per_bin,
        "seed": seed,
        "chances": chances,
        "draws": draws,
    }
    _check(sources, said)
    read = read_score_sources(project, sources)
    try:
        drawn = draw_sample(_build(read), **said)
    except InputError as error:
        raise DomainError(str(error)) from None
    with transaction.atomic():
        made = _keep(project, user, read.sources, drawn, said)
        record_activity(
            project=project,
            actor=user,
            verb=Verb.CREATE,
            target=made,
            text=_("drew {made}").format(made=made)[:300],
        )
    return made


def _check(sources: Sequence[str], said: dict[str, Any]) -> None:
    if not 1 <= len(sources) <= MOST_SOURCES:
        raise Invalid(
            _("sources: expected 1 to {most_sources} scores.").format(most_sources=MOST_SOURCES)
        )
    if len(set(sources)) < len(sources):
        raise DomainError(_("The same scores are listed twice."), _("List each only once."))
    for name, least, most in (
        ("bins", 1, MOST_BINS),
        ("per_bin", 1, MOST_PER_BIN),
        ("seed", 0, MOST_SEED),
        ("draws", LEAST_DRAWS, MOST_DRAWS),
    ):
        if not least <= said[name] <= most:
            raise Invalid(
                _("{name}: expected {least:,} to {most:,}, not {said}.").format(
                    name=name, least=least, most=most, said=said[name]
                )
            )
    if said["chances"] not in METHODS:
        raise Invalid(_("chances: expected one of {methods}.").format(methods=", ".join(METHODS)))


def _build(read: SourceTables) -> Population:
    tables = {
        source.name: ScoreTable(
            read.systems, read.examples, read.tables[source.key], source.signature
        )
        for source in read.sources
    }
    return build_population(
        tables, [source.name for source in read.sources if source.is_lower_better]
    )


def _keep(
    project: Project,
    user: User | None,
    sources: Sequence[ScoreSource],
    drawn: Drawn,
    said: dict[str, Any],
) -> Sample:
    names = ("key", "kind", "name", "title", "is_lower_better", "signature", "content_hash")
    told = drawn.chances
    made = Sample.objects.create(
        project=project,
        sources=[{name: getattr(source, name) for name in names} for source in sources],
        options=said,
        chances={"method": told.method, "draws": told.draws, "error": told.error},
        counts=_count(drawn),
        clashes=[
            {"example": row.document, "source": row.metric, "bin": row.bin, "first": row.first}
            for row in drawn.clashes
        ],
        left_out=list(drawn.population.left_out),
        signature=drawn.signature[:1000],
        created_by=user,
    )
    SampledExample.objects.bulk_create(_rows(made, drawn), batch_size=ROWS_A_STEP)
    return made


def _count(drawn: Drawn) -> dict[str, int]:
    return {
        "population": len(drawn.population.documents),
        "drawn": len(drawn.drawn),
        "missing": drawn.missing,
        "clashes": len(drawn.clashes),
        "left_out": len(drawn.population.left_out),
    }


def _rows(made: Sample, drawn: Drawn) -> list[SampledExample]:
    population = drawn.population
    ids = dict(Example.objects.filter(project=made.project).values_list("key", "pk"))
    places = {row.document: (place, row) for place, row in enumerate(drawn.drawn, 1)}
    found = []
    for column, (key, chance) in enumerate(drawn.probabilities().items()):
        place, row = places.get(key, (None, None))
        found.append(
            SampledExample(
                sample=made,
                example_id=ids[key],
                chance=chance,
                means=population.means[:, column].tolist(),
                bins=drawn.bins[:, column].tolist(),
                drawn=place,
                source=population.metrics.index(row.metric) if row else None,
            )
        )
    return found


def draft_campaign(
    *, sample: Sample, user: User | None, unit_set: UnitSet, name: str, preset: str = ""
) -> Campaign:
    """A draft about the sampled examples alone; nothing is spent by that."""
    if not count_judgeable(sample, unit_set):
        raise DomainError(
            _("{unit_set} has no units for the examples in {sample}.").format(
                unit_set=unit_set, sample=sample
            ),
            _("Write units for these examples, or choose a set that covers them."),
        )
    with transaction.atomic():
        campaign = create_campaign(
            project=sample.project,
            user=user,
            unit_set=unit_set,
            name=name,
            preset=preset,
            scope={"examples": list_drawn_ids(sample)},
        )
        sample.campaigns.add(campaign)
    return campaign


def delete_sample(*, sample: Sample, user: User | None) -> None:
    """Campaigns that were drafted from it stay as they are."""
    with transaction.atomic():
        text = _("deleted {sample}").format(sample=sample)[:300]
        record_activity(
            project=sample.project, actor=user, verb=Verb.DELETE, target=sample, text=text
        )
        remove_rows(Sample.objects.filter(pk=sample.pk))
