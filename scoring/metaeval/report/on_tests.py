"""Words under the figures that say which metric is better than which."""

from __future__ import annotations

from scoring.metaeval.report.abstract import list_rivals
from scoring.metaeval.report.drawing import LEVEL
from scoring.metaeval.report.saying import counted, listed
from scoring.metaeval.report.section import Record, Section, make_section

CAPTION = (
    "A filled square: the metric of the row goes with people better than that of the column, with "
    "all tests reckoned together. A hollow one: only if that test stood alone."
)
EQUAL = "That metrics which are not told apart are equally good: the data may be too few to tell."


def tell_permutation(record: Record) -> Section:
    options = record["options"]
    how = (
        "Permutation test: on single summaries, by lot, the two metrics change places (PERM-BOTH, "
        f"Deutsch et al. 2021), {options['permutations']:,} times, seed {options['seed']}; "
        "two-sided, on Kendall’s τ-b at the system level."
    )
    return _tell(record, "permutation", "Which metric is better than which, by Kendall’s τ", how)


def tell_williams(record: Record) -> Section:
    how = (
        "Williams’ test for two correlations that share people’s scores (Bhandari et al. 2020, "
        "section 4.1), two-sided, on Pearson’s r at the system level. It takes systems for a "
        "sample, and examples as given."
    )
    return _tell(record, "williams", "Which metric is better than which, by Pearson’s r", how)


def _tell(record: Record, test: str, title: str, how: str) -> Section:
    before, sure, fewer, pairs = count_tests(record, test)
    verb = "is" if sure == 1 else "are"
    rivals = list_rivals(record, (test,))
    return make_section(
        title,
        CAPTION,
        may=[f"Of {counted(pairs, 'pair')} of metrics {sure or 'none'} {verb} told apart."],
        may_not=[
            f"That {record['lead']} is better than {listed(rivals)}." if rivals else "",
            _say_hollow(before - sure, pairs),
            EQUAL,
        ],
        how=f"{how} Corrected by Holm; by Benjamini and Hochberg {fewer} would stand.",
    )


def _say_hollow(hollow: int, tests: int) -> str:
    if not hollow:
        return ""
    said = counted(hollow, "hollow square")
    return f"Anything from {said}: of {tests:,} tests some come out so by chance."


def count_tests(record: Record, test: str) -> tuple[int, int, int, int]:
    """How many are below .05 alone, by Holm, by Benjamini and Hochberg; and how many there are."""
    tests = record["kinds"][0][test]
    counts = [
        sum(value is not None and value <= LEVEL for row in tests[name] for value in row)
        for name in ("p", "holm", "benjamini_hochberg")
    ]
    done = sum(value is not None for row in tests["p"] for value in row)
    return counts[0], counts[1], counts[2], done
