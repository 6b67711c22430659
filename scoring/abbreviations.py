"""English words that decide whether a full stop ends a sentence, spelt as they are written."""

from __future__ import annotations

import re


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def _low(*sets: frozenset[str]) -> frozenset[str]:
    """The lower-case forms, less those that are words of their own."""
    return frozenset(word.lower() for words in sets for word in words) - _words(
        "art co fig jun mar no ref rep sec wed"
    )


# Always followed by the rest of their sentence.
TITLES = _words(
    "Mr Mrs Ms Mx Messrs Mme Mlle Dr Drs Prof Profs Gen Lt Col Maj Capt Cpl Sgt Pvt Adm Cmdr Cdr"
    " Brig Rev Hon Fr Msgr Sen Sens Rep Reps Gov Supt Insp Atty"
    " e.g i.e a.k.a eg ie vs v cf viz ca approx"
)
MONTHS = _words("Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec")
# Followed by the rest of their sentence when that begins with a number.
BEFORE_NUMBERS = MONTHS | _words("No Nos pp p vol vols Vol fig figs Fig Figs Sec Ch Art Ref")
# Followed by the rest of their sentence unless a sentence-starter comes next.
MAY_END = MONTHS | _words(
    "Inc Ltd Co Corp Plc plc Bros Jr Sr St Ste Mt Ft Ave Blvd Rd Dept Univ Assn Assoc al Ph.D"
    " M.Phil B.Sc M.Sc Tues Wed Thurs Ald Amb Det Pres Rt"
)
TIMES = _words("a.m p.m")
LOW_TITLES = _low(TITLES)
LOW_BEFORE_NUMBERS = _low(BEFORE_NUMBERS) | {"no"}
LOW_MAY_END = _low(MAY_END)
LONGEST = max(map(len, TITLES | MAY_END | BEFORE_NUMBERS | {"U.S.S.R"}))

_STARTERS = (
    "A|An|The|This|That|These|Those|There|Here|He|She|It|They|We|I|You|His|Her|Its|Their|Our|My|"
    "Your|In|On|At|By|For|From|With|Without|Under|Over|After|Before|During|Since|Until|Despite|"
    "Although|Though|Because|If|When|While|Where|Once|As|And|But|Or|So|Yet|Nor|Then|Now|Still|"
    "However|Meanwhile|Moreover|Instead|Later|Earlier|Both|Some|Many|Most|Several|Such|All|"
    "Each|Every|Another|Other|What|Who|Why|How|Which|To|Not|One|Two|Three"
)
STARTER = re.compile(rf"(?:{_STARTERS})\b(?!\.\w|\.\s?[A-Z]\b|-)")
AFTER_TIME = re.compile(
    r"(?:[A-Z]{2,5}\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b"
    r"|(?:Eastern|Central|Mountain|Pacific|Greenwich|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov"
    r"|Dec))"
)
REPORTED = re.compile(
    r"(?:[\w'’-]+\s){0,2}(?:said|says|asked|asks|added|adds|told|wrote|writes|cried|shouted|joked"
    r"|replied|tweeted|wondered|exclaimed)\b"
)
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")


def is_initials(word: str) -> bool:
    """J, U.S: what precedes the last full stop of an initial or an acronym."""
    is_short = len(word) == 1 or word[1:2] == "."
    return is_short and not word.islower() and _INITIALS.fullmatch(word) is not None
