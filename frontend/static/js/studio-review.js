// Who writes, who checks, who signed off; and the one step that takes the example on.

import { commandButton, el } from "./studio-dom.js";
import { ask } from "./studio-net.js";

const STATES = { todo: "To write", written: "To check", signed: "Signed off" };
const KINDS = { todo: "", written: "badge--wait", signed: "badge--good" };
const STEPS = { todo: ["written", "Mark as written"], written: ["signed", "Sign off"] };

export class ReviewView {
  constructor({ root, desk, book, editor, outbox, feed, urls, warnings, assignment, canWrite, say, part }) {
    Object.assign(this, { root, desk, book, editor, outbox, feed, urls, warnings, assignment, canWrite, say });
    this.whole = part("example-warnings");
  }

  take(assignment) {
    this.assignment = assignment;
    this.render();
  }

  render() {
    const signature = JSON.stringify(this.assignment);
    if (signature !== this.signature) this.root.replaceChildren(...this.#parts());
    this.signature = signature;
    this.#wholeWarnings();
  }

  #parts() {
    const { state, author, reviewer, signed_by: signedBy } = this.assignment;
    const people = [
      ["Written by", author || "nobody yet"],
      ["Checked by", signedBy || reviewer || (state === "todo" ? null : "nobody yet")],
    ];
    return [
      el(`span.badge.${KINDS[state] || "badge--plain"}`, {}, STATES[state]),
      ...people.filter(([, name]) => name).map(([part, name]) => el("span.muted.small", {}, `${part} ${name}`)),
      ...(this.canWrite ? this.#steps(state) : []),
    ];
  }

  #steps(state) {
    const step = STEPS[state];
    const on = step ? [commandButton("advance", step[1], { key: "f", kind: "primary" })] : [];
    const back = state === "todo" ? [] : [commandButton("reopen", "Back to writing")];
    return [...back, ...on];
  }

  #wholeWarnings() {
    const given = this.book.warnings.example ?? [];
    const signature = JSON.stringify(this.warnings.open("example", given));
    if (signature === this.wholeSignature) return;
    this.wholeSignature = signature;
    this.whole.replaceChildren(this.warnings.list("example", given, () => this.render()));
  }

  async advance() {
    const step = STEPS[this.assignment.state];
    if (!step) return this.say("This example is signed off. g n leads to the next one of yours.");
    this.editor.close();
    await this.outbox.run();
    if (this.outbox.queue.length) return this.say("Some changes are not saved yet. Try again when they are.");
    return this.#go(this.urls[step[0]]);
  }

  reopen() {
    return this.#go(this.urls.reopened);
  }

  async #go(url) {
    const { answer, problem } = await ask(url, {});
    if (problem) return this.say(problem);
    this.take(answer);
    return this.say(`${STATES[answer.state]}.${answer.state === "todo" ? "" : " g n leads to the next one of yours."}`);
  }
}
