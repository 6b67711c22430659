// A unit stands on the words that its text keeps: its spans follow what is typed. Pure.

import { covers, inOrder, sameSpans, spanOf, touches, wholeSpan } from "./studio-spans.js";
import { fold, sliceOf, wordsOf } from "./studio-text.js";

const STEM = 3;
const ENDINGS = new Set(["", "s", "es", "ed", "d", "ing", "ings", "e", "er", "ers", "en", "n", "ly", "y", "ies", "ied", "t"]);

// One word but for its ending: opens and opened, yet neither mark and market nor 2019 and 2019s.
function isAlike(one, other) {
  if (one === other) return true;
  if (/\d/u.test(one + other)) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same >= STEM && ENDINGS.has(one.slice(same)) && ENDINGS.has(other.slice(same));
}

function keysOf(text) {
  return [...new Set(wordsOf(text).map((word) => fold(word.text)))];
}

function has(keys, word) {
  const key = fold(word.text);
  return word.content ? keys.some((each) => isAlike(each, key)) : keys.includes(key);
}

function clipped(span, sentence) {
  return { ...span, start: Math.max(span.start, sentence.start), end: Math.min(span.end, sentence.end) };
}

// Small words count with those around them: between two words that are taken, or next to one if the
// text has them.
function withSmallWords(words, taken, keys) {
  const all = [...taken];
  const content = words.map((word, index) => (word.content ? index : null)).filter((index) => index !== null);
  content.slice(1).forEach((next, at) => {
    if (taken[content[at]] && taken[next]) all.fill(true, content[at], next);
  });
  for (const by of [1, -1]) {
    const order = by > 0 ? words.keys() : [...words.keys()].reverse();
    for (const index of order) {
      if (!words[index].content && !all[index]) all[index] = Boolean(all[index - by]) && has(keys, words[index]);
    }
  }
  return all;
}

function runsOf(sentence, taken, isAligned) {
  const runs = [];
  taken.forEach((isTaken, index) => {
    if (!isTaken) return;
    if (runs.at(-1)?.last === index - 1) runs.at(-1).last = index;
    else runs.push({ first: index, last: index });
  });
  return runs.map(({ first, last }) => ({ ...spanOf(sentence, first, last), ...(isAligned && { aligned: true }) }));
}

function followIn(sentence, spans, before, after) {
  const here = spans.filter((span) => touches(span, sentence)).map((span) => clipped(span, sentence));
  const taken = sentence.words.map((word) => {
    const [had, keeps] = [has(before, word), has(after, word)];
    return word.content && (had === keeps ? covers(here, sentence, word) : keeps);
  });
  const isSame = sentence.words.every((word, index) => !word.content || taken[index] === covers(here, sentence, word));
  if (isSame) return here;
  return runsOf(sentence, withSmallWords(sentence.words, taken, after), here.every((span) => span.aligned));
}

// The spans of a unit whose text has changed: words that it dropped leave them, words of the same
// sentences that it took up join them, and whatever else was chosen stays. A text without any of
// their words says nothing about them.
export function followText(spans, sentences, before, after) {
  const [had, keeps] = [keysOf(before), keysOf(after)];
  const touched = sentences.filter((sentence) => spans.some((span) => touches(span, sentence)));
  const followed = touched.flatMap((sentence) => followIn(sentence, spans, had, keeps));
  const isKnown = followed.length > 0 && touched.some((sentence) => sentence.words.some((word) => word.content && has(keeps, word)));
  return isKnown && !sameSpans(inOrder(followed), inOrder(spans)) ? inOrder(followed) : spans;
}

// What the spans themselves say.
export function wordsUnder(spans, sentences) {
  const parts = spans.flatMap((span) =>
    sentences
      .filter((sentence) => touches(span, sentence))
      .map((sentence) => [clipped(span, sentence), sentence])
      .map(([{ start, end }, sentence]) => sliceOf(sentence, start, end)),
  );
  return parts.join(" ");
}

export function narrowTo(spans, sentences, text) {
  return followText(spans, sentences, wordsUnder(spans, sentences), text);
}

export function wholeSentences(spans, sentences) {
  const touched = sentences.filter((sentence) => spans.some((span) => touches(span, sentence)));
  return touched.length ? inOrder(touched.map(wholeSpan)) : spans;
}
