"""`python -m tests.soak.seed`: people and a study; what the clients need is printed as JSON.

Standard input says how many of each and where the study's files are.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.generated import write_corpus
from tests.soak.load import PUBLISHES, Load

SLUG, IMPORTED, WARM = "soak", "soak-imported", "soak-warm"
WARM_EXAMPLES = 60
UNIT_WORDS = 6
# Campaigns that are published all at once; another reward keeps workers of the first apart.
DRAFTS, SMALL = 8, {"assignments_per_hit": 1, "reward": "0.06"}
DOUBLERS = 10


def write_files(folder: Path, load: Load) -> dict[str, str]:
    """The study that is worked on with its units; zips of two others, to import and to warm up."""
    study = write_corpus(folder / "study", examples=load.examples, systems=load.systems)
    lines = (study / "references.txt").read_text().splitlines()
    (study / "SCUs.txt").write_text("\n".join(make_units(line, load.units) for line in lines))
    sizes = {"other": load.import_examples, "warm": WARM_EXAMPLES}
    return {"study": str(study)} | {
        name: _pack(folder / name, examples, load.import_systems)
        for name, examples in sizes.items()
    }


def _pack(folder: Path, examples: int, systems: int) -> str:
    corpus = write_corpus(folder, examples=examples, systems=systems)
    return shutil.make_archive(str(folder), "zip", corpus)


def make_units(reference: str, count: int) -> str:
    """A line of the units' file: stretches of the reference, each with a number of its own."""
    words = reference.replace(".", "").split()
    starts = [number * len(words) // (count + 1) for number in range(count)]
    units = (words[start : start + UNIT_WORDS] for start in starts)
    return "\t".join(f"{' '.join(unit).capitalize()} {n}." for n, unit in enumerate(units))


def seed(load: Load, study: Path) -> dict[str, Any]:
    from annotation.crowd.campaigns import steps
    from tests import factories
    from tests.crowd_seed import add_person, add_workers, sign_in

    owner = add_person("Soak owner", can_create_projects=True)
    for slug in (IMPORTED, WARM):
        factories.make_project(owner, slug, slug)
    project = _import_study(owner, study)
    factories.fund(project, "1000000")
    frozen = _freeze_units(project, owner, study)
    draft = factories.make_set(project, owner, "Draft")
    campaign = _draft(project, owner, frozen, load, "Soak")
    steps.publish_campaign(campaign=campaign, user=owner)
    drafts = [
        _draft(project, owner, frozen, load, f"Draft {number}", judged_systems=1, **SMALL)
        for number in range(DRAFTS if PUBLISHES in load.faults else 0)
    ]
    return {
        "project": SLUG,
        "imported": IMPORTED,
        "warm": WARM,
        "units": load.units,
        "frozen": frozen.pk,
        "draft": draft.pk,
        "campaign": campaign.pk,
        "drafts": [draft.pk for draft in drafts],
        "doublers": add_workers(DOUBLERS, "Doubler"),
        "examples": list(project.examples.order_by("position").values_list("pk", flat=True)),
        "owner": sign_in(owner),
        "demo": _lead_demo(owner),
        "authors": _add_members(project, "Author", load.authors, "annotator"),
        "readers": _add_readers(project, load.readers),
        "workers": add_workers(load.workers),
    }


def _import_study(owner: Any, study: Path) -> Any:
    """By the command, which is content if one of the lab's workers was quicker."""
    from django.core.management import call_command

    from annotation.corpora.projects.models import Project

    call_command("import_corpus", str(study), project=SLUG, owner=owner.email, verbosity=0)
    return Project.objects.get(slug=SLUG)


def _freeze_units(project: Any, owner: Any, study: Path) -> Any:
    from django.core.management import call_command

    from annotation.units.sets.models import UnitSet
    from tests import factories

    path = str(study / "SCUs.txt")
    call_command("import_units", path, "--project", SLUG, "--set", "SCUs", verbosity=0)
    unit_set = UnitSet.objects.get(project=project, name="SCUs")
    factories.freeze(unit_set, owner)
    return unit_set


def _draft(
    project: Any,
    owner: Any,
    unit_set: Any,
    load: Load,
    name: str,
    *,
    judged_systems: int = 0,
    **changes: Any,
) -> Any:
    """A campaign about some systems; the lab's workers put it out."""
    from annotation.crowd.campaigns import service as campaigns_service

    systems = project.systems.order_by("name").values_list("pk", flat=True)
    settings = {
        "scope": {"systems": list(systems[: judged_systems or load.judged_systems])},
        "assignments_per_hit": load.places,
        "reward": "0.05",
        "gold_per_hit": 0,
        "approve_rule": "all",
        **changes,
    }
    return campaigns_service.create_campaign(
        project=project, user=owner, unit_set=unit_set, name=name, **settings
    )


def _lead_demo(owner: Any) -> dict[str, int]:
    """The demo's frozen units and labels, to warm the workers with."""
    from annotation.corpora.projects.models import Project, Role
    from annotation.evaluation.labels.models import LabelSet
    from tests import factories

    project = Project.objects.get(slug="demo")
    factories.add_member(project, owner, Role.OWNER)
    labels = LabelSet.objects.filter(project=project, is_ready=True).latest("pk")
    return {"frozen": labels.unit_set_id, "labels": labels.pk}


def _add_members(project: Any, name: str, count: int, role: str) -> list[str]:
    from annotation.corpora.projects.models import Role
    from tests import factories
    from tests.crowd_seed import add_person, sign_in

    people = [add_person(f"{name} {number}") for number in range(count)]
    for person in people:
        factories.add_member(project, person, Role(role))
    return [sign_in(person) for person in people]


def _add_readers(project: Any, count: int) -> list[str]:
    from annotation.corpora.projects.models import Membership, Project, Role
    from tests import factories

    sessions = _add_members(project, "Reader", count, "viewer")
    demo = Project.objects.get(slug="demo")
    for row in Membership.objects.filter(project=project, role=Role.VIEWER):
        factories.add_member(demo, row.user, Role.VIEWER)
    return sessions


def main() -> None:
    from tests.benchmarks.database import set_up_django

    said = json.load(sys.stdin)
    set_up_django()
    print(json.dumps(seed(Load(**said["load"]), Path(said["study"]))))


def describe(load: Load, study: str) -> str:
    """What the seeding process reads."""
    return json.dumps({"load": asdict(load), "study": study})


if __name__ == "__main__":
    main()
