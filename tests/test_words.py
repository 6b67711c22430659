"""Pages, messages and documents are worded as their readers would word them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import texts, words
from tests.texts import GAP, Text

PAGE = """{% load x %}{# mend #}
<h2>Hourly {{ wage }} Wage</h2>
<p>Two <b>plain</b>
 words{% if a %} here{% endif %}. <code>not read</code></p>
<a class="button" href="/">Create project</a><img alt="A picture">
{% include "_x.html" with title="Of an include" only %}
"""
PYTHON = '''"""Not read."""
NAME = "key"
def f(x):
    """Nor this."""
    return f"Line {x}: 3 labels, " "expected 4."
'''
SCRIPT = "// not read\nconst a = `Saved ${b ? 'x' : c} units`, d = 'key', e = /\"a b/;"
DOCUMENT = "# A title\n\nText with `code` and\na [link](address).\n\n```sh\nnot read\n```\n- item\n"


def test_nothing_is_worded_as_nobody_would() -> None:
    """See the list with `python -m tests.words`; say in ALLOWED why something stays."""
    found = [str(finding) for finding in words.list_findings()]
    assert not found, "\n".join(found)


def test_everything_allowed_occurs_and_has_a_reason() -> None:
    for (path, phrase), reason in words.ALLOWED.items():
        assert any(phrase in text.words.lower() for text in texts.list_texts([path])), path
        assert len(reason) > 20


def test_names_are_terms_that_readers_know() -> None:
    """Beyond those that were there before; a name that is gone leaves that list, too."""
    found = words.list_odd_names()
    assert set().union(*found.values()) == words.FORMER_NAMES


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        *(("Foreteller", True), ("tell_rule", True), ("is_moving", True), ("stand_ins", True)),
        *(("cleaning", False), ("intellect", False), ("outstanding", False), ("predicted", False)),
    ],
)
def test_it_knows_odd_names(name: str, odd: bool) -> None:
    assert words.is_odd(name) is odd


def check(phrase: str, kind: str = "text", path: str = "page.html") -> list[str]:
    return [finding.words for finding in words.check(Text(path, 1, kind, phrase))]


@pytest.mark.parametrize(
    ("phrase", "wrong"),
    [
        ("Easiness is foretold.", "foretold"),
        ("Mend the lines below.", "Mend"),
        ("Two systems that can’t be told apart.", "told apart"),
        ("The judge beside people.", "beside"),
        ("You took it back.", "took it back"),
        ("Workers are no members.", "are no members"),
        ("Reward a HIT ($)", "Reward a HIT"),
        ("Its color", "color"),
        ("3 labeled units", "labeled"),
        ("Summarize it", "Summarize"),
        ("Well done! Next", "done!"),
    ],
)
def test_it_finds(phrase: str, wrong: str) -> None:
    assert check(phrase) == [wrong]


# What readers of former versions stumbled over.
STUMBLED = """
Workers are no members
Taken back: create.
did again a unit
Mend the lines below in your files and send them again.
1 summary is empty and is kept so.
Make it so
Plans worth a thought
Ask again
Units by SCU (x)
Foretells how hard each is to do without you.
Reward a HIT ($)
25, 2 a HIT
A further system
That come with Giza
Linter rules that speak
What a unit weighs
Take all of it along:
Ada has taken your invitation up and joined as annotator.
You will be annotator.
The next example that waits for you, by keyboard if you like.
It is looked for as one piece
with junk enough, accuracy alone is high
Approved without anybody looking
Keep out who worked in earlier campaigns
Do it and time it
What it pays an hour
$594.00 of the cap are left for more
Collecting goes on by itself.
Needs number of your HITs that were approved: at least 10000.
Needs country: exactly US.
Next HIT by itself
The HIT was given back.
Not for those who hold: Giza: excluded (pyrxsum).
Turn a rejection around and pay
Words to the worker
Its id there
Each is paid once, whoever else presses this.
Same rules anew
with the very hash that the file has
Labels that no version is made of can be deleted.
How far metrics go with people
No correlation can be told.
An NLI judge is asked of the new ones alone.
drawing the examples anew
lives one study through
To accept a wording, or to move a unit, is no writing.
being reckoned
can’t be told apart
held against people
judge less people
chosen by lot
stand-ins
so that you need not wait
in your hands
how far it is
nothing stands in the way
decided by itself
the answer as it came
its leaning
let in again
it rests
""".strip().splitlines()


@pytest.mark.parametrize("phrase", STUMBLED)
def test_it_finds_what_readers_stumbled_over(phrase: str) -> None:
    assert check(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        "There is no file. It is no longer there. Besides, it’s size 3.",
        "Labelled summaries, recommended amendments, a tokenizer.",
        "Reward per HIT ($), one in a document",
    ],
)
def test_it_leaves_alone(phrase: str) -> None:
    assert check(phrase) == []


def test_titles_are_in_sentence_case() -> None:
    assert check("Create Project", "button") == ["Project"]
    assert check("create a project", "button") == ["create"]
    assert check("Run a campaign on Prolific. See STUs", "heading") == []
    assert check("Create Project") == []


def test_headings_are_nouns() -> None:
    assert check("What a unit is", "heading") == ["What"]
    assert check("What was it?", "heading") == []
    assert check("How it works", "heading") == ["How"]
    assert check("How it works", "heading", "docs/a.md") == []


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.html",
            PAGE,
            [
                (2, "heading", f"Hourly {GAP} Wage"),
                (3, "text", f"Two plain words¦ here¦. {GAP}"),
                (5, "button", "Create project"),
                (5, "attribute", "A picture"),
                (6, "text", "Of an include"),
            ],
        ),
        ("a.py", PYTHON, [(5, "text", f"Line {GAP}: 3 labels, expected 4.")]),
        ("a.js", SCRIPT, [(2, "text", f"Saved {GAP} units")]),
        (
            "a.md",
            DOCUMENT,
            [
                (1, "heading", "A title"),
                (3, "text", f"Text with {GAP} and a [link]."),
                (9, "text", "item"),
            ],
        ),
        ("Makefile", "run: x ## Serve it\n\t@echo 'x'\n", [(1, "text", "Serve it")]),
    ],
)
def test_it_reads(
    name: str, content: str, expected: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    read = [(text.line, text.kind, text.words) for text in texts.list_texts([str(tmp_path)])]
    assert [row for row in read if row[2].strip("¦ ")] == expected


def test_it_reads_what_rest_says(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "a.py").write_text('"""List the units."""\n')
    (tmp_path / "b.py").write_text('"""List the units."""\n')
    assert [text.words for text in texts.list_texts([str(tmp_path)])] == ["List the units."]


def test_it_prints_findings_or_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("Done anew.\n")
    assert words.main([str(tmp_path)]) == 1
    assert "a.md:1: “anew” → again" in capsys.readouterr().out
    assert words.main(["--all", str(tmp_path)]) == 0
    assert "a.md:1 [text] Done anew." in capsys.readouterr().out
