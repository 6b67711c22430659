"""Pages of plans ask the database no more for a large study, and escape whatever texts hold."""

from __future__ import annotations

from pathlib import Path

from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.evaluation.planning import taken as planning_taken
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from tests import factories
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.planned import key_of, make_curves, make_plan, make_stus
from tests.annotation.evaluation.test_run_size import count, make_labels

# For each page, the most queries that it may ask: sign-in, membership and the bell included.
PAGES = {
    "plans/": 7,
    "plans/new/": 19,
    "plans/{open}/": 9,
    "plans/{taken}/": 36,
    "plans/{taken}/plans.csv": 5,
    "plans/quote/": 17,
    "curves/": 9,
    "curves/new/": 13,
    "curves/{curves}/": 11,
}
CALLS = {"plans/": 6, "plans/{open}/": 5, "curves/": 6, "curves/{curves}/": 8}


def make_study(
    owner: User, slug: str, folder: Path, examples: int, systems: int
) -> tuple[BudgetPlan, BudgetPlan, CurveRun]:
    """A plan that is open, one that was taken, and curves."""
    project = factories.make_project(owner, slug, HOSTILE)
    names = [f"s{number}" for number in range(systems)]
    lines = [
        factories.example(f"{slug}{number}", summaries=dict.fromkeys(names, f"The dam {number}."))
        for number in range(examples)
    ]
    factories.import_corpus(project, factories.write_jsonl(folder / f"{slug}.jsonl", lines))
    labels = make_labels(project, make_units(project, owner))
    stus = make_stus(project, owner, HOSTILE[:80])
    open_, taken = (make_plan(project, owner, stus=stus, rounds=2) for _ in range(2))
    planning_taken.apply_plan(plan=taken, user=owner, key=key_of(taken), name=f"{HOSTILE[:70]} too")
    return open_, taken, make_curves(labels, stus, owner)


def test_it_asks_the_same_for_a_large_study(owner: User, as_owner: Client, tmp_path: Path) -> None:
    sizes = (("few", 2, 2), ("many", 5, 4))
    made = [make_study(owner, slug, tmp_path, *size) for slug, *size in sizes]
    for client, start, most in (
        (as_owner, "/p/{slug}/", PAGES),
        (Rest(owner).client, "/api/v1/projects/{slug}/", CALLS),
    ):
        # The first request of a session does more than the others.
        count(client, f"{start}plans/".format(slug="few"))
        few, many = (
            {
                path: count(
                    client,
                    f"{start}{path}".format(
                        slug=open_.project.slug, open=open_.pk, taken=taken.pk, curves=curves.pk
                    ),
                )
                for path in most
            }
            for open_, taken, curves in made
        )
        print(many)
        assert many == few
        assert {path: number for path, number in many.items() if number > most[path]} == {}


def test_it_escapes_what_texts_hold(owner: User, as_owner: Client, tmp_path: Path) -> None:
    open_, taken, curves = make_study(owner, "hostile", tmp_path, 2, 2)
    for path in [path for path in PAGES if not path.endswith("csv")]:
        where = path.format(open=open_.pk, taken=taken.pk, curves=curves.pk)
        assert HOSTILE[:70] in page_of(as_owner.get(f"/p/hostile/{where}")).text, path
