// Undo and redo without limit: what units were before and after each action, kept with the tab.

import { changesTo, isAt, snapshot } from "./studio-model.js";
import { recallInTab, rememberInTab } from "./studio-store.js";

export class History {
  constructor(name) {
    this.name = `giza-studio-history/${name}`;
    ({ done: this.done, undone: this.undone } = recallInTab(this.name, { done: [], undone: [] }));
  }

  // Actions of one group, such as the saves of one sitting at a field, are undone together.
  record({ action, ids, moved, before, after, group = null }) {
    const states = (units) => Object.fromEntries(ids.map((id) => [id, snapshot(units, id)]));
    const entry = { action, moved, group, before: states(before), after: states(after) };
    const last = this.done.at(-1);
    if (group && last?.group === group) {
      last.before = { ...entry.before, ...last.before };
      last.after = { ...last.after, ...entry.after };
    } else {
      this.done.push(entry);
    }
    this.undone = [];
    this.#keep();
  }

  undo(units) {
    return this.#turn(units, this.done, this.undone, "before", "after");
  }

  redo(units) {
    return this.#turn(units, this.undone, this.done, "after", "before");
  }

  rename(names) {
    const swap = (states) =>
      Object.fromEntries(
        Object.entries(states).map(([id, state]) => [
          names.get(id) ?? id,
          state && { ...state, after: names.get(state.after) ?? state.after },
        ]),
      );
    for (const entry of [...this.done, ...this.undone]) {
      entry.before = swap(entry.before);
      entry.after = swap(entry.after);
      entry.moved = entry.moved.map((id) => names.get(id) ?? id);
    }
    this.#keep();
  }

  // The entry with the changes that take it back; `isStale` if somebody changed a unit since.
  #turn(units, from, to, target, expected) {
    const entry = from.pop();
    if (!entry) return null;
    const ids = Object.keys(entry[target]).map((id) => (/^\d+$/.test(id) ? Number(id) : id));
    const isStale = ids.some((id) => !isAt(units, id, entry[expected][id]));
    const changes = ids.flatMap((id) => changesTo(units, id, entry[target][id], entry.moved.includes(id)));
    if (!isStale) to.push({ ...entry, group: null });
    this.#keep();
    return { action: entry.action, changes, ids, isStale };
  }

  #keep() {
    rememberInTab(this.name, { done: this.done, undone: this.undone });
  }
}
