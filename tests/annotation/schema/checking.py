"""What is sent to REST by its own description, and that it keeps what that promises."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

import schemathesis
from django.core.wsgi import get_wsgi_application
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario
from schemathesis.specs.openapi.checks import ignored_auth

from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.robustness.models import RobustnessStudy
from tests.annotation.corpora.places import Places, undone
from tests.annotation.crowd.campaigns.places import CampaignPlaces
from tests.annotation.evaluation.places import JudgePlaces, LabelPlaces, PlanPlaces, RunPlaces
from tests.annotation.evaluation.report_permissions import ReportPlaces
from tests.annotation.evaluation.reported import asked
from tests.annotation.evaluation.sample_permissions import SamplePlaces
from tests.annotation.units.places import UnitPlaces
from tests.annotation.world import World

DESCRIPTION = SchemaGenerator().get_schema(public=True)
# Bodies with so many fields that trying every edge of each takes a minute; a table of wrong
# settings does that (test_api.py of campaigns, test_api_labels.py), so that these are only sent
# what comes by chance.
MANY_FIELDS = [
    "create_campaign",
    "update_campaign",
    "keep_labels",
    "preview_labels",
    "start_run",
    "score_texts",
    "train_judge",
    "plan_budget",
    "draw_curves",
    "estimate_scores",
    "build_report",
]


@dataclass(frozen=True, slots=True)
class Everywhere:
    """What exists for the calls of a module to be sent to."""

    world: World
    crowd: CampaignPlaces | None = None
    labels: LabelPlaces | None = None
    runs: RunPlaces | None = None
    judges: JudgePlaces | None = None
    plans: PlanPlaces | None = None
    reports: ReportPlaces | None = None
    scores: ScoreSet | None = None
    samples: SamplePlaces | None = None
    study: RobustnessStudy | None = None


def load() -> Any:
    loaded = schemathesis.openapi.from_dict(DESCRIPTION)
    # More files than a form may have are too large a form.
    loaded.config.checks.negative_data_rejection.expected_statuses.append("413")
    loaded.app = get_wsgi_application()
    # A text that may be empty has no pattern in the description, so it can't tell that NUL is
    # refused. The key is ours to send: one that is made up would be replaced before it is sent.
    loaded.config.generation.update(allow_x00=False, with_security_parameters=False)
    # Would read all of the program for values to send, once for each module.
    loaded.config.analysis.constants.enabled = False
    loaded.hook(filter_body)
    loaded.hook(filter_case)
    return loaded


def load_by_chance() -> Any:
    """Without the edges of each field."""
    loaded = load()
    loaded.config.phases.update(phases=["fuzzing"])
    return loaded


def filter_body(context: Any, body: Any) -> bool:
    """Leave out empty files: the generator's client, unlike any other, sends them as fields.

    So are versions without an extractor: the description can't say that one needs the other.
    """
    sent = body if isinstance(body, dict) else {}
    files = sent.get("files")
    given = [sent.get("file"), *(files if isinstance(files, list) else [])]
    is_nameless = "extractor_version" in sent and not str(sent.get("extractor", "")).strip()
    return not is_nameless and not any(getattr(file, "data", file) == b"" for file in given)


# Edges by what they are of: kind, place and name of the parameter, and in words.
_sent: Counter[tuple[Any, ...]] = Counter()
ENOUGH = 2


def filter_case(context: Any, case: Any) -> bool:
    """Of the edges of every field, thousands in all, leave out those that tell nothing new.

    Ids, numbers of pages, methods and content types are read for all calls by the same few lines,
    so that two calls are sent their edges; that no other method is taken is seen of every address
    by test_permissions.py. Of wrong bodies a fifth is sent, by chance.
    """
    edge = case.meta.phase.data
    if not isinstance(edge, CoveragePhaseData):
        return True
    if not filter_body(context, case.body):
        return False
    if edge.parameter_location is ParameterLocation.BODY:
        return not case.meta.generation.mode.is_negative or zlib.crc32(_tell(case)) % 5 == 0
    if edge.scenario is CoverageScenario.DEFAULT_POSITIVE_TEST:
        return True
    of = (edge.scenario, edge.parameter_location, edge.parameter, edge.description)
    _sent[of] += 1
    return _sent[of] <= ENOUGH


def _tell(case: Any) -> bytes:
    return repr((case.path_parameters, case.query, case.body)).encode()


def id_at(path: str, places: Places) -> int:
    """The id with which an address succeeds; the more particular addresses come first."""
    ids = {
        "/tokens/{id}/": places.token.pk,
        "/notifications/{id}/": places.notification.pk,
        "/members/{id}/": places.bystander.pk,
        "/invitations/{id}/": places.invitation.pk,
        "/examples/{id}/": places.example.pk,
        "/systems/{id}/": places.system.pk,
        "/imports/{id}/columns/": places.table.pk,
        "/imports/{id}/undo/": places.done.pk,
        "/imports/{id}/": places.ready.pk,
        "/jobs/{id}/cancel/": places.queued.pk,
        "/jobs/{id}/": places.failed.pk,
    }
    return next(pk for part, pk in ids.items() if part in path)


def unit_ids_at(path: str, units: UnitPlaces) -> dict[str, int]:
    """The same for addresses of units."""
    ids = {
        "/comments/{id}/": units.comment.pk,
        "/double-annotations/{id}/examples/": units.doubles.revealed.pk,
        "/double-annotations/{id}/": units.doubles.open.pk,
        "/unit-sets/{id}/draft/": units.reviewed.pk,
        "/unit-sets/{id}/freeze/": units.reviewed.pk,
        "/unit-sets/{id}/next-version/": units.frozen.pk,
        "/unit-sets/{id}/pause/": units.easiness.filling.pk,
        "/unit-sets/{id}/resume/": units.easiness.resting.pk,
        "/unit-sets/{id}/quality/": units.easiness.stus.pk,
        "/unit-sets/{id}/sentences/": units.easiness.planned.pk,
        "/unit-sets/{id}/plan/": units.easiness.planned.pk,
        "/easiness-models/{id}/": units.easiness.model.pk,
        "/unit-sets/{id}/": units.checked.pk,
    }
    found = [pk for part, pk in ids.items() if part in path]
    return {"example": units.example.pk, "other": units.frozen.pk} | (
        {"id": found[0]} if found else {}
    )


def crowd_ids_at(path: str, crowd: CampaignPlaces) -> dict[str, int]:
    """The same for addresses of campaigns."""
    last = path.rstrip("/").rpartition("/")[2]
    places = dict.fromkeys(["{id}", "cost", "publish", "test"], crowd.draft)
    places |= {"resume": crowd.paused, "recollect": crowd.rejected}
    campaign = places.get(last, crowd.live)
    return {
        "id": campaign.pk,
        "worker": crowd.worker.pk,
        "entry": crowd.entry.pk,
        "message": crowd.message.pk,
    }


def label_ids_at(path: str, labels: LabelPlaces) -> dict[str, int]:
    """The same for addresses of labels and gold versions."""
    ids = {
        "/labels/{id}/settle/": labels.taken.pk,
        "/labels/{id}/": labels.spare.pk,
        "/adjudications/{id}/": labels.adjudication.pk,
        "/decisions/{id}/": labels.decision.pk,
        "/gold/{id}/": labels.gold.pk,
    }
    found = [pk for part, pk in ids.items() if part in path]
    return {"id": found[0]} if found else {}


def run_ids_at(path: str, runs: RunPlaces) -> dict[str, int]:
    """The same for addresses of runs and estimates."""
    if "/estimates/" in path:
        return {"id": runs.estimate.pk}
    if "/score/" in path:
        return {"id": runs.scored.pk}
    last = path.rstrip("/").rpartition("/")[2]
    places = {"pause": runs.queued, "cancel": runs.queued, "resume": runs.paused}
    places |= {"out-of-fold": runs.builtin}
    return {"id": (places | {"retry": runs.failed}).get(last, runs.ready).pk}


def plan_ids_at(path: str, plans: PlanPlaces) -> dict[str, int]:
    """The same for addresses of curves and plans."""
    if "/curves/" in path:
        return {"id": plans.curves.pk}
    last = path.rstrip("/").rpartition("/")[2]
    return {"id": (plans.taken if last in ("undo", "look-back") else plans.open).pk}


def report_values_at(reports: ReportPlaces) -> dict[str, Any]:
    """The same for addresses of reports."""
    return {"id": reports.report.pk}


def lead_home(case: Any, places: Everywhere, *, always: bool) -> None:
    """Always, or else three times of four, send a case whose address is well-formed to something
    that exists.
    """
    place = case.meta.components.get(ParameterLocation.PATH)
    values = case.path_parameters
    if place is None or place.mode.is_negative:
        return
    if not always and zlib.crc32(_tell(case)) % 4 == 0:
        return
    world = places.world
    token = world.corpus.invitation.token
    slug = world.corpus.project.slug
    known = {"slug": slug, "token": token, **unit_ids_at(case.path, world.units)}
    if places.crowd is not None:
        known |= crowd_ids_at(case.path, places.crowd)
    if places.labels is not None:
        known |= label_ids_at(case.path, places.labels)
    if places.runs is not None:
        known |= run_ids_at(case.path, places.runs)
    if places.judges is not None:
        known["id"] = places.judges.judge.pk
    if places.plans is not None:
        known |= plan_ids_at(case.path, places.plans)
    if places.reports is not None:
        known |= report_values_at(places.reports)
    if places.scores is not None:
        known["id"] = places.scores.pk
    if places.samples is not None:
        known["id"] = places.samples.sample.pk
    if places.study is not None:
        known["id"] = places.study.pk
    if "id" in values and "id" not in known:
        known["id"] = id_at(case.path, world.corpus)
    values.update({name: value for name, value in known.items() if name in values})


def lead_query(case: Any, places: Everywhere) -> None:
    """Let well-formed questions about disagreements name two scores that exist."""
    place = case.meta.components.get(ParameterLocation.QUERY)
    if "/disagreements/" not in case.path or places.scores is None:
        return
    if place is not None and not place.mode.is_negative:
        names = ("words", "compression")
        keys = [f"scores:{places.scores.pk}:{name}" for name in names]
        case.query.update(zip(("first", "second"), keys, strict=True))


def lead_body(case: Any, places: Everywhere, *, always: bool) -> None:
    """Let well-formed bodies, or else half of them, name people, units and work that exist."""
    place = case.meta.components.get(ParameterLocation.BODY)
    if place is None or place.mode.is_negative or not isinstance(case.body, dict):
        return
    units = places.world.units
    known = {
        "author": units.doubles.author.pk if "/done/" in case.path else units.writer.pk,
        "authors": [units.writer.pk, units.checker.pk],
        "last": 1,
        "sources": [],
        "reviewer": None,
        "unit": units.units[0].pk,
        "first": 1,
        "stus": units.easiness.stus.pk,
        "scus": units.easiness.human.pk,
        "human": [units.easiness.sentence],
        "folds": 2,
        "regressor": "giza",
        **(known_to_crowd(places.crowd) if places.crowd else {}),
        **(known_to_labels(places.labels) if places.labels else {}),
        **(known_to_runs(places.runs) if places.runs else {}),
        **(known_to_plans(places.plans) if places.plans else {}),
        **(asked(places.reports.scores) if places.reports else {}),
        **(known_to_scores(places.scores) if places.scores else {}),
        **(known_to_samples(places.samples) if places.samples else {}),
        **(KNOWN_TO_STUDIES if places.study else {}),
    }
    if always or zlib.crc32(repr(case.body).encode()) % 2:
        case.body.update({name: known[name] for name in known if name in case.body})
        if places.judges is not None:
            case.body.pop("gold", None)
            case.body |= known_to_judges(places.judges)


def known_to_crowd(crowd: CampaignPlaces) -> dict[str, Any]:
    return {
        "unit_set": crowd.unit_set.pk,
        "scope": {"systems": [crowd.more.pk]},
        "systems": [crowd.more.pk],
        "examples": [crowd.unit_set.units.earliest("pk").example_id],
        "assignments": [crowd.assignment.pk],
        "workers": [crowd.worker.pk],
    }


def known_to_labels(labels: LabelPlaces) -> dict[str, Any]:
    return {
        "unit_set": labels.labels.unit_set_id,
        "campaigns": [labels.campaign.pk],
        "labels": labels.labels.pk,
        "summary": labels.work.hit.summary_id,
        "unit": labels.adjudication.unit_id,
        "worker": labels.other.pk,
        "assignment": labels.work.pk,
    }


def known_to_runs(runs: RunPlaces) -> dict[str, Any]:
    document = {"units": ["The dam burst."], "summary": "A dam burst."}
    return {
        "unit_set": runs.labels.unit_set_id,
        "judge": "lexical",
        "function": "p2c",
        "systems": ["lead"],
        "documents": [document],
        "labels": runs.labels.pk,
        "run": runs.ready.pk,
        "chosen": "random",
        "target": "population",
        "probabilities": {},
        "audit": [],
    }


def known_to_judges(judges: JudgePlaces) -> dict[str, Any]:
    """Labels or a gold version are needed, and not both; folds as many as the corpus has room."""
    return {"name": "dams", "base": "lexical", "labels": judges.labels.pk, "folds": 2}


def known_to_plans(plans: PlanPlaces) -> dict[str, Any]:
    """Without a pilot: that would need runs of a judge, which are tried elsewhere."""
    return {
        "labels": plans.labels.pk,
        "stus": plans.stus.pk,
        "judge": "human",
        "key": plans.open.plans[0]["key"],
    }


def known_to_scores(scores: ScoreSet) -> dict[str, Any]:
    key = f"scores:{scores.pk}:{scores.columns[0]}"
    return {"options": {}, "systems": ["lead"], "lower": "", "key": key}


def known_to_samples(samples: SamplePlaces) -> dict[str, Any]:
    """No more than the three examples of the corpus."""
    return {
        "sources": [samples.source],
        "bins": 3,
        "per_bin": 1,
        "unit_set": samples.unit_set.pk,
    }


KNOWN_TO_STUDIES = {"metrics": ["rouge"], "systems": ["lead"]}

# Of addresses: campaigns, labels and gold versions, runs, trained judges,
# plans, samples, scores of metrics, robustness; all others are elsewhere.
CAMPAIGNS = "/campaigns/"
LABELS = r"\{slug\}/(labels|contested|adjudications|decisions|workers|crowd-size|gold)/"
RUNS = r"\{slug\}/(runs|score|estimates)/"
TRAINED = "/trained-judges/"
PLANS = r"\{slug\}/(plans|curves|power)/"
REPORTS = r"\{slug\}/reports/"
SAMPLES = r"\{slug\}/samples/"
SCORES = r"\{slug\}/(metrics|score-sets|score-sources|disagreements)/"
ROBUSTNESS = r"\{slug\}/robustness/"
CHANCE = settings(
    max_examples=3,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def is_left_out(case: Any) -> bool:
    """Of bodies that are right, all but a fifth, by chance."""
    edge = case.meta.phase.data
    is_body = isinstance(edge, CoveragePhaseData) and (
        edge.parameter_location is ParameterLocation.BODY
    )
    return is_body and zlib.crc32(_tell(case)) % 5 > 0


def is_done(path: str, answers: Counter[int]) -> bool:
    """Whether a call has succeeded; files without names get no further than a conflict."""
    least = 409 if "/import/" in path else 200
    return any(least <= status < least + 100 for status in answers)


def check(case: Any, key: str, places: Everywhere, answers: Counter[int]) -> None:
    has_succeeded = is_done(case.path, answers)
    if has_succeeded and is_left_out(case):
        return
    # Until a call has succeeded, nothing is left to chance that would let it.
    lead_home(case, places, always=not has_succeeded)
    lead_query(case, places)
    lead_body(case, places, always=not has_succeeded)
    # That a call without a key is refused needs to be seen once, where it would have succeeded.
    known = [ignored_auth] if has_succeeded else []
    with undone():
        response = case.call_and_validate(
            headers={"Authorization": f"Bearer {key}"}, excluded_checks=known
        )
        if case.method == case.operation.method.upper():
            answers[response.status_code] += 1
