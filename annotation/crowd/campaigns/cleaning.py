"""What workers read in place of a summary as it is stored; the stored one is never changed.

Off, unless a campaign's set-up says otherwise. Of a draft it is worked out anew each time, so that
switching it off shows the stored text again; a HIT that is planned keeps what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.corpora.corpus.models import Document, Example, Reference, Summary
from annotation.corpora.imports.models import Import, ImportState
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.memory import Memory
from scoring import __version__
from scoring.casing import Caser, learn_case
from scoring.cleaning import CASE, VERSION, Cleaned, clean_text, hash_shown

# Examples that a caser learns from at most, those that come first; more teach it little.
LEARNED_EXAMPLES = 2000
CHUNK = 500
_casers: Memory[Caser] = Memory(8)


def get_caser(project: Project) -> Caser:
    """Learned from the project's documents and references; again only if its corpus changes."""
    done = Import.objects.filter(project=project, state=ImportState.DONE).order_by("pk")
    imports = tuple(done.values_list("pk", flat=True))
    return _casers.get((project.pk, imports), lambda: _learn(project.pk, imports))


def _learn(project: int, imports: tuple[int, ...]) -> Caser:
    rows = Example.objects.filter(project=project, source__in=imports).order_by("position", "pk")
    return learn_case(_read_texts(list(rows.values_list("pk", flat=True)[:LEARNED_EXAMPLES])))


def _read_texts(examples: Sequence[int]) -> Iterator[str]:
    for start in range(0, len(examples), CHUNK):
        some = examples[start : start + CHUNK]
        for model in (Reference, Document):
            rows = model.objects.filter(example__in=some).values_list("text", flat=True)
            yield from rows.iterator(CHUNK)


def clean_with(
    project: Project, rules: Sequence[str], summaries: Sequence[Summary]
) -> dict[int, Cleaned]:
    """The summaries that the rules change, by id; one of which nothing would be left stays."""
    caser = get_caser(project) if CASE in rules else None
    found = {row.pk: clean_text(row.text, rules, caser) for row in summaries} if rules else {}
    return {pk: made for pk, made in found.items() if made.is_changed and made.text}


def clean_summaries(campaign: Campaign, summaries: Sequence[Summary]) -> dict[int, Cleaned]:
    """The same as the campaign's set-up says."""
    return clean_with(campaign.project, campaign.cleaning, summaries)


def note_cleaning(campaign: Campaign) -> None:
    """Keep with the campaign by which rules its HITs were cleaned, and a hash of what they show."""
    if not campaign.cleaning:
        return
    caser = get_caser(campaign.project).content_hash[:16] if CASE in campaign.cleaning else "none"
    signature = (
        f"clean|rules:{','.join(campaign.cleaning)}|version:{VERSION}|caser:{caser}"
        f"|giza:{__version__}"
    )
    Campaign.objects.filter(pk=campaign.pk).update(
        cleaning_signature=signature, shown_hash=hash_shown(_list_shown(campaign))
    )


def _list_shown(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Each summary once, whatever number of HITs it was split into."""
    rows = Hit.objects.filter(campaign=campaign, part=0)
    for hit in rows.select_related("summary__example", "summary__system").iterator(CHUNK):
        yield f"{hit.summary.example.key}\t{hit.summary.system.name}", hit.shown_text
