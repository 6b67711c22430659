// The references by sentence: words one can walk, select and see accounted for.

import { el, commandButton } from "./studio-dom.js";
import { isLeftToStus, planMark } from "./studio-plan.js";
import { covers } from "./studio-spans.js";
import { sliceOf } from "./studio-text.js";
import { gettext, inDigits, interpolate, ngettext } from "./words.js";

export class ReferenceView {
  constructor(root, desk, { canWrite }) {
    Object.assign(this, { root, desk, canWrite });
    this.rows = desk.sentences.map((sentence, index) => this.#row(sentence, index));
    root.replaceChildren(...this.#groups());
    this.bar = el("div.selection-bar");
    this.#followPointer();
  }

  // Building -----------------------------------------------------------------------

  #groups() {
    const references = [...new Set(this.desk.sentences.map((sentence) => sentence.reference))];
    return references.map((reference) => {
      const rows = this.rows.filter((row) => row.sentence.reference === reference);
      const title = references.length > 1 ? [el("h3.reference__title", {}, interpolate(gettext("Reference %(reference)s"), { reference: rows[0].sentence.label }))] : [];
      return el("section.reference", {}, ...title, el("ol.lines", {}, rows.map((row) => row.item)));
    });
  }

  #row(sentence, index) {
    const words = [];
    const text = el("p.line__text.reading", { dir: "auto" }, this.#pieces(sentence, words));
    const strip = el("div.strip", { "aria-hidden": "true" }, sentence.words.map((word) => stripPart(word)));
    const share = el("span.line__share");
    const number = el("button.line__number", { type: "button", "aria-label": interpolate(gettext("Sentence %(number)s"), { number: sentence.number }) }, String(sentence.number));
    const body = el("div.line__body", {}, text, el("div.line__foot", {}, strip, share, planMark(sentence)));
    const item = el(isLeftToStus(sentence) ? "li.line.line--model" : "li.line", { "data-sentence": index }, number, body);
    number.addEventListener("click", () => this.desk.goTo(index));
    return { sentence, item, words, text, strip, share, body };
  }

  // Words and what stands between them, so that a selection is one stroke.
  #pieces(sentence, words) {
    const pieces = [];
    let at = sentence.start;
    sentence.words.forEach((word, index) => {
      if (word.start > at) pieces.push(el("span.gap", { "data-gap": index }, sliceOf(sentence, at, word.start)));
      const piece = el("span.word", { "data-word": index }, word.text);
      words.push(piece);
      pieces.push(piece);
      at = word.end;
    });
    if (at < sentence.end) pieces.push(el("span.gap", {}, sliceOf(sentence, at, sentence.end)));
    return pieces;
  }

  // Drawing ------------------------------------------------------------------------

  render() {
    const { desk } = this;
    this.rows.forEach((row, index) => {
      const isHere = index === desk.at;
      row.item.toggleAttribute("aria-current", isHere);
      if (isHere) row.item.setAttribute("aria-current", "true");
      this.#colour(row, isHere);
    });
    this.#placeBar();
  }

  #colour(row, isHere) {
    const { covered, total, done } = this.desk.coverageOf(row.sentence);
    const { unit } = this.desk;
    const spans = unit ? this.desk.book.spansOf(unit) : [];
    const selection = isHere ? this.desk.selection : null;
    const inSelection = (index) => selection && selection.first <= index && index <= selection.last;
    row.words.forEach((piece, index) => {
      const word = row.sentence.words[index];
      const isOpen = word.content && !covered[index];
      piece.classList.toggle("is-open", isOpen);
      piece.classList.toggle("is-lit", covers(spans, row.sentence, word));
      piece.classList.toggle("is-selected", Boolean(inSelection(index)));
      piece.classList.toggle("is-cursor", isHere && this.desk.cursor === index);
      row.strip.children[index].classList.toggle("is-covered", covered[index]);
      row.strip.children[index].classList.toggle("is-open", isOpen);
    });
    this.#colourGaps(row, spans, inSelection);
    row.share.textContent = done === total ? gettext("all words covered") : interpolate(gettext("%(open)s of %(total)s words uncovered"), { open: total - done, total });
    row.share.classList.toggle("is-done", done === total);
  }

  #colourGaps(row, spans, inSelection) {
    for (const gap of row.text.querySelectorAll("[data-gap]")) {
      const index = Number(gap.dataset.gap);
      const [before, after] = [row.sentence.words[index - 1], row.sentence.words[index]];
      const isAcross = (span) => span.start < before.end && span.end > after.start;
      const isLit = before && spans.some((span) => span.reference === row.sentence.reference && isAcross(span));
      gap.classList.toggle("is-lit", Boolean(isLit));
      gap.classList.toggle("is-selected", Boolean(index > 0 && inSelection(index - 1) && inSelection(index)));
    }
  }

  #placeBar() {
    const { desk, bar } = this;
    const row = this.rows[desk.at];
    const { selection } = desk;
    if (!row || (!selection && desk.cursor === null) || !this.canWrite) return bar.remove();
    const count = selection ? selection.last - selection.first + 1 : 0;
    const words = selection ? interpolate(ngettext("%(count)s word selected", "%(count)s words selected", count), { count: inDigits(count) }) : gettext("Cursor");
    bar.replaceChildren(
      el("span.muted", {}, words),
      commandButton("new", gettext("New unit"), { key: "n" }),
      ...(desk.unit ? [commandButton("contributor", desk.holdsChosen() ? gettext("Remove from unit") : gettext("Add to unit"), { key: "c" })] : []),
      commandButton("anchor", desk.isAnchored ? gettext("Stop selecting") : gettext("Select words"), { key: "v" }),
      commandButton("clear", gettext("Clear selection"), { key: "Esc" }),
    );
    if (bar.parentNode !== row.body) row.body.append(bar);
    return undefined;
  }

  showCurrent() {
    this.rows[this.desk.at]?.item.scrollIntoView({ block: "nearest" });
  }

  // Pointer ------------------------------------------------------------------------

  #followPointer() {
    this.root.addEventListener("pointerdown", (event) => this.#down(event));
    this.root.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) this.root.addEventListener(name, () => (this.from = null));
    this.root.addEventListener("click", (event) => {
      const line = event.target.closest(".line");
      if (line && !event.target.closest("button")) this.desk.goTo(Number(line.dataset.sentence));
    });
  }

  #down(event) {
    const word = wordAt(event.target);
    if (!word || event.button !== 0) return;
    const { desk } = this;
    // The field keeps the focus: words are chosen for the unit that is being written.
    event.preventDefault();
    const isElsewhere = desk.at !== word.sentence;
    desk.goTo(word.sentence);
    if (event.pointerType === "touch" && isElsewhere) return;
    if ((event.shiftKey || desk.isAnchored) && desk.cursor !== null) {
      desk.select(desk.anchor ?? desk.cursor, word.index);
      return;
    }
    desk.clear();
    desk.cursor = word.index;
    desk.told();
    this.from = { ...word, pointer: event.pointerId };
  }

  #move(event) {
    if (!this.from || event.pointerId !== this.from.pointer) return;
    const word = wordAt(document.elementFromPoint(event.clientX, event.clientY));
    if (!word || word.sentence !== this.from.sentence) return;
    const isStart = word.index === this.from.index && !this.desk.selection;
    if (!isStart) this.desk.select(this.from.index, word.index);
  }
}

function wordAt(target) {
  const piece = target?.closest?.("[data-word], [data-gap]");
  const line = piece?.closest(".line");
  if (!line) return null;
  return { sentence: Number(line.dataset.sentence), index: Number(piece.dataset.word ?? piece.dataset.gap) };
}

function stripPart(word) {
  const part = el(word.content ? "i.strip__part" : "i.strip__part.strip__part--small");
  part.style.flexGrow = String(word.end - word.start);
  return part;
}
