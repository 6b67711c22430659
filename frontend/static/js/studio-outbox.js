// Actions on their way to the server: one after the other, kept until answered, sent again with
// the same name after whatever came between.

import { call, Refused, SignedOut, Unreachable } from "./studio-net.js";
import { onTheWire } from "./studio-model.js";
import { gettext } from "./words.js";

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;
const SLOW_AFTER = 4000;

export class Outbox extends EventTarget {
  #timer = 0;
  #pause = FIRST_PAUSE;
  #running = null;

  // `isStillMe` asks the server who is signed in: what one person wrote is not sent as another's.
  constructor(store, isStillMe) {
    super();
    Object.assign(this, { store, isStillMe });
    const kept = store.ops();
    this.queue = kept.filter((record) => record.place === store.place);
    this.elsewhere = kept.filter((record) => record.place !== store.place && !record.aside);
    this.state = "idle";
    this.refusal = null;
    this.away = gettext("Offline");
    addEventListener("online", () => this.hurry());
    addEventListener("focus", () => this.state !== "idle" && this.hurry());
  }

  add(url, op) {
    this.queue.push(this.store.addOp({ ...op, url }));
    this.run();
  }

  // The last action, as long as nobody can have seen it: it may still be added to.
  get open() {
    const last = this.queue.at(-1);
    return last && !last.tried ? last : null;
  }

  keep(record) {
    this.store.keepOp(record);
  }

  replace(queue) {
    this.queue = queue;
    for (const record of queue) this.keep(record);
  }

  drop(record) {
    this.store.removeOp(record);
    this.queue = this.queue.filter((each) => each.name !== record.name);
    this.elsewhere = this.elsewhere.filter((each) => each.name !== record.name);
  }

  hurry() {
    clearTimeout(this.#timer);
    this.#pause = FIRST_PAUSE;
    this.refusal = null;
    return this.run();
  }

  // What a leaving page can still do: hand the next action over without waiting for the answer.
  async part() {
    const next = this.queue[0];
    if (!next) return;
    next.tried = true;
    this.keep(next);
    await call(next.url, { body: onTheWire(next), keepalive: true }).catch((error) => this.#note(error));
  }

  // Send until nothing is left or the server cannot be reached; one such round at a time.
  run() {
    if (this.refusal) return Promise.resolve();
    this.#running ??= this.#round().finally(() => (this.#running = null));
    return this.#running;
  }

  async #round() {
    clearTimeout(this.#timer);
    while (this.#next() && (await this.#send(this.#next())));
    if (!this.#next()) this.#say("idle");
  }

  // What a call of somebody else's has found out about the server.
  note(state) {
    if (state === "idle" && this.#next()) return;
    this.#say(state);
  }

  #next() {
    return [...this.elsewhere, ...this.queue][0];
  }

  async #send(record) {
    record.tried = true;
    this.keep(record);
    if (this.state === "idle") this.#say("sending");
    const slow = setTimeout(() => this.state === "sending" && this.#say("slow"), SLOW_AFTER);
    try {
      if (this.state === "signed-out" && !(await this.isStillMe())) throw new SignedOut("somebody else");
      const answer = await call(record.url, { body: onTheWire(record) });
      this.#answered(record, answer);
      return true;
    } catch (error) {
      return this.#failed(record, error);
    } finally {
      clearTimeout(slow);
    }
  }

  // Whether what waits is not just on its way.
  get isStuck() {
    return !["idle", "sending"].includes(this.state);
  }

  #answered(record, answer) {
    this.#pause = FIRST_PAUSE;
    const isHere = record.place === this.store.place;
    // First tell, then let go: a page that ends in between sends the action again.
    if (isHere) this.dispatchEvent(new CustomEvent("answer", { detail: { record, answer } }));
    this.drop(record);
    this.#say(this.#next() ? "sending" : "idle");
  }

  #failed(record, error) {
    if (!(error instanceof Refused)) {
      this.#note(error);
      return false;
    }
    if (record.place !== this.store.place) return this.#setAside(record);
    if (error.error.code === "stale") {
      this.dispatchEvent(new CustomEvent("stale", { detail: { record, current: error.error.current } }));
      return true;
    }
    this.refusal = { record, error: error.error };
    this.#say("refused");
    return false;
  }

  // Another example's quarrel is settled when that example is open.
  #setAside(record) {
    this.keep({ ...record, aside: true });
    this.elsewhere = this.elsewhere.filter((each) => each.name !== record.name);
    return true;
  }

  #note(error) {
    if (error instanceof SignedOut) this.#say("signed-out");
    else if (error instanceof Unreachable) this.#sayAway(error);
    else throw error;
    this.#timer = setTimeout(() => this.run(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  #sayAway(error) {
    const words = error.words ?? gettext("Offline");
    if (words !== this.away) this.state = "";
    this.away = words;
    this.#say("offline");
  }

  #say(state) {
    if (state === this.state && state !== "idle") return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
