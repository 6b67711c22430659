"""Words under the figures that say which metric is better than which."""

from __future__ import annotations

from scoring.measured_coverage import say_departures
from scoring.metaeval.report.abstract import is_open, is_significant, list_rivals
from scoring.metaeval.report.conclusions import conclude_difference, conclude_tests
from scoring.metaeval.report.drawing import LEVEL
from scoring.metaeval.report.drawings_tests import list_differences
from scoring.metaeval.report.saying import counted, listed
from scoring.metaeval.report.section import Record, Section, make_section
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

CAPTION = gettext_lazy(
    "Filled square: the metric in the row correlates significantly higher with human scores than "
    "the metric in the column, corrected for multiple tests. Hollow square: significant only "
    "without correction. Ring: not settled."
)
EQUAL = gettext_lazy(
    "That metrics without a significant difference are equally good: there may be too little data."
)


def describe_permutation(record: Record) -> Section:
    how = _say_swaps(record, _("the two metrics are swapped on single summaries"), "PERM-BOTH")
    how = f"{how} {say_departures('test: two metrics, PERM-BOTH', 'system level')}".strip()
    title = _("Significant differences by Kendall’s τ, system level")
    return _describe(record, "permutation", title, how)


def describe_summary_permutation(record: Record) -> Section:
    how = _say_swaps(record, _("the two metrics are swapped on whole examples"), "PERM-INPUTS")
    how = f"{how} {say_departures('test: two metrics, PERM-INPUTS', 'summary level')}".strip()
    title = _("Significant differences by Kendall’s τ, summary level")
    return _describe(record, "summary_permutation", title, how)


def _say_swaps(record: Record, what: str, name: str) -> str:
    options = record["options"]
    return _(
        "Permutation test: at random, {what} ({name}, Deutsch et al. 2021), seed "
        "{seed}, two-sided. Swaps continue until the verdict is settled, or up to "
        "{swaps:,}: a p value from random swaps has a Monte Carlo error. The CSV has "
        "its bounds, which hold for all tests jointly with 99 % confidence (Gandy & Hahn 2014)."
    ).format(what=what, name=name, seed=options["seed"], swaps=options["swaps"])


def describe_williams(record: Record) -> Section:
    how = _(
        "Williams’ test for two correlations that share human scores (Bhandari et al. 2020, "
        "section 4.1), two-sided, on Pearson’s r at the system level. It treats systems as a "
        "sample and examples as fixed. Effect sizes (Cohen’s q) are in the table."
    )
    title = _("Significant differences by Pearson’s r, system level")
    return _describe(record, "williams", title, how)


def _describe(record: Record, test: str, title: str, how: str) -> Section:
    alone, significant, fewer, open_tests, tests = count_tests(record, test)
    rivals = list_rivals(record, (test,))
    return make_section(
        title,
        str(CAPTION),
        may=[conclude_tests(significant, open_tests, tests)],
        may_not=[
            _("That {lead} is better than {listed}.").format(
                lead=record["lead"], listed=listed(rivals)
            )
            if rivals
            else "",
            _say_hollow(alone, tests),
            str(EQUAL),
        ],
        how=_(
            "{how} Holm-corrected; with Benjamini–Hochberg, {fewer} would be significant."
        ).format(how=how, fewer=fewer),
    )


def _say_hollow(hollow: int, tests: int) -> str:
    if not hollow:
        return ""
    said = counted(hollow, "hollow square", "hollow squares")
    return _("Anything from {said}: of {tests:,} tests, some are below .05 by chance.").format(
        said=said, tests=tests
    )


def count_tests(record: Record, test: str) -> tuple[int, int, int, int, int]:
    """How many are significant only alone, by Holm, by Benjamini and Hochberg; open; all."""
    table = record["kinds"][0][test]
    places = [
        (at, to)
        for at, row in enumerate(table["p"])
        for to, value in enumerate(row)
        if value is not None
    ]
    significant = sum(is_significant(table, *place) for place in places)
    open_tests = sum(is_open(table, *place) for place in places)
    hollow = sum(
        table["p"][at][to] <= LEVEL
        and not is_significant(table, at, to)
        and not any(is_open(table, at, to, name) for name in ("p", "holm"))
        for at, to in places
    )
    fewer = sum(
        table["benjamini_hochberg"][at][to] <= LEVEL
        and not is_open(table, at, to, "benjamini_hochberg")
        for at, to in places
    )
    return hollow, significant, fewer, open_tests, len(places)


def describe_differences(record: Record) -> Section:
    """How much higher the first metric correlates than each other, at both levels."""
    lead = record["lead"]
    return make_section(
        _("Difference in τ: {lead} minus each other metric").format(lead=lead),
        _(
            "Each dot is τ of {lead} minus τ of the other metric; the line is its interval. If it "
            "includes 0, the two aren’t significantly different."
        ).format(lead=lead),
        may=[
            conclude_difference(lead, _list_better(record, level), level)
            for level in ("system", "summary")
        ],
        may_not=[
            _("That two metrics are equally good if the interval includes 0."),
            _("Much from one interval among many: unlike the tests, intervals aren’t corrected."),
        ],
        how=_say_differences(record),
    )


def _say_differences(record: Record) -> str:
    options = record["options"]
    how = _(
        "Both metrics are resampled together, {resamples:,} times, seed "
        "{seed}: systems and examples at the system level (BOOT-BOTH), examples at the "
        "summary level (BOOT-INPUTS). A metric is named above if its interval excludes 0 and the "
        "permutation test at that level is significant. The CSV has every pair, with BCa."
    ).format(resamples=options["resamples"], seed=options["seed"])
    measured = (
        say_departures(f"difference of correlations, {level} level", "percentile")
        for level in ("system", "summary")
    )
    return " ".join([how, *filter(None, measured)])


def _list_better(record: Record, level: str) -> list[str]:
    """Whom the first metric is better than by interval and by corrected test."""
    test = {"system": "permutation", "summary": "summary_permutation"}[level]
    rivals = list_rivals(record, (test,))
    return [
        other
        for other, (__, low, _high) in list_differences(record, level).items()
        if low is not None and low > 0 and other not in rivals
    ]
