"""What the studio does with words, asked of its modules themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.rest import Rest
from tests.browser.sessions import Seat
from tests.browser.studio import Studio

Ask = Callable[..., Any]

# The file behind a module's name differs from build to build: the modules name each other.
CALL = """async ([name, called, given]) => {
    const addresses = [document.querySelector('script[src*="/js/studio."]').src];
    for (const address of addresses) {
        if (address.includes(`/js/${name}.`)) {
            return (await import(address))[called](...given);
        }
        const source = await (await fetch(address)).text();
        for (const [, found] of source.matchAll(/from\\s*["']([^"']+)["']/g)) {
            const next = new URL(found, address).href;
            if (!addresses.includes(next)) {
                addresses.push(next);
            }
        }
    }
    throw new Error(`The studio has no module ${name}.`);
}"""


@pytest.fixture(scope="module")
def ask(members_seat: Seat, rest: Rest) -> Iterator[Ask]:
    made = rest.post("projects/demo/unit-sets/", data={"name": "words"})["id"]
    example = rest.first("demo", "examples")
    with members_seat.pages() as open_page:
        page = open_page()
        Studio(page).open(f"/p/demo/units/{made}/examples/{example}/")
        yield lambda module, called, *given: page.evaluate(CALL, [module, called, list(given)])


def test_it_counts_places_as_the_server_does(ask: Ask) -> None:
    words = ask("studio-text", "wordsOf", "👋 U-turn, 3.5 of 日本!")
    assert [(word["text"], word["start"], word["end"]) for word in words] == [
        ("U-turn", 2, 8),
        ("3.5", 10, 13),
        ("of", 14, 16),
        ("日", 17, 18),
        ("本", 18, 19),
    ]
    assert [word["content"] for word in words] == [True, True, False, True, True]


@pytest.mark.parametrize(
    "text, at, halves",
    [
        ("It rained and the river rose.", 9, ["It rained.", "The river rose."]),
        ("It rained, the river rose", 10, ["It rained.", "The river rose."]),
        ("The mill, which burned, was old.", 9, ["The mill.", "Burned, was old."]),
        # Never inside a word: the place moves to its nearer end.
        ("It rained and the river rose.", 8, ["It rained.", "The river rose."]),
        ("It rained and the river rose.", 15, ["It rained.", "The river rose."]),
        ("The U-turn cost 3.5 crowns", 5, ["The.", "U-turn cost 3.5 crowns."]),
        ("The U-turn cost 3.5 crowns", 17, ["The U-turn cost.", "3.5 crowns."]),
    ],
)
def test_it_splits_a_text_into_two_sentences(
    ask: Ask, text: str, at: int, halves: list[str]
) -> None:
    assert ask("studio-text", "splitText", text, at) == halves


@pytest.mark.parametrize(
    "texts, joined",
    [
        (["It rained.", "The river rose."], "It rained and the river rose."),
        (["It rained.", "Ada left."], "It rained and Ada left."),
        (["It rained.", "It rained."], "It rained."),
        (["", "It rained."], "It rained."),
    ],
)
def test_it_joins_texts_into_one_sentence(ask: Ask, texts: list[str], joined: str) -> None:
    assert ask("studio-text", "joinTexts", texts) == joined


def test_it_guesses_where_to_split(ask: Ask) -> None:
    text = "It cost 46,000 crowns, and the town paid."
    assert ask("studio-text", "guessSplit", text) == text.index(",", 12)
    assert ask("studio-text", "guessSplit", "The town paid 46,000 crowns.") is None


@pytest.mark.parametrize(
    "before, after, parts",
    [
        ("a b c", "a x c", [("same", "a"), ("gone", "b"), ("new", "x"), ("same", "c")]),
        ("a b", "a b", [("same", "a b")]),
        ("", "a b", [("new", "a b")]),
    ],
)
def test_it_tells_what_became_of_a_text(
    ask: Ask, before: str, after: str, parts: list[tuple[str, str]]
) -> None:
    found = ask("studio-text", "diffWords", before, after)
    assert [(part["kind"], part["text"]) for part in found] == parts


def test_it_keeps_a_unit_that_a_later_change_has_reached(ask: Ask) -> None:
    newer = {"id": 7, "text": "newer", "seen": 12}
    older = {"id": 11, "units": {"7": {"id": 7, "text": "older"}}}
    assert ask("studio-model", "takeChange", [newer], older) == [newer]
    newest = {"id": 13, "units": {"7": {"id": 7, "text": "newest"}}}
    assert ask("studio-model", "takeChange", [newer], newest) == [
        {"id": 7, "text": "newest", "seen": 13}
    ]


def test_it_brings_a_unit_back_by_changes_that_follow_each_other(ask: Ask) -> None:
    spans = [{"reference": 1, "start": 0, "end": 4}]
    now = {"id": 7, "text": "b", "spans": spans, "deleted": True, "revision": 3, "position": 0}
    then = {"text": "a", "spans": spans, "deleted": False, "after": None}
    assert ask("studio-model", "changesTo", [now], 7, then, False) == [
        {"action": "restore", "unit": 7, "revision": 3},
        {"action": "update", "text": "a", "unit": 7, "revision": 4},
    ]


SENTENCE = "The harbour at Brack opened again on Friday."


@pytest.mark.parametrize(
    "text, kept",
    [
        (SENTENCE, [SENTENCE]),
        ("The harbour opened.", ["The harbour", "opened"]),
        ("The harbours open on Friday", ["The harbour", "opened again on Friday"]),
        ("Brack market", ["Brack"]),
        ("Volunteers mended it.", [SENTENCE]),
        ("", [SENTENCE]),
    ],
)
def test_it_narrows_a_span_to_the_words_that_a_text_keeps(
    ask: Ask, text: str, kept: list[str]
) -> None:
    rows = [{"id": 1, "number": 1, "start": 0, "end": len(SENTENCE)}]
    reference = {"id": 7, "name": "", "number": 1, "text": SENTENCE, "sentences": rows}
    sentences = ask("studio-text", "sentencesOf", [reference])
    whole = [{"reference": 7, "sentence": 1, "start": 0, "end": len(SENTENCE)}]
    found = ask("studio-narrowing", "narrowTo", whole, sentences, text)
    assert [SENTENCE[span["start"] : span["end"]] for span in found] == kept


def test_it_leaves_words_that_somebody_chose(ask: Ask) -> None:
    """Only words whose place in the text changed move: Brack was chosen without being named."""
    rows = [{"id": 1, "number": 1, "start": 0, "end": len(SENTENCE)}]
    reference = {"id": 7, "name": "", "number": 1, "text": SENTENCE, "sentences": rows}
    sentences = ask("studio-text", "sentencesOf", [reference])
    chosen = [{"reference": 7, "sentence": 1, "start": 4, "end": 20}]
    before, after = "The harbour was shut.", "The harbour was shut until Friday."
    found = ask("studio-narrowing", "followText", chosen, sentences, before, after)
    words = [SENTENCE[span["start"] : span["end"]] for span in found]
    assert words == ["The harbour at Brack", "Friday"]
