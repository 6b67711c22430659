// Which sentences people write, how hard they are predicted to be, and which are left to STUs.

import { el } from "./studio-dom.js";
import { gettext, interpolate } from "./words.js";

// Sentences, each with what was predicted and planned for it, or null.
export function withPlan(sentences, rows) {
  const plans = new Map(rows.map((row) => [row.sentence, row]));
  return sentences.map((sentence) => ({ ...sentence, plan: plans.get(sentence.id) ?? null }));
}

export function isLeftToStus(sentence) {
  return Boolean(sentence?.plan?.planned && !sentence.plan.human);
}

export function isPlanned(sentence) {
  return Boolean(sentence?.plan?.planned && sentence.plan.human);
}

// The next sentence that a person is to write, round to the beginning; -1 without any.
export function nextPlanned(sentences, at) {
  const order = sentences.map((_, step) => (at + 1 + step) % sentences.length);
  return order.find((index) => isPlanned(sentences[index])) ?? -1;
}

// Where to begin: at the sentence that the address names, else at the first one to write.
export function placeToStart(sentences, hash) {
  const named = sentences.findIndex((sentence) => hash === `#s${sentence.id}`);
  return Math.max(named >= 0 ? named : nextPlanned(sentences, -1), 0);
}

// By word and sign, not by colour alone.
export function planMark({ plan }) {
  if (!plan) return [];
  const difficulty = interpolate(gettext("difficulty %(difficulty)s"), { difficulty: plan.difficulty.toFixed(2) });
  if (!plan.planned) return [el("span.line__plan", {}, difficulty)];
  if (plan.human) return [el("span.line__plan.line__plan--human", {}, `✎ ${gettext("To write")} · ${difficulty}`)];
  return [el("span.line__plan.line__plan--model", {}, gettext("◇ Left to STUs"))];
}
