"""LaTeX tables: the systems' scores and the agreement, each with its interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scoring.io.gold import wording
from scoring.io.gold.markup import latex
from scoring.io.gold.records import GoldFacts


def write_tables(facts: GoldFacts) -> str:
    """The tables for `\\input`, with the package that they need named on the first line."""
    head = f"% {latex(facts.name)}, version {facts.version}. Needs \\usepackage{{booktabs}}."
    return "\n\n".join([head, *_score_tables(facts), *_agreement_tables(facts)]) + "\n"


def _score_tables(facts: GoldFacts) -> Iterator[str]:
    head = ("System", "Score", f"{_confidence(facts)} interval", "Examples")
    for method, scores in wording.scores_by_method(facts):
        rows = [
            (
                latex(item.system),
                _figure(item.score),
                _interval(item.low, item.high),
                f"{item.examples:,}",
            )
            for item in scores
        ]
        caption = f"System scores ({latex(method)}), {_dataset(facts)}."
        if wording.lacks_intervals(scores):
            caption += f" {wording.NO_INTERVAL}"
        yield _table(head, rows, caption, f"tab:scores-{_label(method)}")


def _agreement_tables(facts: GoldFacts) -> Iterator[str]:
    if not facts.agreement:
        return
    head = ("Measure", "Value", f"{_confidence(facts)} interval", "n")
    rows = [
        (
            latex(f"{wording.measure(item)}, {wording.level(item)}"),
            _figure(item.value),
            _interval(item.low, item.high),
            f"{item.items:,}",
        )
        for item in facts.agreement
    ]
    yield _table(head, rows, f"Inter-annotator agreement, {_dataset(facts)}.", "tab:agreement")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, label: str) -> str:
    # Braces, because a row that begins with `[` or `*` would be read as an option of `\\`.
    lines = [f"{{{first}}} & {' & '.join(rest)} \\\\" for first, *rest in rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
            r"\toprule",
            f"{' & '.join(head)} \\\\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{caption}}}",
            rf"\label{{{label}}}",
            r"\end{table}",
        ]
    )


def _figure(value: float | None) -> str:
    return "--" if value is None else f"${wording.number(value)}$"


def _interval(low: float | None, high: float | None) -> str:
    return "--" if low is None or high is None else f"${wording.interval(low, high)}$"


def _confidence(facts: GoldFacts) -> str:
    return f"{100 * facts.confidence:g}\\,\\%"


def _dataset(facts: GoldFacts) -> str:
    return f"{latex(facts.name)}, version {facts.version}"


def _label(method: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in method)
