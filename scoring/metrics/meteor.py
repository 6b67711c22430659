"""METEOR: words aligned with a reference by form, by stem or by meaning, and how much in order.

The score is that of Banerjee and Lavie (2005) with the parameters of Lavie and Agarwal (2007): with
m matched words in c chunks, P = m / words of the summary, R = m / words of the reference,
F = PR / (αP + (1−α)R), and METEOR = F · (1 − γ (c/m)^β). The alignment is the one of Denkowski and
Lavie (2011, 2.1): most words first, then fewest chunks, then least distance, by a beam.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.pairs import BEST, MEAN, compare_all, fold_references
from scoring.metrics.protocol import (
    REFERENCES,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.metrics.word_alignment import Candidate, align
from scoring.porter import porter_stem
from scoring.rouge import rouge_words
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

OPTIONS: tuple[Option, ...] = (
    Option("stem", True, gettext_lazy("match words with the same Porter stem")),
    Option("synonyms", True, gettext_lazy("match WordNet 1.6 synonyms")),
    Option("alpha", 0.9, gettext_lazy("weight of recall against precision, from 0 to 1")),
    Option("beta", 3.0, gettext_lazy("how fast the penalty grows with fragmentation")),
    Option("gamma", 0.5, gettext_lazy("maximum penalty, from 0 to 1")),
    Option("stem_weight", 1.0, gettext_lazy("weight of a match by stem, from 0 to 1")),
    Option("synonym_weight", 1.0, gettext_lazy("weight of a match by synonym, from 0 to 1")),
    Option(
        "several",
        BEST,
        gettext_lazy("with several references: the best score or the mean"),
        (BEST, MEAN),
    ),
)
SHARES = ("alpha", "gamma", "stem_weight", "synonym_weight")
KEPT = 1 << 16  # words whose meanings are kept

Meanings = frozenset[Hashable]
Places = dict[Hashable, list[int]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text's words, and where each form, stem and meaning stands in it."""

    words: list[str]
    forms: Places
    stems: Places
    meanings: Places


@dataclass(frozen=True, slots=True)
class Meteor:
    """The score, and the recall and precision that it is made of."""

    options: Mapping[str, Value]
    find_meanings: Callable[[str], Meanings]
    lexicon: str
    name: str = "meteor"
    columns: tuple[str, ...] = ("meteor", "meteor_recall", "meteor_precision")
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = frozenset()

    @property
    def signature(self) -> str:
        return sign_metric(self.name, {**self.options, "lexicon": self.lexicon})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        found = compare_all(summaries, references, self._prepare, self._row, len(self.columns))
        return MetricTable(self.columns, found)

    def _prepare(self, text: str) -> Prepared:
        words = rouge_words(text, is_stemmed=False)
        stems = [(porter_stem(word),) for word in words] if self.options["stem"] else []
        meanings = [self.find_meanings(word) for word in words]
        return Prepared(words, _find([(word,) for word in words]), _find(stems), _find(meanings))

    def _row(self, summary: Prepared, references: list[Prepared]) -> Sequence[float]:
        found = [self._compare(summary, reference) for reference in references]
        return fold_references(found, str(self.options["several"]))

    def _compare(self, summary: Prepared, reference: Prepared) -> tuple[float, float, float]:
        kinds = {word: self._candidates(word, reference) for word in summary.forms}
        matched, weight, chunks = align([kinds[word] for word in summary.words])
        if not weight:
            return 0.0, 0.0, 0.0
        alpha, beta, gamma = (float(self.options[name]) for name in ("alpha", "beta", "gamma"))
        precision, recall = weight / len(summary.words), weight / len(reference.words)
        mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
        return mean * (1 - gamma * (chunks / matched) ** beta), recall, precision

    def _candidates(self, word: Hashable, reference: Prepared) -> list[Candidate]:
        """Where in the reference a word may be, and what that counts: the first module decides."""
        found: dict[int, float] = dict.fromkeys(reference.forms.get(word, ()), 1.0)
        if reference.stems:
            places = reference.stems.get(porter_stem(str(word)), ())
            found = dict.fromkeys(places, float(self.options["stem_weight"])) | found
        alike = float(self.options["synonym_weight"])
        for meaning in self.find_meanings(str(word)):
            for place in reference.meanings.get(meaning, ()):
                found.setdefault(place, alike)
        return sorted((place, weight) for place, weight in found.items() if weight)


def _find(keys: Sequence[Iterable[Hashable]]) -> Places:
    places: Places = {}
    for place, found in enumerate(keys):
        for key in found:
            places.setdefault(key, []).append(place)
    return places


def _no_meanings(word: str) -> Meanings:
    return frozenset()


def check(options: Mapping[str, Value]) -> None:
    for name in SHARES:
        if not 0 <= float(options[name]) <= 1:
            raise InputError(
                _("meteor: option {name} can't be {options}. Expected 0 to 1.").format(
                    name=name, options=options[name]
                )
            )
    if not 0 < float(options["beta"]) < inf:
        raise InputError(
            _("meteor: option beta can't be {beta}. Expected more than 0.").format(
                beta=options["beta"]
            )
        )


def load(options: Mapping[str, Value]) -> Meteor:
    if not options["synonyms"]:
        return Meteor(options, _no_meanings, "none")
    from scoring.backends.wordnet import load_wordnet

    wordnet = load_wordnet()
    return Meteor(options, lru_cache(KEPT)(wordnet.find_meanings), wordnet.name)
