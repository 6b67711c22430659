"""The card, the methods paragraph and the LaTeX tables, written from the facts."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scoring.io.gold import (
    AgreementFacts,
    CampaignFacts,
    GoldCounts,
    GoldExample,
    GoldFacts,
    ScoreFacts,
    count_gold,
    write_card,
    write_methods,
    write_tables,
)
from scoring.io.gold.markup import latex, markdown, markdown_block, markdown_lines, one_line
from tests.scoring.gold_records import CAMPAIGN, FACTS, small_gold

HOSTILE = [
    "<script>alert(1)</script>",
    "![x](http://evil.example/x.png)",
    "[x](javascript:alert(1))",
    "| a | b |",
    "`code` *bold* _it_ ~~no~~",
    "# Head",
    "- item",
    "12. item",
    "---",
    "a\n\n<b>b</b>",
    "&lt;b&gt;",
    "\\",
    "==",
]
FACTS_GIVEN = small_gold()[0]
MARKED = re.compile(r"<(script|img|a|b|em|strong|s|code|h\d|li|ul|ol|hr)\b")


def html(text: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(text)


def test_it_tells_what_the_study_was() -> None:
    card = write_card(FACTS_GIVEN)
    for told in (
        "# Dams, version 2\n\nJudgements of summaries about dams.\n",
        "| labels | 6 |",
        "| present labels | 4 |",
        "- Marketplace: MTurk\n- Workers per HIT: 3\n",
        "- Pay: USD 0.25 per HIT, a median of USD 11.40 per hour\n",
        "- Requirements: at least 98 % approved and in the US\n",
        "> Read the summary.\n> Tick what it says.",
        "- Filter per-worker (max disagreement 0.5, min hits 2): workers who disagree",
        "- Excluded by per-worker: 1 assignment and 2 answers by 1 worker.\n",
        "- Labels: majority vote; ties count as not present.\n",
        "- Adjudicated by experts: 1 label.",
        "| Krippendorff's alpha, mean over summaries | 0.6646 | [0.600, 0.720] | 4 |",
        "Alpha is counted as 1 where all answers are identical",
        "| bart | 1.000 | – | 1 |\n| lead\\_3 | 0.500 | [0.250, 0.750] | 2 |",
        "Workers are identified by pseudonyms",
        "- Units: SCUs, version 3, uuuu",
        "## Licence\n\nCC BY 4.0\n",
        "```\n@misc{dams, title = {Dams}}\n```",
    ):
        assert told in card, told


def test_it_leaves_out_what_is_not_known() -> None:
    card = write_card(GoldFacts("Bare", 1, ""))
    assert "Protocol" not in card
    assert "Agreement" not in card
    assert "Scores" not in card
    assert "doesn't contain the answers of individual workers" in card
    assert card.count("Not specified.") == 2
    assert write_methods(GoldFacts("Bare", 1, "")) == (
        "The dataset contains 0 summaries of 0 examples by 0 systems and 0 content units. "
        "The dataset is Bare, version 1.\n"
    )


def test_it_says_so_where_workers_have_no_pseudonyms() -> None:
    card = write_card(replace(FACTS_GIVEN, pseudonymous=False))
    assert "Workers are identified by their provider IDs" in card


@pytest.mark.parametrize("text", HOSTILE)
def test_it_shows_texts_of_others_as_themselves(text: str) -> None:
    shown = html(markdown(text))
    assert not MARKED.search(shown)
    quoted = html(markdown_lines(text))
    assert not MARKED.search(quoted)
    assert html(markdown_block(text)).count("<pre>") == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_it_holds_its_shape_whatever_the_facts_say(text: str) -> None:
    plain, hostile = (html(write_card(_named(word))) for word in ("word", text))
    heads = re.compile(r"<(h\d|table|tr|td|li|script|img|a)\b")
    assert heads.findall(plain) == heads.findall(hostile)


def _named(text: str) -> GoldFacts:
    campaign = CampaignFacts(text, instructions=text, qualifications=(text,), marketplace=text)
    return replace(
        FACTS,
        name=text,
        description=text,
        licence=text,
        citation=text,
        campaigns=(campaign,),
        recipe={"filters": [{"name": text, "options": {text: text}}], "vote": text, "tie": text},
        agreement=(AgreementFacts(text, text, 0.5, undefined=text),),
        scores=(ScoreFacts(text, 0.5, method=text),),
        signature=text,
        program=text,
    )


def test_it_fences_a_citation_that_holds_fences() -> None:
    block = markdown_block("a\n````\nb")
    assert block.startswith("`````\n")
    assert html(block) == "<pre><code>a\n````\nb\n</code></pre>\n"


def test_it_writes_a_methods_paragraph() -> None:
    assert write_methods(FACTS_GIVEN) == (
        "We judged 4 summaries of 2 examples by 2 systems for the presence of 3 content units "
        "(SCUs, version 3), all SCUs written by people. In the campaign “Dams & floods”, 3 workers "
        "(MTurk) were asked for each HIT; 6 assignments of 4 HITs were submitted; requirements "
        "for participation were: at least 98 % approved and in the US; pay was USD 0.25 per HIT, a "
        "median of USD 11.40 per hour. We kept 2 of 4 answers by 2 workers: workers who disagree "
        "too often with the majority are excluded (max disagreement 0.5, min hits 2). Before "
        "filtering, each judged statement had 1 to 2 answers. Labels were assigned by majority "
        "vote; ties count as not present. Experts adjudicated 1 label. Of 6 labels, 66.7 % are "
        "present. Agreement: Krippendorff's alpha is 0.665 (mean over summaries, 95 % interval "
        "[0.600, 0.720]). Scores: exhaustive (weight of present units divided by total weight). "
        "The dataset is Dams, version 2, created with Giza 0.1.0.\n"
    )


def test_it_counts_what_was_judged_apart_from_what_came_along() -> None:
    """Of two examples only one has labels, of one system; a third has no unit at all."""
    facts, systems, (first, second) = small_gold()
    stu = replace(first.units[1], kind="stu")
    judged = replace(
        first, units=(first.units[0], stu), labels={"bart": (1, 0), "lead_3": (None, None)}
    )
    bare = GoldExample("a3", summaries={"bart": "Rain."})
    examples = [judged, replace(second, labels={}), bare]
    unit_set = replace(facts.unit_set, unchecked="The deadline is near.")
    told = write_methods(
        replace(facts, counts=count_gold(systems, examples), unit_set=unit_set, campaigns=())
    )
    assert told.startswith(
        "We judged 1 summary of 1 example by 1 system for the presence of 2 content units "
        "(SCUs, version 3), 1 SCU written by people and 1 STU. The units were frozen before a "
        "second person had reviewed those of every example (reason: “The deadline is near.”). In "
        "total, including what was not judged, the dataset contains 5 summaries of 3 examples by "
        "2 systems. 1 example has no content units. "
    )
    card = write_card(replace(facts, counts=count_gold(systems, examples), unit_set=unit_set))
    for row in ("| summaries | 5 |", "| labelled summaries | 1 |", "| labelled STUs "):
        assert row in card
    assert "frozen before all were reviewed by a second person (“The deadline is near.”)" in card


@pytest.mark.parametrize(
    "recipe, told",
    [
        ({}, "imported from files."),
        ({"files": ["a.label"], "source": ""}, "imported from the file a.label."),
        (
            {"files": ["a.label", "b.label"], "source": "out.zip"},
            "imported from the files a.label and b.label of out.zip.",
        ),
        (
            {"files": [f"{name}.label" for name in "abcde"], "source": "PyrXSum"},
            "imported from 5 files, a.label to e.label of PyrXSum.",
        ),
    ],
)
def test_it_says_which_files_labels_came_from(recipe: dict[str, object], told: str) -> None:
    facts = replace(FACTS_GIVEN, recipe={"vote": "imported", **recipe}, campaigns=())
    methods = write_methods(facts)
    assert methods.startswith("The labels mark the presence of 3 content units")
    assert "in 4 summaries of 2 examples by 2 systems." in methods
    assert f"Labels were {told} " in methods
    assert "We judged" not in methods
    assert f"- Labels: {told}" in write_card(facts).replace("\\", "")


def test_it_claims_no_more_than_an_older_file_tells() -> None:
    counts = GoldCounts(examples=100, systems=10, summaries=1000, units=376, labels=36)
    told = write_methods(replace(FACTS, counts=counts, campaigns=()))
    assert told.startswith(
        "The dataset contains 1,000 summaries of 100 examples by 10 systems and 376 content units "
        "(SCUs, version 3). "
    )
    assert "judged" not in told


@pytest.mark.parametrize(
    "facts, sentence",
    [
        (replace(FACTS, recipe={"vote": "mace"}), "Labels were assigned by MACE."),
        (
            replace(FACTS, recipe={"vote": "majority", "tie": "random", "seed": 7}),
            "ties are broken at random (seed 7).",
        ),
        (replace(FACTS, recipe={"filters": "all"}), "Answers were filtered: the rule all."),
        (replace(FACTS, recipe={"filters": ["gold"]}), "Answers were filtered: assignments that"),
        (
            replace(FACTS, campaigns=(replace(CAMPAIGN, judges=0),)),
            "“Dams & floods”, workers were recruited (MTurk);",
        ),
        (
            replace(FACTS, campaigns=(replace(CAMPAIGN, rewards=("0.10", "0.20")),)),
            "pay was USD 0.10 and USD 0.20 per HIT",
        ),
    ],
)
def test_it_puts_every_fact_into_words(facts: GoldFacts, sentence: str) -> None:
    assert sentence in write_methods(facts)


def test_it_writes_latex_tables() -> None:
    tables = write_tables(replace(FACTS, name="Dams_2 & 50%"))
    assert tables.startswith(r"% Dams\_2 \& 50\%, version 2. Needs \usepackage{booktabs}.")
    assert r"{lead\_3} & $0.500$ & $[0.250, 0.750]$ & 2 \\" in tables
    assert r"{bart} & $1.000$ & -- & 1 \\" in tables
    assert r"{Krippendorff's alpha, mean over summaries} & $0.665$" in tables
    assert tables.count(r"\begin{table}") == tables.count(r"\end{table}") == 2


def test_it_says_why_there_is_no_interval() -> None:
    few = replace(FACTS, scores=(ScoreFacts("bart", 0.5, examples=2),))
    for told in (write_tables(few), write_card(few)):
        assert "No interval is given for fewer than 3 judged examples." in told
    enough = replace(FACTS, scores=(ScoreFacts("bart", 0.5, 0.4, 0.6, 3),))
    assert "No interval" not in write_tables(enough) + write_card(enough)


def test_it_writes_a_table_for_each_way_of_scoring() -> None:
    lite = ScoreFacts("bart", None, method="lite")
    tables = write_tables(replace(FACTS, scores=(*FACTS.scores, lite), agreement=()))
    assert r"\label{tab:scores-exhaustive}" in tables
    assert r"\label{tab:scores-lite}" in tables
    assert r"{bart} & -- & -- & 0 \\" in tables


UNESCAPED = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    **{"\\" + letter: letter for letter in "{}$&#%_"},
}
TOKEN = re.compile(r"\\text[a-z]+\{\}|\\[{}$&#%_]|[^\\{}$&#%_^~<>|]")


@given(
    st.text(st.sampled_from("\\{}$&#%_^~<>|[]*a é\n") | st.characters(exclude_categories=["Cs"]))
)
@settings(deadline=None)
def test_it_escapes_latex_without_loss(text: str) -> None:
    tokens = TOKEN.findall(latex(text))
    assert "".join(tokens) == latex(text)
    assert "".join(UNESCAPED.get(token, token) for token in tokens) == one_line(text)
