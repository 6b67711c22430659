// The units of the open example: the server's, with everything on top that waits to be sent and
// what is being typed. Every action goes through here; views only listen.

import { foldOps, namesGiven, renamed, takeChange, touched } from "./studio-model.js";
import { sameSpans } from "./studio-spans.js";
import { tidy } from "./studio-text.js";

export class Book extends EventTarget {
  constructor({ state, person, store, outbox, history, url }) {
    super();
    Object.assign(this, { person, store, outbox, history, url });
    this.base = state.units.map((unit) => ({ ...unit, seen: state.change }));
    this.warnings = state.warnings;
    this.drafts = new Map();
    this.conflicts = new Map();
    this.changedBy = new Map();
    this.ownOps = new Set(outbox.queue.map((record) => record.op));
    this.all = [];
    this.refold();
  }

  // Reading --------------------------------------------------------------------

  get units() {
    return this.all.filter((unit) => !unit.deleted);
  }

  // With what is being typed: a unit stands on the words that its text keeps.
  spansOf(unit) {
    return this.drafts.get(unit.id)?.spans ?? unit.spans;
  }

  unit(id) {
    return this.all.find((unit) => unit.id === id);
  }

  refold() {
    const drafts = [...this.drafts.values()].filter((draft) => draft.isNew);
    this.all = foldOps(this.base, [...this.outbox.queue, ...drafts.map(asOp)], this.person);
  }

  told(name = "change", detail = null) {
    this.refold();
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // Acting ---------------------------------------------------------------------

  // One action of the person's: seen at once, kept at once, sent when the server can be reached.
  submit(action, changes, { group = null, isRecorded = true } = {}) {
    this.refold();
    const before = this.all;
    const op = { op: newName(), action, changes: this.#numbered(changes) };
    if (!this.#joinOpen(op, group)) this.outbox.add(this.url, { ...op, group });
    this.ownOps.add(op.op);
    this.refold();
    this.#keepUp(before, touched(op));
    const moved = changes.filter((change) => change.action === "move").map((change) => change.unit);
    const record = { action, ids: touched(op), moved, before, after: this.all, group };
    if (isRecorded) this.history.record(record);
    this.told();
  }

  // Each change names the revision that it starts from; a second one of a unit follows the first.
  #numbered(changes) {
    const next = new Map(this.all.map((unit) => [unit.id, unit.revision]));
    return changes.map((change) => {
      if (change.action === "create" || change.action === "move") {
        if (change.action === "create") next.set(change.unit, 1);
        return change;
      }
      const revision = change.revision ?? next.get(change.unit);
      next.set(change.unit, revision + 1);
      return { ...change, revision };
    });
  }

  // More of the same text before anything was sent: one action instead of two.
  #joinOpen(op, group) {
    const { open } = this.outbox;
    const [change] = op.changes;
    if (!open || !group || open.group !== group || op.changes.length !== 1 || change.action !== "update") return false;
    const earlier = open.changes.find((each) => each.unit === change.unit && /create|update/.test(each.action));
    if (!earlier) return false;
    if (change.text !== undefined) earlier.text = change.text;
    if (change.spans !== undefined) earlier.spans = change.spans;
    earlier.seconds = (earlier.seconds ?? 0) + (change.seconds ?? 0);
    this.outbox.keep(open);
    return true;
  }

  // What is typed on stands on what was just done to the same unit.
  #keepUp(before, ids) {
    for (const id of ids) {
      const draft = this.drafts.get(id);
      const known = before.find((unit) => unit.id === id);
      if (draft && !draft.isNew && (!known || known.revision === draft.revision)) {
        draft.revision = this.unit(id).revision;
        if (draft.isDirty) this.store.keepDraft(draft);
      }
    }
  }

  // Hearing --------------------------------------------------------------------

  answered(record, { change, warnings }) {
    this.acknowledge(record, change);
    this.warnings = warnings;
    this.told();
  }

  acknowledge(record, change) {
    const names = namesGiven(record, change);
    this.base = takeChange(this.base, change);
    const later = this.outbox.queue.filter((each) => each.name !== record.name).map((each) => renamed(each, names));
    const checked = touched(renamed({ changes: record.changes.filter((each) => each.action !== "move") }, names));
    for (const id of checked) this.#renumber(later, change.units[id], names);
    this.outbox.replace(later);
    if (names.size) this.#rename(names);
  }

  // Later actions of ours start from where this one has led, whatever number that has. Only units
  // whose revision this one had to name: of others it may bring news that we have not looked at.
  #renumber(records, state, names) {
    if (!state) return;
    let { revision } = state;
    for (const each of records.flatMap((record) => record.changes)) {
      if (each.unit === state.id && "revision" in each) each.revision = revision++;
    }
    const draft = this.drafts.get([...names].find(([, id]) => id === state.id)?.[0] ?? state.id);
    if (draft && !draft.isNew && !this.conflicts.has(state.id)) draft.revision = revision;
  }

  #rename(names) {
    for (const draft of this.drafts.values()) draft.after = names.get(draft.after) ?? draft.after;
    for (const [name, id] of names) {
      const draft = this.drafts.get(name);
      if (!draft || draft.isNew) continue;
      this.drafts.delete(name);
      this.drafts.set(id, draft);
      if (draft.isDirty) this.store.removeDraft(name);
      draft.unit = id;
      if (draft.isDirty) this.store.keepDraft(draft);
    }
    this.history.rename(names);
    this.told("rename", names);
  }

  // The feed: our own changes come back too, and may bring an answer that was lost on its way.
  heard({ changes, warnings }) {
    for (const change of changes) this.#hear(change);
    if (warnings) this.warnings = warnings;
    if (changes.length || warnings) this.told();
  }

  #hear(change) {
    const record = this.outbox.queue.find((each) => each.op === change.op);
    if (record) {
      this.acknowledge(record, change);
      this.outbox.drop(record);
    } else {
      this.base = takeChange(this.base, change);
      if (!this.ownOps.has(change.op)) this.#hearOthers(change);
    }
  }

  #hearOthers(change) {
    this.refold();
    for (const state of Object.values(change.units)) {
      this.changedBy.set(state.id, { revision: state.revision, name: change.actor });
      const draft = this.drafts.get(state.id);
      const conflict = this.conflicts.get(state.id);
      if (conflict) this.clash(state.id, conflict.mine, state, change.actor);
      else if (draft && state.revision > draft.revision) this.#meet(draft, state, change.actor);
    }
    this.dispatchEvent(new CustomEvent("others", { detail: change }));
  }

  #meet(draft, state, who) {
    const isSame = !draft.isDirty || tidy(draft.text) === state.text;
    const { revision, text, spans } = state;
    if (isSame && !state.deleted) Object.assign(draft, { revision, text, spans, follow: { spans, text } });
    else if (isSame) this.dispatchEvent(new CustomEvent("gone", { detail: state.id }));
    else this.clash(state.id, { text: draft.text, spans: this.spansOf(this.unit(state.id)) }, state, who);
  }

  // Conflicts --------------------------------------------------------------------

  clash(id, mine, theirs, who = "") {
    const isSame = tidy(mine.text) === theirs.text && sameSpans(mine.spans, theirs.spans) && !theirs.deleted;
    this.drafts.delete(id);
    this.conflicts.delete(id);
    if (isSame) {
      this.store.removeDraft(id);
    } else {
      this.conflicts.set(id, { unit: id, mine, theirs, who });
      this.store.keepDraft({ unit: id, text: mine.text, spans: mine.spans, revision: 0, isDirty: true });
    }
    this.dispatchEvent(new CustomEvent(isSame ? "gone" : "clash", { detail: id }));
  }

  // More was typed into our side of a conflict.
  retype(id, text) {
    const { mine } = this.conflicts.get(id);
    mine.text = text;
    this.store.keepDraft({ unit: id, text, spans: mine.spans, revision: 0, isDirty: true });
  }

  settle(id, side) {
    const { mine, theirs } = this.conflicts.get(id);
    this.conflicts.delete(id);
    this.store.removeDraft(id);
    if (side === "mine") this.submit("update", this.#insist(id, mine, theirs));
    else if (side === "both") this.submit("create", [{ action: "create", unit: temporaryName(), ...mine, after: id }]);
    else this.told();
  }

  #insist(id, mine, theirs) {
    const spans = sameSpans(mine.spans, theirs.spans) ? {} : { spans: mine.spans };
    const update = { action: "update", unit: id, text: mine.text, ...spans };
    return theirs.deleted ? [{ action: "restore", unit: id }, update] : [update];
  }

  // The server declined an action because a unit is not what we took it for.
  stale(record, current) {
    const mine = this.unit(current.id);
    const isSave = record.changes.length === 1 && record.changes[0].action === "update" && record.action === "update";
    this.base = takeChange(this.base, { id: Infinity, units: { [current.id]: current } });
    this.base = this.base.map((unit) => (unit.id === current.id ? { ...unit, seen: 0 } : unit));
    if (isSave) this.#dropSaves(record, current.id);
    else this.#dropAction(record);
    const said = { text: this.drafts.get(current.id)?.text ?? mine.text, spans: this.spansOf(mine) };
    if (isSave) this.clash(current.id, said, current, this.#whoMade(current));
    else this.dispatchEvent(new CustomEvent("dropped", { detail: record }));
    this.told();
  }

  // The feed may have told of the change before our own was declined.
  #whoMade({ id, revision }) {
    const known = this.changedBy.get(id);
    return known?.revision === revision ? known.name : "";
  }

  #dropSaves(record, id) {
    const isSave = (change) => change.action === "update" && change.unit === id;
    const isSaveOf = (each) => each.changes.length > 0 && each.changes.every(isSave);
    for (const each of this.outbox.queue.filter(isSaveOf)) this.outbox.drop(each);
    this.outbox.drop(record);
  }

  // What the action would have made is made all the same if something was written into it since.
  #dropAction(record) {
    const made = record.changes.filter((change) => change.action === "create");
    const later = this.outbox.queue.filter((each) => each.name !== record.name);
    const isUsed = later.some((each) => touched(each).some((id) => made.some((change) => change.unit === id)));
    if (!isUsed) return this.outbox.drop(record);
    Object.assign(record, { op: newName(), action: "create", changes: made, tried: false });
    this.ownOps.add(record.op);
    return this.outbox.keep(record);
  }
}

let made = 0;

export function temporaryName() {
  made += 1;
  return `tmp-${Date.now().toString(36)}-${made}`;
}

function asOp(draft) {
  const { unit, text, spans, after, promoted } = draft;
  return { changes: [{ action: "create", unit, text, spans, after, promoted_from: promoted }] };
}

// For an action or a comment: sent twice under one name, it is made once.
export function newName() {
  return crypto.randomUUID?.() ?? randomName();
}

// Pages that are not served securely have no randomUUID.
function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
