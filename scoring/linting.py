"""Speak up while a unit is being written: one fact, no open pronoun, nothing the reference lacks.

The rules are heuristics and their messages advice. Their bounds are set on the published SCUs of
REALSumm and PyrXSum: what trained writers do often is not warned of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.alignment import uncovered_spans
from scoring.clauses import find_second_fact, has_verb
from scoring.errors import InputError
from scoring.facts import find_names, find_numbers, is_negated, number_set
from scoring.lint_rules import MAX_UNITS, MAX_WORDS, RULES
from scoring.overlap import Token, tokenize
from scoring.stemming import content_stems, fold, is_content, stem, stem_set, stems, word_set
from scoring.translation import gettext as _
from scoring.types import Span

MIN_UNCOVERED = 3  # content words in a row; fewer are a turn of phrase
_PREFIX = 5  # letters by which forms meet that stemming keeps apart


@dataclass(frozen=True, slots=True)
class LintWarning:
    """What a rule has to say of a range of the unit's text.

    Warnings on a whole example have a range of the sentence whose index is `sentence`, or none.
    """

    rule: str
    message: str
    start: int = 0
    end: int = 0
    sentence: int | None = None


_VAGUE = word_set("he she it they we i him her them his their its our my these this that those")
_OPEN_ONLY = word_set("this that these those her")  # open unless a noun follows
# No published SCU ends in one of these; in, on, by, for and the like may close a clause.
_UNFINISHED = word_set("""
    than and or but nor because although whereas if unless until of from with without to at into
    between during an the
""")
_VERBS = word_set("is are was were will would has have had can could may might did does do should")
_EXPLETIVE = re.compile(r"it(?:\s+is|\s+was|'s|’s)\b.*\b(?:that|to|whether)\b", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
# What trained writers add to make a clause of a phrase: "the news is according to …".
_COMMON = """
    according call come say tell state report inform information news happen occur involve take
    place go make get give put use do be become person man woman people thing one way time year
    day there here also many several some number group member part side want plan try start stop
    called named known based located former old new first last current place event incident
    country city town area team game match player win lose play hold keep show see find think
    believe claim add ask help let work own belong relate include contain consist follow provide
    someone something reason age kind score beat spend pay cause past due percent
"""
_TOLERATED = frozenset(map(stem, word_set(_COMMON)))
# Fewer, and none that could tell two facts apart.
_FRAMES = frozenset(map(stem, word_set("say tell state report news information happen")))


@dataclass(frozen=True, slots=True)
class _Unit:
    """The unit at hand and all that the rules compare it with."""

    text: str
    tokens: list[Token]
    references: Sequence[str]
    own: Sequence[str]
    others: Sequence[str]


Check = Callable[[_Unit], Iterator[LintWarning]]


def lint_unit(
    text: str,
    *,
    reference_sentences: Sequence[str],
    own_sentences: Sequence[str] = (),
    others: Sequence[str] = (),
    disabled: Collection[str] = (),
) -> list[LintWarning]:
    """What there is to say of one unit, in order of its text.

    *own_sentences* are those the unit stands on, where known; *others* the example's other units.
    """
    _known(disabled)
    tokens = tokenize(text)
    if not tokens:
        empty = [LintWarning("empty", _("Write one short sentence with one fact."), 0, len(text))]
        return [] if "empty" in disabled else empty
    unit = _Unit(text, tokens, reference_sentences, own_sentences, others)
    found = [warning for check in _CHECKS for warning in check(unit)]
    kept = [warning for warning in found if warning.rule not in disabled]
    return sorted(kept, key=lambda warning: (warning.start, warning.end))


def lint_example(
    units: Sequence[str],
    *,
    reference_sentences: Sequence[str],
    spans_by_sentence: Sequence[Sequence[Span]],
    disabled: Collection[str] = (),
) -> list[LintWarning]:
    """What there is to say of an example's units together; spans are given sentence by sentence."""
    _known(disabled)
    if len(reference_sentences) != len(spans_by_sentence):
        raise InputError(
            _("{reference_sentences} sentences, but spans of {spans_by_sentence}").format(
                reference_sentences=len(reference_sentences),
                spans_by_sentence=len(spans_by_sentence),
            )
        )
    found = list(_too_many_units(units))
    for index, sentence in enumerate(reference_sentences):
        found += _uncovered_content(index, sentence, spans_by_sentence[index])
    return [warning for warning in found if warning.rule not in disabled]


def _known(disabled: Collection[str]) -> None:
    if unknown := sorted(set(disabled) - set(RULES)):
        raise InputError(
            _("unknown rule '{unknown}'; the rules are {rules}").format(
                unknown=unknown[0], rules=", ".join(RULES)
            )
        )


def _several_facts(unit: _Unit) -> Iterator[LintWarning]:
    if span := find_second_fact(unit.text, unit.tokens):
        shown = unit.text[span[0] : span[1]].strip()
        message = _("A second fact may start at ‘{shown}’. Write it as a separate unit.").format(
            shown=shown
        )
        yield LintWarning("several-facts", message, *span)


def _pronoun_start(unit: _Unit) -> Iterator[LintWarning]:
    first, word = unit.tokens[0], unit.tokens[0].text.partition("'")[0].partition("’")[0]
    following = fold(unit.tokens[1].text) if len(unit.tokens) > 1 else ""
    if fold(word) not in _VAGUE or (fold(word) in _OPEN_ONLY and following not in _VERBS):
        return
    if not _EXPLETIVE.match(unit.text.lstrip()):
        message = _("‘{first}’ doesn’t say who or what is meant. Use a name or noun.").format(
            first=first.text
        )
        yield LintWarning("pronoun-start", message, first.start, first.end)


def _breaks_off(unit: _Unit) -> Iterator[LintWarning]:
    last = unit.tokens[-1]
    if fold(last.text) in _UNFINISHED:
        message = _("The sentence is incomplete after ‘{last}’.").format(last=last.text)
        yield LintWarning("breaks-off", message, last.start, last.end)


def _no_verb(unit: _Unit) -> Iterator[LintWarning]:
    if not has_verb(unit.tokens):
        message = _("There is no verb. Say who did what, or what is the case.")
        yield LintWarning("no-verb", message, *_whole(unit))


def _unknown_negation(unit: _Unit) -> Iterator[LintWarning]:
    """Denied by the unit, but by none of the sentences that it shares most words with."""
    place = next((token for token in unit.tokens if is_negated(token.text)), None)
    if place is None or not is_negated(unit.text):
        return
    mine = _Meaning.of(unit.text).content
    shared = {text: len(mine & _Meaning.of(text).stems) for text in unit.own or unit.references}
    most = max(shared.values(), default=0)
    sources = [text for text, count in shared.items() if count == most]
    if most and not any(_has_negation(text) for text in sources):
        message = _("‘{place}’ is not in the reference. Check the negation.").format(
            place=place.text
        )
        yield LintWarning("unknown-negation", message, place.start, place.end)


def _has_negation(text: str) -> bool:
    return any(is_negated(token.text) for token in tokenize(text))


def _too_long(unit: _Unit) -> Iterator[LintWarning]:
    if len(unit.tokens) > MAX_WORDS:
        message = _("{tokens} words. Use at most {max_words} for one fact.").format(
            tokens=len(unit.tokens), max_words=MAX_WORDS
        )
        yield LintWarning("too-long", message, unit.tokens[MAX_WORDS].start, unit.tokens[-1].end)


def _duplicates(unit: _Unit) -> Iterator[LintWarning]:
    """The closest of the other units, if it is close enough to mention."""
    own = _Meaning.of(unit.text)
    near: str | None = None
    for other in unit.others:
        if own.folded == _Meaning.of(other).folded:
            yield LintWarning("duplicate", _("Another unit has the same text."), *_whole(unit))
            return
        if near is None and own.is_near(_Meaning.of(other)):
            near = other
    if near is not None:
        message = _("This is nearly the same as ‘{short}’.").format(short=_short(near))
        yield LintWarning("near-duplicate", message, *_whole(unit))


def _unknown_numbers(unit: _Unit) -> Iterator[LintWarning]:
    known = _numbers_of(unit.own or unit.references)
    where = _("the sentence it covers") if unit.own else _("any reference")
    for value, start, end in find_numbers(unit.tokens):
        if value not in known:
            known.add(value)  # once is enough: 0-0 holds the same number twice
            shown = unit.text[start:end]
            yield LintWarning(
                "unknown-number",
                _("‘{shown}’ is not in {where}.").format(shown=shown, where=where),
                start,
                end,
            )


def _numbers_of(sentences: Sequence[str]) -> set[str]:
    return {number for text in sentences for number in _Meaning.of(text).numbers}


def _unknown_words(unit: _Unit) -> Iterator[LintWarning]:
    """Names that no reference has, one by one; other words of the writer's own all together."""
    known = {key for text in unit.references for key in _Meaning.of(text).stems}
    prefixes = {key[:_PREFIX] for key in known if len(key) >= _PREFIX}
    names = find_names(unit.tokens)
    unsupported: list[Token] = []
    for token in unit.tokens:
        if not _needs_support(token) or _is_known(token.text, known, prefixes):
            continue
        if token in names:
            message = _("The name ‘{token}’ is in no reference.").format(token=token.text)
            yield LintWarning("unknown-name", message, token.start, token.end)
        else:
            unsupported.append(token)
    if unsupported:
        yield _unsupported(unsupported)


def _unsupported(tokens: Sequence[Token]) -> LintWarning:
    listed = ", ".join(f"‘{token.text}’" for token in tokens)
    message = _("No reference contains {listed}. Check that the fact is supported.").format(
        listed=listed
    )
    return LintWarning("unsupported-words", message, tokens[0].start, tokens[-1].end)


def _needs_support(token: Token) -> bool:
    """Numbers have a rule of their own, and some words of the writer's are nobody's concern."""
    key = stem(token.text)
    return is_content(token.text) and not key[:1].isdigit() and key not in _TOLERATED


def _is_known(word: str, known: set[str], prefixes: set[str]) -> bool:
    """Whether a reference has the word, all parts of it, or a word that begins alike."""
    keys = stems(word)
    whole, parts = stem(word), keys - {stem(word)}
    if whole in known or (parts and parts <= known) or whole.replace(".", "") in known:
        return True
    return len(whole) >= _PREFIX and whole[:_PREFIX] in prefixes


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What two units have to share to say the same; kept, as each is looked at many times."""

    folded: tuple[str, ...]
    stems: frozenset[str]
    content: frozenset[str]
    numbers: frozenset[str]
    negated: bool

    @classmethod
    @lru_cache(maxsize=512)
    def of(cls, text: str) -> _Meaning:
        content = frozenset(content_stems(text))
        return cls(
            folded=tuple(fold(token.text) for token in tokenize(text)),
            stems=frozenset(stem_set([text])),
            content=content - _FRAMES or content,
            numbers=frozenset(number_set([text])),
            negated=is_negated(text),
        )

    def is_near(self, other: _Meaning) -> bool:
        mine = (self.content, self.numbers, self.negated)
        return bool(self.content) and mine == (other.content, other.numbers, other.negated)


def _whole(unit: _Unit) -> Span:
    return unit.tokens[0].start, unit.tokens[-1].end


def _short(text: str, most: int = 60) -> str:
    plain = _SPACE.sub(" ", text.strip())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


def _too_many_units(units: Sequence[str]) -> Iterator[LintWarning]:
    count = sum(bool(text.strip()) for text in units)
    if count > MAX_UNITS:
        message = _(
            "{count} units. Judges see at most {max_units}, so keep the most important ones."
        ).format(count=count, max_units=MAX_UNITS)
        yield LintWarning("too-many-units", message)


def _uncovered_content(index: int, sentence: str, spans: Sequence[Span]) -> Iterator[LintWarning]:
    for start, end in uncovered_spans(sentence, spans):
        run = sentence[start:end]
        if sum(is_content(token.text) for token in tokenize(run)) >= MIN_UNCOVERED:
            message = _("No unit covers ‘{short}’.").format(short=_short(run))
            yield LintWarning("uncovered-content", message, start, end, index)


_CHECKS: tuple[Check, ...] = (
    _several_facts,
    _pronoun_start,
    _breaks_off,
    _no_verb,
    _too_long,
    _duplicates,
    _unknown_numbers,
    _unknown_negation,
    _unknown_words,
)
