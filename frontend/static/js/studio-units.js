// The units in the middle: a list that is walked, and a field in the one that is being written.

import { conflictPanel } from "./studio-conflict.js";
import { commandButton, el, isOnScreen } from "./studio-dom.js";
import { sliceOf } from "./studio-text.js";
import { touches } from "./studio-spans.js";
import { gettext, interpolate } from "./words.js";

const FLASH = 6000;

export class UnitsView {
  constructor({ root, title, empty, toggle, desk, book, outbox, editor, warnings, canWrite }) {
    Object.assign(this, { root, title, empty, toggle, desk, book, outbox, editor, warnings, canWrite });
    this.cards = new Map();
    this.flashes = new Map();
    book.addEventListener("rename", (event) => this.#rename(event.detail));
    book.addEventListener("others", (event) => this.#flash(event.detail));
    editor.addEventListener("linted", () => this.render());
    root.addEventListener("click", (event) => this.#click(event));
  }

  // Drawing ------------------------------------------------------------------------

  render() {
    const units = this.desk.shown;
    const items = units.map((unit) => this.#card(unit).item);
    items.forEach((item, index) => {
      if (this.root.children[index] !== item) this.root.insertBefore(item, this.root.children[index] ?? null);
    });
    [...this.root.children].slice(items.length).forEach((item) => item.remove());
    for (const unit of units) this.#update(this.cards.get(unit.id), unit);
    this.#head(units);
    this.#focus();
  }

  #head(units) {
    const { sentence, showsAll } = this.desk;
    this.title.textContent = showsAll || !sentence ? gettext("All units") : interpolate(gettext("Units of sentence %(number)s"), { number: sentence.number });
    this.toggle.textContent = showsAll ? gettext("Only this sentence") : interpolate(gettext("All %(count)s"), { count: this.book.units.length });
    this.empty.hidden = units.length > 0;
  }

  #card(unit) {
    if (!this.cards.has(unit.id)) this.cards.set(unit.id, newCard(unit.id));
    return this.cards.get(unit.id);
  }

  #update(card, unit) {
    const { desk, book } = this;
    const conflict = book.conflicts.get(unit.id);
    const isEditing = desk.editing === unit.id;
    card.item.dataset.unit = unit.id;
    card.item.classList.toggle("is-in-hand", desk.inHand === unit.id);
    if (desk.inHand === unit.id) card.item.setAttribute("aria-current", "true");
    else card.item.removeAttribute("aria-current");
    card.item.classList.toggle("is-marked", desk.marked.has(unit.id));
    card.item.classList.toggle("is-conflict", Boolean(conflict));
    card.item.classList.toggle("is-flashing", this.flashes.has(unit.id));
    this.#main(card, unit, isEditing, conflict);
    fill(card.conflict, conflict ? JSON.stringify([conflict.theirs, conflict.who]) : "", () => conflictPanel(conflict));
    fill(card.flags, JSON.stringify(this.#flags(unit)), () => this.#flags(unit).map(flagOf));
    this.#notes(card, unit, isEditing);
    this.#tools(card, unit, isEditing, conflict);
  }

  #main(card, unit, isEditing, conflict) {
    if (isEditing || conflict) return this.#field(card, unit, conflict);
    card.field = null;
    return fill(card.main, `text/${unit.text}`, () => [
      el("p.unit__text.reading", { dir: "auto" }, unit.text || el("span.muted", {}, gettext("No text yet"))),
    ]);
  }

  // The field stays where it is from the first key to the last, or the keyboard would lose it.
  #field(card, unit, conflict) {
    const text = conflict ? conflict.mine.text : this.editor.draft.text;
    if (!card.field) {
      card.field = this.#newField(text);
      card.label = el("p.conflict__title");
      fill(card.main, "field", () => [card.label, card.field]);
    }
    card.label.textContent = conflict ? gettext("Your version") : "";
    card.field.setAttribute("aria-label", conflict ? gettext("Your version") : gettext("Unit text"));
    // Only another's text comes into a field from outside, never an older state of one's own.
    if (card.field.value !== text && !this.editor.isWaiting && !conflict) card.field.value = text;
  }

  #newField(text) {
    const field = el("textarea.unit__field.reading", {
      value: text,
      rows: "1",
      maxlength: "1000",
      placeholder: gettext("One fact, as a sentence"),
      dir: "auto",
      spellcheck: "true",
      autocapitalize: "sentences",
      enterkeyhint: "next",
      "data-field": "",
    });
    field.addEventListener("input", () => this.#typed(field));
    field.addEventListener("blur", () => this.#blurred(field));
    field.addEventListener("selectionchange", () => this.#noteCaret(field));
    return field;
  }

  #typed(field) {
    const id = this.idOf(field);
    this.#noteCaret(field);
    if (this.book.conflicts.has(id)) this.book.retype(id, field.value);
    else this.editor.type(field.value);
  }

  #noteCaret(field) {
    if (document.activeElement === field) this.editor.carets.set(this.idOf(field), { at: field.selectionStart, text: field.value });
  }

  // Another window may have taken the focus, or a list that is drawn anew: then nothing is left.
  #blurred(field) {
    queueMicrotask(() => {
      if (document.activeElement === field || !field.isConnected) return;
      if (this.desk.editing === this.idOf(field)) this.editor.close();
    });
  }

  #flags(unit) {
    const others = this.flashes.get(unit.id);
    const marks = [];
    if (this.desk.marked.has(unit.id)) marks.push(gettext("✓ marked"));
    if (this.desk.isHeld && this.desk.inHand === unit.id) marks.push(gettext("held"));
    if (others) marks.push(interpolate(gettext("%(name)s changed this"), { name: others }));
    if (unit.weight > 1) marks.push(interpolate(gettext("weight %(weight)s"), { weight: unit.weight }));
    if (this.book.drafts.get(unit.id)?.isNew) marks.push(gettext("new"));
    if (unit.waiting && this.outbox.isStuck && !this.#isOnlyOffered(unit)) marks.push(gettext("not saved yet"));
    if (unit.kind === "stu") marks.push(unit.extractor ? interpolate(gettext("◇ STU by %(extractor)s"), { extractor: unit.extractor }) : gettext("◇ STU"));
    else if (unit.promoted_from) marks.push(gettext("◇ from a suggestion"));
    return marks;
  }

  // Words of the reference in a new field, which nobody has typed or accepted.
  #isOnlyOffered(unit) {
    const draft = this.book.drafts.get(unit.id);
    return Boolean(draft?.isNew && !draft.isDirty);
  }

  #notes(card, unit, isEditing) {
    const given = (isEditing && this.editor.warnings) || this.book.warnings[unit.id] || [];
    const open = this.warnings.open(unit.id, given);
    fill(card.notes, JSON.stringify(open), () => [this.warnings.list(unit.id, given, () => this.render())]);
    const quotes = this.#quotes(unit);
    fill(card.quotes, JSON.stringify(quotes), () => quotes.map((quote) => el("q.quote", { dir: "auto" }, quote)));
  }

  #quotes(unit) {
    return this.book.spansOf(unit).flatMap((span) => {
      const sentence = this.desk.sentences.find((each) => touches(span, each));
      if (!sentence) return [];
      return [sliceOf(sentence, Math.max(span.start, sentence.start), Math.min(span.end, sentence.end))];
    });
  }

  #tools(card, unit, isEditing, conflict) {
    const isShown = this.canWrite && this.desk.inHand === unit.id && !conflict;
    const mode = isShown ? (isEditing ? "editing" : `tools/${this.desk.marked.size > 1}`) : "";
    fill(card.tools, mode, () => (isEditing ? fieldTools() : unitTools(this.desk.marked.size > 1)));
  }

  #focus() {
    const card = this.cards.get(this.desk.editing);
    if (!card?.field || document.activeElement === card.field || !card.field.isConnected) return;
    // A field that had to move gets its cursor back; a new one has it at the end.
    const left = this.editor.carets.get(this.desk.editing);
    const at = left?.text === card.field.value ? left.at : card.field.value.length;
    card.field.focus({ preventScroll: true });
    card.field.setSelectionRange(at, at);
    card.item.scrollIntoView({ block: "nearest" });
  }

  isOnScreen(id) {
    return isOnScreen(this.cards.get(id)?.item);
  }

  showInHand() {
    this.cards.get(this.desk.inHand)?.item.scrollIntoView({ block: "nearest" });
  }

  // Hearing ------------------------------------------------------------------------

  idOf(element) {
    const given = element.closest("[data-unit]").dataset.unit;
    return /^\d+$/.test(given) ? Number(given) : given;
  }

  #click(event) {
    const item = event.target.closest("[data-unit]");
    if (!item || event.target.closest("button, summary, textarea, a")) return;
    const id = this.idOf(item);
    if (this.desk.inHand === id && this.canWrite) this.editor.open(id);
    else this.desk.take(id);
  }

  #rename(names) {
    for (const [name, id] of names) {
      const card = this.cards.get(name);
      if (!card) continue;
      this.cards.delete(name);
      this.cards.set(id, card);
      card.item.dataset.unit = id;
    }
  }

  #flash(change) {
    if (change.actor === this.book.person) return;
    for (const id of Object.keys(change.units).map(Number)) this.flashes.set(id, change.actor || gettext("Somebody"));
    setTimeout(() => {
      for (const id of Object.keys(change.units).map(Number)) this.flashes.delete(id);
      this.render();
    }, FLASH);
  }
}

// What came from a model carries its mark and its colour.
function flagOf(words) {
  return el(words.startsWith("◇") ? "span.flag.flag--model" : "span.flag", {}, words);
}

function newCard(id) {
  const names = ["main", "conflict", "flags", "quotes", "notes", "tools"];
  const parts = Object.fromEntries(names.map((name) => [name, el(`div.unit__${name}`)]));
  const item = el("li.unit", { "data-unit": id }, names.map((name) => parts[name]));
  return { item, field: null, label: null, ...parts };
}

// Drawn anew only when it differs, so that focus and open disclosures stay.
function fill(slot, signature, build) {
  if (slot.dataset.signature === signature) return;
  slot.dataset.signature = signature;
  slot.replaceChildren(...(signature ? build() : []));
}

function fieldTools() {
  return [
    commandButton("next", gettext("Save, next"), { key: "↵", kind: "primary" }),
    commandButton("split", gettext("Split here"), { key: "Alt+S" }),
    commandButton("leave", gettext("Done"), { key: "Esc" }),
  ];
}

function unitTools(hasMarks) {
  return [
    commandButton("edit", gettext("Edit"), { key: "e" }),
    commandButton("split", gettext("Split"), { key: "s" }),
    commandButton("merge", hasMarks ? gettext("Merge marked") : gettext("Merge with next"), { key: "m" }),
    commandButton("mark", gettext("Mark"), { key: "." }),
    commandButton("hold", gettext("Hold"), { key: "h", title: gettext("Hold this unit while you go to other sentences") }),
    commandButton("up", "↑", { title: gettext("Move up (Alt+↑)"), "aria-label": gettext("Move up") }),
    commandButton("down", "↓", { title: gettext("Move down (Alt+↓)"), "aria-label": gettext("Move down") }),
    commandButton("narrow", gettext("Narrow to text"), { key: "q", title: gettext("Cover only the words of its text") }),
    commandButton("widen", gettext("Whole sentence"), { key: "Q", title: gettext("Cover the whole sentence") }),
    commandButton("comment", gettext("Comment"), { key: "r" }),
    commandButton("delete", gettext("Delete"), { key: "x", kind: "danger" }),
  ];
}
