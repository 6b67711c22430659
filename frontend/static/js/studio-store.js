// What must outlive the page: actions that wait to be sent, and text that is being typed.
//
// Each has an entry of its own, so that two windows never write over each other's. Actions of all
// examples are kept together: whichever studio page is open sends them.

const ROOT = "giza-studio";
let counter = 0;

// A browser may shut its storage. Then things last as long as the page, and the page says so.
function open(name) {
  try {
    return window[name];
  } catch (error) {
    console.info("Giza: browser storage is unavailable.", error.name);
    return null;
  }
}

// What lasts as long as the tab: undo, and warnings that were read.
export function recallInTab(name, otherwise) {
  return JSON.parse(open("sessionStorage")?.getItem(name) ?? "null") ?? otherwise;
}

// Whether there was room for it.
export function rememberInTab(name, value) {
  return write(open("sessionStorage"), name, value);
}

function write(storage, name, value) {
  try {
    storage?.setItem(name, JSON.stringify(value));
    return Boolean(storage);
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
    return false;
  }
}

function inOrderOfTime() {
  counter += 1;
  return `${String(Date.now()).padStart(15, "0")}-${String(counter).padStart(6, "0")}`;
}

export class Store {
  constructor(person, place) {
    this.root = `${ROOT}/${person}`;
    this.place = place;
    this.storage = open("localStorage");
    this.isFull = !this.storage;
  }

  // Actions ------------------------------------------------------------------

  ops() {
    return this.#read(`${this.root}/op/`).map(([name, record]) => ({ ...record, name }));
  }

  addOp(record) {
    const name = `${this.root}/op/${inOrderOfTime()}-${record.op.slice(0, 8)}`;
    const kept = { ...record, place: this.place, name };
    this.keepOp(kept);
    return kept;
  }

  keepOp({ name, ...record }) {
    this.#write(name, record);
  }

  removeOp(record) {
    this.#remove(record.name);
  }

  // Text ---------------------------------------------------------------------

  drafts() {
    return this.#read(`${this.root}/draft/${this.place}/`).map(([, draft]) => draft);
  }

  keepDraft(draft) {
    this.#write(this.#draftName(draft.unit), draft);
  }

  removeDraft(unit) {
    this.#remove(this.#draftName(unit));
  }

  #draftName(unit) {
    return `${this.root}/draft/${this.place}/${unit}`;
  }

  // A remark that is not sent yet, and an answer to one; each once for an example.
  get remark() {
    return this.#one("remark");
  }

  set remark(value) {
    this.#setOne("remark", value);
  }

  get reply() {
    return this.#one("reply");
  }

  set reply(value) {
    this.#setOne("reply", value);
  }

  #one(kind) {
    return this.#read(`${this.root}/${kind}/${this.place}/`)[0]?.[1] ?? null;
  }

  #setOne(kind, value) {
    const name = `${this.root}/${kind}/${this.place}/`;
    if (value === null) this.#remove(name);
    else this.#write(name, value);
  }

  // The browser's storage ------------------------------------------------------

  #read(prefix) {
    const names = Object.keys(this.storage ?? {}).filter((name) => name.startsWith(prefix)).sort();
    return names.map((name) => [name, JSON.parse(this.storage.getItem(name))]);
  }

  #write(name, value) {
    this.isFull = !write(this.storage, name, value);
  }

  #remove(name) {
    this.storage?.removeItem(name);
  }
}
