"""What stands under each figure: a caption, what may be concluded, what may not, and how it was made.

All of it follows from the numbers of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scoring.figures.axes import short
from scoring.metaeval.report.abstract import (
    CLOSE,
    find_close,
    find_gap,
    find_leader,
    list_rivals,
)
from scoring.metaeval.report.drawings import HUMAN, LEVEL, draw_report
from scoring.metaeval.report.saying import (
    counted,
    gap,
    includes_nought,
    listed,
    percent,
    told,
)

Record = Mapping[str, Any]
Section = dict[str, Any]
FEW_SYSTEMS = 10


def tell_sections(record: Record) -> list[Section]:
    """One for each figure that can be drawn, in their order."""
    drawn = draw_report(record)
    return [{"figure": name} | SECTIONS[name](record) for name in drawn]


def _section(title: str, caption: str, may: list[str], may_not: list[str], how: str) -> Section:
    kept = {"may": [each for each in may if each], "may_not": [each for each in may_not if each]}
    return {"title": title, "caption": caption, **kept, "how": how}


def _leaderboard(record: Record) -> Section:
    doubtful = [
        row["metric"] for row in record["leaderboard"] if includes_nought(row["system"]["kendall"])
    ]
    sure = [
        row["metric"]
        for row in record["leaderboard"]
        if row["system"]["kendall"][1] is not None and row["system"]["kendall"][1] > 0
    ]
    clear = f"{listed(sure)} {'goes' if len(sure) == 1 else 'go'} with people’s ranking of systems beyond chance."
    chance = f"That {listed(doubtful)} {'ranks' if len(doubtful) == 1 else 'rank'} systems better than chance would: the interval holds 0."
    return _section(
        "How far each metric goes with people",
        "Each dot is a correlation with people’s scores, the line its interval: at the system level, "
        "of systems’ means; at the summary level, across systems within each document, then the mean.",
        [clear if sure else "", _summary_level(record)],
        [
            chance if doubtful else "",
            "That a metric which ranks systems well also tells single summaries apart: read the "
            "summary level for that.",
            _few(record),
        ],
        f"Kendall’s τ-b; Pearson’s and Spearman’s are in the table. {_resampling(record)}"
        f"{_undefined(record)}",
    )


def _summary_level(record: Record) -> str:
    row = find_leader(record)
    if row is None or row["summary"]["kendall"][0] is None:
        return ""
    return f"Within a document {row['metric']} orders summaries with τ {told(row['summary']['kendall'])}."


def _few(record: Record) -> str:
    if record["ranked"] >= FEW_SYSTEMS:
        return ""
    return f"Much about other systems: {record['ranked']} are few, and each weighs heavily."


def _resampling(record: Record) -> str:
    options = record["options"]
    if not options["resamples"]:
        return "No intervals were made."
    return (
        f"Intervals are the middle {options['coverage']:.0%} of {options['resamples']:,} resamples "
        f"of both systems and documents (BOOT-BOTH, Deutsch et al. 2021), seed {options['seed']}."
    ).replace("%", " %")


def _undefined(record: Record) -> str:
    most = max((row["undefined"] for row in record["leaderboard"]), default=0)
    if not most:
        return ""
    return (
        f" Up to {counted(most, 'document')} on which a metric or people score all summaries alike "
        "have no correlation and are left out of the summary level."
    )


def _kinds(record: Record) -> Section:
    groups = record["kinds"][1:]
    leaders = {group["words"].lower(): _best(group) for group in groups}
    named = {best for best in leaders.values() if best}
    each = ", ".join(f"{best} for {words} systems" for words, best in leaders.items() if best)
    same = f"{next(iter(named))} stands first for every kind." if len(named) == 1 else ""
    return _section(
        "Extractive and abstractive systems apart",
        "Kendall’s τ at the system level, among all systems and within each kind; how many systems "
        "there are stands in brackets.",
        [same or (f"First among its kind stands {each}." if each else "")],
        [
            "That a metric which is good on one kind is good on another.",
            "That a metric is better on one kind than on the other where the intervals overlap.",
        ],
        "The same correlations on fewer systems; kinds with fewer than "
        f"{record['options']['least_systems']} systems are not shown. {_resampling(record)}",
    )


def _best(group: Mapping[str, Any]) -> str:
    known = {name: row[0] for name, row in group["kendall"].items() if row[0] is not None}
    return max(known, key=lambda name: known[name], default="")


def _scatter(record: Record) -> Section:
    metric = record["lead"]
    return _section(
        f"{metric} against people, system by system",
        f"Each sign is a system: its mean by {metric} from left to right, by people from bottom to "
        "top. On a line that rises, both agree.",
        ["Which systems people like better than the metric does: those above the others’ line."],
        ["What a point’s distance means on another scale: the metric’s numbers are not people’s."],
        _means_words(record),
    )


def _means_words(record: Record) -> str:
    if record["judged"] < record["documents"]:
        return (
            f"People’s means are over the {record['judged']:,} documents that they judged, the "
            f"metric’s over all {record['documents']:,} (Deutsch et al. 2022, section 3)."
        )
    return f"Means over {counted(record['documents'], 'document')}."


def _scatters(record: Record) -> Section:
    return _section(
        "All metrics against people",
        "The same systems by every metric, the best first. Scales differ from plot to plot; only the "
        "order and the shape of the cloud can be compared.",
        ["Whether a correlation stands on all systems or on a few that lie far out."],
        ["Which metric is better where the clouds look alike: the intervals above decide."],
        _means_words(record),
    )


def _pairs(record: Record) -> Section:
    lead = record["lead"]
    found, limit = find_close(record, lead), find_gap(record, lead)
    shown = [row for row in record["pairs"]["rows"] if row["metric"] == lead]
    whole = shown[0]["values"][-1] if shown else None
    return _section(
        "Pairs of systems that lie close",
        "Systems that one wants to compare in earnest have scores that lie close. From right to left "
        "fewer and closer pairs are left, and τ is taken over these alone.",
        [_right_words(lead, found)],
        [
            f"That the correlation over all pairs, τ {short(whole)}, holds for close ones."
            if whole is not None
            else "",
            _gap_words(lead, limit),
        ],
        "r_sysΔ(0, u) of Deutsch et al. (2022, section 4): Kendall’s τ-b over the pairs whose scores "
        f"by the metric differ by at most u. {_resampling(record)}",
    )


def _right_words(lead: str | None, found: Mapping[str, Any] | None) -> str:
    if found is None or not found["right"] + found["wrong"]:
        return ""
    total = found["right"] + found["wrong"]
    return (
        f"Among the {CLOSE} % of pairs that lie closest (a gap up to {gap(found['gap'])}), {lead} "
        f"orders {found['right']} of {total} as people do, {percent(found['right'] / total)}: τ "
        f"{told((found['values'], found['low'], found['high']))}."
    )


def _gap_words(lead: str | None, limit: float | None) -> str:
    if not limit:
        return ""
    if limit == float("inf"):
        return f"Anything from a gap by {lead}: at none is it told from a coin."
    return f"Which of two systems is better if {lead} differs by less than {gap(limit)}."


def _heatmap(record: Record) -> Section:
    metric = record["lead"]
    return _section(
        f"{metric}: at which distances it can be trusted",
        "Pairs of systems sorted by how far their scores lie apart. A cell is τ over the pairs "
        "between two shares; the top row begins with the closest, the right column ends with the "
        "farthest. Darker is better; below 0 the colour changes.",
        [_far_words(record, metric)],
        ["That a cell with few pairs is known well: see the table for the others, and the intervals above."],
        "r_sysΔ(l, u) of Deutsch et al. (2022, section 4), with l and u at tenths of the pairs. "
        "The table holds every metric.",
    )


def _far_words(record: Record, metric: str) -> str:
    rows = record["heatmap"]["rows"][metric]
    near, far = rows[0][0], rows[-1][-1]
    if near is None or far is None:
        return ""
    return f"Of the closest tenth of pairs τ is {short(near)}, of the farthest {short(far)}."


def _decisions(record: Record) -> Section:
    group = next(each for each in record["kinds"] if each["f1"])
    best = max(group["f1"], key=lambda name: group["f1"][name] or 0)
    options = record["options"]
    return _section(
        "Verdicts on pairs of systems",
        "For each pair of systems, people and the metric say which is better, or that they can’t "
        "tell. The figure is how well their verdicts agree.",
        [f"{best} agrees with people’s verdicts best: F1 {short(group['f1'][best])}."],
        [
            "That a verdict of the metric stands for people’s where F1 is far below 1.",
            "That metrics differ whose F1 is nearly the same: no interval is given here.",
        ],
        f"Paired bootstrap over documents, {options['pair_resamples']:,} resamples, seed {options['seed']}: "
        "a system is better if it is in 95 % of them. Weighted macro F1 of the three verdicts "
        "(Bhandari et al. 2020, section 4.3).",
    )


def _significance(record: Record) -> Section:
    tests, metrics = record["kinds"][0]["tests"], record["metrics"]
    cells = [
        (tests["p"][at][place], tests["holm"][at][place], tests["benjamini_hochberg"][at][place])
        for at in range(len(metrics))
        for place in range(len(metrics))
        if at != place
    ]
    before, sure, fewer = (
        sum(cell[which] is not None and cell[which] <= LEVEL for cell in cells) for which in range(3)
    )
    pairs = len(metrics) * (len(metrics) - 1) // 2
    rivals = list_rivals(record) if record["lead"] else []
    return _section(
        "Which metric is better than which",
        "A filled square: the metric of the row goes with people better than that of the column, "
        "with all tests reckoned. A hollow one: only if one test stood alone.",
        [f"Of {counted(pairs, 'pair')} of metrics {sure} {'is' if sure == 1 else 'are'} told apart."],
        [
            f"That {record['lead']} is better than {listed(rivals)}." if rivals else "",
            f"What {counted(before - sure, 'hollow square')} {'says' if before - sure == 1 else 'say'}: "
            f"among {len(cells):,} tests some fall out so by chance."
            if before > sure
            else "",
            "That metrics which are not told apart are equally good: the systems may be too few to tell.",
        ],
        "Williams’ test for two correlations that share people’s scores, one-sided, on system-level "
        "Pearson’s r (Bhandari et al. 2020, section 4.1), with Holm’s correction; by Benjamini and "
        f"Hochberg’s {fewer} would stand. It takes systems for a sample and documents as given.",
    )


def _top(record: Record) -> Section:
    group, lead = record["kinds"][0], record["lead"]
    ks = group["top"]["k"]
    values = group["top"]["rows"].get(lead, [])
    first = next(((k, v) for k, v in zip(ks, values, strict=False) if v is not None), None)
    known = first is not None and values[-1] is not None
    said = ""
    if first is not None and known:
        said = (
            f"Among all {ks[-1]} systems r of {lead} is {short(values[-1])}, among the {first[0]} best "
            f"{short(first[1])}."
        )
    return _section(
        "The best systems only",
        "As systems get better, weak ones are no longer compared. From right to left only the k "
        "systems remain that people score highest.",
        [said],
        [
            "That a high correlation over all systems helps to choose among the best.",
            "Much from the left end: a correlation of few systems jumps about.",
        ],
        "Pearson’s r at the system level among the k systems with the highest mean human score "
        "(Bhandari et al. 2020, section 4.2).",
    )


def _stability(record: Record) -> Section:
    rows = record["stability"]["rows"]
    people = rows.get(HUMAN)
    said = ""
    if people and people["mean"] and people["mean"][-1] is not None:
        said = (
            f"Were {people['inputs'][-1]:,} documents judged anew, people’s ranking would come out "
            f"alike to τ {short(people['mean'][-1])} (± {short(people['sd'][-1])})."
        )
    return _section(
        "How many documents a ranking needs",
        "Two sets of documents are drawn and the systems ranked on each; the curve is how alike the "
        "two rankings are, the band one standard deviation. Near 1 a ranking would come out the same "
        "again.",
        [said],
        [
            "That a stable ranking is right: a metric can be wrong the same way every time.",
            "Whether two systems with neighbouring ranks differ.",
        ],
        "Kendall’s τ between two rankings that each stand on documents drawn with replacement "
        f"(Deutsch et al. 2022, section 3), {record['options']['stability_draws']:,} draws a point, "
        f"seed {record['options']['seed']}.",
    )


SECTIONS: dict[str, Callable[[Record], Section]] = {
    "leaderboard": _leaderboard,
    "kinds": _kinds,
    "scatter": _scatter,
    "scatters": _scatters,
    "pairs": _pairs,
    "heatmap": _heatmap,
    "decisions": _decisions,
    "significance": _significance,
    "top": _top,
    "stability": _stability,
}
