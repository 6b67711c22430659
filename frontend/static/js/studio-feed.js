// What others do in the same example, asked for while the page is looked at.

import { call, Refused, SignedOut, Unreachable } from "./studio-net.js";

const EVERY = 2000;
const PORTION = 200;

export class Feed extends EventTarget {
  #timer = 0;
  #isAsking = false;

  constructor(url, last) {
    super();
    this.url = url;
    this.last = last;
    document.addEventListener("visibilitychange", () => this.#wake());
    addEventListener("focus", () => this.#wake());
    addEventListener("online", () => this.#wake());
  }

  start() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), EVERY);
  }

  async ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const answer = await call(`${this.url}?after=${this.last}`);
      this.last = answer.changes.at(-1)?.id ?? this.last;
      this.dispatchEvent(new CustomEvent("news", { detail: answer }));
      this.#say("idle");
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isAsking = false;
    }
  }

  // Everything that ever happened here, oldest first.
  async all() {
    const changes = [];
    let portion = [];
    do {
      ({ changes: portion } = await call(`${this.url}?after=${changes.at(-1)?.id ?? 0}`));
      changes.push(...portion);
    } while (portion.length === PORTION);
    return changes;
  }

  async #tick() {
    if (!document.hidden) await this.ask();
    this.start();
  }

  #wake() {
    if (!document.hidden) this.ask();
  }

  #failed(error) {
    if (error instanceof SignedOut) this.#say("signed-out");
    else if (error instanceof Unreachable) this.#say("offline", error);
    else if (error instanceof Refused) this.#say("refused", error.error);
    else throw error;
  }

  #say(state, error = null) {
    this.dispatchEvent(new CustomEvent("state", { detail: { state, error } }));
  }
}
