// The line at the bottom: whether everything is saved, how much there is, what to press.

import { atTime, el, plural } from "./studio-dom.js";
import { isAboutOpenWords } from "./studio-warnings.js";

const NO_ROOM = "Browser storage is full: keep this page open until it says Saved";

export class StatusView {
  constructor({ root, counts, outbox, book, editor, warnings, canWrite, signIn }) {
    Object.assign(this, { root, counts, outbox, book, editor, warnings, canWrite, signIn });
    this.savedAt = null;
    this.feedState = "idle";
    outbox.addEventListener("state", () => this.#saved());
    outbox.addEventListener("answer", () => (this.savedAt = Date.now()));
    editor.addEventListener("typed", () => this.render());
  }

  #saved() {
    this.feedState = "idle";
    this.render();
  }

  // What the feed has found out while nothing was being sent.
  heard(state, error) {
    if (state === this.feedState && error?.words === this.feedError?.words) return;
    this.feedState = state;
    this.feedError = error;
    if (state === "idle" && this.outbox.state !== "idle") this.outbox.hurry();
    this.render();
  }

  get waiting() {
    return this.outbox.queue.length + this.outbox.elsewhere.length + (this.editor.isWaiting ? 1 : 0);
  }

  // One word for the style, one sentence for the person.
  state() {
    const { outbox, waiting } = this;
    const state = outbox.state === "idle" || outbox.state === "sending" ? this.feedState : outbox.state;
    const kept = waiting ? `kept on this device, ${plural(waiting, "change")} waiting` : "nothing to send";
    if (this.book.store.isFull && waiting) return ["bad", NO_ROOM];
    if (outbox.refusal) return ["bad", `Not saved: ${outbox.refusal.error.message} Your text is kept on this device.`];
    if (state === "signed-out") return ["bad", "Signed out: sign in again, your text is kept on this device"];
    if (state === "refused") return ["bad", `Out of date: ${this.feedError.message} ${this.feedError.hint}`.trim()];
    if (state === "offline") return ["wait", `${this.#away()}: ${kept}${waiting ? ". Retrying" : ""}`];
    if (state === "slow") return ["wait", `Still saving, the server is slow: ${kept}`];
    if (this.book.conflicts.size) return ["bad", `${plural(this.book.conflicts.size, "unit")} changed by two people: choose a version`];
    if (waiting) return ["busy", "Saving…"];
    if (!this.canWrite) return ["good", "Read only"];
    return ["good", this.savedAt ? `Saved ${atTime(this.savedAt)}` : "Saved"];
  }

  // Who is not to be had: the line, the server, or what stands behind it.
  #away() {
    return this.outbox.state === "offline" ? this.outbox.away : (this.feedError?.words ?? "Offline");
  }

  render() {
    const [kind, words] = this.state();
    if (this.root.dataset.words !== words) {
      this.root.dataset.words = words;
      this.root.dataset.kind = kind;
      this.root.replaceChildren(words, ...this.#ways());
    }
    this.counts.textContent = `${plural(this.book.units.length, "unit")} · ${plural(this.#warnings(), "warning")}`;
  }

  #warnings() {
    const { units, warnings } = this.book;
    const lists = [["example", warnings.example], ...units.map((unit) => [unit.id, warnings[unit.id]])];
    const open = lists.flatMap(([id, list]) => this.warnings.open(id, list));
    return open.filter((warning) => !isAboutOpenWords(warning)).length;
  }

  #ways() {
    if (this.outbox.refusal) return [way("retry", "Try again"), way("give-up", "Discard this change")];
    if ([this.outbox.state, this.feedState].includes("signed-out")) {
      return [" ", el("a", { href: this.signIn, target: "_blank", rel: "noopener" }, "Sign in")];
    }
    return this.outbox.state === "offline" ? [way("retry", "Try now")] : [];
  }
}

function way(command, words) {
  return el("button.status__way", { type: "button", "data-command": command }, words);
}
