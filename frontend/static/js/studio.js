// The SCU studio: puts the parts together. State and queue in studio-book.js and studio-outbox.js,
// what is shown in the views, what can be done in studio-commands.js.

import { Book } from "./studio-book.js";
import { movingCommands, writingCommands } from "./studio-commands.js";
import { CommentsView } from "./studio-comments.js";
import { ContextView } from "./studio-context.js";
import { Desk } from "./studio-desk.js";
import { announce, readJson } from "./studio-dom.js";
import { Editor } from "./studio-editor.js";
import { Feed } from "./studio-feed.js";
import { History } from "./studio-history.js";
import { followKeys } from "./studio-keys.js";
import { call } from "./studio-net.js";
import { Outbox } from "./studio-outbox.js";
import { placeToStart, withPlan } from "./studio-plan.js";
import { PresentView } from "./studio-present.js";
import { ReferenceView } from "./studio-reference.js";
import { ReviewView } from "./studio-review.js";
import { StatusView } from "./studio-status.js";
import { Store } from "./studio-store.js";
import { Tabs } from "./studio-tabs.js";
import { sentencesOf } from "./studio-text.js";
import { UnitsView } from "./studio-units.js";
import { Warnings } from "./studio-warnings.js";
import { gettext, interpolate } from "./words.js";

const CHOOSE = gettext("Two versions of one unit: Alt+M keeps yours, Alt+T uses theirs, Alt+B keeps both.");

const root = document.getElementById("studio");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const state = readJson("studio-state");
const urls = readJson("studio-urls");
const canWrite = root.dataset.canWrite === "true";
const person = root.dataset.personName;

const place = `${state.set.id}/${state.example.id}`;
const store = new Store(root.dataset.person, place);
const outbox = new Outbox(store, async () => String((await call(root.dataset.me)).id) === root.dataset.person);
const history = new History(`${root.dataset.person}/${place}`);
const book = new Book({ state, person, store, outbox, history, url: urls.ops });
const desk = new Desk(book, withPlan(sentencesOf(state.references), state.plan));
const editor = new Editor(book, desk, urls);
const feed = new Feed(urls.changes, state.change);
const warnings = new Warnings(readJson("studio-rules"));
const tabs = new Tabs(part("context-tabs"));
const columns = new Tabs(part("columns"));

let forgetting = 0;

function say(words) {
  part("message").textContent = words;
  announce(words);
  clearTimeout(forgetting);
  forgetting = setTimeout(() => (part("message").textContent = ""), 10_000);
}

const roots = Object.fromEntries(["others", "suggestions", "history"].map((name) => [name, part(name)]));
const shared = { root, desk, book, editor, outbox, feed, store, urls, warnings, tabs, columns, canWrite, say };
const reference = new ReferenceView(part("references"), desk, shared);
const units = new UnitsView({
  ...shared,
  root: part("units"),
  title: part("units-title"),
  empty: part("units-empty"),
  toggle: part("units-toggle"),
});
const context = new ContextView({ ...shared, roots, suggestions: state.suggestions });
const comments = new CommentsView({ ...shared, root: part("comments"), comments: state.comments, person });
const review = new ReviewView({
  ...shared,
  root: part("review"),
  whole: part("example-warnings"),
  assignment: state.assignment,
  personId: Number(root.dataset.person),
});
new PresentView({ root: part("present"), feed });
const status = new StatusView({ ...shared, root: part("saved"), counts: part("counts"), signIn: root.dataset.signIn });

// What can be done ---------------------------------------------------------------------

const parts = { ...shared, context, comments };
const writing = writingCommands(parts);
const settle = (side) => () => {
  const id = book.conflicts.has(desk.inHand) ? desk.inHand : [...book.conflicts.keys()][0];
  if (id === undefined) return undefined;
  if (units.isOnScreen(id) || book.unit(id)?.deleted) return book.settle(id, side);
  desk.take(id);
  columns.show("units");
  return say(CHOOSE);
};
const commands = {
  ...movingCommands(parts),
  ...(canWrite ? { ...writing, "add-suggestion": writing.addSuggestion } : {}),
  ...(canWrite ? { "keep-mine": settle("mine"), "take-theirs": settle("theirs"), "keep-both": settle("both") } : {}),
  ...(canWrite ? { comment: () => comments.write(), accept: (id) => comments.close("accept", id) } : {}),
  ...(canWrite ? { reject: (id) => comments.close("reject", id), answer: (id) => comments.answer(id) } : {}),
  ...(canWrite ? { advance: () => review.advance(), reopen: () => review.reopen() } : {}),
  retry: () => outbox.hurry(),
  "give-up"() {
    outbox.drop(outbox.refusal.record);
    book.told();
    outbox.hurry();
  },
};

function run(name, target = null) {
  if (/^(next|keep|leave)$/.test(name) && target?.closest?.(".is-conflict")) return say(CHOOSE);
  const item = target?.closest?.("[data-unit]");
  if (item && !item.contains(document.activeElement)) desk.inHand = units.idOf(item);
  const id = target?.closest?.("[data-id]")?.dataset.id;
  return commands[name]?.(id === undefined ? undefined : Number(id));
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-command]");
  if (button) run(button.dataset.command, button);
});
// A press on a button leaves the focus in the field, so that the field is not left by it.
root.addEventListener("pointerdown", (event) => {
  if (event.target.closest("[data-command], .warning") && document.activeElement.matches("[data-field]")) event.preventDefault();
});
followKeys(run, (name) => name in commands);

// What is shown ------------------------------------------------------------------------

let isDrawing = false;

function draw() {
  isDrawing = false;
  reference.render();
  units.render();
  context.render();
  comments.render();
  status.render();
  review.render();
  columns.count("units", book.units.length);
  part("pinned").textContent = desk.sentence?.text ?? "";
}

// Several changes of one moment are drawn once.
function soon() {
  if (isDrawing) return;
  isDrawing = true;
  queueMicrotask(draw);
}

let seen = "";

// Where there is room for one column, it is the one with the field.
editor.addEventListener("opened", () => columns.show("units"));
columns.addEventListener("shown", () => (part("desk").dataset.column = columns.shown));

desk.addEventListener("change", () => {
  soon();
  queueMicrotask(() => {
    const now = `${desk.at}/${desk.inHand}`;
    if (now !== seen) {
      reference.showCurrent();
      units.showInHand();
    }
    if (desk.cursor !== null) announce(desk.word());
    else if (now !== seen) announce(desk.unit?.text ?? `${interpolate(gettext("Sentence %(number)s"), { number: desk.sentence?.number })}: ${desk.sentence?.text}`);
    seen = now;
  });
});
book.addEventListener("change", soon);
book.addEventListener("rename", ({ detail: names }) => {
  desk.rename(names);
  warnings.rename(names);
});
book.addEventListener("clash", () => say(CHOOSE));
book.addEventListener("dropped", () => say(gettext("Someone else changed the unit, so this was not applied. Nothing was lost.")));
book.addEventListener("others", ({ detail: { actor } }) => {
  if (actor !== person) say(interpolate(gettext("%(name)s changed units of this example."), { name: actor || gettext("Someone") }));
});
outbox.addEventListener("state", soon);
outbox.addEventListener("answer", ({ detail: { record, answer } }) => {
  if (record.comment) return comments.answered(record, answer);
  book.answered(record, answer);
  return review.take(answer.assignment);
});
outbox.addEventListener("stale", (event) => {
  book.stale(event.detail.record, event.detail.current);
  feed.ask();
});
feed.addEventListener("news", (event) => {
  book.heard(event.detail);
  review.take(event.detail.assignment);
});
feed.addEventListener("state", (event) => status.heard(event.detail.state, event.detail.error));
addEventListener("pagehide", () => {
  editor.save();
  outbox.part();
});

desk.at = placeToStart(desk.sentences, location.hash);
for (const draft of canWrite ? store.drafts() : []) editor.resume(draft);
if (location.hash === "#history") {
  tabs.show("history");
  columns.show("context");
}
draw();
root.classList.add("is-ready");
outbox.run();
feed.start();
