"""A verb put into a tense, for clauses whose own verb has none (`after posing` → `posed`)."""

from __future__ import annotations

import re

from scoring.stemming import word_set

_PAST = """
    be:was become:became begin:began break:broke bring:brought build:built buy:bought catch:caught
    choose:chose come:came deal:dealt do:did draw:drew drink:drank drive:drove eat:ate fall:fell
    feed:fed feel:felt fight:fought find:found flee:fled fly:flew forget:forgot get:got give:gave
    go:went grow:grew have:had hear:heard hide:hid hold:held keep:kept know:knew lay:laid lead:led
    leave:left lend:lent lie:lay lose:lost make:made mean:meant meet:met overcome:overcame pay:paid
    ride:rode ring:rang rise:rose run:ran say:said see:saw seek:sought sell:sold send:sent
    shake:shook shine:shone shoot:shot show:showed sing:sang sink:sank sit:sat sleep:slept
    speak:spoke spend:spent stand:stood steal:stole stick:stuck strike:struck swear:swore swim:swam
    take:took teach:taught tear:tore tell:told think:thought throw:threw understand:understood
    undergo:underwent wake:woke wear:wore win:won withdraw:withdrew write:wrote blow:blew
    bite:bit arise:arose forgive:forgave
"""
_IRREGULAR = dict(pair.split(":") for pair in _PAST.split())
_SAME = word_set("put cut set let shut spread bid hit hurt cost quit beat read split cast burst")
_DOUBLING = word_set(
    "admit commit submit permit omit occur prefer refer regret transfer equip control compel rebel "
    "cancel travel label model quarrel signal expel patrol"
)
_DOUBLED = re.compile(r"^[^aeiou]*[aeiou][bdgmnprt]$")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)$")
_Y = re.compile(r"(?<=[^aeiou])y$")


def past(lemma: str) -> str:
    if lemma in _SAME:
        return lemma
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma]
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma in _DOUBLING or _DOUBLED.search(lemma):
        return lemma + lemma[-1] + "ed"
    return _Y.sub("i", lemma) + "ed"


def present(lemma: str, *, is_plural: bool) -> str:
    if lemma in ("be", "have"):
        return {"be": ("is", "are"), "have": ("has", "have")}[lemma][is_plural]
    if is_plural:
        return lemma
    return _Y.sub("i", lemma) + "es" if _SIBILANT.search(lemma) or _Y.search(lemma) else lemma + "s"
