// The line at the bottom: whether everything is saved, how much there is, what to press.

import { atTime, el } from "./studio-dom.js";
import { isAboutOpenWords } from "./studio-warnings.js";
import { gettext, inDigits, interpolate, ngettext } from "./words.js";

const NO_ROOM = gettext("Browser storage is full: keep this page open until it says Saved");
const NOT_SAVED = gettext("Not saved: %(reason)s Your text is kept on this device.");

function inConflict(count) {
  const words = ngettext("%(count)s unit changed by two people: choose a version", "%(count)s units changed by two people: choose a version", count);
  return interpolate(words, { count: inDigits(count) });
}

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
    const waits = ngettext("kept on this device, %(count)s change waiting", "kept on this device, %(count)s changes waiting", waiting);
    const kept = waiting ? interpolate(waits, { count: inDigits(waiting) }) : gettext("nothing to send");
    if (this.book.store.isFull && waiting) return ["bad", NO_ROOM];
    if (outbox.refusal) return ["bad", interpolate(NOT_SAVED, { reason: outbox.refusal.error.message })];
    if (state === "signed-out") return ["bad", gettext("Signed out: sign in again, your text is kept on this device")];
    if (state === "refused") return ["bad", interpolate(gettext("Out of date: %(reason)s"), { reason: `${this.feedError.message} ${this.feedError.hint}` }).trim()];
    if (state === "offline") return ["wait", `${this.#away()}: ${kept}${waiting ? `. ${gettext("Retrying")}` : ""}`];
    if (state === "slow") return ["wait", interpolate(gettext("Still saving, the server is slow: %(kept)s"), { kept })];
    if (this.book.conflicts.size) return ["bad", inConflict(this.book.conflicts.size)];
    if (waiting) return ["busy", gettext("Saving…")];
    if (!this.canWrite) return ["good", gettext("Read only")];
    return ["good", this.savedAt ? interpolate(gettext("Saved %(time)s"), { time: atTime(this.savedAt) }) : gettext("Saved")];
  }

  // Who is not to be had: the line, the server, or what stands behind it.
  #away() {
    return this.outbox.state === "offline" ? this.outbox.away : (this.feedError?.words ?? gettext("Offline"));
  }

  render() {
    const [kind, words] = this.state();
    if (this.root.dataset.words !== words) {
      this.root.dataset.words = words;
      this.root.dataset.kind = kind;
      this.root.replaceChildren(words, ...this.#ways());
    }
    const [units, warnings] = [this.book.units.length, this.#warnings()];
    const parts = [
      interpolate(ngettext("%(count)s unit", "%(count)s units", units), { count: inDigits(units) }),
      interpolate(ngettext("%(count)s warning", "%(count)s warnings", warnings), { count: inDigits(warnings) }),
    ];
    this.counts.textContent = parts.join(" · ");
  }

  #warnings() {
    const { units, warnings } = this.book;
    const lists = [["example", warnings.example], ...units.map((unit) => [unit.id, warnings[unit.id]])];
    const open = lists.flatMap(([id, list]) => this.warnings.open(id, list));
    return open.filter((warning) => !isAboutOpenWords(warning)).length;
  }

  #ways() {
    if (this.outbox.refusal) return [way("retry", gettext("Try again")), way("give-up", gettext("Discard this change"))];
    if ([this.outbox.state, this.feedState].includes("signed-out")) {
      return [" ", el("a", { href: this.signIn, target: "_blank", rel: "noopener" }, gettext("Sign in"))];
    }
    return this.outbox.state === "offline" ? [way("retry", gettext("Try now"))] : [];
  }
}

function way(command, words) {
  return el("button.status__way", { type: "button", "data-command": command }, words);
}
