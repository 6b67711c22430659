// The right-hand side: what other references say, what an extractor suggests, what happened here.

import { inWords } from "./studio-net.js";
import { atTime, commandButton, el, isOnScreen } from "./studio-dom.js";
import { changesTo, predecessor } from "./studio-model.js";
import { alike, sameSpans, standsOn } from "./studio-spans.js";
import { fold } from "./studio-text.js";
import { gettext, inDigits, interpolate, ngettext } from "./words.js";

// What somebody did, to one unit and to several.
const DONE = {
  create: (count) => ngettext("wrote a unit", "wrote %(count)s units", count),
  update: (count) => ngettext("changed a unit", "changed %(count)s units", count),
  split: (count) => ngettext("split a unit", "split %(count)s units", count),
  merge: (count) => ngettext("merged a unit", "merged %(count)s units", count),
  move: (count) => ngettext("moved a unit", "moved %(count)s units", count),
  delete: (count) => ngettext("deleted a unit", "deleted %(count)s units", count),
  undo: (count) => ngettext("undid a change to a unit", "undid a change to %(count)s units", count),
  redo: (count) => ngettext("redid a change to a unit", "redid a change to %(count)s units", count),
  promote: (count) => ngettext("added from a suggestion a unit", "added from a suggestion %(count)s units", count),
  accept: (count) => ngettext("accepted a wording for a unit", "accepted a wording for %(count)s units", count),
  restore: (count) => ngettext("restored a unit", "restored %(count)s units", count),
  replace: (count) => ngettext("replaced words in a unit", "replaced words in %(count)s units", count),
};

export class ContextView {
  constructor({ roots, tabs, columns, desk, book, editor, feed, suggestions, canWrite, say }) {
    Object.assign(this, { roots, tabs, columns, desk, book, editor, feed, suggestions, canWrite, say });
    this.picked = null;
    this.changes = null;
    feed.addEventListener("news", (event) => this.#note(event.detail.changes));
    tabs.addEventListener("shown", () => this.render());
  }

  render() {
    this.tabs.count("suggestions", this.openSuggestions().length);
    if (this.tabs.shown === "others") this.#others();
    if (this.tabs.shown === "suggestions") this.#suggestions();
    if (this.tabs.shown === "history") this.#history();
  }

  // Other references -----------------------------------------------------------------

  #others() {
    const { desk } = this;
    const found = desk.sentence ? alike(desk.sentence, desk.sentences) : [];
    this.roots.others.replaceChildren(
      el("p.muted.small", {}, interpolate(gettext("Sentences of other references, sorted by similarity to sentence %(number)s."), { number: desk.sentence?.number ?? "" })),
      el("ul.others", {}, found.map((each) => this.#other(each))),
    );
  }

  #other({ sentence, shared }) {
    const go = () => this.desk.goTo(this.desk.sentences.indexOf(sentence));
    const where = interpolate(gettext("Go to sentence %(number)s of %(reference)s"), { number: sentence.number, reference: sentence.label });
    const words = sentence.text.split(/(\s+)/u).map((part) => {
      const key = fold(part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
      return shared.has(key) ? el("mark.shared", {}, part) : part;
    });
    return el(
      "li.other",
      {},
      el("p.reading", { dir: "auto" }, words),
      el("button.button.button--small.button--quiet", { type: "button", onclick: go }, where),
    );
  }

  // Suggestions ------------------------------------------------------------------------

  // Those of the sentence first; what was added, or says what a unit says, is left out.
  openSuggestions() {
    const texts = new Set(this.book.units.map((unit) => said(unit.text)));
    const used = new Set(this.book.units.map((unit) => unit.promoted_from));
    const open = this.suggestions.filter((each) => !used.has(each.id) && !texts.has(said(each.text)));
    const isHere = (each) => Boolean(this.desk.sentence) && standsOn(each, this.desk.sentence);
    return [...open.filter(isHere), ...open.filter((each) => !isHere(each))];
  }

  // What was picked in this sentence; in another one, the first that is offered there.
  get inHand() {
    const open = this.openSuggestions();
    const isPicked = (each) => this.picked?.at === this.desk.at && each.id === this.picked.id;
    return open.find(isPicked) ?? open[0] ?? null;
  }

  #pick(each) {
    this.picked = each ? { id: each.id, at: this.desk.at } : null;
    this.render();
  }

  walk(by) {
    const open = this.openSuggestions();
    const at = open.indexOf(this.inHand);
    this.#pick(open[Math.min(Math.max(at + by, 0), open.length - 1)]);
    this.#itemInHand()?.scrollIntoView({ block: "nearest" });
  }

  #itemInHand() {
    return this.roots.suggestions.querySelector("[aria-current]");
  }

  // Shows the suggestion in hand, and says whether it was to be seen before.
  showInHand() {
    const wasShown = isOnScreen(this.#itemInHand());
    this.tabs.show("suggestions");
    this.columns.show("context");
    this.#itemInHand()?.scrollIntoView({ block: "nearest" });
    return wasShown;
  }

  #suggestions() {
    const open = this.openSuggestions();
    const none = this.suggestions.length
      ? gettext("All suggestions were added or match an existing unit.")
      : gettext("No suggestions. Extract STUs in this project to see suggestions here.");
    const items = open.map((each) => this.#suggestion(each));
    this.roots.suggestions.replaceChildren(open.length ? el("ul.suggestions", {}, items) : el("p.muted", {}, none));
  }

  #suggestion(each) {
    const isInHand = each === this.inHand;
    const isHere = this.desk.sentence && standsOn(each, this.desk.sentence);
    const add = this.canWrite ? [commandButton("add-suggestion", gettext("Add as unit"), { key: isInHand ? "a" : null, "data-id": each.id })] : [];
    return el(
      "li.suggestion",
      { "aria-current": isInHand ? "true" : null, onclick: () => this.#pick(each) },
      el("p.reading", { dir: "auto" }, el("span.model-mark", { title: gettext("Extracted by a model") }, "◇ "), each.text),
      el("div.suggestion__foot", {}, el("span.muted.small", {}, `${each.extractor || "STU"}${isHere ? ` · ${gettext("this sentence")}` : ""}`), ...add),
    );
  }

  // History ----------------------------------------------------------------------------

  async #history() {
    if (this.changes === null) {
      this.changes = [];
      await this.#load();
    }
    if (!this.changes) return;
    const rows = [...this.changes].reverse().map((change) => historyRow(change, (unit) => this.#restoring(unit)));
    this.roots.history.replaceChildren(rows.length ? el("ol.history", {}, rows) : el("p.muted", {}, gettext("No changes yet.")));
  }

  // A way back to what a unit was then, if it is something else now.
  #restoring(then) {
    const now = this.book.unit(then.id);
    const isSame = now && !now.deleted && now.text === then.text && sameSpans(now.spans, then.spans);
    if (!this.canWrite || !now || isSame || !then.text) return null;
    const restore = () => this.#restore(then);
    return el("button.button.button--small.button--quiet", { type: "button", onclick: restore }, now.deleted ? gettext("Restore unit") : gettext("Restore this wording"));
  }

  #restore({ id, text, spans }) {
    this.editor.close();
    const { all } = this.book;
    const target = { text, spans, deleted: false, after: predecessor(all, id) };
    const changes = changesTo(all, id, target, false);
    if (!changes.length) return this.say(gettext("The unit already has this wording."));
    this.book.submit("restore", changes);
    this.desk.take(id);
    return this.say(gettext("Earlier wording restored. Press z to undo."));
  }

  async #load() {
    try {
      this.changes = await this.feed.all();
    } catch (error) {
      this.changes = null;
      this.roots.history.replaceChildren(el("p.muted", {}, inWords(error)));
    }
  }

  #note(changes) {
    if (!this.changes || !changes.length) return;
    const known = new Set(this.changes.map((change) => change.id));
    this.changes.push(...changes.filter((change) => !known.has(change.id)));
    if (this.tabs.shown === "history") this.#history();
  }
}

function said(text) {
  return fold(text.replace(/[.\s]+$/u, ""));
}

function historyRow(change, restoring) {
  const units = Object.values(change.units);
  const said = units.filter((unit) => !unit.deleted || change.action === "delete").slice(0, 2);
  // A split changes one unit and creates another; only one was split.
  const isOne = units.length === 1 || change.action === "split";
  const count = isOne ? 1 : units.length;
  const done = interpolate(DONE[change.action]?.(count) ?? change.action, { count: inDigits(count) });
  const time = el("time.muted", { datetime: change.at }, atTime(change.at));
  return el(
    "li",
    {},
    el("p", {}, el("strong", {}, change.actor || gettext("Someone")), ` ${done} `, time),
    ...said.map((unit) => el("div.history__was", {}, el("p.history__text", { dir: "auto" }, unit.text), restoring(unit))),
  );
}
