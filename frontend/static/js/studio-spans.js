// Spans: ranges of a reference's text that a unit stands on. Pure.

import { contentOf, fold, wordsOf } from "./studio-text.js";

export const WORTH_A_UNIT = 2;

export function touches(span, sentence) {
  return span.reference === sentence.reference && span.start < sentence.end && span.end > sentence.start;
}

export function covers(spans, sentence, word) {
  return spans.some(
    (span) => span.reference === sentence.reference && span.start < word.end && span.end > word.start,
  );
}

export function standsOn(unit, sentence) {
  return unit.spans.some((span) => touches(span, sentence));
}

// For each word of a sentence whether some span accounts for it.
export function coverage(sentence, spans) {
  const here = spans.filter((span) => touches(span, sentence));
  const covered = sentence.words.map((word) => covers(here, sentence, word));
  const content = sentence.words.map((word, index) => (word.content ? covered[index] : null));
  const counted = content.filter((each) => each !== null);
  return { covered, total: counted.length, done: counted.filter(Boolean).length };
}

// Runs of words that no unit accounts for, by their first and last word, with content in them.
export function uncoveredRuns(sentence, spans, least = 1) {
  const { covered } = coverage(sentence, spans);
  const runs = [];
  covered.forEach((isCovered, index) => {
    if (isCovered) return;
    if (runs.at(-1)?.last === index - 1) runs.at(-1).last = index;
    else runs.push({ first: index, last: index });
  });
  const weight = (run) => sentence.words.slice(run.first, run.last + 1).filter((word) => word.content).length;
  return runs.filter((run) => weight(run) >= least);
}

export function spanOf(sentence, first, last) {
  const { words } = sentence;
  return {
    reference: sentence.reference,
    sentence: sentence.id,
    start: words[first].start,
    end: words[last].end,
  };
}

export function wholeSpan(sentence) {
  return { reference: sentence.reference, sentence: sentence.id, start: sentence.start, end: sentence.end };
}

export function inOrder(spans) {
  return [...spans].sort((one, other) => one.reference - other.reference || one.start - other.start);
}

// The spans with one more; those that touch it or stand next to it in the sentence become one.
export function addSpan(spans, added) {
  const isNear = (span) =>
    span.reference === added.reference &&
    span.sentence === added.sentence &&
    span.start <= added.end + 1 &&
    added.start <= span.end + 1;
  const near = spans.filter(isNear);
  const start = Math.min(added.start, ...near.map((span) => span.start));
  const end = Math.max(added.end, ...near.map((span) => span.end));
  return inOrder([...spans.filter((span) => !isNear(span)), { ...added, start, end }]);
}

export function removeSpan(spans, removed, sentence) {
  const rest = spans.flatMap((span) => {
    if (span.reference !== removed.reference || span.end <= removed.start || span.start >= removed.end) return [span];
    return [
      { ...span, end: removed.start },
      { ...span, start: removed.end },
    ];
  });
  return inOrder(rest.flatMap((span) => trimmed(span, sentence)));
}

// Cut back to whole words; nothing is left of a span without a word.
function trimmed(span, sentence) {
  if (!touches(span, sentence)) return span.start < span.end ? [span] : [];
  const words = sentence.words.filter((word) => word.start < span.end && word.end > span.start);
  return words.length ? [{ ...span, start: words[0].start, end: words.at(-1).end }] : [];
}

export function holds(spans, span, sentence) {
  const words = sentence.words.filter((word) => word.start < span.end && word.end > span.start);
  return words.length > 0 && words.every((word) => covers(spans, sentence, word));
}

function bestCut(words, left, right) {
  const score = (cut) =>
    words.filter((word, index) => word.content && (index < cut ? left : right).has(fold(word.text))).length;
  const cuts = words.map((_, index) => index).concat(words.length);
  return cuts.reduce((best, cut) => (score(cut) > score(best) ? cut : best), 0);
}

// The spans of a unit that is split, each half getting the words that its text shares most of.
export function divideSpans(spans, sentences, leftText, rightText) {
  const [left, right] = [contentOf(leftText), contentOf(rightText)];
  const halves = [[], []];
  for (const span of spans) {
    const sentence = sentences.find((each) => touches(span, each));
    const words = (sentence?.words ?? []).filter((word) => word.start < span.end && word.end > span.start);
    const cut = bestCut(words, left, right);
    if (cut > 0) halves[0].push({ ...span, end: cut === words.length ? span.end : words[cut - 1].end });
    if (cut < words.length) halves[1].push({ ...span, start: cut ? words[cut].start : span.start });
  }
  return halves.map((half) => (half.length ? half : spans));
}

export function bare(spans) {
  return spans.map(({ reference, start, end, aligned }) => ({ reference, start, end, ...(aligned && { aligned }) }));
}

export function sameSpans(one, other) {
  return JSON.stringify(bare(one)) === JSON.stringify(bare(other));
}

// Sentences of other references that say something alike, most alike first.
export function alike(sentence, sentences) {
  const wanted = contentOf(sentence.text);
  const others = sentences.filter((each) => each.reference !== sentence.reference);
  const shared = (each) => new Set(wordsOf(each.text).map((word) => fold(word.text)).filter((key) => wanted.has(key)));
  return others
    .map((each) => ({ sentence: each, shared: shared(each) }))
    .sort((one, other) => other.shared.size - one.shared.size);
}
