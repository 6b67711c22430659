// Where the person is: the sentence, the words selected in it, the unit in hand.

import { isLeftToStus } from "./studio-plan.js";
import { coverage, holds, spanOf, standsOn, touches, uncoveredRuns, wholeSpan, WORTH_A_UNIT } from "./studio-spans.js";
import { asSentence, sliceOf } from "./studio-text.js";

export class Desk extends EventTarget {
  constructor(book, sentences) {
    super();
    Object.assign(this, { book, sentences });
    this.at = 0;
    this.cursor = null;
    this.anchor = null;
    this.isAnchored = false;
    this.inHand = null;
    this.isHeld = false;
    this.showsAll = false;
    this.marked = new Set();
    this.editing = null;
  }

  get sentence() {
    return this.sentences[this.at];
  }

  get unit() {
    const unit = this.book.unit(this.inHand);
    return unit && !unit.deleted ? unit : null;
  }

  get hasOthers() {
    return this.sentences.some((sentence) => sentence.reference !== this.sentences[0].reference);
  }

  get selection() {
    if (this.anchor === null || this.cursor === null) return null;
    return { first: Math.min(this.anchor, this.cursor), last: Math.max(this.anchor, this.cursor) };
  }

  // The selected words, else the one at the cursor.
  get chosen() {
    return this.selection ?? (this.cursor === null ? null : { first: this.cursor, last: this.cursor });
  }

  holdsChosen() {
    const { first, last } = this.chosen;
    return holds(this.book.spansOf(this.unit), spanOf(this.sentence, first, last), this.sentence);
  }

  get spans() {
    return this.book.units.flatMap((unit) => this.book.spansOf(unit));
  }

  // The units in the middle column.
  get shown() {
    const { units } = this.book;
    if (this.showsAll || !this.sentence) return units;
    const here = units.filter((unit) => standsOn(unit, this.sentence));
    const held = this.unit && !here.includes(this.unit) ? [this.unit] : [];
    return [...held, ...here];
  }

  told() {
    this.dispatchEvent(new Event("change"));
  }

  // Sentences ------------------------------------------------------------------

  goTo(index) {
    const at = Math.min(Math.max(index, 0), this.sentences.length - 1);
    if (at !== this.at) {
      this.at = at;
      this.#release();
      this.clear();
    }
    this.told();
  }

  #release() {
    if (this.isHeld || this.editing || !this.unit) return;
    if (!standsOn(this.unit, this.sentence)) this.inHand = null;
  }

  showSentenceOf(unit) {
    if (!unit.spans.length || standsOn(unit, this.sentence)) return;
    const at = this.sentences.findIndex((sentence) => touches(unit.spans[0], sentence));
    if (at >= 0) {
      this.at = at;
      this.clear();
    }
  }

  // Words ----------------------------------------------------------------------

  clear() {
    this.cursor = null;
    this.anchor = null;
    this.isAnchored = false;
  }

  select(first, last) {
    this.anchor = first;
    this.cursor = last;
    this.isAnchored = false;
    this.told();
  }

  step(by, isExtending) {
    const last = this.sentence.words.length - 1;
    if (last < 0) return;
    const from = this.cursor ?? (by > 0 ? -1 : last + 1);
    if (isExtending || this.isAnchored) this.anchor ??= this.cursor ?? Math.max(from + by, 0);
    else this.anchor = null;
    this.cursor = Math.min(Math.max(from + by, 0), last);
    this.told();
  }

  drop() {
    this.isAnchored = !this.isAnchored;
    this.cursor ??= 0;
    this.anchor = this.isAnchored ? this.cursor : null;
    this.told();
  }

  word() {
    if (this.cursor === null) return "";
    const { first, last } = this.selection ?? { first: this.cursor, last: this.cursor };
    return this.sentence.words.slice(first, last + 1).map((word) => word.text).join(" ");
  }

  // Coverage -------------------------------------------------------------------

  coverageOf(sentence) {
    return coverage(sentence, this.spans);
  }

  runs(sentence, least = 1) {
    return uncoveredRuns(sentence, this.spans, least);
  }

  // The next run that no unit accounts for, from a word of a sentence on, round to the beginning;
  // where STUs stand in, nothing is left to do.
  nextRun({ from = this.at, word = -1, least = 1, wraps = true } = {}) {
    const count = this.sentences.length;
    for (let step = 0; step < (wraps ? count + 1 : count - from); step += 1) {
      const at = (from + step) % count;
      if (isLeftToStus(this.sentences[at])) continue;
      const runs = this.runs(this.sentences[at], least).filter((run) => step !== 0 || run.first > word);
      if (runs.length) return { at, ...runs[0] };
    }
    return null;
  }

  // What a new unit would stand on: the selection, else the open words at the cursor, else the
  // first open words of the sentence, else all of it.
  spanForNew() {
    const { sentence, selection, cursor } = this;
    if (selection) return spanOf(sentence, selection.first, selection.last);
    const runs = this.runs(sentence, WORTH_A_UNIT);
    const run = runs.find(({ first, last }) => cursor !== null && first <= cursor && cursor <= last) ?? runs[0];
    const isWhole = !run || run.last - run.first + 1 === sentence.words.length;
    return isWhole ? wholeSpan(sentence) : spanOf(sentence, run.first, run.last);
  }

  // With the words to begin from; where units have taken them all, a blank field for another fact.
  offerForNew() {
    const { sentence, selection } = this;
    const span = this.spanForNew();
    const hasUnits = this.spans.some((each) => touches(each, sentence));
    const isTaken = hasUnits && !selection && !this.runs(sentence, WORTH_A_UNIT).length;
    return { span, text: isTaken ? "" : asSentence(sliceOf(sentence, span.start, span.end)) };
  }

  // Units ----------------------------------------------------------------------

  take(id) {
    this.inHand = id;
    this.isHeld = false;
    if (this.unit) this.showSentenceOf(this.unit);
    this.told();
  }

  walk(by) {
    const list = this.shown;
    if (!list.length) return;
    const at = list.findIndex((unit) => unit.id === this.inHand);
    const next = at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by;
    this.take(list[Math.min(Math.max(next, 0), list.length - 1)].id);
  }

  rename(names) {
    const name = (id) => names.get(id) ?? id;
    this.inHand = name(this.inHand);
    this.editing = name(this.editing);
    this.marked = new Set([...this.marked].map(name));
  }

  // Where a new unit goes: after the one in hand, or after the last of this sentence or those before.
  placeForNew() {
    const { units } = this.book;
    if (this.unit && standsOn(this.unit, this.sentence)) return this.unit.id;
    for (let at = this.at; at >= 0; at -= 1) {
      const last = units.filter((unit) => standsOn(unit, this.sentences[at])).at(-1);
      if (last) return last.id;
    }
    return units.length && this.at > 0 ? units.at(-1).id : null;
  }
}
