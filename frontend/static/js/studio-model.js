// The units of an example as the server has them, and as they will be once everything that waits
// to be sent has arrived. Pure: states in, states out.

import { bare, sameSpans } from "./studio-spans.js";
import { tidy } from "./studio-text.js";

function ordered(units) {
  return [...units].sort((one, other) => one.position - other.position || 0);
}

function place(list, unit, after) {
  const rest = list.filter((each) => each.id !== unit.id);
  const at = rest.findIndex((each) => each.id === after) + 1;
  return [...rest.slice(0, at), unit, ...rest.slice(at)];
}

function created(change, person) {
  return {
    id: change.unit,
    kind: "scu",
    text: tidy(change.text ?? ""),
    spans: change.spans ?? [],
    revision: 1,
    deleted: false,
    weight: 1,
    author: person,
    extractor: "",
    promoted_from: change.promoted_from ?? null,
    waiting: true,
  };
}

function changed(unit, change) {
  const next = { ...unit, revision: unit.revision + 1, waiting: true };
  if (change.action === "delete") next.deleted = true;
  if (change.action === "restore") next.deleted = false;
  if (change.text !== undefined) next.text = tidy(change.text);
  if (change.spans !== undefined) next.spans = change.spans;
  return next;
}

function step(list, change, person) {
  if (change.action === "create") {
    const unit = created(change, person);
    return "after" in change ? place(list, unit, change.after) : [...list, unit];
  }
  const unit = list.find((each) => each.id === change.unit);
  if (!unit) return list;
  if (change.action === "move") return place(list, unit, change.after);
  return list.map((each) => (each === unit ? changed(unit, change) : each));
}

// The server's units with the changes of the given actions made, in their order.
export function foldOps(units, ops, person) {
  const changes = ops.flatMap((op) => op.changes);
  return changes.reduce((list, change) => step(list, change, person), ordered(units));
}

// A change that the server made. A unit that a later change has reached already stays as it is.
export function takeChange(units, change) {
  const known = new Map(units.map((unit) => [unit.id, unit]));
  for (const state of Object.values(change.units)) {
    if ((known.get(state.id)?.seen ?? 0) < change.id) known.set(state.id, { ...state, seen: change.id });
  }
  return [...known.values()];
}

// What the server called the units that an action made: the newest ids, in the order of making.
export function namesGiven(op, change) {
  const temporary = op.changes.filter((each) => each.action === "create").map((each) => each.unit);
  if (!temporary.length) return new Map();
  const ids = Object.keys(change.units).map(Number).sort((one, other) => one - other);
  const newest = ids.slice(-temporary.length);
  return new Map(temporary.map((name, index) => [name, newest[index]]));
}

export function renamed(op, names) {
  const name = (id) => names.get(id) ?? id;
  const changes = op.changes.map((change) => ({
    ...change,
    unit: name(change.unit),
    ...("after" in change && { after: name(change.after) }),
  }));
  return { ...op, changes };
}

export function touched(op) {
  return [...new Set(op.changes.map((change) => change.unit))];
}

// What goes over the wire: spans without what only the page knows of them; of a comment, itself.
export function onTheWire(op) {
  if (op.comment) return { op: op.op, ...op.comment };
  const changes = op.changes.map((change) => (change.spans ? { ...change, spans: bare(change.spans) } : change));
  return { op: op.op, action: op.action, changes };
}

export function predecessor(units, id) {
  const at = units.findIndex((unit) => unit.id === id);
  return at > 0 ? units[at - 1].id : null;
}

export function snapshot(units, id) {
  const unit = units.find((each) => each.id === id);
  if (!unit) return null;
  return { text: unit.text, spans: unit.spans, deleted: unit.deleted, after: predecessor(units, id) };
}

export function isAt(units, id, target) {
  const unit = units.find((each) => each.id === id);
  if (!target || !unit) return !unit || unit.deleted;
  if (target.deleted || unit.deleted) return target.deleted === unit.deleted;
  return unit.text === target.text && sameSpans(unit.spans, target.spans);
}

// The changes that bring a unit back to how it was; none if it is so already.
export function changesTo(units, id, target, isMoved) {
  const unit = units.find((each) => each.id === id);
  if (!unit) return [];
  const goal = target ?? { ...unit, deleted: true };
  const changes = [];
  let { revision } = unit;
  const add = (change) => changes.push({ ...change, unit: id, revision: revision++ });
  if (unit.deleted && !goal.deleted) add({ action: "restore" });
  const text = unit.text === goal.text ? {} : { text: goal.text };
  const spans = sameSpans(unit.spans, goal.spans) ? {} : { spans: goal.spans };
  if ("text" in text || "spans" in spans) add({ action: "update", ...text, ...spans });
  if (!unit.deleted && goal.deleted) add({ action: "delete" });
  if (isMoved && target) changes.push({ action: "move", unit: id, after: target.after });
  return changes;
}
