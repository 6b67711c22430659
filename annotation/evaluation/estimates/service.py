"""Estimates of systems' scores: checked first, then made by a job; killed, it makes them anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
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
from annotation.evaluation.estimates.models import Chosen, CountBy, ScoreEstimate, Target
from annotation.evaluation.estimates.queries import (
    PartlyJudged,
    count_drawn,
    find_drawing_plan,
    find_drawing_sample,
    read_answers,
    read_partly_judged,
    read_shares,
)
from annotation.evaluation.judges.queries import list_learned
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.wording import defined
from annotation.evaluation.runs.models import JudgeRun
from annotation.removal import remove_rows
from annotation.translation import gettext_lazy
from scoring.errors import InputError
from scoring.estimation import (
    RANDOM,
    RANKER,
    Sampling,
    choose_sampling,
    correct_scores,
    estimate_means,
    estimate_systems,
    replace_annotators,
)
from scoring.estimation.corrected import PRICE
from scoring.estimation.replacement import EPSILON
from scoring.io.errors import shown

KIND = "estimate_scores"
NO_ANSWERS = gettext_lazy(
    "Not tested: these labels were imported without the answers of individual annotators."
)
NO_BETTER = gettext_lazy(
    "On the labelled examples, the judge is not significantly better than chance."
)


def estimate_scores(
    *,
    project: Project,
    user: User | None,
    label_set: LabelSet,
    run: JudgeRun,
    chosen: str,
    probabilities: Mapping[str, float] | None = None,
    audit: Sequence[str] | None = None,
    by: str = CountBy.EXAMPLES,
    target: str = Target.DOCUMENTS,
    epsilon: float = EPSILON,
    price: float = PRICE,
) -> ScoreEstimate:
    """Begin to estimate, once it is sure that the labels stand for what they do not cover.

    *chosen* is how the examples that people judged were chosen. A ranker's choice needs
    *probabilities*, by example, or the *audit* slice that was drawn at random beside it. Where a
    stored sample drew them, its chances are used, unless others are given or a plan is named.
    The judge may win *epsilon* less often than an annotator to replace one; *price* is what it
    costs people to label an example, in units of what it costs to have it judged.
    """
    options = _check_options(chosen, by, target) | _check_numbers(epsilon, price)
    options |= {"probabilities": dict(probabilities or {}), "audit": list(audit or [])}
    _check_sources(project, label_set, run)
    read = read_partly_judged(label_set, run, by)
    drawer = _find_drawer(project, read, options)
    read = _within(read, options)
    _refuse_if_all_judged(read, run, target)
    choose(read, options)
    made = ScoreEstimate(
        project=project,
        label_set=label_set,
        run=run,
        sources=_name(label_set, run) | drawer,
        options=options,
        created_by=user,
    )
    _begin(made)
    return made


def _begin(made: ScoreEstimate) -> None:
    project, user = made.project, made.created_by
    with transaction.atomic():
        made.save()
        title, params = _("Compute {made}").format(made=made)[:200], {"estimate": made.pk}
        made.job = create_job(project=project, user=user, kind=KIND, title=title, params=params)
        made.save(update_fields=["job"])
        text = _("started {made}").format(made=made)[:300]
        record_activity(project=project, actor=user, verb=Verb.START, target=made, text=text)


def _check_options(chosen: str, by: str, target: str) -> dict[str, Any]:
    for name, value, known in (
        ("chosen", chosen, Chosen.values),
        ("by", by, CountBy.values),
        ("target", target, Target.values),
    ):
        if value not in known:
            raise Invalid(
                _("{name}: '{value}' is not one of {known}.").format(
                    name=name, value=value[:40], known=", ".join(known)
                )
            )
    return {"chosen": str(chosen), "by": str(by), "target": str(target)}


def _check_numbers(epsilon: float, price: float) -> dict[str, float]:
    if not 0 <= epsilon < 1:
        raise Invalid(
            _("epsilon: expected a number from 0 to below 1, such as 0.1 for crowd workers.")
        )
    if not 0 < price < float("inf"):
        raise Invalid(_("price: expected a number above 0, such as 20."))
    return {"epsilon": float(epsilon), "price": float(price)}


def _check_sources(project: Project, label_set: LabelSet, run: JudgeRun) -> None:
    if not label_set.is_ready or not run.is_ready:
        raise DomainError(
            _("{label_set} or {run} isn’t ready yet.").format(label_set=label_set, run=run),
            _("Wait for its job to finish."),
            fix=label_set,
        )
    if {label_set.project_id, run.project_id} != {project.pk}:
        raise DomainError(_("Labels and run belong to different projects."))
    if label_set.unit_set_id != run.unit_set_id:
        raise DomainError(
            _("{label_set} belongs to {unit_set}, but {run} to {unit_set_2}.").format(
                label_set=label_set, unit_set=label_set.unit_set, run=run, unit_set_2=run.unit_set
            ),
            _("Choose labels and a run of the same units."),
        )


def _refuse_if_all_judged(read: PartlyJudged, run: JudgeRun, target: str) -> None:
    if target == Target.DOCUMENTS and read.scores.judged.all():
        raise DomainError(
            _("People judged every example in {run}.").format(run=run),
            _("Use the human scores directly, or choose the population as the target."),
        )


def choose(read: PartlyJudged, options: Mapping[str, Any]) -> Sampling:
    """How the judged examples stand for the others, as was stated; refused if they can not."""
    scores = read.scores
    has_chances = options["chosen"] in (Chosen.RANKER, Chosen.SAMPLE)
    try:
        found = choose_sampling(
            scores.documents,
            scores.judged,
            chosen=RANKER if has_chances else RANDOM,
            probabilities=options["probabilities"] or None,
            audit=options["audit"] or None,
        )
        estimate_means(scores.human, scores.automatic, found, weights=scores.weights)
    except InputError as error:
        words = str(error).replace("documents", "examples").replace("document", "example")
        raise DomainError(shown(words)) from None
    return found


def _find_drawer(project: Project, read: PartlyJudged, options: dict[str, Any]) -> dict[str, str]:
    """The plan or sample that drew the judged examples, by name; a sample's chances go to options.

    A sample is looked for unless somebody gave chances or an audit slice.
    """
    names = {"plan": "", "sample": ""}
    if options["chosen"] == Chosen.PLAN:
        plan = find_drawing_plan(project, read.judged)
        if plan is None:
            raise DomainError(
                _("No plan in this project drew exactly the examples that people judged."),
                _("State how they were chosen."),
            )
        return names | {"plan": str(plan)}
    if options["probabilities"] or options["audit"]:
        return names
    drawn = find_drawing_sample(project, read.judged)
    if drawn is not None:
        own = {key: drawn.chances[key] for key in read.scores.documents if key in drawn.chances}
        options |= {"chosen": str(Chosen.SAMPLE), "probabilities": own}
        return names | {"sample": str(drawn)}
    if options["chosen"] == Chosen.SAMPLE:
        raise DomainError(
            _("No sample in this project includes all examples that people judged."),
            _("State how they were chosen."),
        )
    return names


def _within(read: PartlyJudged, options: Mapping[str, Any]) -> PartlyJudged:
    """What a sample could draw: it says nothing about examples that it left out."""
    is_sampled = options["chosen"] == Chosen.SAMPLE
    return read.within(options["probabilities"]) if is_sampled else read


def _name(label_set: LabelSet, run: JudgeRun) -> dict[str, Any]:
    return {
        "labels": str(label_set),
        "judge": run.title,
        "run": run.pk,
        "units": str(run.unit_set),
        "learned": list_learned([run]),
        "hashes": [label_set.content_hash, run.content_hash],
    }


def run_estimate(work: Work) -> dict[str, Any]:
    """Read, estimate, keep; nothing is kept before all is there."""
    rows = ScoreEstimate.objects.select_related("label_set__unit_set", "run__unit_set", "project")
    estimate = rows.get(pk=work.job.params["estimate"])
    if not estimate.is_ready:
        found, signature = _estimate(estimate, work)
        with work.step():
            _finish(estimate, found, signature)
    return {"estimate": estimate.pk, "systems": len(estimate.found["systems"])}


def _estimate(estimate: ScoreEstimate, work: Work) -> tuple[dict[str, Any], str]:
    if estimate.label_set is None or estimate.run is None:
        raise DomainError(
            _("The labels or the run have been deleted."), _("Create another estimate.")
        )
    work.report(0, 2, phase=_("Reading labels and judgements"))
    said = estimate.options
    read = _within(read_partly_judged(estimate.label_set, estimate.run, said["by"]), said)
    work.report(1, phase=_("Estimating scores and comparing systems"))
    sampling = choose(read, said)
    found = estimate_systems(read.scores, sampling, target=said["target"])
    judged = {
        "replacement": _test_replacement(estimate, estimate.label_set, estimate.run),
        "corrected": _correct(estimate.label_set, estimate.run, read, sampling, said),
    }
    told: dict[str, Any] = defined(found.to_json() | judged)
    more = {
        "documents": len(read.scores.documents),
        "judged": len(read.judged),
        "left_out": read.left_out,
        "labels": read.labels,
        "drawn": count_drawn(estimate.label_set),
    }
    return told | more, found.signature


def _test_replacement(
    estimate: ScoreEstimate, label_set: LabelSet, run: JudgeRun
) -> dict[str, Any]:
    """The alternative annotator test, and the sentence that follows from it."""
    read = read_answers(label_set, run)
    if read is None:
        return {"sentence": str(NO_ANSWERS), "annotators": []}
    found = replace_annotators(
        *read, epsilon=estimate.options["epsilon"], has_learned=bool(estimate.sources["learned"])
    )
    return found.to_json() | {"sentence": found.sentence}


def _correct(
    label_set: LabelSet,
    run: JudgeRun,
    read: PartlyJudged,
    sampling: Sampling,
    said: Mapping[str, Any],
) -> dict[str, Any]:
    """Scores corrected for the judge's errors, or why there are none."""
    shares = read_shares(label_set, run, read.scores)
    try:
        found = correct_scores(shares, sampling, target=said["target"], price=said["price"])
    except InputError as error:
        return {"is_told": False, "reason": shown(str(error))}
    return found.to_json() | {"reason": "" if found.is_told else str(NO_BETTER)}


def _finish(estimate: ScoreEstimate, found: dict[str, Any], signature: str) -> None:
    labels, run = (each[:12] for each in estimate.sources["hashes"])
    estimate.found = found
    estimate.signature = f"{signature}|by:{estimate.options['by']}|labels:{labels}|run:{run}"
    estimate.is_ready = True
    estimate.save(update_fields=["found", "signature", "is_ready"])
    record_activity(
        project=estimate.project,
        actor=estimate.created_by,
        verb=Verb.FINISH,
        target=estimate,
        text=_("made {estimate}").format(estimate=estimate)[:300],
    )


def delete_estimate(*, estimate: ScoreEstimate, user: User | None) -> None:
    if estimate.job is not None and not estimate.job.is_over:
        raise DomainError(
            _("{estimate} is still being computed.").format(estimate=estimate),
            _("Cancel its job first."),
            fix=estimate,
        )
    with transaction.atomic():
        text = _("deleted {estimate}").format(estimate=estimate)[:300]
        record_activity(
            project=estimate.project, actor=user, verb=Verb.DELETE, target=estimate, text=text
        )
        remove_rows(ScoreEstimate.objects.filter(pk=estimate.pk))


def remove_unfinished(job: Job) -> None:
    ScoreEstimate.objects.filter(pk=job.params["estimate"], is_ready=False).delete()


KINDS[KIND] = JobKind(run_estimate, undo=remove_unfinished)
