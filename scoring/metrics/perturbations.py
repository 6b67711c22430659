"""Ways to change summaries that no metric has in its tables, beside synonyms of WordNet.

Character noise, paraphrase templates and the order of sentences keep what is said: a metric should
lose little. Other names and other numbers change it: a metric that loses little is blind to facts.
Only summaries change. A summary's changes depend on it, its sources and the seed alone, and those
of a small share are among those of a larger one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from scoring.errors import InputError
from scoring.io.texts import SummaryTexts
from scoring.metrics.perturbation import Synonyms, find_names
from scoring.metrics.robustness import perturb_texts
from scoring.overlap import tokenize
from scoring.sentences import split_sentences
from scoring.stemming import is_content, word_set
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

SYNONYMS = "synonyms"
Edit = tuple[int, int, str]
Change = Callable[[str, Sequence[str], np.random.Generator], list[Edit]]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """`share_of` says what a share is of; `keeps_meaning` whether a small loss is wanted."""

    name: str
    words: str
    share_of: str
    keeps_meaning: bool


PERTURBATIONS = {
    row.name: row
    for row in (
        Perturbation(
            SYNONYMS, gettext_lazy("WordNet synonyms"), gettext_lazy("content words"), True
        ),
        Perturbation(
            "characters",
            gettext_lazy("Character noise"),
            gettext_lazy("words of four letters or more"),
            True,
        ),
        Perturbation(
            "paraphrase",
            gettext_lazy("Paraphrase templates"),
            gettext_lazy("places where a template fits"),
            True,
        ),
        Perturbation("order", gettext_lazy("Shuffled sentences"), "sentences", True),
        Perturbation("entities", gettext_lazy("Replaced names"), "names", False),
        Perturbation("numbers", gettext_lazy("Replaced numbers"), "numbers", False),
    )
}


def check_perturbation(name: str) -> None:
    if name not in PERTURBATIONS:
        raise InputError(
            _("There is no perturbation '{name}'. Known: {perturbations}.").format(
                name=name, perturbations=", ".join(PERTURBATIONS)
            )
        )


def perturb(
    texts: SummaryTexts, name: str, *, share: float, seed: int, synonyms: Synonyms | None = None
) -> SummaryTexts:
    """The texts with so many of their words, sentences, names or numbers changed.

    `synonyms` are only read for the perturbation of that name, which changes sources as well.
    """
    check_perturbation(name)
    if name == SYNONYMS:
        if synonyms is None:
            raise InputError(_("The perturbation 'synonyms' needs a source of synonyms."))
        return perturb_texts(texts, synonyms, share=share, seed=seed)
    if not 0 <= share <= 1:
        raise InputError(_("A share must be from 0 to 1, not {share:g}.").format(share=share))
    rows = zip(texts.summaries, texts.sources, strict=True)
    changed = (perturb_summary(text, name, sources, share, seed) for text, sources in rows)
    return replace(texts, summaries=tuple(changed))


def perturb_summary(
    summary: str, name: str, sources: Sequence[str], share: float, seed: int
) -> str:
    rng = _start((name, summary), seed)
    if name == "order":
        return _reorder(summary, share, rng)
    edits = CHANGES[name](summary, sources, rng)
    chosen = sorted(rng.permutation(len(edits))[: ceil(share * len(edits) - 1e-9)].tolist())
    return _apply(summary, [edits[place] for place in chosen])


def _start(texts: Iterable[str], seed: int) -> np.random.Generator:
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=8).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "big")])


def _apply(text: str, edits: Sequence[Edit]) -> str:
    parts, position = [], 0
    for start, end, other in edits:
        parts += [text[position:start], other]
        position = end
    return "".join([*parts, text[position:]])


def _misspell(text: str, sources: Sequence[str], rng: np.random.Generator) -> list[Edit]:
    """In each longer word two letters change places, or one is left out or doubled."""
    edits = []
    for token in tokenize(text):
        word, kind = token.text, int(rng.integers(3))
        at = int(rng.integers(1, max(2, len(word) - 2)))
        if len(word) < 4 or not word.isalpha():
            continue
        if kind == 0 and word[at] != word[at + 1]:
            other = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif kind == 1:
            other = word[:at] + word[at + 1 :]
        else:
            other = word[: at + 1] + word[at:]
        edits.append((token.start, token.end, other))
    return edits


# What stands at one place and says the same; capitals at the beginning stay.
_PHRASES = {
    "isn't": "is not", "aren't": "are not", "wasn't": "was not", "weren't": "were not",
    "doesn't": "does not", "don't": "do not", "didn't": "did not", "hasn't": "has not",
    "haven't": "have not", "hadn't": "had not", "won't": "will not", "can't": "cannot",
    "couldn't": "could not", "wouldn't": "would not", "is not": "isn't", "are not": "aren't",
    "was not": "wasn't", "were not": "weren't", "does not": "doesn't", "did not": "didn't",
    "has not": "hasn't", "will not": "won't", "cannot": "can't", "could not": "couldn't",
    "because of": "owing to", "due to": "because of", "in order to": "so as to",
    "more than": "over", "less than": "under", "at least": "no fewer than",
    "a number of": "several", "is able to": "can", "are able to": "can", "was able to": "could",
    "such as": "like", "despite": "in spite of", "in spite of": "despite",
    "per cent": "percent", "percent": "per cent",
}  # fmt: skip
_PHRASE = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _PHRASES), key=len, reverse=True))})\b", re.IGNORECASE
)
_SAID = re.compile(r"^(?P<who>[^,;:\"“”]{2,60}?) said (?:that )?(?P<what>[^\"“”]{10,})\.$")
_WHEN = re.compile(
    r"^(?P<what>[^,;:\"“”]{15,}) (?P<when>on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
    r"|in (?:January|February|March|April|June|July|August|September|October|November|December)"
    r"|in (?:19|20)\d\d)\.$"
)


def _paraphrase(text: str, sources: Sequence[str], rng: np.random.Generator) -> list[Edit]:
    """Reported speech and times change their place in a sentence; elsewhere phrases change."""
    edits: list[Edit] = []
    for start, end in split_sentences(text):
        sentence = text[start:end]
        if match := _SAID.match(sentence):
            other = _("According to {who}, {what}.").format(who=match["who"], what=match["what"])
        elif match := _WHEN.match(sentence):
            when = match["when"]
            other = f"{when[0].upper()}{when[1:]}, {_inside(match['what'])}."
        else:
            edits += [
                (start + one.start(), start + one.end(), _other_phrase(one.group()))
                for one in _PHRASE.finditer(sentence.replace("’", "'"))
            ]
            continue
        edits.append((start, end, other))
    return edits


def _inside(clause: str) -> str:
    """No longer at the beginning: `The` is `the`; what may be a name stays."""
    first = clause.split(maxsplit=1)[0]
    return clause if is_content(first) else clause[0].lower() + clause[1:]


def _other_phrase(phrase: str) -> str:
    other = _PHRASES[phrase.lower()]
    return other[0].upper() + other[1:] if phrase[0].isupper() else other


def _reorder(text: str, share: float, rng: np.random.Generator) -> str:
    """So many sentences change places in a circle; two at least."""
    spans = split_sentences(text)
    order = rng.permutation(len(spans))
    count = max(2, ceil(share * len(spans) - 1e-9)) if share else 0
    if len(spans) < 2 or not count:
        return text
    places = sorted(order[:count].tolist())
    taken = [*places[1:], places[0]]
    return _apply(
        text,
        [
            (*spans[place], text[slice(*spans[other])])
            for place, other in zip(places, taken, strict=True)
        ],
    )


def _exchange_names(text: str, sources: Sequence[str], rng: np.random.Generator) -> list[Edit]:
    """Each name gives way to another one of the summary or its sources."""
    known = sorted({one[slice(*span)] for one in (text, *sources) for span in find_names(one)})
    edits = []
    for start, end in find_names(text):
        own, drawn = set(text[start:end].split()), rng.random()
        # `Smith` for `John Smith` would change nothing.
        others = [name for name in known if not own & set(name.split())]
        if others:
            edits.append((start, end, others[int(drawn * len(others))]))
    return edits


_COUNTS = sorted(word_set("two three four five six seven eight nine ten eleven twelve twenty"))
_NUMBER = re.compile(rf"\d+|\b(?:{'|'.join(_COUNTS)})\b", re.IGNORECASE)


def _exchange_numbers(text: str, sources: Sequence[str], rng: np.random.Generator) -> list[Edit]:
    """Each number gives way to one with another first digit; words of numbers to other ones."""
    edits = []
    for match in _NUMBER.finditer(text):
        found, drawn = match.group(), rng.random()
        if found[0].isdigit():
            digits = [digit for digit in "123456789" if digit != found[0]]
            other = digits[int(drawn * len(digits))] + found[1:]
        else:
            words = [word for word in _COUNTS if word != found.lower()]
            other = words[int(drawn * len(words))]
            other = other.capitalize() if found[0].isupper() else other
        edits.append((*match.span(), other))
    return edits


CHANGES: dict[str, Change] = {
    "characters": _misspell,
    "paraphrase": _paraphrase,
    "entities": _exchange_names,
    "numbers": _exchange_numbers,
}


def list_circular(name: str, signatures: dict[str, str]) -> list[str]:
    """Metrics that match synonyms by the very tables that replaced them: they can't lose much."""
    if name != SYNONYMS:
        return []
    return [metric for metric, signature in signatures.items() if "wordnet" in signature.lower()]
