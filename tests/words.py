"""What must not occur in the wording that people read: `python -m tests.words [--all] [PATH…]`.

Prints what should be worded differently, file by file. With --all it prints every text that a
person reads, by area and in order, to be read through.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from tests.texts import PLACES, ROOT, Text, list_texts

CODE = ("annotation", "scoring", "deploy")

THING = "(?:HIT|SCU|STU|unit|sentence|statement|summary|system|document|example|line|reference)"
AMOUNT = "(?:[0-9]+|one|two|reward|cost|price|cents?|minutes?|seconds?|judges?|answers?|pairs?)"
# What must not occur, as a pattern, and what to write instead.
WORDS = {
    r"fore(?:tells?|told|telling)": "predict",
    r"reckon(?:s|ed|ing)?": "compute",
    r"mend(?:s|ed|ing)?": "fix",
    r"anew|again and again": "again",
    r"t(?:ell|ells|old|elling)(?: \S+){0,3} apart": "distinguish; significantly different",
    r"(?:is|are|was|were|be|been|being) told(?! apart)": "notified; known; computed",
    r"doors?": "entry point",
    r"(?:g[ia]ves?|given|giving) way": "be replaced",
    r"for ever": "without limit",
    r"beside": "next to; compared with",
    r"h(?:old|olds|eld) against": "compare with",
    r"(?:go|goes|went|going) (?:\w+ )?with people": "correlation with human scores",
    r"judge less people": "judge minus human",
    r"by lot": "at random",
    r"t(?:ake|akes|aken|ook|aking) (?:(?:it|them|that|this|one) )?back": "undo; withdraw",
    r"stands? in|stood in|standing in|stand-ins?": "replace; substitute",
    r"patien(?:ce|tly)": "retries",
    r"in (?:your|their|the worker’s) hands?|in hand": "in progress; current",
    r"g(?:ive|ives|iven|ave) out|hand(?:s|ed)? out": "assign",
    r"by (?:itself|themselves)": "automatically",
    r"of (?:its|their) own accord": "automatically",
    r"how far (?:it|they) (?:is|are|has|have)|how it goes": "progress; status",
    r"how far (?:a |an |the )?\S+ (?:goes?|may be|can be)": "how well; correlation",
    r"stands? in the way": "say what must be done first",
    r"as (?:it|they) came": "raw; unchanged",
    r"leanings?": "bias",
    r"let(?:s|ting)? (?:\w+ )?in again": "re-admit",
    r"it rests|is resting": "paused",
    r"who(?:so)?ever|whereof|therein|thereof|whence|thence|thither|hither": "plain English",
    r"(?<!here )(?:is|are|was) no (?!longer|more|less|fewer|better|other)[a-z]+": "is not a",
    r"needs? not": "don’t need to",
    r"in vain": "without success",
    r"make it so": "name the action",
    r"worth a thought": "to consider",
    r"(?:is|are|was|were|be) (?:asked|heard) of": "say who acts",
    r"stands? on|stood on": "is based on; belongs to",
    r"(?:go|goes|going) by": "follow; use",
    r"what (?:(?:an?|the) \S+|it|they) (?:weighs?|pays? an?)": "weight; wage",
    r"words to the worker": "message to the worker",
    r"its id there": "provider’s ID",
    r"take (?:all of it|it|them) along": "export",
    r"lives? (?:\S+ ){1,3}through": "walk through",
    r"(?:linters?|rules?|warnings?) (?:that )?speaks?": "active",
    r"who (?:is|are) new": "new",
    r"(?:is|are|be) kept so": "unchanged",
    rf"{AMOUNT} an? {THING}": "per",
    rf"an? {THING} each": "one per",
    r"ask again|a further system|units by scu|that come with giza": "plain English",
    r"do it and time it|did again|the very \S+ that|without anybody looking": "plain English",
    r"t(?:akes?|aken|ook) (?:\w+ ){1,3}up|by keyboard if|looked for as": "plain English",
    r"you will be (?:viewer|annotator|editor|owner)|those who hold": "plain English",
    r"(?:junk|time|money) enough|keep out who|left for more": "plain English",
    r"needs (?:country|number)|country: exactly|HIT (?:was|is) given": "plain English",
    r"turn(?:s|ed)? \w+ \w+ around|that no \w+ (?:is|are) made of": "plain English",
    r"(?:people|ones?|labels|units|metrics|judges) alone": "only",
    r"[0-9]+ \S+ an? (?:second|minute|hour|day)": "per",
    r"(?:was|were|is|are) begun|as earlier|is none of the": "plain English",
}
AMERICAN = {
    r"colors?|colored": "colour",
    r"behaviors?": "behaviour",
    r"favor\w*|honor\w*|neighbor\w*|labor\w*|flavor\w*": "-our",
    r"(?:(?:un)?label|cancel|model|travel|signal)(?:ed|ing)": "-lled, -lling",
    r"centers?|centered": "centre",
    r"catalogs?": "catalogue",
    r"judgments?": "judgement",
    r"analyz\w+": "analyse",
    r"fulfills?": "fulfil",
    r"gray": "grey",
    # Classes and headers are called tokenizer, serializer and Authorization.
    r"(?!(?:re|script)?siz|priz|seiz|(?:token|serial|author)iz)[a-z]{3,}iz(?:e[ds]?|ing|ations?)": (
        "-ise"
    ),
}
RULES = [
    (re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE), advice)
    for pattern, advice in {**WORDS, **AMERICAN}.items()
]
SHOUT = re.compile(r"[a-z]+!(?=\s|$)")
CAPITAL = re.compile(r"(?<=[\w,;)’] )[A-Z][a-z]+(?![\w@.])")
QUESTION = re.compile(r"(?:What|Who|Whose|How|Where|Which|Whether|Why) (?!.*\?$)")
# Names, which have a capital in any place.
NAMES = {
    *("Giza", "Prolific", "Amazon", "Mechanical", "Turk", "Hugging", "Face", "Ctrl", "Shift"),
    *("Python", "Django", "Redis", "Celery", "Docker", "Linux", "Windows", "Markdown", "Parquet"),
    *("Pearson", "Spearman", "Kendall", "Krippendorff", "Pyramid", "Soft", "Pairwise", "Accuracy"),
    "Difference",
    *("Summary", "Semantic", "Triplet", "Content", "Units", "Unit", "Zhang", "Bansal", "English"),
}
# Parts of names in code that are nobody's term for what they name, and what to call it instead.
NAME_PARTS = {
    "foretell|foretold|foreteller": "predict, predictor",
    "reckon|reckoned|reckoning": "compute",
    "mend|mended|mends": "fix, hint",
    "anew": "again, rebuild",
    "tell|tells|told|untold": "report, describe, notify",
    "beside": "compare, next to",
    "patience|patient|patiently": "retry, timeout",
    "stand_in|stand_ins|standin": "substitute",
    "leaning|leanings": "bias",
    "moving": "in progress",
    "door|doors": "entry point",
}
NAME = re.compile(rf"(?:^|_)(?:{'|'.join(NAME_PARTS)})(?:_|$)")
# Names that were there before the rule. Rename what you touch, and take it out of this list.
_FORMER = """
    _beside _find_beside _foretell _patience _remove_stand_ins _start_anew _tell
    _tell_assigned _tell_authors _tell_column _tell_done _tell_failed _tell_judging _tell_new
    _tell_open _tell_over _tell_reviewers _tell_scoring _tell_vote _tell_writing _told Beside
    beside BesideSerializer copy_stand_ins current_door Door door DoorMiddleware draw_beside
    FiguresBesideSerializer find_way_anew Foreteller foreteller Foretold foretold get_beside
    is_moving is_told leanings list_labels_beside list_leanings list_stand_ins MOVING PATIENCE
    patience patient patiently remove_stand_ins sort_leanings stand_ins SystemBeside
    SystemBesideSerializer Tell tell TELL_AGAIN_AFTER tell_answers tell_assignment tell_cap
    tell_checked tell_due tell_failure tell_learned tell_next_step tell_problems tell_recipe
    tell_restored tell_review tell_rule TELLS TOLD Told told told_at told_expired
    told_reviewable ToldSerializer UNTOLD untold
"""
FORMER_NAMES = frozenset(_FORMER.split())
# What is right in its place: the path and the words found, with the reason.
ALLOWED = {
    (
        "annotation/corpora/models.py",
        "door",
    ): "the name of a class, which is exported there",
}


@dataclass(frozen=True, slots=True)
class Finding:
    text: Text
    words: str
    advice: str

    def __str__(self) -> str:
        place = f"{self.text.path}:{self.text.line}"
        return f"{place}: “{self.words}” → {self.advice}: {self.text.words[:160]}"


def check(text: Text) -> Iterator[Finding]:
    """What should be worded differently in one text."""
    for pattern, advice in RULES:
        for match in pattern.finditer(text.words):
            if (text.path, match[0].lower()) not in ALLOWED:
                yield Finding(text, match[0], advice)
    for match in SHOUT.finditer(text.words):
        yield Finding(text, match[0], "no exclamation mark")
    if text.kind in ("heading", "button"):
        yield from check_title(text)


def check_title(text: Text) -> Iterator[Finding]:
    """Sentence case; a heading is a noun or a whole question, and in documents also "How …"."""
    if re.match("[a-z]+(?!_)(?![a-z])", text.words):
        yield Finding(text, text.words.split()[0], "begin with a capital")
    for match in CAPITAL.finditer(text.words):
        if match[0] not in NAMES:
            yield Finding(text, match[0], "sentence case")
    start = QUESTION.match(text.words) if text.kind == "heading" else None
    if start and not (start[0] == "How " and text.path.endswith(".md")):
        yield Finding(text, start[0].strip(), "a heading is a noun")


def list_names(source: str) -> set[str]:
    """Names that a module gives: functions, classes, parameters, variables and fields."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
    return found


def is_odd(name: str) -> bool:
    return bool(NAME.search(re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()))


def list_odd_names(places: Iterable[str] = CODE) -> dict[str, set[str]]:
    """Names with a part that is nobody's term, by file; migrations keep theirs."""
    found = {
        path: {
            name for name in list_names((ROOT / path).read_text(encoding="utf-8")) if is_odd(name)
        }
        for path in list_modules(places)
    }
    return {path: names for path, names in found.items() if names}


def list_modules(places: Iterable[str]) -> Iterator[str]:
    for place in places:
        for path in sorted((ROOT / place).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT).as_posix()


def list_findings(places: Iterable[str] = PLACES) -> list[Finding]:
    return [finding for text in list_texts(places) for finding in check(text)]


def print_all(places: Iterable[str]) -> None:
    """Every text by its area, in order."""
    texts = sorted(list_texts(places), key=lambda text: text.area)
    for area, rows in groupby(texts, key=lambda text: text.area):
        print(f"\n== {area or 'README and others'}")
        for text in rows:
            print(f"{text.path}:{text.line} [{text.kind}] {text.words}")


def main(argv: list[str]) -> int:
    places = [word for word in argv if word != "--all"] or PLACES
    if "--all" in argv:
        print_all(places)
        return 0
    findings = list_findings(places)
    print(*findings, f"{len(findings)} findings", sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
