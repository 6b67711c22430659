// Everything one can do, by name. Buttons and keys ask for a name; see units/_studio_keys.html.

import { temporaryName } from "./studio-book.js";
import { narrowTo, wholeSentences } from "./studio-narrowing.js";
import { nextPlanned } from "./studio-plan.js";
import { addSpan, divideSpans, removeSpan, sameSpans, spanOf, WORTH_A_UNIT } from "./studio-spans.js";
import { predecessor } from "./studio-model.js";
import { asSentence, guessSplit, joinTexts, splitText } from "./studio-text.js";
import { gettext, inDigits, interpolate } from "./words.js";

const DONE = { undo: gettext("Undone: %(action)s."), redo: gettext("Redone: %(action)s.") };
const STALE = {
  undo: gettext("Someone has changed this since, so it can’t be undone."),
  redo: gettext("Someone has changed this since, so it can’t be redone."),
};
const ACTIONS = {
  create: gettext("new unit"),
  update: gettext("edit"),
  split: gettext("split"),
  merge: gettext("merge"),
  move: gettext("move"),
  delete: gettext("deletion"),
  promote: gettext("added suggestion"),
  restore: gettext("restored wording"),
};

export function writingCommands({ book, desk, editor, context, say }) {
  const commands = {
    new() {
      if (!desk.sentence) return say(gettext("This example has no reference to write from."));
      editor.close();
      const { span, text } = desk.offerForNew();
      desk.clear();
      return editor.openNew({
        text,
        spans: [span],
        after: desk.placeForNew(),
      });
    },

    edit() {
      const unit = desk.unit ?? desk.shown[0];
      if (unit) editor.open(unit.id);
      else commands.new();
    },

    // Save, and open what is still to be written: in this sentence, else in those that follow, else
    // another fact of this sentence, so that a key never falls beside the field. A blank one ends it.
    next() {
      const { isBlank } = editor;
      editor.close({ isMeant: true });
      const run = desk.nextRun({ least: WORTH_A_UNIT, wraps: false });
      if (run) {
        desk.goTo(run.at);
        desk.select(run.first, run.last);
        return commands.new();
      }
      if (isBlank) return say(gettext("All words from here on are covered. Press f to mark the example as written."));
      commands.new();
      return say(gettext("All words from here on are covered. Write another fact, or press Esc to leave."));
    },

    // Save what is in the field, be it only what was offered.
    keep() {
      editor.close({ isMeant: true });
    },

    leave() {
      editor.close();
    },

    split() {
      const unit = desk.unit;
      if (!unit) return say(gettext("Select a unit first (↓)."));
      const caret = editor.caretIn(unit.id);
      editor.save({ isMeant: true });
      const text = book.drafts.get(unit.id)?.text ?? unit.text;
      const at = caret > 0 && caret < text.trim().length ? caret : guessSplit(text);
      if (at === null) return say(gettext("Press e, place the cursor where you want to split the unit, then press Alt+S."));
      return splitAt(unit.id, text, at);
    },

    merge() {
      editor.close();
      const marked = desk.shown.filter((unit) => desk.marked.has(unit.id));
      const at = desk.shown.indexOf(desk.unit);
      const group = marked.length > 1 ? marked : desk.shown.slice(at, at + 2);
      if (at < 0 || group.length < 2) return say(gettext("Select a unit that has another one below it, or mark two units (.)."));
      return mergeAll(group);
    },

    mark() {
      if (!desk.unit) return say(gettext("Select a unit first (↓)."));
      if (!desk.marked.delete(desk.inHand)) desk.marked.add(desk.inHand);
      return desk.told();
    },

    delete() {
      editor.close();
      const unit = desk.unit;
      if (!unit) return say(gettext("Select a unit first (↓)."));
      const list = desk.shown;
      const at = list.indexOf(unit);
      desk.inHand = (list[at + 1] ?? list[at - 1])?.id ?? null;
      book.submit("delete", [{ action: "delete", unit: unit.id }]);
      return say(gettext("Unit deleted. Press z to undo."));
    },

    up: () => reorder(-1),
    down: () => reorder(1),

    // The selected words, or the one at the cursor, become the unit's; or leave it if they all were its.
    contributor() {
      const { unit, chosen } = desk;
      if (!unit || !chosen) return say(gettext("Select a unit (↓), then go to a word (w) or select several (Shift+→)."));
      const { sentence } = desk;
      const span = spanOf(sentence, chosen.first, chosen.last);
      const isThere = desk.holdsChosen();
      const own = book.spansOf(unit);
      const spans = isThere ? removeSpan(own, span, sentence) : addSpan(own, span);
      if (desk.selection) desk.clear();
      standOn(unit, spans);
      return say(isThere ? gettext("Words removed from the unit.") : gettext("Words added to the unit."));
    },

    // To the words that the text has, or back to all of their sentences.
    narrow() {
      return restOn((spans, text) => narrowTo(spans, desk.sentences, text), gettext("The unit now covers only the words of its text."));
    },

    widen() {
      return restOn((spans) => wholeSentences(spans, desk.sentences), gettext("The unit now covers the whole sentence."));
    },

    addSuggestion(id) {
      const suggestion = context.openSuggestions().find((each) => each.id === id) ?? context.inHand;
      if (!suggestion) return say(gettext("No suggestions left."));
      if (id === undefined && !context.showInHand()) return say(gettext("Read the suggestion first, then press a again to add it."));
      const unit = temporaryName();
      const text = asSentence(suggestion.text);
      const spans = narrowTo(suggestion.spans, desk.sentences, text);
      desk.inHand = unit;
      const change = { action: "create", unit, text, spans, after: desk.placeForNew(), promoted_from: suggestion.id };
      book.submit("promote", [change]);
      return say(interpolate(gettext("Added: %(text)s"), { text }));
    },

    undo: () => turn("undo"),
    redo: () => turn("redo"),
  };

  function splitAt(id, text, at) {
    const [left, right] = splitText(text, at);
    if (!left || !right) return say(gettext("Place the cursor inside the text: one half would be empty."));
    const halves = divideSpans(book.unit(id).spans, desk.sentences, left, right);
    const [mine, others] = halves.map((half, at) => narrowTo(half, desk.sentences, [left, right][at]));
    const unit = temporaryName();
    editor.close();
    book.submit("split", [
      { action: "update", unit: id, text: left, spans: mine },
      { action: "create", unit, text: right, spans: others, after: id },
    ]);
    desk.take(unit);
    return say(gettext("Unit split in two."));
  }

  function mergeAll(group) {
    const [first, ...others] = group;
    const spans = others.flatMap((unit) => unit.spans).reduce(addSpan, first.spans);
    desk.marked.clear();
    book.submit("merge", [
      { action: "update", unit: first.id, text: joinTexts(group.map((unit) => unit.text)), spans },
      ...others.map((unit) => ({ action: "delete", unit: unit.id })),
    ]);
    desk.take(first.id);
    return say(interpolate(gettext("%(count)s units merged into one."), { count: inDigits(group.length) }));
  }

  function standOn(unit, spans) {
    const draft = book.drafts.get(unit.id);
    if (draft) editor.chooseSpans(draft, spans);
    if (draft?.isNew) return book.told();
    return book.submit("update", [{ action: "update", unit: unit.id, spans }]);
  }

  function restOn(change, done) {
    const { unit } = desk;
    if (!unit) return say(gettext("Select a unit first (↓)."));
    const own = book.spansOf(unit);
    const spans = change(own, book.drafts.get(unit.id)?.text ?? unit.text);
    if (sameSpans(own, spans)) return say(gettext("Nothing to change: the unit already covers these words."));
    standOn(unit, spans);
    return say(done);
  }

  // Past the neighbour that is shown; hidden ones in between are passed as well.
  function reorder(by) {
    editor.save({ isMeant: true });
    const { unit, shown } = desk;
    const other = unit && shown[shown.indexOf(unit) + by];
    if (!other) return undefined;
    const after = by > 0 ? other.id : predecessor(book.all, other.id);
    return book.submit("move", [{ action: "move", unit: unit.id, after }]);
  }

  function turn(way) {
    editor.close();
    const entry = book.history[way](book.all);
    if (!entry) return say(way === "undo" ? gettext("Nothing to undo.") : gettext("Nothing to redo."));
    if (entry.isStale) return say(STALE[way]);
    if (entry.changes.length) book.submit(way, entry.changes, { isRecorded: false });
    const shown = entry.ids.find((id) => book.unit(id) && !book.unit(id).deleted);
    if (shown) desk.take(shown);
    return say(interpolate(DONE[way], { action: ACTIONS[entry.action] ?? entry.action }));
  }

  return commands;
}

export function movingCommands({ desk, editor, context, comments, tabs, columns, say }) {
  const tab = (name) => () => {
    tabs.show(name);
    columns.show("context");
  };
  return {
    "next-sentence": () => desk.goTo(desk.at + 1),
    "previous-sentence": () => desk.goTo(desk.at - 1),
    "next-word": () => desk.step(1, false),
    "previous-word": () => desk.step(-1, false),
    "extend-right": () => desk.step(1, true),
    "extend-left": () => desk.step(-1, true),
    "next-unit": () => desk.walk(1),
    "previous-unit": () => desk.walk(-1),
    anchor: () => desk.drop(),
    clear() {
      desk.clear();
      desk.told();
    },
    uncovered() {
      const word = desk.selection?.last ?? desk.cursor ?? -1;
      const run = desk.nextRun({ word });
      if (!run) return say(gettext("All content words are covered."));
      editor.close();
      desk.goTo(run.at);
      return desk.select(run.first, run.last);
    },
    planned() {
      const at = nextPlanned(desk.sentences, desk.at);
      if (at < 0) return say(gettext("This set has no plan: write units for every sentence."));
      editor.close();
      return desk.goTo(at);
    },
    hold() {
      desk.isHeld = Boolean(desk.unit) && !desk.isHeld;
      desk.told();
    },
    "all-units"() {
      desk.showsAll = !desk.showsAll;
      desk.told();
    },
    "next-suggestion": () => context.walk(1),
    "previous-suggestion": () => context.walk(-1),
    "next-comment": () => comments.next(),
    document: tab("document"),
    others: desk.hasOthers ? tab("others") : () => say(gettext("This example has only one reference.")),
    suggestions: tab("suggestions"),
    comments: tab("comments"),
    history: tab("history"),
  };
}
