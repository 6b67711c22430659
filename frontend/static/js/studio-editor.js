// The field in which a unit is written: every key kept at once, saved after a short pause.

import { temporaryName } from "./studio-book.js";
import { Clock } from "./studio-clock.js";
import { followText, wordsUnder } from "./studio-narrowing.js";
import { ask } from "./studio-net.js";
import { sameSpans } from "./studio-spans.js";
import { tidy } from "./studio-text.js";

const SAVE_AFTER = 700;
const LINT_AFTER = 250;

export class Editor extends EventTarget {
  #saving = 0;
  #linting = 0;
  #clock = new Clock();
  #group = null;

  constructor(book, desk, urls) {
    super();
    Object.assign(this, { book, desk, urls });
    this.carets = new Map();
    this.warnings = null;
    for (const name of ["clash", "gone"]) {
      book.addEventListener(name, (event) => event.detail === desk.editing && this.#leave());
    }
    book.addEventListener("rename", (event) => this.#rename(event.detail));
  }

  get draft() {
    return this.book.drafts.get(this.desk.editing) ?? null;
  }

  get isBlank() {
    return Boolean(this.draft?.isNew) && !tidy(this.draft.text);
  }

  // Where the cursor is in the unit's field, or was when the field was left.
  caretIn(id) {
    const { activeElement } = document;
    const isInside = activeElement.matches("[data-field]") && this.desk.editing === id;
    if (isInside) return activeElement.selectionStart;
    const left = this.carets.get(id);
    return left && tidy(left.text) === this.book.unit(id).text ? left.at : null;
  }

  // Opening ----------------------------------------------------------------------

  open(id) {
    if (this.book.conflicts.has(id)) return;
    if (this.desk.editing === id) return;
    this.close();
    const { text, revision, spans } = this.book.unit(id);
    this.#begin({ unit: id, text, revision, spans, isNew: false, isDirty: false });
  }

  // Whatever is offered, words are dropped as soon as the text lacks them.
  openNew({ text, spans, after, promoted = null }) {
    const follow = { spans, text: wordsUnder(spans, this.desk.sentences) };
    this.#begin({ unit: temporaryName(), text, spans, after, promoted, follow, isNew: true, isBorn: true, isDirty: false });
  }

  // Text from an earlier visit that was not sent: the unit as it was left, or a quarrel about it.
  resume(draft) {
    const unit = this.book.unit(draft.unit);
    if (draft.isNew) return this.#begin(draft);
    if (!unit) return this.#begin({ ...draft, unit: temporaryName(), spans: draft.spans ?? [], after: null, isNew: true });
    if (unit.revision === draft.revision) return this.#begin(draft);
    return this.book.clash(draft.unit, { text: draft.text, spans: draft.spans ?? unit.spans }, unit);
  }

  #begin(draft) {
    draft.spans ??= this.book.unit(draft.unit)?.spans ?? [];
    draft.follow ??= { spans: draft.spans, text: draft.text };
    this.book.drafts.set(draft.unit, draft);
    this.#group = `${draft.unit}/${Date.now()}`;
    this.warnings = null;
    this.desk.editing = draft.unit;
    this.desk.inHand = draft.unit;
    this.#clock.beat();
    this.dispatchEvent(new Event("opened"));
    this.book.told();
    this.lint();
  }

  // Writing ----------------------------------------------------------------------

  type(text) {
    const { draft } = this;
    if (!draft) return;
    const spans = followText(draft.follow.spans, this.desk.sentences, draft.follow.text, text);
    const isOther = !sameSpans(spans, draft.spans);
    Object.assign(draft, { text, spans, isDirty: true });
    this.book.store.keepDraft(draft);
    if (isOther) this.book.told();
    this.#clock.beat();
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.save(), SAVE_AFTER);
    clearTimeout(this.#linting);
    this.#linting = setTimeout(() => this.lint(), LINT_AFTER);
    this.dispatchEvent(new Event("typed"));
  }

  // Somebody chose other words: from here on the text is followed from these.
  chooseSpans(draft, spans) {
    Object.assign(draft, { spans, follow: { spans, text: draft.text } });
    if (draft.isDirty) this.book.store.keepDraft(draft);
  }

  get isWaiting() {
    return Boolean(this.draft?.isDirty);
  }

  // Hand the text over to the queue: what was typed, or what was offered and is meant. A new unit
  // that is still blank is not worth a row.
  save({ isMeant = false } = {}) {
    clearTimeout(this.#saving);
    const { draft } = this;
    if (isMeant && draft?.isNew) draft.isDirty = true;
    if (!draft?.isDirty || (draft.isNew && !tidy(draft.text))) return;
    draft.isDirty = false;
    this.book.store.removeDraft(draft.unit);
    if (draft.isNew) this.#create(draft);
    else this.#update(draft);
  }

  #create(draft) {
    const { unit, text, spans, after, promoted } = draft;
    Object.assign(draft, { isNew: false, revision: 1 });
    const promotion = promoted ? { promoted_from: promoted } : {};
    const change = { action: "create", unit, text, spans, after, ...promotion, seconds: this.#clock.take() };
    this.book.submit(promoted ? "promote" : "create", [change], { group: this.#group });
  }

  #update({ unit, text, spans, revision }) {
    const known = this.book.unit(unit);
    const isSame = sameSpans(spans, known.spans);
    if (tidy(text) === known.text && isSame) return;
    const change = { action: "update", unit, revision, text, ...(isSame ? {} : { spans }), seconds: this.#clock.take() };
    this.book.submit("update", [change], { group: this.#group });
  }

  // Leaving ----------------------------------------------------------------------

  // Keep what was written; a draft that nobody touched goes, unless it is meant.
  close({ isMeant = false } = {}) {
    const { draft } = this;
    if (!draft) return;
    const { isBlank } = this;
    // It was saved while it was written, and its text was taken away again.
    const isEmptied = draft.isBorn && !draft.isNew && !tidy(draft.text);
    if (isEmptied) draft.isDirty = false;
    this.save({ isMeant });
    if (draft.isNew && (isBlank || !draft.isDirty)) this.#discard(draft);
    else if (this.warnings) this.book.warnings = { ...this.book.warnings, [draft.unit]: this.warnings };
    this.#leave();
    if (!isEmptied) return;
    this.#discard(draft);
    this.book.submit("delete", [{ action: "delete", unit: draft.unit }]);
  }

  #discard(draft) {
    this.book.store.removeDraft(draft.unit);
    if (this.desk.inHand === draft.unit) this.desk.inHand = null;
  }

  #leave() {
    clearTimeout(this.#saving);
    clearTimeout(this.#linting);
    this.#clock.stop();
    this.book.drafts.delete(this.desk.editing);
    this.desk.editing = null;
    this.warnings = null;
    this.book.told();
  }

  #rename(names) {
    for (const [from, to] of names) if (this.carets.has(from)) this.carets.set(to, this.carets.get(from));
  }

  // Warnings while typing ----------------------------------------------------------

  async lint() {
    const { draft } = this;
    if (!draft) return;
    const { text, unit } = draft;
    // Advice can wait: the queue tells of a server that cannot be reached.
    const { answer } = await ask(this.urls.lint, { text, unit: typeof unit === "number" ? unit : null });
    if (!answer || this.draft?.text !== text) return;
    this.warnings = answer.warnings;
    this.dispatchEvent(new Event("linted"));
  }
}
