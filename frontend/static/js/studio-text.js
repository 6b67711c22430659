// Words and sentences, pure. Places are counted in code points, as the server counts them:
// JavaScript counts an emoji as two, and a span must not drift by one.

const LISTED = `a about above after again against all also although am among an and any are as at be
  because been before being below between both but by can could did do does doing down during each
  few for from further had has have having he her here hers herself him himself his how i if in into
  is it its itself just may me might more most must my myself no nor not now of off on once only or
  other our ours out over own per same shall she should since so some such than that the their
  theirs them themselves then there these they this those through to too under until up upon us
  very was we were what when where which while who whom whose why will with within without would
  you your yours yourself`;
const STOP_WORDS = new Set(LISTED.split(/\s+/));
const IDEOGRAPH = "[\\u3041-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff]";
const LETTERS = `(?:(?!${IDEOGRAPH})[\\p{L}\\p{N}]\\p{M}*)+`;
const WORD = new RegExp(`${IDEOGRAPH}|${LETTERS}(?:(?:['’\\-‐‑׳״]|(?<=\\d)[.,:](?=\\d))${LETTERS})*`, "gu");
const JOINS = new Set(["and", "but", "while", "which", "who"]);

export function tidy(text) {
  return text.trim().split(/\s+/u).join(" ");
}

export function fold(word) {
  return word.toLowerCase().replace(/['’]s?$/u, "").normalize("NFC");
}

export function isContent(word) {
  return !STOP_WORDS.has(fold(word));
}

function points(text) {
  return Array.from(text).length;
}

export function wordsOf(text) {
  return [...text.matchAll(WORD)].map((found) => {
    const start = points(text.slice(0, found.index));
    return { text: found[0], start, end: start + points(found[0]), content: isContent(found[0]) };
  });
}

export function contentOf(text) {
  return new Set(wordsOf(text).filter((word) => word.content).map((word) => fold(word.text)));
}

function sentenceOf(reference, letters, row) {
  const text = letters.slice(row.start, row.end).join("");
  const words = wordsOf(text).map((word) => ({
    ...word,
    start: word.start + row.start,
    end: word.end + row.start,
  }));
  return { ...row, text, words, reference: reference.id, label: reference.name || String(reference.number) };
}

// All sentences of all references in reading order, each with its words.
export function sentencesOf(references) {
  return references.flatMap((reference) => {
    const letters = Array.from(reference.text);
    return reference.sentences.map((row) => sentenceOf(reference, letters, row));
  });
}

export function sliceOf(sentence, start, end) {
  return Array.from(sentence.text).slice(start - sentence.start, end - sentence.start).join("");
}

// Words of a reference as the first draft of a unit: a sentence with a capital and a full stop.
export function asSentence(text) {
  const plain = tidy(text).replace(/^[,;:.\s]+|[,;:\s]+$/gu, "");
  if (!plain) return "";
  const [first, ...rest] = Array.from(plain);
  return `${first.toUpperCase()}${rest.join("")}${/[.!?…]["'”’)]?$/u.test(plain) ? "" : "."}`;
}

function withoutJoin(text) {
  const plain = text.replace(/^[\s,;:.]+/u, "");
  const [first] = plain.split(/\s+/u, 1);
  return JOINS.has(first.toLowerCase()) ? plain.slice(first.length) : plain;
}

function withoutTail(text) {
  const plain = text.replace(/[\s,;:]+$/u, "");
  const last = plain.split(/\s+/u).at(-1);
  return JOINS.has(last.toLowerCase()) ? plain.slice(0, -last.length) : plain;
}

// The place itself, or the nearer end of the word that it lies in.
export function outsideWords(text, at) {
  const word = [...text.matchAll(WORD)].find((found) => found.index < at && at < found.index + found[0].length);
  if (!word) return at;
  const end = word.index + word[0].length;
  return at - word.index < end - at ? word.index : end;
}

export function splitText(text, at) {
  const place = outsideWords(text, at);
  return [asSentence(withoutTail(text.slice(0, place))), asSentence(withoutJoin(text.slice(place)))];
}

// Where a text without a cursor in it is cut: at a join or a comma, the one nearest the middle.
export function guessSplit(text) {
  const places = [...text.matchAll(/,(?=\s)|;|\b(?:and|but|while|which|who)\b/giu)].map((found) => found.index);
  const inner = places.filter((place) => place > 2 && place < text.length - 3);
  const distance = (place) => Math.abs(place - text.length / 2);
  return inner.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

export function joinTexts(texts) {
  const [first, ...others] = [...new Set(texts.map(tidy))].filter(Boolean);
  if (!first) return "";
  const stem = (text) => text.replace(/[.\s]+$/u, "");
  const lowered = others.map((text) => {
    const [word] = text.split(" ", 1);
    return isContent(word) ? stem(text) : stem(word.toLowerCase() + text.slice(word.length));
  });
  return `${[stem(first), ...lowered].join(" and ")}.`;
}

function commonTable(one, other) {
  const table = Array.from({ length: one.length + 1 }, () => new Array(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      table[i][j] = one[i] === other[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

// What became of a text, word by word: [{ kind: "same" | "gone" | "new", text }].
export function diffWords(before, after) {
  const [one, other] = [before, after].map((text) => tidy(text).split(" ").filter(Boolean));
  const table = commonTable(one, other);
  const parts = [];
  const put = (kind, text) => {
    if (parts.at(-1)?.kind === kind) parts.at(-1).text += ` ${text}`;
    else parts.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && one[i] === other[j]) put("same", one[i]), (i += 1), (j += 1);
    else if (j === other.length || (i < one.length && table[i + 1][j] >= table[i][j + 1])) put("gone", one[i++]);
    else put("new", other[j++]);
  }
  return parts;
}
